//! Objects whose sizes somebody else chose: the size is asked before the bytes are read.

use std::sync::atomic::{AtomicBool, Ordering};

use countersign_core::gitnest::oid::Oid;
use gix::error::ErrorExt as _;
use gix::objs::{Data, Header, Kind};

use crate::error::{GitError, Result};
use crate::repo::{Repo, to_gix};

/// How many bytes a commit may have of which only tree, parents and time are kept.
pub(crate) const MOST_COMMIT: u64 = 16 << 20;
/// How many bytes an annotated tag may have.
pub(crate) const MOST_TAG: u64 = 1 << 20;
/// How many bytes a folder's own object may have: some hundred thousand entries.
pub(crate) const MOST_TREE: u64 = 16 << 20;

/// The objects of a repository, as long as nobody says stop and none of them is too large. gix asks for one object
/// after the other and has no other way to be stopped.
pub(crate) struct Bounded<'a> {
    objects: &'a gix::OdbHandle,
    stop: &'a AtomicBool,
    most_file: u64,
    large: AtomicBool,
}

impl<'a> Bounded<'a> {
    /// Gives files of up to `most_file` bytes, until `stop` is raised.
    pub(crate) const fn of(objects: &'a gix::OdbHandle, stop: &'a AtomicBool, most_file: u64) -> Self {
        Self { objects, stop, most_file, large: AtomicBool::new(false) }
    }

    /// Whether an object was refused for its size.
    pub(crate) fn met_a_large_one(&self) -> bool {
        self.large.load(Ordering::Relaxed)
    }

    fn goes_on(&self) -> gix::Result {
        if self.stop.load(Ordering::Relaxed) { Err(refusal("the time is over")) } else { Ok(()) }
    }

    const fn most(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Blob => self.most_file,
            Kind::Commit => MOST_COMMIT,
            Kind::Tag => MOST_TAG,
            Kind::Tree => MOST_TREE,
        }
    }
}

fn refusal(why: &'static str) -> gix::Error {
    gix::error::message(why).raise()
}

impl gix::objs::FindHeader for Bounded<'_> {
    fn try_header(&self, id: &gix::oid) -> gix::Result<Option<Header>> {
        self.goes_on()?;
        gix::objs::FindHeader::try_header(self.objects, id)
    }
}

impl gix::objs::Find for Bounded<'_> {
    fn try_find<'a>(&self, id: &gix::oid, buffer: &'a mut Vec<u8>) -> gix::Result<Option<Data<'a>>> {
        let header = gix::objs::FindHeader::try_header(self, id)?;
        if header.is_some_and(|header| header.size > self.most(header.kind)) {
            self.large.store(true, Ordering::Relaxed);
            return Err(refusal("an object is too large to be read"));
        }
        gix::objs::Find::try_find(self.objects, id, buffer)
    }
}

impl Repo {
    /// A commit for whoever keeps little of it; too much, where it has more bytes than are read.
    pub(crate) fn small_commit(&self, oid: Oid) -> Result<gix::Commit<'_>> {
        if self.size_of(oid)? > MOST_COMMIT {
            return Err(GitError::TooMuch { what: "a commit" });
        }
        self.gix.find_commit(to_gix(oid)).map_err(GitError::engine("read a commit"))
    }
}
