//! The owner's browser, played by a script: set-up, consent and the project, by the forms of the pages.

use std::fmt::Write as _;
use std::io::Read as _;

use countersign_fetch::{Browser, Origin, Page};

use super::form::Form;
use crate::failure::Failure;

/// The mail address that the owner signs in with.
pub(super) const MAIL: &str = "owner@example.com";

/// The owner, signed in.
pub(super) struct Owner {
    browser: Browser,
    password: String,
}

impl Owner {
    /// Opens the one-time link of a fresh server and becomes its owner.
    pub(super) async fn set_up(origin: Origin, link: &str) -> Result<Self, Failure> {
        let mut owner = Self { browser: Browser::new(origin)?, password: random_password()? };
        // The code stands behind the `#`, where no server sees it until the form is sent.
        let (address, code) =
            link.split_once('#').ok_or_else(|| Failure::demo(format!("`{link}` holds no code")))?;
        let page = owner.browser.get(address).await?;
        let password = owner.password.clone();
        let typed = [
            ("token", code),
            ("workspace_name", "Demo"),
            ("workspace_slug", "demo"),
            ("name", "Demo Owner"),
            ("mail", MAIL),
            ("password", &password),
        ];
        let form = filled(form(&page, "/setup")?, &typed)?;
        let answer = owner.submit(form).await?;
        if answer.status != 303 {
            return Err(Failure::demo(format!("the set-up answered {}", answer.status)));
        }
        Ok(owner)
    }

    /// The password to sign in with; it is made anew for each demo.
    pub(super) fn password(&self) -> &str {
        &self.password
    }

    /// Opens the address that a client asked to be opened, allows what it asks, and carries the answer to the
    /// client. Says where the connection is.
    pub(super) async fn consent(&mut self, authorize: &str) -> Result<String, Failure> {
        const PATH: &str = "/external-assistant-authorize";
        let mut page = self.browser.get(authorize).await?;
        while let Some(next) = page.location.clone() {
            page = self.browser.get(&next).await?;
        }
        // The password is asked for again only when the owner proved it more than ten minutes ago.
        let shown = form(&page, PATH)?;
        let form = shown.clone().fill("password", &self.password).unwrap_or(shown).with("answer", "approve");
        let answered = self.submit(form).await?;
        let back = answered
            .location
            .ok_or_else(|| Failure::demo(format!("the consent answered {}", answered.status)))?;
        self.browser.get(&back).await?;
        let list = self.browser.get("/connected").await?;
        let found = list.text.split("href=\"/connected/").skip(1).find_map(|rest| rest.split_once('"'));
        found
            .map(|(id, _)| format!("/connected/{id}"))
            .ok_or_else(|| Failure::demo("no connection is listed"))
    }

    /// Adds a project on the connection's page.
    pub(super) async fn add_project(&mut self, connection: &str, project: &str) -> Result<(), Failure> {
        let page = self.browser.get(connection).await?;
        let form = form(&page, &format!("{connection}/projects"))?;
        let (name, value) =
            form.choice(project).ok_or_else(|| Failure::demo(format!("{project} cannot be added")))?;
        let answered = self.submit(form.with(&name, &value)).await?;
        if answered.status == 303 {
            Ok(())
        } else {
            Err(Failure::demo(format!("adding the project answered {}", answered.status)))
        }
    }

    async fn submit(&mut self, form: Form) -> Result<Page, Failure> {
        Ok(self.browser.post(&form.action, &form.fields).await?)
    }
}

fn form(page: &Page, action: &str) -> Result<Form, Failure> {
    Form::find(&page.text, action)
        .ok_or_else(|| Failure::demo(format!("the page ({}) has no form to {action}", page.status)))
}

fn filled(form: Form, typed: &[(&str, &str)]) -> Result<Form, Failure> {
    typed.iter().try_fold(form, |form, (name, value)| {
        let action = form.action.clone();
        form.fill(name, value)
            .ok_or_else(|| Failure::demo(format!("the form to {action} has no field {name}")))
    })
}

/// 128 bits of the system's randomness, in hexadecimal.
fn random_password() -> Result<String, Failure> {
    let mut bytes = [0_u8; 16];
    std::fs::File::open("/dev/urandom")
        .and_then(|mut file| file.read_exact(&mut bytes))
        .map_err(Failure::server)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
