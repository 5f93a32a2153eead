//! The limits of what people send: one number for the rule that refuses and for the document that tells it.

/// The most characters of a name of a person, project, connection or token.
pub const NAME: usize = 80;
/// The most characters of a mail address (RFC 5321 §4.5.3.1.3).
pub const MAIL: usize = 254;
/// The fewest characters of a password.
pub const PASSWORD_LEAST: usize = 12;
/// The most bytes of a password.
pub const PASSWORD: usize = 1024;
/// The most characters of the reason for a decline.
pub const REASON: usize = 2000;
/// The most characters of the name of a repository.
pub const REPOSITORY_NAME: usize = 64;
/// What a name of a repository is.
pub const REPOSITORY_NAME_PATTERN: &str = "^[A-Za-z0-9_][A-Za-z0-9_-]*$";
/// The most bytes of the name of a branch.
pub const BRANCH: usize = 200;
/// The most characters of a branch, a tag or a commit in an address; a full name of a ref is longer than a short one.
pub const REFERENCE: usize = 220;
/// The most entries of each list of rules of a repository.
pub const RULES: usize = 100;
/// The most bytes of a protected path.
pub const PROTECTED_PATH: usize = 1024;
/// The most characters of a text that is searched for.
pub const SEARCH: usize = 200;
/// The most items of a page of a list.
pub const PAGE: usize = 100;
/// The most days that a token lives.
pub const TOKEN_DAYS: u32 = 366;
