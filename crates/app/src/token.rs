//! Personal access tokens: a person's key for git and the REST API.

mod authenticate;
mod create;
mod list;
mod revoke;
pub mod view;

pub use authenticate::authenticate;
pub use create::{Created, NewToken, create};
pub use list::{list, page};
pub use revoke::revoke;
