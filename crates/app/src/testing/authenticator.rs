//! An authenticator in memory, and the browser around it: what `navigator.credentials` would answer, as JSON, with every
//! byte in the hands of the test.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const PRESENT: u8 = 0b1;
const VERIFIED: u8 = 0b100;
const SYNCED: u8 = 0b1000;
const ATTESTED: u8 = 0b100_0000;

/// One passkey and what its device tells about it.
pub struct Authenticator {
    key: SigningKey,
    id: Vec<u8>,
    user: Option<String>,
    /// Whether its person showed that it is them.
    pub is_verified: bool,
    /// Whether it may be kept elsewhere too.
    pub is_synced: bool,
    /// How often it has signed; one that stays at zero does not count.
    pub count: u32,
}

impl Authenticator {
    /// One that does not count. Two of one number are copies of each other.
    pub fn new(number: u8) -> Self {
        let key = SigningKey::from_bytes(&[number; 32]);
        let id = vec![number; 16];
        Self { key, id, user: None, is_verified: true, is_synced: false, count: 0 }
    }

    /// What `navigator.credentials.create` answers a page of this origin.
    pub fn make(&mut self, options: &Value, origin: &str) -> String {
        self.user = options["user"]["id"].as_str().map(str::to_owned);
        let mut data = self.data(&options["rp"]["id"], ATTESTED);
        data.extend([0; 16]);
        data.extend([0, 16]);
        data.extend(&self.id);
        // A COSE key (RFC 9053 §7.2): OKP, EdDSA, Ed25519, x.
        data.extend([0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20]);
        data.extend(self.key.verifying_key().as_bytes());
        // An attestation object without a statement (Level 3 §6.5.4, §8.7), as CBOR.
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        object.push(u8::try_from(data.len()).unwrap_or_default());
        object.extend(data);
        let client = client_data("webauthn.create", options, origin);
        self.answer(&json!({ "clientDataJSON": coded(&client), "attestationObject": coded(&object) }))
    }

    /// What `navigator.credentials.get` answers a page of this origin.
    pub fn sign(&self, options: &Value, origin: &str) -> String {
        let client = client_data("webauthn.get", options, origin);
        let data = self.data(&options["rpId"], 0);
        let signature = self.key.sign(&[data.as_slice(), &Sha256::digest(&client)].concat());
        self.answer(&json!({
            "clientDataJSON": coded(&client),
            "authenticatorData": coded(&data),
            "signature": coded(&signature.to_bytes()),
            "userHandle": self.user,
        }))
    }

    fn answer(&self, response: &Value) -> String {
        let id = coded(&self.id);
        json!({ "id": id, "rawId": id, "type": "public-key", "response": response }).to_string()
    }

    fn data(&self, party: &Value, more: u8) -> Vec<u8> {
        let flag = |is_up: bool, flag: u8| if is_up { flag } else { 0 };
        let flags = PRESENT | flag(self.is_verified, VERIFIED) | flag(self.is_synced, SYNCED) | more;
        let mut data = Sha256::digest(party.as_str().unwrap_or_default()).to_vec();
        data.push(flags);
        data.extend(self.count.to_be_bytes());
        data
    }
}

fn client_data(kind: &str, options: &Value, origin: &str) -> Vec<u8> {
    let data =
        json!({ "type": kind, "challenge": options["challenge"], "origin": origin, "crossOrigin": false });
    data.to_string().into_bytes()
}

fn coded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
