//! The one error that leaves the application: code, sentence, next action, facts.

use serde_json::{Map, Value, json};

/// Declares every error code once: variant, wire text, HTTP status, default next action; and where that one is for agents
/// alone, another one for people.
macro_rules! codes {
    (@people $next:literal) => { $next };
    (@people $next:literal $people:literal) => { $people };
    ($($variant:ident = $text:literal, $status:literal, $next:literal $(, people $people:literal)?;)+) => {
        /// A stable code. Rows are added, never renamed or removed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code { $(#[doc = concat!("`", $text, "`")] $variant),+ }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The code on every surface.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The HTTP status of a page or of the REST API.
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status),+ }
            }

            /// What the caller should do, when nothing more exact is known.
            pub const fn next_action(self) -> &'static str {
                match self { $(Self::$variant => $next),+ }
            }

            /// The same for a person, who has a page, a command line or the REST API, and none of an agent's tools.
            pub const fn next_action_of_people(self) -> &'static str {
                match self { $(Self::$variant => codes!(@people $next $($people)?)),+ }
            }
        }
    };
}

codes! {
    InvalidArguments      = "invalid_arguments",       400, "Correct the named field and call again.",
        people "Correct what is named, then try again.";
    BodyTooLarge          = "body_too_large",          413, "Send less in one request.";
    MethodNotAllowed      = "method_not_allowed",      405, "Use a method that the header `Allow` names.",
        people "Go there by a link or a form of a page, or use a method that the header `Allow` names.";
    Unauthenticated       = "unauthenticated",         401, "Sign in, then call again.";
    SignInFailed          = "sign_in_failed",          401, "Check the mail address and the password.";
    PasskeyRefused        = "passkey_refused",         403, "Try again, or use the password.";
    PasskeysFull          = "passkeys_full",           409, "Remove a passkey that is not used any more.";
    ConnectionRevoked     = "connection_revoked",      409, "Ask the owner to connect this client again.";
    TokenReused           = "token_reused",            401, "Authorize again in the client. Usually two of its processes shared one sign-in; if not, revoke the connection.";
    ClientUnknown         = "client_unknown",          400, "Remove this server in your client and add it again.";
    RedirectRefused       = "redirect_refused",        400, "Remove this server in your client and add it again, or ask the operator to allow its exact address.";
    AuthorizationInvalid  = "authorization_invalid",   400, "Tell the maker of the client; nothing was granted.";
    ClientDocumentUnavailable = "client_document_unavailable", 502, "Load this page again in a minute; if it stays, tell the maker of the client.";
    ClientDocumentInvalid = "client_document_invalid", 400, "Tell the maker of the client; nothing was granted.";
    ConsentNotOpen        = "consent_not_open",        403, "Begin again in your client.";
    InsufficientScope     = "insufficient_scope",      403, "Ask the owner to grant the scope, then call again.";
    AgentScopeDenied      = "agent_scope_denied",      403, "Ask a person to do this in the app.";
    TokenScopeDenied      = "token_scope_denied",      403, "Make a token that has the named scope.";
    SudoRequired          = "sudo_required",           403, "Give the password or a passkey again, then repeat the step.";
    CsrfRefused           = "csrf_refused",            403, "Load the page again and repeat the step.";
    ToolNotAvailable      = "tool_not_available",      404, "Call `tools/list` to see the tools of this connection.",
        people "Look at the page of the connection: there its tools are switched.";
    NotFound              = "not_found",               404, "Call `list_granted_resources` to see what is granted.",
        people "Check the address, the id or the name, and that you have a role there.";
    NotInProject          = "not_in_project",          409, "Ask the owner to add the project, then call `list_granted_resources`.",
        people "Add the project to the connection, on its page.";
    OwnerLacksAccess      = "owner_lacks_access",      403, "Ask the connection owner to obtain the role on this resource.";
    RoleRequired          = "role_required",           403, "Ask an owner of the workspace for the named role.";
    LastOwner             = "last_owner",              409, "Make another person an owner first.";
    RateLimited           = "rate_limited",            429, "Wait for the seconds in `Retry-After`, then call again.";
    NameTaken             = "name_taken",              409, "Choose another name.";
    IdempotencyReused     = "idempotency_key_reused_with_different_body", 409, "Use a new idempotency key for a different body.";
    VersionConflict       = "version_conflict",        409, "Read the item again and edit its present version.";
    PreconditionFailed    = "precondition_failed",     412, "Read it again, and send the `ETag` of that answer in `If-Match`.";
    BranchNotFound        = "branch_not_found",        404, "Call `read_gitnest_repository` to see the branches.",
        people "Look which branches the repository has, and name one of them.";
    PathNotFound          = "path_not_found",          404, "Call `read_gitnest_repository` to see what is there.",
        people "Look what the repository holds at that commit, and name a path of it.";
    StaleBase             = "stale_base",              409, "Read the repository again and propose on its present tip.",
        people "Ask the agent to read the repository again and to propose anew.";
    NothingChanges        = "nothing_changes",         409, "Propose content that differs from the branch.";
    ProposalInvalid       = "proposal_invalid",        422, "Correct the named path or content and propose again.";
    ProposalStale         = "proposal_stale",          409, "Read the repository again and propose anew on its present tip.",
        people "Ask the agent to propose anew on the present tip of the branch.";
    ProposalDeclined      = "proposal_declined",       409, "Read the reason and propose anew if it can be met.",
        people "Ask the agent to propose anew, if the reason can be met.";
    ProposalExpired       = "proposal_expired",        409, "Propose anew.",
        people "Ask the agent to propose anew.";
    ProposalWithdrawn     = "proposal_withdrawn",      409, "Propose anew.",
        people "Ask the agent to propose anew.";
    ProposalNotPending    = "proposal_not_pending",    409, "Read the proposal and act on its present status.";
    ProposalFailed        = "proposal_failed",         503, "Nothing changed. Approve again, or decline.";
    DeciderLacksRole      = "decider_lacks_role",      403, "Ask a person with the named role to decide.";
    PolicyNotMet          = "policy_not_met",          409, "Meet the named conditions, then approve again.";
    PushRefused           = "push_refused",            403, "Mend what the lines name and push again.";
    RepositoryFull        = "repository_full",         413, "Delete what is not needed, or ask the operator for a larger quota.";
    ContentTooLarge       = "content_too_large",       422, "Clone the repository and read it there.";
    RepositoryBusy        = "repository_busy",         503, "Wait a few seconds and call again with the same key.",
        people "Wait a few seconds, then repeat the step.";
    StoreUnavailable      = "store_unavailable",       503, "Wait a few seconds and call again with the same key.",
        people "Wait a few seconds, then repeat the step.";
    DiskFull              = "disk_full",               507, "Ask a person to make room on the server's disk, then call again with the same key.",
        people "Make room on the server's disk, or ask its operator to, then repeat the step.";
    BackupRefused         = "backup_refused",          409, "Do what the sentence names, then run the same command again.";
    BackupInvalid         = "backup_invalid",          422, "Fetch the file once more from where it was kept, or use another backup.";
    RestoreRefused        = "restore_refused",         409, "Name an empty database and an empty folder of repositories, then run the same command again.";
    RestoreUnderWay       = "restore_under_way",       503, "Run the same restore again until it says what it proved; only then start the server.";
    RestoreNotProven      = "restore_not_proven",      500, "Do not start the server on it; restore another backup into an empty place.";
    Internal              = "internal",                500, "Call again once; if it fails again, tell the operator.";
}

/// What went wrong, for whoever must act on it. The same facts on every surface.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// The stable code.
    pub code: Code,
    /// One sentence for a person; never a secret, never a chain of causes.
    pub message: String,
    /// One sentence that the caller can carry out.
    pub next_action: String,
    /// More facts, each under a name of its own (`field`, `base_oid`, …).
    pub facts: Map<String, Value>,
    /// For the log alone.
    #[source]
    pub cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Problem {
    /// A problem with the default next action of its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            next_action: code.next_action().to_owned(),
            facts: Map::new(),
            cause: None,
        }
    }

    /// Replaces the next action by a more exact one.
    #[must_use]
    pub fn next(mut self, next_action: impl Into<String>) -> Self {
        self.next_action = next_action.into();
        self
    }

    /// The next action in words for a person: the exact one where one was given, else the code's.
    pub fn next_action_of_people(&self) -> &str {
        if self.next_action == self.code.next_action() {
            return self.code.next_action_of_people();
        }
        &self.next_action
    }

    /// Adds a fact under a name of its own.
    #[must_use]
    pub fn fact(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.facts.insert(name.to_owned(), value.into());
        self
    }

    /// Keeps the cause for the log.
    #[must_use]
    pub fn because(mut self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// A failure of ours: the caller learns nothing of the cause, the log all of it.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::new(Code::Internal, "Something failed on our side.").because(cause)
    }

    /// An argument that breaks a rule of the published schema.
    pub fn invalid(field: &str, rule: impl Into<String>) -> Self {
        let rule = rule.into();
        Self::new(Code::InvalidArguments, format!("`{field}`: {rule}."))
            .fact("field", field)
            .fact("rule", rule)
    }

    /// Nothing with this id is in the caller's workspace; the same answer whether it exists elsewhere.
    pub fn not_found(noun: &str) -> Self {
        Self::new(Code::NotFound, format!("There is no such {noun} here."))
    }

    /// `{ "code", "message", "next_action", …facts }`.
    pub fn body(&self) -> Value {
        let mut body =
            json!({ "code": self.code.as_str(), "message": self.message, "next_action": self.next_action });
        if let Value::Object(map) = &mut body {
            for (name, value) in &self.facts {
                map.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_codes_are_spelled_alike() {
        let mut words: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Code::ALL.len());
    }

    #[test]
    fn people_are_sent_to_no_tool() {
        for code in Code::ALL {
            let words: Vec<_> = code.next_action_of_people().split('`').skip(1).step_by(2).collect();
            assert!(
                words.iter().all(|word| ["Allow", "ETag", "If-Match", "Retry-After"].contains(word)),
                "{words:?}"
            );
        }
        let problem = Problem::not_found("project");
        assert_eq!(problem.next_action_of_people(), Code::NotFound.next_action_of_people());
        assert_eq!(problem.next("Look on the shelf.").next_action_of_people(), "Look on the shelf.");
    }

    #[test]
    fn a_fact_never_replaces_code_or_message() {
        let body = Problem::invalid("limit", "at most 50").fact("code", "other").body();
        assert_eq!(body["code"], "invalid_arguments");
        assert_eq!(body["field"], "limit");
    }
}
