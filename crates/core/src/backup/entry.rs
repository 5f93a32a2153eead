//! The names of entries. Only these are read: no name of a backup ever becomes a path as it stands there.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::id::ResourceId;

/// The files of keys that a server keeps.
const KEYS: [&str; 4] =
    ["client-id.key", "commit_signing", "commit_signing.pub", "commit_signing_retired.pub"];

/// Those without which a server does not go on as it was.
pub const NEEDED_KEYS: [&str; 2] = ["client-id.key", "commit_signing"];

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryName {
    /// The head of the file.
    Head,
    /// Every row of a table.
    Table(String),
    /// A file of the server's keys.
    Key(&'static str),
    /// The branches and tags of a repository.
    Refs(ResourceId),
    /// Their objects, as a pack of git. An empty repository has none.
    Pack(ResourceId),
    /// The list of all others.
    Manifest,
}

impl EntryName {
    /// Every file of keys that there may be.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        KEYS.into_iter()
    }

    /// Reads a name, exactly as [`std::fmt::Display`] writes it.
    pub fn parse(text: &str) -> Option<Self> {
        let name = match (text, text.split_once('/')) {
            (HEAD, _) => Self::Head,
            (MANIFEST, _) => Self::Manifest,
            (_, Some(("store", rest))) => Self::Table(table(rest)?.to_owned()),
            (_, Some(("keys", rest))) => Self::Key(KEYS.into_iter().find(|name| *name == rest)?),
            (_, Some(("repositories", rest))) => {
                let (id, end) = rest.rsplit_once('.')?;
                let id = ResourceId::parse(id).ok()?;
                match end {
                    "refs" => Self::Refs(id),
                    "pack" => Self::Pack(id),
                    _ => return None,
                }
            }
            _ => return None,
        };
        // An id may be written in two ways; one of them is ours.
        (name.to_string() == text).then_some(name)
    }
}

const HEAD: &str = "countersign-backup.json";
const MANIFEST: &str = "manifest.json";

fn table(rest: &str) -> Option<&str> {
    let name = rest.strip_suffix(".jsonl")?;
    let fits = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    fits.then_some(name)
}

impl std::fmt::Display for EntryName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Head => f.write_str(HEAD),
            Self::Table(name) => write!(f, "store/{name}.jsonl"),
            Self::Key(name) => write!(f, "keys/{name}"),
            Self::Refs(id) => write!(f, "repositories/{id}.refs"),
            Self::Pack(id) => write!(f, "repositories/{id}.pack"),
            Self::Manifest => f.write_str(MANIFEST),
        }
    }
}

impl Serialize for EntryName {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for EntryName {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(d)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not the name of an entry"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_as_it_was_written() {
        let id = ResourceId::new(uuid::Uuid::from_u128(0xabc));
        for name in [
            EntryName::Head,
            EntryName::Table("audit_seal".to_owned()),
            EntryName::Key("client-id.key"),
            EntryName::Refs(id),
            EntryName::Pack(id),
            EntryName::Manifest,
        ] {
            assert_eq!(EntryName::parse(&name.to_string()), Some(name));
        }
    }

    #[test]
    fn what_could_lead_elsewhere_is_no_name() {
        for text in [
            "",
            "/etc/passwd",
            "../countersign-backup.json",
            "./manifest.json",
            "store/../keys/commit_signing",
            "store/a/b.jsonl",
            "store/.jsonl",
            "store/person.jsonl/",
            "store/Person.jsonl",
            "keys/../commit_signing",
            "keys/authorized_keys",
            "repositories/../x.pack",
            "repositories/00000000-0000-0000-0000-000000000ABC.pack",
            "repositories/00000000-0000-0000-0000-000000000abc.idx",
            "manifest.json\0",
        ] {
            assert_eq!(EntryName::parse(text), None, "{text:?}");
        }
    }
}
