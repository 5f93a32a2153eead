//! The threat model: what it says of the code is there, every boundary has an owner, and its numbers are right.

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::repository::Repository;
use crate::source::Source;

const MODEL: &str = "docs/threat-model.md";
/// Every anchor that the model may cite, one a line, in order.
const ANCHORS: &str = "docs/threat-model.anchors";
/// The lists of the model: the letter of their rows, and their name in the line of numbers.
const LISTS: [(char, &str); 6] = [
    ('A', "assets"),
    ('V', "adversaries"),
    ('B', "boundaries"),
    ('F', "data flows"),
    ('C', "credentials"),
    ('D', "rulings"),
];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let (Some(model), Some(anchors)) = (repository.find(MODEL), repository.find(ANCHORS)) else {
        return Vec::new();
    };
    let rows = rows(model);
    [numbers(model, &rows), boundaries(model, &rows), cited(repository, model, anchors)]
        .into_iter()
        .flatten()
        .collect()
}

/// A row of a list: the line that it stands in, its letter, its number.
type Row = (usize, char, usize);

fn rows(model: &Source) -> Vec<Row> {
    let row = |(line, text): (usize, &str)| {
        let name = text.strip_prefix("| ").or(text.strip_prefix("- **"))?;
        let letter = name.chars().next().filter(|letter| LISTS.iter().any(|(known, _)| known == letter))?;
        let digits: String = name.chars().skip(1).take_while(char::is_ascii_digit).collect();
        Some((line, letter, digits.parse().ok()?))
    };
    model.lines().filter_map(row).collect()
}

fn fault(line: usize, what: String, next: &'static str) -> Finding {
    Finding::at(MODEL, line, what, next)
}

/// The rows are numbered in order, and as many as the model says.
fn numbers(model: &Source, rows: &[Row]) -> Vec<Finding> {
    let said = model.lines().find(|(_, text)| text.starts_with("**Counted:**"));
    let (at, said) = said.unwrap_or((1, ""));
    let mut found = Vec::new();
    for (letter, name) in LISTS {
        let of_list = || rows.iter().filter(|(_, known, _)| *known == letter);
        for (place, (line, _, number)) in of_list().enumerate() {
            if *number != place + 1 {
                let what = format!("has {letter}{number} in place {}", place + 1);
                found.push(fault(*line, what, "Number the rows of each list in order."));
            }
        }
        let count = of_list().count();
        let is_said = said
            .split([':', ',', '.'])
            .any(|part| part.trim_matches([' ', '*']) == format!("{count} {name}"));
        if !is_said {
            found.push(fault(
                at,
                format!("has {count} {name}"),
                "Say so in the line that begins with Counted.",
            ));
        }
    }
    found
}

/// Each boundary names its owner, and each credential a boundary that is there.
fn boundaries(model: &Source, rows: &[Row]) -> Vec<Finding> {
    let mut found = Vec::new();
    let known: BTreeSet<String> =
        rows.iter().filter(|(_, letter, _)| *letter == 'B').map(|(_, _, n)| format!("B{n}")).collect();
    for (line, letter, number) in rows {
        let text = model.lines().find(|(at, _)| at == line).map_or("", |(_, text)| text);
        let cells: Vec<&str> = text.split('|').map(str::trim).collect();
        if *letter == 'B' && !cells.get(3).is_some_and(|cell| cell.contains(".rs::")) {
            let what = format!("has no owner for B{number}");
            found.push(fault(*line, what, "Name the function that stands at the boundary."));
        }
        if *letter == 'C' && !cells.get(4).is_some_and(|cell| known.contains(*cell)) {
            let what = format!("has no boundary for C{number}");
            found.push(fault(*line, what, "Name the boundary where the credential is shown."));
        }
    }
    found
}

/// What is cited is what the list of anchors holds, and each of them is in the code.
fn cited(repository: &Repository, model: &Source, anchors: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    let kept: BTreeSet<&str> = anchors.text.lines().collect();
    let mut seen = BTreeSet::new();
    for (line, text) in model.lines() {
        for anchor in text.split('`').filter(|word| word.contains(".rs::")) {
            seen.insert(anchor);
            if !kept.contains(anchor) {
                let what = format!("cites {anchor}, which is none of {ANCHORS}");
                found.push(fault(line, what, "Add it there once you have read that it does what is said."));
            }
        }
    }
    for (line, anchor) in anchors.lines() {
        if !seen.contains(anchor) {
            let what = format!("holds {anchor}, which {MODEL} does not cite");
            found.push(Finding::at(ANCHORS, line, what, "Take it out, or say what it is for."));
        }
        if !resolves(repository, anchor) {
            let what = format!("names {anchor}, which is not there");
            found.push(Finding::at(
                ANCHORS,
                line,
                what,
                "Read the model again, and name what makes it true now.",
            ));
        }
    }
    found
}

/// Whether the file declares this function, type, constant or variable.
fn resolves(repository: &Repository, anchor: &str) -> bool {
    let Some((path, name)) = anchor.split_once("::") else { return false };
    repository.find(path).is_some_and(|source| source.text.lines().any(|line| declares(line, name)))
}

/// Whether a line declares something of this name; a mention of it is none.
fn declares(line: &str, name: &str) -> bool {
    const BEFORE: [&str; 5] = ["pub", "pub(crate)", "pub(super)", "async", "const"];
    const KINDS: [&str; 7] = ["fn", "struct", "enum", "trait", "type", "const", "static"];
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).enumerate().any(|(at, pair)| {
        KINDS.contains(&pair[0])
            && words[..at].iter().all(|word| BEFORE.contains(word))
            && pair[1]
                .strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: &str = "crates/a/src/b.rs::guard";
    const SOURCE: &str =
        "    pub(crate) async fn guard(of: &Thing) {}\npub struct Thing {\nconst MOST: usize = 1;";

    fn model(boundary: &str, credential: &str) -> String {
        format!(
            "**Counted:** 1 assets, 1 adversaries, 1 boundaries, 1 data flows, 1 credentials, 1 rulings.\n\
             | A1 | x |\n| V1 | x |\n| B1 | x | {boundary} | y |\n| F1 | x |\n| C1 | x | y | {credential} | z |\n- **D1** x\n"
        )
    }

    fn found(model: &str, anchors: &str, source: &str) -> Vec<String> {
        let files = [(MODEL, model), (ANCHORS, anchors), ("crates/a/src/b.rs", source)];
        check(&Repository::of(&files)).into_iter().map(|finding| finding.to_string()).collect()
    }

    #[test]
    fn a_model_that_is_true_has_no_fault() {
        assert_eq!(found(&model(&format!("`{OWNER}`"), "B1"), OWNER, SOURCE), Vec::<String>::new());
    }

    #[test]
    fn each_fault_is_found() {
        let good = model(&format!("`{OWNER}`"), "B1");
        let gone = SOURCE.replace("guard", "guards");
        for (model, anchors, source, what) in [
            (good.as_str(), OWNER, gone.as_str(), "which is not there"),
            (&good, "", SOURCE, "which is none of"),
            (&good, &format!("{OWNER}\ncrates/a/src/b.rs::MOST"), SOURCE, "does not cite"),
            (&model("nobody", "B1"), "", SOURCE, "has no owner for B1"),
            (&model(&format!("`{OWNER}`"), "B2"), OWNER, SOURCE, "has no boundary for C1"),
            (&good.replace("1 credentials", "2 credentials"), OWNER, SOURCE, "has 1 credentials"),
            (&good.replace("| A1", "| A2"), OWNER, SOURCE, "A2 in place 1"),
            (&good.replace("| F1 | x |\n", ""), OWNER, SOURCE, "has 0 data flows"),
        ] {
            let all = found(model, anchors, source);
            assert!(all.len() == 1 && all[0].contains(what), "{what}: {all:?}");
        }
    }

    #[test]
    fn functions_types_and_constants_are_declared_and_a_mention_is_not() {
        for name in ["guard", "Thing", "MOST"] {
            assert!(SOURCE.lines().any(|line| declares(line, name)), "{name}");
        }
        for name in ["gua", "of", "usize"] {
            assert!(!SOURCE.lines().any(|line| declares(line, name)), "{name}");
        }
    }
}
