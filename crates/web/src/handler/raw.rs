//! `/repositories/{id}/raw/…`: the bytes of a file, as nothing that a browser would run.

use std::fmt::Write as _;

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use countersign_app::repository::{self, raw::RawBytes, raw::RawFile, raw::RawKind};
use countersign_core::problem::Problem;
use countersign_core::text::is_deceptive;
use http::{HeaderName, HeaderValue, header};
use serde::Deserialize;

use super::repository::Spot;
use crate::answer::PageProblem;
use crate::credential::SessionCaller;
use crate::query::Query;
use crate::state::Web;

/// Nothing is loaded and nothing runs, whatever the bytes are and whoever opens them (CSP3 §6.1, `sandbox`).
const POLICY: (HeaderName, HeaderValue) = (
    header::CONTENT_SECURITY_POLICY,
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox"),
);
const NO_SNIFFING: (HeaderName, HeaderValue) =
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

/// The query.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    #[serde(default, rename = "ref")]
    reference: String,
    /// Whether it is to be kept rather than shown.
    #[serde(default)]
    download: String,
}

/// The file.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    spot: Spot,
    Query(asked): Query<Asked>,
) -> Result<Response, PageProblem> {
    let at = (Some(asked.reference), spot.path);
    let file = repository::raw(&web.app, &session.view.caller, spot.repository, at).await?;
    Ok(answer(file, !asked.download.is_empty())?)
}

pub(crate) fn answer(file: RawFile, download: bool) -> Result<Response, Problem> {
    let RawFile { name, size, kind, bytes } = file;
    let (media, inline) = match kind {
        // Never as HTML or SVG, whatever the name says.
        RawKind::Text => ("text/plain; charset=utf-8", true),
        RawKind::Image(image) => (image.media_type(), true),
        RawKind::Other => ("application/octet-stream", false),
    };
    let named = disposition(inline && !download, &name);
    let headers = [
        POLICY,
        NO_SNIFFING,
        (header::CONTENT_TYPE, HeaderValue::from_static(media)),
        (header::CONTENT_LENGTH, HeaderValue::from(size)),
        (header::CONTENT_DISPOSITION, HeaderValue::from_str(&named).map_err(Problem::internal)?),
    ];
    let body = match bytes {
        RawBytes::Whole(bytes) => Body::from(bytes),
        RawBytes::Streamed { head, rest } => {
            let pieces =
                futures_util::stream::unfold((Some(head), rest), async |(head, mut rest)| match head {
                    Some(head) => Some((Ok(head), (None, rest))),
                    None => rest.next().await.map(|piece| (piece, (None, rest))),
                });
            Body::from_stream(pieces)
        }
    };
    Ok((headers, body).into_response())
}

/// The name under which a file is kept (RFC 6266 §4.3): plain for old readers, and as it is (RFC 8187).
fn disposition(inline: bool, name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    let safe = |c: char| if is_deceptive(c) || matches!(c, '/' | '\\') { '_' } else { c };
    let name = shortened(&name.chars().map(safe).collect::<String>());
    let plain =
        |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ') { c } else { '_' };
    let ascii: String = name.chars().map(plain).collect();
    let mut coded = String::new();
    for byte in name.bytes() {
        // `attr-char` of RFC 8187 §3.2.1, as far as it is unreserved in addresses too.
        if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'~') {
            coded.push(char::from(byte));
        } else {
            let _ = write!(coded, "%{byte:02X}");
        }
    }
    let word = if inline { "inline" } else { "attachment" };
    format!("{word}; filename=\"{ascii}\"; filename*=UTF-8''{coded}")
}

/// A long name without its middle: what a file is stands at the end.
fn shortened(name: &str) -> String {
    const MOST: usize = 200;
    const ENDING: usize = 20;
    let count = name.chars().count();
    if count <= MOST {
        return name.to_owned();
    }
    let ending = name.chars().skip(count - ENDING);
    name.chars().take(MOST - ENDING).chain(ending).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leaves_its_place_in_the_header() {
        assert_eq!(disposition(true, b"a.txt"), "inline; filename=\"a.txt\"; filename*=UTF-8''a.txt");
        assert_eq!(
            disposition(false, "x\"; filename=evil.html\r\nX: y\\..\u{e9}".as_bytes()),
            "attachment; filename=\"x__ filename_evil.html__X_ y_.._\"; \
             filename*=UTF-8''x%22%3B%20filename%3Devil.html__X%3A%20y_..%C3%A9"
        );
        assert!(HeaderValue::from_str(&disposition(false, b"\xff\0\x7f")).is_ok());
    }

    #[test]
    fn a_kept_file_shows_what_it_is_by_its_ending() {
        // Shown from right to left, what follows would read as `exe.txt`.
        assert_eq!(
            disposition(false, "a\u{202e}txt.exe".as_bytes()),
            "attachment; filename=\"a_txt.exe\"; filename*=UTF-8''a_txt.exe"
        );
        let long = format!("{}.tar.gz", "x".repeat(300));
        let kept = disposition(false, long.as_bytes());
        assert!(
            kept.ends_with("x.tar.gz") && kept.contains(&format!("\"{}.tar.gz\"", "x".repeat(193))),
            "{kept}"
        );
    }
}
