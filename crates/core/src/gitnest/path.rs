//! The path of a proposed file: what no file system, shell or reviewer can take for something else.

use unicode_normalization::is_nfc;

use super::fold;
use crate::text::is_deceptive;

/// The longest path.
pub const MOST_PATH_BYTES: usize = 1024;
/// The longest part of a path.
pub const MOST_PART_BYTES: usize = 255;
/// How many parts a path has at most.
pub const MOST_PARTS: usize = 32;

/// Declares every rule once: variant, wire text, sentence.
macro_rules! rules {
    ($($variant:ident = $text:literal, $sentence:literal;)+) => {
        /// A rule that a proposed path or content can break. Rows are added, never renamed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule { $(#[doc = $sentence] $variant),+ }

        impl Rule {
            /// Every rule, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The rule in one sentence.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$variant => $sentence),+ }
            }
        }
    };
}

rules! {
    Empty            = "empty",             "A path must not be empty.";
    TooLong          = "too_long",          "A path must have at most 1024 bytes.";
    PartTooLong      = "part_too_long",     "Each part of a path must have at most 255 bytes.";
    TooDeep          = "too_deep",          "A path must have at most 32 parts.";
    Absolute         = "absolute",          "A path must not start with `/`.";
    TrailingSlash    = "trailing_slash",    "A path must not end with `/`.";
    EmptyPart        = "empty_part",        "A path must have no empty part.";
    DotPart          = "dot_part",          "A path must have no part `.` or `..`.";
    Invisible        = "invisible",         "A path must have no control, invisible or bidirectional characters.";
    NotNfc           = "not_nfc",           "A path must be in Unicode normal form C.";
    Forbidden        = "forbidden",         "A path must have none of \\ : * ? \" < > |.";
    Space            = "space",             "No part of a path may start or end with a space.";
    TrailingDot      = "trailing_dot",      "No part of a path may end with a dot.";
    Dash             = "dash",              "No part of a path may start with `-`.";
    DotGit           = "dot_git",           "No part of a path may be what some file system takes for `.git`.";
    ShortName        = "short_name",        "No part of a path may look like `NAME~1`, the short form of another name on Windows.";
    DeviceName       = "device_name",       "No part of a path may name a device on Windows.";
    GitFile          = "git_file",          "No folder may have the name of `.gitattributes` or `.gitmodules`, which git reads as files.";
    SamePath         = "same_path",         "A proposal must name a path only once.";
    CaseClash        = "case_clash",        "A name must differ from the others in its folder by more than case or composition.";
    FileOverFolder   = "file_over_folder",  "A file must not stand where a folder is or is proposed.";
    FolderOverFile   = "folder_over_file",  "A path must not lead through a file that is there or is proposed.";
    ThroughSymlink   = "through_symlink",   "A path must not lead through a symbolic link or replace one.";
    IntoSubmodule    = "into_submodule",    "A path must not lead into a submodule or replace one.";
    Nul              = "nul",               "A file must hold text without NUL.";
    TooLarge         = "too_large",         "A file must have at most 100000 characters.";
    TooMuch          = "too_much",          "All files together must have at most 204800 bytes.";
    TooMany          = "too_many",          "A proposal must hold 1 to 20 files.";
    LongAttribute    = "long_attribute",    "Each line of `.gitattributes` must have at most 2000 bytes.";
    Submodules       = "submodules",        "`.gitmodules` must name plain paths and plain https, ssh or git addresses, without quotes or escapes.";
}

/// A rule that a path breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path:?} is refused. {}", rule.sentence())]
pub struct PathBreach {
    /// The path as it was given.
    pub path: String,
    /// The first rule that it breaks.
    pub rule: Rule,
}

impl PathBreach {
    pub(super) fn new(path: &str, rule: Rule) -> Self {
        Self { path: path.to_owned(), rule }
    }
}

/// Holds one path against every rule that needs nothing but the path.
pub fn check_path(path: &str) -> Result<(), PathBreach> {
    whole(path)
        .or_else(|| path.split('/').find_map(part))
        .or_else(|| path.rsplit('/').skip(1).any(is_git_file).then_some(Rule::GitFile))
        .map_or(Ok(()), |rule| Err(PathBreach::new(path, rule)))
}

fn whole(path: &str) -> Option<Rule> {
    if path.is_empty() {
        Some(Rule::Empty)
    } else if path.len() > MOST_PATH_BYTES {
        Some(Rule::TooLong)
    } else if path.starts_with('/') {
        Some(Rule::Absolute)
    } else if path.ends_with('/') {
        Some(Rule::TrailingSlash)
    } else if path.split('/').count() > MOST_PARTS {
        Some(Rule::TooDeep)
    } else {
        None
    }
}

fn part(part: &str) -> Option<Rule> {
    if part.is_empty() {
        Some(Rule::EmptyPart)
    } else if part.len() > MOST_PART_BYTES {
        Some(Rule::PartTooLong)
    } else if matches!(part, "." | "..") {
        Some(Rule::DotPart)
    } else if is_dot_git(part) {
        Some(Rule::DotGit)
    } else if part.chars().any(is_deceptive) {
        Some(Rule::Invisible)
    } else if !is_nfc(part) {
        Some(Rule::NotNfc)
    } else if part.contains(['\\', ':', '*', '?', '"', '<', '>', '|']) {
        Some(Rule::Forbidden)
    } else if part.starts_with(char::is_whitespace) || part.ends_with(char::is_whitespace) {
        Some(Rule::Space)
    } else if part.ends_with('.') {
        Some(Rule::TrailingDot)
    } else if part.starts_with('-') {
        Some(Rule::Dash)
    } else if is_short_name(part) {
        Some(Rule::ShortName)
    } else if is_device(part) {
        Some(Rule::DeviceName)
    } else {
        None
    }
}

/// A part as the most forgiving file system reads it: without characters that are ignored,
/// without a stream name, without trailing dots and spaces, case folded.
fn forgiven(part: &str) -> String {
    let seen: String = part.chars().filter(|c| !is_deceptive(*c)).collect();
    let name = seen.split(':').next().unwrap_or_default();
    fold::key(name.trim_end_matches(['.', ' ']))
}

fn is_dot_git(part: &str) -> bool {
    let name = forgiven(part);
    name == ".git" || name.strip_prefix("git~").is_some_and(all_digits)
}

/// What git's own check wants to be a file, however it is spelled (gitattributes(5), gitmodules(5)).
fn is_git_file(part: &str) -> bool {
    [".gitattributes", ".gitmodules"].contains(&forgiven(part).as_str())
}

/// `NAME~1`: at most eight characters before the first dot, ending in a tilde and digits.
fn is_short_name(part: &str) -> bool {
    let stem = part.split('.').find(|stem| !stem.is_empty()).unwrap_or_default();
    stem.len() <= 8 && stem.rsplit_once('~').is_some_and(|(_, number)| all_digits(number))
}

fn is_device(part: &str) -> bool {
    let stem = fold::key(part.split('.').next().unwrap_or_default().trim_end());
    if matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$" | "clock$") {
        return true;
    }
    let numbered = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    numbered.is_some_and(|number| {
        matches!(number, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
    })
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
