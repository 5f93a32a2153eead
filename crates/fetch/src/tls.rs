//! The cryptography of TLS: ring, and nothing else.

/// Makes ring the provider of this process. Whoever builds an HTTP client by other means calls it first;
/// calling it again changes nothing.
pub fn install() {
    // An error says that a provider is there already, which is what was asked for.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
