//! A seal: the records that it covers, in their order, bound to the seal before it.

use sha2::{Digest as _, Sha256};

use super::{Digest, Head};

/// Stands before what is hashed, so that these bytes are good for nothing else.
const KIND: &[u8] = b"countersign-audit-seal-v1\0";

/// How many digits the id of a seal has: ids sort as their numbers do.
pub const SEAL_ID_WIDTH: usize = 19;

/// What stands in `audit.seal_id` of the records that the seal of this number covers.
pub fn seal_id(number: i64) -> String {
    format!("{number:0SEAL_ID_WIDTH$}")
}

/// One record in a seal: its id, so that a record that is gone can be named, and its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The record's id.
    pub id: String,
    /// The record's digest.
    pub digest: Digest,
}

/// Everything that the digest of a seal covers.
#[derive(Clone, Copy, Debug)]
pub struct Seal<'s> {
    /// Its number; the first is 1, none is missing.
    pub number: i64,
    /// The digest of the seal before it.
    pub previous: Digest,
    /// How many records it covers.
    pub rows: i64,
    /// When the first of them was, in milliseconds.
    pub first_at: i64,
    /// When the last of them was, in milliseconds.
    pub last_at: i64,
    /// When it was made, in milliseconds.
    pub sealed_at: i64,
    /// Its entries, as [`write_entries`] makes them.
    pub entries: &'s [u8],
}

impl Seal<'_> {
    /// The SHA-256 of all of it: the link of the chain.
    pub fn digest(&self) -> Digest {
        let Self { number, previous, rows, first_at, last_at, sealed_at, entries } = self;
        let mut hash = Sha256::new();
        hash.update(KIND);
        hash.update(number.to_be_bytes());
        hash.update(previous.bytes());
        for value in [rows, first_at, last_at, sealed_at] {
            hash.update(value.to_be_bytes());
        }
        // The last one, and all else has a fixed length: it needs no length of its own.
        hash.update(entries);
        Digest::new(hash.finalize().into())
    }
}

/// What the server signs for a seal: a line that names number and digest, so that it can be checked by hand.
pub fn statement(head: &Head) -> String {
    format!("countersign audit seal {head}\n")
}

/// Entries as bytes: for each four bytes of length, the id, the digest.
pub fn write_entries(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(entries.len() * 72);
    for Entry { id, digest } in entries {
        // An id is a few dozen bytes; one beyond four gigabytes would not have been read.
        let length = u32::try_from(id.len()).unwrap_or(u32::MAX);
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(id.as_bytes());
        bytes.extend_from_slice(digest.bytes());
    }
    bytes
}

/// Bytes that are no entries: somebody wrote over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the entries of a seal cannot be read")]
pub struct NotEntries;

/// Reads what [`write_entries`] wrote.
pub fn read_entries(bytes: &[u8]) -> Result<Vec<Entry>, NotEntries> {
    let mut entries = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk::<4>().ok_or(NotEntries)?;
        let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| NotEntries)?;
        let (id, after) = after.split_at_checked(length).ok_or(NotEntries)?;
        let (digest, after) = after.split_first_chunk::<32>().ok_or(NotEntries)?;
        let id = std::str::from_utf8(id).map_err(|_| NotEntries)?;
        entries.push(Entry { id: id.to_owned(), digest: Digest::new(*digest) });
        rest = after;
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<Entry> {
        let entry = |n: u8| Entry { id: format!("row-{n}"), digest: Digest::new([n; 32]) };
        vec![entry(1), entry(2)]
    }

    fn digest(change: impl FnOnce(&mut Seal<'_>)) -> String {
        let bytes = write_entries(&entries());
        let mut seal = Seal {
            number: 2,
            previous: Digest::new([9; 32]),
            rows: 2,
            first_at: 1000,
            last_at: 2000,
            sealed_at: 3000,
            entries: &bytes,
        };
        change(&mut seal);
        seal.digest().to_string()
    }

    /// Computed from the description above alone, by another program; every seal of every server depends on it.
    #[test]
    fn the_digest_of_a_seal_never_changes() {
        assert_eq!(digest(|_| {}), "db233a1f5ff9e868467941fc306f62dfbde2d83a1bc5a3a01245487d79d1a5ca");
    }

    #[test]
    fn whatever_a_seal_holds_is_in_its_digest() {
        let others = [
            digest(|_| {}),
            digest(|seal| seal.number = 3),
            digest(|seal| seal.previous = Digest::new([8; 32])),
            digest(|seal| seal.rows = 3),
            digest(|seal| seal.first_at = 1001),
            digest(|seal| seal.last_at = 2001),
            digest(|seal| seal.sealed_at = 3001),
            digest(|seal| seal.entries = &[]),
        ];
        let kinds: std::collections::BTreeSet<_> = others.iter().collect();
        assert_eq!(kinds.len(), others.len(), "{others:#?}");
    }

    #[test]
    fn entries_are_read_back_and_what_was_cut_is_none() {
        let bytes = write_entries(&entries());
        assert_eq!(read_entries(&bytes), Ok(entries()));
        let ends = [0, bytes.len() / 2, bytes.len()];
        for end in (0..bytes.len()).filter(|end| !ends.contains(end)) {
            assert_eq!(read_entries(&bytes[..end]), Err(NotEntries), "{end}");
        }
    }

    #[test]
    fn ids_of_seals_sort_as_their_numbers_do() {
        assert_eq!(seal_id(7), "0000000000000000007");
        assert_eq!(seal_id(i64::MAX).len(), SEAL_ID_WIDTH);
        assert!(seal_id(9) < seal_id(10));
    }

    #[test]
    fn a_statement_names_number_and_digest() {
        let head = Head { number: 3, digest: Digest::NONE };
        assert_eq!(statement(&head), format!("countersign audit seal 3:{}\n", "0".repeat(64)));
    }
}
