//! A list of the server, whole: page after page.

use countersign_core::api::Items;
use countersign_fetch::Client;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// Every item of the list at a route, in its order.
pub(crate) async fn all<T: DeserializeOwned>(
    client: &Client,
    route: &[&str],
    query: &[(&str, &str)],
) -> Result<Items<T>, Failure> {
    let mut whole: Items<T> = client.get(route, query).await?;
    while let Some(next) = whole.next.take() {
        let query = [query, &[("after", next.as_str())]].concat();
        let page: Items<T> = client.get(route, &query).await?;
        // A page that leads to itself would have no end.
        whole.next = page.next.filter(|further| *further != next);
        whole.items.extend(page.items);
    }
    Ok(whole)
}
