//! Reading and exporting: filters, pages without gap or repetition, and for owners alone.

use countersign_app::audit::view::PageView;
use countersign_app::audit::{Filter, Listing, PAGE, Turn, export, list, show};
use countersign_app::connection::view::Outcome;
use countersign_core::problem::Code;
use countersign_core::time::Timestamp;
use countersign_store::both;

use crate::house::{FIRST_AT, House, id};

async fn page(house: &House, filter: &Filter, turn: Turn) -> PageView {
    list(&house.app, &house.owner, Listing { filter: filter.clone(), turn }, PAGE).await.unwrap()
}

/// The numbers of the records that a filter lets through, the newest first; those of the reading itself left out.
async fn found(house: &House, change: impl FnOnce(&mut Filter)) -> Vec<i64> {
    let mut filter = Filter { until: Some(Timestamp::from_millis(FIRST_AT + 1_000)), ..Filter::default() };
    change(&mut filter);
    numbers(&page(house, &filter, Turn::Newest).await)
}

fn numbers(page: &PageView) -> Vec<i64> {
    page.records.iter().map(|record| record.at.millis() - FIRST_AT).collect()
}

async fn furnish(house: &House) {
    let mut records: Vec<_> = (0..6).map(|number| house.record(number)).collect();
    records[1].outcome = "refused".to_owned();
    records[1].code = Some("role_required".to_owned());
    records[2].resource_id = Some(house.furnished.resource.to_string());
    records[3].detail = "{\"path\":\"100%_Real\"}".to_owned();
    records[4].actor_id = None;
    records[5].action = "token.create".to_owned();
    house.keep(records).await;
}

both!(each_filter_lets_through_what_it_says, db, {
    let house = House::open(db).await;
    furnish(&house).await;
    let (person, resource) = (house.furnished.person, house.furnished.resource);
    let at = |number: i64| Some(Timestamp::from_millis(FIRST_AT + number));
    assert_eq!(found(&house, |_| {}).await, [5, 4, 3, 2, 1, 0]);
    assert_eq!(found(&house, |filter| filter.action = "token.".to_owned()).await, [5]);
    assert_eq!(found(&house, |filter| filter.actor = Some(person)).await, [5, 3, 2, 1, 0]);
    assert_eq!(found(&house, |filter| filter.resource = Some(resource)).await, [2]);
    assert_eq!(found(&house, |filter| filter.outcome = Some(Outcome::Refused)).await, [1]);
    assert_eq!(found(&house, |filter| filter.code = Some(Code::RoleRequired)).await, [1]);
    assert_eq!(found(&house, |filter| (filter.from, filter.until) = (at(2), at(4))).await, [3, 2]);
    assert_eq!(found(&house, |filter| filter.text = "real".to_owned()).await, [3]);
    assert_eq!(
        found(&house, |filter| filter.text = "%_r".to_owned()).await,
        [3],
        "its signs stand for themselves"
    );
    assert_eq!(
        found(&house, |filter| filter.text = "ADA".to_owned()).await,
        [5, 3, 2, 1, 0],
        "names are searched"
    );
    assert_eq!(found(&house, |filter| filter.text = "!".to_owned()).await, [0_i64; 0]);
});

both!(a_record_is_shown_with_the_names_of_what_it_names, db, {
    let house = House::open(db).await;
    furnish(&house).await;
    let resource = house.furnished.resource;
    let filter = Filter { resource: Some(resource), ..Filter::default() };
    let record = page(&house, &filter, Turn::Newest).await.records.remove(0);
    assert_eq!(record.actor.unwrap().name.as_deref(), Some("Ada"));
    assert_eq!(record.resource.unwrap().name.as_deref(), Some("note"));
    let other = house.record(1_000);
    let elsewhere = countersign_store::testing::house::House::build_numbered(&house.db, 2).await;
    house
        .keep(vec![countersign_store::audit::Audit {
            resource_id: Some(elsewhere.resource.to_string()),
            ..other
        }])
        .await;
    let filter = Filter { resource: Some(elsewhere.resource), ..Filter::default() };
    let record = page(&house, &filter, Turn::Newest).await.records.remove(0);
    assert_eq!(record.resource.unwrap().name, None, "a name of another workspace is not told");
});

both!(pages_go_back_and_forth_without_gap_or_repetition, db, {
    let house = House::open(db).await;
    house.write(0..120).await;
    let filter = Filter { text: "thing.do".to_owned(), ..Filter::default() };
    for filter in
        [filter, Filter { until: Some(Timestamp::from_millis(FIRST_AT + 1_000)), ..Filter::default() }]
    {
        let (mut seen, mut turn, mut newer) = (Vec::new(), Turn::Newest, None);
        let last = loop {
            let page = page(&house, &filter, turn).await;
            assert!(page.records.len() <= PAGE);
            seen.extend(numbers(&page));
            let Some(older) = page.older.clone() else { break page };
            newer = page.newer.clone().or(newer);
            turn = Turn::Older(older);
        };
        assert_eq!(seen, (0..120).rev().collect::<Vec<_>>());
        let back = page(&house, &filter, Turn::Newer(last.newer.unwrap())).await;
        assert_eq!(numbers(&back), (20..70).rev().collect::<Vec<_>>());
        let top = page(&house, &filter, Turn::Newer(back.newer.clone().unwrap())).await;
        assert_eq!((numbers(&top), top.newer), ((70..120).rev().collect::<Vec<_>>(), None));
        let down = page(&house, &filter, Turn::Older(top.older.unwrap())).await;
        assert_eq!(numbers(&down), numbers(&back));
    }
});

both!(a_filter_looks_through_a_bounded_part_of_the_log_and_says_how_far, db, {
    let house = House::open(db).await;
    let workspace = house.furnished.workspace;
    house.write(0..1).await;
    let many = format!(
        "INSERT INTO audit WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) \
         SELECT 'many-' || CAST(i AS TEXT), '{workspace}', {FIRST_AT} + i, 'server', NULL, NULL, 'noise.make', NULL, \
         'done', NULL, '{{}}', NULL FROM n"
    );
    house.sql(&[&many]).await;
    let filter = Filter { action: "thing.".to_owned(), ..Filter::default() };
    let first = page(&house, &filter, Turn::Newest).await;
    assert_eq!((first.records.len(), first.looked_back_to), (0, Some(Timestamp::from_millis(FIRST_AT + 1))));
    let second = page(&house, &filter, Turn::Older(first.older.unwrap())).await;
    assert_eq!((numbers(&second), second.older), (vec![0], None));
    let mut whole = export(&house.app, &house.owner, filter).await.unwrap();
    let mut exported = Vec::new();
    while let Some(records) = whole.next().await.unwrap() {
        exported.extend(records);
    }
    assert_eq!(exported.iter().map(|record| &record.id).collect::<Vec<_>>(), [&id(0)]);
});

both!(an_export_holds_every_record_once, db, {
    let house = House::open(db).await;
    house.write(0..1_200).await;
    let filter = Filter { until: Some(Timestamp::from_millis(FIRST_AT + 10_000)), ..Filter::default() };
    let mut whole = export(&house.app, &house.owner, filter).await.unwrap();
    let mut exported = Vec::new();
    while let Some(records) = whole.next().await.unwrap() {
        assert!(records.len() <= 500, "a piece is bounded");
        exported.extend(records.into_iter().map(|record| record.at.millis() - FIRST_AT));
    }
    assert_eq!(exported, (0..1_200).rev().collect::<Vec<_>>());
});

both!(who_owns_nothing_reads_and_exports_nothing, db, {
    let house = House::open(db).await;
    let (app, member) = (&house.app, house.member().await);
    let refused = [
        list(app, &member, Listing::default(), PAGE).await.map(drop).unwrap_err().code,
        show(app, &member, Listing::default()).await.map(drop).unwrap_err().code,
        export(app, &member, Filter::default()).await.map(drop).unwrap_err().code,
    ];
    assert_eq!(refused, [Code::RoleRequired; 3]);
    house.test.app.close().await;
    let refusals = found(&house, |filter| {
        filter.until = None;
        filter.action = "audit.".to_owned();
        filter.outcome = Some(Outcome::Refused);
    });
    assert_eq!(refusals.await.len(), 3, "each refusal stands in the log");
});
