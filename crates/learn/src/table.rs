//! A table of a description, with where its values are from.

use crate::arrival::{Form, Stated};
use crate::said::{exact, short};
use crate::tally::Tally;

/// The value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    Number(u64),
    Times(Vec<String>),
}

/// A key, with where its value is from if it was learnt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: &'static str,
    pub(crate) value: Value,
    pub(crate) from: Option<String>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) noun: &'static str,
    pub(crate) name: String,
    /// What is said of it besides.
    pub(crate) notes: Vec<String>,
    pub(crate) entries: Vec<Entry>,
}

/// How it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// The margin, in millionths.
    pub margin: u32,
    /// How arrivals are written; by what they are like if left out.
    pub form: Option<Form>,
}

impl Table {
    pub(crate) fn new(noun: &'static str, name: &str) -> Self {
        Self { noun, name: name.to_owned(), notes: Vec::new(), entries: Vec::new() }
    }

    pub(crate) fn state(&mut self, key: &'static str, value: impl Into<String>) {
        self.entries.push(Entry { key, value: Value::Text(value.into()), from: None });
    }

    pub(crate) fn number(&mut self, key: &'static str, value: u64) {
        self.entries.push(Entry { key, value: Value::Number(value), from: None });
    }

    pub(crate) fn learn(&mut self, key: &'static str, time: u64, from: String) {
        self.entries.push(Entry { key, value: Value::Text(exact(time)), from: Some(from) });
    }

    pub(crate) fn arrive(&mut self, keys: [&'static str; 2], arrivals: Stated, from: String) {
        let [key, jitter] = keys;
        match arrivals {
            Stated::Periodic(period, late) => {
                self.learn(key, period, from);
                self.learn(jitter, late, "with the margin".to_owned());
            }
            Stated::Sporadic(least) => self.learn(key, least, from),
            Stated::Curve(all) => self.entries.push(Entry {
                key: "min-distances",
                value: Value::Times(distances(&all)),
                from: Some(from),
            }),
        }
    }
}

/// Each as a description has it: with how many arrivals later it is, where that is not one more than before.
fn distances(all: &[(usize, u64)]) -> Vec<String> {
    let mut before = 0;
    let mut one = |(steps, least): &(usize, u64)| {
        let is_next = *steps == before + 1;
        before = *steps;
        if is_next { exact(*least) } else { format!("{steps}: {}", exact(*least)) }
    };
    all.iter().map(&mut one).collect()
}

/// Where a longest time is from.
pub(crate) fn times(tally: &Tally, of: &str, time: u64) -> String {
    format!(
        "{} {of} in {}, longest {}, 99.9 % {}",
        tally.count(),
        short(time),
        short(tally.longest()),
        short(tally.of_thousand(999))
    )
}
