-- Metadata documents of clients, kept for as long as their headers allow, and a week for when their host is silent.
CREATE TABLE client_document (
  client_id TEXT PRIMARY KEY,
  media_type TEXT NOT NULL,
  body {BLOB} NOT NULL,
  fetched_at {I64} NOT NULL,
  fresh_until {I64} NOT NULL
){STRICT};
CREATE INDEX client_document_age ON client_document(fetched_at);

-- What the document said when the person was asked, so that it is read once for a sign-in and never for a token.
ALTER TABLE oauth_request ADD COLUMN document_hash {BLOB};
ALTER TABLE oauth_request ADD COLUMN document_uris TEXT;
ALTER TABLE oauth_family ADD COLUMN document_hash {BLOB};
ALTER TABLE oauth_family ADD COLUMN document_uris TEXT;
