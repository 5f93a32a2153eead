//! Bytes between `-----BEGIN …-----` and `-----END …-----`, in lines of base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// As long as OpenSSH makes them.
const LINE: usize = 70;

pub(super) fn wrap(label: &str, bytes: &[u8]) -> String {
    let mut text = format!("-----BEGIN {label}-----\n");
    let encoded = STANDARD.encode(bytes);
    for (at, digit) in encoded.chars().enumerate() {
        if at > 0 && at % LINE == 0 {
            text.push('\n');
        }
        text.push(digit);
    }
    text + &format!("\n-----END {label}-----\n")
}

pub(super) fn unwrap(label: &str, text: &str) -> Option<Vec<u8>> {
    let begin = format!("-----BEGIN {label}-----");
    let end = format!("-----END {label}-----");
    let inside = text.trim().strip_prefix(&begin)?.strip_suffix(&end)?;
    let digits: String = inside.split_ascii_whitespace().collect();
    STANDARD.decode(digits).ok()
}
