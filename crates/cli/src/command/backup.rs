//! `countersign backup`: everything of this machine's server in one file, taken while it serves.

use std::path::PathBuf;

use clap::Args;
use countersign_core::text::count;
use countersign_server::backup::{Checked, Existing, Made, backup, check};

use crate::answer::Answer;
use crate::command::doctor::size;
use crate::context::Context;
use crate::edge;
use crate::failure::Failure;
use crate::paint::{Paint, Tone, line};
use crate::place::Place;

/// Database, repositories and keys, as they were when it began; nobody is stopped. Run it as the server's user, with the
/// server's settings. The file is a secret: it holds the server's keys and the hashes of every password and token.
#[derive(Args, Debug)]
pub(crate) struct Backup {
    /// The file to write, a tar archive for this user alone
    file: PathBuf,
    /// Replace a file that is there, once the new one is whole
    #[arg(long, conflicts_with = "verify")]
    force: bool,
    /// Write nothing: read the file and check that it is whole
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    place: Place,
}

impl Backup {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        if self.verify {
            let checked = check(&self.file).await?;
            return Ok(Answer::new(&checked, told_of_check(&checked, context.paint)));
        }
        let existing = if self.force { Existing::Replace } else { Existing::Keep };
        let config = self.place.resolve(&context.environment)?;
        let made = backup(&config, &self.file, existing, &edge::tell_step).await;
        edge::end_steps();
        let made = made?;
        Ok(Answer::new(&made, told_of(&made, &self.file.display().to_string(), context.paint)))
    }
}

fn told_of(made: &Made, file: &str, paint: Paint) -> String {
    let told = format!(
        "{}, {} and {} as of {}, in {} s",
        size(made.bytes),
        count(made.repositories, "repository"),
        count(made.rows, "row"),
        made.made_at,
        seconds(made.took_ms)
    );
    [
        format!("{} {}", paint.on(Tone::Good, "made"), line(file)),
        told,
        paint.on(Tone::Waiting, "It is a secret: the server's keys are in it. Keep it where nobody else reads it, not on this disk alone."),
    ]
    .join("\n")
}

fn told_of_check(checked: &Checked, paint: Paint) -> String {
    let Checked { head, bytes, entries, rows, repositories } = checked;
    [
        paint.on(Tone::Good, "every byte is as it was written"),
        format!(
            "made        {} by Countersign {} on {}",
            head.made_at,
            line(&head.program),
            line(&head.engine)
        ),
        format!(
            "holds       {}, {}, {}, {}",
            count(*entries, "entry"),
            count(*repositories, "repository"),
            count(*rows, "row"),
            size(*bytes)
        ),
    ]
    .join("\n")
}

/// Milliseconds as seconds with one digit.
pub(super) fn seconds(ms: i64) -> String {
    format!("{}.{}", ms / 1000, ms % 1000 / 100)
}
