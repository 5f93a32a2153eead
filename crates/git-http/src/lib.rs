//! Smart HTTP for ordinary git clients.
