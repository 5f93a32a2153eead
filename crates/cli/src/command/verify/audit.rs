//! `countersign verify audit`: whether anybody changed the audit log since it was sealed.

use std::io::Write as _;

use clap::Args;
use countersign_core::api::audit::{AuditVerdict, AuditVerification};
use countersign_core::audit::Head;
use countersign_core::text::count;
use countersign_fetch::Client;

use crate::answer::{Answer, Verdict};
use crate::context::Context;
use crate::edge;
use crate::failure::Failure;
use crate::paint::{Paint, Tone, line};

/// Needs a token of an owner of the workspace. Walks through every seal, and exits with 5 at the first thing that was
/// changed, dropped, added or put elsewhere. The head that it ends with is worth noting elsewhere: a later run with
/// --expect shows that the end of the log was not cut off meanwhile.
#[derive(Args, Debug)]
pub(crate) struct Audit {
    /// A head that an earlier run ended with, NUMBER:DIGEST; the log must lead through it
    #[arg(long, value_name = "NUMBER:DIGEST", value_parser = head)]
    expect: Option<Head>,
}

fn head(text: &str) -> Result<Head, String> {
    Head::parse(text).ok_or_else(|| "a number, a colon and 64 hexadecimal digits".to_owned())
}

impl Audit {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let told = edge::is_watched_by_a_person();
        let mut whole = self.step(&client, None).await?;
        while whole.verdict == AuditVerdict::GoesOn {
            if told {
                let _ = write!(std::io::stderr(), "\r{:<60}", far(&whole));
            }
            let next = self.step(&client, Some(whole.head)).await?;
            whole =
                AuditVerification { seals: whole.seals + next.seals, rows: whole.rows + next.rows, ..next };
        }
        if told {
            let _ = write!(std::io::stderr(), "\r{:<60}\r", "");
        }
        let verdict = match whole.verdict {
            AuditVerdict::Intact | AuditVerdict::GoesOn => Verdict::Good,
            AuditVerdict::Broken => Verdict::Wrong,
        };
        Ok(Answer::new(&whole, told_of(&whole, context.paint)).checked(verdict))
    }

    async fn step(&self, client: &Client, after: Option<Head>) -> Result<AuditVerification, Failure> {
        let pair = |name, head: Option<Head>| head.map(|head| (name, head.to_string()));
        let query: Vec<_> =
            [pair("after", after), pair("expect", self.expect)].into_iter().flatten().collect();
        let query: Vec<_> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Ok(client.get(&["api", "v1", "audit", "verification"], &query).await?)
    }
}

fn far(whole: &AuditVerification) -> String {
    format!("Verifying: seal {}, {} …", whole.head.number, count(whole.rows, "record"))
}

fn told_of(whole: &AuditVerification, paint: Paint) -> String {
    let verdict = match &whole.fault {
        Some(fault) => paint.on(Tone::Bad, &format!("{} ({})", line(&fault.message), line(&fault.kind))),
        None => paint.on(Tone::Good, "nothing was changed"),
    };
    let mut told =
        vec![verdict, format!("good        {}, {}", count(whole.seals, "seal"), count(whole.rows, "record"))];
    told.push(format!("not sealed  {}", count(whole.unsealed, "record")));
    if whole.head.number > 0 {
        told.push(format!("head        {}", whole.head));
    }
    told.join("\n")
}

#[cfg(test)]
mod tests {
    use countersign_core::api::audit::AuditFault;
    use countersign_core::audit::Digest;

    use super::*;

    fn intact() -> AuditVerification {
        AuditVerification {
            verdict: AuditVerdict::Intact,
            head: Head { number: 2, digest: Digest::NONE },
            seals: 2,
            rows: 1200,
            unsealed: 3,
            fault: None,
        }
    }

    #[test]
    fn a_verdict_tells_what_was_looked_at_and_a_head_to_note() {
        let told = told_of(&intact(), Paint::Plain);
        let head = format!("2:{}", "0".repeat(64));
        assert_eq!(
            told,
            format!(
                "nothing was changed\ngood        2 seals, 1200 records\nnot sealed  3 records\nhead        {head}"
            )
        );
    }

    #[test]
    fn what_stands_in_a_fault_cannot_steer_the_terminal() {
        let fault = AuditFault { kind: "row_added".into(), message: "Record \u{1b}[2J".into(), row: None };
        let broken = AuditVerification { verdict: AuditVerdict::Broken, fault: Some(fault), ..intact() };
        let told = told_of(&broken, Paint::Plain);
        assert!(told.starts_with("Record \\u{1b}[2J (row_added)\n"), "{told}");
    }
}
