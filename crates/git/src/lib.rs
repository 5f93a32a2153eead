//! Repositories on disk, read by gix and moved by git.
