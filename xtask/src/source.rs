//! One file of the repository, and which of its lines are tests.

/// A text file under version control.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its path from the root of the repository, with `/`.
    pub(crate) path: String,
    /// What it holds.
    pub(crate) text: String,
}

impl Source {
    /// Whether it is Rust.
    pub(crate) fn is_rust(&self) -> bool {
        std::path::Path::new(&self.path).extension().is_some_and(|ext| ext == "rs")
    }

    /// Its lines with their numbers, up to the test module at its end.
    pub(crate) fn shipped_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let end = self.test_module_line().unwrap_or(usize::MAX);
        self.lines().take_while(move |(line, _)| *line < end)
    }

    /// All its lines with their numbers, counted from one.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(at, text)| (at + 1, text))
    }

    /// How many lines it has without its test module.
    pub(crate) fn shipped_len(&self) -> usize {
        self.shipped_lines().count()
    }

    /// Where `#[cfg(test)] mod … {` begins, at the left margin.
    fn test_module_line(&self) -> Option<usize> {
        let mut lines = self.lines().peekable();
        while let Some((line, text)) = lines.next() {
            if text == "#[cfg(test)]" {
                while lines.peek().is_some_and(|(_, next)| next.starts_with("#[")) {
                    lines.next();
                }
                if lines.peek().is_some_and(|(_, next)| next.starts_with("mod ") && next.ends_with('{')) {
                    return Some(line);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_module_at_the_end_does_not_count() {
        let source = Source {
            path: "crates/x/src/a.rs".into(),
            text: "//! A.\nfn a() {}\n\n#[cfg(test)]\n#[expect(dead_code)]\nmod tests {\n}\n".into(),
        };
        assert_eq!(source.shipped_len(), 3);
    }

    #[test]
    fn a_single_item_for_tests_ends_nothing() {
        let source =
            Source { path: "a.rs".into(), text: "//! A.\n#[cfg(test)]\nfn b() {}\nfn c() {}\n".into() };
        assert_eq!(source.shipped_len(), 4);
    }
}
