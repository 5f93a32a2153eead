//! The schemas of the wire types (JSON Schema 2020-12, which OpenAPI 3.1 takes as it is): of what is read as it is
//! read, of what is written as it is written.

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};

/// Where a schema is found.
const PLACE: &str = "/components/schemas";

/// The schemas of a document, while it is made.
pub(crate) struct Schemas {
    taken: SchemaGenerator,
    given: SchemaGenerator,
}

impl Schemas {
    /// None yet.
    pub(crate) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = PLACE.into();
            settings.meta_schema = None;
        });
        Self {
            taken: settings.clone().for_deserialize().into_generator(),
            given: settings.for_serialize().into_generator(),
        }
    }

    /// The schema of what is read from a request.
    pub(crate) fn taken<T: JsonSchema>(&mut self) -> Value {
        self.taken.subschema_for::<T>().to_value()
    }

    /// The same, written out where it stands.
    pub(crate) fn taken_inline<T: JsonSchema>(&mut self) -> Value {
        T::json_schema(&mut self.taken).to_value()
    }

    /// The schema of what is written into an answer.
    pub(crate) fn given<T: JsonSchema>(&mut self) -> Value {
        self.given.subschema_for::<T>().to_value()
    }

    /// The names that stand for two schemas.
    #[cfg(test)]
    pub(crate) fn clashes(&self) -> Vec<String> {
        let given = self.given.definitions();
        let differs =
            |(name, schema): &(&String, &Value)| given.get(*name).is_some_and(|other| other != *schema);
        self.taken.definitions().iter().filter(differs).map(|(name, _)| name.clone()).collect()
    }

    /// All of them, by name.
    pub(crate) fn into_components(mut self) -> Map<String, Value> {
        let mut all = self.taken.take_definitions(true);
        all.extend(self.given.take_definitions(true));
        all
    }
}
