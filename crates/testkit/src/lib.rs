//! What tests share.
