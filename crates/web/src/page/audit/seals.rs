//! Where the seals stand, and what the last verification found.

use countersign_app::audit::view::{Checked, Progress, SealView, Verdict};
use countersign_core::audit::Fault;
use maud::{Markup, html};

use crate::frame::Scene;
use crate::part::button::{Tone, submit};
use crate::part::copy;
use crate::part::field::csrf;
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Kind, notice};
use crate::part::text::{count, visible};
use crate::part::time::time;

/// The card; below it, what a verification that was just asked for came to.
pub(super) fn card(scene: &Scene<'_>, seals: &SealView, verified: Option<&Progress>) -> Markup {
    html! {
        section.card aria-label="Seals" {
            ul.list {
                li {
                    span.avatar aria-hidden="true" { (icon(Icon::Shield)) }
                    div.what {
                        b.name {
                            @match seals.last {
                                Some((_, at)) => { "Sealed " (time(at, scene.now)) },
                                None => "Nothing is sealed yet",
                            }
                        }
                        div.facts {
                            @if let Some((number, _)) = seals.last { span { (count(number, "seal")) } }
                            @if seals.last.is_some() || seals.unsealed > 0 { span { (waiting(seals.unsealed)) } }
                            span { span { (checked(scene, seals.checked.as_ref())) } }
                        }
                    }
                    div.trail { (verify(scene, None)) }
                }
            }
        }
        @if let Some(progress) = verified { (verdict(scene, progress)) }
    }
}

fn waiting(unsealed: i64) -> String {
    match unsealed {
        0 => "everything is sealed".to_owned(),
        waiting => format!("{} not sealed yet", count(waiting, "record")),
    }
}

fn checked(scene: &Scene<'_>, checked: Option<&Checked>) -> Markup {
    html! {
        @match checked {
            None => "not verified since this server started",
            Some(Checked { at, fault: None, .. }) => { "verified " (time(*at, scene.now)) ", intact" },
            Some(Checked { at, fault: Some(_), .. }) => { "verified " (time(*at, scene.now)) ", " b { "tampered with" } },
        }
    }
}

/// The button; with where the step before ended, it goes on from there.
fn verify(scene: &Scene<'_>, after: Option<&Progress>) -> Markup {
    html! {
        form method="post" action="/audit/verification" {
            (csrf(&scene.viewer.csrf))
            @if let Some(progress) = after { input type="hidden" name="after" value=(progress.at); }
            (submit(Tone::Plain, &html! { @if after.is_some() { "Go on" } @else { "Verify" } }))
        }
    }
}

fn verdict(scene: &Scene<'_>, progress: &Progress) -> Markup {
    html! {
        div #verdict role="status" {
            @match &progress.verdict {
                Verdict::Intact => (notice(Kind::Good, "Nothing was changed", &html! {
                    p { "Every seal up to number " (progress.at.number) " is good, and every record that they cover is as it was." }
                    @if progress.at.number > 0 {
                        p { "Note this line elsewhere. With it you can show later that the end was not cut off:" }
                        (copy::line("head", &format!("countersign verify audit --expect {}", progress.at)))
                    }
                })),
                Verdict::GoesOn => (notice(Kind::Plain, "Good so far", &html! {
                    p { "Every seal up to number " (progress.at.number) " is good. The log is longer than what is looked at in one go." }
                    (verify(scene, Some(progress)))
                })),
                Verdict::Broken(fault) => (notice(Kind::Bad, "Somebody changed the log", &broken(fault))),
            }
        }
    }
}

fn broken(fault: &Fault) -> Markup {
    html! {
        p { (visible(&fault.to_string())) }
        p { "Up to there everything is as it was sealed. Keep a copy of the database as it is, and compare it with a backup." }
        code.small.faint { (fault.kind()) }
    }
}
