//! What stands where a list would be: what belongs there, and how it comes.

use maud::{Markup, html};

use super::icon::{Icon, icon};

/// A picture, a heading, a sentence, and perhaps something to press.
pub fn empty(picture: Icon, heading: &str, sentence: &str, action: Option<&Markup>) -> Markup {
    html! {
        div.empty {
            (icon(picture))
            b { (heading) }
            p { (sentence) }
            @if let Some(action) = action { div.actions { (action) } }
        }
    }
}
