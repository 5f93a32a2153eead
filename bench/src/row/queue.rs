//! Pages over many proposals, and many open pages: how both grow.

use std::time::Instant;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::Row;
use crate::ROUNDS;
use crate::budget::Budget;
use crate::clock::{now, timed};
use crate::failure::Failure;
use crate::house::Ours;
use crate::load::Asking;
use crate::statistic::median;

/// How many proposals wait at first, and in the end.
const FEW: usize = 100;
const MANY: usize = 10_000;
/// How often each page is asked for in a round.
const TRIES: usize = 5;
/// How many pages are open, and by how many people: a person has twenty at most.
const STREAMS: usize = 200;
const PEOPLE: usize = 10;

pub(crate) fn rows(runtime: &Runtime) -> Result<Vec<Row>, Failure> {
    let house = Ours::set_up(runtime)?;
    let server = house.start(runtime)?;
    let first = propose(runtime, &house, 0..FEW);
    let few = measure(runtime, &house, &first)?;
    let rest = propose(runtime, &house, FEW..MANY);
    let many = measure(runtime, &house, &rest)?;
    let page = |(name, (ours, baseline)): (&str, (Vec<f64>, Vec<f64>))| Row {
        name: format!("{name}, {MANY} proposals wait"),
        unit: "ms",
        ours,
        baseline,
        budget: Budget::Reported,
        conditions: format!(
            "the whole page over HTTP, gate included, SQLite; baseline the same page over {FEW}"
        ),
    };
    let names = ["home page", "queue page", "proposal page"];
    let mut rows: Vec<Row> = names.into_iter().zip(many.into_iter().zip(few)).map(page).collect();
    rows.push(news(runtime, &house, first)?);
    server.stop()?;
    Ok(rows)
}

/// Proposes so many files, one after the other.
fn propose(runtime: &Runtime, house: &Ours, numbers: std::ops::Range<usize>) -> Vec<String> {
    runtime.block_on(async {
        let mut made = Vec::with_capacity(numbers.len());
        for number in numbers {
            made.push(house.propose(number).await);
        }
        made
    })
}

/// Milliseconds of each page, by rounds; the page of the last of these proposals among them.
fn measure(runtime: &Runtime, house: &Ours, made: &[String]) -> Result<Vec<Vec<f64>>, Failure> {
    let last = made.last().map_or("", String::as_str);
    let paths = ["/".to_owned(), "/approvals".to_owned(), format!("/approvals/{last}")];
    let mut asking = runtime.block_on(Asking::open(house.port()))?;
    let mut times = vec![Vec::new(); paths.len()];
    for round in 0..=ROUNDS {
        for (path, times) in paths.iter().zip(&mut times) {
            let mut tries = Vec::new();
            for _ in 0..TRIES {
                let (milliseconds, answer) =
                    timed(|| runtime.block_on(asking.ask(get(house, path, &house.cookie()))));
                let answer = answer?;
                if answer.status != 200 {
                    return Err(Failure::new(format!("{path}: {}", answer.head)));
                }
                tries.push(milliseconds);
            }
            if round > 0 {
                times.push(median(&tries));
            }
        }
    }
    Ok(times)
}

/// From a decision about the proposal on top to the news of it on the last of many open pages, against one open page.
fn news(runtime: &Runtime, house: &Ours, first: Vec<String>) -> Result<Row, Failure> {
    runtime.block_on(async {
        let mut cookies = Vec::new();
        for number in 0..PEOPLE {
            cookies.push(house.member(number).await);
        }
        let mut on_top = first.into_iter();
        let mut times = Vec::new();
        for count in [STREAMS, 1] {
            let mut open = Vec::new();
            for at in 0..count {
                open.push(Stream::open(house, &cookies[at % PEOPLE]).await?);
            }
            let mut rounds = Vec::new();
            for round in 0..=ROUNDS {
                let begun = now();
                house.decline(&on_top.next().unwrap_or_default()).await;
                open = all_told(open, begun, round, &mut rounds).await?;
            }
            times.push(rounds);
        }
        let baseline = times.pop().unwrap_or_default();
        Ok(Row {
            name: format!("news on {STREAMS} open pages"),
            unit: "ms",
            ours: times.pop().unwrap_or_default(),
            baseline,
            budget: Budget::Reported,
            conditions: format!(
                "from a decision to the last page that shows it, {MANY} proposals, {PEOPLE} people, news gathered for 60 ms; baseline one open page"
            ),
        })
    })
}

/// Waits until each stream has news; notes how long the last one took.
async fn all_told(
    open: Vec<Stream>,
    begun: Instant,
    round: usize,
    rounds: &mut Vec<f64>,
) -> Result<Vec<Stream>, Failure> {
    let mut waiting: JoinSet<Result<Stream, Failure>> = open.into_iter().map(Stream::next).collect();
    let mut told = Vec::new();
    while let Some(stream) = waiting.join_next().await {
        told.push(stream.map_err(Failure::while_doing("wait for news"))??);
    }
    if round > 0 {
        rounds.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    Ok(told)
}

/// The stream of an open page.
struct Stream(TcpStream);

impl Stream {
    async fn open(house: &Ours, cookie: &str) -> Result<Self, Failure> {
        let connected = TcpStream::connect(("127.0.0.1", house.port())).await;
        let mut stream = connected.map_err(Failure::while_doing("open a stream"))?;
        let request = get(house, "/live?of=approvals&seen=", cookie);
        stream.write_all(request.as_bytes()).await.map_err(Failure::while_doing("open a stream"))?;
        Self(stream).next().await
    }

    /// Reads until something is told; a beat tells nothing.
    async fn next(mut self) -> Result<Self, Failure> {
        let (mut seen, mut piece) = (Vec::new(), vec![0; 64 * 1024]);
        loop {
            let read = self.0.read(&mut piece).await.map_err(Failure::while_doing("read a stream"))?;
            seen.extend_from_slice(&piece[..read]);
            if read == 0 {
                return Err(Failure::new(format!("a stream ended: {}", String::from_utf8_lossy(&seen))));
            }
            // The event is whole when its empty line is there.
            let told = seen.windows(6).any(|bytes| bytes == b"\ndata:");
            if told && seen.ends_with(b"\n\n\r\n") {
                return Ok(self);
            }
        }
    }
}

fn get(house: &Ours, path: &str, cookie: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ncookie: {cookie}\r\n\r\n", house.port())
}
