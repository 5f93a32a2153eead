//! A new password.

use maud::{Markup, html};

use super::{Settings, Sudo};
use crate::frame::Scene;
use crate::part::button::{Tone, link, submit};
use crate::part::field::{Field, Takes, csrf};
use crate::part::wrong::beside;

/// The section.
pub(super) fn section(scene: &Scene<'_>, settings: &Settings<'_>) -> Markup {
    html! {
        section.card #password-change aria-label="Password" {
            header { h2 { "Password" } span.faint.small { "Changing it signs you out everywhere else. Your " a href="/tokens" { "tokens" } " stay: revoke those that others may have." } }
            @match settings.sudo {
                Sudo::Open => form.pad.form method="post" action="/settings/password" {
                    (csrf(&scene.viewer.csrf))
                    // Password managers change the entry of this name.
                    input type="hidden" name="mail" value=(scene.viewer.mail) autocomplete="username";
                    (Field::new("password", "New password", Takes::NewPassword).wrong(beside(settings.problem, "password")).hint("At least 12 characters.").render())
                    div { (submit(Tone::Plain, &html! { "Change password" })) }
                },
                Sudo::Closed => div.pad.row.apart {
                    span.small.soft { "Confirm who you are to change it." }
                    (link(Tone::Plain, "/sudo?to=/settings", &html! { "Confirm it is you" }))
                },
            }
        }
    }
}
