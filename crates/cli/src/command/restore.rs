//! `countersign restore`: a backup into an empty place, and the proof that nothing is missing.

use std::path::PathBuf;

use clap::Args;
use countersign_server::backup::{Restored, restore};

use super::backup::seconds;
use crate::answer::Answer;
use crate::context::Context;
use crate::edge;
use crate::failure::Failure;
use crate::paint::{Paint, Tone};
use crate::place::Place;

/// The database and the folder of repositories that the settings name must be empty, or not there; either engine will do.
/// When it is cut short, run it again: it begins anew, and no server starts before it has proved everything. Exits with 5
/// when something is not as it was backed up.
#[derive(Args, Debug)]
pub(crate) struct Restore {
    /// The file that `countersign backup` wrote
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

impl Restore {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let config = self.place.resolve(&context.environment)?;
        let restored = restore(&config, &self.file, &edge::tell_step).await;
        edge::end_steps();
        let restored = restored?;
        Ok(Answer::new(&restored, told_of(&restored, context.paint)))
    }
}

fn told_of(restored: &Restored, paint: Paint) -> String {
    let mut told: Vec<String> = restored
        .proven
        .iter()
        .map(|proof| {
            let word = paint.on(Tone::Good, "proved");
            format!("{word} {} {} ({} s)", proof.count, proof.what, seconds(proof.took_ms))
        })
        .collect();
    let made = restored.backup.head.made_at;
    told.push(format!(
        "restored as of {made}, in {} s; the server can be started",
        seconds(restored.took_ms)
    ));
    let note = "What was revoked after that moment, tokens, sessions and connections, is valid again: revoke it anew.";
    told.push(paint.on(Tone::Waiting, note));
    told.join("\n")
}
