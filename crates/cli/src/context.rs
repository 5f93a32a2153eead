//! What every command shares: where the server is, the token, and how answers are shown.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use clap::{Args, ValueEnum};
use countersign_fetch::{Client, Origin};

use crate::answer::Answer;
use crate::edge;
use crate::failure::Failure;
use crate::paint::{Paint, Tone, line, lines};

/// The server, when nobody names another.
const HERE: &str = "http://localhost:8420";

/// Flags that every command knows.
#[derive(Args, Debug)]
pub(crate) struct Globals {
    // Not by clap's `env`: what it finds there, it names in the usage of every mistake as if it had to be given.
    /// The server's address.
    #[arg(
        long,
        global = true,
        help = "The server's address [env: COUNTERSIGN_URL] [default: http://localhost:8420]"
    )]
    url: Option<String>,
    /// The personal access token; better put into the environment, where no process list shows it
    /// [env: COUNTERSIGN_TOKEN]
    #[arg(long, global = true)]
    token: Option<String>,
    /// Answer in JSON
    #[arg(long, global = true)]
    json: bool,
    /// When to show colours
    #[arg(long, global = true, value_enum, default_value_t = When::Auto)]
    color: When,
}

/// When to show colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What a command works with.
#[derive(Debug)]
pub(crate) struct Context {
    url: String,
    token: Option<String>,
    json: bool,
    /// How colours are shown.
    pub(crate) paint: Paint,
    /// The environment, read once.
    pub(crate) environment: BTreeMap<String, String>,
}

impl Context {
    /// Reads the surroundings once.
    pub(crate) fn new(globals: &Globals) -> Self {
        let environment = edge::environment();
        let wanted = match globals.color {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                !globals.json && !environment.contains_key("NO_COLOR") && edge::is_read_by_a_person()
            }
        };
        let paint = if wanted { Paint::Colour } else { Paint::Plain };
        let given = |flag: &Option<String>, name: &str| {
            flag.clone().or_else(|| environment.get(name).cloned()).filter(|value| !value.is_empty())
        };
        let token = given(&globals.token, "COUNTERSIGN_TOKEN");
        let url = given(&globals.url, "COUNTERSIGN_URL").unwrap_or_else(|| HERE.to_owned());
        Self { url, token, json: globals.json, paint, environment }
    }

    /// Where the server is.
    pub(crate) fn origin(&self) -> Result<Origin, Failure> {
        Ok(Origin::parse(&self.url)?)
    }

    /// A client that presents the token.
    pub(crate) fn client(&self) -> Result<Client, Failure> {
        let token = self.token.as_deref().ok_or(Failure::NoToken)?;
        Ok(Client::new(self.origin()?, Some(token))?)
    }

    /// A client that presents nothing.
    pub(crate) fn stranger(&self) -> Result<Client, Failure> {
        Ok(Client::new(self.origin()?, None)?)
    }

    /// Whether lines are for a program.
    pub(crate) const fn is_for_programs(&self) -> bool {
        self.json
    }

    /// Prints an answer. A reader that has enough, such as `head`, may be gone before its end.
    pub(crate) fn show(&self, answer: &Answer) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let done = if self.json {
            writeln!(out, "{:#}", answer.json)
        } else if answer.text.is_empty() {
            Ok(())
        } else {
            writeln!(out, "{}", answer.text)
        };
        done.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
    }

    /// Prints a failure where it does not mix with answers.
    pub(crate) fn tell(&self, failure: &Failure) {
        if self.json {
            eprintln!("{:#}", failure.json());
            return;
        }
        eprintln!(
            "{} {} ({})",
            self.paint.on(Tone::Bad, "error:"),
            line(&failure.to_string()),
            failure.code()
        );
        for cause in failure.causes() {
            eprintln!("  because: {}", lines(cause.trim_end()));
        }
        if let serde_json::Value::Object(facts) = failure.json() {
            for (name, value) in facts
                .iter()
                .filter(|(name, _)| !matches!(name.as_str(), "code" | "message" | "next_action" | "causes"))
            {
                let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                eprintln!("  {name}: {}", line(&shown));
            }
        }
        eprintln!("  {}", line(failure.next_action()));
    }
}
