//! What git says on its standard error output, kept for a log, for a person, and to be understood.

use countersign_core::text::spelled_out;
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How much of it is kept.
const KEPT: u64 = 8 << 10;

/// Reads a stream to its end and keeps its first lines, as one with `; ` between them. git repeats what strangers sent:
/// it is spelled out.
pub async fn keep_beginning(stream: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut stream) = stream else { return String::new() };
    let mut kept = Vec::new();
    let _ = (&mut stream).take(KEPT).read_to_end(&mut kept).await;
    let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    let said = String::from_utf8_lossy(&kept);
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty()).map(spelled_out);
    lines.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn it_is_one_line_that_steers_no_terminal() {
        let said = "error: a\u{9b}2J\n\n  fatal: \u{202e}b\n".as_bytes();
        assert_eq!(keep_beginning(Some(said)).await, "error: a\\u{9b}2J; fatal: \\u{202e}b");
        assert_eq!(keep_beginning(None::<&[u8]>).await, "");
    }

    #[tokio::test]
    async fn its_beginning_is_kept_and_all_of_it_is_read() {
        let long = vec![b'x'; 20_000];
        let mut long = long.as_slice();
        assert_eq!(keep_beginning(Some(&mut long)).await.len(), 8 << 10);
        assert!(long.is_empty());
    }
}
