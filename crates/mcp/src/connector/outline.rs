//! The outline of a message: what stands in its members is left out, so that whoever is refused is answered under the
//! id of their request, and holds no memory for it.
//!
//! Clients write `id` before `params` or behind them; so the body is read to its end, and not kept.

use axum::body::{Body, Bytes};
use futures_util::StreamExt as _;

/// How many bytes of an outline are kept; whose own members are longer is not answered under its id.
const KEPT: usize = 4 * 1024;

/// A body that was read to its end, or as far as it may go.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Taken {
    /// All of it, where it came to its end within what may be kept.
    pub(super) whole: Option<Bytes>,
    /// Its outline.
    pub(super) outline: Vec<u8>,
}

/// Reads `most` bytes at most and keeps `kept` at most.
pub(super) async fn take(body: Body, kept: usize, most: usize) -> Taken {
    let (mut outline, mut whole, mut length) = (Outline::default(), Some(Vec::new()), 0);
    let mut pieces = body.into_data_stream();
    while let Some(piece) = pieces.next().await {
        let Ok(piece) = piece else {
            whole = None;
            break;
        };
        length += piece.len();
        whole = whole.filter(|_| length <= kept);
        if length > most {
            break;
        }
        outline.feed(&piece);
        if let Some(whole) = &mut whole {
            whole.extend_from_slice(&piece);
        }
    }
    Taken { whole: whole.map(Bytes::from), outline: outline.text }
}

/// Where in JSON the next byte stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Structure,
    Text,
    Escape,
}

#[derive(Debug, Default)]
struct Outline {
    text: Vec<u8>,
    depth: usize,
    place: Place,
}

impl Outline {
    fn feed(&mut self, piece: &[u8]) {
        for byte in piece {
            let before = self.depth;
            self.place = match (self.place, byte) {
                (Place::Structure, b'"') | (Place::Escape, _) => Place::Text,
                (Place::Text, b'"') => Place::Structure,
                (Place::Text, b'\\') => Place::Escape,
                (place, _) => place,
            };
            if self.place == Place::Structure {
                match byte {
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
            }
            if before.min(self.depth) < 2 && self.text.len() < KEPT {
                self.text.push(*byte);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn outline(text: &str) -> String {
        // In pieces of three bytes, so that each place is cut somewhere.
        let pieces: Vec<_> = text
            .as_bytes()
            .chunks(3)
            .map(|piece| Ok::<_, std::io::Error>(Bytes::copy_from_slice(piece)))
            .collect();
        let body = Body::from_stream(futures_util::stream::iter(pieces));
        String::from_utf8(take(body, 0, 1 << 20).await.outline).unwrap()
    }

    #[tokio::test]
    async fn what_stands_in_the_members_is_left_out_wherever_the_id_stands() {
        for (text, left) in [
            (r#"{"id":7,"params":{"a":[1,{"b":"}"}]},"x":[2]}"#, r#"{"id":7,"params":{},"x":[]}"#),
            (r#"{"params":{"a":"\"}\\","id":1},"id":"a\"{"}"#, r#"{"params":{},"id":"a\"{"}"#),
            (r#"[{"id":7},8]"#, "[{},8]"),
            (r#"{"params":{"a"#, r#"{"params":{"#),
            ("}}]{", "}}]{"),
        ] {
            assert_eq!(outline(text).await, left, "{text}");
        }
    }

    #[tokio::test]
    async fn a_long_body_leaves_no_more_than_may_be_kept() {
        let body =
            || Body::from(format!(r#"{{"id":"{}","params":["{}"]}}"#, "x".repeat(9_000), "y".repeat(9_000)));
        let taken = take(body(), 18_000, 1 << 20).await;
        assert_eq!((taken.whole, taken.outline.len()), (None, KEPT));
        assert!(take(body(), 19_000, 1 << 20).await.whole.is_some());
        assert_eq!(take(body(), 19_000, 1_000).await.outline.len(), 0, "it is not read beyond that");
    }
}
