//! How often strangers may ask: the common limit of every surface, and closer ones where a call costs more.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::extract::{ConnectInfo, Request};
use countersign_app::App;
use countersign_app::gate::{RateKey, RateLimit, admit};
use countersign_core::caller::Caller;
use countersign_core::problem::{Code, Problem};

const MINUTE: Duration = Duration::from_mins(1);
/// Registrations of one address in a minute.
const REGISTRATIONS: u32 = 60;
/// Authorization requests of one address in a minute; each keeps a row for ten.
const AUTHORIZATIONS: u32 = 60;
/// Of all addresses together, of each of the two.
const ALL: u32 = 600;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// To be registered.
    Registration,
    /// For a person's consent.
    Authorization,
    /// Anything else.
    Other,
}

/// The closer limits.
pub(crate) struct Limits {
    registrations: (RateLimit, RateLimit),
    authorizations: (RateLimit, RateLimit),
}

impl Limits {
    pub(crate) fn new() -> Self {
        let pair = |each| (RateLimit::new(each, MINUTE), RateLimit::new(ALL, MINUTE));
        Self { registrations: pair(REGISTRATIONS), authorizations: pair(AUTHORIZATIONS) }
    }

    /// Counts a request against all limits that are meant for it.
    pub(crate) fn pass(&self, app: &App, request: &Request, ask: Ask) -> Result<(), Problem> {
        let info = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let address = info.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip());
        admit(app, &Caller::anonymous(address)).1?;
        let (each, all) = match ask {
            Ask::Registration => &self.registrations,
            Ask::Authorization => &self.authorizations,
            Ask::Other => return Ok(()),
        };
        let everybody = RateKey::Address(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        for (limit, key) in [(each, RateKey::Address(address)), (all, everybody)] {
            let rate = limit.hit(key, app.now());
            if !rate.admitted {
                let wait = rate.reset_s;
                return Err(Problem::new(Code::RateLimited, "Too many requests of this kind.")
                    .next(format!("Wait {wait} seconds, then ask again."))
                    .fact("retry_after_s", wait));
            }
        }
        Ok(())
    }
}
