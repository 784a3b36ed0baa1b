//! The page, with a description in it.

use serde_json::{Map, Value, json};
use std::path::Path;
use vorrang_command::exit::Failure;
use vorrang_command::input;
use vorrang_model::{Colour, Format};
use vorrang_quote::name::shown;
use vorrang_verdict::input::{Given, Reading};

/// The page as it is built by `web/build.mjs`: it begins with an example.
pub(super) const EMPTY: &str = include_str!("../../dist/workbench.html");

/// The place of the first description in the page.
const PLACE: &str = r#"<script type="application/json" id="given">null</script>"#;

/// The page with the description of this file, right or wrong, and the files that it names.
pub(super) fn with(file: &Path) -> Result<String, Failure> {
    let unreadable = |why: &str| Failure::bad_input(format!("error: {}: {why}\n", shown(file)));
    let bytes = input::file(file).map_err(|why| unreadable(&input::explained(&why)))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is no text in UTF-8"))?;
    let name = file.to_str().ok_or_else(|| unreadable("its name is no text in UTF-8"))?;
    let given = json!({ "name": name, "text": text, "files": files(file, &text) });
    Ok(holding(&given))
}

fn holding(given: &Value) -> String {
    // Nothing in it closes the element around it.
    let given = given.to_string().replace('<', "\\u003c");
    EMPTY.replacen(PLACE, &PLACE.replace("null", &given), 1)
}

/// What a description includes and the profiles that it names, as far as they can be read: the page says what is wrong.
fn files(file: &Path, text: &str) -> Map<String, Value> {
    let mut found = Map::new();
    let mut beside = |path: &Path| {
        let bytes = input::file(path).map_err(|why| input::explained(&why))?;
        if let (Some(name), Ok(text)) = (path.to_str(), std::str::from_utf8(&bytes)) {
            found.insert(name.to_owned(), json!(text));
        }
        Ok(bytes)
    };
    let reading = Reading {
        given: Given { file: file.to_owned(), format: None, standard_input: None },
        bytes: text.as_bytes(),
        format: Format::of_path(file),
        allow: &[],
        file: &mut beside,
        colour: Colour::Never,
    };
    // Only the names of its files matter.
    let _ = reading.complete();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_stays_text_whatever_is_in_it() {
        let evil = "# </script><script>alert(1)</script><!-- \u{2028}";
        let page = holding(&json!({ "name": "a.toml", "text": evil, "files": {} }));
        assert!(!page.contains("alert(1)</script>"));
        assert_eq!(page.matches("<script").count(), EMPTY.matches("<script").count());
        let begin = page.find(r#"id="given">"#).expect("its place") + r#"id="given">"#.len();
        let end = begin + page[begin..].find("</script>").expect("its end");
        let read: Value = serde_json::from_str(&page[begin..end]).expect("JSON");
        assert_eq!(read["text"], evil);
    }
}
