//! What a refusal looks like on the wire: HTTP status and header, and a body that the model can read.
//!
//! RFC 6750 §3.1 and RFC 9728 §5.1 want a status and a `WWW-Authenticate` header; hosts that hide both from
//! their model read the same challenge in the body of the tool result.

use countersign_core::oauth::challenge::{BearerError, challenge};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::{Scope, Scopes};
use http::{HeaderName, HeaderValue, StatusCode, header};
use rmcp::model::{CallToolResult, ContentBlock, ErrorCode, ErrorData, MetaObject};
use serde_json::{Value, json};

/// Where a result carries the challenge of its header.
const CHALLENGE_IN_RESULT: &str = "mcp/www_authenticate";

/// What an HTTP answer carries when a call is refused by the protocol and not by a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) status: StatusCode,
    pub(super) header: (HeaderName, HeaderValue),
}

/// Knows the words of a challenge.
#[derive(Debug, Clone)]
pub(super) struct Challenger {
    /// Where the metadata of the resource is (RFC 9728 §3.1: the path of the resource behind the well-known part).
    metadata: String,
    /// What to ask for at the first sign-in.
    scopes: Scopes,
}

impl Challenger {
    pub(super) fn new(public_url: &str, path: &str, scopes: Scopes) -> Self {
        Self { metadata: format!("{public_url}/.well-known/oauth-protected-resource{path}"), scopes }
    }

    /// The verdict on a call that `problem` refused; none where a tool result is all there is to say.
    pub(super) fn verdict(&self, problem: &Problem, held: &Scopes) -> Option<Verdict> {
        let status = status(problem.code)?;
        let header = match status {
            StatusCode::TOO_MANY_REQUESTS => {
                let seconds = problem.facts.get("retry_after_s").and_then(Value::as_i64).unwrap_or(60);
                (header::RETRY_AFTER, HeaderValue::from(seconds))
            }
            _ => (header::WWW_AUTHENTICATE, HeaderValue::try_from(self.challenge(problem, held)).ok()?),
        };
        Some(Verdict { status, header })
    }

    fn challenge(&self, problem: &Problem, held: &Scopes) -> String {
        let (error, scopes) = if problem.code == Code::InsufficientScope {
            // What it holds already is named too: a client that asks for less would lose it.
            let lacking = problem.facts.get("scope").and_then(Value::as_str).and_then(Scope::parse);
            (BearerError::InsufficientScope, Scopes::new(held.iter().chain(lacking)))
        } else {
            (BearerError::InvalidToken, self.scopes.clone())
        };
        challenge(error, &scopes, &self.metadata, &problem.message)
    }
}

/// The status of what was refused before it was read, where no verdict says another.
pub(super) fn status_of(problem: &Problem) -> StatusCode {
    StatusCode::from_u16(problem.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// The status of a refusal that is the protocol's and not a tool's.
fn status(code: Code) -> Option<StatusCode> {
    if matches!(code, Code::Unauthenticated | Code::ConnectionRevoked) {
        Some(StatusCode::UNAUTHORIZED)
    } else if code == Code::InsufficientScope {
        Some(StatusCode::FORBIDDEN)
    } else if code == Code::RateLimited {
        Some(StatusCode::TOO_MANY_REQUESTS)
    } else {
        None
    }
}

/// The tool result of a refusal. The facts are text and not structured content: clients hold structured
/// content against the output schema of the tool, some of them also when it is an error.
pub(super) fn result(problem: &Problem, verdict: Option<&Verdict>) -> CallToolResult {
    let text = if problem.code == Code::Unauthenticated {
        "Authentication required".to_owned()
    } else {
        problem.body().to_string()
    };
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    if let Some((header::WWW_AUTHENTICATE, challenge)) = verdict.map(|verdict| &verdict.header) {
        let mut meta = MetaObject::new();
        meta.0.insert(CHALLENGE_IN_RESULT.into(), json!([challenge.to_str().unwrap_or_default()]));
        result.meta = Some(meta);
    }
    result
}

/// The JSON-RPC error of a refusal, for what is no tool call.
pub(super) fn error(problem: &Problem) -> ErrorData {
    ErrorData::new(ErrorCode::INVALID_REQUEST, problem.message.clone(), Some(problem.body()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_is_down_is_no_fault_of_ours() {
        let problem = Problem::new(Code::StoreUnavailable, "Later.");
        let challenger = Challenger::new("https://c.example", "/x", Scopes::default());
        assert_eq!(challenger.verdict(&problem, &Scopes::default()), None);
        assert_eq!(status_of(&problem), StatusCode::SERVICE_UNAVAILABLE);
    }
}
