//! Costs and cold caches where members take turns, by brute force: small systems, and many offsets of each.
//!
//! Turns are cut short by members that sleep, each of which calls and may switch; what a visit loses to a cold cache is missing from its
//! work. Guests in turns inside virtual processors with caches are drawn as well.

use crate::common::Longest;
use crate::common::drafted::{Attack, Draft, Near};
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, History, simulate};
use vorrang_time::{Duration, Instant};

const END: Instant = Instant::from_ns(1_200);

impl Draft<'_> {
    /// A task on a supply whose members are told apart by this scheduler.
    fn task(&mut self, on: &str, scheduler: &str, most: u64) -> u64 {
        let (name, wcet) = (self.name(), self.random.between(1, most));
        let period = self.random.log_uniform(3 * most, 400);
        self.add(&format!(
            "[task.t{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\""
        ));
        let jitter = if self.random.chance(1, 5) { self.random.between(1, 20) } else { 0 };
        self.add(&format!("deadline = \"{}ns\"\njitter = \"{jitter}ns\"", period * 3));
        self.place(scheduler, name);
        name
    }

    /// What a scheduler wants to know of a member.
    fn place(&mut self, scheduler: &str, number: u64) {
        match scheduler {
            "fixed-priority" => self.add(&format!("priority = {number}")),
            "weighted-round-robin" | "stride" | "vtrr" => {
                let share = self.random.between(1, 3);
                self.add(&format!("share = {share}"));
            }
            _ => {}
        }
    }

    /// The scheduler of a supply, with its quantum.
    fn scheduler(&mut self, among: &[&'static str], quantum: (u64, u64)) -> &'static str {
        let scheduler = self.random.one_of(among);
        self.add(&format!("scheduler = \"{scheduler}\""));
        if !["fixed-priority", "edf"].contains(&scheduler) {
            let quantum = self.random.between(quantum.0, quantum.1);
            self.add(&format!("quantum = \"{quantum}ns\""));
        }
        scheduler
    }

    /// A guest on the core: a share of turns, or a server where priority decides.
    fn guest(&mut self, host: &str) {
        let name = self.name();
        self.add(&format!("[vcpu.v{name}]\non = \"core.0\""));
        if host == "fixed-priority" {
            let budget = self.random.between(10, 25);
            let kind = self.random.one_of(&["deferrable", "periodic", "polling"]);
            let period = self.random.between(2 * budget, 4 * budget);
            self.add(&format!(
                "server = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\""
            ));
        } else {
            self.add("server = \"share\"");
        }
        self.place(host, name);
        let caches = ["cache = \"cache.a\"", "cache = \"cache.b\"", ""];
        let chosen = if host == "fixed-priority" { &caches[..2] } else { &caches[..] };
        let cache = self.random.one_of(chosen);
        self.add(cache);
        let all = ["fixed-priority", "edf", "round-robin", "weighted-round-robin"];
        let own = match host {
            "fixed-priority" => &all[2..],
            "stride" | "vtrr" => &["fixed-priority", "edf", "stride", "vtrr"],
            _ => &all[..],
        };
        let scheduler = self.scheduler(own, (2, 8));
        let on = format!("vcpu.v{name}");
        for _ in 0..self.random.between(1, 3) {
            let most = self.random.one_of(&[3, 9]);
            self.task(&on, scheduler, most);
        }
        if self.random.chance(1, 3) {
            let handler = self.random.between(1, 4);
            let every = self.random.between(60, 300);
            self.add(&format!(
                "[interrupt.i{name}]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"{every}ns\"\n\
                 virtual = {{ vcpu = \"{on}\", isr = \"{handler}ns\" }}"
            ));
        }
        if scheduler == "fixed-priority" && self.random.chance(1, 4) {
            let inner = self.name();
            self.add(&format!(
                "[server.s{inner}]\non = \"{on}\"\nserver = \"deferrable\"\nbudget = \"5ns\"\nperiod = \"150ns\"\npriority = {inner}"
            ));
            self.task(&format!("server.s{inner}"), "fixed-priority", 4);
        }
    }

    /// A reservation of the host, which calls whatever happens in it.
    fn reservation(&mut self, host: &str) {
        let name = self.name();
        self.add(&format!("[server.r{name}]\non = \"core.0\"\nserver = \"share\""));
        self.place(host, name);
        for _ in 0..2 {
            self.task(&format!("server.r{name}"), "fixed-priority", 6);
            if !["stride", "vtrr"].contains(&host) {
                let cache = self.random.one_of(&["", "cache = \"cache.a\"", "cache = \"cache.b\""]);
                self.add(cache);
            }
        }
    }
}

fn draw(random: &mut Random) -> String {
    drawn(random, &["round-robin", "weighted-round-robin", "fixed-priority"])
}

fn draw_any_order(random: &mut Random) -> String {
    drawn(random, &["stride", "vtrr"])
}

fn drawn(random: &mut Random, hosts: &[&'static str]) -> String {
    let mut draft = Draft { text: "version = 1\n".to_owned(), random, number: 0 };
    for cache in ["a", "b"] {
        let model = draft.random.one_of(&["flood", "exponential"]);
        let useful = draft.random.one_of(&[0, 20, 60]);
        let sustained = draft.random.between(1, 8);
        draft.add(&format!(
            "[cache.{cache}]\nmodel = \"{model}\"\nuseful = \"{useful}%\"\nsustained = \"{sustained}ns\""
        ));
    }
    let (call, switch) = (draft.random.below(3), draft.random.below(3));
    draft.add(&format!(
        "[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n[core.0]"
    ));
    let quantum = draft.random.one_of(&[(1, 4), (3, 9), (6, 25)]);
    let host = draft.scheduler(hosts, quantum);
    let is_plain = host != "fixed-priority" && draft.random.chance(1, 3);
    for _ in 0..if is_plain { 0 } else { draft.random.between(1, 2) } {
        draft.guest(host);
    }
    for _ in 0..if is_plain { 3 } else { draft.random.below(3) } {
        let most = draft.random.one_of(&[2, 12, 25]);
        draft.task("core.0", host, most);
        let cache = draft.random.one_of(&["", "", "cache = \"cache.b\""]);
        draft.add(cache);
    }
    if host != "fixed-priority" && draft.random.chance(1, 4) {
        draft.reservation(host);
    }
    draft.text
}

const ATTACK: Attack = Attack { seed: 45, draw, near: [1, 8, 30, 80], histories: 60, end: END };

#[test]
fn no_bound_is_exceeded_in_turns_that_cost() {
    let (mut by_priority, mut in_turns) = (Near::default(), Near::default());
    for index in 0..1_500 {
        let (system, found) = ATTACK.on(index);
        let takes_turns = system.supply(SupplyId(0)).scheduler.takes_turns();
        if takes_turns { &mut in_turns } else { &mut by_priority }.add(&found);
    }
    println!("{by_priority:?}, in turns {in_turns:?}");
    assert!(by_priority.bounded > 300, "{by_priority:?}");
    assert!(in_turns.bounded > 1_500 && in_turns.reached > 20, "{in_turns:?}");
}

/// Members of all kinds sleep and wake, and each turn begins with a switch and a cold cache.
#[test]
fn no_bound_is_exceeded_by_virtual_times() {
    let attack = Attack { draw: draw_any_order, ..ATTACK };
    let mut near = Near::default();
    for index in 0..600 {
        near.add(&attack.on(index).1);
    }
    println!("{near:?}");
    assert!(near.bounded > 400 && near.reached > 0, "{near:?}");
}

/// Of a long task and a short one that wakes again in each round.
#[test]
fn no_bound_is_exceeded_by_a_task_that_wakes_in_each_round() {
    let (mut nearest, mut systems) = (Duration::MAX, 0);
    for (call, switch, quantum) in
        [(1, 0, 2), (2, 1, 1), (1, 2, 2), (3, 0, 3), (2, 0, 4), (0, 2, 2)]
    {
        for (wcet, period) in (3..9).flat_map(|wcet| (5..22).map(move |period| (wcet, period))) {
            let text = format!(
                "version = 1\n[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\"\n\
                 [core.0]\nscheduler = \"round-robin\"\nquantum = \"{quantum}ns\"\n\
                 [task.long]\non = \"core.0\"\nwcet = \"{wcet}ns\"\nperiod = \"1us\"\n\
                 [task.short]\non = \"core.0\"\nwcet = \"1ns\"\nperiod = \"{period}ns\"\ndeadline = \"1us\"\n"
            );
            let system = read(&text, Format::Toml).expect("a system");
            let Some(bound) = bounds(&system).task(TaskId(0)).bound() else { continue };
            let mut longest = Longest::new(&system);
            for from in 40..40 + period {
                let mut history = History::quiet(&system);
                history.tasks[0] = Arrivals::from(Instant::from_ns(from));
                history.tasks[1] = Arrivals::from(Instant::ZERO);
                simulate(&system, SupplyId(0), &history, END, &mut longest).expect("it is covered");
            }
            assert!(longest.0[0] <= bound, "{} of {bound} in\n{text}", longest.0[0]);
            systems += 1;
            nearest = nearest.min(bound - longest.0[0]);
        }
    }
    // A call under way, a call and a switch after its last visit.
    assert!(systems > 600 && nearest <= Duration::from_ns(4), "{nearest} of {systems} systems");
}

/// Tasks with caches in a reservation that takes turns with others: they interrupt each other within a visit.
fn draw_cold_contexts(random: &mut Random) -> String {
    let mut draft = Draft { text: "version = 1\n".to_owned(), random, number: 0 };
    let (call, switch) = (draft.random.below(2), draft.random.below(2));
    draft.add(&format!("[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\""));
    for cache in ["a", "b"] {
        let (model, sustained) =
            (draft.random.one_of(&["flood", "exponential"]), draft.random.between(1, 6));
        draft.add(&format!(
            "[cache.{cache}]\nmodel = \"{model}\"\nuseful = \"10%\"\nsustained = \"{sustained}ns\""
        ));
    }
    draft.add("[core.0]");
    let quantum = draft.random.one_of(&[(2, 6), (8, 30)]);
    let host = draft.scheduler(&["round-robin", "weighted-round-robin"], quantum);
    let name = draft.name();
    draft.add(&format!("[server.r{name}]\non = \"core.0\"\nserver = \"share\""));
    draft.place(host, name);
    let on = format!("server.r{name}");
    for _ in 0..draft.random.between(2, 3) {
        let most = draft.random.one_of(&[2, 8, 20]);
        draft.task(&on, "fixed-priority", most);
        let cache = draft.random.one_of(&["", "cache = \"cache.a\"", "cache = \"cache.b\""]);
        draft.add(cache);
    }
    if draft.random.chance(1, 3) {
        let inner = draft.name();
        let kind = draft.random.one_of(&["deferrable", "periodic", "polling"]);
        draft.add(&format!(
            "[server.s{inner}]\non = \"{on}\"\nserver = \"{kind}\"\nbudget = \"8ns\"\nperiod = \"90ns\"\npriority = {inner}"
        ));
        draft.task(&format!("server.s{inner}"), "fixed-priority", 6);
        draft.add("cache = \"cache.b\"");
    }
    for _ in 0..draft.random.below(3) {
        draft.task("core.0", host, 6);
    }
    draft.text
}

/// The longest responses exceed the bounds of the same reservation as one context, which is cold at its visits only.
#[test]
fn no_bound_is_exceeded_by_contexts_that_interrupt_each_other_within_a_turn() {
    let attack = Attack { draw: draw_cold_contexts, ..ATTACK };
    let (mut near, mut noticed) = (Near::default(), 0);
    for index in 0..1_000 {
        let (mut system, found) = attack.on(index);
        near.add(&found);
        let with_bound: Vec<TaskId> = {
            let known = bounds(&system);
            system.task_ids().filter(|&id| known.task(id).bound().is_some()).collect()
        };
        let caches = system.tasks.iter().map(|task| task.cache);
        let Some(cache) = caches.flatten().max() else { continue };
        let mut in_reservation = system.supplies.iter_mut().skip(1);
        let one = in_reservation.next().expect("a reservation");
        (one.vm, one.cache) = (Some("one".into()), Some(cache));
        let as_one = bounds(&system);
        for (id, (seen, _)) in with_bound.into_iter().zip(&found) {
            noticed += u64::from(as_one.task(id).bound().is_some_and(|bound| *seen > bound));
        }
    }
    println!("{near:?}, {noticed} noticed");
    assert!(near.bounded > 1_500 && near.reached > 0 && noticed > 20, "{near:?}, {noticed}");
}
