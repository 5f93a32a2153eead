//! What a page loads, embedded in the binary. An address names the content, so it can be kept for ever.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};

/// One embedded file.
#[derive(Debug)]
pub struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
    version: LazyLock<String>,
}

macro_rules! assets {
    ($($(#[$doc:meta])* $id:ident = $name:literal, $kind:literal, $($path:literal),+;)+) => {
        $(
            $(#[$doc])*
            pub static $id: Asset = Asset {
                name: $name,
                kind: $kind,
                text: concat!($(include_str!(concat!("../assets/", $path)), "\n"),+),
                version: LazyLock::new(|| version($id.text)),
            };
        )+
        static ALL: &[&Asset] = &[$(&$id),+];
    };
}

assets! {
    /// The stylesheet.
    STYLE = "app.css", "text/css; charset=utf-8", "app.css";
    /// Our own script: copying, times, the palette, keys.
    SCRIPT = "app.js", "text/javascript; charset=utf-8", "app.js", "palette.js", "keys.js";
    /// htmx 4.0.1 and its extension for server-sent events (0BSD, `assets/vendor/LICENSE-htmx`). One file: htmx
    /// looks at the page soon after it is there, and an extension that comes later would find it looked at.
    HTMX = "htmx.js", "text/javascript; charset=utf-8", "vendor/htmx.min.js", "vendor/hx-sse.min.js";
    /// The mark in the tab.
    ICON = "icon.svg", "image/svg+xml", "icon.svg";
}

fn version(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes)).to_string()
}

impl Asset {
    /// Where it is served, with its version.
    pub fn address(&self) -> String {
        format!("/static/{}/{}", *self.version, self.name)
    }
}

const CACHE: (HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));

/// Serves one of them; an address of another version is gone.
pub fn show(Path((version, name)): Path<(String, String)>) -> impl Future<Output = Response> {
    let asset = ALL.iter().find(|asset| asset.name == name && *asset.version == version);
    std::future::ready(match asset {
        Some(asset) => ([(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind)), CACHE], asset.text)
            .into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    })
}
