//! Made-up data for the gallery: ordinary, empty, very long, hostile.

mod audit;
mod change;
mod connection;
mod home;
mod proposal;
mod repository;

use countersign_app::commit::view::{CommitView, SignatureState, Signer};
use countersign_app::session::view::Viewer;
use countersign_core::id::{ResourceId, UserId, WorkspaceId};
use countersign_core::role::WorkspaceRole;
use countersign_core::time::Timestamp;
use countersign_web::page::set_up::Typed;
use uuid::Uuid;

pub(crate) use audit::*;
pub(crate) use change::files;
pub(crate) use connection::*;
pub(crate) use home::*;
pub(crate) use proposal::*;
pub(crate) use repository::*;

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_795_960_000_000);
pub(crate) const BASE: &str = "6f1c0b7e2d9a4458b1e07c3f5a6d8e9f01234567";
pub(crate) const HEAD: &str = "b94a8f3c7d21e6505f9e4d3c2b1a09f8e7d6c5b4";

pub(crate) const fn uuid(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_7f00_0000_7000_8000_0000_0000_0000 + n)
}

pub(crate) fn viewer() -> Viewer {
    Viewer {
        user: UserId::new(uuid(1)),
        name: "Ada Lovelace".into(),
        mail: "ada@example.org".into(),
        workspace: WorkspaceId::new(uuid(2)),
        workspace_name: "Analytical Engines".into(),
        role: WorkspaceRole::Owner,
        csrf: "csrf".into(),
        proved_at: NOW,
    }
}

pub(crate) fn typed() -> Typed {
    Typed {
        token: "cs_st_abc".into(),
        workspace: "Analytical Engines".into(),
        slug: "Analytical Engines!".into(),
        name: "Ada Lovelace".into(),
        mail: "ada@example.org".into(),
    }
}

pub(crate) fn commit() -> CommitView {
    CommitView {
        repository_id: ResourceId::new(uuid(20)),
        repository: "engine-notes".into(),
        oid: HEAD.into(),
        parents: vec![BASE.into()],
        author: Signer {
            name: "Claude Code (via Ada Lovelace)".into(),
            mail: "connection-01937f00-0000-7000-8000-000000000009@countersign.invalid".into(),
            at: NOW.plus_seconds(-900),
        },
        committer: Signer { name: "Ada Lovelace".into(), mail: "ada@example.org".into(), at: NOW.plus_seconds(-60) },
        title: "Bound the retries of the importer".into(),
        body: "A lost connection made it spin.\n\nProposal: 01937f00-0000-7000-8000-000000000030\nApproved-by: Ada Lovelace <ada@example.org>".into(),
        signature: SignatureState::Good { fingerprint: "SHA256:6v0N1sQ6a0b7r3u3yVnPq0Xc5mYtqW3lQe4Jz8k1d2E".into() },
        allowed_signers: Some("countersign namespaces=\"git\" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGZ4c0mYtqW3lQe4Jz8k1d2E6v0N1sQ6a0b7r3u3yVnP".into()),
        clone_url: "http://localhost:8420/git/analytical-engines/engine-notes.git".into(),
        proposal: Some(proposal_id(0)),
        files: files(),
        more: false,
    }
}

pub(crate) fn commit_unsigned() -> CommitView {
    CommitView {
        signature: SignatureState::Missing,
        allowed_signers: None,
        proposal: None,
        body: String::new(),
        parents: Vec::new(),
        ..commit()
    }
}

pub(crate) fn commit_bad() -> CommitView {
    CommitView { signature: SignatureState::Bad, ..commit() }
}
