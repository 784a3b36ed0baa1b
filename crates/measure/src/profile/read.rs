//! A profile from its text.
//!
//! What `check` and `simulate` use is judged by the reader of descriptions; this one is for merging
//! and comparing, and gives up at the first thing that no measurement writes.

use super::{Cache, Number, Profile, Section};
use crate::fit::Model;
use crate::statistics::Spread;
use std::fmt;
use std::str::FromStr;
use toml::{Table, Value};

/// Why a text is no profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Malformed {}

impl FromStr for Profile {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let file: Table = text.parse().map_err(|why: toml::de::Error| {
            Malformed(format!("this is not TOML: {}", why.message()))
        })?;
        if file.get("version").and_then(Value::as_integer) != Some(1) {
            return Err(Malformed("a profile begins with `version = 1`".to_owned()));
        }
        let costs =
            entries(&file, "costs")?.map(|(name, value)| Ok((name.clone(), ns(name, value)?)));
        let caches =
            entries(&file, "cache")?.map(|(name, value)| Ok((name.clone(), cache(name, value)?)));
        let sections =
            entries(&file, "measured")?.map(|(verb, numbers)| section(&file, verb, numbers));
        Ok(Self {
            costs: costs.collect::<Result<_, _>>()?,
            caches: caches.collect::<Result<_, _>>()?,
            sections: sections.collect::<Result<_, _>>()?,
        })
    }
}

/// What is in a table; nothing where it is missing.
fn entries<'a>(
    table: &'a Table,
    key: &str,
) -> Result<impl Iterator<Item = (&'a String, &'a Value)>, Malformed> {
    let inside = table.get(key).map(|value| of_table(key, value)).transpose()?;
    Ok(inside.into_iter().flatten())
}

fn of_table<'a>(name: &str, value: &'a Value) -> Result<&'a Table, Malformed> {
    value.as_table().ok_or_else(|| Malformed(format!("`{name}` is no table")))
}

fn text<'a>(name: &str, value: Option<&'a Value>) -> Result<&'a str, Malformed> {
    value.and_then(Value::as_str).ok_or_else(|| Malformed(format!("`{name}` lacks a text")))
}

/// Durations as measurements and publications write them.
fn ns(name: &str, value: &Value) -> Result<u64, Malformed> {
    let written = text(name, Some(value))?;
    let units = [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
    let parsed = units
        .iter()
        .find_map(|(unit, ns)| written.strip_suffix(unit)?.parse::<u64>().ok()?.checked_mul(*ns));
    parsed.ok_or_else(|| {
        Malformed(format!("`{name}` has a duration that is not understood: {written}"))
    })
}

fn cache(name: &str, value: &Value) -> Result<Cache, Malformed> {
    let table = of_table(name, value)?;
    let model = match text(name, table.get("model"))? {
        "flood" => Model::Flood,
        "exponential" => Model::Exponential,
        _ => return Err(Malformed(format!("`{name}` has an unknown model"))),
    };
    let sustained = table.get("sustained");
    let sustained = sustained.ok_or_else(|| Malformed(format!("`{name}` lacks `sustained`")))?;
    let useful = millionths(text(name, table.get("useful"))?);
    let useful_ppm = useful.ok_or_else(|| Malformed(format!("`{name}` lacks a percentage")))?;
    Ok(Cache { model, useful_ppm, sustained_ns: ns(name, sustained)? })
}

/// `11%`, `0.4021%`.
fn millionths(text: &str) -> Option<u32> {
    let (whole, decimals) =
        text.strip_suffix('%')?.split_once('.').unwrap_or((text.strip_suffix('%')?, ""));
    let decimals = Some(decimals).filter(|digits| digits.len() <= 4)?;
    let rest: u32 = format!("{decimals:0<4}").parse().ok()?;
    let ppm = whole.parse::<u32>().ok()?.checked_mul(10_000)?.checked_add(rest)?;
    Some(ppm).filter(|ppm| *ppm <= 1_000_000)
}

fn section(file: &Table, verb: &str, numbers: &Value) -> Result<Section, Malformed> {
    let conditions = file.get("conditions").and_then(|all| all.get(verb)).and_then(Value::as_table);
    let conditions = conditions
        .into_iter()
        .flatten()
        .map(|(name, value)| Ok((name.clone(), text(name, Some(value))?.to_owned())));
    let numbers = of_table(verb, numbers)?
        .iter()
        .map(|(name, value)| Ok((name.clone(), number(name, of_table(name, value)?)?)));
    Ok(Section {
        verb: verb.to_owned(),
        conditions: conditions.collect::<Result<_, _>>()?,
        numbers: numbers.collect::<Result<_, _>>()?,
    })
}

fn number(name: &str, table: &Table) -> Result<Number, Malformed> {
    let lacks = |key: &str| Malformed(format!("`{name}` lacks `{key}`"));
    let ns = |key: &str| table.get(key).and_then(Value::as_float).ok_or_else(|| lacks(key));
    let count = |key: &str| {
        let number = table.get(key).and_then(Value::as_integer);
        number.and_then(|number| usize::try_from(number).ok()).ok_or_else(|| lacks(key))
    };
    let spread = Spread {
        count: count("count")?,
        low: ns("low-ns")?,
        median: ns("median-ns")?,
        high: ns("high-ns")?,
        max: ns("max-ns")?,
    };
    let own = ["count", "interrupted", "low-ns", "median-ns", "high-ns", "max-ns"];
    let further = table.iter().filter(|(key, _)| !own.contains(&key.as_str()));
    let further = further.filter_map(|(key, value)| Some((key.clone(), value.as_float()?)));
    Ok(Number { spread, interrupted: count("interrupted")?, further: further.collect() })
}
