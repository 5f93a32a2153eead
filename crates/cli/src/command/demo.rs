//! `countersign demo`: a server, an agent at work, three proposals for a person to decide, and a push of theirs.

mod agent;
mod check;
mod form;
mod git;
mod messenger;
mod owner;
mod push;
mod sample;

pub(crate) use agent::DemoAgent;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use clap::Args;
use countersign_core::api::project::ProjectItem;
use countersign_core::api::repository::{ChangeRepository, ImportRepository, RepositoryItem};
use countersign_core::api::token::{MadeToken, MakeToken};
use countersign_core::scope::TokenScope;
use countersign_fetch::{Client, Method, Origin};
use countersign_server::{Extras, Running};
use serde_json::json;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::paint::{Paint, Tone};
use crate::place::Place;
use messenger::Messenger;
use owner::Owner;

/// The port that is tried first.
const PORT: u16 = 8420;
/// The project that set-up makes.
const PROJECT: &str = "General";

/// Everything is kept in one folder, which goes when the demo ends.
#[derive(Args, Debug)]
pub(crate) struct Demo {
    /// Decide by script as the owner would, look at what landed, and end
    #[arg(long)]
    check: bool,
}

impl Demo {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let folder =
            tempfile::Builder::new().prefix("countersign-demo-").tempdir().map_err(Failure::server)?;
        let data = folder.path().join("data");
        let (running, origin) = start(data, context).await?;
        let outcome = self.show(&running, &origin, folder.path(), context.paint).await;
        running.stop().await;
        outcome
    }

    async fn show(
        &self,
        running: &Running,
        origin: &Origin,
        folder: &std::path::Path,
        paint: Paint,
    ) -> Result<Answer, Failure> {
        let link =
            running.setup_link.as_deref().ok_or_else(|| Failure::demo("the server offers no set-up link"))?;
        let mut owner = Owner::set_up(origin.clone(), link).await?;
        say(paint, "The owner set the server up and made a repository:");
        let client = Client::new(
            origin.clone(),
            Some(&token(origin, &owner, &[TokenScope::Api, TokenScope::Decide]).await?),
        )?;
        let repository = sample::make(folder).await?;
        let imported = import(&client, &repository).await?;
        println!("  {} with the branches main and docs", imported.name);

        say(paint, "An agent starts as a process of its own; it knows the connector's address alone.");
        let mut messenger = Messenger::start(&format!("{origin}/api/v1/external-mcp"))?;
        let authorize = messenger.wait_for("authorize").await?;
        println!("  it registered, and asks its owner to open an address in the browser");
        let connection = owner.consent(&authorize).await?;
        messenger.wait_for("connected").await?;
        println!("  the owner allowed it; it is connected and sees nothing");
        owner.add_project(&connection, PROJECT).await?;
        println!("  the owner added the project {PROJECT} to the connection");
        let mut proposals = Vec::new();
        for _ in 0..agent::PROPOSALS {
            let id = messenger.wait_for("proposed").await?;
            println!("  it proposed {id}");
            proposals.push(id);
        }
        messenger.end().await?;

        let place = (folder, imported.name.as_str());
        if self.check {
            let answer = check::decide(&client, &imported, &proposals, paint).await?;
            push::by_the_owner(origin, &owner, place, paint).await?;
            return Ok(answer);
        }
        tell(origin, &owner, paint);
        let work = async {
            push::wait_for_an_approval(&client, &proposals).await?;
            push::by_the_owner(origin, &owner, place, paint).await?;
            std::future::pending::<Result<(), Failure>>().await
        };
        tokio::select! {
            ended = tokio::signal::ctrl_c() => ended.map_err(Failure::server)?,
            failed = work => failed?,
        }
        Ok(Answer::new(&json!({ "proposals": proposals }), "The demo is over; its folder is gone."))
    }
}

fn say(paint: Paint, text: &str) {
    println!("{}", paint.on(Tone::Strong, text));
}

fn tell(origin: &Origin, owner: &Owner, paint: Paint) {
    println!();
    say(paint, "Your turn. Three proposals wait for a person:");
    println!("  {}", paint.on(Tone::Good, &format!("{origin}/approvals")));
    println!("  sign in as {} with the password {}", owner::MAIL, owner.password());
    println!();
    println!("Two of them were made on the same commit: approve one, and see what becomes of the other.");
    println!(
        "After the first approval the owner clones the repository and pushes a branch. Ctrl-C ends the demo."
    );
}

/// A server on the usual port, or on a free one where that is taken.
async fn start(data: std::path::PathBuf, context: &Context) -> Result<(Running, Origin), Failure> {
    let usual = SocketAddr::from((Ipv4Addr::LOCALHOST, PORT));
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let free =
        TcpListener::bind(usual).or_else(|_| TcpListener::bind(any)).and_then(|probe| probe.local_addr());
    let bind = free.map_err(Failure::server)?;
    let public_url = format!("http://localhost:{}", bind.port());
    let origin = Origin::parse(&public_url)?;
    let place =
        Place { bind: Some(bind), public_url: Some(public_url), data: Some(data), ..Place::default() };
    let config = place.resolve(&without_settings(context))?;
    let running = countersign_server::start(&config, Extras::default()).await.map_err(Failure::server)?;
    Ok((running, origin))
}

/// The demo is the same whatever the shell is set to; only git is where it is.
fn without_settings(context: &Context) -> std::collections::BTreeMap<String, String> {
    let kept = context
        .environment
        .iter()
        .filter(|(name, _)| *name == "COUNTERSIGN_GIT" || !name.starts_with("COUNTERSIGN_"));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// A token of the owner's.
async fn token(origin: &Origin, owner: &Owner, scopes: &[TokenScope]) -> Result<String, Failure> {
    let body = MakeToken {
        mail: owner::MAIL.to_owned(),
        password: owner.password().to_owned(),
        name: "demo".to_owned(),
        scopes: scopes.iter().map(|scope| scope.as_str().to_owned()).collect(),
        days: None,
        hours: Some(1),
    };
    let made: MadeToken =
        Client::new(origin.clone(), None)?.send(Method::Post, &["api", "v1", "tokens"], &body).await?;
    Ok(made.token)
}

async fn import(client: &Client, folder: &std::path::Path) -> Result<RepositoryItem, Failure> {
    let projects = find::projects(client).await?;
    let project = projects.iter().find(|item: &&ProjectItem| item.name == PROJECT);
    let project_id = project.ok_or_else(|| Failure::demo("set-up made no project"))?.id;
    let body =
        ImportRepository { folder: folder.display().to_string(), name: "garden".to_owned(), project_id };
    let made: RepositoryItem =
        client.send(Method::Post, &["api", "v1", "repositories", "import"], &body).await?;
    let id = made.id.to_string();
    let seen = ChangeRepository { gitnest: Some(true), ..ChangeRepository::default() };
    Ok(client.send(Method::Patch, &["api", "v1", "repositories", &id], &seen).await?)
}
