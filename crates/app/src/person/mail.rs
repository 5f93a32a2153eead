//! A mail address, as a person signs in with it.

use countersign_core::limit::MAIL as LIMIT;
use countersign_core::problem::Problem;

/// A mail address that was read once. Two that differ in case alone are one person's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    shown: String,
    key: String,
}

impl Mail {
    /// Reads an address of visible ASCII: `local@domain`. Letters that look like others are kept out, since
    /// the address tells people apart.
    pub fn new(text: &str) -> Result<Self, Problem> {
        let shown = text.trim();
        let bad = |rule: &str| Err(Problem::invalid("mail", rule));
        if shown.len() > LIMIT {
            return bad("at most 254 characters");
        }
        if !shown.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"(),;:\\[]".contains(&byte)) {
            return bad("plain ASCII letters, digits and signs, without spaces");
        }
        match shown.split_once('@') {
            Some((local, domain)) if !local.is_empty() && is_domain(domain) => {
                Ok(Self { shown: shown.to_owned(), key: shown.to_ascii_lowercase() })
            }
            Some(_) | None => bad("an address such as ada@example.org"),
        }
    }

    /// As it was written.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Folded: what is unique.
    pub fn key(&self) -> &str {
        &self.key
    }
}

fn is_domain(text: &str) -> bool {
    text.split('.').all(|label| {
        !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_persons_in_whatever_case() {
        let mail = Mail::new(" Ada@Example.ORG ").unwrap();
        assert_eq!((mail.shown(), mail.key()), ("Ada@Example.ORG", "ada@example.org"));
        assert!(Mail::new("root@localhost").is_ok());
    }

    #[test]
    fn what_is_no_address_is_refused() {
        let long = format!("{}@example.org", "a".repeat(250));
        let fields = ["", "@", "ada", "@example.org", "ada@", "a@b@c", "a b@c", "a@-b", "a@b..c", "<a@b>"];
        for text in fields.into_iter().chain(["\u{430}da@x.org", "a@x\r\nBcc: b@x", &long]) {
            let problem = Mail::new(text).unwrap_err();
            assert_eq!(problem.facts["field"], "mail", "{text}");
        }
    }
}
