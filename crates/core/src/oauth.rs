//! The rules of the authorization server (RFC 6749, 7009, 7591, 7636, 8414, 8707, 9207, 9728): pure.

pub mod authorize;
pub mod challenge;
pub mod client_id;
pub mod code;
pub mod document;
pub mod metadata;
pub mod params;
pub mod pkce;
pub mod redirect;
pub mod refresh;
pub mod refusal;
pub mod registration;
pub mod resource;
pub mod token_request;
