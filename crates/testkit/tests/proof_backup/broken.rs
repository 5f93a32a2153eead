//! A file that is not byte for byte a backup is refused, by a check and by a restore, which changes nothing.

use std::path::{Path, PathBuf};

use countersign_store::testing::Folder;
use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::House;
use countersign_testkit::repo::tar;
use countersign_testkit::server::Options;
use countersign_testkit::trials;

use crate::place::{backup, everything_in, restore, unpack, verify};

struct Files {
    folder: Folder,
    house: House,
    whole: Vec<u8>,
}

impl Files {
    async fn make() -> Self {
        let house = House::build(Engine::Sqlite, &Options::default()).await;
        let folder = Folder::new();
        let file = folder.path().join("whole.tar");
        backup(&house.data, &file).await.ok();
        let whole = std::fs::read(&file).expect("it is readable");
        Self { folder, house, whole }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("it can be written");
        path
    }

    /// Neither a check nor a restore takes it, and the place stays as it was.
    async fn is_refused(&self, file: &Path, what: &str) {
        let checked = verify(&self.house.data, file).await;
        assert_eq!(checked.failed(), (Some(5), "backup_invalid"), "{what}: {}", checked.said);
        let place = Data::new(Engine::Sqlite).await;
        let restored = restore(&place, file).await;
        assert_eq!(restored.failed(), (Some(5), "backup_invalid"), "{what}: {}", restored.said);
        assert!(everything_in(&place.folder()).is_empty(), "{what}: something was made");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_byte_is_found_wherever_it_is() {
    let files = Files::make().await;
    let count = trials(60, 2000);
    let mut dice = 88_172_645_463_325_252_u64;
    for n in 0..count {
        // xorshift (Marsaglia 2003): the same bytes each time.
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let at = usize::try_from(dice % files.whole.len() as u64).expect("it is within the file");
        let mut changed = files.whole.clone();
        changed[at] ^= 1 << (n % 8);
        let file = files.write("changed.tar", &changed);
        let checked = verify(&files.house.data, &file).await;
        // A changed number of the format is one that this program does not read.
        let refused = [(Some(5), "backup_invalid"), (Some(1), "backup_refused")].contains(&checked.failed());
        assert!(refused, "byte {at}, bit {}: {}", n % 8, checked.said);
    }
    // In a row, in a pack, in the manifest: where a digest alone finds it.
    for what in ["Olivia Owner", "PACK", "\"sha256\": \""] {
        let at =
            files.whole.windows(what.len()).position(|part| part == what.as_bytes()).expect("it is there");
        let mut changed = files.whole.clone();
        changed[at + what.len()] ^= 1;
        files.is_refused(&files.write("changed.tar", &changed), what).await;
    }
    println!("proof: a changed byte in a backup: {count} tried, each found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_a_longer_and_a_foreign_file_are_refused() {
    let files = Files::make().await;
    let length = files.whole.len();
    for end in [0, 1, 511, 512, 1024, length / 2, length - 1024, length - 512, length - 1] {
        files
            .is_refused(&files.write("cut.tar", &files.whole[..end]), &format!("{end} of {length} bytes"))
            .await;
    }
    let longer = [files.whole.as_slice(), &[0; 512]].concat();
    files.is_refused(&files.write("longer.tar", &longer), "a block more").await;
    let twice = [files.whole.as_slice(), files.whole.as_slice()].concat();
    files.is_refused(&files.write("twice.tar", &twice), "twice").await;
    files.is_refused(&files.write("text.tar", &b"no backup at all\n".repeat(100)), "text").await;
    let (foreign, text) = (files.path("foreign.tar").display().to_string(), files.write("text", b"x"));
    assert!(tar(&["-cPf", &foreign, &text.display().to_string()]).await.status.success());
    files.is_refused(Path::new(&foreign), "another tar").await;
}

/// Whoever writes a backup by hand can make it whole, but gets nowhere by the names in it.
#[tokio::test(flavor = "multi_thread")]
async fn names_that_lead_elsewhere_and_what_is_no_plain_file_are_refused() {
    let files = Files::make().await;
    let inner = Folder::new();
    unpack(&files.path("whole.tar"), inner.path()).await;
    std::fs::write(inner.path().join("evil"), "evil").expect("it can be written");
    std::os::unix::fs::symlink("/etc/passwd", inner.path().join("keys/link")).expect("a link can be made");
    let (tricks, folder) = (files.path("tricks.tar"), inner.path().display().to_string());
    let named = tricks.display().to_string();
    for (what, transform, entry) in [
        ("above", "s,^evil$,../../evil,", "evil"),
        ("absolute", "s,^evil$,/evil,", "evil"),
        ("in the middle", "s,^evil$,keys/../../evil,", "evil"),
        ("a key of ssh", "s,^evil$,keys/authorized_keys,", "evil"),
        ("a table of SQLite", "s,^evil$,store/sqlite_master.jsonl,", "evil"),
        ("a link", "s,^keys/link$,keys/commit_signing,", "keys/link"),
        ("a folder", "s,^keys$,keys,", "keys"),
    ] {
        let how = ["-cPf", &named, "--no-recursion", "-C", &folder, "--transform", transform];
        let made = tar(&[&how[..], &["countersign-backup.json", entry]].concat()).await;
        assert!(made.status.success(), "{what}: {}", String::from_utf8_lossy(&made.stderr));
        files.is_refused(&tricks, what).await;
    }
    assert!(!Path::new("/evil").exists());
}
