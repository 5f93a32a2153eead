//! The text of a file, some lines at a time.

use countersign_core::gitnest::oid::Oid;
use gix::bstr::ByteSlice as _;

use crate::error::{GitError, Result};
use crate::repo::{Repo, to_gix};
use crate::tree::Page;

/// A file of more bytes than this counts as binary, as it does for git (`core.bigFileThreshold`).
pub const MOST_TEXT_BYTES: u64 = 8 << 20;
/// How many bytes of text are given at once.
const MOST_SLICE_BYTES: usize = 128 << 10;

/// How many bytes of text a page for people holds.
const MOST_PAGE_BYTES: usize = 512 << 10;

/// Some lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSlice {
    /// The lines with their endings; empty for what is no text.
    pub text: String,
    /// The number of the first line, from 1.
    pub from: usize,
    /// The number of the last line; one less than `from` where there is none.
    pub to: usize,
    /// How many lines the file has.
    pub total_lines: usize,
    /// Whether it is something else than UTF-8 text, or too large to be read as text.
    pub binary: bool,
    /// Whether the last line was too long and is cut off.
    pub cut: bool,
}

/// What the bytes of a file are.
pub(crate) enum Content {
    Text(String),
    Binary,
}

impl Repo {
    /// The lines that `page` asks for, of the file `oid`. A symbolic link reads as its target.
    pub fn file(&self, oid: Oid, page: Page) -> Result<FileSlice> {
        match self.content(oid, MOST_TEXT_BYTES)? {
            Content::Text(text) => Ok(slice(&text, page, MOST_SLICE_BYTES)),
            Content::Binary => {
                let nothing = slice("", Page { offset: 0, limit: 0 }, 0);
                Ok(FileSlice { binary: true, ..nothing })
            }
        }
    }

    /// The same for a page of a person, which holds more at once.
    pub fn page(&self, oid: Oid, page: Page) -> Result<FileSlice> {
        match self.content(oid, MOST_TEXT_BYTES)? {
            Content::Text(text) => Ok(slice_of(&text, page)),
            Content::Binary => self.file(oid, page),
        }
    }

    /// Reads a blob as text, unless it has more than `most` bytes, a NUL or bytes that are not UTF-8.
    pub(crate) fn content(&self, oid: Oid, most: u64) -> Result<Content> {
        if self.size_of(oid)? > most {
            return Ok(Content::Binary);
        }
        let data = self.blob(oid)?;
        if data.contains(&0) {
            return Ok(Content::Binary);
        }
        Ok(String::from_utf8(data).map_or(Content::Binary, Content::Text))
    }

    /// All bytes of a blob; ask for its size first.
    pub(crate) fn blob(&self, oid: Oid) -> Result<Vec<u8>> {
        let blob = self.gix.find_blob(to_gix(oid)).map_err(GitError::engine("read a file"))?;
        Ok(blob.detach().data)
    }
}

/// The lines that a page of a person holds.
pub(crate) fn slice_of(text: &str, page: Page) -> FileSlice {
    slice(text, page, MOST_PAGE_BYTES)
}

fn slice(text: &str, page: Page, most: usize) -> FileSlice {
    let total_lines = text.as_bytes().lines_with_terminator().count();
    let mut given = String::new();
    let (from, mut to, mut cut) = (page.offset.saturating_add(1), page.offset, false);
    for line in text.split_inclusive('\n').skip(page.offset).take(page.limit) {
        let room = most - given.len();
        if line.len() > room {
            // A line that does not fit waits for the next page; one that never fits is cut.
            if given.is_empty() {
                given.push_str(&line[..line.floor_char_boundary(room)]);
                (to, cut) = (to + 1, true);
            }
            break;
        }
        given.push_str(line);
        to += 1;
    }
    FileSlice { text: given, from, to, total_lines, binary: false, cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, offset: usize, limit: usize) -> FileSlice {
        slice(text, Page { offset, limit }, MOST_SLICE_BYTES)
    }

    #[test]
    fn lines_are_numbered_from_one_and_keep_their_endings() {
        let seen = lines("a\r\nb\nc", 1, 2);
        assert_eq!((seen.text.as_str(), seen.from, seen.to, seen.total_lines), ("b\nc", 2, 3, 3));
    }

    #[test]
    fn beyond_the_end_there_is_nothing_and_still_a_count() {
        let seen = lines("a\n", 5, 2);
        assert_eq!((seen.text.as_str(), seen.from, seen.to, seen.total_lines), ("", 6, 5, 1));
        assert_eq!(lines("", 0, 10).total_lines, 0);
        assert_eq!(lines("a", usize::MAX, usize::MAX).to, usize::MAX);
    }

    #[test]
    fn a_page_holds_whole_lines_as_far_as_they_fit() {
        let line = format!("{}\n", "é".repeat(MOST_SLICE_BYTES / 4));
        let seen = lines(&line.repeat(3), 0, 3);
        assert_eq!((seen.to, seen.cut), (1, false));
        assert_eq!(lines(&line.repeat(3), 1, 3).to, 2);
    }

    #[test]
    fn a_line_that_fits_no_page_is_cut_between_characters() {
        let seen = lines(&format!("x{}\nnext\n", "é".repeat(MOST_SLICE_BYTES)), 0, 3);
        assert_eq!((seen.to, seen.cut, seen.total_lines), (1, true, 2));
        assert!(seen.text.len() <= MOST_SLICE_BYTES && seen.text.len() > MOST_SLICE_BYTES - 2);
    }
}
