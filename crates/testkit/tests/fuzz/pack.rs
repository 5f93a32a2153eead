//! What git clients send: every body is answered, none is a failure of ours, and the repository is whole afterwards, its
//! protected branch and the server's own refs where they were.

use countersign_testkit::fuzz::Target;
use countersign_testkit::repo::git_ok;
use reqwest::Client;

const PUSHES: Target = Target {
    name: "receive-pack",
    words: &[
        "0000",
        "0001",
        "0002",
        "0003",
        "0004",
        "0005",
        "ffff",
        "fff0",
        "FFFF",
        "-001",
        "+001",
        " 000",
        "00000000",
        "push-cert\0",
        "0011push-cert x\n",
        "shallow {TIP}",
        "refs/heads/main",
        "refs/heads/x",
        "refs/proposals/x",
        "refs/heads/../x",
        "refs/tags/x",
        "HEAD",
        "refs/heads/x\0 report-status",
        " report-status-v2 atomic push-options",
        " object-format=sha256",
        "{TIP}",
        "0000000000000000000000000000000000000000",
        "PACK",
        "PACK\0\0\0\u{2}\0\0\0\u{1}",
    ],
    inputs: 60,
};

const FETCHES: Target = Target {
    name: "upload-pack",
    words: &[
        "0000",
        "0001",
        "0002",
        "0003",
        "0004",
        "ffff",
        "-001",
        "command=fetch",
        "command=ls-refs\n",
        "want {TIP}\n",
        "have {TIP}\n",
        "done\n",
        "deepen 1\n",
        "deepen-since -1\n",
        "filter blob:none\n",
        "filter sparse:oid={TIP}\n",
        "want-ref refs/proposals/x\n",
        "ref-prefix refs/\n",
        "thin-pack\n",
        "sideband-all\n",
        "packfile-uris https\n",
        "object-format=sha256\n",
    ],
    inputs: 60,
};

fn fuzz(target: Target, service: &str) {
    let (runtime, house) = crate::house();
    let http = Client::new();
    let bare = house.bare();
    let refs = || runtime.block_on(git_ok(&bare, &["for-each-ref", "--format=%(refname) %(objectname)"]));
    let tip = runtime.block_on(git_ok(&bare, &["rev-parse", "refs/heads/main"]));
    let address = format!("{}/git/acme/demo.git/{service}", house.server.url);
    target.run(|input| {
        // As long as what it stands for, where a line counts it.
        let body = replaced(input, tip.as_bytes());
        let request = http
            .post(&address)
            .basic_auth("olivia", Some(&house.token))
            .header("content-type", format!("application/x-{service}-request"))
            .header("git-protocol", "version=2")
            .body(body);
        let status = runtime.block_on(async {
            let answer = request.send().await.map_err(|error| format!("no answer: {error}"))?;
            let status = answer.status().as_u16();
            // git may end in the middle of its answer; that it ends is what counts.
            let _ = answer.bytes().await;
            Ok::<_, String>(status)
        })?;
        if status >= 500 {
            return Err(format!("status {status}"));
        }
        let there = refs();
        if !there.lines().any(|line| line.strip_prefix("refs/heads/main ") == Some(tip.as_str())) {
            return Err(format!("the branch was moved or deleted: {there}"));
        }
        let is_of_people = |line: &&str| line.starts_with("refs/heads/") || line.starts_with("refs/tags/");
        let odd = there.lines().find(|line| !is_of_people(line));
        odd.map_or(Ok(()), |line| Err(format!("a ref that nobody may push: {line}")))
    });
    runtime.block_on(git_ok(&bare, &["fsck", "--strict"]));
}

/// Puts the tip where a seed says so.
fn replaced(input: &[u8], tip: &[u8]) -> Vec<u8> {
    const WORD: &[u8] = b"{TIP}";
    let mut out = Vec::with_capacity(input.len());
    let mut rest = input;
    while let Some(at) = rest.windows(WORD.len()).position(|window| window == WORD) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(tip);
        rest = &rest[at + WORD.len()..];
    }
    out.extend_from_slice(rest);
    out
}

#[test]
fn no_push_of_any_bytes_leaves_a_ref_that_may_not_be_or_a_repository_that_is_not_whole() {
    fuzz(PUSHES, "git-receive-pack");
}

#[test]
fn no_fetch_of_any_bytes_is_a_failure_of_ours() {
    fuzz(FETCHES, "git-upload-pack");
}
