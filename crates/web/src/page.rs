//! The pages: each a function from plain view data to markup.

pub mod approval;
pub mod approvals;
pub mod audit;
pub mod commit;
pub mod connected;
pub mod connection;
pub mod consent;
pub mod go;
pub mod home;
pub mod import;
pub mod join;
pub mod new_repository;
pub mod people;
pub mod problem;
pub mod project;
pub mod projects;
pub mod repositories;
pub mod repository;
pub mod set_up;
pub mod settings;
pub mod several;
pub mod sign_in;
pub mod sudo;
pub mod tokens;
