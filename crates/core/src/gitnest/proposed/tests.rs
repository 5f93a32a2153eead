//! The table of names that must be refused and of names that must not, one row or more a rule.

use super::*;

fn file(path: &str) -> ProposedFile {
    ProposedFile { path: path.into(), content: "text\n".into() }
}

fn rule(paths: &[&str]) -> Option<Rule> {
    let files: Vec<ProposedFile> = paths.iter().map(|path| file(path)).collect();
    check_files(&files).err().map(|breach| breach.rule)
}

/// Every spelling of every row of names that some engine, file system or reader mistakes.
const REFUSED: &[(&str, Rule)] = &[
    ("", Rule::Empty),
    ("/etc/passwd", Rule::Absolute),
    ("/", Rule::Absolute),
    ("a/", Rule::TrailingSlash),
    ("a//b", Rule::EmptyPart),
    (".", Rule::DotPart),
    ("..", Rule::DotPart),
    ("../a", Rule::DotPart),
    ("a/../../b", Rule::DotPart),
    ("a/./b", Rule::DotPart),
    (".git", Rule::DotGit),
    (".git/hooks/post-checkout", Rule::DotGit),
    (".GIT/config", Rule::DotGit),
    ("sub/.Git/config", Rule::DotGit),
    (".git./config", Rule::DotGit),
    (".git /config", Rule::DotGit),
    (".git. . /config", Rule::DotGit),
    ("git~1/config", Rule::DotGit),
    ("GIT~12", Rule::DotGit),
    (".git::$INDEX_ALLOCATION/config", Rule::DotGit),
    (".git:stream", Rule::DotGit),
    (".g\u{200c}it/config", Rule::DotGit),
    (".gi\u{feff}t", Rule::DotGit),
    (".git\u{202e}", Rule::DotGit),
    ("gitmod~1", Rule::ShortName),
    ("GI7EBA~1", Rule::ShortName),
    ("docs/PROGRA~1.TXT", Rule::ShortName),
    ("a\u{202e}txt.exe", Rule::Invisible),
    ("a\u{2066}b", Rule::Invisible),
    ("a\u{200b}b", Rule::Invisible),
    ("a\u{feff}", Rule::Invisible),
    ("a\u{ad}b", Rule::Invisible),
    ("a\nb", Rule::Invisible),
    ("a\0b", Rule::Invisible),
    ("a\u{1b}[31m", Rule::Invisible),
    ("a\u{7f}", Rule::Invisible),
    ("a\u{85}b", Rule::Invisible),
    ("cafe\u{301}", Rule::NotNfc),
    ("\u{212b}ngstrom", Rule::NotNfc),
    ("a\\b", Rule::Forbidden),
    ("a\\..\\b", Rule::Forbidden),
    ("C:", Rule::Forbidden),
    ("C:/Windows", Rule::Forbidden),
    ("a:b", Rule::Forbidden),
    ("a*", Rule::Forbidden),
    ("a?", Rule::Forbidden),
    ("a\"b", Rule::Forbidden),
    ("a<b", Rule::Forbidden),
    ("a>b", Rule::Forbidden),
    ("a|b", Rule::Forbidden),
    (" a", Rule::Space),
    ("a /b", Rule::Space),
    ("a\u{a0}", Rule::Space),
    ("a.", Rule::TrailingDot),
    ("a../b", Rule::TrailingDot),
    ("...", Rule::TrailingDot),
    ("-rf", Rule::Dash),
    ("a/--help", Rule::Dash),
    (".gitattributes/x", Rule::GitFile),
    ("a/.GITMODULES/x", Rule::GitFile),
    ("CON", Rule::DeviceName),
    ("aux.txt", Rule::DeviceName),
    ("docs/NUL", Rule::DeviceName),
    ("com1.tar.gz", Rule::DeviceName),
    ("LPT9", Rule::DeviceName),
    ("COM¹", Rule::DeviceName),
    ("prn .md", Rule::DeviceName),
    ("conin$", Rule::DeviceName),
];

const ACCEPTED: &[&str] = &[
    "README.md",
    "src/main.rs",
    ".gitignore",
    ".github/workflows/ci.yml",
    "foo.lock",
    "größe/straße.txt",
    "日本語/ファイル",
    "a b/c d.txt",
    "git",
    ".gitx",
    "x.git",
    "console.log",
    "com10",
    "auxiliary",
    "nul1",
    "~",
    "backup~",
    "file~x",
    "a-b",
    "..a",
    "a..b",
    ".hidden",
    "@scope/pkg",
    "x=1&y=2;z",
    "{{cookiecutter}}/#$%^!'()+,.[]`",
];

#[test]
fn each_of_these_names_is_refused_by_its_rule() {
    assert!(REFUSED.len() >= 36);
    for (path, wanted) in REFUSED {
        assert_eq!(rule(&[path]), Some(*wanted), "{path:?}");
    }
}

#[test]
fn each_of_these_names_is_accepted() {
    for path in ACCEPTED {
        assert_eq!(rule(&[path]), None, "{path:?}");
    }
}

#[test]
fn lengths_are_bounded() {
    let part = "a".repeat(crate::gitnest::path::MOST_PART_BYTES);
    assert_eq!(rule(&[&part]), None);
    assert_eq!(rule(&[&format!("{part}a")]), Some(Rule::PartTooLong));
    let long = [part.as_str(); 4].join("/");
    assert_eq!(rule(&[&format!("{long}/")]), Some(Rule::TrailingSlash));
    assert_eq!(rule(&[&format!("{long}/a")]), Some(Rule::TooLong));
    let deep = ["a"; 32].join("/");
    assert_eq!(rule(&[&deep]), None);
    assert_eq!(rule(&[&format!("{deep}/a")]), Some(Rule::TooDeep));
}

#[test]
fn files_of_one_proposal_do_not_get_in_each_others_way() {
    for (paths, wanted) in [
        (["a", "a"], Rule::SamePath),
        (["README", "readme"], Rule::CaseClash),
        (["docs/É.md", "docs/é.md"], Rule::CaseClash),
        (["Docs/a", "docs/b"], Rule::CaseClash),
        (["straße", "STRASSE"], Rule::CaseClash),
        (["a", "a/b"], Rule::FolderOverFile),
        (["A", "a/b"], Rule::FolderOverFile),
        (["a/b", "a"], Rule::FileOverFolder),
        (["a/b/c", "a/B"], Rule::FileOverFolder),
    ] {
        assert_eq!(rule(&paths), Some(wanted), "{paths:?}");
    }
    assert_eq!(rule(&["docs/a", "docs/b", "docs/c/a", "a"]), None);
}

#[test]
fn the_number_of_files_and_their_bytes_are_bounded() {
    let files = |count: usize, size: usize| -> Vec<ProposedFile> {
        (0..count).map(|n| ProposedFile { path: format!("f{n}"), content: "a".repeat(size) }).collect()
    };
    assert_eq!(check_files(&files(20, 1)), Ok(()));
    for (wrong, wanted) in
        [(files(0, 0), Rule::TooMany), (files(21, 0), Rule::TooMany), (files(3, 70_000), Rule::TooMuch)]
    {
        assert_eq!(check_files(&wrong).unwrap_err().rule, wanted);
    }
    let two_bytes_each = ProposedFile { path: "a".into(), content: "é".repeat(100_000) };
    assert_eq!(check_files(&[two_bytes_each]), Ok(()), "bytes are bounded for all files together");
}

#[test]
fn contents_are_held_against_the_rules_of_their_path() {
    let with = |path: &str, content: &str| {
        check_files(&[ProposedFile { path: path.into(), content: content.into() }])
            .err()
            .map(|breach| breach.rule)
    };
    assert_eq!(with("a", "a\0"), Some(Rule::Nul));
    assert_eq!(with("a", &"a".repeat(100_001)), Some(Rule::TooLarge));
    assert_eq!(with("x/.gitattributes", &"a".repeat(2001)), Some(Rule::LongAttribute));
    assert_eq!(with(".gitmodules", "[submodule \"a\"]\n\tpath = a\n\turl = -x\n"), Some(Rule::Submodules));
}

#[test]
fn a_refusal_names_path_and_rule() {
    let breach = check_files(&[file("a"), file("C:")]).unwrap_err();
    assert_eq!((breach.path.as_str(), breach.rule.as_str()), ("C:", "forbidden"));
    assert!(breach.to_string().contains("none of"), "{breach}");
}

#[test]
fn every_rule_has_a_word_of_its_own() {
    let words: std::collections::BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.as_str()).collect();
    assert_eq!(words.len(), Rule::ALL.len());
}
