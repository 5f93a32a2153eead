-- Seals of the audit log: each covers records, in their order, and the seal before it (docs/decisions/10-audit-seals.md).
CREATE TABLE audit_seal (
  number {I64} PRIMARY KEY,
  previous {BLOB} NOT NULL,
  digest {BLOB} NOT NULL,
  row_count {I64} NOT NULL,
  first_at {I64} NOT NULL,
  last_at {I64} NOT NULL,
  sealed_at {I64} NOT NULL,
  key_id TEXT NOT NULL,
  signature TEXT NOT NULL,
  entries {BLOB} NOT NULL
){STRICT};

-- What is not sealed yet is few; what is sealed is read seal by seal.
CREATE INDEX audit_unsealed ON audit(at, id) WHERE seal_id IS NULL;
CREATE INDEX audit_sealed ON audit(seal_id) WHERE seal_id IS NOT NULL;
