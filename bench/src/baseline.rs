//! The baselines: echo servers on the SDKs that others use, and git as a script would call it.

pub(crate) mod git;
pub(crate) mod nginx;
pub(crate) mod oauth;

use std::path::{Path, PathBuf};

use countersign_testkit::server::{binary, free_port};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::era::{Era, Tool};
use crate::failure::Failure;
use crate::load::Target;
use crate::process::{Launch, Process};

/// What the echo servers send back.
const TEXT: &str = "hello world";

/// An echo server: one tool, no check of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Echo {
    /// axum alone, with the answer put together by hand.
    Axum,
    /// rmcp, on which our connector stands.
    Rmcp,
    /// The official Python SDK, PyPI `mcp`.
    Python,
    /// PyPI `fastmcp`.
    FastMcp,
    /// The official TypeScript server, npm `@modelcontextprotocol/server`.
    TypeScript,
    /// The official TypeScript SDK before it, npm `@modelcontextprotocol/sdk`, which knows the first era alone.
    TypeScriptSdk,
}

impl Echo {
    pub(crate) const ALL: [Self; 6] =
        [Self::Rmcp, Self::Axum, Self::Python, Self::FastMcp, Self::TypeScript, Self::TypeScriptSdk];

    /// The SDKs of other languages.
    pub(crate) const OTHERS: [Self; 4] = [Self::Python, Self::FastMcp, Self::TypeScript, Self::TypeScriptSdk];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Axum => "axum echo",
            Self::Rmcp => "rmcp echo",
            Self::Python => "Python mcp",
            Self::FastMcp => "FastMCP",
            Self::TypeScript => "TypeScript server",
            Self::TypeScriptSdk => "TypeScript sdk",
        }
    }

    pub(crate) fn speaks(self, era: Era) -> bool {
        era == Era::V2025 || self != Self::TypeScriptSdk
    }

    fn launch(self, port: u16) -> Launch {
        let baselines = Path::new(env!("CARGO_MANIFEST_DIR")).join("baselines");
        let script = |path: &str| Some(baselines.join(path));
        let python = || baselines.join("python/.venv/bin/python");
        let node = || baselines.join("../../tests/e2e/node_modules/.bin/node");
        let (program, script): (PathBuf, Option<PathBuf>) = match self {
            Self::Axum => (binary("axum-echo"), None),
            Self::Rmcp => (binary("rmcp-echo"), None),
            Self::Python => (python(), script("python/mcp_echo.py")),
            Self::FastMcp => (python(), script("python/fastmcp_echo.py")),
            Self::TypeScript => (node(), script("typescript/server.mjs")),
            Self::TypeScriptSdk => (node(), script("typescript/sdk.mjs")),
        };
        let arguments = script.map(PathBuf::into_os_string).into_iter().chain([port.to_string().into()]);
        Launch { program, arguments: arguments.collect(), variables: Vec::new() }
    }

    /// Starts it on a free port.
    pub(crate) fn start(self, runtime: &Runtime) -> Result<Echoing, Failure> {
        let port = free_port();
        let process = Process::start(runtime, &self.launch(port), &target(port, Era::V2025))?;
        Ok(Echoing { echo: self, process, port })
    }
}

/// A running echo server.
#[derive(Debug)]
pub(crate) struct Echoing {
    pub(crate) echo: Echo,
    pub(crate) process: Process,
    port: u16,
}

impl Echoing {
    pub(crate) fn target(&self, era: Era) -> Target {
        target(self.port, era)
    }
}

fn target(port: u16, era: Era) -> Target {
    let arguments = json!({ "text": TEXT });
    era.target(&Tool { port, path: "/mcp", bearer: None, name: "echo", arguments, expects: TEXT })
}
