//! One table, checked against its keys: all of its values, typed.

use super::guess::Beside;
use super::{field_word, scalar};
use crate::description::{At, Field, Reference};
use crate::diagnostic::{Diagnostic, Span, code::Code, collect::Errors, excerpt};
use crate::keys::{Key, Kind, Presence};
use crate::system::{
    CacheModel, Communication, Distance, InterruptOrder, InterruptTime, Preemption, Priority,
    Probability, PseudoVcpuRule, ServerKind, TimerQueue, Window,
};
use crate::text::{Entry, Value};
use crate::word::{Arrival, Rule};
use vorrang_time::Duration;

/// A value of the type that its key asks for.
#[derive(Clone, Debug)]
pub(super) enum Typed {
    Version,
    Text(String),
    Duration(Duration),
    NoDuration,
    Priority(Priority),
    Rule(Rule),
    ServerKind(ServerKind),
    Number(u64),
    Flag(bool),
    Part(u32),
    Probability(Probability),
    Execution(Vec<(Duration, u32)>),
    Windows(Vec<Window>),
    Distances(Vec<Distance>),
    InterruptOrder(InterruptOrder),
    InterruptTime(InterruptTime),
    TimerQueue(TimerQueue),
    PseudoVcpuRule(PseudoVcpuRule),
    Arrival(Arrival),
    CacheModel(CacheModel),
    Communication(Communication),
    Preemption(Preemption),
    Reference(Reference),
    References(Vec<At<Reference>>),
    Files,
    Table(Box<Record>),
    NoTable,
}

/// The values of one table.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// Where the table is named.
    pub(super) span: Span,
    /// A handful: looked through faster than sorted.
    fields: Vec<(&'static str, Field<Typed>)>,
}

impl Record {
    /// The table called `name`, which is named at `span`.
    pub(super) fn read(
        name: &str,
        span: &Span,
        keys: &'static [Key],
        entries: &[Entry],
        errors: &mut Errors,
    ) -> Self {
        let entries: Vec<&Entry> = entries.iter().collect();
        let unknown = |entry: &Entry, errors: &mut Errors| unknown_key(name, keys, entry, errors);
        let record = Self::read_fields(name, span, keys, &entries, unknown, errors);
        for key in keys.iter().filter(|key| record.lacks(key)) {
            let message = format!("`{}` of {name} is missing", key.name);
            errors.push(
                Diagnostic::new(Code::MissingKey, span.clone(), message)
                    .label(format!("has no `{}`", key.name))
                    .help(format!("{} Write {}", key.doc, scalar::sample(key))),
            );
        }
        record
    }

    /// The keys that stand beside the tables of the nouns.
    pub(super) fn read_file(
        span: &Span,
        keys: &'static [Key],
        tables: &[&'static str],
        entries: &[&Entry],
        errors: &mut Errors,
    ) -> Self {
        let unknown = |entry: &Entry, of: &mut Errors| unknown_table(keys, tables, entry, of);
        let record = Self::read_fields("", span, keys, entries, unknown, errors);
        for key in keys.iter().filter(|key| record.lacks(key)) {
            let message = format!("`{}` is missing", key.name);
            let start = span.start..span.start;
            errors.push(Diagnostic::new(Code::MissingKey, start, message).help(format!(
                "{} Write {}",
                key.doc,
                scalar::sample(key)
            )));
        }
        record
    }

    fn read_fields(
        name: &str,
        span: &Span,
        keys: &'static [Key],
        entries: &[&Entry],
        unknown: impl Fn(&Entry, &mut Errors),
        errors: &mut Errors,
    ) -> Self {
        let mut fields = Vec::with_capacity(entries.len());
        for entry in entries {
            let Some(key) = keys.iter().find(|key| key.name == entry.key) else {
                unknown(entry, errors);
                continue;
            };
            let field = match typed(name, key, (entry, entries), errors) {
                Some(value) => Field::Is(At { value, span: entry.node.span.clone() }),
                None => Field::Wrong,
            };
            // One that is there twice was reported.
            fields.push((key.name, field));
        }
        Self { span: span.clone(), fields }
    }

    fn of(&self, key: &str) -> Option<&Field<Typed>> {
        self.fields.iter().find(|(name, _)| *name == key).map(|(_, field)| field)
    }

    fn lacks(&self, key: &Key) -> bool {
        matches!(key.presence, Presence::Required) && self.of(key.name).is_none()
    }

    /// The field of a key, if `choose` accepts its type.
    fn field<T>(&self, key: &str, choose: impl Fn(&Typed) -> Option<T>) -> Field<T> {
        match self.of(key) {
            None => Field::Absent,
            Some(Field::Is(at)) => {
                let value = choose(&at.value).expect("the getter fits the key table");
                Field::Is(At { value, span: at.span.clone() })
            }
            Some(_) => Field::Wrong,
        }
    }

    pub(super) fn duration_or_none(&self, key: &str) -> Field<Option<Duration>> {
        self.field(key, |value| match value {
            Typed::Duration(duration) => Some(Some(*duration)),
            Typed::NoDuration => Some(None),
            _ => None,
        })
    }

    /// The distances of several arrivals.
    pub(super) fn distances(&self) -> Field<Vec<Distance>> {
        self.field("min-distances", |value| match value {
            Typed::Distances(distances) => Some(distances.clone()),
            _ => None,
        })
    }

    /// The least time between two arrivals; the first of their distances where it is left out.
    pub(super) fn least_distance(&self, key: &str) -> Field<Duration> {
        let first = |at: At<Vec<Distance>>| At { value: at.value[0].least, span: at.span };
        match (self.duration(key), self.distances()) {
            (Field::Absent, Field::Is(at)) => Field::Is(first(at)),
            (Field::Absent, Field::Wrong) => Field::Wrong,
            (stated, _) => stated,
        }
    }

    /// The names of the keys that are there.
    pub(super) fn stated(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().map(|(name, _)| *name)
    }

    /// What `read` makes of the table under a key, or nothing where it holds the word `none`.
    pub(super) fn table_or_none<T>(
        &self,
        key: &str,
        read: impl Fn(&Record) -> T,
    ) -> Field<Option<T>> {
        self.field(key, |value| match value {
            Typed::Table(record) => Some(Some(read(record))),
            Typed::NoTable => Some(None),
            _ => None,
        })
    }

    /// What `read` makes of the table under a key.
    pub(super) fn table_as<T>(&self, key: &str, read: impl Fn(&Record) -> T) -> Field<T> {
        self.field(key, |value| match value {
            Typed::Table(record) => Some(read(record)),
            _ => None,
        })
    }

    /// The table under a key, if it is there and a table.
    pub(super) fn table(&self, key: &str) -> Option<Record> {
        let table = self.field(key, |value| match value {
            Typed::Table(record) => Some(record.as_ref().clone()),
            _ => None,
        });
        table.get().map(|at| at.value.clone())
    }
}

/// Getters of fields that hold one type only.
macro_rules! getters {
    ($($name:ident: $variant:ident($type:ty);)*) => {
        impl Record {
            $(pub(super) fn $name(&self, key: &str) -> Field<$type> {
                self.field(key, |value| match value {
                    Typed::$variant(inner) => Some(inner.clone()),
                    _ => None,
                })
            })*
        }
    };
}

getters! {
    text: Text(String);
    duration: Duration(Duration);
    priority: Priority(Priority);
    number: Number(u64);
    flag: Flag(bool);
    part: Part(u32);
    probability: Probability(Probability);
    execution: Execution(Vec<(Duration, u32)>);
    windows: Windows(Vec<Window>);
    rule: Rule(Rule);
    server_kind: ServerKind(ServerKind);
    interrupt_order: InterruptOrder(InterruptOrder);
    interrupt_time: InterruptTime(InterruptTime);
    timer_queue: TimerQueue(TimerQueue);
    pseudo_vcpu_rule: PseudoVcpuRule(PseudoVcpuRule);
    arrival: Arrival(Arrival);
    cache_model: CacheModel(CacheModel);
    communication: Communication(Communication);
    preemption: Preemption(Preemption);
    reference: Reference(Reference);
    references: References(Vec<At<Reference>>);
}

/// The value of a key; `None`, and an error, if it is not what the key asks for.
fn typed(
    name: &str,
    key: &Key,
    (entry, beside): (&Entry, Beside<'_>),
    errors: &mut Errors,
) -> Option<Typed> {
    match (key.kind, &entry.node.value) {
        (Kind::TableOrNone(_), Value::Text(text)) if text == "none" => Some(Typed::NoTable),
        (Kind::Table(keys) | Kind::TableOrNone(keys), Value::Table(entries)) => {
            let name =
                if name.is_empty() { key.name.into() } else { format!("{name}.{}", key.name) };
            let record = Record::read(&name, &entry.span, keys, entries, errors);
            Some(Typed::Table(Box::new(record)))
        }
        _ => scalar::read(key, &entry.node, beside, errors),
    }
}

/// What is said of a key that a table has not.
pub(crate) fn unknown_key(name: &str, keys: &[Key], entry: &Entry, errors: &mut Errors) {
    let message = format!("{name} has no key `{}`", excerpt(&entry.key));
    let diagnostic =
        Diagnostic::new(Code::UnknownKey, entry.span.clone(), message).label("unknown key");
    if let Some(help) = field_word::key(name, &entry.key) {
        errors.push(diagnostic.help(help));
        return;
    }
    let nearest = errors.nearest(&entry.key, keys.iter().map(|key| key.name));
    let names: Vec<_> = keys.iter().map(|key| key.name).collect();
    errors.push(match nearest {
        Some(_) => diagnostic.suggest(nearest),
        None => diagnostic.help(format!("its keys are {}", names.join(", "))),
    });
}

/// A key beside the tables: most probably a table with a misspelt noun, or one that lacks it.
fn unknown_table(keys: &[Key], tables: &[&'static str], entry: &Entry, errors: &mut Errors) {
    let own = || keys.iter().map(|key| key.name).filter(|name| !name.starts_with('$'));
    let field = field_word::table(&entry.key);
    let nearest = errors.nearest(&entry.key, tables.iter().copied().chain(own()));
    let message = format!("a description has no `{}`", excerpt(&entry.key));
    let diagnostic =
        Diagnostic::new(Code::UnknownTable, entry.span.clone(), message).label("unknown table");
    errors.push(if let Some(help) = field {
        diagnostic.help(help)
    } else if nearest.is_some() {
        diagnostic.suggest(nearest)
    } else {
        let own: Vec<String> = own().map(|name| format!("`{name}`")).collect();
        let (own, tables) = (own.join(", "), tables.join(", "));
        diagnostic.help(format!("it has {own} and the tables {tables}"))
    });
}
