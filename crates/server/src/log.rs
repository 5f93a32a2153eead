//! The log: lines on the standard error output, for a person or for a program. What strangers write stands in it
//! spelled out, so that it steers no terminal.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write};

use countersign_core::text::{is_deceptive, spelled_out};
use tracing::Subscriber;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::debug_fn;
use tracing_subscriber::util::SubscriberInitExt as _;

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
    let filter = EnvFilter::builder().parse(filter)?;
    let _ = match shape {
        Shape::Text => text(filter, io::stderr().is_terminal(), io::stderr).try_init(),
        Shape::Json => json(filter, || Spelled(io::stderr())).try_init(),
    };
    Ok(())
}

fn text<W>(filter: EnvFilter, colours: bool, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let fields = debug_fn(|line, field, value| {
        let value = spelled_out(&format!("{value:?}"));
        if field.name() == "message" { write!(line, "{value}") } else { write!(line, "{field}={value}") }
    });
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours);
    lines.fmt_fields(tracing_subscriber::field::MakeExt::delimited(fields, " ")).with_writer(writer).finish()
}

fn json<W>(filter: EnvFilter, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    tracing_subscriber::fmt().with_env_filter(filter).json().with_writer(writer).finish()
}

/// Writes a line of JSON with everything deceptive as RFC 8259 §7 escapes it: outside of texts it has nothing of the
/// kind but its end.
struct Spelled<W>(W);

impl<W: Write> Write for Spelled<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut safe = String::with_capacity(line.len());
        for c in String::from_utf8_lossy(line).chars() {
            if c == '\n' || !is_deceptive(c) {
                safe.push(c);
            } else {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(safe, "\\u{unit:04x}").map_err(io::Error::other)?;
                }
            }
        }
        self.0.write_all(safe.as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What a terminal obeys, and what turns a line round.
    const EVIL: &str = "a\u{9b}2J\u{1b}[31m\u{202e}\u{e0041}\nb";

    fn logged(shape: Shape) -> String {
        let kept = Kept::default();
        let (writer, filter) = (kept.clone(), EnvFilter::new("info"));
        let say = || tracing::info!(said = %EVIL, "git said {EVIL}");
        match shape {
            Shape::Text => {
                tracing::subscriber::with_default(text(filter, false, move || writer.clone()), say);
            }
            Shape::Json => {
                tracing::subscriber::with_default(json(filter, move || Spelled(writer.clone())), say);
            }
        }
        let kept = kept.0.lock().unwrap().clone();
        String::from_utf8(kept).unwrap()
    }

    #[test]
    fn what_strangers_write_steers_no_terminal() {
        for shape in [Shape::Text, Shape::Json] {
            let line = logged(shape);
            let body = line.strip_suffix('\n').unwrap();
            assert!(!body.chars().any(is_deceptive), "{shape:?}: {line:?}");
        }
        assert!(logged(Shape::Text).contains("said=a\\u{9b}2J\\u{1b}[31m\\u{202e}"));
    }

    #[test]
    fn a_line_of_json_still_says_what_was_said() {
        let line: serde_json::Value = serde_json::from_str(&logged(Shape::Json)).unwrap();
        assert_eq!(line["fields"]["said"], EVIL);
    }
}
