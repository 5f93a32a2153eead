//! The audit log as a file, sent piece by piece: JSON lines, or comma-separated values for a spreadsheet.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use countersign_app::audit::Export;
use countersign_app::audit::view::{Named, RecordView};
use countersign_core::audit::csv;
use countersign_core::problem::Problem;
use futures_util::stream;
use http::{HeaderValue, header};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::api::audit::item;

/// Which form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A JSON object a line.
    JsonLines,
    /// Comma-separated values (RFC 4180).
    Csv,
}

/// The query.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Asked {
    /// `jsonl`, which it is without it: an object a line, or `csv` (RFC 4180).
    #[serde(default)]
    #[schemars(regex(pattern = "^(jsonl|csv)?$"))]
    format: String,
}

/// An answer that is the file.
pub(crate) struct Exported(pub(crate) Response);

impl IntoResponse for Exported {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Asked {
    /// The form that was asked for; JSON lines when nothing was said.
    pub(crate) fn form(&self) -> Result<Form, Problem> {
        match self.format.as_str() {
            "" | "jsonl" => Ok(Form::JsonLines),
            "csv" => Ok(Form::Csv),
            _ => Err(Problem::invalid("format", "`jsonl` or `csv`")),
        }
    }
}

const COLUMNS: [&str; 14] = [
    "id",
    "at",
    "actor_kind",
    "actor_id",
    "actor",
    "connection_id",
    "connection",
    "action",
    "resource_id",
    "resource",
    "outcome",
    "code",
    "detail",
    "seal",
];

/// The file. What breaks off in the middle breaks the connection off too: a file that is whole came to its end.
pub(crate) fn answer(export: Export, form: Form) -> Response {
    let (media, named) = match form {
        Form::JsonLines => ("application/jsonl", "attachment; filename=\"audit.jsonl\""),
        Form::Csv => ("text/csv; charset=utf-8; header=present", "attachment; filename=\"audit.csv\""),
    };
    let heading = match form {
        Form::JsonLines => String::new(),
        Form::Csv => csv::line(COLUMNS),
    };
    let pieces = stream::try_unfold((heading, export), move |(before, mut export)| async move {
        let Some(records) = export.next().await.inspect_err(told)? else {
            return Ok::<_, Problem>(None);
        };
        let piece = records.into_iter().fold(before, |piece, record| piece + &line(record, form));
        Ok(Some((piece, (String::new(), export))))
    });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media)),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static(named)),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}

fn told(problem: &Problem) {
    tracing::warn!(%problem, "an export of the audit log broke off");
}

fn line(record: RecordView, form: Form) -> String {
    match form {
        Form::JsonLines => serde_json::to_string(&item(record)).unwrap_or_default() + "\n",
        Form::Csv => values(&record),
    }
}

fn values(record: &RecordView) -> String {
    let (at, seal) = (record.at.to_string(), record.seal.map(|seal| seal.to_string()).unwrap_or_default());
    let id = |named: &Option<Named>| named.as_ref().map_or(String::new(), |named| named.id.clone());
    let name =
        |named: &Option<Named>| named.as_ref().and_then(|named| named.name.clone()).unwrap_or_default();
    let cells = [
        record.id.clone(),
        at,
        record.actor_kind.clone(),
        id(&record.actor),
        name(&record.actor),
        id(&record.connection),
        name(&record.connection),
        record.action.clone(),
        id(&record.resource),
        name(&record.resource),
        record.outcome.clone(),
        record.code.clone().unwrap_or_default(),
        record.detail.clone(),
        seal,
    ];
    csv::line(cells.iter().map(String::as_str))
}
