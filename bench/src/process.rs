//! A process under measurement: started until it answers, its processor time and memory as the kernel counts them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::runtime::Runtime;

use crate::clock::now;
use crate::failure::Failure;
use crate::load::{self, Target};

/// Ticks of `utime` and `stime` in a second: USER_HZ is 100 wherever Linux runs servers (proc(5)).
const TICKS: f64 = 100.0;
/// How long a start may take.
const START: Duration = Duration::from_mins(1);
/// How long to wait between two looks at whether it serves.
const LOOK: Duration = Duration::from_micros(200);

/// What is to be started.
#[derive(Clone, Debug, Default)]
pub(crate) struct Launch {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) variables: Vec<(&'static str, OsString)>,
}

/// A started process; it ends with this value.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// Milliseconds from the start to the first good answer.
    pub(crate) start_ms: f64,
}

impl Process {
    /// Starts it and calls until the first good answer.
    pub(crate) fn start(runtime: &Runtime, launch: &Launch, target: &Target) -> Result<Self, Failure> {
        let begun = now();
        let mut child = command(&launch.program)
            .args(&launch.arguments)
            .envs(launch.variables.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(Failure::while_doing(&format!("start {}", launch.program.display())))?;
        loop {
            let answered = runtime.block_on(load::once(target));
            let Err(failure) = answered else { break };
            let ended = child.try_wait().map_err(Failure::while_doing("look at a server"))?;
            if ended.is_some() || begun.elapsed() > START {
                let _ = child.kill();
                let program = launch.program.display();
                return Err(Failure::new(format!("{program} does not serve: {failure}")));
            }
            std::thread::sleep(LOOK);
        }
        Ok(Self { child, start_ms: begun.elapsed().as_secs_f64() * 1e3 })
    }

    /// Seconds of processor time that it has used.
    pub(crate) fn cpu(&self) -> Result<f64, Failure> {
        cpu_of(&self.child.id().to_string())
    }

    /// Its resident memory in MB.
    pub(crate) fn resident(&self) -> Result<f64, Failure> {
        let status = read(&format!("/proc/{}/status", self.child.id()))?;
        resident_in(&status).ok_or_else(|| Failure::new("the kernel does not tell the memory of a process"))
    }

    /// Asks it to end, and waits.
    pub(crate) fn stop(mut self) -> Result<(), Failure> {
        let pid = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        let pid = pid.ok_or_else(|| Failure::new("a process without a number"))?;
        rustix::process::kill_process(pid, rustix::process::Signal::TERM)
            .map_err(Failure::while_doing("end a server"))?;
        self.child.wait().map(drop).map_err(Failure::while_doing("end a server"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program about to be started.
#[expect(
    clippy::disallowed_methods,
    reason = "the bench starts the servers that it measures, and the baselines"
)]
pub(crate) fn command(program: &Path) -> Command {
    Command::new(program)
}

/// Seconds of processor time that this process has used.
pub(crate) fn own_cpu() -> Result<f64, Failure> {
    cpu_of("self")
}

fn cpu_of(process: &str) -> Result<f64, Failure> {
    let stat = read(&format!("/proc/{process}/stat"))?;
    cpu_in(&stat).ok_or_else(|| Failure::new("the kernel does not tell the time of a process"))
}

fn read(path: &str) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(Failure::while_doing(path))
}

/// `utime` and `stime`, fields 14 and 15; the second field is a name in brackets that may hold anything.
fn cpu_in(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some((f64::from(user) + f64::from(system)) / TICKS)
}

fn resident_in(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u32 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(f64::from(kilobytes) / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_read_behind_a_name_with_brackets_in_it() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 1 0 99 0 0";
        assert_eq!(cpu_in(stat), Some(2.0));
        assert_eq!(cpu_in("nothing"), None);
    }

    #[test]
    fn the_memory_is_in_megabytes() {
        assert_eq!(resident_in("Name:\tx\nVmRSS:\t    2048 kB\n"), Some(2.0));
        assert_eq!(resident_in("Name:\tx\n"), None);
    }
}
