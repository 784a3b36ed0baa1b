//! A study from its text: every table against its keys, all errors at once.
//!
//! **Model.** First the axes are found: lists and ranges where one value is expected. Then the rest is read
//! with one value of each axis in its place, once for every value of every axis, which finds all that
//! is wrong with a value; and at last once for every point, which finds combinations that cannot be.

mod asks;
mod keys;
mod point;
mod spread;
mod table;

use crate::axis::Axis;
use crate::study::Study;
use keys::{FILE, TABLES};
use spread::Spread;
use table::Table;
use vorrang_model::tree::{Entry, Errors, Node, Value, parse};
use vorrang_model::{Code, Diagnostic, Format};

/// Most points of a study.
const POINTS: u64 = 10_000;
/// Most samples at a point, and of a shard.
const SAMPLES: u64 = 1_000_000_000_000;
const OF_SHARD: u64 = 10_000_000;
/// Samples of a shard where nothing is said.
const SHARD: u64 = 10_000;

/// # Errors
/// Everything that is wrong with it, in the order of the text; never empty.
pub(crate) fn read(source: &[u8]) -> Result<Study, Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let read =
        parse(source, Format::Toml, &mut errors).and_then(|tree| whole(&tree, source, &mut errors));
    match (read, errors.finish()) {
        (Some(study), errors) if errors.is_empty() => Ok(study),
        (_, mut errors) => {
            // A value that is the same at every point is wrong once, and a range that is none is no
            // value of the wrong type besides.
            let mut seen: Vec<Diagnostic> = Vec::new();
            errors.retain(|error| {
                let is_range = error.code == Code::WrongType
                    && seen.iter().any(|seen| seen.span == error.span);
                let is_new = !is_range && !seen.contains(error);
                if is_new {
                    seen.push(error.clone());
                }
                is_new
            });
            Err(errors)
        }
    }
}

fn whole(tree: &Node, source: &[u8], errors: &mut Errors) -> Option<Study> {
    let Value::Table(entries) = &tree.value else { unreachable!("TOML is a table") };
    let is_table = |entry: &&Entry| TABLES.iter().any(|(name, ..)| *name == entry.key);
    let (tables, keys): (Vec<&Entry>, Vec<&Entry>) = entries.iter().partition(is_table);
    let mut file = Table::of_file(FILE, &keys, tree, errors);
    file.whole("version", (1, 1), 1);
    let seed = file.whole("seed", (0, u64::MAX >> 1), 1);
    let samples = file.whole("samples", (1, SAMPLES), 1);
    let shard = file.whole("shard", (1, OF_SHARD), SHARD);
    for (name, needed, doc) in TABLES {
        if *needed && !tables.iter().any(|entry| entry.key == *name) {
            let message = format!("the table [{name}] is missing");
            let diagnostic = Diagnostic::new(Code::MissingKey, 0..0, message);
            errors.push(diagnostic.help((*doc).to_owned()));
        }
    }
    let spreads = spread::find(&tables, errors);
    let asks = asks::read(&tables, errors);
    let first: Vec<usize> = vec![0; spreads.len()];
    let read = |chosen: &[usize], errors: &mut Errors| {
        point::read(&spread::settled(&tables, &spreads, chosen), errors)
    };
    let base = read(&first, errors);
    for (number, spread) in spreads.iter().enumerate() {
        for value in 1..spread.values.len() {
            let mut chosen = first.clone();
            chosen[number] = value;
            read(&chosen, errors);
        }
    }
    let count = are_not_too_many(&spreads, errors)?;
    base.filter(|_| errors.is_empty())?;
    let mut points = Vec::new();
    for number in 0..count {
        let point = read(&coordinates(&spreads, number), errors)?;
        points.push(point);
    }
    let axes: Vec<Axis> =
        spreads.into_iter().map(|spread| Axis::of(spread.name(), &spread.values)).collect();
    asks::fit(&asks, &points, &tables, errors);
    asks::are_columns(&asks, &axes, &tables, errors);
    let text = source.to_vec();
    errors.is_empty().then(|| Study::new(text, seed, samples, shard, axes, points, asks))
}

fn are_not_too_many(spreads: &[Spread], errors: &mut Errors) -> Option<u64> {
    let count = spreads.iter().try_fold(1_u64, |product, spread| {
        product.checked_mul(spread.values.len() as u64).filter(|product| *product <= POINTS)
    });
    if count.is_none() {
        let span = spreads.last().expect("one point without axes").span.clone();
        let message = format!("the axes have more than {POINTS} points together");
        errors.push(Diagnostic::new(Code::TooMany, span, message).label("with this one"));
    }
    count
}

/// Which value each axis has at a point: the last axis is the fastest.
fn coordinates(spreads: &[Spread], point: u64) -> Vec<usize> {
    let mut rest = usize::try_from(point).expect("few points");
    let mut chosen = vec![0; spreads.len()];
    for (number, spread) in spreads.iter().enumerate().rev() {
        chosen[number] = rest % spread.values.len();
        rest /= spread.values.len();
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of tasks with this division.
    fn said(division: &str) -> Vec<String> {
        let text = format!(
            "version = 1\nsamples = 1\n[tasks]\ncount = 3\nutilisation = \"60%\"\nperiods = \"automotive\"\n\
             division = \"drs\"\n{division}\n[ask.exact]\nquestion = \"accepted\"\n"
        );
        let errors = read(text.as_bytes()).err().unwrap_or_default();
        errors.into_iter().map(|error| error.message).collect()
    }

    #[test]
    fn bounds_of_each_task_are_looked_at() {
        assert_eq!(said("least = \"10%, 0%, 5.5%\"\nmost = \"50%\""), [""; 0]);
        assert_eq!(said("most = \"20%,20%,20%\""), [""; 0]);
        for (division, expected) in [
            ("most = \"50%, 50%\"", "`most` has 2 parts for 3 tasks"),
            ("most = \"50%, fifty, 50%\"", "`most` cannot be \"50%, fifty, 50%\""),
            ("most = \"20%, 20%, 10%\"", "3 tasks use 50% at most, less than 60%"),
            ("least = \"30%, 30%, 1%\"", "3 tasks use 61% at least, more than 60%"),
            ("least = \"30%, 0%, 0%\"\nmost = \"20%\"", "`least` of task 1 is above its `most`"),
            (
                "most = \"99.9999%, 50%, 30%\"\nleast = \"0%, 0.0003%, 0%\"",
                "the widths from `least` to `most` have no common step that is coarse enough",
            ),
        ] {
            assert!(
                said(division).iter().any(|said| said == expected),
                "{division}: {:?}",
                said(division)
            );
        }
    }
}
