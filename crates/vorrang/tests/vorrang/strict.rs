//! Documents against their schemas, which leave room for keys that may be added: here there is none.

use serde_json::{Value, json};

/// What is wrong with a document, by a schema that allows for no other keys than its own.
pub(crate) fn violations(schema: &str, document: &str) -> Vec<String> {
    let mut schema: Value = serde_json::from_str(schema).expect("a schema");
    jsonschema::draft202012::meta::validate(&schema).expect("a valid schema");
    close(&mut schema);
    let document: Value = serde_json::from_str(document).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    validator.iter_errors(&document).map(|wrong| format!("{wrong}")).collect()
}

fn close(schema: &mut Value) {
    if let Value::Object(object) = schema {
        if object.get("properties").is_some_and(Value::is_object) && object.contains_key("type") {
            object.insert("additionalProperties".to_owned(), json!(false));
        }
        object.values_mut().for_each(close);
    } else if let Value::Array(all) = schema {
        all.iter_mut().for_each(close);
    }
}
