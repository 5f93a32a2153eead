//! A line of code with its colours, and with marks where something in it matters.

use std::ops::Range;

use maud::{Markup, html};

use super::text::visible;
use crate::highlight::Span;

/// The line with its colours; each marked stretch stands in a `mark` of its own. Marks are in order, on character
/// borders, and do not overlap.
pub fn painted(text: &str, spans: &[Span], marks: &[Range<usize>]) -> Markup {
    let mut at = 0;
    html! {
        @for mark in marks.iter().filter(|mark| !mark.is_empty()) {
            @let before = std::mem::replace(&mut at, mark.end)..mark.start;
            (coloured(text, spans, before))
            mark { (coloured(text, spans, mark.clone())) }
        }
        (coloured(text, spans, at..text.len()))
    }
}

fn coloured(text: &str, spans: &[Span], within: Range<usize>) -> Markup {
    html! {
        @for (stretch, class) in stretches(spans, within) {
            @if class.is_some() { span class=[class] { (visible(&text[stretch])) } } @else { (visible(&text[stretch])) }
        }
    }
}

/// What lies within, cut where the colour changes.
fn stretches(spans: &[Span], within: Range<usize>) -> Vec<(Range<usize>, Option<&'static str>)> {
    let mut out = Vec::new();
    let mut at = within.start;
    for span in spans {
        let (from, to) = (span.from.max(within.start), span.to.min(within.end));
        if from < to {
            out.push((at..from, None));
            out.push((from..to, span.token.class()));
            at = to;
        }
    }
    out.push((at..within.end, None));
    out.retain(|(stretch, _)| !stretch.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::highlight::{Highlighter, Language};

    #[test]
    fn a_mark_cuts_through_colours_and_loses_no_text() {
        let text = "let a = \"one two\";";
        let spans = Highlighter::new(Language::of_path("a.rs")).line(text);
        let html = painted(text, &spans, std::slice::from_ref(&(13..16))).into_string();
        assert_eq!(
            html,
            "<span class=\"c-k\">let</span> a = <span class=\"c-s\">&quot;one </span>\
             <mark><span class=\"c-s\">two</span></mark><span class=\"c-s\">&quot;</span>;"
        );
    }

    #[test]
    fn several_marks_stand_in_their_places() {
        assert_eq!(painted("abcabc", &[], &[0..1, 3..4]).into_string(), "<mark>a</mark>bc<mark>a</mark>bc");
        assert_eq!(painted("<b>", &[], &[]).into_string(), "&lt;b&gt;");
    }
}
