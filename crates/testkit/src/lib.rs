//! What tests share: servers as processes of their own, people, agents, faults and mutants.

pub mod browser;
pub mod data;
pub mod fault;
pub mod mutant;
pub mod server;
