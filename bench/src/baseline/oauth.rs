//! The authorization server and connector in Python, which asks nobody.

use std::path::Path;

use countersign_testkit::server::free_port;
use tokio::runtime::Runtime;

use crate::failure::Failure;
use crate::load::Target;
use crate::process::{Launch, Process};

/// A running one; its store ends with it.
pub(crate) struct PythonOauth {
    pub(crate) port: u16,
    _process: Process,
    _folder: tempfile::TempDir,
}

impl PythonOauth {
    /// Starts it on a free port.
    pub(crate) fn start(runtime: &Runtime) -> Result<Self, Failure> {
        let port = free_port();
        let folder = tempfile::tempdir().map_err(Failure::while_doing("make a folder"))?;
        let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("baselines/python");
        let launch = Launch {
            program: python.join(".venv/bin/python"),
            arguments: vec![
                python.join("oauth_server.py").into(),
                port.to_string().into(),
                folder.path().join("oauth.db").into(),
            ],
            variables: Vec::new(),
        };
        let request = "GET /.well-known/oauth-authorization-server HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
        let ready = Target { port, request: request.as_bytes().to_vec().into(), expects: "issuer".into() };
        Ok(Self { port, _process: Process::start(runtime, &launch, &ready)?, _folder: folder })
    }
}
