//! Every line of SQL, for SQLite and PostgreSQL.
