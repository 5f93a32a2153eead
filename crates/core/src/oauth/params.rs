//! Parameters of a query or a form: known ones once, empty ones as if left out, unknown ones ignored.

/// Name and value pairs as they came, decoded.
#[derive(Clone, Default)]
pub struct Params(Vec<(String, String)>);

/// A known parameter that came more than once (RFC 6749 §3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated;

impl Params {
    /// Keeps the pairs in the order in which they came.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(pairs.into_iter().collect())
    }

    /// The value of a parameter that may come once; none when it is left out or empty.
    pub fn once(&self, name: &str) -> Result<Option<&str>, Repeated> {
        let mut values = self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(Repeated),
            (value, None) => Ok(value.filter(|value| !value.is_empty())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(pairs: &[(&str, &str)]) -> Params {
        Params::new(pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())))
    }

    #[test]
    fn a_repeated_parameter_is_refused_even_with_one_value() {
        assert_eq!(params(&[("a", "1"), ("a", "1")]).once("a"), Err(Repeated));
        assert_eq!(params(&[("a", "1"), ("a", "")]).once("a"), Err(Repeated));
    }

    #[test]
    fn an_empty_parameter_is_left_out() {
        assert_eq!(params(&[("a", "")]).once("a"), Ok(None));
        assert_eq!(params(&[("b", "2")]).once("a"), Ok(None));
    }
}
