//! The phases of a thread, as one round of events.
//!
//! **Model.** A thread goes through its phases in their order, each as often as its `loop` says, and then begins anew. One
//! that ends after some rounds is taken as one that does not. A phase that waits is gone through so often that every window
//! of the jobs that are stated is there; one that does not wait takes its time as often as it comes.

use super::pattern::{Event, LONGEST, MOST, Round};
use crate::json::Json;

/// Keys of a thread or phase that are no events, or matter not.
const PLAIN: [&str; 16] = [
    "policy",
    "priority",
    "cpus",
    "dl-runtime",
    "dl-period",
    "dl-deadline",
    "dl-reclaim",
    "period",
    "deadline",
    "instance",
    "loop",
    "phases",
    "delay",
    "util_min",
    "util_max",
    "nodes_membind",
];
/// What wakes others, or is for other schedulers: it takes no time worth stating, and is in no description.
const LIGHT: [&str; 9] =
    ["lock", "unlock", "signal", "broad", "resume", "sem_post", "yield", FORK, "taskgroup"];
/// Starts more threads.
const FORK: &str = "fork";
/// Take as long as memory or a device lets them.
const UNTIMED: [&str; 2] = ["mem", "iorun"];
/// Waits for others.
const WAITS: [&str; 5] = ["suspend", "wait", "sync", "barrier", "sem_wait"];
/// Events of one thread that are looked at.
const EVENTS: usize = 4096;

/// What a thread does.
#[derive(Debug, Default)]
pub(super) struct Behaviour {
    pub(super) round: Round,
    /// Words that are in no description.
    pub(super) lost: Vec<String>,
    /// Why its times are not known.
    pub(super) unknown: Option<String>,
    /// Names of timers, by their numbers.
    timers: Vec<String>,
    is_absolute: bool,
}

/// Whether a key is one that says something of a thread, and no event.
pub(super) fn is_event(key: &str) -> bool {
    !PLAIN.contains(&key)
}

impl Behaviour {
    /// Of the phases of a thread.
    ///
    /// # Errors
    /// A time is no number; with its word.
    pub(super) fn of(phases: &[&Json]) -> Result<Self, String> {
        let mut all = Self::default();
        for phase in phases {
            all.phase(phase)?;
        }
        let is_timer = |event: &Event| !matches!(event, Event::Run(_));
        let waits = all.round.events.iter().copied().filter(is_timer);
        let is_alone =
            all.timers.len() == 1 && waits.clone().all(|event| matches!(event, Event::Timer(..)));
        if all.is_absolute && !is_alone && waits.count() > 0 {
            all.is_unknown("a timer is absolute beside other waits");
        }
        all.round.timers = all.timers.len();
        Ok(all)
    }

    fn is_unknown(&mut self, why: &str) {
        self.unknown.get_or_insert_with(|| why.to_owned());
    }

    fn phase(&mut self, phase: &Json) -> Result<(), String> {
        /// As often as no window of the jobs that are stated reaches over all of them.
        const OFTEN: usize = 2 * MOST + 1;
        let mut events = Vec::new();
        for (key, value) in phase.entries().unwrap_or_default() {
            events.extend(self.event(key, value)?);
        }
        let often = match phase.get("loop") {
            None => 1,
            Some(count) => count.number().ok_or("loop")?,
        };
        let often = if often < 0 { i64::MAX } else { often };
        let is_wait =
            |event: &Event| !matches!(event, Event::Run(_) | Event::Sleep(0) | Event::Timer(_, 0));
        if !events.iter().any(is_wait) {
            let work =
                events.iter().map(|event| if let Event::Run(work) = event { *work } else { 0 });
            let work = work.fold(0, u64::saturating_add).saturating_mul(often.unsigned_abs());
            if often == i64::MAX && work > 0 {
                self.is_unknown("a phase never ends and never waits");
            }
            self.round.events.push(Event::Run(work));
            return Ok(());
        }
        let often = usize::try_from(often).unwrap_or(usize::MAX);
        self.round.is_cut |= often > OFTEN;
        let times = often.min(OFTEN);
        if self.round.events.len().saturating_add(events.len().saturating_mul(times)) > EVENTS {
            self.is_unknown("it has more events than are looked at");
            return Ok(());
        }
        for _ in 0..times {
            self.round.events.extend(&events);
        }
        Ok(())
    }

    /// What a word of a phase does.
    fn event(&mut self, key: &str, value: &Json) -> Result<Option<Event>, String> {
        let is = |word: &&str| key.starts_with(*word);
        if !is_event(key) {
        } else if key.starts_with(FORK) {
            self.lose(&format!("{key}: the threads that it starts are not here"));
        } else if LIGHT.iter().any(&is) {
            self.lose(key);
        } else if key.starts_with("run") {
            return Ok(Some(Event::Run(time(key, value)?)));
        } else if key.starts_with("sleep") {
            return Ok(Some(Event::Sleep(time(key, value)?)));
        } else if key.starts_with("timer") {
            let period = time("period", value.get("period").ok_or(key)?)?;
            let name = value.get("ref").and_then(Json::text).unwrap_or(key);
            self.is_absolute |= value.get("mode").and_then(Json::text) == Some("absolute");
            let known = self.timers.iter().position(|own| own == name);
            let number = known.unwrap_or_else(|| {
                self.timers.push(name.to_owned());
                self.timers.len() - 1
            });
            return Ok(Some(Event::Timer(number, period)));
        } else if WAITS.iter().any(&is) {
            self.is_unknown(&format!("it waits for others ({key})"));
        } else if UNTIMED.iter().any(is) {
            self.is_unknown(&format!("how long `{key}` takes is in no file"));
        } else {
            self.is_unknown(&format!("`{key}` is no event that is known"));
        }
        Ok(None)
    }

    fn lose(&mut self, key: &str) {
        if !self.lost.iter().any(|own| own == key) {
            self.lost.push(key.to_owned());
        }
    }
}

/// A time in microseconds.
fn time(key: &str, value: &Json) -> Result<u64, String> {
    let number = value.number().and_then(|number| u64::try_from(number).ok());
    number.filter(|number| *number <= LONGEST).ok_or_else(|| key.to_owned())
}
