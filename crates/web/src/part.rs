//! Small pieces that pages and live events are made of.

pub mod badge;
pub mod button;
pub mod copy;
pub mod diff;
pub mod empty;
pub mod field;
pub mod icon;
pub mod notice;
pub mod text;
pub mod time;
