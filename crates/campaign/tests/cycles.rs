//! Virtual-time round-robin where more is wanted than there is, by brute force: small systems, and many offsets of each.
//!
//! Members that always have work stand beside others that sleep in their turns and join again, so that counters are raised in the middle
//! of a cycle. Shares have tasks of both sorts in them, interrupts and servers; some machines take time and have caches.

use crate::common::Longest;
use crate::common::drafted::{Attack, Draft, Near};
use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, simulate};
use vorrang_time::{Duration, Instant};

impl Draft<'_> {
    /// A task that wakes often, seldom, or has work for ever.
    fn of_a_cycle(&mut self, on: &str, place: &str) {
        let name = self.name();
        let quantum = self.random.one_of(&[2, 6]);
        let (wcet, period) = match self.random.below(5) {
            0 => (1, self.random.between(3, 12)),
            1 => (self.random.between(1, quantum), self.random.between(8, 60)),
            2 => (self.random.between(1, 20), self.random.between(60, 400)),
            3 => (self.random.between(10, 60), self.random.between(40, 120)),
            _ => (1_000, 1_000),
        };
        self.add(&format!(
            "[task.t{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\ndeadline = \"3us\""
        ));
        if self.random.chance(1, 6) {
            let jitter = self.random.between(1, 20);
            self.add(&format!("jitter = \"{jitter}ns\""));
        }
        if place == "priority" {
            self.add(&format!("priority = {name}"));
        } else {
            self.share();
        }
    }

    fn share(&mut self) {
        let share = self.random.one_of(&[1, 1, 2, 3, 5]);
        self.add(&format!("share = {share}"));
    }

    fn share_of_a_cycle(&mut self) {
        let name = self.name();
        self.add(&format!("[vcpu.v{name}]\non = \"core.0\"\nserver = \"share\""));
        self.share();
        let scheduler = self.random.one_of(&["fixed-priority", "fixed-priority", "vtrr"]);
        self.add(&format!("scheduler = \"{scheduler}\""));
        let mut place = "priority";
        if scheduler == "vtrr" {
            let quantum = self.random.between(1, 4);
            self.add(&format!("quantum = \"{quantum}ns\""));
            place = "share";
        }
        let on = format!("vcpu.v{name}");
        for _ in 0..self.random.between(1, 3) {
            self.of_a_cycle(&on, place);
        }
        if self.random.chance(1, 4) {
            let (handler, every) = (self.random.between(1, 4), self.random.between(20, 200));
            self.add(&format!(
                "[interrupt.i{name}]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"{every}ns\"\n\
                 virtual = {{ vcpu = \"{on}\", isr = \"{handler}ns\" }}"
            ));
        }
        if place == "priority" && self.random.chance(1, 4) {
            let inner = self.name();
            self.add(&format!(
                "[server.s{inner}]\non = \"{on}\"\nserver = \"deferrable\"\nbudget = \"5ns\"\nperiod = \"50ns\"\npriority = {inner}"
            ));
            self.of_a_cycle(&format!("server.s{inner}"), "priority");
        }
    }
}

fn draw(random: &mut Random) -> String {
    let mut draft = Draft { text: "version = 1\n".to_owned(), random, number: 0 };
    let is_costly = draft.random.chance(1, 3);
    if is_costly {
        let (call, switch) = (draft.random.below(3), draft.random.below(3));
        draft.add(&format!(
            "[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n\
             [cache.a]\nmodel = \"exponential\"\nuseful = \"20%\"\nsustained = \"3ns\""
        ));
    }
    let quantum = draft.random.one_of(&[1, 3, 8, 20]);
    draft.add(&format!("[core.0]\nscheduler = \"vtrr\"\nquantum = \"{quantum}ns\""));
    let shares = draft.random.below(3);
    for _ in 0..shares {
        draft.share_of_a_cycle();
    }
    for _ in 0..draft.random.between(2 - shares.min(1), 4) {
        draft.of_a_cycle("core.0", "share");
        if is_costly && draft.random.chance(1, 3) {
            draft.add("cache = \"cache.a\"");
        }
    }
    if draft.random.chance(1, 3) {
        draft.add("[interrupt.core]\non = \"core.0\"\nisr = \"2ns\"\nmin-interarrival = \"40ns\"");
    }
    draft.text
}

/// A guest by virtual-time round-robin in a server that has a budget, beside something more urgent.
fn draw_guest(random: &mut Random) -> String {
    let mut draft = Draft { text: "version = 1\n".to_owned(), random, number: 0 };
    let kind = draft.random.one_of(&["deferrable", "periodic", "polling", "sporadic", "cbs-hard"]);
    let (scheduler, place) = match kind {
        "cbs-hard" => ("edf", ""),
        _ => ("fixed-priority", "priority = 2\n"),
    };
    draft.add(&format!("[core.0]\nscheduler = \"{scheduler}\""));
    let (quantum, period) = (draft.random.between(1, 6), draft.random.between(20, 60));
    let budget = draft.random.between(period / 3, period * 3 / 4);
    draft.add(&format!(
        "[server.guest]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
         {place}scheduler = \"vtrr\"\nquantum = \"{quantum}ns\""
    ));
    for _ in 0..draft.random.between(2, 4) {
        draft.of_a_cycle("server.guest", "share");
    }
    let (wcet, every) = (draft.random.between(1, 4), draft.random.between(40, 90));
    let place = if kind == "cbs-hard" { "" } else { "priority = 3\n" };
    draft.add(&format!(
        "[task.beside]\non = \"core.0\"\n{place}wcet = \"{wcet}ns\"\nperiod = \"{every}ns\""
    ));
    draft.text
}

const IN_GUESTS: Attack = Attack {
    seed: 460,
    draw: draw_guest,
    near: [1, 8, 30, 80],
    histories: 30,
    end: Instant::from_ns(3_000),
};

#[test]
fn no_bound_is_exceeded_in_guests_with_budgets() {
    let mut near = Near::default();
    for index in 0..120 {
        near.add(&IN_GUESTS.on(index).1);
    }
    println!("{near:?}");
    assert!(near.bounded > 100 && near.reached > 3, "{near:?}");
}

const ATTACK: Attack =
    Attack { seed: 459, draw, near: [1, 8, 30, 80], histories: 30, end: Instant::from_ns(1_500) };

#[test]
fn no_bound_is_exceeded_where_more_is_wanted_than_there_is() {
    let mut near = Near::default();
    for index in 0..150 {
        near.add(&ATTACK.on(index).1);
    }
    println!("{near:?}");
    assert!(near.bounded > 120 && near.reached > 5, "{near:?}");
}

/// Three tasks with jobs of 20 turns, one at a time, beside one that has work for ever: with the six turns that each of their jobs may add to
/// a cycle, but without the cycles, the least urgent would have 31 + 31 + 3 + 60 and 18 in each 100, less than it takes.
#[test]
fn long_jobs_count_with_their_cycles() {
    let mut text = "version = 1\n[core.0]\nscheduler = \"vtrr\"\nquantum = \"1ns\"\n".to_owned();
    let members = [("own", 1, 30, 2_000), ("hog", 1, 5_000, 5_000)];
    let long = ["x", "y", "z"].map(|name| (name, 5, 20, 100));
    for (name, share, wcet, period) in members.into_iter().chain(long) {
        writeln!(
            text,
            "[task.{name}]\non = \"core.0\"\nshare = {share}\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\ndeadline = \"5us\""
        )
        .expect("a string takes it");
    }
    let system = read(&text, Format::Toml).expect("a system");
    let bound = bounds(&system).task(TaskId(0)).bound().expect("a bound");
    let mut longest = Longest::new(&system);
    for from in 0..120 {
        let mut history = History::quiet(&system);
        for arrivals in &mut history.tasks {
            *arrivals = Arrivals::from(Instant::from_ns(100));
        }
        history.tasks[0] = Arrivals::from(Instant::from_ns(from));
        let end = Instant::from_ns(1_000);
        simulate(&system, SupplyId(0), &history, end, &mut longest).expect("it is covered");
    }
    let seen = longest.0[0];
    assert!(seen <= bound, "{seen} of {bound}");
    assert!(seen > Duration::from_ns(31 + 31 + 3 + 60 + 2 * 18), "{seen}");
}
