//! Behind which row a page of a list begins: a key of the row, never a number of rows, so that rows that come and go
//! move no other one to another page.

/// Behind a row of a list that is sorted by name, then by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByName {
    /// The name.
    pub name: String,
    /// The id.
    pub id: String,
}

/// Behind a row of a list that is sorted by time, then by id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByTime {
    /// Milliseconds since the Unix epoch.
    pub at: i64,
    /// The id.
    pub id: String,
}

impl ByName {
    /// Before the first row.
    pub fn start() -> Self {
        Self::default()
    }
}

impl ByTime {
    /// Before the newest row, of a list with the newest on top.
    pub const fn newest() -> Self {
        Self { at: i64::MAX, id: String::new() }
    }

    /// Before the oldest row, of a list with the oldest on top.
    pub const fn oldest() -> Self {
        Self { at: i64::MIN, id: String::new() }
    }
}
