//! Costs and cold caches where equals take turns of a slice, by brute force: small systems, and many offsets of each.
//!
//! Members of a core and of reservations of the host have few priorities, so many are equals. Slices are shorter than jobs, longer,
//! or a nanosecond. Tasks, virtual processors with and without a budget, sections and interrupts are drawn.

use crate::common::Longest;
use crate::common::drafted::{Attack, Draft, Near};
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, simulate};
use vorrang_time::{Duration, Instant};

const END: Instant = Instant::from_ns(900);

impl Draft<'_> {
    fn urgency(&mut self) {
        let priority = self.random.one_of(&[1, 1, 1, 2, 2, 3]);
        self.add(&format!("priority = {priority}"));
    }

    fn slice(&mut self) {
        let slice = self.random.one_of(&[1, 2, 3, 5, 9, 30]);
        self.add(&format!("time-slice = \"{slice}ns\""));
    }

    fn cache(&mut self) {
        let cache = self.random.one_of(&["", "", "cache = \"cache.a\"", "cache = \"cache.b\""]);
        self.add(cache);
    }

    fn sliced_task(&mut self, on: &str, most: u64, is_host: bool) {
        let (name, wcet) = (self.name(), self.random.between(1, most));
        let period = self.random.log_uniform(4 * most, 500);
        self.add(&format!(
            "[task.t{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\ndeadline = \"{}ns\"",
            period * 3
        ));
        if self.random.chance(1, 5) {
            let jitter = self.random.between(1, 20);
            self.add(&format!("jitter = \"{jitter}ns\""));
        }
        self.urgency();
        if is_host {
            self.cache();
        }
    }

    /// A guest by priority, in a server by priority.
    fn sliced_guest(&mut self) {
        let name = self.name();
        let kind =
            self.random.one_of(&["deferrable", "periodic", "polling", "sporadic", "none", "none"]);
        self.add(&format!("[vcpu.v{name}]\non = \"core.0\"\nserver = \"{kind}\""));
        self.add("scheduler = \"fixed-priority\"");
        if kind != "none" {
            let budget = self.random.between(6, 20);
            let period = self.random.between(3 * budget, 6 * budget);
            self.add(&format!("budget = \"{budget}ns\"\nperiod = \"{period}ns\""));
        }
        self.urgency();
        self.cache();
        for _ in 0..self.random.between(1, 2) {
            let most = self.random.one_of(&[3, 9]);
            self.sliced_task(&format!("vcpu.v{name}"), most, false);
        }
    }

    /// A reservation of the host whose members take turns of a slice, too.
    fn sliced_reservation(&mut self, is_linux: bool) {
        let (name, budget) = (self.name(), self.random.between(8, 25));
        let period = self.random.between(3 * budget, 6 * budget);
        let kind = if is_linux { "sched-deadline" } else { "deferrable" };
        self.add(&format!(
            "[server.r{name}]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\""
        ));
        self.add("scheduler = \"fixed-priority\"");
        if !is_linux {
            self.urgency();
        }
        self.slice();
        for _ in 0..self.random.between(2, 3) {
            self.sliced_task(&format!("server.r{name}"), 6, true);
        }
    }
}

fn draw(random: &mut Random) -> String {
    let mut draft = Draft { text: "version = 1\n".to_owned(), random, number: 0 };
    for cache in ["a", "b"] {
        let model = draft.random.one_of(&["flood", "exponential"]);
        let (useful, sustained) = (draft.random.one_of(&[0, 20, 60]), draft.random.between(1, 6));
        draft.add(&format!(
            "[cache.{cache}]\nmodel = \"{model}\"\nuseful = \"{useful}%\"\nsustained = \"{sustained}ns\""
        ));
    }
    let (call, switch) = (draft.random.below(3), draft.random.below(3));
    draft.add(&format!(
        "[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n[core.0]"
    ));
    let is_linux = draft.random.chance(1, 3);
    draft.add(if is_linux {
        "scheduler = \"linux\"\nfair-server = \"none\""
    } else {
        "scheduler = \"fixed-priority\""
    });
    if draft.random.chance(7, 8) {
        draft.slice();
    }
    for _ in 0..draft.random.below(3) {
        draft.sliced_guest();
    }
    if draft.random.chance(1, 4) {
        draft.sliced_reservation(is_linux);
    }
    for _ in 0..draft.random.between(1, 3) {
        let most = draft.random.one_of(&[2, 12, 25]);
        draft.sliced_task("core.0", most, true);
        if draft.random.chance(1, 6) {
            let blocking = draft.random.between(1, 6);
            draft.add(&format!("blocking = \"{blocking}ns\""));
        }
    }
    if draft.random.chance(1, 3) {
        let every = draft.random.between(60, 300);
        draft.add(&format!(
            "[interrupt.i]\non = \"core.0\"\nisr = \"2ns\"\nmin-interarrival = \"{every}ns\""
        ));
    }
    draft.text
}

const ATTACK: Attack = Attack { seed: 329, draw, near: [1, 4, 30, 80], histories: 30, end: END };

#[test]
fn no_bound_is_exceeded_where_slices_cost() {
    let systems = std::env::var("VORRANG_SYSTEMS").ok().and_then(|number| number.parse().ok());
    let mut near = Near::default();
    for index in 0..systems.unwrap_or(400) {
        near.add(&ATTACK.on(index).1);
    }
    println!("{near:?}");
    assert!(near.bounded > 400 && near.reached > 10, "{near:?}");
}

/// Of two equals, with every slice and every offset: what each end costs decides.
#[test]
fn no_bound_is_exceeded_by_two_equals() {
    let (mut nearest, mut systems) = (Duration::MAX, 0);
    for (call, switch) in [(1, 0), (2, 1), (1, 2), (3, 0), (0, 2)] {
        for (slice, wcet) in (1..7).flat_map(|slice| (3..9).map(move |wcet| (slice, wcet))) {
            let text = format!(
                "version = 1\n[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n\
                 [core.0]\nscheduler = \"fixed-priority\"\ntime-slice = \"{slice}ns\"\n\
                 [task.own]\non = \"core.0\"\nwcet = \"{wcet}ns\"\nperiod = \"1us\"\npriority = 1\n\
                 [task.other]\non = \"core.0\"\nwcet = \"{wcet}ns\"\nperiod = \"700ns\"\npriority = 1\n"
            );
            let system = read(&text, Format::Toml).expect("a system");
            let Some(bound) = bounds(&system).task(TaskId(0)).bound() else { continue };
            let mut longest = Longest::new(&system);
            for from in 40..40 + 3 * wcet {
                let mut history = History::quiet(&system);
                history.tasks[0] = Arrivals::from(Instant::from_ns(from));
                history.tasks[1] = Arrivals::from(Instant::from_ns(40));
                simulate(&system, SupplyId(0), &history, END, &mut longest).expect("it is covered");
            }
            assert!(longest.0[0] <= bound, "{} of {bound} in\n{text}", longest.0[0]);
            systems += 1;
            nearest = nearest.min(bound - longest.0[0]);
        }
    }
    assert!(systems > 100 && nearest <= Duration::from_ns(6), "{nearest} of {systems} systems");
}
