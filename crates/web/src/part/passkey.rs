//! A button that asks the browser for a passkey. It shows where a script finds that the browser has them; what the
//! browser answers goes into the field `credential` of the form around it, and the form is sent.

use maud::{Markup, html};

use super::icon::{Icon, icon};

/// What the browser is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Make a new one (`navigator.credentials.create`).
    Create,
    /// Sign with one that is there (`navigator.credentials.get`).
    Get,
}

impl Call {
    const fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Get => "get",
        }
    }
}

/// The button below the fields of a form that can be sent without a passkey too; `ask` is where the question comes
/// from, `words` what stands on the button, and `answer` what the form's field of that name says when it is sent this way.
pub fn instead(ask: &str, words: &str, answer: Option<&str>) -> Markup {
    html! {
        div.stack.tight data-passkeys hidden {
            div.or aria-hidden="true" { "or" }
            input type="hidden" name="credential";
            button.button.large.full type="submit" formnovalidate data-passkey=(ask) data-call=(Call::Get.word())
                name=[answer.map(|_| "answer")] value=[answer] { (icon(Icon::Key)) (words) }
            (says())
        }
    }
}

/// The button of a form that makes a passkey.
pub fn make(ask: &str) -> Markup {
    html! {
        input type="hidden" name="credential";
        button.button.primary type="submit" data-passkey=(ask) data-call=(Call::Create.word()) { "Add passkey" }
    }
}

/// Where the script says what did not work.
pub fn says() -> Markup {
    html! { p.wrong role="alert" data-passkey-says hidden {} }
}
