//! A repository in the making belongs to the request that began it, and a refused import leaves no trace.

use std::path::PathBuf;

use countersign_app::project;
use countersign_app::repository::{First, NewRepository, create, get, import};
use countersign_core::id::ProjectId;
use countersign_core::problem::Code;
use countersign_store::both;

use crate::floor::Floor;

fn new(name: &str, project: ProjectId, folder: Option<PathBuf>) -> NewRepository {
    let first = folder.map_or(First::Readme, First::Folder);
    NewRepository { name: name.into(), project, first }
}

async fn other_project(floor: &Floor) -> ProjectId {
    project::create(&floor.test.app, &floor.owner, project::NewProject { name: "Docs".into() })
        .await
        .unwrap()
        .id
}

both!(an_import_that_failed_names_the_folder_and_frees_name_and_project, db, {
    let floor = Floor::lay(db).await;
    let (app, owner) = (&floor.test.app, &floor.owner);
    let empty = floor.test.folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    for folder in [PathBuf::from("/nothere"), empty] {
        let refused = import(app, owner, new("ph", floor.project, Some(folder))).await.unwrap_err();
        assert_eq!((refused.code, &refused.facts["field"]), (Code::InvalidArguments, &"folder".into()));
    }
    let docs = other_project(&floor).await;
    let made = create(app, owner, new("PH", docs, None)).await.unwrap();
    let line = get(app, owner, made.id).await.unwrap();
    assert_eq!((line.name.as_str(), line.project), ("PH", docs));
});

both!(a_claim_that_was_cut_short_goes_on_for_the_same_request_alone, db, {
    let floor = Floor::lay(db).await;
    let (app, owner) = (&floor.test.app, &floor.owner);
    let docs = other_project(&floor).await;
    let folder = app.git.path(floor.repository);
    let made = import(app, owner, new("copy", floor.project, Some(folder.clone()))).await.unwrap();
    unready(&floor, made.id.to_string(), folder.display().to_string()).await;
    for other in [
        new("Copy", floor.project, Some(folder.clone())),
        new("copy", docs, Some(folder.clone())),
        new("copy", floor.project, Some(app.git.root().to_owned())),
    ] {
        assert_eq!(import(app, owner, other.clone()).await.unwrap_err().code, Code::NameTaken, "{other:?}");
    }
    let plain = create(app, owner, new("copy", floor.project, None)).await.unwrap_err();
    assert_eq!(plain.code, Code::NameTaken);
    let again = import(app, owner, new("copy", floor.project, Some(folder))).await.unwrap();
    assert_eq!(again.id, made.id);
});

both!(of_the_same_request_at_once_one_makes_the_repository, db, {
    let floor = Floor::lay(db).await;
    let (app, owner) = (&floor.test.app, &floor.owner);
    let race = || create(app, owner, new("race", floor.project, None));
    let (a, b, c, d) = tokio::join!(race(), race(), race(), race());
    let (made, refused): (Vec<_>, Vec<_>) = [a, b, c, d].into_iter().partition(Result::is_ok);
    assert_eq!((made.len(), refused.len()), (1, 3));
    for refused in refused {
        assert_eq!(refused.unwrap_err().code, Code::NameTaken);
    }
});

/// Puts the rows back to where a kill after the folder's rename leaves them.
async fn unready(floor: &Floor, id: String, folder: String) {
    let (person, project) = (floor.owner.person().unwrap().to_string(), floor.project.to_string());
    let write = floor.test.app.db.write(move |t| {
        Box::pin(async move {
            t.exec("UPDATE repository SET ready_at = NULL WHERE id = $1", &[&id]).await?;
            t.exec(
                "INSERT INTO repository_making (repository_id, person_id, project_id, folder, asked_at) \
                 VALUES ($1, $2, $3, $4, 1)",
                &[&id, &person, &project, &folder],
            )
            .await
        })
    });
    let done: Result<u64, countersign_store::Error> = write.await;
    assert_eq!(done.unwrap(), 1);
}
