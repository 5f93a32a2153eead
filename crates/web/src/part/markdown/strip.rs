//! HTML in Markdown without its tags: what is left is text, and is escaped as such afterwards.

/// What is open at the end of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Open {
    #[default]
    Nothing,
    Tag,
    Comment,
    /// An element whose content is no text for a reader.
    Hidden(&'static str),
}

/// Takes tags out of lines, one after the other. It decides what is read, not what is safe.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strip(Open);

/// Elements that are left out with their content.
const HIDDEN: [(&str, &str); 3] = [("script", "</script"), ("style", "</style"), ("title", "</title")];

impl Strip {
    /// The text of some more HTML.
    pub(super) fn text(&mut self, html: &str) -> String {
        let (mut kept, mut rest) = (String::new(), html);
        while !rest.is_empty() {
            rest = match self.0 {
                Open::Nothing => self.outside(rest, &mut kept),
                Open::Tag => self.until(rest, ">"),
                Open::Comment => self.until(rest, "-->"),
                Open::Hidden(end) => match find(rest, end) {
                    Some(at) => {
                        self.0 = Open::Tag;
                        &rest[at..]
                    }
                    None => "",
                },
            };
        }
        kept
    }

    fn outside<'t>(&mut self, text: &'t str, kept: &mut String) -> &'t str {
        let Some(at) = text.find('<') else {
            kept.push_str(text);
            return "";
        };
        kept.push_str(&text[..at]);
        let tag = &text[at + 1..];
        if tag.starts_with("!--") {
            self.0 = Open::Comment;
        } else if let Some((_, end)) = HIDDEN.iter().find(|(name, _)| begins(tag, name)) {
            self.0 = Open::Hidden(end);
        } else if tag.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) {
            self.0 = Open::Tag;
        } else {
            kept.push('<');
        }
        tag
    }

    fn until<'t>(&mut self, text: &'t str, end: &str) -> &'t str {
        match text.find(end) {
            Some(at) => {
                self.0 = Open::Nothing;
                &text[at + end.len()..]
            }
            None => "",
        }
    }
}

fn begins(text: &str, word: &str) -> bool {
    text.as_bytes().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// Where `word` stands, whatever its case.
fn find(text: &str, word: &str) -> Option<usize> {
    text.as_bytes().windows(word.len()).position(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_comments_and_scripts_go_and_words_stay() {
        let mut strip = Strip::default();
        assert_eq!(strip.text("<p align=\"center\">\n"), "\n");
        assert_eq!(strip.text("  <b>Bold</b> &amp; 1 < 2 <!-- not"), "  Bold &amp; 1 < 2 ");
        assert_eq!(strip.text("this --> but <SCRIPT>alert(1)"), " but ");
        assert_eq!(strip.text("more</script >this<br"), "this");
        assert_eq!(strip.text(">x\u{e9}<"), "x\u{e9}<");
    }
}
