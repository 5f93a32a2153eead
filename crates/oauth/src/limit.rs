//! How often strangers may ask: the common limit of every surface, and closer ones where a call costs more. Every
//! answer tells what is left.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use countersign_app::App;
use countersign_app::gate::{self, Rate, RateKey, RateLimit};
use countersign_app::session;
use countersign_core::caller::Caller;
use countersign_core::id::UserId;
use countersign_core::net::network::Network;
use countersign_core::oauth::metadata::{AUTHORIZE, REGISTER};
use countersign_core::problem::{Code, Problem};
use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::Shared;
use crate::answer::trouble;
use crate::authorize::page;

const MINUTE: Duration = Duration::from_mins(1);
/// Registrations of one host in a minute. They store nothing, so that there is no limit for all together: it would
/// only let a few keep everybody else out.
const REGISTRATIONS: u32 = 60;
/// Authorization requests of one host, or of one person who is signed in, in a minute; each keeps a row for ten.
const AUTHORIZATIONS: u32 = 60;
/// Of all together who are not signed in: a flood of theirs keeps nobody out who is.
const AUTHORIZATIONS_OF_STRANGERS: u32 = 600;

/// The closer limits.
pub(crate) struct Limits {
    registrations: RateLimit,
    authorizations: RateLimit,
    strangers: RateLimit<()>,
}

/// The person of the live session that a request carries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visitor(pub(crate) Option<UserId>);

impl Limits {
    pub(crate) fn new() -> Self {
        Self {
            registrations: RateLimit::new(REGISTRATIONS, MINUTE),
            authorizations: RateLimit::new(AUTHORIZATIONS, MINUTE),
            strangers: RateLimit::new(AUTHORIZATIONS_OF_STRANGERS, MINUTE),
        }
    }

    /// Counts against the closer limits of an address, each only when the one before it admitted the request: whoever
    /// is refused takes nothing away from others. Gives the rate that leaves least.
    fn closer(&self, app: &App, path: &str, network: Network, visitor: Visitor) -> Option<Rate> {
        let now = app.now();
        match (path, visitor.0) {
            (REGISTER, _) => Some(self.registrations.hit(RateKey::Network(network), now)),
            (AUTHORIZE, Some(person)) => Some(self.authorizations.hit(RateKey::Person(person), now)),
            (AUTHORIZE, None) => {
                let own = self.authorizations.hit(RateKey::Network(network), now);
                Some(if own.admitted { least(own, self.strangers.hit((), now)) } else { own })
            }
            _ => None,
        }
    }
}

fn least(one: Rate, other: Rate) -> Rate {
    if (other.admitted, other.remaining) < (one.admitted, one.remaining) { other } else { one }
}

/// Stands before the endpoints of machines.
pub(crate) async fn machine(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    count(&shared, request, next, trouble).await
}

/// Stands before the endpoint that people are sent to.
pub(crate) async fn person(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    count(&shared, request, next, |problem| page(&shared, problem)).await
}

async fn count(
    shared: &Shared,
    mut request: Request,
    next: Next,
    refuse: impl Fn(&Problem) -> Response,
) -> Response {
    let info = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let address = info.map(|info| info.0.ip());
    let network = address.map_or(Network::UNKNOWN, Network::of);
    let caller = Caller::anonymous(address.unwrap_or(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED)));
    let (common, within) = gate::admit(&shared.app, &caller);
    let (rate, mut response) = match within {
        Err(problem) => (common, refuse(&problem)),
        Ok(()) => match visitor(&shared.app, cookie(&shared.app, &request)).await {
            Err(problem) => (common, refuse(&problem)),
            Ok(visitor) => {
                let closer = shared.limits.closer(&shared.app, request.uri().path(), network, visitor);
                let rate = closer.map_or(common, |closer| least(common, closer));
                request.extensions_mut().insert(visitor);
                let response = if rate.admitted { next.run(request).await } else { refuse(&too_many(rate)) };
                (rate, response)
            }
        },
    };
    tell(response.headers_mut(), rate);
    response
}

/// The cookie of a session; for authorize alone, since no other endpoint here knows cookies.
fn cookie(app: &App, request: &Request) -> Option<String> {
    let headers = request.headers().get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let cookie = session::read_cookie(&app.settings, headers).filter(|_| request.uri().path() == AUTHORIZE);
    cookie.map(str::to_owned)
}

async fn visitor(app: &App, cookie: Option<String>) -> Result<Visitor, Problem> {
    let Some(cookie) = cookie else { return Ok(Visitor(None)) };
    Ok(Visitor(session::glance(app, &cookie).await?.map(|view| view.viewer.user)))
}

fn too_many(rate: Rate) -> Problem {
    Problem::new(Code::RateLimited, "Too many requests of this kind.")
        .next(format!("Wait {} seconds, then ask again.", rate.reset_s))
        .fact("retry_after_s", rate.reset_s)
}

fn tell(headers: &mut HeaderMap, rate: Rate) {
    for (name, value) in rate.headers() {
        headers.insert(HeaderName::from_static(name), HeaderValue::from(value));
    }
}
