//! Passwords: their rules, and the work of hashing them, kept away from the threads that serve.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher as _, PasswordVerifier as _};
use countersign_core::limit::{PASSWORD as LONGEST, PASSWORD_LEAST as SHORTEST};
use countersign_core::problem::{Code, Problem};
use tokio::sync::Semaphore;

/// A hash takes 19 MiB and one core: this many at once.
const AT_ONCE: usize = 2;
/// This many under way or in the queue; then the next is refused.
const WAITING: usize = 64;

/// What an account that does not exist is checked against: the same work as a real one, and no password has
/// this hash (it would have to come to 32 zero bytes).
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$Y291bnRlcnNpZ24tMDAwMA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// A new password that keeps the rules. It never shows.
pub struct Password(String);

impl Password {
    /// Takes a password of at least 12 characters and at most 1,024 bytes; no other rule.
    pub fn new(text: impl Into<String>) -> Result<Self, Problem> {
        let text = text.into();
        if text.chars().count() < SHORTEST {
            return Err(Problem::invalid("password", "at least 12 characters"));
        }
        if text.len() > LONGEST {
            return Err(Problem::invalid("password", "at most 1,024 bytes"));
        }
        Ok(Self(text))
    }
}

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(…)")
    }
}

/// What checking a password came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// It is the account's.
    Right,
    /// It is not, or there is no such account.
    Wrong,
}

/// Hashes and checks passwords with argon2id (RFC 9106), a few at a time.
#[derive(Debug)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    worked: Arc<AtomicU64>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            queue: Arc::new(Semaphore::new(WAITING)),
            worked: Arc::default(),
        }
    }
}

impl Passwords {
    /// The PHC string of a new password.
    pub async fn hash(&self, password: Password, salt: [u8; 16]) -> Result<String, Problem> {
        self.work(move || {
            let hash: Result<PasswordHash, _> =
                Argon2::default().hash_password_with_salt(password.0.as_bytes(), &salt);
            hash.map(|hash| hash.to_string()).map_err(|error| Problem::internal(error.to_string()))
        })
        .await
    }

    /// Checks what somebody typed against an account's PHC string, or does the same work against none.
    pub async fn check(&self, typed: String, stored: Option<String>) -> Result<Check, Problem> {
        if typed.len() > LONGEST {
            // Nobody has such a password, whoever they say they are.
            return Ok(Check::Wrong);
        }
        self.work(move || {
            let known = stored.is_some();
            let stored = stored.unwrap_or_else(|| NOBODY.to_owned());
            let hash = PasswordHash::new(&stored).map_err(|error| Problem::internal(error.to_string()))?;
            match Argon2::default().verify_password(typed.as_bytes(), &hash) {
                Ok(()) if known => Ok(Check::Right),
                Ok(()) | Err(_) => Ok(Check::Wrong),
            }
        })
        .await
    }

    /// How many hashes were computed since the start.
    pub fn worked(&self) -> u64 {
        self.worked.load(Ordering::Relaxed)
    }

    /// Runs one hash off the serving threads. Its turn ends with the work, also when the caller went away.
    async fn work<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let place = Arc::clone(&self.queue).try_acquire_owned().map_err(|_| {
            Problem::new(Code::RateLimited, "Too many sign-ins are under way.")
                .next("Wait a few seconds, then try again.")
                .fact("retry_after_s", 5)
        })?;
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(Problem::internal)?;
        let worked = Arc::clone(&self.worked);
        let result = tokio::task::spawn_blocking(move || {
            let _held = (place, turn);
            worked.fetch_add(1, Ordering::Relaxed);
            job()
        });
        result.await.map_err(Problem::internal)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_12_characters_and_at_most_1024_bytes() {
        assert!(Password::new("elevenchars").is_err());
        assert!(Password::new("twelve chars").is_ok());
        assert!(Password::new("密".repeat(12)).is_ok());
        assert!(Password::new("a".repeat(1024)).is_ok());
        assert!(Password::new("a".repeat(1025)).is_err());
        assert_eq!(format!("{:?}", Password::new("twelve chars").unwrap()), "Password(…)");
    }

    #[tokio::test]
    async fn a_password_is_right_for_its_own_hash_alone() {
        let passwords = Passwords::default();
        let hash = passwords.hash(Password::new("correct horse").unwrap(), [7; 16]).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        let right = passwords.check("correct horse".to_owned(), Some(hash.clone())).await.unwrap();
        let wrong = passwords.check("correct horsf".to_owned(), Some(hash.clone())).await.unwrap();
        let long = passwords.check("a".repeat(1025), Some(hash)).await.unwrap();
        assert_eq!((right, wrong, long), (Check::Right, Check::Wrong, Check::Wrong));
    }

    #[tokio::test]
    async fn nobody_costs_as_many_hashes_as_somebody() {
        let passwords = Passwords::default();
        assert_eq!(passwords.check("correct horse".to_owned(), None).await.unwrap(), Check::Wrong);
        assert_eq!(passwords.worked(), 1);
    }

    #[tokio::test]
    async fn the_queue_is_bounded() {
        let passwords = Passwords::default();
        let places = Arc::clone(&passwords.queue).acquire_many_owned(64).await.unwrap();
        let refused = passwords.check("correct horse".to_owned(), None).await.unwrap_err();
        assert_eq!((refused.code, passwords.worked()), (Code::RateLimited, 0));
        drop(places);
        assert!(passwords.check("correct horse".to_owned(), None).await.is_ok());
    }
}
