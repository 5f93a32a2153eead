//! The house's own tool: `cargo xtask tidy` and `cargo xtask generate`.

mod document;
mod finding;
mod package;
mod repository;
mod rule;
mod source;

use std::process::ExitCode;

use repository::Repository;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["tidy"] => Repository::open().map(|repository| tidy(&repository)),
        ["generate"] => Repository::open().and_then(|repository| document::write(&repository)),
        _ => {
            eprintln!("cargo xtask tidy       hold the repository against the house rules");
            eprintln!("cargo xtask generate   write the generated documents anew, lower the exceptions");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn tidy(repository: &Repository) -> ExitCode {
    let findings = rule::check(repository);
    for finding in &findings {
        eprintln!("{finding}");
    }
    if findings.is_empty() {
        println!("tidy: {} rules over {} files", rule::ALL.len(), repository.sources.len());
        ExitCode::SUCCESS
    } else {
        eprintln!("tidy: {} findings", findings.len());
        ExitCode::FAILURE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_keeps_its_own_rules() {
        let repository = Repository::open().unwrap();
        let findings: Vec<String> = rule::check(&repository).iter().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }
}
