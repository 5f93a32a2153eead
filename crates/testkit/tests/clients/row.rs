//! The rows: client × era × way to a token, and what each must have seen.

use std::fmt::Write as _;

use countersign_testkit::house::House;
use serde_json::{Value, json};

use crate::{document, native, program};

/// The server's refusal of a tool that is not there.
const NOT_AVAILABLE: &str = "tool 'no_such_tool' is not available to this agent";
/// The Inspector's, which reads the list first and calls nothing that is not in it.
const NOT_LISTED: &str = "Tool 'no_such_tool' not found on server.";

/// A stock client.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Client {
    Python,
    TypeScript,
    Rmcp,
    Inspector,
    McpRemote,
}

/// What a client is told of the eras.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// By `initialize` alone.
    Legacy,
    /// 2026-07-28 alone.
    Modern,
    /// Whatever it finds.
    Auto,
}

/// How a client comes to its token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// It is given one.
    Bearer,
    /// It registers (RFC 7591) and asks for consent.
    Registration,
    /// It names its metadata document and asks for consent.
    Document,
}

impl Client {
    /// The name of its snapshot.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::TypeScript => "typescript",
            Self::Rmcp => "rmcp",
            Self::Inspector => "inspector",
            Self::McpRemote => "mcp_remote",
        }
    }

    /// The eras that it can be told; Python and rmcp have no word for the new era alone, and mcp-remote passes on
    /// what the program behind it speaks.
    const fn eras(self) -> &'static [Era] {
        match self {
            Self::Python | Self::Rmcp | Self::McpRemote => &[Era::Legacy, Era::Auto],
            Self::TypeScript | Self::Inspector => &[Era::Legacy, Era::Modern, Era::Auto],
        }
    }
}

impl Era {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
            Self::Auto => "auto",
        }
    }
}

impl Way {
    const ALL: [Self; 3] = [Self::Bearer, Self::Registration, Self::Document];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Bearer => "bearer",
            Self::Registration => "registration",
            Self::Document => "metadata document",
        }
    }
}

/// What every row of a client came to, a line each.
pub(crate) async fn table(client: Client, house: &mut House) -> String {
    let mut lines = String::new();
    for way in Way::ALL {
        for era in client.eras() {
            let (way_name, era_name) = (way.as_str(), era.as_str());
            let came_to = match walk(client, (*era, way), house).await {
                Ok(protocol) => format!("speaks {protocol}"),
                Err(why) => format!("does not pass: {why}"),
            };
            let _ = writeln!(lines, "{way_name:<18}{era_name:<8}{came_to}");
        }
    }
    lines
}

async fn walk(client: Client, (era, way): (Era, Way), house: &mut House) -> Result<String, String> {
    let (saw, asked) = match client {
        Client::Rmcp => native::see(house, era, way).await?,
        Client::Python | Client::TypeScript | Client::Inspector | Client::McpRemote => {
            program::see(client, house, era, way).await?
        }
    };
    match (way, asked) {
        (Way::Bearer, None) => {}
        (Way::Registration, Some(address)) if !address.contains(document::IN_QUERY) => {}
        (Way::Document, Some(address)) if address.contains(document::IN_QUERY) => {}
        (Way::Bearer | Way::Registration | Way::Document, asked) => {
            return Err(format!("it took another way: {asked:?}"));
        }
    }
    let granted = (way == Way::Bearer).then(|| house.project.clone());
    let refusal = if client == Client::Inspector { NOT_LISTED } else { NOT_AVAILABLE };
    check(&saw, refusal, granted.as_deref())
}

/// What every client must have seen; the protocol that it spoke.
fn check(saw: &Value, refusal: &str, project: Option<&str>) -> Result<String, String> {
    let count = saw["tools"].as_array().map_or(0, Vec::len);
    if count != 8 {
        return Err(format!("it lists {count} tools: {saw}"));
    }
    if saw["refused"] != "invalid_arguments" {
        return Err(format!("wrong arguments are not refused: {saw}"));
    }
    if !saw["unknown"].as_str().is_some_and(|error| error.contains(refusal)) {
        return Err(format!("an unknown tool does not fail: {saw}"));
    }
    let sees = match project {
        Some(project) => saw["granted"]["projects"][0]["id"] == project,
        // A fresh connection.
        None => saw["granted"] == json!({ "projects": [], "resources": [] }),
    };
    if !sees {
        return Err(format!("it does not see what was granted: {saw}"));
    }
    Ok(saw["protocol"].as_str().unwrap_or("nothing known").to_owned())
}
