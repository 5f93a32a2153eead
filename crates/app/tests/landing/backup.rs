//! Objects are kept before the store is looked at, the store is looked at before anything is packed, and what git moves
//! in between is not in it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use countersign_app::backup::{Existing, Made, Source, Step, make};
use countersign_app::restore::{Target, restore};
use countersign_app::testing::home::Home;
use countersign_core::problem::Problem;
use countersign_store::Db;
use countersign_store::testing::Folder;

/// A server's folders as a backup wants them, with a furnished store.
struct House {
    home: Home,
    files: Folder,
    url: String,
}

impl House {
    async fn build() -> Self {
        let files = Folder::new();
        let url = files.sqlite_url();
        let home = Home::over(Db::open(&url).await.unwrap()).await;
        let keys = home.app().git.root().join("keys");
        std::fs::rename(home.test.folder.path().join("keys"), &keys).unwrap();
        std::fs::write(keys.join("client-id.key"), [7; 32]).unwrap();
        Self { home, files, url }
    }

    fn root(&self) -> &Path {
        self.home.app().git.root()
    }

    fn file(&self) -> PathBuf {
        self.files.path().join("a.tar")
    }

    async fn backup(&self, tell: &(dyn Fn(&Step) + Sync)) -> Result<Made, Problem> {
        let clock = &*self.home.app().clock;
        let source =
            Source { database_url: &self.url, repositories: self.root(), git: None, clock, program: "test" };
        make(&source, &self.file(), Existing::Keep, tell).await
    }

    /// Restores it and gives the tip of `main` and the names of all refs of people.
    async fn restored(&self) -> (String, String) {
        let place = Folder::new();
        let (url, repositories) = (place.sqlite_url(), place.path().join("repositories"));
        let clock = &*self.home.app().clock;
        let target =
            Target { database_url: &url, data: place.path(), repositories: &repositories, git: None, clock };
        restore(&target, &self.file(), &|_| ()).await.unwrap();
        let bare = repositories.join(self.home.path().file_name().unwrap());
        (git(&bare, &["rev-parse", "main"]), git(&bare, &["for-each-ref", "--format=%(refname)"]))
    }
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(folder).args(arguments).env("GIT_CONFIG_GLOBAL", "/dev/null");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "T").env(format!("GIT_{who}_EMAIL"), "t@t");
    }
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).trim().to_owned()
}

/// Moves `main` on, and makes a branch, as a push does that nobody has told of yet.
fn push(bare: &Path) {
    let commit = git(bare, &["commit-tree", "-p", "main", "-m", "Later", "main^{tree}"]);
    git(bare, &["update-ref", "refs/heads/main", &commit]);
    git(bare, &["update-ref", "refs/heads/later", &commit]);
}

/// Whether anybody else has locked it.
fn is_held(file: &File) -> bool {
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

#[tokio::test]
async fn what_git_moves_after_the_store_was_looked_at_is_not_in_it() {
    let house = House::build().await;
    let bare = house.home.path();
    let told = git(&bare, &["rev-parse", "main"]);
    let tell = |step: &Step| {
        if matches!(step, Step::Repository(..)) {
            push(&bare);
        }
    };
    house.backup(&tell).await.unwrap();
    assert_ne!(git(&bare, &["rev-parse", "main"]), told);
    assert_eq!(house.restored().await, (told, "refs/heads/main".to_owned()));
}

#[tokio::test]
async fn what_is_told_of_after_objects_are_kept_is_in_it() {
    let house = House::build().await;
    let bare = house.home.path();
    let app = house.home.app().clone();
    // A push that ends, with its story, between the two: the store is looked at afterwards.
    let tell = |step: &Step| {
        if matches!(step, Step::Keep(_)) {
            push(&bare);
            let app = app.clone();
            let told = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(countersign_app::push::recover(&app)).unwrap();
            });
            told.join().unwrap();
        }
    };
    house.backup(&tell).await.unwrap();
    let now = git(&bare, &["rev-parse", "main"]);
    assert_eq!(house.restored().await, (now, "refs/heads/later\nrefs/heads/main".to_owned()));
}

#[tokio::test]
async fn from_before_the_store_is_looked_at_until_all_is_packed_nothing_is_thrown_away() {
    let house = House::build().await;
    let lock = house.root().join(format!("{}.objects", house.home.repository));
    let seen = Mutex::new(Vec::new());
    let tell = |step: &Step| {
        let held = File::open(&lock).is_ok_and(|file| is_held(&file));
        seen.lock().unwrap().push((step.clone(), held));
    };
    house.backup(&tell).await.unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(matches!(seen.first(), Some((Step::Keep(_), _))), "{seen:?}");
    assert!(matches!(seen.last(), Some((Step::Repository(1, 1), _))), "{seen:?}");
    assert!(seen.iter().skip(1).all(|(_, held)| *held), "{seen:?}");
    assert!(
        !matches!(File::open(&lock).unwrap().try_lock(), Err(TryLockError::WouldBlock)),
        "and given back"
    );
}

#[tokio::test]
async fn a_repository_that_was_never_looked_at_keeps_the_refs_that_it_has() {
    let house = House::build().await;
    let forget = "DELETE FROM repository_ref";
    let done = house.home.app().db.write(move |t| Box::pin(t.exec(forget, &[])));
    assert_eq!(done.await, Ok::<_, countersign_store::Error>(1));
    push(&house.home.path());
    house.backup(&|_| ()).await.unwrap();
    let now = git(&house.home.path(), &["rev-parse", "main"]);
    assert_eq!(house.restored().await, (now, "refs/heads/later\nrefs/heads/main".to_owned()));
}

#[tokio::test]
async fn a_repository_that_is_gone_fails_the_backup_by_name() {
    let house = House::build().await;
    std::fs::remove_dir_all(house.home.path()).unwrap();
    let problem = house.backup(&|_| ()).await.unwrap_err();
    assert!(problem.message.contains(&house.home.repository.to_string()), "{problem}");
    assert!(!house.file().exists());
}
