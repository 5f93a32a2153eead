//! Fault points: the named places of an execution at which a test may kill the process.
//!
//! What ships passes them by. One stands before every call of `proposal::execute` and of `push` that leaves the
//! process, so that "killed at any line" can be counted and proved.

/// A place in the execution of a proposal or of a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Point {
    /// Before the row is set to `executing`, with its commit.
    Begin,
    /// Before the repository lock is taken to finish what another began.
    TakeLock,
    /// Before the row is read under the lock.
    ReadRow,
    /// Before the branch tip and the marker are read.
    ReadRefs,
    /// Before it is looked whether a ref that moved holds the commit.
    ReadHistory,
    /// Before the git that will move the refs is started.
    StartGit,
    /// Before the tree of the commit is made again, to finish what another began.
    MakeTree,
    /// Before the objects are written and synced.
    WriteObjects,
    /// Before the ref transaction.
    MoveRefs,
    /// The refs moved; before the row is set to `executed`.
    Finish,
    /// The refs were found moved; before they are synced.
    SyncRefs,
    /// Before a branch is rolled forward to a marker.
    RollForward,
    /// Before a marker that came to nothing is removed.
    DropMarker,
    /// Before the exclusive lock is taken.
    TakeAlone,
    /// Before lock files are swept under the exclusive lock.
    Sweep,
    /// Before the row is read a last time, to give up.
    Recheck,
    /// Before the row is set to `stale` or `failed`.
    GiveUp,
    /// All of a push is there; before role and token are asked again, and it is looked through.
    AskPush,
    /// A push was looked through; before the lock of the refs is taken for it.
    TakeRefs,
    /// The push holds the refs; before role and token are asked, and where the refs are.
    DecidePush,
    /// What a push brought is in its place; before it is synced.
    KeepPush,
    /// git moved the refs of a push; before they are synced.
    SyncPush,
    /// Before the events of a push are appended.
    RecordPush,
    /// Refs differ from where they were seen; before the exclusive lock is taken.
    TakeAloneForRefs,
    /// Before what was found moved is told of.
    TellRefs,
}

impl Point {
    /// Every point.
    pub const ALL: [Self; 25] = [
        Self::Begin,
        Self::TakeLock,
        Self::ReadRow,
        Self::ReadRefs,
        Self::ReadHistory,
        Self::StartGit,
        Self::MakeTree,
        Self::WriteObjects,
        Self::MoveRefs,
        Self::Finish,
        Self::SyncRefs,
        Self::RollForward,
        Self::DropMarker,
        Self::TakeAlone,
        Self::Sweep,
        Self::Recheck,
        Self::GiveUp,
        Self::AskPush,
        Self::TakeRefs,
        Self::DecidePush,
        Self::KeepPush,
        Self::SyncPush,
        Self::RecordPush,
        Self::TakeAloneForRefs,
        Self::TellRefs,
    ];

    /// The name by which a test asks for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::TakeLock => "take_lock",
            Self::ReadRow => "read_row",
            Self::ReadRefs => "read_refs",
            Self::ReadHistory => "read_history",
            Self::StartGit => "start_git",
            Self::MakeTree => "make_tree",
            Self::WriteObjects => "write_objects",
            Self::MoveRefs => "move_refs",
            Self::Finish => "finish",
            Self::SyncRefs => "sync_refs",
            Self::RollForward => "roll_forward",
            Self::DropMarker => "drop_marker",
            Self::TakeAlone => "take_alone",
            Self::Sweep => "sweep",
            Self::Recheck => "recheck",
            Self::GiveUp => "give_up",
            Self::AskPush => "ask_push",
            Self::TakeRefs => "take_refs",
            Self::DecidePush => "decide_push",
            Self::KeepPush => "keep_push",
            Self::SyncPush => "sync_push",
            Self::RecordPush => "record_push",
            Self::TakeAloneForRefs => "take_alone_for_refs",
            Self::TellRefs => "tell_refs",
        }
    }
}

/// What happens at a fault point.
pub trait Faults: Send + Sync + 'static {
    /// Called when an execution comes by.
    fn at(&self, point: Point);
}

/// What ships: nothing happens.
#[derive(Debug, Clone, Copy)]
pub struct NoFaults;

impl Faults for NoFaults {
    fn at(&self, _: Point) {}
}
