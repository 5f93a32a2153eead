//! What each tool costs a model that knows it: its name, description and input schema as compact JSON, in tokens of
//! `cl100k_base`. A tokenizer would add its tables to the program, so the numbers stand here, and a test counts anew.

const TOKENS: &[(&str, u32)] = &[
    ("list_granted_resources", 41),
    ("list_project_resources", 130),
    ("read_gitnest_repository", 119),
    ("search_gitnest_code", 118),
    ("propose_gitnest_file_import", 227),
    ("list_my_proposals", 96),
    ("read_proposal", 57),
    ("withdraw_proposal", 54),
];

/// What the tool of this name costs; nothing is known of a tool of tests.
pub fn of(name: &str) -> Option<u32> {
    TOKENS.iter().find(|(known, _)| *known == name).map(|(_, tokens)| *tokens)
}
