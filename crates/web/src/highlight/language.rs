//! The languages as data: how comments, strings and words look in each.

/// How a quoted text looks.
#[derive(Debug)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Whether a backslash takes the next character out of play.
    pub(super) escapes: bool,
    /// Whether it may go on in the next line.
    pub(super) spans_lines: bool,
}

/// What reads the lines of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    /// Words, quotes and comments.
    Code,
    /// As code, where a word before the sign is a key.
    Keyed(char),
    /// Tags and attributes.
    Markup,
    /// Headings, fences, emphasis.
    Markdown,
}

/// One language.
#[derive(Debug)]
pub struct Language {
    /// Its name.
    pub name: &'static str,
    endings: &'static [&'static str],
    pub(super) grammar: Grammar,
    pub(super) remarks: &'static [&'static str],
    pub(super) block: Option<(&'static str, &'static str)>,
    pub(super) quotes: &'static [Quote],
    pub(super) words: &'static [&'static str],
    /// Whether a name that begins with a capital is a type.
    pub(super) capital_types: bool,
    /// Whether `'a` may be a lifetime, so that a lone quote opens nothing.
    pub(super) lifetimes: bool,
}

impl Language {
    /// The language of a file, by the last part of its name.
    pub fn of_path(path: &str) -> Option<&'static Self> {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        let ending = name.rsplit_once('.').map_or(name.as_str(), |(_, ending)| ending);
        ALL.iter()
            .find(|language| language.endings.contains(&ending) || language.endings.contains(&name.as_str()))
    }
}

impl Language {
    /// The language that the word after a fence of Markdown means: its name, or how its files end.
    pub fn of_word(word: &str) -> Option<&'static Self> {
        let word = word.to_ascii_lowercase();
        let named = |language: &&Self| language.name.eq_ignore_ascii_case(&word);
        ALL.iter().find(named).or_else(|| Self::of_path(&format!(".{word}")))
    }
}

const fn quote(sign: &'static str) -> Quote {
    Quote { open: sign, close: sign, escapes: true, spans_lines: false }
}
const fn raw(open: &'static str, close: &'static str) -> Quote {
    Quote { open, close, escapes: false, spans_lines: true }
}
const fn long(sign: &'static str) -> Quote {
    Quote { open: sign, close: sign, escapes: true, spans_lines: true }
}

const BOTH: &[Quote] = &[quote("\""), quote("'")];
const SCRIPT: &[Quote] = &[long("`"), quote("\""), quote("'")];
const PYTHON: &[Quote] = &[long("\"\"\""), long("'''"), quote("\""), quote("'")];
const RUST: &[Quote] = &[raw("r#\"", "\"#"), raw("r\"", "\""), long("\""), quote("'")];
const GO: &[Quote] = &[raw("`", "`"), quote("\""), quote("'")];
const TOML: &[Quote] = &[long("\"\"\""), raw("'''", "'''"), quote("\""), quote("'")];
const SQL: &[Quote] = &[raw("'", "'"), raw("\"", "\"")];
const SLASHES: &[&str] = &["//"];
const HASH: &[&str] = &["#"];
const STARS: Option<(&str, &str)> = Some(("/*", "*/"));

const BASE: Language = Language {
    name: "",
    endings: &[],
    grammar: Grammar::Code,
    remarks: SLASHES,
    block: STARS,
    quotes: BOTH,
    words: &[],
    capital_types: true,
    lifetimes: false,
};

macro_rules! words {
    ($text:literal) => {{
        const LIST: [&str; count($text)] = split($text);
        &LIST
    }};
}

const fn count(text: &str) -> usize {
    let (bytes, mut at, mut n) = (text.as_bytes(), 0, 1);
    while at < bytes.len() {
        if bytes[at] == b' ' {
            n += 1;
        }
        at += 1;
    }
    n
}

const fn split<const N: usize>(text: &'static str) -> [&'static str; N] {
    let mut out = [""; N];
    let (mut rest, mut n) = (text, 0);
    while n < N {
        let (bytes, mut at) = (rest.as_bytes(), 0);
        while at < bytes.len() && bytes[at] != b' ' {
            at += 1;
        }
        let (word, tail) = rest.split_at(at);
        out[n] = word;
        rest = if tail.is_empty() { tail } else { tail.split_at(1).1 };
        n += 1;
    }
    out
}

static ALL: &[Language] = &[
    Language {
        name: "Rust",
        endings: &["rs"],
        quotes: RUST,
        lifetimes: true,
        words: words!(
            "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char str"
        ),
        ..BASE
    },
    Language {
        name: "Python",
        endings: &["py", "pyi"],
        remarks: HASH,
        block: None,
        quotes: PYTHON,
        words: words!(
            "and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield"
        ),
        ..BASE
    },
    Language {
        name: "JavaScript",
        endings: &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"],
        quotes: SCRIPT,
        words: words!(
            "abstract any as async await boolean break case catch class const continue declare default delete do else enum export extends false finally for from function get if implements import in instanceof interface keyof let namespace new null number of private protected public readonly return set static string super switch this throw true try type typeof undefined unknown var void while yield"
        ),
        ..BASE
    },
    Language {
        name: "Go",
        endings: &["go"],
        quotes: GO,
        words: words!(
            "any bool break byte case chan const continue default defer else error fallthrough false float64 for func go goto if import int int64 interface map nil package range return rune select string struct switch true type uint64 var"
        ),
        ..BASE
    },
    Language {
        name: "C and its kin",
        endings: &[
            "c", "h", "cc", "cpp", "cxx", "hpp", "java", "kt", "kts", "cs", "swift", "scala", "dart", "php",
            "proto",
        ],
        words: words!(
            "abstract auto bool boolean break byte case catch char class const continue default defer delete do double else enum explicit export extends extern false final finally float for func fun if implements import include inline int interface internal let long message mutable namespace new nil null nullptr object operator override package private protected public return self short signed sizeof static string struct super switch template this throw throws true try typedef typename union unsigned using val var virtual void volatile while"
        ),
        ..BASE
    },
    Language {
        name: "Shell",
        endings: &["sh", "bash", "zsh", "makefile", "mk", "dockerfile", "justfile", "env"],
        remarks: HASH,
        block: None,
        capital_types: false,
        quotes: &[long("\""), raw("'", "'")],
        words: words!(
            "case do done elif else esac exec exit export fi for function if in local return set then until while FROM RUN COPY ADD CMD ENTRYPOINT ENV ARG WORKDIR EXPOSE USER VOLUME LABEL AS"
        ),
        ..BASE
    },
    Language {
        name: "Ruby",
        endings: &["rb", "rakefile", "gemfile"],
        remarks: HASH,
        block: None,
        words: words!(
            "alias and begin break case class def do else elsif end ensure false for if in module next nil not or raise rescue return self super then true unless until when while yield"
        ),
        ..BASE
    },
    Language {
        name: "SQL",
        endings: &["sql"],
        remarks: &["--"],
        quotes: SQL,
        capital_types: false,
        words: words!(
            "ADD ALTER AND AS ASC BEGIN BY CASE CHECK COMMIT CONFLICT CONSTRAINT CREATE DEFAULT DELETE DESC DISTINCT DO DROP ELSE END EXISTS FOREIGN FROM GROUP HAVING IF IN INDEX INNER INSERT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL OFFSET ON OR ORDER OUTER PRIMARY REFERENCES RETURNING ROLLBACK SELECT SET TABLE THEN TRANSACTION TRIGGER UNION UNIQUE UPDATE USING VALUES VIEW WHEN WHERE WITH add alter and as asc begin by case check commit conflict constraint create default delete desc distinct do drop else end exists foreign from group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning rollback select set table then transaction trigger union unique update using values view when where with"
        ),
        ..BASE
    },
    Language {
        name: "JSON",
        endings: &["json", "jsonc", "json5"],
        grammar: Grammar::Keyed(':'),
        words: words!("true false null"),
        capital_types: false,
        ..BASE
    },
    Language {
        name: "YAML",
        endings: &["yaml", "yml"],
        grammar: Grammar::Keyed(':'),
        remarks: HASH,
        block: None,
        words: words!("true false null yes no on off"),
        capital_types: false,
        ..BASE
    },
    Language {
        name: "TOML",
        endings: &[
            "toml",
            "ini",
            "cfg",
            "conf",
            "properties",
            "editorconfig",
            "gitconfig",
            "lock",
            "service",
        ],
        grammar: Grammar::Keyed('='),
        remarks: &["#", ";"],
        block: None,
        quotes: TOML,
        words: words!("true false"),
        capital_types: false,
        ..BASE
    },
    Language {
        name: "CSS",
        endings: &["css", "scss", "less"],
        grammar: Grammar::Keyed(':'),
        words: words!("important from to and not only"),
        capital_types: false,
        ..BASE
    },
    Language {
        name: "Markup",
        endings: &["html", "htm", "xml", "svg", "vue", "svelte", "plist"],
        grammar: Grammar::Markup,
        remarks: &[],
        block: Some(("<!--", "-->")),
        capital_types: false,
        ..BASE
    },
    Language {
        name: "Markdown",
        endings: &["md", "markdown", "mdx"],
        grammar: Grammar::Markdown,
        remarks: &[],
        block: Some(("<!--", "-->")),
        quotes: &[],
        capital_types: false,
        ..BASE
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_known_by_the_ending_or_by_the_whole_name() {
        let name = |path| Language::of_path(path).map(|language| language.name);
        assert_eq!(name("src/main.rs"), Some("Rust"));
        assert_eq!(name("docs/README.MD"), Some("Markdown"));
        assert_eq!(name("Makefile"), Some("Shell"));
        assert_eq!(name("Cargo.lock"), Some("TOML"));
        assert_eq!(name("LICENSE"), None);
    }
}
