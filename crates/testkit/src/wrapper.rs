//! Gits that misbehave: scripts in the place of git, which do something to `update-ref` and pass all else on.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// What happens to the ref transaction.
#[derive(Clone, Copy, Debug)]
pub enum Mishap {
    /// git is killed at the entry of its second rename, between the two refs; the server lives on.
    KilledBetweenRenames,
    /// The same, and the server is killed before it learns of it.
    BothKilledBetweenRenames,
    /// git is killed at the entry of its first rename; the server too.
    BothKilledBeforeRenames,
    /// git refuses every time while the mishap is armed, and changes nothing.
    Refuses,
    /// git moves the refs, says so, and ends as if it had failed.
    FailsAfterwards,
    /// git moves the refs, says so, and does not end.
    Lingers,
    /// git sleeps at the entry of its first rename, so that the server can be killed while it runs.
    Late,
}

/// Writes the script into `folder` and gives its path. It acts only while the file `armed` exists beside it, once.
pub fn write(folder: &Path, mishap: Mishap) -> (PathBuf, PathBuf) {
    let script = folder.join("git-with-mishap");
    let armed = folder.join("armed");
    let trace = |what: &str, nth: u32| {
        format!(
            "strace -f -qq -o /dev/null -e trace=rename,renameat,renameat2 \
             -e inject=rename,renameat,renameat2:{what}:when={nth} git \"$@\""
        )
    };
    let kill = |nth| trace("signal=SIGKILL", nth);
    let act = match mishap {
        Mishap::KilledBetweenRenames => format!("{}; exit 137", kill(2)),
        Mishap::BothKilledBetweenRenames => format!("{}; kill -9 $PPID; exit 137", kill(2)),
        Mishap::BothKilledBeforeRenames => format!("{}; kill -9 $PPID; exit 137", kill(1)),
        Mishap::Refuses => {
            format!("touch \"{}\"; echo 'fatal: refused by the test' >&2; exit 128", armed.display())
        }
        Mishap::FailsAfterwards => "git \"$@\"; exit 1".to_owned(),
        Mishap::Lingers => "git \"$@\"; sleep 600".to_owned(),
        Mishap::Late => format!("exec {}", trace("delay_enter=1s", 1)),
    };
    let text = format!(
        "#!/bin/sh\n\
         case \" $* \" in\n\
         *\" update-ref \"*) if rm \"{armed}\" 2>/dev/null; then {act}; fi ;;\n\
         esac\n\
         exec git \"$@\"\n",
        armed = armed.display()
    );
    std::fs::write(&script, text).expect("the script can be written");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755))
        .expect("it can be made a program");
    (script, armed)
}
