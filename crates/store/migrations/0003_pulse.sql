-- One row that is written to learn whether anything can be written.
CREATE TABLE pulse (
  id {I64} PRIMARY KEY CHECK (id = 1),
  beaten_at {I64} NOT NULL
){STRICT};
