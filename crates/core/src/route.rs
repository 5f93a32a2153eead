//! What a route is: method, path, the credential that opens it. Every surface makes its router of a list of these
//! with [`routes!`](crate::routes), so that no route is served that its list does not name.

/// The credential that opens a route. The matrix of the testkit holds every route against every kind of credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// Anybody, whatever they carry.
    Anyone,
    /// A browser, signed in or not; no token of ours.
    Visitor,
    /// A browser session.
    Session,
    /// A mail address and a password in the body; no token that is not good.
    Password,
    /// A personal access token with the scope `api`.
    Token,
    /// A personal access token with the scope `proposals:decide`.
    DecidingToken,
    /// A personal access token with the scope `repo:read`, as the password of Basic authentication.
    GitToken,
    /// A personal access token with the scope `repo:write`, as the password of Basic authentication.
    GitWriteToken,
    /// The access token of a connection.
    Agent,
    /// An OAuth client, by what its form or query holds; a header says nothing.
    Client,
}

/// One route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The method, or `ANY`.
    pub method: &'static str,
    /// The path, with its parameters in braces.
    pub path: &'static str,
    /// Who may call it.
    pub who: Who,
}

/// Makes a constant list of routes and the function that makes the `axum` router of exactly these. A row is
/// `METHOD Who PATH => handler;`, where the method may be `ANY`.
///
/// Here alone a route is added to a router: `clippy.toml` fences the methods that do it off.
#[macro_export]
macro_rules! routes {
    ($list:ident, $router:ident($state:ty): $($method:ident $who:ident $path:expr => $handler:expr;)+) => {
        const $list: &[$crate::route::Route] = &[$($crate::route::Route {
            method: stringify!($method),
            path: $path,
            who: $crate::route::Who::$who,
        }),+];

        #[expect(clippy::disallowed_methods, reason = "the list above names each")]
        fn $router() -> axum::Router<$state> {
            axum::Router::new()$(.route($path, $crate::routes!(@ $method $handler)))+
        }
    };
    (@ ANY $handler:expr) => { axum::routing::any($handler) };
    (@ $method:ident $handler:expr) => { axum::routing::on(axum::routing::MethodFilter::$method, $handler) };
}
