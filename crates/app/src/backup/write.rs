//! Writing a backup: a tar file beside its place, each entry measured, which gets its name when all of it is on the disk.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufWriter, ErrorKind, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use countersign_core::backup::{Entry, EntryName, Manifest};
use countersign_core::problem::{Code, Problem};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::{Existing, file_problem};

/// The size of a block of tar.
pub(super) const BLOCK: u64 = 512;
const BUFFER: usize = 1 << 20;
/// Behind the content of an entry, and two blocks of it at the end of the file.
const ZEROS: [u8; 1024] = [0; 1024];

/// A backup under way. Dropped, it leaves no file.
pub(super) struct Writer {
    file: BufWriter<File>,
    draft: PathBuf,
    place: PathBuf,
    manifest: Manifest,
    open: Option<Open>,
    /// Where the next entry begins.
    end: u64,
    published: bool,
}

struct Open {
    name: EntryName,
    size: u64,
    hash: Sha256,
}

impl Writer {
    /// Opens the draft, for this user alone. What a killed backup left there is written over; one under way is not.
    pub(super) fn create(place: &Path, existing: Existing) -> Result<Self, Problem> {
        if existing == Existing::Keep && std::fs::symlink_metadata(place).is_ok() {
            return Err(taken(place));
        }
        let mut name = place.as_os_str().to_owned();
        name.push(".partial");
        let draft = PathBuf::from(name);
        let wrong = |error| file_problem("write", &draft, error);
        let mut options = OpenOptions::new();
        let file =
            options.write(true).create(true).truncate(false).mode(0o600).open(&draft).map_err(wrong)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let sentence = format!("Another backup to {} is under way.", place.display());
                return Err(Problem::new(Code::BackupRefused, sentence));
            }
            Err(TryLockError::Error(error)) => return Err(wrong(error)),
        }
        // It may have got its name, or have been removed, before it was locked.
        if std::fs::metadata(&draft).map_err(wrong)?.ino() != file.metadata().map_err(wrong)?.ino() {
            return Err(wrong(ErrorKind::Interrupted.into()));
        }
        file.set_len(0).map_err(wrong)?;
        let file = BufWriter::with_capacity(BUFFER, file);
        let (place, manifest) = (place.to_owned(), Manifest::default());
        Ok(Self { file, draft, place, manifest, open: None, end: 0, published: false })
    }

    /// Begins an entry; one that was begun and not ended is forgotten.
    pub(super) fn begin(&mut self, name: EntryName) -> Result<(), Problem> {
        self.open = Some(Open { name, size: 0, hash: Sha256::new() });
        let file = &mut self.file;
        // The header is written when the size is known.
        let to = SeekFrom::Start(self.end + BLOCK);
        let begun = file.seek(to).and_then(|_| file.get_ref().set_len(self.end));
        begun.map_err(|error| self.wrong(error))
    }

    /// Adds to the entry that was begun.
    pub(super) fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let open = self.open.as_mut().ok_or_else(|| std::io::Error::other("no entry was begun"))?;
        open.size += bytes.len() as u64;
        open.hash.update(bytes);
        self.file.write_all(bytes)
    }

    /// As [`Self::write`], with the failure in words.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.write(bytes).map_err(|error| self.wrong(error))
    }

    /// Ends the entry; `rows` where it is a table.
    pub(super) fn end(&mut self, rows: Option<u64>) -> Result<(), Problem> {
        let Some(Open { name, size, hash }) = self.open.take() else { return Ok(()) };
        let padded = size.next_multiple_of(BLOCK);
        let header = header(&name, size).map_err(|error| self.wrong(error))?;
        let file = &mut self.file;
        let padding = usize::try_from(padded - size).unwrap_or_default();
        let written = file
            .write_all(&ZEROS[..padding])
            .and_then(|()| file.seek(SeekFrom::Start(self.end)))
            .and_then(|_| file.write_all(header.as_bytes()));
        written.map_err(|error| self.wrong(error))?;
        self.end += BLOCK + padded;
        self.manifest.entries.push(Entry { name, size, sha256: hex(&hash.finalize()), rows });
        Ok(())
    }

    /// A whole entry in JSON.
    pub(super) fn json(&mut self, name: EntryName, value: &impl Serialize) -> Result<(), Problem> {
        let text = serde_json::to_vec_pretty(value).map_err(Problem::internal)?;
        self.whole(name, &text)
    }

    /// A whole entry.
    pub(super) fn whole(&mut self, name: EntryName, bytes: &[u8]) -> Result<(), Problem> {
        self.begin(name)?;
        self.add(bytes)?;
        self.end(None)
    }

    /// Writes the manifest, syncs everything and gives the file its name; how many bytes it has.
    pub(super) fn publish(mut self, existing: Existing) -> Result<u64, Problem> {
        let manifest = self.manifest.clone();
        self.json(EntryName::Manifest, &manifest)?;
        let size = self.end + 2 * BLOCK;
        let file = &mut self.file;
        let ended = file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| file.write_all(&ZEROS))
            .and_then(|()| file.flush())
            .and_then(|()| file.get_ref().sync_all());
        ended.map_err(|error| self.wrong(error))?;
        let named = match existing {
            Existing::Replace => std::fs::rename(&self.draft, &self.place),
            // Whatever came to stand there meanwhile stays.
            Existing::Keep => match std::fs::hard_link(&self.draft, &self.place) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(taken(&self.place)),
                linked => linked.and_then(|()| std::fs::remove_file(&self.draft)),
            },
        };
        named.map_err(|error| file_problem("make", &self.place, error))?;
        self.published = true;
        sync_folder(&self.place).map_err(|error| file_problem("sync the folder of", &self.place, error))?;
        Ok(size)
    }

    fn wrong(&self, error: std::io::Error) -> Problem {
        file_problem("write", &self.draft, error)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.published {
            let _ = std::fs::remove_file(&self.draft);
        }
    }
}

fn taken(place: &Path) -> Problem {
    Problem::new(Code::BackupRefused, format!("There is a file {} already.", place.display()))
        .next("Name another file, or say --force to replace it.")
}

fn sync_folder(place: &Path) -> std::io::Result<()> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn header(name: &EntryName, size: u64) -> std::io::Result<tar::Header> {
    let mut header = tar::Header::new_gnu();
    header.set_path(name.to_string())?;
    header.set_entry_type(tar::EntryType::Regular);
    header.set_mode(0o600);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_size(size);
    header.set_cksum();
    Ok(header)
}

/// Hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
