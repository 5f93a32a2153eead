//! What a person comes home to: what needs them beside the queue, how far the workspace is set up, and the way to all else.

pub mod find;
mod look;
pub mod view;

pub use find::find;
pub use look::look;
