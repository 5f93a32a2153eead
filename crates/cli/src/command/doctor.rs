//! `countersign doctor`: the configuration that results, and what is wrong with it.

mod look;

use clap::Args;
use serde_json::json;

use crate::answer::{Answer, Verdict};
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::{Tone, line};
use crate::place::Place;
use crate::table::table;

/// Changes nothing. Exits with 5 when it finds a mistake.
#[derive(Args, Debug)]
pub(crate) struct Doctor {
    #[command(flatten)]
    place: Place,
}

impl Doctor {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let config = self.place.resolve(&context.environment)?;
        let settings = look::settings(&config);
        let findings = look::all(&config).await;
        let rows: Vec<[String; 2]> =
            settings.iter().map(|(name, value)| [(*name).to_owned(), line(value)]).collect();
        let mut text = vec![table(["SETTING", "VALUE"], &rows, ""), String::new()];
        for finding in &findings {
            let (tone, word) = match finding.verdict {
                Verdict::Good => (Tone::Good, "good "),
                Verdict::Wrong => (Tone::Bad, "wrong"),
            };
            text.push(format!("{} {}: {}", context.paint.on(tone, word), finding.about, line(&finding.said)));
        }
        let wrong = findings.iter().any(|finding| finding.verdict == Verdict::Wrong);
        let facts = json!({
            "settings": settings.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect::<serde_json::Map<_, _>>(),
            "findings": findings.iter().map(look::Finding::json).collect::<Vec<_>>(),
        });
        let verdict = if wrong { Verdict::Wrong } else { Verdict::Good };
        Ok(Answer::new(&facts, text.join("\n")).checked(verdict))
    }
}
