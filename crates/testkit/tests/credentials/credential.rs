//! A credential: what a request carries, and what that opens.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use countersign_core::route::{Route, Who};
use countersign_core::scope::Scope;
use countersign_testkit::browser::Browser;

/// One kind of credential.
#[derive(Debug)]
pub(crate) struct Credential {
    /// The head of its column.
    pub(crate) head: &'static str,
    /// What it is.
    pub(crate) what: &'static str,
    /// What it opens beside what is open to anybody.
    pub(crate) opens: Vec<Who>,
    /// The scopes that its connection holds.
    pub(crate) scopes: Vec<Scope>,
    /// The header.
    pub(crate) authorization: Option<String>,
    /// The cookie.
    pub(crate) session: Option<Session>,
    /// How its forms are sent.
    pub(crate) form: Form,
}

/// A session, and who can begin it anew when a route ended it.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// The token in the cookie.
    pub(crate) token: String,
    /// The token that its forms repeat.
    pub(crate) csrf: String,
    /// Mail address and password; none for a session that is over.
    pub(crate) person: Option<(&'static str, &'static str)>,
}

/// How forms are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// From our own page, with the token of the session.
    Ours,
    /// Without a token.
    WithoutToken,
    /// With a well-formed token that is none.
    MadeUpToken,
    /// From a page of another site, as a browser says by `Sec-Fetch-Site`.
    CrossSite,
    /// From a page of another site, as an older browser says by `Origin` alone.
    OtherOrigin,
}

impl Credential {
    /// Nothing at all, which signs in and gives a password like anybody.
    pub(crate) fn new(head: &'static str, what: &'static str) -> Self {
        Self {
            head,
            what,
            opens: vec![Who::Visitor, Who::Password],
            scopes: Vec::new(),
            authorization: None,
            session: None,
            form: Form::Ours,
        }
    }

    /// With an `Authorization: Bearer`.
    pub(crate) fn bearer(self, token: &str) -> Self {
        Self { authorization: Some(format!("Bearer {token}")), opens: Vec::new(), ..self }
    }

    /// With an `Authorization: Basic`, which is git's.
    pub(crate) fn basic(self, password: &str) -> Self {
        let pair = STANDARD.encode(format!("olivia:{password}"));
        Self { authorization: Some(format!("Basic {pair}")), opens: vec![Who::Visitor], ..self }
    }

    /// With the cookie of a session.
    pub(crate) fn session(self, session: &Session) -> Self {
        Self { session: Some(session.clone()), ..self }
    }

    /// With what it opens beside what was named before.
    pub(crate) fn opens(mut self, more: &[Who]) -> Self {
        self.opens.extend(more);
        self
    }

    /// With what its connection holds.
    pub(crate) fn scopes(self, scopes: &[Scope]) -> Self {
        Self { scopes: scopes.to_vec(), ..self }
    }

    /// With forms that are sent so.
    pub(crate) fn form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// Whether it opens a route.
    pub(crate) fn may(&self, route: &Route) -> bool {
        let form_fits = self.form == Form::Ours || !is_form(route);
        match route.who {
            Who::Anyone | Who::Client => true,
            Who::Visitor
            | Who::Session
            | Who::Password
            | Who::Token
            | Who::DecidingToken
            | Who::GitToken
            | Who::GitWriteToken
            | Who::Agent => self.opens.contains(&route.who) && form_fits,
        }
    }

    /// Whether the header holds something of an agent's, good or not.
    pub(crate) fn is_agents(&self) -> bool {
        let token = self.authorization.as_deref().and_then(|value| value.strip_prefix("Bearer "));
        token.is_some_and(|token| ["cs_at_", "cs_rt_", "cs_ac_"].iter().any(|kind| token.starts_with(kind)))
    }
}

impl Session {
    /// Signs a person in.
    pub(crate) async fn begin(base: &str, person: (&'static str, &'static str)) -> Self {
        let mut browser = Browser::signed_in(base, person.0, person.1).await;
        Self { person: Some(person), ..Self::of(&mut browser).await }
    }

    /// The session of a browser in which somebody is signed in.
    pub(crate) async fn of(browser: &mut Browser) -> Self {
        let page = browser.get("/connected").await;
        let form = page.form("/sign-out");
        let csrf = form.fields.into_iter().find(|(name, _)| name == "csrf").expect("a form has a token").1;
        let token = browser.cookie_named("cs_session").expect("somebody is signed in").to_owned();
        Self { token, csrf, person: None }
    }

    /// One that was never begun.
    pub(crate) fn made_up() -> Self {
        Self { token: made_up("cs_ss_"), csrf: "A".repeat(43), person: None }
    }
}

/// A well-formed secret that nobody was ever given.
pub(crate) fn made_up(prefix: &str) -> String {
    format!("{prefix}{}", "A".repeat(43))
}

/// Whether a route takes the form of a page.
pub(crate) fn is_form(route: &Route) -> bool {
    matches!(route.who, Who::Visitor | Who::Session) && route.method != "GET"
}
