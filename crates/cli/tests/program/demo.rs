//! The shipped program by itself: `countersign demo --check` runs the main job, with an agent as a process of its own.

use std::process::Command;

fn countersign(arguments: &[&str]) -> (bool, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_countersign"));
    let output =
        program.args(arguments).env_remove("COUNTERSIGN_URL").env_remove("COUNTERSIGN_TOKEN").output();
    let output = output.unwrap_or_else(|error| panic!("the program starts: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_demo_proposes_three_and_lands_two_by_itself() {
    let (good, said, complained) = countersign(&["demo", "--check"]);
    assert!(good, "{said}{complained}");
    assert_eq!(said.matches("it proposed ").count(), 3, "{said}");
    assert_eq!(said.matches(": executed, signed by this server").count(), 2, "{said}");
    assert_eq!(said.matches(": stale, no commit").count(), 1, "{said}");
    assert_eq!(said.matches("pushed the branch watering with one commit").count(), 1, "{said}");
    assert_eq!(said.matches("by force was refused: main is protected").count(), 1, "{said}");
}

#[test]
fn a_server_that_is_not_there_is_told_with_what_to_do_and_a_status() {
    let (good, said, complained) =
        countersign(&["--url", "http://127.0.0.1:9", "--token", "csp_none", "proposals", "list"]);
    assert!(!good && said.is_empty(), "{said}");
    assert!(complained.contains("http://127.0.0.1:9"), "{complained}");
}
