//! What keys open on every page: the palette, which goes anywhere by name, and the list of the keys themselves.

use countersign_app::session::view::Viewer;
use maud::{Markup, html};

use super::entries;
use crate::part::icon::{Icon, icon};

/// The palette. Its list is that of `/go`, which works without it.
pub(super) fn palette() -> Markup {
    html! {
        dialog.palette #palette aria-label="Go to" {
            form method="get" action="/go" role="search" {
                label.ask {
                    (icon(Icon::Search))
                    span.unseen { "Name of a page, proposal, repository or assistant" }
                    input type="search" name="q" maxlength="100" placeholder="Go to a page, proposal, repository, assistant…" autocomplete="off" spellcheck="false";
                }
            }
            div #found aria-live="polite" {}
        }
    }
}

/// Keys and what they do, as the list says it.
const KEYS: [(&[&str], &str); 9] = [
    (&["j"], "Next in a list, or next proposal"),
    (&["k"], "The one before"),
    (&["Enter"], "Open"),
    (&["a"], "To Approve: in the queue it opens the proposal there"),
    (&["d"], "To Decline, with a reason"),
    (&["x"], "Select in the queue"),
    (&["Ctrl K", "/"], "Go to anything by name"),
    (&["?"], "This list"),
    (&["Esc"], "Close"),
];

/// The list of keys.
pub(super) fn keys(viewer: &Viewer) -> Markup {
    html! {
        dialog.shortcuts #shortcuts aria-labelledby="shortcuts-title" {
            header {
                h2 #shortcuts-title { "Keys" }
                form.push method="dialog" { button.button.quiet.square type="submit" aria-label="Close" { (icon(Icon::Cross)) } }
            }
            dl.pad {
                @for (keys, what) in KEYS {
                    dt { @for key in keys { kbd { (key) } } } dd { (what) }
                }
                @for entry in entries(viewer) {
                    dt { kbd { "g" } kbd { (entry.key) } } dd { "Go to " (entry.name) }
                }
            }
        }
    }
}
