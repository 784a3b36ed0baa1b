//! What is varied: a key of a description, and its values.

use std::str::FromStr;
use toml_edit::{DocumentMut, Item, Value};
use vorrang_quote::name::shown;
use vorrang_time::Duration;

/// Most values of a key.
const VALUES: u64 = 10_000;

/// A key with its values, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Vary {
    /// As it is typed: `vcpu.motor.budget`.
    pub(super) key: String,
    /// As they would stand in the description, without quotes.
    pub(super) values: Vec<String>,
}

impl FromStr for Vary {
    type Err = String;

    /// `vcpu.motor.budget=1ms..4ms:500us`, or `vcpu.motor.server=deferrable,polling`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (key, values) = text
            .split_once('=')
            .ok_or("write KEY=VALUES, such as vcpu.motor.budget=1ms..4ms:500us")?;
        if key.split('.').count() < 2 || key.split('.').any(str::is_empty) {
            return Err(format!(
                "{} names no key of a table, such as vcpu.motor.budget",
                shown(key)
            ));
        }
        let values = match values.split_once("..") {
            Some((from, rest)) => range(from, rest)?,
            None => values.split(',').map(|value| value.trim().to_owned()).collect(),
        };
        if values.iter().any(String::is_empty) {
            return Err("one of the values is empty".to_owned());
        }
        Ok(Self { key: key.to_owned(), values })
    }
}

/// `4ms:500us` behind `1ms..`.
fn range(from: &str, rest: &str) -> Result<Vec<String>, String> {
    let (to, step) = rest.split_once(':').ok_or("a range has a step: 1ms..4ms:500us")?;
    let parts = [from, to, step].map(str::trim);
    let numbers = parts.map(|part| part.parse::<u64>().ok());
    let times = parts.map(|part| part.parse::<Duration>().ok());
    let write_number: fn(u64) -> String = |number| number.to_string();
    let write_time: fn(u64) -> String = |ns| Duration::from_ns(ns).to_string();
    let ([from, to, step], write) = match (numbers, times) {
        ([Some(from), Some(to), Some(step)], _) => ([from, to, step], write_number),
        (_, [Some(from), Some(to), Some(step)]) => {
            ([from, to, step].map(Duration::as_ns), write_time)
        }
        _ => return Err("the ends and the step are all durations, or all whole numbers".to_owned()),
    };
    if step == 0 || from > to {
        return Err("the range has no value, or its step is zero".to_owned());
    }
    let count = (to - from) / step + 1;
    if count > VALUES {
        return Err(format!("the range has {count} values, and may have {VALUES}"));
    }
    Ok((0..count).map(|number| write(from + number * step)).collect())
}

impl Vary {
    /// Puts a value into the description; what is wrong with the place, if it has none.
    pub(super) fn put(&self, document: &mut DocumentMut, value: &str) -> Result<(), String> {
        let (table, key) = self.key.rsplit_once('.').unwrap_or_default();
        // The costs of the machine may be the first that are stated.
        let is_alone = !table.contains('.') && !document.contains_key(table);
        if is_alone {
            document.insert(table, toml_edit::table());
        }
        let mut place: &mut Item = document.as_item_mut();
        let mut path = String::new();
        for part in table.split('.') {
            path.push_str(part);
            let inside = place.as_table_like_mut().and_then(|table| table.get_mut(part));
            place = inside.ok_or_else(|| format!("the description has no [{}]", shown(&path)))?;
            path.push('.');
        }
        let table = place.as_table_like_mut();
        let table = table.ok_or_else(|| format!("{} names no table", shown(&self.key)))?;
        let mut new = written(table.get(key), value);
        if let Some(old) = table.get(key).and_then(Item::as_value) {
            *new.decor_mut() = old.decor().clone();
        }
        table.insert(key, Item::Value(new));
        Ok(())
    }
}

/// Of the type that stands there; where nothing does, as it looks.
fn written(old: Option<&Item>, value: &str) -> Value {
    let is_text = old.is_some_and(Item::is_str);
    match (value.parse::<i64>(), value.parse::<bool>()) {
        (Ok(number), _) if !is_text => number.into(),
        (_, Ok(flag)) if !is_text => flag.into(),
        _ => value.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Result<Vec<String>, String> {
        text.parse::<Vary>().map(|vary| vary.values)
    }

    #[test]
    fn lists_and_ranges_are_read() {
        assert_eq!(
            values("a.b=1ms..2ms:500us"),
            Ok(["1ms", "1500us", "2ms"].map(str::to_owned).to_vec())
        );
        assert_eq!(values("a.b=1..4:2"), Ok(["1", "3"].map(str::to_owned).to_vec()));
        assert_eq!(
            values("a.b=polling, deferrable"),
            Ok(["polling", "deferrable"].map(str::to_owned).to_vec())
        );
        for wrong in [
            "a.b",
            "b=1",
            "a.=1",
            "a.b=",
            "a.b=1,,2",
            "a.b=1ms..2ms",
            "a.b=2..1:1",
            "a.b=1..2:0",
            "a.b=1..20000:1",
            "a.b=1..2ms:1",
        ] {
            assert!(values(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_value_replaces_another_and_its_comment_stays() {
        let mut document: DocumentMut = "[vcpu.a]\nbudget = \"1ms\" # why\n".parse().unwrap();
        let vary = |text: &str| text.parse::<Vary>().unwrap();
        vary("vcpu.a.budget=2ms").put(&mut document, "2ms").unwrap();
        vary("vcpu.a.priority=2").put(&mut document, "2").unwrap();
        assert_eq!(document.to_string(), "[vcpu.a]\nbudget = \"2ms\" # why\npriority = 2\n");
        vary("costs.context-switch=2us").put(&mut document, "2us").unwrap();
        assert!(
            document.to_string().ends_with("\n[costs]\ncontext-switch = \"2us\"\n"),
            "{document}"
        );
        let wrong = vary("vcpu.b.budget=2ms").put(&mut document, "2ms");
        assert_eq!(wrong, Err("the description has no [vcpu.b]".to_owned()));
    }
}
