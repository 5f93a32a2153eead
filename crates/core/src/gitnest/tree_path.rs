//! A path in a tree as Git keeps it: bytes, in whatever encoding somebody once wrote them.

/// Where something lies in a tree. The empty path is the root; slashes at either end mean nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreePath(Vec<u8>);

impl TreePath {
    /// Takes the bytes as they are, without slashes at either end.
    pub fn new(bytes: impl AsRef<[u8]>) -> Self {
        let mut bytes = bytes.as_ref();
        while let Some(rest) = bytes.strip_prefix(b"/") {
            bytes = rest;
        }
        while let Some(rest) = bytes.strip_suffix(b"/") {
            bytes = rest;
        }
        Self(bytes.to_vec())
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether it is the root.
    pub const fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// What `name` is called from the root, when this is its folder.
    #[must_use]
    pub fn join(&self, name: &[u8]) -> Self {
        let slash: &[u8] = if self.is_root() { b"" } else { b"/" };
        Self([&self.0, slash, name].concat())
    }

    /// The folder that it is in; the root is in none.
    pub fn parent(&self) -> Option<Self> {
        let cut = self.0.iter().rposition(|byte| *byte == b'/');
        (!self.is_root()).then(|| Self(self.0[..cut.unwrap_or_default()].to_vec()))
    }

    /// The last part; empty for the root.
    pub fn name(&self) -> &[u8] {
        self.0.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
    }

    /// Every folder on the way from the root, without it, and the path itself at the end.
    pub fn steps(&self) -> Vec<Self> {
        let mut steps: Vec<Self> = std::iter::successors(Some(self.clone()), Self::parent)
            .take_while(|path| !path.is_root())
            .collect();
        steps.reverse();
        steps
    }
}

impl AsRef<[u8]> for TreePath {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// For people: what is no UTF-8 is shown by U+FFFD, so never parse it again.
impl std::fmt::Display for TreePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_knows_its_folder_its_name_and_the_way_from_the_root() {
        let path = TreePath::new("/a/b c/\u{e9}.txt/");
        assert_eq!(path.name(), "\u{e9}.txt".as_bytes());
        assert_eq!(path.parent(), Some(TreePath::new("a/b c")));
        let steps: Vec<String> = path.steps().iter().map(ToString::to_string).collect();
        assert_eq!(steps, ["a", "a/b c", "a/b c/\u{e9}.txt"]);
        assert_eq!(TreePath::new("a").parent(), Some(TreePath::default()));
        assert_eq!(TreePath::new("///").parent(), None);
        assert!(TreePath::default().steps().is_empty());
    }

    #[test]
    fn bytes_that_are_no_text_are_kept_as_they_are() {
        let path = TreePath::new("a").join(b"\xff\n");
        assert_eq!((path.as_bytes(), path.to_string().as_str()), (&b"a/\xff\n"[..], "a/\u{fffd}\n"));
        assert_eq!(TreePath::default().join(b"x").as_bytes(), b"x");
    }
}
