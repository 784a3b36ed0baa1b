//! A profile from its text.
//!
//! The parts for `check` and `simulate` are read by the reader of descriptions; this one is for merging and
//! comparing, and ends at the first unknown item, with its line.

use super::{Cache, Number, Profile, Section};
use crate::fit::Model;
use crate::statistics::Spread;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Why a text is no profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    line: usize,
    why: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for Malformed {}

impl FromStr for Profile {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        // As in a description, a byte order mark says nothing.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        whole(text).map_err(|Wrong { place, why }| {
            let before = text.as_bytes().iter().take(place);
            Malformed { line: before.filter(|byte| **byte == b'\n').count() + 1, why }
        })
    }
}

/// The error, and its byte.
struct Wrong {
    place: usize,
    why: String,
}

fn wrong<T>(place: &Range<usize>, why: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { place: place.start, why: why.into() })
}

/// A value with its name and place.
struct Named<'a> {
    name: &'a str,
    place: Range<usize>,
    value: &'a DeValue<'a>,
}

/// The tables of a profile.
const TABLES: [&str; 6] = ["version", "costs", "cache", "kernel", "conditions", "measured"];

fn whole(text: &str) -> Result<Profile, Wrong> {
    let file = DeTable::parse(text).map_err(|error| Wrong {
        place: error.span().map_or(0, |span| span.start),
        why: format!("this is not TOML: {}", error.message()),
    })?;
    let file = file.get_ref();
    let version = file.get("version").map(Spanned::get_ref);
    if version.and_then(DeValue::as_integer).is_none_or(|version| version.as_str() != "1") {
        let place = file.get("version").map_or(0..0, Spanned::span);
        return wrong(&place, "a profile begins with `version = 1`");
    }
    if let Some((key, _)) = file.iter().find(|(key, _)| !TABLES.contains(&&**key.get_ref())) {
        return wrong(&key.span(), format!("a profile has no `{}`", key.get_ref()));
    }
    let costs = inside(file, "costs")?.into_iter();
    let costs = costs.map(|cost| Ok((cost.name.to_owned(), ns(&cost)?)));
    let caches = inside(file, "cache")?.into_iter();
    let caches = caches.map(|known| Ok((known.name.to_owned(), cache(&known)?)));
    let sections = inside(file, "measured")?.into_iter();
    let sections = sections.map(|numbers| section(file, &numbers));
    Ok(Profile {
        costs: costs.collect::<Result<_, _>>()?,
        caches: caches.collect::<Result<_, _>>()?,
        sections: sections.collect::<Result<_, _>>()?,
        kernel: None,
    })
}

/// The items of a table, in order; none where it is missing.
fn inside<'a>(table: &'a DeTable<'a>, key: &'a str) -> Result<Vec<Named<'a>>, Wrong> {
    match find(table, key) {
        Some(found) => entries(&found),
        None => Ok(Vec::new()),
    }
}

fn find<'a>(table: &'a DeTable<'a>, name: &'a str) -> Option<Named<'a>> {
    let found = table.get(name)?;
    Some(Named { name, place: found.span(), value: found.get_ref() })
}

fn entries<'a>(of: &Named<'a>) -> Result<Vec<Named<'a>>, Wrong> {
    let named = |(key, value): (&'a Spanned<_>, &'a Spanned<DeValue<'a>>)| {
        let name: &std::borrow::Cow<'a, str> = key.get_ref();
        Named { name, place: value.span(), value: value.get_ref() }
    };
    Ok(table(of)?.iter().map(named).collect())
}

fn table<'a>(of: &Named<'a>) -> Result<&'a DeTable<'a>, Wrong> {
    let why = || wrong(&of.place, format!("`{}` is no table", of.name));
    of.value.as_table().map_or_else(why, Ok)
}

fn text<'a>(of: &Named<'a>) -> Result<&'a str, Wrong> {
    let why = || wrong(&of.place, format!("`{}` is no text", of.name));
    of.value.as_str().map_or_else(why, Ok)
}

/// The required items of a table.
fn required<'a>(of: &Named<'a>, key: &'a str) -> Result<Named<'a>, Wrong> {
    let lacks = || wrong(&of.place, format!("`{}` lacks `{key}`", of.name));
    find(table(of)?, key).map_or_else(lacks, Ok)
}

/// Durations as measurements and publications write them.
fn ns(of: &Named<'_>) -> Result<u64, Wrong> {
    let written = text(of)?;
    let units = [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
    let parsed = units
        .iter()
        .find_map(|(unit, ns)| written.strip_suffix(unit)?.parse::<u64>().ok()?.checked_mul(*ns));
    let why = || format!("`{}` has a duration that is not understood: {written}", of.name);
    parsed.map_or_else(|| wrong(&of.place, why()), Ok)
}

fn cache(of: &Named<'_>) -> Result<Cache, Wrong> {
    let model = required(of, "model")?;
    let model = match text(&model)? {
        "flood" => Model::Flood,
        "exponential" => Model::Exponential,
        _ => return wrong(&model.place, format!("`{}` has an unknown model", of.name)),
    };
    let useful = required(of, "useful")?;
    let why = || wrong(&useful.place, format!("`{}` lacks a percentage", of.name));
    let useful_ppm = millionths(text(&useful)?).map_or_else(why, Ok)?;
    Ok(Cache { model, useful_ppm, sustained_ns: ns(&required(of, "sustained")?)? })
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

fn section(file: &DeTable<'_>, numbers: &Named<'_>) -> Result<Section, Wrong> {
    let verb = numbers.name;
    let conditions = match find(file, "conditions") {
        Some(all) => find(table(&all)?, verb),
        None => None,
    };
    let conditions = conditions.as_ref().map(entries).transpose()?.unwrap_or_default();
    let conditions = conditions.iter().map(|one| Ok((one.name.to_owned(), text(one)?.to_owned())));
    let numbers = entries(numbers)?.into_iter();
    let numbers = numbers.map(|one| Ok((one.name.to_owned(), number(&one)?)));
    Ok(Section {
        verb: verb.to_owned(),
        conditions: conditions.collect::<Result<_, _>>()?,
        numbers: numbers.collect::<Result<_, _>>()?,
    })
}

/// The keys of a number that are not further numbers.
const OWN: [&str; 6] = ["count", "interrupted", "low-ns", "median-ns", "high-ns", "max-ns"];

fn number(of: &Named<'_>) -> Result<Number, Wrong> {
    let ns = |key| float(&required(of, key)?);
    let count = |key| whole_number(&required(of, key)?);
    let spread = Spread {
        count: count("count")?,
        low: ns("low-ns")?,
        median: ns("median-ns")?,
        high: ns("high-ns")?,
        max: ns("max-ns")?,
    };
    let further = entries(of)?.into_iter().filter(|one| !OWN.contains(&one.name));
    let further = further.map(|one| Ok((one.name.to_owned(), float(&one)?)));
    let further = further.collect::<Result<_, _>>()?;
    Ok(Number { spread, interrupted: count("interrupted")?, further })
}

fn float(of: &Named<'_>) -> Result<f64, Wrong> {
    let parsed = of.value.as_float().and_then(|float| float.as_str().parse().ok());
    let parsed = parsed.filter(|number: &f64| number.is_finite());
    parsed.map_or_else(|| wrong(&of.place, format!("`{}` is no decimal number", of.name)), Ok)
}

fn whole_number(of: &Named<'_>) -> Result<usize, Wrong> {
    let parsed = of.value.as_integer().and_then(|number| number.as_str().parse().ok());
    parsed.map_or_else(|| wrong(&of.place, format!("`{}` is no count", of.name)), Ok)
}
