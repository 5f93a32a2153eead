//! Forms: their fields, and the token that proves that the form is ours and of this browser.

use axum::Form;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use countersign_app::secret::{random_text, same};
use countersign_app::session::check_csrf;
use countersign_core::problem::{Code, Problem};
use http::HeaderMap;

use crate::answer::PageProblem;
use crate::api::unread;
use crate::cookie::{Cookie, begin_form};
use crate::credential::{SessionCaller, Visitor};
use crate::state::Web;

/// What a browser sent.
#[derive(Debug)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// The first value of a field; nothing is empty text.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// Every value of a field.
    pub(crate) fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A field as a value of its own.
    pub(crate) fn read<T>(&self, name: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, Problem> {
        parse(self.text(name)).ok_or_else(|| Problem::invalid(name, "one of the offered values"))
    }

    async fn of(request: Request, web: &Web) -> Result<Self, Problem> {
        let form = Form::<Vec<(String, String)>>::from_request(request, web).await;
        form.map(|Form(fields)| Self(fields))
            .map_err(|error| unread("form", error.status(), error.body_text()))
    }
}

/// A form of someone who is signed in, which repeated the token of their session.
#[derive(Debug)]
pub(crate) struct SignedForm {
    /// The person.
    pub(crate) session: SessionCaller,
    /// What they sent.
    pub(crate) fields: Fields,
}

impl FromRequest<Web> for SignedForm {
    type Rejection = Response;
    async fn from_request(request: Request, web: &Web) -> Result<Self, Self::Rejection> {
        let (mut parts, body) = request.into_parts();
        let session = SessionCaller::from_request_parts(&mut parts, web).await?;
        let refuse = |problem| PageProblem(problem).into_response();
        let fields = Fields::of(Request::from_parts(parts, body), web).await.map_err(refuse)?;
        check_csrf(&session.view.viewer, fields.text("csrf")).map_err(refuse)?;
        Ok(Self { session, fields })
    }
}

/// A form of someone who is not signed in, which repeated the token of their cookie.
#[derive(Debug)]
pub(crate) struct OpenForm {
    /// Who sent it.
    pub(crate) visitor: Visitor,
    /// The token, for the form again.
    pub(crate) token: String,
    /// What they sent.
    pub(crate) fields: Fields,
}

impl FromRequest<Web> for OpenForm {
    type Rejection = PageProblem;
    async fn from_request(request: Request, web: &Web) -> Result<Self, Self::Rejection> {
        let (mut parts, body) = request.into_parts();
        let visitor = Visitor::from_request_parts(&mut parts, web).await?;
        let token = Cookie::Form.read(&web.app.settings, &parts.headers).unwrap_or_default().to_owned();
        let fields = Fields::of(Request::from_parts(parts, body), web).await?;
        if token.is_empty() || !same(token.as_bytes(), fields.text("csrf").as_bytes()) {
            return Err(Problem::new(
                Code::CsrfRefused,
                "The form was not made for this browser, or is too old.",
            )
            .into());
        }
        Ok(Self { visitor, token, fields })
    }
}

/// The token for a form without a session: the one that the browser has, or a fresh one for its cookie.
pub(crate) fn form_token(web: &Web, request: &HeaderMap, answer: &mut HeaderMap) -> String {
    let kept = Cookie::Form.read(&web.app.settings, request).filter(|token| is_token(token));
    let token = kept.map_or_else(|| random_text(web.app.random()), str::to_owned);
    begin_form(&web.app, answer, &token);
    token
}

/// Only what we could have made ourselves goes back into a page: base64url of 32 bytes.
fn is_token(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}
