//! The log: lines on the standard error output, for a person or for a program.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// For a person.
    Text,
    /// One JSON object a line.
    Json,
}

/// Begins to log what `filter` lets through, such as `info` or `countersign_app=debug`. A log that was begun before goes
/// on as it was.
pub fn begin(filter: &str, shape: Shape) -> Result<(), ParseError> {
    let lines = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::builder().parse(filter)?)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let _ = match shape {
        Shape::Text => lines.try_init(),
        Shape::Json => lines.json().try_init(),
    };
    Ok(())
}
