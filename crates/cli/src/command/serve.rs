//! `countersign serve`: a server, until it is told to stop.

use clap::Args;
use countersign_server::Extras;
use countersign_server::log::{self, Shape};
use serde_json::Value;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::place::Place;

/// With no configuration at all: SQLite and repositories in one folder, loopback alone. The first start prints a set-up
/// link that works once. COUNTERSIGN_BIND, _PUBLIC_URL, _DATA, _DATABASE_URL, _REPOSITORIES and _GIT
/// stand in for the flags. Behind a reverse proxy, COUNTERSIGN_TRUSTED_PROXIES lists the addresses or networks whose
/// X-Forwarded-For is believed.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    place: Place,
    /// What is logged, as `info` or `countersign_app=debug`
    #[arg(long, env = "COUNTERSIGN_LOG", default_value = "info")]
    log: String,
}

impl Serve {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let shape = if context.is_for_programs() { Shape::Json } else { Shape::Text };
        log::begin(&self.log, shape).map_err(Failure::server)?;
        let config = self.place.resolve(&context.environment)?;
        countersign_server::run(&config, Extras::default()).await.map_err(Failure::server)?;
        Ok(Answer::new(&Value::Null, ""))
    }
}
