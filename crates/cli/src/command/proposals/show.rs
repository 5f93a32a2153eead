//! `countersign proposals show`: the frozen facts, as the page shows them.

use clap::Args;
use countersign_core::api::proposal::{FileChange, ProposalFacts};
use countersign_core::id::ProposalId;
use countersign_core::proposal::ProposalState;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::paint::{Paint, Tone, each_line, line, lines};

/// Everything that a decision is about.
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// The proposal's id, which `proposals list` shows
    #[arg(value_parser = find::id::<ProposalId>)]
    id: ProposalId,
}

impl Show {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let id = self.id.to_string();
        let facts: ProposalFacts = context.client()?.get(&["api", "v1", "proposals", &id], &[]).await?;
        Ok(Answer::new(&facts, told(&facts, context.paint)))
    }
}

fn told(facts: &ProposalFacts, paint: Paint) -> String {
    let item = &facts.item;
    let mut told = vec![
        paint.on(Tone::Strong, &line(&item.title)),
        format!("status      {}", paint.on(tone(item.status), item.status.as_str())),
        format!(
            "repository  {} ({}), branch {}",
            line(&item.repository),
            facts.repository_id,
            line(&item.branch)
        ),
        format!("author      {}", line(&facts.author)),
        format!("base        {}", line(&facts.base_oid)),
        format!("proposed    {}, expires {}", item.created_at, item.expires_at),
        format!("needs       {}", facts.needs.as_str()),
    ];
    let more = [
        ("decided by", &facts.decided_by),
        ("reason", &facts.reason),
        ("commit", &facts.commit),
        ("branch head", &facts.branch_head),
    ];
    told.extend(
        more.iter().filter_map(|(name, value)| Some(format!("{name:<12}{}", line(value.as_deref()?)))),
    );
    told.push(String::new());
    told.push(lines(&facts.message));
    for change in &facts.changes {
        told.push(String::new());
        told.push(changed(change, paint));
    }
    told.join("\n")
}

fn changed(change: &FileChange, paint: Paint) -> String {
    let from = change.from.as_deref().map(|from| format!("{} → ", line(from))).unwrap_or_default();
    let heading =
        format!("{} {from}{} (+{} −{})", change.change, line(&change.path), change.added, change.removed);
    let mut told = vec![paint.on(Tone::Strong, &heading)];
    match &change.patch {
        Some(patch) => told.extend(each_line(patch).map(|text| patched(text, paint))),
        None => told.push(paint.on(Tone::Faint, "not shown: bytes, or more text than fits")),
    }
    told.join("\n")
}

fn patched(text: &str, paint: Paint) -> String {
    let shown = lines(text);
    match text.as_bytes().first() {
        Some(b'+') => paint.on(Tone::Good, &shown),
        Some(b'-') => paint.on(Tone::Bad, &shown),
        Some(b'@') => paint.on(Tone::Faint, &shown),
        Some(_) | None => shown,
    }
}

fn tone(state: ProposalState) -> Tone {
    match state {
        ProposalState::Pending | ProposalState::Executing => Tone::Waiting,
        ProposalState::Executed => Tone::Good,
        ProposalState::Stale
        | ProposalState::Failed
        | ProposalState::Declined
        | ProposalState::Withdrawn
        | ProposalState::Expired => Tone::Bad,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_of_others_is_shown_line_by_line_and_steers_nothing() {
        let change = FileChange {
            path: "a\u{202e}.md".to_owned(),
            from: None,
            change: "added".to_owned(),
            added: 1,
            removed: 0,
            patch: Some("@@ -0,0 +1 @@\n+\u{1b}[2Jhello\r\n".to_owned()),
        };
        assert_eq!(
            changed(&change, Paint::Plain),
            "added a\\u{202e}.md (+1 −0)\n@@ -0,0 +1 @@\n+\\u{1b}[2Jhello\\u{d}"
        );
    }
}
