//! Texts that are short, or looked at only: names of histories, durations, lists of processors, threads; outputs.

use crate::corpus::Corpus;
use crate::input::Depth;
use std::hint::black_box;
use vorrang::content::Content;
use vorrang_enforce::cpus_of;
use vorrang_model::system::Selector;
use vorrang_sim::{Pattern, Simulator};
use vorrang_time::{Duration, Instant};

/// For how long a history that can be read is simulated.
const HORIZON: Duration = Duration::from_ms(20);

pub(super) fn pattern(corpus: &Corpus, text: &[u8], depth: Depth) -> Result<bool, String> {
    let Ok(text) = std::str::from_utf8(text) else { return Ok(false) };
    let mut accepted = false;
    for system in &corpus.systems {
        let Ok(pattern) = Pattern::parse(text, system) else { continue };
        accepted = true;
        let written = pattern.to_string();
        match Pattern::parse(&written, system) {
            Ok(again) if again == pattern => {}
            other => return Err(format!("written as {written}, which is {other:?}")),
        }
        if depth == Depth::Read {
            continue;
        }
        for core in system.cores() {
            let (Ok(history), Ok(mut simulator)) =
                (pattern.history(system, core), Simulator::new(system, core))
            else {
                continue;
            };
            simulator.run(&history, Instant::ZERO + HORIZON, &mut ());
        }
    }
    Ok(accepted)
}

/// Whether a text is that of some output.
pub(super) fn output(text: &[u8]) -> bool {
    const ALL: [Content; 7] = [
        Content::Perfetto,
        Content::Distributions,
        Content::KernelTrace,
        Content::Profile,
        Content::Picture,
        Content::Histogram,
        Content::Latencies,
    ];
    ALL.into_iter().filter(|content| content.is_that_of(text)).count() > 0
}

pub(super) fn value(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let duration = text.parse::<Duration>();
    if let Ok(duration) = &duration {
        black_box(duration.to_string());
    }
    let cpus = cpus_of(text);
    let selector = Selector::read(text);
    duration.is_ok() || cpus.is_some() || selector.is_ok()
}
