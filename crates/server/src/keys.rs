//! The server's own keys: files in `keys/`, mode 0600, made at first start, shared between servers.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use countersign_app::edge::Entropy;
use countersign_git::folder::{make_private, sync_names};

/// Reads the HMAC key of client ids, or makes it. Of two servers that start at once, one makes it.
pub(crate) fn client_id_key(folder: &Path, entropy: &dyn Entropy) -> std::io::Result<[u8; 32]> {
    make_private(folder)?;
    let path = folder.join("client-id.key");
    if !path.exists() {
        let mut fresh = [0; 32];
        entropy.fill(&mut fresh);
        publish(&path, &fresh)?;
    }
    let bytes = std::fs::read(&path)?;
    bytes.try_into().map_err(|_| {
        std::io::Error::other(format!("{} does not hold 32 bytes; restore it from a backup", path.display()))
    })
}

/// Writes a file whole under another name and links it to its place, unless that is taken meanwhile.
fn publish(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let draft = path.with_extension(format!("new-{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    let linked = std::fs::hard_link(&draft, path);
    std::fs::remove_file(&draft)?;
    match linked {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        // What this key signs outlives a power cut, so the key has to.
        Ok(()) | Err(_) => sync_names(path.parent().unwrap_or(path)),
    }
}
