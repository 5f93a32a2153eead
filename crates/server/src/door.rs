//! The door: takes connections in, no more than fit, and puts out who takes too long to say what it wants, or to take
//! what it is answered.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request};
use axum::serve::Listener;
use axum::{Extension, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower::{Layer as _, ServiceExt as _};
use tower_http::timeout::DeadlineBody;

/// What a stranger may use up before anybody knows who it is. How long an answer lasts has no limit here, for a clone
/// and a live page last; how long its reader stands still has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How long a request's header may take, from the opening of the connection or the end of the last answer on.
    pub(crate) header: Duration,
    /// How long a request's body may take.
    pub(crate) body: Duration,
    /// How long the body of what a git client sends may take. Its surface is done earlier and says so in words; this
    /// ends what never comes so far.
    pub(crate) git: Duration,
    /// How long a client may take nothing of an answer that waits for it.
    pub(crate) answer: Duration,
    /// How many connections are held; more wait in the system's queue until one ends.
    pub(crate) connections: usize,
}

impl Limits {
    /// What ships, for so many connections.
    pub(crate) const fn shipped(connections: usize) -> Self {
        let git = Duration::from_mins(1).saturating_add(countersign_git_http::Limits::SHIPPED.longest());
        let minute = Duration::from_mins(1);
        Self { header: Duration::from_secs(10), body: minute, git, answer: minute, connections }
    }

    /// How long the body of a request for this path may take.
    fn of(self, path: &str) -> Duration {
        if countersign_git_http::takes_long(path) { self.git } else { self.body }
    }
}

/// Serves until `stop`, then until every running call has its answer.
///
/// HTTP/1.1 alone: in the clear no browser speaks HTTP/2, and to wait for its preface (RFC 9113 §3.4) is a wait that
/// no time-out bounds.
pub(crate) async fn serve(
    mut listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: CancellationToken,
) {
    let mut http = Builder::new(TokioExecutor::new()).http1_only();
    http.http1().timer(TokioTimer::new()).header_read_timeout(limits.header);
    let seats = Arc::new(Semaphore::new(limits.connections));
    let mut open = JoinSet::new();
    loop {
        let next = async {
            let seat = Arc::clone(&seats).acquire_owned().await;
            (seat, Listener::accept(&mut listener).await)
        };
        let (seat, (stream, peer)) = tokio::select! {
            () = stop.cancelled() => break,
            next = next => next,
        };
        while open.try_join_next().is_some() {}
        let (http, router, stop) = (http.clone(), router.clone(), stop.clone());
        open.spawn(async move {
            let _seat = seat;
            converse(&http, (stream, peer), router, limits, stop).await;
        });
    }
    drop(listener);
    while open.join_next().await.is_some() {}
}

/// One connection, to its end.
async fn converse(
    http: &Builder<TokioExecutor>,
    (stream, peer): (TcpStream, SocketAddr),
    router: Router,
    limits: Limits,
    stop: CancellationToken,
) {
    let timed = move |request: Request<_>| {
        let time = limits.of(request.uri().path());
        request.map(|body| DeadlineBody::new(time, body))
    };
    let service = Extension(ConnectInfo(peer)).layer(router).map_request(timed);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.answer));
    let stream = TokioIo::new(Box::pin(stream));
    let connection = http.serve_connection(stream, TowerToHyperService::new(service));
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, error, "a connection broke off");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::body::{Body, Bytes};
    use futures_util::{StreamExt as _, stream};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::sync::Notify;
    use tokio::task::JoinHandle;

    const SOON: Duration = Duration::from_millis(20);
    const NEVER: Duration = Duration::from_hours(1);
    /// Where a guard is missing, a test hangs; this ends it.
    const HANG: Duration = Duration::from_secs(30);
    const ASK: &str = "GET / HTTP/1.1\r\nhost: h\r\n\r\n";
    const ASK_ONCE: &str = "GET / HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n";

    struct House {
        address: SocketAddr,
        stop: CancellationToken,
        serving: JoinHandle<()>,
    }

    async fn house(router: Router, limits: Limits) -> House {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let serving = tokio::spawn(serve(listener, router, limits, stop.clone()));
        House { address, stop, serving }
    }

    impl House {
        async fn say(&self, text: &str) -> TcpStream {
            let mut stream = TcpStream::connect(self.address).await.unwrap();
            stream.write_all(text.as_bytes()).await.unwrap();
            stream
        }
    }

    /// What comes until the other side closes.
    async fn rest(mut stream: TcpStream) -> String {
        let mut heard = Vec::new();
        // Closing with unread bytes resets the connection; that is an end too.
        let _ = tokio::time::timeout(HANG, stream.read_to_end(&mut heard)).await.expect("the server closes");
        String::from_utf8(heard).unwrap()
    }

    fn hello() -> Router {
        Router::new()
            .fallback(async |ConnectInfo(peer): ConnectInfo<SocketAddr>| format!("hello {}", peer.ip()))
    }

    #[tokio::test]
    async fn who_says_nothing_or_half_a_header_is_put_out() {
        let house =
            house(hello(), Limits { header: SOON, body: NEVER, git: NEVER, answer: NEVER, connections: 8 })
                .await;
        for said in ["", "GET / HTTP/1.1\r\nho", "PRI * HTTP/2.0\r\n"] {
            assert!(!rest(house.say(said).await).await.contains("hello"), "{said:?}");
        }
    }

    #[tokio::test]
    async fn who_keeps_a_connection_and_asks_no_more_is_put_out_after_the_answer() {
        let house =
            house(hello(), Limits { header: SOON, body: NEVER, git: NEVER, answer: NEVER, connections: 8 })
                .await;
        assert!(rest(house.say(ASK).await).await.ends_with("hello 127.0.0.1"));
    }

    #[tokio::test]
    async fn half_a_body_is_not_waited_for() {
        let router = Router::new().fallback(async |body: Bytes| format!("hello {}", body.len()));
        let house =
            house(router, Limits { header: NEVER, body: SOON, git: NEVER, answer: NEVER, connections: 8 })
                .await;
        let half = "POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 10\r\n\r\nhalf";
        let heard = rest(house.say(half).await).await;
        assert!(heard.starts_with("HTTP/1.1 4") && !heard.contains("hello"), "{heard}");
    }

    /// What git's surface does with a body, at its addresses.
    fn read_all() -> Router {
        Router::new().fallback(async |body: Body| {
            let read = axum::body::to_bytes(body, 1 << 10).await;
            read.map_or_else(|_| "too late".to_owned(), |read| format!("hello {}", read.len()))
        })
    }

    /// Sends ten bytes to a path, one each twenty milliseconds, and hears the answer.
    async fn drip(house: &House, path: &str) -> String {
        let head =
            format!("POST {path} HTTP/1.1\r\nhost: h\r\nconnection: close\r\ncontent-length: 10\r\n\r\n");
        let mut stream = house.say(&head).await;
        for _ in 0..10 {
            tokio::time::sleep(SOON).await;
            if stream.write_all(b"x").await.is_err() {
                break;
            }
        }
        rest(stream).await
    }

    #[tokio::test]
    async fn what_a_git_client_sends_may_come_slowly_and_nothing_else_may() {
        let limits = Limits { header: NEVER, body: 3 * SOON, git: NEVER, answer: NEVER, connections: 8 };
        let house = house(read_all(), limits).await;
        let long = countersign_git_http::list().into_iter().filter(|route| route.method == "POST");
        let long: Vec<_> = long.map(|route| route.path.replace("{workspace}", "w")).collect();
        assert_eq!(long.len(), 2);
        for path in long.iter().map(|path| path.replace("{name}", "r.git")) {
            let heard = drip(&house, &path).await;
            assert!(heard.ends_with("hello 10"), "{path}: {heard}");
        }
        for path in ["/", "/git/w/r.git/info/refs", "/api/git-receive-pack", "/git-upload-pack"] {
            assert!(drip(&house, path).await.ends_with("too late"), "{path}");
        }
    }

    #[tokio::test]
    async fn what_a_git_client_sends_is_not_waited_for_without_end() {
        let limits = Limits { header: NEVER, body: NEVER, git: 3 * SOON, answer: NEVER, connections: 8 };
        let house = house(read_all(), limits).await;
        assert!(drip(&house, "/git/w/r.git/git-receive-pack").await.ends_with("too late"));
    }

    #[tokio::test]
    async fn idle_connections_give_their_seats_to_who_waits() {
        let house =
            house(hello(), Limits { header: SOON, body: NEVER, git: NEVER, answer: NEVER, connections: 2 })
                .await;
        let _idle = (house.say("").await, house.say("").await, house.say("").await);
        assert!(rest(house.say(ASK_ONCE).await).await.ends_with("hello 127.0.0.1"));
    }

    #[tokio::test]
    async fn no_more_connections_are_held_than_there_are_seats() {
        let (inside, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let seen = Arc::clone(&most);
        let router = Router::new().fallback(async move || {
            seen.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            for _ in 0..1000 {
                tokio::task::yield_now().await;
            }
            inside.fetch_sub(1, Ordering::SeqCst);
            "hello"
        });
        let house =
            house(router, Limits { header: NEVER, body: NEVER, git: NEVER, answer: NEVER, connections: 2 })
                .await;
        let mut asked = Vec::new();
        for _ in 0..8 {
            asked.push(house.say(ASK_ONCE).await);
        }
        for stream in asked {
            assert!(rest(stream).await.ends_with("hello"));
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn a_long_answer_outlasts_the_time_outs() {
        let more = Arc::new(Notify::new());
        let wait = Arc::clone(&more);
        let router = Router::new().fallback(async move || {
            let second = stream::once(async move {
                wait.notified().await;
                "and end"
            });
            let chunks = stream::once(async { "begin " }).chain(second);
            Body::from_stream(chunks.map(Ok::<_, std::convert::Infallible>))
        });
        let house =
            house(router, Limits { header: SOON, body: SOON, git: NEVER, answer: NEVER, connections: 8 })
                .await;
        let long = house.say(ASK_ONCE).await;
        // Two that came later ran into the time-out, one after the other, before the answer goes on.
        for _ in 0..2 {
            rest(house.say("").await).await;
        }
        more.notify_one();
        assert!(rest(long).await.contains("and end"));
    }

    /// Sixty-four megabytes, which fill every buffer on the way; what is dropped with them is told.
    fn much(dropped: Arc<Notify>) -> Router {
        struct Told(Arc<Notify>);
        impl Drop for Told {
            fn drop(&mut self) {
                self.0.notify_one();
            }
        }
        Router::new().fallback(async move || {
            let told = Told(Arc::clone(&dropped));
            let chunks = stream::iter(0..1024).map(move |_| {
                let _held = &told;
                Ok::<_, std::convert::Infallible>(Bytes::from(vec![b'x'; 64 << 10]))
            });
            Body::from_stream(chunks)
        })
    }

    #[tokio::test]
    async fn who_takes_nothing_of_an_answer_is_put_out_and_the_answer_ends() {
        let dropped = Arc::new(Notify::new());
        let limits = Limits { header: NEVER, body: NEVER, git: NEVER, answer: SOON, connections: 1 };
        let house = house(much(Arc::clone(&dropped)), limits).await;
        let unread = house.say(ASK_ONCE).await;
        tokio::time::timeout(HANG, dropped.notified()).await.expect("the answer ends");
        drop(unread);
    }

    #[tokio::test]
    async fn who_takes_an_answer_slowly_gets_it_whole() {
        let limits = Limits { header: NEVER, body: NEVER, git: NEVER, answer: 10 * SOON, connections: 1 };
        let house = house(much(Arc::default()), limits).await;
        let mut stream = house.say(ASK_ONCE).await;
        let (mut heard, mut part) = (0, vec![0; 8 << 20]);
        loop {
            tokio::time::sleep(SOON).await;
            match stream.read(&mut part).await.unwrap() {
                0 => break,
                read => heard += read,
            }
        }
        assert!(heard > 64 << 20, "{heard}");
    }

    #[tokio::test]
    async fn a_stop_lets_running_calls_end_and_closes_idle_connections() {
        let (entered, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (enter, wait) = (Arc::clone(&entered), Arc::clone(&release));
        let router = Router::new().fallback(async move || {
            enter.notify_one();
            wait.notified().await;
            "hello"
        });
        let house =
            house(router, Limits { header: NEVER, body: NEVER, git: NEVER, answer: NEVER, connections: 8 })
                .await;
        let idle = house.say("").await;
        let running = house.say(ASK).await;
        entered.notified().await;
        house.stop.cancel();
        rest(idle).await;
        release.notify_one();
        assert!(rest(running).await.ends_with("hello"));
        tokio::time::timeout(HANG, house.serving).await.expect("it ends").unwrap();
    }
}
