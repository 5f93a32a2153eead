//! What tests share: servers as processes of their own, people, agents, faults and mutants.

pub mod agent;
pub mod browser;
pub mod data;
pub mod fault;
pub mod house;
pub mod mutant;
pub mod repo;
pub mod server;
pub mod suite;
pub mod wrapper;
