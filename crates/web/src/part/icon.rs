//! Line icons on a grid of 16, drawn in the colour of the text around them, hidden from readers of the page.

use maud::{Markup, PreEscaped, html};

macro_rules! icons {
    ($($(#[$doc:meta])* $variant:ident = $path:literal;)+) => {
        /// One picture.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Icon { $($(#[$doc])* $variant),+ }

        impl Icon {
            /// Every icon.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            const fn shapes(self) -> &'static str {
                match self { $(Self::$variant => $path),+ }
            }
        }
    };
}

icons! {
    /// Something to be careful about.
    Alert = r#"<path d="M8 2.2 14.4 13.3H1.6Z"/><path d="M8 6.4v3.1M8 11.4v.1"/>"#;
    /// An assistant.
    Agent = r#"<rect x="2.8" y="5.5" width="10.4" height="7.7" rx="2"/><path d="M8 5.5V2.6M6 8.7v1.2M10 8.7v1.2"/>"#;
    /// A branch.
    Branch = r#"<circle cx="4.7" cy="3.6" r="1.5"/><circle cx="4.7" cy="12.4" r="1.5"/><circle cx="11.3" cy="5" r="1.5"/><path d="M4.7 5.1v5.8M11.3 6.5c0 2.7-6.6 1.6-6.6 4.4"/>"#;
    /// A repository.
    Book = r#"<path d="M3.2 12.6V3.9c0-.9.7-1.6 1.6-1.6h8v8.7H4.8c-.9 0-1.6.7-1.6 1.6s.7 1.6 1.6 1.6h8v-3.2"/><path d="M6.2 5.2h3.9"/>"#;
    /// Done, yes.
    Check = r#"<path d="m3 8.6 3.3 3.3L13 4.6"/>"#;
    /// More of this.
    Chevron = r#"<path d="m6.2 4 4 4-4 4"/>"#;
    /// Time.
    Clock = r#"<circle cx="8" cy="8" r="5.8"/><path d="M8 4.8V8l2.3 1.4"/>"#;
    /// A commit.
    Commit = r#"<circle cx="8" cy="8" r="2.6"/><path d="M1.5 8h3.9M10.6 8h3.9"/>"#;
    /// Take a copy.
    Copy = r#"<rect x="5.8" y="5.8" width="7.6" height="7.6" rx="1.5"/><path d="M10.2 5.8V4.1c0-.8-.7-1.5-1.5-1.5H4.1c-.8 0-1.5.7-1.5 1.5v4.6c0 .8.7 1.5 1.5 1.5h1.7"/>"#;
    /// No, away.
    Cross = r#"<path d="m4 4 8 8M12 4l-8 8"/>"#;
    /// Take it along.
    Download = r#"<path d="M8 2.4v7.4M4.8 6.8 8 10l3.2-3.2M2.8 13.4h10.4"/>"#;
    /// A file.
    File = r#"<path d="M4 2.2h4.8L12 5.4v8.4H4Z"/><path d="M8.8 2.2v3.2H12"/>"#;
    /// A project.
    Folder = r#"<path d="M2 4.2c0-.6.4-1 1-1h3l1.5 1.9H13c.6 0 1 .4 1 1v5.7c0 .6-.4 1-1 1H3c-.6 0-1-.4-1-1Z"/>"#;
    /// What is set.
    Gear = r#"<path d="M2.5 4.8h6.1M11.8 4.8h1.7M2.5 11.2h1.7M7.4 11.2h6.1"/><circle cx="10.2" cy="4.8" r="1.6"/><circle cx="5.8" cy="11.2" r="1.6"/>"#;
    /// Where one begins.
    Home = r#"<path d="M2.4 7.4 8 2.5l5.6 4.9"/><path d="M4 6.3v7.2h8V6.3"/><path d="M6.7 13.5V9.8h2.6v3.7"/>"#;
    /// What waits for a person.
    Inbox = r#"<path d="m2 9.2 2-6h8l2 6v3.1c0 .6-.4 1-1 1H3c-.6 0-1-.4-1-1Z"/><path d="M2 9.2h3.6l1 1.9h2.8l1-1.9H14"/>"#;
    /// A password.
    Key = r#"<circle cx="5.4" cy="10.6" r="2.7"/><path d="M7.4 8.6 13.2 2.8M11 5l1.8 1.8"/>"#;
    /// A link to something else.
    Link = r#"<path d="M6.6 9.4 9.4 6.6M7.4 4.6l1-1a2.9 2.9 0 0 1 4 4l-1 1M8.6 11.4l-1 1a2.9 2.9 0 0 1-4-4l1-1"/>"#;
    /// It moved on meanwhile.
    Moved = r#"<path d="M2.9 8.2a5.2 5.2 0 1 0 1.6-3.9L2.8 5.9"/><path d="M2.8 2.7v3.2H6M8 5.2v3.1l2 1.3"/>"#;
    /// Leave.
    Out = r#"<path d="M6.2 2.8H3.8c-.6 0-1 .4-1 1v8.4c0 .6.4 1 1 1h2.4M6.8 8H14M11.3 5.2 14 8l-2.7 2.8"/>"#;
    /// A person.
    Person = r#"<circle cx="8" cy="5.3" r="2.6"/><path d="M2.9 13.4c.5-2.7 2.5-4 5.1-4s4.6 1.3 5.1 4"/>"#;
    /// What is connected.
    Plug = r#"<path d="M5.8 1.9v3M10.2 1.9v3M3.9 4.9h8.2v2.9a4.1 4.1 0 0 1-8.2 0ZM8 11.9v2.3"/>"#;
    /// Look for it.
    Search = r#"<circle cx="7" cy="7" r="4.3"/><path d="m10.2 10.2 3.6 3.6"/>"#;
    /// Proved, guarded.
    Shield = r#"<path d="m8 1.9 5 1.9v3.9c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.4V3.8Z"/><path d="m5.8 7.9 1.6 1.6 2.9-3"/>"#;
    /// A tag.
    Tag = r#"<path d="M2.4 3.4v4.2l6 6 5.2-5.2-6-6H3.4c-.6 0-1 .4-1 1Z"/><path d="M5.4 5.4v.1"/>"#;
}

/// The picture alone; the words beside it carry the meaning.
pub fn icon(icon: Icon) -> Markup {
    html! {
        svg.icon viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" {
            (PreEscaped(icon.shapes()))
        }
    }
}

/// The mark of the house: a signature, and the second one beside it.
pub fn mark() -> Markup {
    html! {
        svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" {
            path d="m2.5 12.8 4.6 4.7L15 6.5" {}
            path d="m11.6 16.2 1.3 1.3L21.5 6.5" opacity="0.55" {}
        }
    }
}
