//! How a host is brought to this server: the same commands and settings that `countersign connect` prints.

use countersign_core::host::{Host, Recipe, ServerName};
use maud::{Markup, html};

use super::copy;
use super::icon::{Icon, icon};

/// Every host, one below the other.
pub fn all(address: &str) -> Markup {
    html! { @for host in Host::ALL { (one(host, address)) } }
}

/// One host: its own commands, or the file that it reads.
pub fn one(host: Host, address: &str) -> Markup {
    let recipe = Recipe::new(host, &ServerName::default(), address);
    let id = host.as_str();
    html! {
        div.field {
            span.small.faint { (host.name()) }
            @if recipe.commands.is_empty() {
                (setting(&recipe))
            } @else {
                (copy::line(id, &recipe.commands.join("\n")))
                details.fold {
                    summary.small.opens { span.turn { (icon(Icon::Chevron)) } "Or put it into its file" }
                    div.below.field { (setting(&recipe)) }
                }
            }
            p.small.soft { (recipe.sign_in) }
        }
    }
}

fn setting(recipe: &Recipe) -> Markup {
    html! {
        span.small.soft { code { (recipe.file) } }
        (copy::line(&format!("{}-file", recipe.host.as_str()), &recipe.setting))
    }
}
