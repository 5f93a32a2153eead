//! What a client sends: as it is, or compressed as git does with longer requests.

use std::pin::Pin;

use async_compression::tokio::bufread::GzipDecoder;
use axum::extract::Request;
use axum::response::Response;
use futures_util::TryStreamExt as _;
use http::StatusCode;
use http::header::CONTENT_ENCODING;
use tokio::io::{AsyncRead, BufReader};
use tokio_util::io::StreamReader;

use crate::answer;

/// The body, inflated.
pub(crate) type Sent = Pin<Box<dyn AsyncRead + Send>>;

/// The body of a request, whatever its encoding. Its size is bounded where it is read.
pub(crate) fn reader(request: Request) -> Result<Sent, Response> {
    let encoding = request.headers().get(CONTENT_ENCODING).map(|value| value.as_bytes().to_ascii_lowercase());
    let stream = request.into_body().into_data_stream().map_err(std::io::Error::other);
    let raw = StreamReader::new(stream);
    match encoding.as_deref() {
        None | Some(b"identity") => Ok(Box::pin(raw)),
        Some(b"gzip" | b"x-gzip") => Ok(Box::pin(GzipDecoder::new(BufReader::new(raw)))),
        Some(_) => {
            let said = "The body may be compressed with gzip alone.";
            Err(answer::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, said))
        }
    }
}
