//! From a handler to its operation: each type that it takes and the one that it answers says its part.

use std::future::Future;

use countersign_core::route::{Route, Told};

use super::draft::{Draft, Operation};
use super::schemas::Schemas;

/// What a handler takes.
pub(crate) trait Input {
    /// Says what of a request it is made of; by itself nothing.
    fn describe(_: &mut Draft<'_>) {}
}

/// What a handler answers.
pub(crate) trait Output {
    /// Says which answers it makes.
    fn describe(draft: &mut Draft<'_>);
}

/// A handler, by the types that it takes.
pub(crate) trait Handler<Inputs> {
    /// Lets each of its types say its part.
    fn describe(draft: &mut Draft<'_>);
}

macro_rules! handlers {
    ($($input:ident)*) => {
        impl<F, Fut, $($input),*> Handler<($($input,)*)> for F
        where
            F: Fn($($input),*) -> Fut,
            Fut: Future,
            Fut::Output: Output,
            $($input: Input,)*
        {
            fn describe(draft: &mut Draft<'_>) {
                $($input::describe(draft);)*
                <Fut::Output as Output>::describe(draft);
            }
        }
    };
}

handlers!(A);
handlers!(A B);
handlers!(A B C);
handlers!(A B C D);
handlers!(A B C D E);
handlers!(A B C D E G);

/// The operation of a row of the list.
pub(crate) fn describe<H: Handler<Inputs>, Inputs>(
    schemas: &mut Schemas,
    route: Route,
    told: Told,
    _: H,
) -> Operation {
    let mut draft = Draft::new(schemas, route, told);
    H::describe(&mut draft);
    draft.finish()
}
