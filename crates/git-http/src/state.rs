//! What the handlers share: the application, the limits, and the places that are left.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use countersign_app::App;

use crate::limits::Limits;
use crate::places::Places;

/// Shared by all requests.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) app: App,
    pub(crate) limits: Limits,
    /// Places for gits that read.
    pub(crate) reading: Places,
    /// Places for gits that take a push: neither kind keeps the other out.
    pub(crate) writing: Places,
    /// The program that the hooks of a push start.
    pub(crate) program: Arc<Path>,
}

impl State {
    pub(crate) fn new(app: &App, limits: Limits, program: &Path) -> Self {
        Self {
            app: app.clone(),
            limits,
            reading: Places::new(limits.reading(), limits),
            writing: Places::new(limits.writing(), limits),
            program: PathBuf::from(program).into(),
        }
    }
}
