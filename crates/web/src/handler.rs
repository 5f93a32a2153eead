//! The handlers of pages and forms: build a caller, parse, call one use case, render.

pub(crate) mod approval;
pub(crate) mod approvals;
pub(crate) mod audit;
pub(crate) mod commit;
pub(crate) mod connected;
pub(crate) mod connection;
pub(crate) mod consent;
pub(crate) mod go;
pub(crate) mod home;
pub(crate) mod import;
pub(crate) mod join;
pub(crate) mod new_repository;
pub(crate) mod people;
pub(crate) mod project;
pub(crate) mod projects;
pub(crate) mod raw;
pub(crate) mod repositories;
pub(crate) mod repository;
pub(crate) mod repository_settings;
pub(crate) mod set_up;
pub(crate) mod settings;
pub(crate) mod several;
pub(crate) mod sign_in;
pub(crate) mod start;
pub(crate) mod sudo;
pub(crate) mod tokens;

use countersign_app::proposal::view::Reach;
use countersign_core::problem::Problem;
use serde::Deserialize;

use crate::answer::no_page;
use crate::part::diff::Layout;

/// How a diff is wanted.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Look {
    #[serde(default)]
    view: String,
    #[serde(default)]
    lines: String,
}

impl Look {
    fn layout(&self) -> Layout {
        if self.view == "split" { Layout::Split } else { Layout::Unified }
    }

    fn reach(&self) -> Reach {
        if self.lines == "all" { Reach::Whole } else { Reach::Changes }
    }
}

/// An id out of an address; what is no id names no page.
fn id<T: std::str::FromStr>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| no_page())
}
