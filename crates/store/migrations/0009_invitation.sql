-- Invitations: who may make an account, by a link that works once. One is open for a mail address at a time.
CREATE TABLE invitation (
  id TEXT PRIMARY KEY,
  token_hash {BLOB} NOT NULL UNIQUE,
  workspace_id TEXT NOT NULL REFERENCES workspace(id),
  mail TEXT NOT NULL,
  mail_key TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('member','owner')),
  project_id TEXT REFERENCES project(id),
  project_role TEXT CHECK (project_role IN ('viewer','editor','maintainer','owner')),
  invited_by TEXT NOT NULL REFERENCES person(id),
  created_at {I64} NOT NULL,
  expires_at {I64} NOT NULL,
  withdrawn_at {I64},
  accepted_at {I64}
){STRICT};
CREATE UNIQUE INDEX invitation_open ON invitation(workspace_id, mail_key)
  WHERE withdrawn_at IS NULL AND accepted_at IS NULL;
