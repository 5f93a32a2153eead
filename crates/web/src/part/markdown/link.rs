//! Where the links and pictures of a text in a repository lead.

use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;

use crate::address::{self, Leaf};

/// What relative addresses start from.
#[derive(Clone, Copy, Debug)]
pub struct Base<'a> {
    /// The repository.
    pub repository: ResourceId,
    /// The branch, tag or commit that is looked at.
    pub reference: Option<&'a str>,
    /// The folder of the text.
    pub folder: &'a TreePath,
}

/// What a link may begin with when it leads away.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

impl Base<'_> {
    /// Where a link leads; `None` where it may not be one.
    pub(super) fn link(&self, to: &str) -> Option<String> {
        match Kind::of(to)? {
            Kind::Away(address) => Some(address.to_owned()),
            Kind::Here(fragment) => Some(format!("#{}", anchor_of(fragment))),
            Kind::Inside { path, fragment } => {
                let address = address::at(Leaf::Files, self.repository, &self.path(path), self.reference);
                Some(match fragment {
                    Some(fragment) => format!("{address}#{}", anchor_of(fragment)),
                    None => address,
                })
            }
        }
    }

    /// Where a picture is loaded from: out of the repository, and from nowhere else.
    pub(super) fn image(&self, to: &str) -> Option<String> {
        match Kind::of(to)? {
            Kind::Inside { path, .. } => {
                Some(address::at(Leaf::Raw, self.repository, &self.path(path), self.reference))
            }
            Kind::Away(_) | Kind::Here(_) => None,
        }
    }

    /// The path in the tree. No `..` leads above the root.
    fn path(&self, text: &str) -> TreePath {
        let bytes = address::decoded(text);
        let start = if text.starts_with('/') { TreePath::default() } else { self.folder.clone() };
        bytes.split(|byte| *byte == b'/').fold(start, |path, part| match part {
            b"" | b"." => path,
            b".." => path.parent().unwrap_or_default(),
            name => path.join(name),
        })
    }
}

enum Kind<'t> {
    Away(&'t str),
    Here(&'t str),
    Inside { path: &'t str, fragment: Option<&'t str> },
}

impl<'t> Kind<'t> {
    fn of(to: &'t str) -> Option<Self> {
        // Browsers take tabs and line breaks out of an address, and spaces and controls off its ends.
        if !is_plain(to) {
            return None;
        }
        if let Some(fragment) = to.strip_prefix('#') {
            return Some(Self::Here(fragment));
        }
        let colon = to.find(':').filter(|at| !to[..*at].contains(['/', '?', '#']));
        if let Some(colon) = colon {
            let known = SCHEMES.iter().any(|scheme| to[..colon].eq_ignore_ascii_case(scheme));
            return known.then_some(Self::Away(to));
        }
        // `//host/path` leads to another host; a browser reads a backslash there as a slash.
        if to.starts_with("//") || to.contains('\\') {
            return None;
        }
        let (rest, fragment) =
            to.split_once('#').map_or((to, None), |(rest, fragment)| (rest, Some(fragment)));
        let path = rest.split('?').next().unwrap_or_default();
        Some(Self::Inside { path, fragment })
    }
}

/// Whether an address holds nothing that a browser would read differently from us.
pub(super) fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(' ') && !text.chars().any(char::is_control)
}

/// The id of a heading. It begins with a word of ours, so that no text takes the id of a part of the page.
pub(super) fn anchor(words: &str) -> String {
    let word = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c),
        _ => None,
    };
    let slug: String = words.trim().chars().flat_map(char::to_lowercase).filter_map(word).collect();
    format!("readme-{slug}")
}

/// The id that a fragment means: a line of a file as it is, a heading with our word before it.
fn anchor_of(fragment: &str) -> String {
    let text = String::from_utf8_lossy(&address::decoded(fragment)).into_owned();
    let is_line =
        text.strip_prefix('L').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    if is_line { text } else { address::coded(anchor(&text).as_bytes()) }
}
