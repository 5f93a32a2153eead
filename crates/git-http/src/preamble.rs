//! What a push begins with: a line for each ref, up to a flush (gitprotocol-pack, "Reference Update Request"). git keeps
//! all of them in memory, so their size is bounded here; the pack behind them goes by.

/// How many bytes the lines may have together: a thousand refs with the longest names.
const MOST: usize = 1 << 20;
/// The length before each line.
const LENGTH: usize = 4;

/// Follows the beginning of a push as it streams by.
#[derive(Debug)]
pub(crate) struct Preamble {
    at: At,
    left: usize,
}

#[derive(Debug)]
enum At {
    /// In the length of a line, of which these bytes are known.
    Length(Vec<u8>),
    /// In a line, of which so many bytes are to come.
    Line(usize),
    /// Behind it all, or in what only git can make sense of.
    Over,
}

impl Preamble {
    pub(crate) const fn new() -> Self {
        Self { at: At::Length(Vec::new()), left: MOST }
    }

    /// Whether there is still no more of it than is taken, with these bytes.
    pub(crate) fn takes(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            let used = match &mut self.at {
                At::Over => return true,
                At::Length(known) => {
                    let used = bytes.len().min(LENGTH - known.len());
                    known.extend_from_slice(&bytes[..used]);
                    if known.len() == LENGTH {
                        self.at = behind(known);
                    }
                    used
                }
                At::Line(left) => {
                    let used = bytes.len().min(*left);
                    *left -= used;
                    if *left == 0 {
                        self.at = At::Length(Vec::new());
                    }
                    used
                }
            };
            match self.left.checked_sub(used) {
                Some(left) => self.left = left,
                None => return false,
            }
            bytes = &bytes[used..];
        }
        true
    }
}

/// What comes behind a length.
fn behind(length: &[u8]) -> At {
    let number = std::str::from_utf8(length).ok().and_then(|text| usize::from_str_radix(text, 16).ok());
    match number {
        Some(LENGTH) => At::Length(Vec::new()),
        Some(number) if number > LENGTH => At::Line(number - LENGTH),
        Some(_) | None => At::Over,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize) -> Vec<u8> {
        let line = format!("{} {} refs/heads/x", "0".repeat(40), "1".repeat(40));
        format!("{:04x}{line}", line.len() + LENGTH).repeat(count).into_bytes()
    }

    fn takes(bytes: &[u8], step: usize) -> bool {
        let mut preamble = Preamble::new();
        bytes.chunks(step).all(|chunk| preamble.takes(chunk))
    }

    #[test]
    fn a_pack_of_any_size_passes_behind_a_thousand_refs_in_pieces_of_any_size() {
        let mut body = lines(1000);
        body.extend_from_slice(b"0000PACK");
        body.resize(body.len() + 3 * MOST, b'f');
        for step in [1, 3, 4, 5, 1000, body.len()] {
            assert!(takes(&body, step), "{step}");
        }
    }

    #[test]
    fn more_lines_than_git_may_keep_are_too_many() {
        for step in [7, 1 << 16] {
            assert!(!takes(&lines(20_000), step), "{step}");
        }
    }

    #[test]
    fn what_is_no_line_is_gits_to_refuse() {
        for odd in [&b"zzzz"[..], b"0003", b"", b"00", b"PACK"] {
            assert!(takes(odd, 3));
        }
    }
}
