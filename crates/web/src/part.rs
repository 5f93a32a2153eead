//! Small pieces that pages and live events are made of.

pub mod area;
pub mod badge;
pub mod button;
pub mod code;
pub mod copy;
pub mod diff;
pub mod empty;
pub mod field;
pub mod find;
pub mod host;
pub mod icon;
pub mod markdown;
pub mod notice;
pub mod passkey;
pub mod role;
pub mod select;
pub mod size;
pub mod text;
pub mod time;
pub mod wrong;
