//! One operation, while the types of its handler describe it.

use countersign_core::problem::Code;
use countersign_core::route::{Route, Told, Who};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::{Schemas, refusal, security};

/// The prefix of the paths of handlers.
const HANDLERS: &str = "api::";

/// A described route.
#[derive(Debug)]
pub(crate) struct Operation {
    /// The route.
    pub(crate) route: Route,
    /// The noun that it is about.
    pub(crate) noun: &'static str,
    /// The operation object (OpenAPI 3.1 §4.8.10).
    pub(crate) value: Value,
}

/// An operation that is being described.
pub(crate) struct Draft<'s> {
    schemas: &'s mut Schemas,
    route: Route,
    told: Told,
    parameters: Vec<Value>,
    body: Option<Value>,
    answers: Vec<(u16, Value)>,
    codes: Vec<Code>,
}

impl<'s> Draft<'s> {
    pub(super) fn new(schemas: &'s mut Schemas, route: Route, told: Told) -> Self {
        let codes = [at_the_door(route.who), told.codes].concat();
        Self { schemas, route, told, parameters: Vec::new(), body: None, answers: Vec::new(), codes }
    }

    /// It may refuse with this code.
    pub(crate) fn may(&mut self, code: Code) {
        self.codes.push(code);
    }

    /// The next parameters of its path, as the type of one id or of several tells them.
    pub(crate) fn path<T: JsonSchema>(&mut self) {
        let schema = self.schemas.taken_inline::<T>();
        let schemas = schema["prefixItems"].as_array().cloned().unwrap_or_else(|| vec![schema]);
        let known = self.parameters.iter().filter(|one| one["in"] == "path").count();
        let parts = self.route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        for (name, schema) in parts.skip(known).zip(schemas) {
            self.parameters.push(json!({ "name": name, "in": "path", "required": true, "schema": schema }));
        }
        self.may(Code::NotFound);
    }

    /// The fields of its query.
    pub(crate) fn query<T: JsonSchema>(&mut self) {
        let schema = self.schemas.taken_inline::<T>();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let needed = required.iter().any(|one| one == name);
            let mut field = field.clone();
            let about = field.as_object_mut().and_then(|field| {
                field.remove("default");
                field.remove("description")
            });
            self.parameters.push(json!({
                "name": name,
                "in": "query",
                "required": needed,
                "description": about.unwrap_or_default(),
                "schema": without_null(field),
            }));
        }
        self.may(Code::InvalidArguments);
    }

    /// A header that it reads.
    pub(crate) fn header(&mut self, name: &str, about: &str) {
        self.parameters.push(json!({
            "name": name,
            "in": "header",
            "required": false,
            "description": about,
            "schema": { "type": "string" },
        }));
    }

    /// Its body, in JSON.
    pub(crate) fn body<T: JsonSchema>(&mut self) {
        let schema = self.schemas.taken::<T>();
        self.body =
            Some(json!({ "required": true, "content": { "application/json": { "schema": schema } } }));
        self.may(Code::InvalidArguments);
        self.may(Code::BodyTooLarge);
    }

    /// An answer in JSON.
    pub(crate) fn gives<T: JsonSchema>(&mut self, status: u16, about: &str) {
        let schema = self.schemas.given::<T>();
        self.answer(status, about, &[("application/json", schema)]);
    }

    /// An answer in one of these media types.
    pub(crate) fn answer(&mut self, status: u16, about: &str, content: &[(&str, Value)]) {
        let mut answer = json!({ "description": about, "headers": rates(self.route.who) });
        if !content.is_empty() {
            let content =
                content.iter().map(|(media, schema)| ((*media).to_owned(), json!({ "schema": schema })));
            answer["content"] = content.collect::<Map<_, _>>().into();
        }
        self.answers.push((status, answer));
    }

    /// A header of the answers so far.
    pub(crate) fn tells(&mut self, name: &str, about: &str, always: bool) {
        for (_, answer) in &mut self.answers {
            answer["headers"][name] =
                json!({ "description": about, "required": always, "schema": { "type": "string" } });
        }
    }

    /// The operation.
    pub(super) fn finish(self) -> Operation {
        let Self { route, told, parameters, body, answers, codes, .. } = self;
        let path = told.handler.replace(' ', "");
        let path = path.strip_prefix(HANDLERS).unwrap_or(&path);
        let noun =
            route.path.strip_prefix("/api/v1/").unwrap_or_default().split('/').next().unwrap_or_default();
        let mut responses: Map<String, Value> =
            answers.into_iter().map(|(status, answer)| (status.to_string(), answer)).collect();
        for (status, answer) in refusal::answers(&codes, &rates(route.who)) {
            responses.insert(status.to_string(), answer);
        }
        let mut value = json!({
            "operationId": path.replace("::", "_"),
            "tags": [noun],
            "summary": told.summary.trim().trim_end_matches('.'),
            "security": security(route.who),
        });
        if !parameters.is_empty() {
            value["parameters"] = parameters.into();
        }
        if let Some(body) = body {
            value["requestBody"] = body;
        }
        value["responses"] = responses.into();
        Operation { route, noun, value }
    }
}

/// What the door of the API refuses before a handler is asked.
const fn at_the_door(who: Who) -> &'static [Code] {
    use Code::{
        AgentScopeDenied, Internal, RateLimited, StoreUnavailable, TokenScopeDenied, Unauthenticated,
    };
    match who {
        Who::Token | Who::DecidingToken => {
            &[RateLimited, Unauthenticated, AgentScopeDenied, TokenScopeDenied, StoreUnavailable, Internal]
        }
        Who::Password => &[RateLimited, Unauthenticated, AgentScopeDenied, StoreUnavailable, Internal],
        Who::Anyone
        | Who::Visitor
        | Who::Session
        | Who::GitToken
        | Who::GitWriteToken
        | Who::Agent
        | Who::Client => &[],
    }
}

/// The headers that every answer behind the door carries.
fn rates(who: Who) -> Value {
    if at_the_door(who).is_empty() {
        return json!({});
    }
    let header = |about: &str| json!({ "description": about, "required": true, "schema": { "type": "integer", "minimum": 0 } });
    json!({
        "X-RateLimit-Limit": header("How many calls a window lets through."),
        "X-RateLimit-Remaining": header("How many are left in this one."),
        "X-RateLimit-Reset": header("In how many seconds the next one begins."),
    })
}

/// A field of a query is there or not, never null.
fn without_null(mut schema: Value) -> Value {
    if let Some(kinds) = schema["type"].as_array() {
        let kinds: Vec<Value> = kinds.iter().filter(|kind| *kind != "null").cloned().collect();
        schema["type"] = match kinds.as_slice() {
            [one] => one.clone(),
            _ => kinds.into(),
        };
    }
    if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        words.retain(|word| !word.is_null());
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let mut choices = choices.iter().filter(|choice| choice["type"] != "null");
        if let (Some(one), None) = (choices.next(), choices.next()) {
            return one.clone();
        }
    }
    schema
}
