//! What every handler of this crate shares.

use std::sync::Arc;

use countersign_app::App;

use crate::live::Streams;

/// The application and the open streams.
#[derive(Clone)]
pub(crate) struct Web {
    pub(crate) app: App,
    pub(crate) streams: Arc<Streams>,
}

impl Web {
    pub(crate) fn new(app: &App) -> Self {
        Self { app: app.clone(), streams: Arc::default() }
    }
}
