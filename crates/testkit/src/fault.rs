//! Faults: the process kills itself at a named point, as a power switch would.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use countersign_app::fault::{Faults, Point};

/// Kills the process by SIGKILL when `point` is passed for the `nth` time, and notes every point in a file.
#[derive(Debug)]
pub struct KillAt {
    point: Option<Point>,
    nth: usize,
    seen: AtomicUsize,
    notes: Option<PathBuf>,
}

impl KillAt {
    /// `spec` is `point:nth`, or empty to kill nowhere; `notes` is the file that counts what was passed.
    pub fn parse(spec: &str, notes: Option<PathBuf>) -> Self {
        let (name, nth) = spec.split_once(':').unwrap_or((spec, "1"));
        let point = Point::ALL.into_iter().find(|point| point.as_str() == name);
        assert!(spec.is_empty() || point.is_some(), "there is no fault point {name}");
        Self { point, nth: nth.parse().unwrap_or(1), seen: AtomicUsize::new(0), notes }
    }
}

impl Faults for KillAt {
    fn at(&self, point: Point) {
        if let Some(path) = &self.notes {
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
            let written = file.and_then(|mut file| writeln!(file, "{}", point.as_str()));
            assert!(written.is_ok(), "the notes of fault points cannot be written");
        }
        if self.point == Some(point) && self.seen.fetch_add(1, Ordering::SeqCst) + 1 == self.nth {
            let me = rustix::process::getpid();
            let _ = rustix::process::kill_process(me, rustix::process::Signal::KILL);
            // The signal cannot be blocked; until it arrives nothing more may happen.
            loop {
                std::thread::park();
            }
        }
    }
}
