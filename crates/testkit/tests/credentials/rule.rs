//! The rules that hold in every cell, whatever a reader of the tables overlooks.

use countersign_core::route::{Route, Who};
use countersign_core::scope::Scope;

use crate::credential::{Credential, is_form};
use crate::seen::Seen;

/// What is wrong in a cell of the table of routes. `none` is what the same route answers to nobody.
pub(crate) fn of_route(route: &Route, credential: &Credential, seen: &Seen, none: &Seen) -> Vec<String> {
    let mut broken = Vec::new();
    let mut hold = |kept: bool, rule: &str| {
        if !kept {
            let Route { method, path, who } = route;
            broken.push(format!(
                "{method} {path} ({who:?}) with {} ({}): {rule}: {seen:?}",
                credential.head, credential.what
            ));
        }
    };
    let served = seen.status < 300 || (seen.status < 400 && !seen.is_refused(route));
    hold(seen.status < 500, "no answer is a failure of ours");
    if matches!(route.who, Who::Anyone | Who::Client) {
        hold(seen == none, "what is open to anybody does not look at the credential");
        return broken;
    }
    // The connector has no stream: whoever is let in, or is nobody, is told so.
    if route.who == Who::Agent && seen.status == 405 {
        hold(route.method == "GET", "a message is taken");
        return broken;
    }
    let may = credential.may(route);
    hold(may || seen.is_refused(route), "what the credential does not open is refused");
    hold(!may || !seen.is_refused(route), "what the credential opens is not refused");
    hold(!may || seen.word != "invalid_arguments", "what is sent is well-formed; say it in request.rs");
    hold(!seen.lacks_challenge(route), "a 401 names the way in");
    let to_programs = matches!(
        route.who,
        Who::Token | Who::DecidingToken | Who::GitToken | Who::GitWriteToken | Who::Agent
    );
    hold(
        !served || !to_programs || credential.authorization.is_some(),
        "a cookie opens no API, git or connector",
    );
    hold(!served || route.who != Who::Session || credential.authorization.is_none(), "a page takes no token");
    if credential.is_agents() {
        hold(!served || route.who == Who::Agent, "an agent's token opens the connector alone");
        let of_people = !matches!(route.who, Who::Agent | Who::GitToken | Who::GitWriteToken);
        let denied = (seen.status, seen.word.as_str()) == (403, "agent_scope_denied");
        // The check of the form's site comes first, and refuses as well.
        let foreign = is_form(route) && seen.word == "csrf_refused";
        hold(!of_people || denied || foreign, "an agent's token is told that it is one");
    }
    broken
}

/// What is wrong in a cell of the table of tools.
pub(crate) fn of_tool(tool: &str, scope: Scope, credential: &Credential, seen: &Seen) -> Vec<String> {
    let mut broken = Vec::new();
    let mut hold = |kept: bool, rule: &str| {
        if !kept {
            broken.push(format!("{tool} with {} ({}): {rule}: {seen:?}", credential.head, credential.what));
        }
    };
    hold(seen.status < 500, "no answer is a failure of ours");
    if !credential.opens.contains(&Who::Agent) {
        hold(seen.status == 401 && seen.challenge, "who is no connection is asked to sign in");
    } else if credential.scopes.contains(&scope) {
        hold(seen.status == 200, "a connection with the scope gets a tool result");
        hold(seen.word != "invalid_arguments", "the arguments are well-formed; say them in argument.rs");
    } else {
        let lacking = (seen.status, seen.word.as_str()) == (403, "insufficient_scope");
        hold(lacking && seen.challenge, "a connection without the scope is told which one it lacks");
    }
    broken
}
