//! The passkeys of a person: each with its use, and how one more is made.

use countersign_app::passkey::view::{Kept, PasskeyView};
use countersign_core::passkey::MOST;
use maud::{Markup, html};

use super::{Settings, Sudo};
use crate::frame::Scene;
use crate::part::badge;
use crate::part::button::{Tone, link};
use crate::part::empty::empty;
use crate::part::field::{Field, Takes, csrf};
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Kind, notice};
use crate::part::passkey;
use crate::part::text::visible;
use crate::part::time::time;
use crate::part::wrong::beside;

/// The section.
pub(super) fn section(scene: &Scene<'_>, settings: &Settings<'_>) -> Markup {
    html! {
        section.card #passkeys aria-label="Passkeys" {
            header { h2 { "Passkeys" } span.faint.small { "Sign in and confirm with your device instead of the password." } }
            @match settings.passkeys {
                Some(passkeys) => (list(scene, settings, passkeys)),
                None => div.pad {
                    (notice(Kind::Plain, "No passkeys at this address", &html! { "Browsers have them on https and a name, and on localhost. Ask whoever runs the server." }))
                },
            }
        }
    }
}

fn list(scene: &Scene<'_>, settings: &Settings<'_>, passkeys: &[PasskeyView]) -> Markup {
    html! {
        @if passkeys.is_empty() {
            (empty(Icon::Key, "No passkey yet", "Your phone, computer or security key can sign you in, and nobody can be tricked into typing it elsewhere.", None))
        } @else {
            ul.list { @for key in passkeys { (one(scene, settings, key)) } }
        }
        @match settings.sudo {
            Sudo::Open if passkeys.len() >= MOST => p.foot.small.soft { "You have " (MOST) " passkeys, and that is the most." },
            Sudo::Open => (add(scene, settings)),
            Sudo::Closed => div.foot.row.apart {
                span.small.soft { "Confirm who you are to add or remove one." }
                (link(Tone::Plain, "/sudo?to=/settings", &html! { "Confirm it is you" }))
            },
        }
    }
}

fn one(scene: &Scene<'_>, settings: &Settings<'_>, key: &PasskeyView) -> Markup {
    html! {
        li {
            span.faint { (icon(Icon::Key)) }
            div.what {
                span.name { (visible(&key.name)) }
                div.facts {
                    span { @match key.kept { Kept::Device => "on one device", Kept::Provider => "kept by a provider" } }
                    span { "added " (time(key.created_at, scene.now)) }
                    span { @if let Some(at) = key.used_at { "last used " (time(at, scene.now)) } @else { "not used yet" } }
                    @if let Some(at) = key.refused_at { span { "refused " (time(at, scene.now)) } }
                }
                @if key.refused_at.is_some() { p.small.soft { "Its count of signatures went back: somebody may have a copy. Remove it." } }
            }
            div.trail {
                @if key.refused_at.is_some() { (badge::badge("bad", "Perhaps copied")) }
                @if settings.sudo == Sudo::Open {
                    form.over method="post" action={ "/settings/passkeys/" (key.id) "/remove" } {
                        (csrf(&scene.viewer.csrf))
                        button.button type="submit" aria-label={ "Remove " (key.name) } { "Remove" }
                    }
                }
            }
        }
    }
}

fn add(scene: &Scene<'_>, settings: &Settings<'_>) -> Markup {
    html! {
        form.foot.form method="post" action="/settings/passkeys" data-passkeys hidden {
            (csrf(&scene.viewer.csrf))
            (Field::new("name", "Name of a new passkey", Takes::Text).limit(80).wrong(beside(settings.problem, "name"))
                .hint("So that you know it again, for example: my phone.").render())
            (passkey::says())
            div { (passkey::make("/settings/passkeys/ask")) }
        }
        noscript { p.foot.small.soft { "Adding a passkey takes JavaScript. The password works without." } }
    }
}
