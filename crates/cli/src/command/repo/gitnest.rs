//! `countersign repo gitnest`: whether agents see a repository.

use clap::{Args, ValueEnum};
use countersign_core::api::repository::ChangeRepository;

use super::change;
use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;

/// Off until somebody switches it on.
#[derive(Args, Debug)]
pub(crate) struct Gitnest {
    /// Whether agents see it
    switch: Switch,
    /// The repository, by name or id
    repository: String,
}

/// Whether agents see a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    /// Those whose connection has its project see it
    On,
    /// None sees it
    Off,
}

impl Gitnest {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let gitnest = Some(self.switch == Switch::On);
        let wish = ChangeRepository { gitnest, ..ChangeRepository::default() };
        change(&context.client()?, &self.repository, wish).await
    }
}
