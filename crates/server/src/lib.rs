//! Configuration, routes, run.
