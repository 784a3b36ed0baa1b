//! A kernel's trace: read, compared with a description; or observed as a whole.

use super::bench::{Bench, run};
use crate::input::Depth;
use std::borrow::Cow;
use std::hint::black_box;
use std::io::{Cursor, Read as _};
use vorrang_learn::document::{updated, written};
use vorrang_learn::{Facts, Learner, Style};
use vorrang_model::write_toml;
use vorrang_observe::Schedule;
use vorrang_observe::matching::Matching;
use vorrang_observe::observation::{Limits, Observation};
use vorrang_observe::schedule::Reader;
use vorrang_recorded::{Text, is_stored};
use vorrang_time::Duration;

/// A longer line is refused before it is read.
const LINE: usize = 1 << 16;

pub(super) fn take(bench: &Bench, text: &[u8], depth: Depth) -> Result<bool, String> {
    if depth == Depth::Run {
        let description = write_toml(&bench.corpus.systems[0]);
        let description = bench.file("system.toml", description.as_bytes())?;
        let trace = bench.file("trace", text)?;
        let json = ["observe", &description, "--trace", &trace, "--json"];
        return run(if text.len().is_multiple_of(2) { &json } else { &json[..4] });
    }
    let Some(text) = printed(text) else { return Ok(false) };
    let text = &text[..];
    learn(text)?;
    let mut reader = Reader::default();
    for line in text.split(|byte| *byte == b'\n') {
        // As `vorrang observe` does.
        if line.len() > LINE || reader.line(&String::from_utf8_lossy(line)).is_err() {
            return Ok(false);
        }
    }
    let Ok(schedule) = reader.finish() else { return Ok(false) };
    if depth == Depth::Analyse {
        observe(bench, &schedule);
    }
    Ok(true)
}

/// The text, also of what a program stored; `None`: its file is refused.
fn printed(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !is_stored(bytes) {
        return Some(Cow::Borrowed(bytes));
    }
    let (mut text, mut stored) = (Vec::new(), Text::new(Cursor::new(bytes)).ok()?);
    stored.read_to_end(&mut text).ok()?;
    Some(Cow::Owned(text))
}

/// What is learnt of a trace can be written, and has nothing new for what was written.
fn learn(text: &[u8]) -> Result<(), String> {
    let mut learner = Learner::default();
    if learner.text(text).is_err() {
        return Ok(());
    }
    let (learnt, facts) = (learner.finish(), Facts::default());
    let style = Style { margin: 200_000, form: None };
    let first = written(&learnt, &facts, &style, "a trace");
    match updated(&first, &learnt, &facts, &style) {
        Ok((again, changes)) if again == first && changes.is_empty() => Ok(()),
        Ok((_, changes)) => Err(format!("there is something new in the same trace: {changes:?}")),
        Err(why) => Err(format!("what was learnt is no TOML: {why}")),
    }
}

fn observe(bench: &Bench, schedule: &Schedule) {
    for system in &bench.corpus.systems {
        let limits = Limits {
            tasks: vec![Ok(Duration::from_us(2_000)); system.tasks.len()],
            interrupts: vec![Ok(Duration::from_us(20)); system.interrupts.len()],
            chains: vec![Ok(Duration::from_us(5_000)); system.chains.len()],
        };
        let matching = Matching::in_trace(system, schedule);
        black_box(Observation::of(system, schedule, &matching, &limits));
    }
}
