//! A profile written into its existing text: comments, order and unchanged parts remain.
//!
//! **Model.** The present and the intended content are both written as a new profile; every value in which
//! the two differ replaces the old one in the text.

use super::{Malformed, Profile};
use toml_edit::{DocumentMut, Item, TableLike, Value};

impl Profile {
    /// The text of a profile, updated to this content.
    ///
    /// # Errors
    /// It is no profile.
    pub fn within(&self, text: &str) -> Result<String, Malformed> {
        let said: Self = text.parse()?;
        let text = text.trim_start_matches('\u{feff}');
        let mut document: DocumentMut = text.parse().expect("what was read just now is TOML");
        let [before, after] = [&said, self].map(|profile| {
            let text = profile.to_string();
            text.parse::<DocumentMut>().expect("what is written is TOML")
        });
        if self.kernel.is_some() {
            document.remove("kernel");
        }
        edit(document.as_table_mut(), before.as_table(), after.as_table());
        Ok(document.to_string())
    }
}

fn edit(text: &mut dyn TableLike, before: &dyn TableLike, after: &dyn TableLike) {
    for (key, _) in before.iter().filter(|(key, _)| !after.contains_key(key)) {
        text.remove(key);
    }
    for (key, item) in after.iter() {
        let tables = before.get(key).and_then(Item::as_table_like).zip(item.as_table_like());
        let own = text.get_mut(key);
        match (own, tables, item.as_value()) {
            (Some(own), Some((before, after)), _) if own.is_table_like() => {
                edit(own.as_table_like_mut().expect("just looked"), before, after);
            }
            (Some(Item::Value(_)), _, Some(value)) if is_same(before.get(key), value) => {}
            (Some(Item::Value(own)), _, Some(value)) => {
                let decor = own.decor().clone();
                *own = value.clone();
                *own.decor_mut() = decor;
            }
            _ => drop(text.insert(key, unplaced(item))),
        }
    }
}

fn is_same(before: Option<&Item>, value: &Value) -> bool {
    let text = |value: &Value| value.to_string().trim().to_owned();
    before.and_then(Item::as_value).is_some_and(|before| text(before) == text(value))
}

/// An item without the place that it has in its own text, so that it comes behind what there is.
fn unplaced(item: &Item) -> Item {
    let mut item = item.clone();
    if let Some(table) = item.as_table_mut() {
        table.set_position(None);
        for (_, inner) in table.iter_mut() {
            *inner = unplaced(inner);
        }
    }
    item
}
