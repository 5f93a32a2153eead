//! One commit with its signature state and its diff.

use countersign_app::commit::view::{CommitView, SignatureState, Signer};
use countersign_app::diff::view::{FileChange, FileDiff};
use countersign_core::gitnest::tree_path::TreePath;
use maud::{Markup, html};

use crate::address::{self, Leaf};
use crate::frame::{self, Page, Scene, Section};
use crate::part::copy;
use crate::part::diff::{self, Layout};
use crate::part::icon::{Icon, icon};
use crate::part::notice::{Kind, notice};
use crate::part::text::{count, oid, short, visible};
use crate::part::time::moment;

/// The whole page.
pub fn page(scene: &Scene<'_>, view: &CommitView, layout: Layout, live: &str) -> Markup {
    let root = TreePath::default();
    let main = html! {
        div.head {
            nav.crumb aria-label="Where" {
                a href="/repositories" { "Repositories" } span { "/" }
                a href=(address::at(Leaf::Files, view.repository_id, &root, None)) { (visible(&view.repository)) } span { "/" }
                span { "commit " (short(&view.oid)) }
            }
            h1 { (visible(title(view))) }
            div.facts {
                span { (icon(Icon::Commit)) (oid(&view.oid)) }
                span { (icon(Icon::Clock)) (moment(view.committer.at)) }
                a href=(address::at(Leaf::Files, view.repository_id, &root, Some(&view.oid))) { (icon(Icon::Folder)) "Files at this commit" }
                @if let Some(proposal) = view.proposal { span { (icon(Icon::Check)) a href={ "/approvals/" (proposal) } { "approved proposal" } } }
            }
        }
        div.review {
            div.body {
                @if !view.body.trim().is_empty() {
                    section.card aria-label="Message" { p.pad.message { (visible(view.body.trim())) } }
                }
                section.stack.tight aria-label="Files" {
                    div.row.apart {
                        h2 { (count(view.files.len(), "file")) @if view.more { " and more" } }
                        span.joined {
                            a class={ "button" @if layout == Layout::Unified { " on" } } href="?view=unified" { "Unified" }
                            a class={ "button" @if layout == Layout::Split { " on" } } href="?view=split" { "Split" }
                        }
                    }
                    @if let [first, _, ..] = view.parents.as_slice() {
                        p.small.soft { "A merge. These are its changes beside its first parent, " a href=(address::commit(view.repository_id, first)) { (oid(first)) } "." }
                    }
                    @if view.files.len() > 1 { nav.card aria-label="Changed files" { (diff::contents(&view.files)) } }
                    (diff::files_with(&view.files, layout, |file| place(view, file)))
                }
            }
            aside.rail { (signature(view)) (facts(view)) }
        }
    };
    let title = format!("{} · {}", title(view), short(&view.oid));
    frame::app(
        scene,
        &Page { title: &title, section: Section::Repositories, live, bar: false, wide: true },
        &main,
    )
}

/// The first line of its message, or words where it says nothing.
fn title(view: &CommitView) -> &str {
    if view.title.trim().is_empty() { "(no message)" } else { &view.title }
}

/// Where a file of the change is as the commit left it; one that it removed, as it was before.
fn place(view: &CommitView, file: &FileDiff) -> Option<String> {
    let commit = match file.change {
        FileChange::Added | FileChange::Modified => Some(&view.oid),
        FileChange::Removed => view.parents.first(),
    };
    commit.map(|oid| address::at(Leaf::Files, view.repository_id, &file.place, Some(oid)))
}

fn signature(view: &CommitView) -> Markup {
    html! {
        @match &view.signature {
            SignatureState::Good { fingerprint } => (notice(Kind::Good, "Signed by this server", &html! { code.small { (fingerprint) } })),
            SignatureState::Bad => (notice(Kind::Bad, "The signature does not fit", &html! { "The bytes are not the ones that this server signed. Do not trust this commit." })),
            SignatureState::Unknown => (notice(Kind::Warn, "Signed by a key that is not known here", &html! { "It may be a person's own. This server cannot say whose." })),
            SignatureState::Missing => (notice(Kind::Plain, "Not signed", &html! { "It did not come through an approval here." })),
        }
        @if let Some(line) = &view.allowed_signers {
            details.card.fold {
                summary.pad { (icon(Icon::Shield)) "Verify it in your clone" span.push.turn { (icon(Icon::Chevron)) } }
                div.pad.stack.tight.under {
                    p.small.soft { "Save this line as a file:" }
                    (copy::line("signers", line))
                    p.small.soft { "Then, in the clone:" }
                    (copy::line("verify", &format!("git -c gpg.ssh.allowedSignersFile=FILE verify-commit {}", view.oid)))
                }
            }
        }
    }
}

fn facts(view: &CommitView) -> Markup {
    html! {
        section.card aria-label="Header" {
            dl.terms.down.pad {
                dt { "Author" } dd { (person(&view.author)) }
                dt { "Committer" } dd { (person(&view.committer)) }
                dt { "Commit" } dd { code { (view.oid) } }
                dt { @if view.parents.len() == 1 { "Parent" } @else { "Parents" } }
                @for parent in &view.parents { dd { a href=(address::commit(view.repository_id, parent)) { (oid(parent)) } } }
                @if view.parents.is_empty() { dd.faint { "none" } }
                dt { "Clone" } dd { code { (view.clone_url) } }
            }
        }
    }
}

fn person(signer: &Signer) -> Markup {
    html! { (visible(&signer.name)) br; span.faint { (visible(&signer.mail)) } br; span.faint { (moment(signer.at)) } }
}
