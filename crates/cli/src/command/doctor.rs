//! `countersign doctor`: the configuration that results, and what is wrong with it.

mod look;
mod operation;

use clap::Args;
use serde_json::json;

use crate::answer::{Answer, Verdict};
use crate::context::Context;
use crate::edge;
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
        let (settings, findings) = match self.place.resolve(&context.environment) {
            Ok(config) => {
                let mut findings = look::all(&config).await;
                findings.extend(operation::all(&config, edge::now()).await);
                (look::settings(&config), findings)
            }
            Err(failure) => (Vec::new(), vec![look::Finding::wrong("configuration", whole(&failure))]),
        };
        let rows: Vec<[String; 2]> =
            settings.iter().map(|(name, value)| [(*name).to_owned(), line(value)]).collect();
        let mut text = Vec::new();
        if !rows.is_empty() {
            text.extend([table(["SETTING", "VALUE"], &rows, ""), String::new()]);
        }
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

/// A failure in one line.
fn whole(failure: &Failure) -> String {
    [vec![failure.to_string()], failure.causes()].concat().join(": ")
}

/// A number of bytes for a person.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let (mut tenths, mut unit) = (u128::from(bytes) * 10 / 1024, 0);
    while tenths >= 10240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn a_size_is_told_in_a_unit_that_fits() {
        let told: Vec<String> = [0, 1023, 1024, 1536, 5 << 30, 3 << 50].map(size).into();
        assert_eq!(told, ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 KiB", "5.0 GiB", "3072.0 TiB"]);
    }
}
