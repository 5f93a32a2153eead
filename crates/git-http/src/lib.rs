//! Smart HTTP for ordinary git clients.


pub fn routes(_: &countersign_app::App) -> axum::Router { axum::Router::new() }
