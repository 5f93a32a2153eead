-- Where each branch and tag was when its repository's log was last told of it. No row at all: never looked at.
CREATE TABLE repository_ref (
  repository_id TEXT NOT NULL REFERENCES repository(id),
  name TEXT NOT NULL,
  oid TEXT NOT NULL,
  PRIMARY KEY (repository_id, name)
){STRICT};
