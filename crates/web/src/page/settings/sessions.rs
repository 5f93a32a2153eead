//! Where the person is signed in.

use countersign_app::session::view::{OpenSession, Which};
use maud::{Markup, html};

use crate::frame::Scene;
use crate::part::badge;
use crate::part::button::{Tone, submit};
use crate::part::field::csrf;
use crate::part::icon::{Icon, icon};
use crate::part::time::time;

/// The section.
pub(super) fn section(scene: &Scene<'_>, sessions: &[OpenSession]) -> Markup {
    html! {
        section.card #sessions aria-label="Signed in" {
            header { h2 { "Signed in" } span.faint.small { (sessions.len()) } }
            ul.list { @for session in sessions { (one(scene, session)) } }
            @if sessions.len() > 1 {
                form.foot.row.apart method="post" action="/settings/sign-out-elsewhere" {
                    (csrf(&scene.viewer.csrf))
                    span.small.soft { "One that you do not know is somebody else." }
                    (submit(Tone::Plain, &html! { "Sign out everywhere else" }))
                }
            }
        }
    }
}

fn one(scene: &Scene<'_>, session: &OpenSession) -> Markup {
    html! {
        li {
            span.faint { (icon(Icon::Shield)) }
            div.what {
                span.name { @match session.which { Which::This => "This browser", Which::Other => "Another browser" } }
                div.facts {
                    span { "since " (time(session.since, scene.now)) }
                    span { "last used " (time(session.used_at, scene.now)) }
                }
            }
            @if session.which == Which::This { div.trail { (badge::badge("good", "You")) } }
        }
    }
}
