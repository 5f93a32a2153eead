//! What one request, and all of them together, may use up.

use std::time::Duration;

/// The limits of this surface.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many gits read at the same time.
    pub at_once: usize,
    /// How many of them for one person.
    pub at_once_each: usize,
    /// How many gits take a push at the same time.
    pub pushes_at_once: usize,
    /// How many of them for one person.
    pub pushes_each: usize,
    /// How many requests may wait for a place among those, and for one among these.
    pub waiting: usize,
    /// How long one of them waits before it is turned away.
    pub patience: Duration,
    /// How long a list of refs may take.
    pub advertisement: Duration,
    /// How long a clone or fetch may take.
    pub fetch: Duration,
    /// How long a push may take.
    pub push: Duration,
    /// How long it may take to decide over one that is all there.
    pub decision: Duration,
    /// The first pause before what a push moved is told of once more, when that failed; each is twice the one before,
    /// up to [`Limits::longest_pause`].
    pub pause: Duration,
    /// The longest such pause.
    pub longest_pause: Duration,
    /// How often it is told of once more.
    pub tries: u32,
    /// How long a client may send nothing while git waits for it.
    pub idle: Duration,
    /// How many bytes the pack of a push may have; the quota of the repository may leave less.
    pub pack: u64,
    /// How many bytes more than there is room for it may take of the disk before it is broken off: what is over by less
    /// is told so in its own words.
    pub spare: u64,
    /// How many bytes a client may send to say what it has and wants, after they were inflated.
    pub request: u64,
}

impl Limits {
    /// What ships.
    pub const SHIPPED: Self = Self {
        at_once: 16,
        at_once_each: 12,
        pushes_at_once: 8,
        pushes_each: 2,
        waiting: 64,
        patience: Duration::from_secs(5),
        advertisement: Duration::from_secs(30),
        fetch: Duration::from_mins(10),
        push: Duration::from_mins(10),
        decision: Duration::from_mins(2),
        pause: Duration::from_millis(100),
        longest_pause: Duration::from_secs(10),
        // Five minutes.
        tries: 36,
        idle: Duration::from_secs(30),
        pack: 2 << 30,
        spare: 16 << 20,
        request: 32 << 20,
    };

    pub(crate) const fn reading(&self) -> Seats {
        Seats {
            at_once: self.at_once,
            each: self.at_once_each,
            busy: "Too many clones and fetches are under way. Try again in a few seconds.",
            mine: "Too many clones and fetches of yours are under way. Try again when one of them has ended.",
        }
    }

    pub(crate) const fn writing(&self) -> Seats {
        Seats {
            at_once: self.pushes_at_once,
            each: self.pushes_each,
            busy: "Too many pushes are under way. Try again in a few seconds.",
            mine: "Other pushes of yours are under way. Push again when one of them has ended.",
        }
    }

    /// How long the longest request may take.
    pub const fn longest(&self) -> Duration {
        if self.push.as_nanos() > self.fetch.as_nanos() { self.push } else { self.fetch }
    }
}

/// How many gits of one kind, and what is said to who finds no place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seats {
    /// At the same time.
    pub(crate) at_once: usize,
    /// For one person.
    pub(crate) each: usize,
    /// All are taken.
    pub(crate) busy: &'static str,
    /// This person has taken theirs.
    pub(crate) mine: &'static str,
}
