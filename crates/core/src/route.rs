//! What a route is: method, path, the credential that opens it. Every surface makes its router of a list of these
//! with [`routes!`](crate::routes), so that no route is served that its list does not name.

use crate::problem::Code;

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

/// What a row of a described list says beside its route.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// The path of the handler in the code.
    pub handler: &'static str,
    /// The row's doc comment: one sentence.
    pub summary: &'static str,
    /// The refusals that its handler's types do not tell.
    pub codes: &'static [Code],
}

/// Makes a constant list of routes and the function that makes the `axum` router of exactly these. A row is
/// `METHOD Who PATH => handler;`, where the method may be `ANY`.
///
/// A described list has a third function, which gives an operation a row (OpenAPI): the row's doc comment is its
/// summary, the types of its handler are what it takes and answers, and behind the handler stand the codes of further
/// refusals.
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
    ($list:ident, $router:ident($state:ty), $operations:ident(&mut $schemas:ty) -> $operation:ty = $describe:path:
        $($(#[doc = $doc:literal])* $method:ident $who:ident $path:literal => $handler:expr
            $(, $($code:ident)+)?;)+) => {
        $crate::routes! { $list, $router($state): $($method $who $path => $handler;)+ }

        /// Each route of the list above, described by the types of its handler.
        fn $operations(schemas: &mut $schemas) -> Vec<$operation> {
            vec![$($describe(
                schemas,
                $crate::route::Route {
                    method: stringify!($method),
                    path: $path,
                    who: $crate::route::Who::$who,
                },
                $crate::route::Told {
                    handler: stringify!($handler),
                    summary: concat!($($doc),*),
                    codes: &[$($($crate::problem::Code::$code),+)?],
                },
                $handler,
            )),+]
        }
    };
    (@ ANY $handler:expr) => { axum::routing::any($handler) };
    (@ $method:ident $handler:expr) => { axum::routing::on(axum::routing::MethodFilter::$method, $handler) };
}
