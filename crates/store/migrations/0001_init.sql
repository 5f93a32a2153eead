-- The first schema. Tokens: {I64} {BLOB} {STRICT}. Times are BIGINT milliseconds, ids TEXT UUIDs,
-- flags are nullable times, structured facts are TEXT JSON.

-- One row: the first set-up, claimed once (spec: the token has one winner and is gone ever after).
CREATE TABLE setup (
  id {I64} PRIMARY KEY CHECK (id = 1),
  token_hash {BLOB} NOT NULL,
  created_at {I64} NOT NULL,
  used_at {I64}
){STRICT};

CREATE TABLE person (
  id TEXT PRIMARY KEY,
  mail TEXT NOT NULL,
  mail_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  created_at {I64} NOT NULL,
  disabled_at {I64}
){STRICT};

CREATE TABLE session (
  token_hash {BLOB} PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES person(id),
  csrf TEXT NOT NULL,
  created_at {I64} NOT NULL,
  seen_at {I64} NOT NULL,
  proved_at {I64} NOT NULL,
  expires_at {I64} NOT NULL,
  revoked_at {I64}
){STRICT};
CREATE INDEX session_person ON session(user_id);

CREATE TABLE workspace (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  created_at {I64} NOT NULL
){STRICT};

CREATE TABLE workspace_member (
  workspace_id TEXT NOT NULL REFERENCES workspace(id),
  user_id TEXT NOT NULL REFERENCES person(id),
  role TEXT NOT NULL CHECK (role IN ('member','owner')),
  created_at {I64} NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
){STRICT};
CREATE INDEX workspace_member_user ON workspace_member(user_id);

CREATE TABLE project (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace(id),
  name TEXT NOT NULL,
  created_at {I64} NOT NULL,
  UNIQUE (workspace_id, name)
){STRICT};

CREATE TABLE project_member (
  project_id TEXT NOT NULL REFERENCES project(id),
  user_id TEXT NOT NULL REFERENCES person(id),
  role TEXT NOT NULL CHECK (role IN ('viewer','editor','maintainer','owner')),
  created_at {I64} NOT NULL,
  PRIMARY KEY (project_id, user_id)
){STRICT};
CREATE INDEX project_member_user ON project_member(user_id);

-- Personal access tokens.
CREATE TABLE token (
  id TEXT PRIMARY KEY,
  token_hash {BLOB} NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES person(id),
  workspace_id TEXT NOT NULL REFERENCES workspace(id),
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at {I64} NOT NULL,
  expires_at {I64} NOT NULL,
  used_at {I64},
  revoked_at {I64}
){STRICT};
CREATE INDEX token_user ON token(user_id);

CREATE TABLE connection (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace(id),
  user_id TEXT NOT NULL REFERENCES person(id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending','active','revoked')),
  client_id TEXT,
  client_name TEXT,
  scopes TEXT NOT NULL,
  switched_off TEXT NOT NULL,
  created_at {I64} NOT NULL,
  activated_at {I64},
  used_at {I64},
  revoked_at {I64},
  version {I64} NOT NULL
){STRICT};
CREATE INDEX connection_workspace ON connection(workspace_id, created_at);

CREATE TABLE connection_project (
  connection_id TEXT NOT NULL REFERENCES connection(id),
  project_id TEXT NOT NULL REFERENCES project(id),
  added_at {I64} NOT NULL,
  PRIMARY KEY (connection_id, project_id)
){STRICT};

CREATE TABLE connection_resource (
  connection_id TEXT NOT NULL REFERENCES connection(id),
  resource_id TEXT NOT NULL,
  added_at {I64} NOT NULL,
  PRIMARY KEY (connection_id, resource_id)
){STRICT};

-- Anything with an event log. next_seq is the head: raised in the transaction of each change.
CREATE TABLE resource (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace(id),
  project_id TEXT NOT NULL REFERENCES project(id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  next_seq {I64} NOT NULL,
  created_at {I64} NOT NULL,
  updated_at {I64} NOT NULL
){STRICT};
CREATE INDEX resource_project ON resource(project_id, kind, name);
CREATE INDEX resource_workspace ON resource(workspace_id, kind, name);

CREATE TABLE event (
  resource_id TEXT NOT NULL REFERENCES resource(id),
  sequence {I64} NOT NULL,
  kind TEXT NOT NULL,
  at {I64} NOT NULL,
  actor TEXT NOT NULL,
  summary TEXT NOT NULL,
  refs TEXT NOT NULL,
  PRIMARY KEY (resource_id, sequence)
){STRICT};

CREATE TABLE repository (
  id TEXT PRIMARY KEY REFERENCES resource(id),
  workspace_id TEXT NOT NULL REFERENCES workspace(id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  default_branch TEXT NOT NULL,
  protected_branches TEXT NOT NULL,
  protected_paths TEXT NOT NULL,
  other_decider {I64},
  gitnest_on_at {I64},
  ready_at {I64},
  created_at {I64} NOT NULL,
  UNIQUE (workspace_id, name_key)
){STRICT};

CREATE TABLE repository_member (
  repository_id TEXT NOT NULL REFERENCES repository(id),
  user_id TEXT NOT NULL REFERENCES person(id),
  role TEXT NOT NULL CHECK (role IN ('viewer','editor','maintainer','owner')),
  created_at {I64} NOT NULL,
  PRIMARY KEY (repository_id, user_id)
){STRICT};

-- A frozen change. Every step out of a state names the state (and, out of executing, the attempt) that it saw.
CREATE TABLE proposal (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace(id),
  repository_id TEXT NOT NULL REFERENCES repository(id),
  connection_id TEXT NOT NULL REFERENCES connection(id),
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending','executing','executed','stale','failed','declined','withdrawn','expired')),
  idempotency_key TEXT NOT NULL,
  body_hash {BLOB} NOT NULL,
  branch TEXT NOT NULL,
  base_oid TEXT NOT NULL,
  message TEXT NOT NULL,
  author_name TEXT NOT NULL,
  created_at {I64} NOT NULL,
  expires_at {I64} NOT NULL,
  attempt {I64} NOT NULL,
  decided_by TEXT REFERENCES person(id),
  decided_at {I64},
  reason TEXT,
  commit_bytes {BLOB},
  commit_oid TEXT,
  branch_head TEXT,
  finished_at {I64},
  UNIQUE (connection_id, idempotency_key)
){STRICT};
CREATE INDEX proposal_queue ON proposal(workspace_id, status, created_at);
CREATE INDEX proposal_connection ON proposal(connection_id, created_at);
CREATE INDEX proposal_due ON proposal(expires_at) WHERE status IN ('pending','failed');
CREATE INDEX proposal_executing ON proposal(repository_id) WHERE status = 'executing';

CREATE TABLE proposal_file (
  proposal_id TEXT NOT NULL REFERENCES proposal(id),
  position {I64} NOT NULL,
  path TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (proposal_id, position)
){STRICT};

-- Consent under way: the request of /authorize, kept on our side behind a single-use handle.
CREATE TABLE oauth_request (
  handle_hash {BLOB} PRIMARY KEY,
  session_hash {BLOB},
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  state TEXT,
  scopes TEXT NOT NULL,
  challenge TEXT NOT NULL,
  resource TEXT NOT NULL,
  created_at {I64} NOT NULL,
  expires_at {I64} NOT NULL,
  used_at {I64}
){STRICT};

CREATE TABLE oauth_family (
  id TEXT PRIMARY KEY,
  connection_id TEXT NOT NULL REFERENCES connection(id),
  client_id TEXT NOT NULL,
  resource TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at {I64} NOT NULL,
  expires_at {I64} NOT NULL,
  revoked_at {I64},
  reason TEXT
){STRICT};
CREATE INDEX oauth_family_connection ON oauth_family(connection_id);

CREATE TABLE oauth_code (
  code_hash {BLOB} PRIMARY KEY,
  family_id TEXT NOT NULL REFERENCES oauth_family(id),
  client_id TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge TEXT NOT NULL,
  resource TEXT NOT NULL,
  scopes TEXT NOT NULL,
  expires_at {I64} NOT NULL,
  used_at {I64}
){STRICT};

CREATE TABLE oauth_access (
  token_hash {BLOB} PRIMARY KEY,
  family_id TEXT NOT NULL REFERENCES oauth_family(id),
  connection_id TEXT NOT NULL REFERENCES connection(id),
  refresh_hash {BLOB} NOT NULL,
  resource TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at {I64} NOT NULL,
  expires_at {I64} NOT NULL,
  presented_at {I64}
){STRICT};
CREATE INDEX oauth_access_family ON oauth_access(family_id);

CREATE TABLE oauth_refresh (
  token_hash {BLOB} PRIMARY KEY,
  family_id TEXT NOT NULL REFERENCES oauth_family(id),
  parent_hash {BLOB},
  scopes TEXT NOT NULL,
  created_at {I64} NOT NULL,
  expires_at {I64} NOT NULL,
  presented_at {I64},
  rotated_at {I64},
  successor_hash {BLOB},
  replays {I64} NOT NULL,
  sealed {BLOB}
){STRICT};
CREATE INDEX oauth_refresh_family ON oauth_refresh(family_id);

-- Who did what. Rows are only added; seal_id is set when a batch is sealed.
CREATE TABLE audit (
  id TEXT PRIMARY KEY,
  workspace_id TEXT,
  at {I64} NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  connection_id TEXT,
  action TEXT NOT NULL,
  resource_id TEXT,
  outcome TEXT NOT NULL,
  code TEXT,
  detail TEXT NOT NULL,
  seal_id TEXT
){STRICT};
CREATE INDEX audit_workspace ON audit(workspace_id, at, id);
CREATE INDEX audit_connection ON audit(connection_id, at, id);
