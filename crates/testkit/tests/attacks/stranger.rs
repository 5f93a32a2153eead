//! Attacks by strangers who guess at a password, to learn it or to keep its person out.

use std::net::Ipv4Addr;

use countersign_testkit::house::PASSWORD;

use crate::clocked::Clocked;

const STRANGER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 9);
const PERSON: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 77);
const WRONG: &str = "not the password";

#[tokio::test(flavor = "multi_thread")]
async fn one_address_that_never_stops_guessing_keeps_nobody_out() {
    let clocked = Clocked::build().await;
    while clocked.guess_from(STRANGER, WRONG).await.0 != 429 {}
    // The person waits as told, and each time the stranger comes first.
    let (mut tries, mut ahead) = (Vec::new(), 0);
    for _ in 0..3 {
        let (status, wait) = clocked.guess_from(PERSON, PASSWORD).await;
        tries.push(status);
        ahead += wait;
        clocked.set(ahead);
        clocked.guess_from(STRANGER, WRONG).await;
    }
    assert!(tries.iter().all(|status| (200..300).contains(status)), "{tries:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_addresses_have_few_guesses_and_keep_neither_the_new_nor_the_known_out() {
    let clocked = Clocked::build().await;
    let (status, _) = clocked.guess_from(Ipv4Addr::LOCALHOST, PASSWORD).await;
    assert!((200..300).contains(&status), "{status}");
    let flood = async || {
        let mut let_through = 0;
        for n in 1..=30 {
            let (status, _) = clocked.guess_from(Ipv4Addr::new(127, 0, 1, n), WRONG).await;
            let_through += i32::from(status != 429);
        }
        let_through
    };
    let let_through = flood().await;
    assert!((20..25).contains(&let_through), "{let_through} guesses");
    let (status, wait) = clocked.guess_from(PERSON, PASSWORD).await;
    assert!(status == 429 && (1..=11 * 30).contains(&wait), "{status}, {wait} s");
    clocked.set(wait);
    flood().await;
    let (status, _) = clocked.guess_from(PERSON, PASSWORD).await;
    assert!((200..300).contains(&status), "who waited as told has a place: {status}");
    let (status, _) = clocked.guess_from(Ipv4Addr::LOCALHOST, PASSWORD).await;
    assert!((200..300).contains(&status), "who is known waits for nobody: {status}");
}
