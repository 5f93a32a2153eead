//! What a credential may do: scopes of connections (OAuth) and of personal access tokens.

/// A connection's scope, as OAuth spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Read what the connection was granted.
    Read,
    /// Write and propose.
    Write,
    /// Start and cancel runs.
    Run,
}

impl Scope {
    /// Every scope, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Run];

    /// The word of RFC 6749 §3.3.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "countersign:read",
            Self::Write => "countersign:write",
            Self::Run => "countersign:run",
        }
    }

    /// Reads the word on the wire.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text)
    }
}

/// What a personal access token may do. None implies another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenScope {
    /// Clone and fetch.
    RepoRead,
    /// Push.
    RepoWrite,
    /// The REST API.
    Api,
    /// Decide proposals.
    Decide,
}

impl TokenScope {
    /// Every scope, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::RepoRead, Self::RepoWrite, Self::Api, Self::Decide];

    /// The word on the wire and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RepoRead => "repo:read",
            Self::RepoWrite => "repo:write",
            Self::Api => "api",
            Self::Decide => "proposals:decide",
        }
    }

    /// Reads the word on the wire.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text)
    }
}

impl schemars::JsonSchema for TokenScope {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TokenScope".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": Self::ALL.map(Self::as_str) })
    }
}

macro_rules! scope_set {
    ($(#[$doc:meta])* $name:ident of $scope:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $name(Vec<$scope>);

        impl $name {
            /// Keeps each scope once, in the order of `ALL`.
            pub fn new(scopes: impl IntoIterator<Item = $scope>) -> Self {
                let mut kept: Vec<$scope> = scopes.into_iter().collect();
                kept.sort_unstable();
                kept.dedup();
                Self(kept)
            }

            /// Reads a space-separated list; words that are not ours are dropped.
            pub fn parse(text: &str) -> Self {
                Self::new(text.split_ascii_whitespace().filter_map($scope::parse))
            }

            /// Whether `scope` is among them.
            pub fn holds(&self, scope: $scope) -> bool {
                self.0.contains(&scope)
            }

            /// Whether there is none.
            pub fn is_empty(&self) -> bool {
                self.0.is_empty()
            }

            /// Each scope, in the order of `ALL`.
            pub fn iter(&self) -> impl Iterator<Item = $scope> + '_ {
                self.0.iter().copied()
            }

            /// What is in both.
            #[must_use]
            pub fn intersect(&self, other: &Self) -> Self {
                Self::new(self.iter().filter(|scope| other.holds(*scope)))
            }
        }

        impl std::fmt::Display for $name {
            /// The space-separated list of RFC 6749 §3.3.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                for (i, scope) in self.0.iter().enumerate() {
                    if i > 0 { f.write_str(" ")?; }
                    f.write_str(scope.as_str())?;
                }
                Ok(())
            }
        }
    };
}

scope_set!(
    /// The scopes that a connection holds.
    Scopes of Scope
);
scope_set!(
    /// The scopes that a personal access token holds.
    TokenScopes of TokenScope
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_scopes_are_dropped_and_known_ones_sorted() {
        let scopes = Scopes::parse("openid countersign:write countersign:read countersign:write");
        assert_eq!(scopes.to_string(), "countersign:read countersign:write");
    }

    #[test]
    fn deciding_is_implied_by_nothing() {
        assert!(!TokenScopes::parse("api repo:write repo:read").holds(TokenScope::Decide));
    }
}
