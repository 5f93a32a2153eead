//! The cells of a table in Markdown.

use pulldown_cmark::{Alignment, Event, Tag, TagEnd};

/// The row of a table under way. Where its text stands is a class of ours: the usual renderer writes a style into the
/// markup, which the policy of our pages forbids.
#[derive(Debug, Default)]
pub(super) struct Cells {
    columns: Vec<Alignment>,
    next: usize,
    head: bool,
}

impl Cells {
    /// The event to render instead of one about a table.
    pub(super) fn take<'a>(&mut self, event: Event<'a>) -> Event<'a> {
        if let Event::Start(Tag::Table(columns)) = event {
            self.columns = columns;
            return Event::Start(Tag::Table(Vec::new()));
        }
        if event == Event::Start(Tag::TableCell) {
            return Event::InlineHtml(self.open().into());
        }
        if event == Event::End(TagEnd::TableCell) {
            return Event::InlineHtml(if self.head { "</th>" } else { "</td>" }.into());
        }
        self.next = 0;
        self.head = event == Event::Start(Tag::TableHead);
        event
    }

    fn open(&mut self) -> String {
        let class = match self.columns.get(self.next) {
            Some(Alignment::Right) => " class=\"right\"",
            Some(Alignment::Center) => " class=\"center\"",
            Some(Alignment::Left | Alignment::None) | None => "",
        };
        self.next += 1;
        format!("<{}{class}>", if self.head { "th" } else { "td" })
    }
}
