-- Passkeys beside passwords: public keys alone, and the challenges that wait for an answer.
CREATE TABLE passkey (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES person(id),
  credential_id {BLOB} NOT NULL UNIQUE,
  name TEXT NOT NULL,
  algorithm {I64} NOT NULL,
  public_key {BLOB} NOT NULL,
  counter {I64} NOT NULL,
  created_at {I64} NOT NULL,
  synced_at {I64},
  used_at {I64},
  refused_at {I64}
){STRICT};
CREATE INDEX passkey_person ON passkey(user_id, created_at);

-- One row a question; whoever answers it, rightly or not, takes it away.
CREATE TABLE passkey_challenge (
  challenge_hash {BLOB} PRIMARY KEY,
  browser_hash {BLOB} NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('register','sign_in','prove')),
  expires_at {I64} NOT NULL
){STRICT};
CREATE INDEX passkey_challenge_age ON passkey_challenge(expires_at);
