//! What a browser is asked to do with a passkey: the options of `navigator.credentials`, as JSON (Level 3 §5.1.8, §5.1.9).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use countersign_core::caller::Caller;
use countersign_core::id::UserId;
use countersign_core::passkey::{ALGORITHMS, CHALLENGE_S, MOST, Purpose};
use countersign_core::problem::{Code, Problem};
use countersign_store::passkey::{self, Passkey};
use countersign_store::{Tx, person};
use serde_json::{Value, json};

use super::{challenge, check, party};
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Permit, through};
use crate::session::require_sudo;

const ASK_NEW: Action = Action { name: "passkey.ask_new", need: Need::Browser, effect: Effect::Read };
const ASK_PROOF: Action = Action { name: "passkey.ask_proof", need: Need::Browser, effect: Effect::Read };

/// The most passkeys that are named to a browser.
const NAMED: i64 = 100;

/// The options to make a passkey of the caller's own, inside the sudo window; for `navigator.credentials.create`.
pub async fn ask_new(app: &App, caller: &Caller, cookie: &str) -> Result<Value, Problem> {
    through(
        app,
        caller,
        ASK_NEW,
        |_| Box::pin(async { Ok(Found::own(())) }),
        |permit| new(app, permit, cookie),
    )
    .await
}

async fn new(app: &App, permit: Permit<()>, cookie: &str) -> Result<Value, Problem> {
    require_sudo(permit.caller(), permit.at())?;
    let (party, user) = (party(app)?, permit.person()?);
    let (row, keys) = app.db.read(move |t| Box::pin(person_with_keys(t, user))).await?;
    if keys.len() >= MOST {
        return Err(full());
    }
    let challenge = challenge::begin(app, cookie, Purpose::Register).await?;
    let algorithms: Vec<Value> =
        ALGORITHMS.iter().map(|number| json!({ "type": "public-key", "alg": number })).collect();
    Ok(json!({
        "rp": { "id": party.id, "name": check::NAME },
        "user": { "id": handle(user), "name": row.mail, "displayName": row.name },
        "challenge": challenge,
        "pubKeyCredParams": algorithms,
        "timeout": CHALLENGE_S * 1000,
        "attestation": "none",
        "authenticatorSelection":
            { "residentKey": "required", "requireResidentKey": true, "userVerification": "required" },
        "excludeCredentials": named(&keys),
    }))
}

/// The options to prove once more who is signed in; for `navigator.credentials.get`.
pub async fn ask_proof(app: &App, caller: &Caller, cookie: &str) -> Result<Value, Problem> {
    through(
        app,
        caller,
        ASK_PROOF,
        |_| Box::pin(async { Ok(Found::own(())) }),
        |permit| proof(app, permit, cookie),
    )
    .await
}

async fn proof(app: &App, permit: Permit<()>, cookie: &str) -> Result<Value, Problem> {
    let user = permit.person()?;
    let (_, keys) = app.db.read(move |t| Box::pin(person_with_keys(t, user))).await?;
    if keys.is_empty() {
        return Err(Problem::new(Code::PasskeyRefused, "You have no passkey here.").next("Use the password."));
    }
    get(app, cookie, Purpose::Prove, &named(&keys)).await
}

/// The options to sign in with any passkey of this site, for the browser whose cookie of forms holds `form`.
pub async fn ask_sign_in(app: &App, form: &str) -> Result<Value, Problem> {
    get(app, form, Purpose::SignIn, &json!([])).await
}

async fn get(app: &App, browser: &str, purpose: Purpose, allowed: &Value) -> Result<Value, Problem> {
    let party = party(app)?;
    Ok(json!({
        "rpId": party.id,
        "challenge": challenge::begin(app, browser, purpose).await?,
        "timeout": CHALLENGE_S * 1000,
        "userVerification": "required",
        "allowCredentials": allowed,
    }))
}

/// Whether the caller has a passkey that their browser could use here.
pub async fn has_any(app: &App, caller: &Caller) -> Result<bool, Problem> {
    let (Some(user), Some(_)) = (caller.person(), app.settings.relying_party()) else { return Ok(false) };
    app.db.glance(move |t| Box::pin(passkey::any_of(t, user))).await.map_err(Problem::from)
}

/// The refusal of one too many.
pub(super) fn full() -> Problem {
    Problem::new(Code::PasskeysFull, format!("You have {MOST} passkeys, and that is the most."))
}

async fn person_with_keys(t: &Tx<'_>, user: UserId) -> Result<(person::Person, Vec<Passkey>), Problem> {
    let row = person::find(t, user).await?.ok_or_else(|| Problem::not_found("account"))?;
    Ok((row, passkey::list_of(t, user, NAMED).await?))
}

fn handle(user: UserId) -> String {
    URL_SAFE_NO_PAD.encode(user.uuid().as_bytes())
}

fn named(keys: &[Passkey]) -> Value {
    let one =
        |key: &Passkey| json!({ "type": "public-key", "id": URL_SAFE_NO_PAD.encode(&key.credential_id) });
    keys.iter().map(one).collect()
}
