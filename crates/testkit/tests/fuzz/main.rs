//! Must show: whatever strangers send, the readers of it keep their promises. Seeds are in `corpus`, one folder a
//! target; `make fuzz TIME=600` goes on for so many seconds with each.
#![cfg(test)]

mod authorize;
mod markdown;
mod markup;
mod message;
mod pack;
mod path;

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::server::Options;
use tokio::runtime::Runtime;

/// A house that counts no calls, and what its requests run on.
fn house() -> (Runtime, House) {
    let runtime = Runtime::new().unwrap();
    let house = runtime.block_on(async {
        let mut house = House::build(Engine::Sqlite, &Options::default()).await;
        let limits = house.data.folder().join("config.toml");
        std::fs::write(limits, "rate_limit = 1000000000\n").unwrap();
        house.restart(&Options::default()).await;
        house
    });
    (runtime, house)
}
