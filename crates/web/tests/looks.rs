//! Must show: every page in each of its states, light and dark, at 1440 and at 390 pixels: axe finds no violation,
//! nothing scrolls sideways, no list is endless, and whatever takes the focus shows it.

#[path = "../examples/gallery/main.rs"]
mod gallery;

use std::net::Ipv4Addr;

use countersign_testkit::story::tell;
use tokio::net::TcpListener;

#[tokio::test(flavor = "multi_thread")]
async fn every_page_in_each_of_its_states_can_be_used_by_everybody() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serving = tokio::spawn(async { axum::serve(listener, gallery::routes()).await });
    tell("pages/looks.test.mjs", &[("GALLERY_URL", &url)]).await;
    serving.abort();
}
