//! The stream of a page, as a browser that keeps it open hears it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::Client;
use reqwest::header::COOKIE;
use tokio::task::JoinHandle;

use crate::browser::Browser;

/// An open stream; closed with the value.
#[derive(Debug)]
pub struct Live {
    news: Arc<AtomicUsize>,
    hearing: JoinHandle<()>,
}

impl Live {
    /// Opens the stream that tells how many proposals wait.
    pub async fn open(base: &str, browser: &Browser) -> Self {
        let asked = Client::new().get(format!("{base}/live?of=count")).header(COOKIE, browser.cookie());
        let mut answer = asked.send().await.expect("the stream opens");
        assert!(answer.status().is_success(), "{}", answer.status());
        let news = Arc::new(AtomicUsize::new(0));
        let heard = Arc::clone(&news);
        let hearing = tokio::spawn(async move {
            while let Ok(Some(part)) = answer.chunk().await {
                let lines = part.split(|byte| *byte == b'\n');
                heard.fetch_add(lines.filter(|line| line.starts_with(b"data:")).count(), Ordering::SeqCst);
            }
        });
        Self { news, hearing }
    }

    /// How many lines of news came so far.
    pub fn news(&self) -> usize {
        self.news.load(Ordering::SeqCst)
    }

    /// Whether the server has ended it.
    pub fn has_ended(&self) -> bool {
        self.hearing.is_finished()
    }

    /// Waits until there is more than there was.
    ///
    /// # Panics
    /// When the stream ends, or is silent for a minute.
    pub async fn more_than(&self, before: usize) {
        let heard = tokio::time::timeout(Duration::from_mins(1), async {
            while self.news() <= before {
                assert!(!self.has_ended(), "the stream ended");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        heard.await.expect("the stream is silent");
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.hearing.abort();
    }
}
