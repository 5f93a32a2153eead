//! Where an HTTP/1.1 answer ends, and what it says: pure, and no more than a load generator needs (RFC 9112).

/// An answer that has come in whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The status.
    pub(crate) status: u16,
    /// Where the body begins.
    pub(crate) body: usize,
    /// Where the answer ends.
    pub(crate) end: usize,
}

/// What came in so far is no answer that this generator reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// The first answer in `bytes`; `None` while it has not come in whole.
pub(crate) fn frame(bytes: &[u8]) -> Result<Option<Frame>, Unreadable> {
    let Some(head) = find(bytes, b"\r\n\r\n") else { return Ok(None) };
    let body = head + 4;
    let text = std::str::from_utf8(&bytes[..head]).map_err(|_| Unreadable)?;
    let mut lines = text.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|word| word.parse().ok());
    let status: u16 = status.ok_or(Unreadable)?;
    for line in lines {
        let Some((name, value)) = line.split_once(':') else { return Err(Unreadable) };
        if name.eq_ignore_ascii_case("content-length") {
            let length: usize = value.trim().parse().map_err(|_| Unreadable)?;
            let end = body + length;
            return Ok((bytes.len() >= end).then_some(Frame { status, body, end }));
        }
        if name.eq_ignore_ascii_case("transfer-encoding") {
            return Ok(last_chunk(bytes, body)?.map(|end| Frame { status, body, end }));
        }
    }
    Err(Unreadable)
}

/// Where the chunks that begin at `at` end.
fn last_chunk(bytes: &[u8], mut at: usize) -> Result<Option<usize>, Unreadable> {
    loop {
        let Some(line) = find(&bytes[at.min(bytes.len())..], b"\r\n") else { return Ok(None) };
        let text = std::str::from_utf8(&bytes[at..at + line]).map_err(|_| Unreadable)?;
        let size = text.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(|_| Unreadable)?;
        at += line + 2 + size + 2;
        if size == 0 {
            return Ok((bytes.len() >= at).then_some(at));
        }
    }
}

/// Where `what` stands in `bytes`.
pub(crate) fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    let first = *what.first()?;
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|byte| *byte == first) {
        if bytes[from + at..].starts_with(what) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_with_a_length_ends_after_it() {
        let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1";
        assert_eq!(frame(bytes), Ok(Some(Frame { status: 200, body: 38, end: 40 })));
        assert_eq!(frame(&bytes[..39]), Ok(None));
        assert_eq!(frame(&bytes[..20]), Ok(None));
    }

    #[test]
    fn an_answer_in_chunks_ends_after_the_empty_one() {
        let bytes = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
        assert_eq!(frame(bytes).unwrap().unwrap().end, bytes.len());
        for short in 0..bytes.len() {
            assert_eq!(frame(&bytes[..short]), Ok(None), "{short}");
        }
    }

    #[test]
    fn an_answer_without_an_end_is_unreadable() {
        assert_eq!(frame(b"HTTP/1.1 200 OK\r\ndate: now\r\n\r\n"), Err(Unreadable));
        assert_eq!(frame(b"what\r\n\r\n"), Err(Unreadable));
    }

    #[test]
    fn text_is_found_where_it_stands() {
        assert_eq!(find(b"aab", b"ab"), Some(1));
        assert_eq!(find(b"aab", b"c"), None);
    }
}
