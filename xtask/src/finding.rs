//! What a rule found: where, what, and what to do about it.

/// One breach of one rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// A path, with a line where one is known.
    pub(crate) place: String,
    /// What is wrong there.
    pub(crate) what: String,
    /// What to do next.
    pub(crate) next: &'static str,
}

impl Finding {
    /// A breach somewhere in `place`.
    pub(crate) fn new(place: impl Into<String>, what: impl Into<String>, next: &'static str) -> Self {
        Self { place: place.into(), what: what.into(), next }
    }

    /// A breach on line `line`, counted from one.
    pub(crate) fn at(path: &str, line: usize, what: impl Into<String>, next: &'static str) -> Self {
        Self::new(format!("{path}:{line}"), what, next)
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}. {}", self.place, self.what, self.next)
    }
}
