//! What a disk holds after the power was cut: built from what was synced and from what was there at the end.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What is kept of what nobody synced. Each is within what POSIX allows a file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survives {
    /// Nothing.
    Nothing,
    /// Every name and no contents: files that were never synced are there, and empty.
    Names,
    /// Of folders what was taken out of them and not what was put in, and no contents: a new pack is gone, and so is
    /// what it was to replace, if anything lets it.
    Removals,
    /// Everything below a folder `refs`, and nothing else: refs that name what is not there, if anything lets them.
    Refs,
    /// Everything.
    All,
    /// Some folders' names, and some blocks of some files, as the number has it.
    Some(u64),
}

/// A unit of the disk: of one that was not synced, the old or the new contents are there.
const BLOCK: usize = 4096;
/// How long before the restart everything was written: a machine takes a moment to come up.
const AGO: Duration = Duration::from_mins(1);
/// The folder of a repository's refs.
const REFS: &str = "refs";
/// SQLite makes this file anew when it is the first to open the database.
const REMADE: &str = "-shm";

/// A name in a folder.
#[derive(Clone, Debug)]
struct Entry {
    is_folder: bool,
    key: String,
    mode: u32,
    name: String,
}

/// Builds below `fresh` what is left of `root`.
pub(super) fn restore(root: &Path, shadow: &Path, fresh: &Path, survives: Survives) {
    let mut disk =
        Disk { shadow: shadow.to_owned(), folders: HashMap::new(), files: HashMap::new(), coin: 0 };
    let is = fs::metadata(root).expect("the folder is there");
    let key = key(&is);
    disk.look(&key, root);
    if let Survives::Some(seed) = survives {
        disk.coin = seed;
    }
    fs::create_dir(fresh).expect("a folder can be made");
    disk.build(&key, fresh, survives);
}

struct Disk {
    shadow: PathBuf,
    /// The names that each folder had at the end.
    folders: HashMap<String, Vec<Entry>>,
    /// Where each file was at the end.
    files: HashMap<String, PathBuf>,
    coin: u64,
}

impl Disk {
    /// Remembers what is there at the end.
    fn look(&mut self, key_of: &str, folder: &Path) {
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder).expect("the folder is readable").flatten() {
            let is = entry.metadata().expect("it is still there");
            let (path, key) = (entry.path(), key(&is));
            let name = entry.file_name().into_string().expect("names of a server are UTF-8");
            if is.is_dir() {
                self.look(&key, &path);
            } else {
                assert!(is.is_file(), "{} is of a kind that is not rehearsed", path.display());
                self.files.insert(key.clone(), path);
            }
            entries.push(Entry { is_folder: is.is_dir(), key, mode: is.mode() & 0o7777, name });
        }
        self.folders.insert(key_of.to_owned(), entries);
    }

    fn build(&mut self, key: &str, to: &Path, survives: Survives) {
        let left = self.folders.get(key).cloned();
        let synced = self.synced_names(key);
        let entries = match survives {
            Survives::Names | Survives::All => left.or(synced),
            Survives::Some(_) if self.toss() => left.or(synced),
            Survives::Removals => synced.map(|names| still_there(names, left)),
            Survives::Nothing | Survives::Refs | Survives::Some(_) => synced,
        };
        for entry in entries.into_iter().flatten().filter(|entry| !entry.name.ends_with(REMADE)) {
            let path = to.join(&entry.name);
            if entry.is_folder {
                fs::create_dir(&path).expect("a folder can be made");
                let is_refs = survives == Survives::Refs && entry.name == REFS;
                self.build(&entry.key, &path, if is_refs { Survives::All } else { survives });
            } else {
                let held = self.contents(&entry.key, survives);
                let mut file = File::create(&path).expect("a file can be made");
                file.write_all(&held).expect("a file can be written");
                file.set_modified(SystemTime::now() - AGO).expect("a file can be dated");
            }
            fs::set_permissions(&path, Permissions::from_mode(entry.mode)).expect("a mode can be given");
        }
    }

    /// The names at the last sync of a folder; one that was never synced is empty.
    fn synced_names(&self, key: &str) -> Option<Vec<Entry>> {
        let kept = fs::read(self.shadow.join("names").join(key)).ok()?;
        let kept = String::from_utf8(kept).expect("names of a server are UTF-8");
        Some(kept.split_terminator('\0').map(entry).collect())
    }

    fn contents(&mut self, key: &str, survives: Survives) -> Vec<u8> {
        let synced = fs::read(self.shadow.join("files").join(key)).unwrap_or_default();
        let left = self.files.get(key).map(|path| fs::read(path).expect("a file can be read"));
        match (survives, left) {
            (Survives::Some(_), Some(left)) => self.mixed(synced, &left),
            (Survives::All, Some(left)) => left,
            _ => synced,
        }
    }

    /// Some blocks of what was there at the end, on top of what was synced. A file grows from the front, block after
    /// block, since its size is written after what it holds.
    fn mixed(&mut self, mut held: Vec<u8>, left: &[u8]) -> Vec<u8> {
        if left.len() < held.len() && self.toss() {
            held.truncate(left.len());
        }
        let mut at = 0;
        while at < left.len() {
            let end = left.len().min(at + BLOCK);
            let is_new = self.toss();
            if at >= held.len() && !is_new {
                break;
            }
            if is_new {
                held.resize(held.len().max(end), 0);
                held[at..end].copy_from_slice(&left[at..end]);
            }
            at = end;
        }
        held
    }

    /// A linear congruential generator (Knuth, MMIX); its high bits.
    fn toss(&mut self) -> bool {
        self.coin = self.coin.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.coin >> 63 == 1
    }
}

/// Those of the names that were there at the end, as whatever they then were.
fn still_there(mut names: Vec<Entry>, left: Option<Vec<Entry>>) -> Vec<Entry> {
    let left: HashSet<String> = left.into_iter().flatten().map(|entry| entry.name).collect();
    names.retain(|entry| left.contains(&entry.name));
    names
}

/// As the library names it: an inode's number comes again, not so with the time of its making.
fn key(is: &fs::Metadata) -> String {
    let made = is.created().expect("the file system tells when a file was made");
    let made = made.duration_since(UNIX_EPOCH).expect("after 1970");
    format!("{}-{}.{:09}", is.ino(), made.as_secs(), made.subsec_nanos())
}

/// `KIND KEY MODE NAME`.
fn entry(line: &str) -> Entry {
    let mut words = line.splitn(4, ' ');
    let mut word = || words.next().unwrap_or_else(|| panic!("the shadow names {line:?}"));
    let (kind, key, mode, name) = (word(), word().to_owned(), word(), word().to_owned());
    assert!(kind != "x", "{name} is of a kind that is not rehearsed");
    let mode = u32::from_str_radix(mode, 8).expect("a mode is octal");
    Entry { is_folder: kind == "d", key, mode, name }
}

#[cfg(test)]
mod tests {
    use super::super::{Deaf, Power};
    use super::*;
    use countersign_store::testing::Folder;
    use std::process::Command;

    /// Runs a few lines of shell on this power.
    fn run(power: &Power, folder: &Path, script: &str) {
        let mut shell = Command::new("python3");
        let done = shell.arg("-c").arg(script).current_dir(folder).envs(power.variables(Deaf::No)).status();
        assert!(done.unwrap().success(), "{script}");
    }

    fn read(folder: &Path, name: &str) -> Option<String> {
        fs::read_to_string(folder.join(name)).ok()
    }

    /// Writes one file in each state that a cut can meet it in.
    const WRITES: &str = "import os
def write(name, text, sync):
    f = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(f, text)
    if sync: os.fsync(f)
    os.close(f)
folder = os.open('.', os.O_RDONLY)
write('both', b'both', True)
write('named', b'named', False)
os.fsync(folder)
write('held', b'held', True)
write('both', b'newer', False)
os.rename('old', 'new')
";

    #[test]
    fn only_what_was_synced_survives_and_the_rest_as_far_as_it_is_said_to() {
        let folder = Folder::new();
        let at = folder.path();
        let power = Power::of(at);
        for (survives, expected) in [
            (Survives::Nothing, [Some("both"), Some(""), None, Some("old"), None]),
            (Survives::Removals, [Some("both"), Some(""), None, None, None]),
            (Survives::Names, [Some("both"), Some(""), Some("held"), None, Some("old")]),
        ] {
            for entry in fs::read_dir(at).unwrap().flatten() {
                fs::remove_file(entry.path()).unwrap();
            }
            fs::write(at.join("old"), "old").unwrap();
            power.snapshot();
            run(&power, at, WRITES);
            power.restore(survives);
            let found = ["both", "named", "held", "old", "new"].map(|name| read(at, name));
            assert_eq!(found.each_ref().map(Option::as_deref), expected, "{survives:?}");
        }
    }

    #[test]
    fn a_sync_of_the_file_system_keeps_everything_and_a_deaf_one_nothing() {
        for (deaf, kept) in [(Deaf::No, Some("text")), (Deaf::ToSyncfs, None)] {
            let folder = Folder::new();
            let power = Power::of(folder.path());
            fs::create_dir_all(folder.path().join("a/b")).unwrap();
            fs::write(folder.path().join("a/b/c"), "text").unwrap();
            let synced =
                Command::new("sync").arg("-f").arg(folder.path()).envs(power.variables(deaf)).status();
            assert!(synced.unwrap().success());
            power.restore(Survives::Nothing);
            assert_eq!(read(folder.path(), "a/b/c").as_deref(), kept, "{deaf:?}");
        }
    }

    #[test]
    fn of_what_was_not_synced_some_blocks_are_there_and_no_byte_of_another_kind() {
        let folder = Folder::new();
        let path = folder.path().join("file");
        let (mut old, mut new) = (0, 0);
        let power = Power::of(folder.path());
        for seed in 0..20 {
            fs::write(&path, vec![b'o'; 8 * BLOCK]).unwrap();
            power.snapshot();
            fs::write(&path, vec![b'n'; 16 * BLOCK]).unwrap();
            power.restore(Survives::Some(seed));
            let held = fs::read(&path).unwrap();
            assert!(held.len() >= 8 * BLOCK && held.len().is_multiple_of(BLOCK), "{}", held.len());
            for block in held.chunks(BLOCK) {
                assert!(block.iter().all(|byte| *byte == block[0]));
                match block[0] {
                    b'o' => old += 1,
                    b'n' => new += 1,
                    other => panic!("a byte of nobody: {other}"),
                }
            }
        }
        assert!(old > 40 && new > 40, "{old} {new}");
    }

    #[test]
    fn a_cut_ends_whatever_runs_on_this_power_and_nothing_else() {
        let folder = Folder::new();
        let power = Power::of(folder.path());
        let mut mine = Command::new("sleep").arg("60").envs(power.variables(Deaf::No)).spawn().unwrap();
        let mut other = Command::new("sleep").arg("60").spawn().unwrap();
        power.cut();
        assert!(!mine.wait().unwrap().success());
        assert!(other.try_wait().unwrap().is_none());
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
