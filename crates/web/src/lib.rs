//! Pages, live parts and the REST API.
