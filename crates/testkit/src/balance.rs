//! A balancer as stands before several servers: each connection goes to the next one.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Carries connections to this port to others in turn, until it is dropped.
#[derive(Debug)]
pub struct Balance(JoinHandle<()>);

impl Balance {
    /// Listens at `port` of this computer, for servers at `ports`.
    ///
    /// # Panics
    /// When somebody else listens there.
    pub async fn between(port: u16, ports: Vec<u16>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
        let turn = AtomicUsize::new(0);
        Self(tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let to = ports[turn.fetch_add(1, Ordering::Relaxed) % ports.len()];
                tokio::spawn(async move {
                    if let Ok(mut server) = TcpStream::connect(("127.0.0.1", to)).await {
                        // Whoever hangs up ends it for both.
                        let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                    }
                });
            }
        }))
    }
}

impl Drop for Balance {
    fn drop(&mut self) {
        self.0.abort();
    }
}
