//! `countersign completions`: what a shell needs to complete the commands.

use clap::{Args, CommandFactory as _, ValueEnum};
use clap_complete::{generate, shells};
use serde_json::json;

use super::CommandLine;
use crate::answer::Answer;

/// Prints a script: for bash put it into ~/.local/share/bash-completion/completions/countersign, for zsh into a file
/// `_countersign` in a folder of $fpath, for fish into ~/.config/fish/completions/countersign.fish.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// The shells that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shell {
    /// Bash
    Bash,
    /// Zsh
    Zsh,
    /// Fish
    Fish,
}

impl Completions {
    pub(super) fn run(self) -> Answer {
        let (mut command, mut script) = (CommandLine::command(), Vec::new());
        let name = command.get_name().to_owned();
        let word = match self.shell {
            Shell::Bash => {
                generate(shells::Bash, &mut command, name, &mut script);
                "bash"
            }
            Shell::Zsh => {
                generate(shells::Zsh, &mut command, name, &mut script);
                "zsh"
            }
            Shell::Fish => {
                generate(shells::Fish, &mut command, name, &mut script);
                "fish"
            }
        };
        let script = String::from_utf8_lossy(&script).trim_end().to_owned();
        Answer::new(&json!({ "shell": word, "script": script }), script.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_completes_every_command_of_each_shell() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let text = Completions { shell }.run().text;
            for command in CommandLine::command().get_subcommands().filter(|command| !command.is_hide_set()) {
                assert!(text.contains(command.get_name()), "{shell:?} {}", command.get_name());
            }
        }
    }
}
