//! What stands in the place of a path's parameters.

use countersign_core::route::Route;

/// Of each kind one.
#[derive(Clone, Debug)]
pub(crate) struct Ids {
    pub(crate) project: String,
    pub(crate) repository: String,
    pub(crate) proposal: String,
    pub(crate) connection: String,
    pub(crate) token: String,
    pub(crate) user: String,
    pub(crate) commit: String,
    /// The name of a repository, for git.
    pub(crate) name: String,
}

impl Ids {
    /// Well-formed, and nowhere.
    pub(crate) fn nowhere() -> Self {
        let id = || "0190f0f0-0000-7000-8000-000000000001".to_owned();
        Self {
            project: id(),
            repository: id(),
            proposal: id(),
            connection: id(),
            token: id(),
            user: id(),
            commit: "a".repeat(40),
            name: "nowhere".to_owned(),
        }
    }

    /// The path and query of a route.
    pub(crate) fn address(&self, route: &Route) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut before = "";
        for part in route.path.split('/') {
            parts.push(if part.starts_with('{') {
                self.value(before, part, route.path)
            } else {
                part.to_owned()
            });
            before = part;
        }
        let query = match route.path {
            "/live" => "?of=count",
            "/api/v1/repositories/{id}/search" => "?q=nothing",
            // What every new repository has.
            "/api/v1/repositories/{id}/file"
            | "/api/v1/repositories/{id}/raw"
            | "/api/v1/repositories/{id}/blame" => "?path=README.md",
            path if path.ends_with("/info/refs") => "?service=git-upload-pack",
            _ => "",
        };
        parts.join("/") + query
    }

    fn value(&self, before: &str, part: &str, path: &str) -> String {
        match (before, part) {
            ("projects", "{id}") | (_, "{project}") => self.project.clone(),
            ("repositories", "{id}") => self.repository.clone(),
            ("approvals" | "proposals", "{id}") => self.proposal.clone(),
            ("connected" | "connections", "{id}") => self.connection.clone(),
            ("tokens", "{id}") => self.token.clone(),
            ("passkeys" | "invitations", "{id}") => Self::nowhere().token,
            (_, "{user}") => self.user.clone(),
            ("tools", "{tool}") => "list_granted_resources".to_owned(),
            (_, "{oid}") => self.commit.clone(),
            (_, "{workspace}") => "acme".to_owned(),
            ("{workspace}", "{name}") => format!("{}.git", self.name),
            ("{version}", "{name}") => "app.css".to_owned(),
            (_, "{version}") => "0".to_owned(),
            (_, "{*rest}") => "nothing".to_owned(),
            // What every new repository has.
            ("files" | "raw" | "blame" | "history", "{*path}") => "README.md".to_owned(),
            (_, _) => panic!("say in ids.rs what {part} of {path} stands for"),
        }
    }
}
