//! Must show: `countersign connect` for five hosts. What it writes is read back by each host's own parser, in a home
//! and an environment with nothing else in them; what it prints, run by the host, comes to the same.
//!
//! Claude Code, Codex and Gemini CLI read it themselves (tests/e2e/hosts; docs/decisions/09-clients.md says which
//! releases and why). VS Code and Cursor are in no registry: their files are read by the parser of JSON with comments
//! that the makers of VS Code publish, and held against what the two document.

mod documented;
mod kept;
mod place;
mod read;
