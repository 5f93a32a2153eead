//! Markdown that others wrote, as markup that can do nothing: no tag of theirs, no address of theirs is loaded, and a
//! link leads to the web, to a mail address or into the repository (docs/decisions/08-markdown.md).

mod code;
mod link;
mod strip;
mod table;

use std::collections::{HashMap, HashSet};

use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html::push_html};

use super::text::{hides_something, visible};
use strip::Strip;
use table::Cells;

pub use link::Base;

const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM);

/// The text, rendered. Its relative links start from `base`.
pub fn markdown(text: &str, base: &Base<'_>) -> Markup {
    let events: Vec<Event<'_>> = Parser::new_ext(text, OPTIONS).collect();
    let mut safe = Safe {
        base,
        out: Vec::new(),
        strip: Strip::default(),
        links: Vec::new(),
        images: Vec::new(),
        cells: Cells::default(),
        ids: Ids::default(),
    };
    let mut rest = events.as_slice();
    while let Some((event, after)) = rest.split_first() {
        rest = safe.take(event.clone(), after);
    }
    let mut shown = String::new();
    push_html(&mut shown, safe.out.into_iter());
    PreEscaped(shown)
}

/// The events that are left when everything of the author's that acts is taken out.
struct Safe<'a, 'b> {
    base: &'a Base<'b>,
    out: Vec<Event<'a>>,
    strip: Strip,
    /// For each link that is open, whether it is kept.
    links: Vec<bool>,
    /// For each picture that is open, what becomes of it.
    images: Vec<Picture>,
    cells: Cells,
    ids: Ids,
}

/// The ids of the headings so far: the second of two equal ones gets a number, as on other sites.
#[derive(Default)]
struct Ids {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Ids {
    fn one(&mut self, id: &str) -> String {
        let next = self.next.entry(id.to_owned()).or_default();
        let mut one = if *next == 0 { id.to_owned() } else { format!("{id}-{next}") };
        *next += 1;
        while !self.taken.insert(one.clone()) {
            one = format!("{id}-{next}");
            *next += 1;
        }
        one
    }
}

/// What becomes of a picture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Picture {
    /// It is in the repository, and is shown.
    Shown,
    /// It is elsewhere, and is a link to there.
    Linked,
    /// Its description alone.
    Told,
}

impl<'a> Safe<'a, '_> {
    /// Takes one event, and answers those that are still to be taken.
    fn take<'e>(&mut self, event: Event<'a>, after: &'e [Event<'a>]) -> &'e [Event<'a>] {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => return self.code(&kind, after),
            Event::Start(Tag::Heading { level, .. }) => {
                let id = Some(self.ids.one(&link::anchor(&heading(after))).into());
                let tag = Tag::Heading { level, id, classes: Vec::new(), attrs: Vec::new() };
                self.out.push(Event::Start(tag));
            }
            Event::Start(Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell)
            | Event::End(TagEnd::TableCell) => self.out.push(self.cells.take(event)),
            Event::Start(Tag::Link { link_type, dest_url, .. }) => self.open_link(link_type, &dest_url),
            Event::End(TagEnd::Link) => {
                if self.links.pop() == Some(true) {
                    self.out.push(Event::End(TagEnd::Link));
                }
            }
            Event::Start(Tag::Image { dest_url, .. }) => self.open_image(&dest_url),
            Event::End(TagEnd::Image) => match self.images.pop() {
                Some(Picture::Shown) => self.out.push(Event::End(TagEnd::Image)),
                Some(Picture::Linked) => self.out.push(Event::End(TagEnd::Link)),
                Some(Picture::Told) | None => {}
            },
            Event::Start(Tag::HtmlBlock) => self.out.push(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::HtmlBlock) => {
                self.strip = Strip::default();
                self.out.push(Event::End(TagEnd::Paragraph));
            }
            Event::Html(html) => {
                let kept = self.strip.text(&html);
                self.text(kept.into());
            }
            Event::Text(text) => self.text(text),
            Event::Code(text) if hides_something(&text) && !self.images.contains(&Picture::Shown) => {
                self.out.push(Event::InlineHtml(html! { code { (visible(&text)) } }.into_string().into()));
            }
            Event::TaskListMarker(done) => {
                let word = if done { "Done" } else { "To do" };
                let mark = html! { input type="checkbox" disabled checked[done] aria-label=(word); " " };
                self.out.push(Event::InlineHtml(mark.into_string().into()));
            }
            Event::Code(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule
            | Event::Start(_)
            | Event::End(_) => self.out.push(event),
            // A tag among words comes as an event of its own: its text is in others. The rest is not switched on.
            Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => {}
        }
        after
    }

    fn text(&mut self, text: CowStr<'a>) {
        // The description of a picture becomes an attribute, which can hold no markup.
        if hides_something(&text) && !self.images.contains(&Picture::Shown) {
            self.out.push(Event::InlineHtml(visible(&text).into_string().into()));
        } else {
            self.out.push(Event::Text(text));
        }
    }

    fn code<'e>(
        &mut self,
        kind: &pulldown_cmark::CodeBlockKind<'_>,
        after: &'e [Event<'a>],
    ) -> &'e [Event<'a>] {
        let end = after.iter().position(|event| matches!(event, Event::End(TagEnd::CodeBlock)));
        let (inside, rest) = after.split_at(end.unwrap_or(after.len()));
        let text: String = inside
            .iter()
            .filter_map(|event| if let Event::Text(text) = event { Some(text.as_ref()) } else { None })
            .collect();
        self.out.push(Event::Html(code::block(kind, &text).into_string().into()));
        rest.get(1..).unwrap_or_default()
    }

    fn open_link(&mut self, kind: LinkType, to: &str) {
        let to = match kind {
            LinkType::Email => link::is_plain(to).then(|| to.to_owned()),
            LinkType::Inline
            | LinkType::Reference
            | LinkType::ReferenceUnknown
            | LinkType::Collapsed
            | LinkType::CollapsedUnknown
            | LinkType::Shortcut
            | LinkType::ShortcutUnknown
            | LinkType::Autolink
            | LinkType::WikiLink { .. } => self.base.link(to),
        };
        self.links.push(to.is_some());
        if let Some(to) = to {
            self.out.push(link_to(kind, to));
        }
    }

    fn open_image(&mut self, to: &str) {
        let picture = if let Some(shown) = self.base.image(to) {
            let tag = Tag::Image {
                link_type: LinkType::Inline,
                dest_url: shown.into(),
                title: CowStr::Borrowed(""),
                id: CowStr::Borrowed(""),
            };
            self.out.push(Event::Start(tag));
            Picture::Shown
        } else if let Some(to) = self.base.link(to).filter(|_| !self.links.contains(&true)) {
            self.out.push(link_to(LinkType::Inline, to));
            Picture::Linked
        } else {
            Picture::Told
        };
        self.images.push(picture);
    }
}

fn link_to<'a>(link_type: LinkType, to: String) -> Event<'a> {
    Event::Start(Tag::Link {
        link_type,
        dest_url: to.into(),
        title: CowStr::Borrowed(""),
        id: CowStr::Borrowed(""),
    })
}

/// The words of a heading.
fn heading(after: &[Event<'_>]) -> String {
    let inside = after.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    let words = inside.filter_map(|event| {
        if let Event::Text(text) | Event::Code(text) = event { Some(text.as_ref()) } else { None }
    });
    words.collect()
}

#[cfg(test)]
mod tests;
