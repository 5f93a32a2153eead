//! `/repositories/import`: begin an import, begin it again, or take back one that failed.

use axum::extract::{Path, State};
use axum::response::Response;
use countersign_app::repository::import::{self, NewImport};
use countersign_core::id::ResourceId;

use super::id;
use super::new_repository::{again, name, project};
use crate::answer::{PageProblem, go_to};
use crate::form::SignedForm;
use crate::page::new_repository::Source;
use crate::state::Web;

/// Begins one; it goes on without the request.
pub(crate) async fn begin(State(web): State<Web>, form: SignedForm) -> Result<Response, PageProblem> {
    let begun = match project(&form.fields) {
        Ok(project) => {
            let url = form.fields.text("url").trim().to_owned();
            let new = NewImport { name: name(&form.fields), project, url };
            import::begin(&web.app, &form.session.view.caller, new).await
        }
        Err(problem) => Err(problem),
    };
    match begun {
        Ok(_) => Ok(go_to("/repositories")),
        Err(problem) => again(&web, &form, Source::Url, problem).await,
    }
}

/// Takes back one that failed.
pub(crate) async fn discard(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let import: ResourceId = id(&text)?;
    import::discard(&web.app, &form.session.view.caller, import).await?;
    Ok(go_to("/repositories"))
}
