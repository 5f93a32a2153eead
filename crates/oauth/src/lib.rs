//! Machine endpoints of the authorization server.
