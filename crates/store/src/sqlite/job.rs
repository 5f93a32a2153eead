//! Runs a job's future on the thread that owns the connection: the verbs never wait there, so one poll ends it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll, Waker};

use crate::error::{Error, Result};
use crate::tx::Tx;

/// Runs `work` to its end; a panic, a wait on something else and a swallowed refusal of the engine are errors.
pub(super) fn run<T, E, F>(tx: &Tx<'_>, work: F) -> Result<T, E>
where
    E: From<Error>,
    F: for<'c> FnOnce(&'c Tx<'c>) -> crate::Job<'c, T, E>,
{
    let polled = catch_unwind(AssertUnwindSafe(|| {
        let mut future = work(tx);
        future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }));
    match polled {
        Ok(Poll::Ready(result)) => {
            let value = result?;
            tx.usable()?;
            Ok(value)
        }
        Ok(Poll::Pending) => Err(Error::Waited.into()),
        Err(panic) => Err(Error::Panicked(crate::error::panic_text(panic.as_ref())).into()),
    }
}
