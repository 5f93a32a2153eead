-- What was asked for while a repository is not ready: only the same request goes on with it.
CREATE TABLE repository_making (
  repository_id TEXT PRIMARY KEY REFERENCES repository(id),
  person_id TEXT NOT NULL REFERENCES person(id),
  project_id TEXT NOT NULL REFERENCES project(id),
  folder TEXT,
  asked_at {I64} NOT NULL
){STRICT};

-- Nobody knows any more what the unready ones of before were to be: their names become free.
DELETE FROM repository WHERE ready_at IS NULL
  AND id NOT IN (SELECT repository_id FROM repository_member)
  AND id NOT IN (SELECT repository_id FROM proposal);
DELETE FROM resource WHERE kind = 'gitnest_repository'
  AND id NOT IN (SELECT id FROM repository)
  AND id NOT IN (SELECT resource_id FROM event);
