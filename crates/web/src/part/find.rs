//! A list that may be long: a field that finds its rows by name, the first of them, and how many there are.

use maud::{Markup, html};

use super::icon::{Icon, icon};

/// The most rows of a list in one document.
pub const ROWS: usize = 200;
/// With so many rows a list has a field to find one.
const LONG: usize = 20;

/// The rows of a list that are shown.
#[derive(Clone, Debug)]
pub struct Picked<'a, T> {
    /// At most [`ROWS`] that have in them what was asked for.
    pub rows: Vec<&'a T>,
    /// How many have it.
    pub found: usize,
    /// How many there are.
    pub total: usize,
}

/// The rows with a text that holds what was asked for, in either case; all for nothing.
pub fn pick<'a, T, const N: usize>(
    all: &'a [T],
    asked: &str,
    texts: impl Fn(&T) -> [&str; N],
) -> Picked<'a, T> {
    let asked = asked.trim().to_lowercase();
    let fits = |row: &&T| texts(row).iter().any(|text| text.to_lowercase().contains(&asked));
    let mut rows: Vec<&T> = all.iter().filter(fits).collect();
    let found = rows.len();
    rows.truncate(ROWS);
    Picked { rows, found, total: all.len() }
}

/// The first rows of a list in which nothing is looked for.
pub fn first<T>(all: &[T]) -> Picked<'_, T> {
    pick(all, "", |_| [""])
}

impl<T> Picked<'_, T> {
    /// The field, where the list is long or something was asked for.
    pub fn field(&self, action: &str, asked: &str, label: &str) -> Markup {
        html! {
            @if self.total > LONG || !asked.is_empty() {
                form.inline method="get" action=(action) role="search" {
                    input.input type="search" name="q" value=(asked) maxlength="100" placeholder=(label) aria-label=(label);
                    button.button type="submit" { (icon(Icon::Search)) "Find" }
                }
            }
        }
    }

    /// Below the list: that there is more, and how to see it.
    pub fn rest(&self, how: &str) -> Markup {
        html! {
            @if self.found > self.rows.len() {
                p.foot.small.soft { (self.rows.len()) " of " (self.found) ". " (how) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_is_found_in_either_case_and_a_document_holds_two_hundred() {
        let names: Vec<String> = (0..450).map(|n| format!("Row {n}")).collect();
        let all = pick(&names, "", |name| [name.as_str()]);
        assert_eq!((all.rows.len(), all.found, all.total), (ROWS, 450, 450));
        let some = pick(&names, " rOW 44", |name| [name.as_str()]);
        assert_eq!((some.rows.len(), some.found), (11, 11));
        assert_eq!(pick(&names, "nobody", |name| [name.as_str()]).found, 0);
        assert_eq!(some.rest("Find them.").into_string(), "");
        assert!(all.rest("Find them.").into_string().contains("200 of 450. Find them."));
    }
}
