//! What a push begins with: a line for each ref, up to a flush (gitprotocol-pack, "Reference Update Request"). git keeps
//! all of them in memory, so their size is bounded here; the pack behind them goes by.

/// How many bytes the lines may have together: a thousand refs with the longest names.
const MOST: usize = 1 << 20;
/// The length before each line.
const LENGTH: usize = 4;
/// What a certificate begins with, at whatever line (gitprotocol-pack, "Push Certificate"). git reads one although we
/// announce none: it writes it to the repository before anybody is asked, and has a program check the signature.
const CERTIFICATE: &[u8] = b"push-cert";

/// Follows the beginning of a push as it streams by.
#[derive(Debug)]
pub(crate) struct Preamble {
    at: At,
    left: usize,
    /// The line so far, as long as it can be the beginning of a certificate.
    line: Option<Vec<u8>>,
}

/// Why a beginning is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Odd {
    /// It is longer than git may keep.
    TooMuch,
    /// It holds a certificate.
    Signed,
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
        Self { at: At::Length(Vec::new()), left: MOST, line: None }
    }

    /// Whether with these bytes it is still one that git may see.
    pub(crate) fn follow(&mut self, mut bytes: &[u8]) -> Result<(), Odd> {
        while !bytes.is_empty() {
            let used = match &mut self.at {
                At::Over => return Ok(()),
                At::Length(known) => {
                    let used = bytes.len().min(LENGTH - known.len());
                    known.extend_from_slice(&bytes[..used]);
                    if known.len() == LENGTH {
                        self.at = behind(known);
                        self.line = Some(Vec::new());
                    }
                    used
                }
                At::Line(left) => {
                    let used = bytes.len().min(*left);
                    *left -= used;
                    if is_certificate(&mut self.line, &bytes[..used]) {
                        return Err(Odd::Signed);
                    }
                    if *left == 0 {
                        self.at = At::Length(Vec::new());
                    }
                    used
                }
            };
            match self.left.checked_sub(used) {
                Some(left) => self.left = left,
                None => return Err(Odd::TooMuch),
            }
            bytes = &bytes[used..];
        }
        Ok(())
    }
}

/// Whether a line begins like a certificate, with these bytes of it.
fn is_certificate(line: &mut Option<Vec<u8>>, bytes: &[u8]) -> bool {
    let Some(begun) = line else { return false };
    begun.extend_from_slice(&bytes[..bytes.len().min(CERTIFICATE.len() - begun.len())]);
    if begun == CERTIFICATE {
        return true;
    }
    if !CERTIFICATE.starts_with(begun) {
        *line = None;
    }
    false
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

    fn follow(bytes: &[u8], step: usize) -> Result<(), Odd> {
        let mut preamble = Preamble::new();
        bytes.chunks(step).try_for_each(|chunk| preamble.follow(chunk))
    }

    #[test]
    fn a_pack_of_any_size_passes_behind_a_thousand_refs_in_pieces_of_any_size() {
        let mut body = lines(1000);
        body.extend_from_slice(b"0000PACK");
        body.resize(body.len() + 3 * MOST, b'f');
        for step in [1, 3, 4, 5, 1000, body.len()] {
            assert_eq!(follow(&body, step), Ok(()), "{step}");
        }
    }

    #[test]
    fn more_lines_than_git_may_keep_are_too_many() {
        for step in [7, 1 << 16] {
            assert_eq!(follow(&lines(20_000), step), Err(Odd::TooMuch), "{step}");
        }
    }

    #[test]
    fn what_is_no_line_is_gits_to_refuse() {
        for odd in [&b"zzzz"[..], b"0003", b"", b"00", b"PACK"] {
            assert_eq!(follow(odd, 3), Ok(()));
        }
    }

    #[test]
    fn a_certificate_is_found_at_whatever_line_in_pieces_of_any_size() {
        let certificate = b"0020push-cert\0report-status agent0000";
        for before in [0, 1, 5] {
            let body = [&lines(before), &certificate[..]].concat();
            for step in [1, 2, 7, 13, body.len()] {
                assert_eq!(follow(&body, step), Err(Odd::Signed), "{before} {step}");
            }
        }
        let inside = format!("{} {} refs/heads/push-cert", "0".repeat(40), "1".repeat(40));
        let inside = format!("{:04x}{inside}0000push-cert", inside.len() + LENGTH);
        assert_eq!(follow(inside.as_bytes(), 9), Ok(()), "a branch of that name, and a pack");
    }
}
