//! Pages of a repository of 2,000 files and 500 commits, against the git command that finds the same facts.

use std::path::Path;

use countersign_app::testing::history::large;
use countersign_testkit::repo::plant;
use tokio::runtime::Runtime;

use super::Row;
use crate::ROUNDS;
use crate::budget::Budget;
use crate::clock::timed;
use crate::failure::Failure;
use crate::house::Ours;
use crate::load::Asking;
use crate::process::command;
use crate::statistic::median;

/// How often each page is asked for in a round.
const TRIES: usize = 10;
const FILES: usize = 2000;
const COMMITS: usize = 500;

/// A page, and the command that says the same.
struct Compared {
    name: &'static str,
    path: String,
    /// What stands on the page.
    expects: &'static str,
    command: Vec<&'static str>,
}

pub(crate) fn rows(runtime: &Runtime) -> Result<Vec<Row>, Failure> {
    let house = Ours::set_up(runtime)?;
    runtime.block_on(plant(&house.bare(), large(FILES, COMMITS)));
    let server = house.start(runtime)?;
    let file = first_file(&house.bare())?;
    let base = format!("/repositories/{}", house.repository());
    let pages = [
        Compared {
            name: "tree page",
            path: base.clone(),
            expects: "README",
            command: vec!["ls-tree", "-l", "main"],
        },
        Compared {
            name: "blame page",
            path: format!("{base}/blame/{file}"),
            expects: "step_1",
            command: vec!["blame", "--porcelain", "main", "--"],
        },
        Compared {
            name: "search page",
            path: format!("{base}/search?q=step_7"),
            expects: "step_7",
            command: vec!["grep", "-n", "-I", "-F", "step_7", "main"],
        },
    ];
    let mut rows = Vec::new();
    for page in &pages {
        rows.push(compare(runtime, &house, page, &file)?);
    }
    server.stop()?;
    Ok(rows)
}

fn compare(runtime: &Runtime, house: &Ours, page: &Compared, file: &str) -> Result<Row, Failure> {
    let (mut ours, mut baseline) = (Vec::new(), Vec::new());
    let mut asking = runtime.block_on(Asking::open(house.port()))?;
    let request = format!(
        "GET {} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ncookie: {}\r\n\r\n",
        page.path,
        house.port(),
        house.cookie()
    );
    let mut arguments = page.command.clone();
    if arguments.last() == Some(&"--") {
        arguments.push(file);
    }
    for round in 0..=ROUNDS {
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..TRIES {
            let (milliseconds, answer) = timed(|| runtime.block_on(asking.ask(request.clone())));
            let answer = answer?;
            let text = String::from_utf8_lossy(&answer.body);
            if answer.status != 200 || !text.contains(page.expects) {
                return Err(Failure::new(format!("{}: {} {text}", page.path, answer.head)));
            }
            mine.push(milliseconds);
            let (milliseconds, done) = timed(|| git(&house.bare(), &arguments));
            done?;
            theirs.push(milliseconds);
        }
        if round > 0 {
            ours.push(median(&mine));
            baseline.push(median(&theirs));
        }
    }
    Ok(Row {
        name: format!("{}, {FILES} files, {COMMITS} commits", page.name),
        unit: "ms",
        ours,
        baseline,
        budget: Budget::Reported,
        conditions: format!(
            "the whole page over HTTP, gate included; baseline `git {}`",
            page.command.join(" ")
        ),
    })
}

fn first_file(bare: &Path) -> Result<String, Failure> {
    let listed = git(bare, &["ls-tree", "-r", "--name-only", "main"])?;
    let file = listed.lines().find(|path| path.contains(".rs")).map(str::to_owned);
    file.ok_or_else(|| Failure::new("the repository holds no source"))
}

fn git(bare: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let output = command(Path::new("git")).args(arguments).current_dir(bare).output();
    let output = output.map_err(Failure::while_doing("start git"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(Failure::new(format!("git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr))))
}
