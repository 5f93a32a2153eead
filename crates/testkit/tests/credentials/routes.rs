//! Every route × every kind of credential, with ids that are nowhere.

use std::collections::BTreeSet;

use countersign_core::route::Route;

use crate::cast::{Family, assemble};
use crate::credential::Credential;
use crate::ids::Ids;
use crate::probe::Probe;
use crate::rule;
use crate::table::Table;
use crate::told::Told;

/// Every route of the server, what answers to any method once for each that matters.
pub(crate) fn every_route() -> Vec<Route> {
    let one = |route: Route| match route.method {
        "ANY" => ["GET", "POST"].map(|method| Route { method, ..route }).to_vec(),
        _ => vec![route],
    };
    countersign_server::routes::list().into_iter().flat_map(one).collect()
}

/// What ends the other sessions of whoever asks.
const ENDS_OTHERS: [&str; 2] = ["/settings/password", "/settings/sign-out-elsewhere"];

/// The name of a row.
pub(crate) fn name(route: &Route) -> String {
    format!("{:14}{:7}{}", format!("{:?}", route.who), route.method, route.path)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_answers_each_credential_as_it_should() {
    let (house, families) = assemble().await;
    let (probe, ids) = (Probe::at(&house.server.url), Ids::nowhere());
    let told = Told::at(&house.server.url).await;
    let (mut broken, mut tables) = (Vec::new(), Vec::new());
    for Family { name: table_name, mut credentials } in families {
        let mut table = Table::default();
        for route in every_route() {
            let none = probe.ask(&route, &ids, &mut Credential::new("none", "nothing at all")).await;
            let mut cells = Vec::new();
            for credential in &mut credentials {
                if ENDS_OTHERS.contains(&route.path) {
                    probe.begin_anew(credential).await;
                }
                let seen = probe.ask(&route, &ids, credential).await;
                broken.extend(rule::of_route(&route, credential, &seen, &none));
                broken.extend(told.breach(&route, &seen));
                cells.push(seen);
            }
            table.row(name(&route), cells);
            if ENDS_OTHERS.contains(&route.path) {
                for credential in &mut credentials {
                    probe.begin_anew(credential).await;
                }
            }
        }
        tables.push((table_name, table.render(&credentials)));
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    for (name, text) in tables {
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn no_route_is_listed_twice() {
    let mut known = BTreeSet::new();
    for route in countersign_server::routes::list() {
        assert!(known.insert((route.method, route.path)), "{route:?}");
    }
}
