//! A name that people give to themselves or to a thing, as pages and commit headers show it.

use countersign_core::limit::NAME as LIMIT;
use countersign_core::problem::Problem;
use countersign_core::text::clean_name;

/// A name that can stand in a commit header and on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// Reads a name of 1 to 80 visible characters from the argument `field`. What could hide or steer is
    /// refused, not dropped, so that nothing gets another name than its person sees.
    pub fn new(field: &str, text: &str) -> Result<Self, Problem> {
        let spaced: Vec<&str> = text.split_whitespace().collect();
        let name = spaced.join(" ");
        if name.is_empty() || name.chars().count() > LIMIT || clean_name(&name, LIMIT) != name {
            return Err(Problem::invalid(field, "1 to 80 visible characters without < and >"));
        }
        Ok(Self(name))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_letters_and_loses_stray_spaces() {
        assert_eq!(Name::new("name", "  Ada \u{a0} Lovelace ").unwrap().as_str(), "Ada Lovelace");
        assert_eq!(Name::new("name", "北条 時子").unwrap().as_str(), "北条 時子");
    }

    #[test]
    fn a_name_that_hides_something_is_refused() {
        let long = "a".repeat(81);
        for text in ["", "  ", "Ada <root@x>", "Ada\u{202e}", "\u{200b}", "Ada\u{7}", &long] {
            assert!(Name::new("name", text).is_err(), "{text:?}");
        }
    }
}
