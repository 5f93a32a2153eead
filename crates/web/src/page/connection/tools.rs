//! The tools of a connection, each with its switch; the live stream renders it too.

use countersign_app::connection::Switch;
use countersign_app::connection::view::{ConnectionState, ConnectionView, ToolRow};
use countersign_app::gate::Effect;
use maud::{Markup, html};

use crate::frame::Scene;
use crate::part::badge;
use crate::part::field::csrf;
use crate::part::text::count;

/// How much of the hash is shown; the rest is in the title.
const SHOWN: usize = 16;

/// All tools, what they cost together, and the hash of the list.
pub fn tools(scene: &Scene<'_>, view: &ConnectionView) -> Markup {
    let toolbox = &view.toolbox;
    let manages = view.may_manage && view.row.state != ConnectionState::Revoked;
    let on = toolbox.tools.iter().filter(|tool| tool.is_on).count();
    let hash = toolbox.hash.get(..SHOWN).unwrap_or_default();
    html! {
        section.card #tools aria-label="Tools" {
            header {
                h2 { "Tools" }
                span.faint.small { (on) " of " (toolbox.tools.len()) " on, from its next call." }
                @if manages && on < toolbox.tools.len() {
                    form.push method="post" action={ "/connected/" (view.row.id) "/tools/all-on" } {
                        (csrf(&scene.viewer.csrf))
                        button.button type="submit" { "All on" }
                    }
                }
            }
            ul.list { @for tool in &toolbox.tools { (one(scene, view, tool, manages)) } }
            div.foot.facts {
                span { "The list costs a model " (count(toolbox.tokens, "token")) }
                span { "Hash " code title={ "SHA-256 " (toolbox.hash) } { (hash) } }
            }
        }
    }
}

fn one(scene: &Scene<'_>, view: &ConnectionView, tool: &ToolRow, manages: bool) -> Markup {
    let lacks = view.row.state == ConnectionState::Active && !view.scopes.holds(tool.scope);
    html! {
        li id={ "tool-" (tool.name) } {
            div.what {
                code.name { (tool.name) }
                p.small.soft { (tool.description) }
                div.facts {
                    span { code { (tool.scope.as_str()) } }
                    span { (effect(tool.effect)) }
                    @if let Some(tokens) = tool.tokens { span { (count(tokens, "token")) } }
                    @if lacks { span { "its sign-in does not hold this scope" } }
                }
            }
            @if manages { (switch(scene, view, tool)) } @else { (state(tool)) }
        }
    }
}

/// A button in a form of its own: it works without a script, and says which way it is.
fn switch(scene: &Scene<'_>, view: &ConnectionView, tool: &ToolRow) -> Markup {
    let (to, checked) = if tool.is_on { (Switch::Off, "true") } else { (Switch::On, "false") };
    html! {
        form.over method="post" action={ "/connected/" (view.row.id) "/tools" } {
            (csrf(&scene.viewer.csrf))
            input type="hidden" name="tool" value=(tool.name);
            input type="hidden" name="to" value=(to.as_str());
            button.switch type="submit" role="switch" aria-checked=(checked) aria-label=(tool.name) {
                span.knob aria-hidden="true" {}
                @if tool.is_on { "On" } @else { "Off" }
            }
        }
    }
}

/// For who only looks.
fn state(tool: &ToolRow) -> Markup {
    if tool.is_on { badge::badge("good", "On") } else { badge::badge("off", "Off") }
}

/// What a call can do, in words.
const fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "changes nothing",
        Effect::Write => "adds something",
        Effect::Set => "changes something",
        Effect::Destroy => "takes something away",
    }
}
