//! Reading a backup: every byte is looked at before anything is believed, and entries are read by their name alone.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use countersign_core::backup::{Entry, EntryName, FORMAT, Head, Manifest};
use countersign_core::problem::{Code, Problem};
use sha2::{Digest as _, Sha256};

use super::write::{BLOCK, hex};
use super::{file_problem, invalid};

const BUFFER: usize = 256 << 10;
/// How many bytes of JSON the first and the last entry have at most.
const MOST_JSON: u64 = 64 << 20;

/// A backup in which every byte is as its manifest says.
#[derive(Debug)]
pub(crate) struct Archive {
    /// What kind of file it is.
    pub(crate) head: Head,
    /// How many bytes it has.
    pub(crate) size: u64,
    path: PathBuf,
    file: Arc<File>,
    entries: Vec<Place>,
}

/// An entry, and where its content begins.
#[derive(Clone, Debug)]
struct Place {
    entry: Entry,
    at: u64,
}

impl Archive {
    /// Reads the whole file. Anything that is not exactly a backup of this program's format is refused.
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        let file = File::open(path).map_err(|error| file_problem("read", path, error))?;
        let size = file.metadata().map_err(|error| file_problem("read", path, error))?.len();
        let file = Arc::new(file);
        let broken = |why: String| invalid(path, why);
        let mut entries = Vec::new();
        let mut next = 0;
        let mut tar = tar::Archive::new(BufReader::with_capacity(BUFFER, Window::of(&file, 0, size)));
        for found in tar.entries().map_err(|error| broken(error.to_string()))?.raw(true) {
            let mut found = found.map_err(|error| broken(error.to_string()))?;
            let place = measure(&mut found).map_err(broken)?;
            if place.at != next + BLOCK
                || entries.iter().any(|other: &Place| other.entry.name == place.entry.name)
            {
                return Err(invalid(path, format_args!("{} stands where it should not", place.entry.name)));
            }
            next = place.at + place.entry.size.next_multiple_of(BLOCK);
            padding_is_zero(&file, (place.at + place.entry.size, next)).map_err(broken)?;
            entries.push(place);
            if entries.len() == 1 {
                // Before gigabytes of something else are read.
                head(&file, &entries[0]).map_err(broken).and_then(|head| known(path, &head))?;
            }
        }
        drop(tar);
        if size != next + 2 * BLOCK {
            return Err(invalid(path, "it does not end where it should"));
        }
        padding_is_zero(&file, (next, size)).map_err(broken)?;
        let last = entries.pop();
        let (Some(first), Some(last)) = (entries.first(), last) else {
            return Err(invalid(path, "there is nothing in it"));
        };
        let head = head(&file, first).map_err(broken)?;
        let manifest: Manifest = json(&file, &last, &EntryName::Manifest).map_err(broken)?;
        agree(&entries, manifest).map_err(broken)?;
        Ok(Self { head, size, path: path.to_owned(), file, entries })
    }

    /// Every entry but the manifest, in their order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().map(|place| &place.entry)
    }

    /// The content of an entry; `None` where there is none of this name. It is held against its digest once more as it
    /// is read: an error stands at its end if the file was changed meanwhile.
    pub(crate) fn content(&self, name: &EntryName) -> Option<Content> {
        let place = self.entries.iter().find(|place| place.entry.name == *name)?;
        Some(Content::of(&self.file, place))
    }

    /// A small entry, whole.
    pub(crate) fn whole(&self, name: &EntryName) -> Result<Option<Vec<u8>>, Problem> {
        let Some(mut content) = self.content(name) else { return Ok(None) };
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).map_err(|error| self.wrong(&error))?;
        Ok(Some(bytes))
    }

    /// This file is not what it should be.
    pub(crate) fn wrong(&self, why: impl std::fmt::Display) -> Problem {
        invalid(&self.path, why)
    }
}

fn measure<R: Read>(found: &mut tar::Entry<'_, R>) -> Result<Place, String> {
    let text = String::from_utf8_lossy(&found.path_bytes()).into_owned();
    let shown = countersign_core::text::spelled_out(&text);
    if found.header().entry_type() != tar::EntryType::Regular {
        return Err(format!("{shown} is no plain file"));
    }
    let name = EntryName::parse(&text).ok_or_else(|| format!("nothing in a backup is called {shown:?}"))?;
    let (size, at) = (found.size(), found.raw_file_position());
    let (mut hash, mut seen, mut lines, mut chunk) = (Sha256::new(), 0, 0, vec![0; BUFFER]);
    loop {
        let read = found.read(&mut chunk).map_err(|error| error.to_string())?;
        if read == 0 {
            break;
        }
        hash.update(&chunk[..read]);
        seen += read as u64;
        lines += chunk[..read].iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
    }
    if seen != size {
        return Err(format!("it was cut off in {name}"));
    }
    // The first line of a table is its heading.
    let rows = matches!(name, EntryName::Table(_)).then(|| lines.saturating_sub(1));
    Ok(Place { entry: Entry { name, size, sha256: hex(&hash.finalize()), rows }, at })
}

fn head(file: &Arc<File>, first: &Place) -> Result<Head, String> {
    json(file, first, &EntryName::Head)
}

/// Whether this program can read such a file.
fn known(path: &Path, head: &Head) -> Result<(), Problem> {
    let schema = countersign_store::table::schema();
    if head.format == FORMAT && head.schema == schema {
        return Ok(());
    }
    let Head { format, program, schema: theirs, .. } = head;
    let sentence = format!(
        "{} was written by Countersign {program} (format {format}, schema {theirs}); this one reads format {FORMAT} with \
         schema {schema}.",
        path.display()
    );
    Err(Problem::new(Code::BackupRefused, sentence).next(format!(
        "Restore it with Countersign {program}; a newer server that starts on the result brings it up to date."
    )))
}

fn json<T: serde::de::DeserializeOwned>(
    file: &Arc<File>,
    place: &Place,
    name: &EntryName,
) -> Result<T, String> {
    if place.entry.name != *name || place.entry.size > MOST_JSON {
        return Err(format!("{name} is not where it should be"));
    }
    serde_json::from_reader(BufReader::new(Content::of(file, place)))
        .map_err(|error| format!("{name}: {error}"))
}

/// Holds what was found against what the manifest says.
fn agree(found: &[Place], manifest: Manifest) -> Result<(), String> {
    if found.len() != manifest.entries.len() {
        return Err("entries are missing or were added".to_owned());
    }
    match found.iter().zip(manifest.entries).find(|(place, said)| place.entry != *said) {
        Some((place, _)) => Err(format!("{} is not what was written", place.entry.name)),
        None => Ok(()),
    }
}

fn padding_is_zero(file: &File, (from, to): (u64, u64)) -> Result<(), String> {
    let mut bytes = vec![0; usize::try_from(to - from).unwrap_or_default()];
    file.read_exact_at(&mut bytes, from).map_err(|_| "it was cut off".to_owned())?;
    bytes
        .iter()
        .all(|byte| *byte == 0)
        .then_some(())
        .ok_or_else(|| "there is something between its entries".to_owned())
}

/// A part of a file, read without moving anybody else's place in it.
#[derive(Debug)]
struct Window {
    file: Arc<File>,
    at: u64,
    end: u64,
}

impl Window {
    fn of(file: &Arc<File>, at: u64, size: u64) -> Self {
        Self { file: Arc::clone(file), at, end: at + size }
    }
}

impl Read for Window {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(into.len());
        let read = self.file.read_at(&mut into[..most], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// The content of an entry, held against its digest at its end.
#[derive(Debug)]
pub(crate) struct Content {
    window: Window,
    hash: Sha256,
    sha256: String,
}

impl Content {
    fn of(file: &Arc<File>, place: &Place) -> Self {
        let window = Window::of(file, place.at, place.entry.size);
        Self { window, hash: Sha256::new(), sha256: place.entry.sha256.clone() }
    }
}

impl Read for Content {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.window.read(into)?;
        self.hash.update(&into[..read]);
        if read == 0 && !into.is_empty() && hex(&self.hash.clone().finalize()) != self.sha256 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it was changed while it was read"));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backup::Existing;
    use crate::backup::write::Writer;
    use countersign_core::time::Timestamp;
    use countersign_store::testing::Folder;
    use std::io::Write as _;

    fn head() -> Head {
        let (schema, made_at) = (countersign_store::table::schema(), Timestamp::from_millis(0));
        Head { format: FORMAT, program: "test".into(), schema, engine: "sqlite".into(), made_at }
    }

    fn written(folder: &Folder, head: &Head, key: &[u8]) -> PathBuf {
        let path = folder.path().join("a.tar");
        let mut writer = Writer::create(&path, Existing::Keep).unwrap();
        writer.json(EntryName::Head, head).unwrap();
        // One that is begun again is as if it had not been.
        writer.begin(EntryName::Key("client-id.key")).unwrap();
        writer.add(&[1; 5000]).unwrap();
        writer.begin(EntryName::Key("client-id.key")).unwrap();
        writer.add(key).unwrap();
        writer.end(None).unwrap();
        writer.publish(Existing::Keep).unwrap();
        path
    }

    #[test]
    fn what_was_written_is_read() {
        for size in [0, 1, 511, 512, 513, 70_000] {
            let folder = Folder::new();
            let key = vec![7; size];
            let archive = Archive::open(&written(&folder, &head(), &key)).unwrap();
            assert_eq!(archive.head, head());
            assert_eq!(archive.whole(&EntryName::Key("client-id.key")).unwrap(), Some(key), "{size}");
            assert_eq!(archive.whole(&EntryName::Key("commit_signing")).unwrap(), None);
        }
    }

    #[test]
    fn what_is_changed_after_it_was_looked_at_is_found_when_it_is_read() {
        let folder = Folder::new();
        let path = written(&folder, &head(), &[7; 4000]);
        let archive = Archive::open(&path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let at = bytes.windows(4).position(|part| part == [7; 4]).unwrap();
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.write_all_at(&[8], at as u64 + 100).unwrap();
        (&file).flush().unwrap();
        let problem = archive.whole(&EntryName::Key("client-id.key")).unwrap_err();
        assert_eq!(problem.code, Code::BackupInvalid);
    }

    #[test]
    fn another_format_or_schema_is_refused_with_the_version_that_wrote_it() {
        for other in [Head { format: FORMAT + 1, ..head() }, Head { schema: head().schema - 1, ..head() }] {
            let folder = Folder::new();
            let problem = Archive::open(&written(&folder, &other, b"k")).unwrap_err();
            assert_eq!(problem.code, Code::BackupRefused);
            assert!(problem.next_action.contains("Countersign test"), "{}", problem.next_action);
        }
    }

    #[test]
    fn of_two_backups_to_one_place_one_is_refused() {
        let folder = Folder::new();
        let path = folder.path().join("a.tar");
        let first = Writer::create(&path, Existing::Keep).unwrap();
        let second = Writer::create(&path, Existing::Keep);
        assert!(second.is_err_and(|problem| problem.message.contains("under way")));
        drop(first);
        drop(Writer::create(&path, Existing::Keep).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
    }

    #[test]
    fn what_came_to_stand_there_meanwhile_stays() {
        let folder = Folder::new();
        let path = folder.path().join("a.tar");
        let mut writer = Writer::create(&path, Existing::Keep).unwrap();
        writer.json(EntryName::Head, &head()).unwrap();
        std::fs::write(&path, "mine").unwrap();
        assert!(writer.publish(Existing::Keep).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"mine");
    }
}
