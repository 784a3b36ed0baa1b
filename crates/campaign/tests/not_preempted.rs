//! Tasks that are not preempted, by brute force: small systems, many histories of each, and a schedule made tick by tick.

use crate::common::drafted::{Attack, Draft, Near};
use crate::common::{Longest, drawn_jobs};
use std::num::NonZeroU64;
use vorrang_analysis::bounds;
use vorrang_campaign::campaign::run;
use vorrang_campaign::check::Effort;
use vorrang_campaign::random::Random;
use vorrang_model::system::{Preemption, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{History, ScriptedJob, simulate};
use vorrang_time::{Duration, Instant};

const END: Instant = Instant::from_ns(1_500);

impl Draft<'_> {
    fn kept_task(&mut self, on: &str, most: u64) {
        let (name, wcet) = (self.name(), self.random.between(1, most));
        let period = self.random.log_uniform(4 * most, 300);
        let priority = self.random.between(1, 5);
        self.add(&format!(
            "[task.t{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\ndeadline = \"{}ns\"\npriority = {priority}",
            period * 5
        ));
        let word = self.random.one_of(&["", "preemption = \"none\"", "preemption = \"none\""]);
        self.add(word);
        let (jitter, blocking) = (self.random.between(1, 20), self.random.between(1, 5));
        if self.random.chance(1, 5) {
            self.add(&format!("jitter = \"{jitter}ns\""));
        }
        if self.random.chance(1, 8) {
            self.add(&format!("blocking = \"{blocking}ns\""));
        }
    }

    fn kept_server(&mut self, on: &str, is_linux: bool, depth: u64) {
        let name = self.name();
        let kinds = ["none", "none", "deferrable", "periodic", "polling", "sporadic"];
        let kind = self.random.one_of(&kinds);
        let kind = if is_linux && self.random.chance(1, 3) { "sched-deadline" } else { kind };
        self.add(&format!("[server.s{name}]\non = \"{on}\"\nserver = \"{kind}\""));
        self.add("scheduler = \"fixed-priority\"");
        if kind != "none" {
            let budget = self.random.between(4, 20);
            let period = self.random.between(2 * budget, 5 * budget);
            self.add(&format!("budget = \"{budget}ns\"\nperiod = \"{period}ns\""));
        }
        if kind != "sched-deadline" {
            let priority = self.random.between(1, 5);
            self.add(&format!("priority = {priority}"));
        }
        let inside = format!("server.s{name}");
        for _ in 0..self.random.between(1, 3) {
            self.kept_task(&inside, 9);
        }
        if depth > 0 && self.random.chance(1, 4) {
            self.kept_server(&inside, false, depth - 1);
        }
    }
}

fn draw(random: &mut Random) -> String {
    let mut draft = Draft { text: "version = 1\n".to_owned(), random, number: 0 };
    if draft.random.chance(1, 4) {
        let (call, switch) = (draft.random.below(3), draft.random.below(3));
        draft.add(&format!(
            "[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\""
        ));
    }
    draft.add("[core.0]");
    let is_linux = draft.random.chance(1, 3);
    draft.add(if is_linux {
        "scheduler = \"linux\"\nfair-server = \"none\""
    } else {
        "scheduler = \"fixed-priority\""
    });
    for _ in 0..draft.random.below(3) {
        draft.kept_server("core.0", is_linux, 1);
    }
    for _ in 0..draft.random.between(1, 4) {
        let most = draft.random.one_of(&[3, 12, 25]);
        draft.kept_task("core.0", most);
    }
    if draft.random.chance(1, 3) {
        let every = draft.random.between(40, 300);
        draft.add(&format!(
            "[interrupt.i]\non = \"core.0\"\nisr = \"3ns\"\nmin-interarrival = \"{every}ns\""
        ));
    }
    draft.text
}

const ATTACK: Attack = Attack { seed: 47, draw, near: [1, 4, 20, 60], histories: 30, end: END };

#[test]
fn no_bound_is_exceeded_where_tasks_are_not_preempted() {
    let systems = std::env::var("VORRANG_SYSTEMS").ok().and_then(|number| number.parse().ok());
    let mut near = Near::default();
    for index in 0..systems.unwrap_or(500) {
        near.add(&ATTACK.on(index).1);
    }
    println!("{near:?}");
    assert!(near.bounded > 800 && near.reached > 100, "{near:?}");
}

/// A core with tasks alone.
fn flat(random: &mut Random) -> System {
    let mut draft = Draft { text: "version = 1\n[core.0]\n".to_owned(), random, number: 0 };
    draft.add("scheduler = \"fixed-priority\"");
    for _ in 0..draft.random.between(2, 5) {
        draft.kept_task("core.0", 12);
    }
    let lines: Vec<&str> =
        draft.text.lines().filter(|line| !line.starts_with("blocking")).collect();
    read(lines.join("\n").as_bytes(), Format::Toml).expect("a system")
}

/// The longest responses of scripts, tick by tick: who has begun goes on if it is not preempted, then the most urgent, then
/// who is ready for longest, then the first declared.
fn ticks(system: &System, scripts: &[Vec<ScriptedJob>]) -> Vec<Duration> {
    struct Own {
        next: usize,
        left: u64,
        since: u64,
        has_begun: bool,
    }
    let mut all: Vec<Own> =
        scripts.iter().map(|_| Own { next: 0, left: 0, since: 0, has_begun: false }).collect();
    let mut longest = vec![Duration::ZERO; scripts.len()];
    for now in 0..END.as_ns() {
        for (own, script) in all.iter_mut().zip(scripts) {
            let waits = own.left == 0;
            if let Some(job) =
                script.get(own.next).filter(|job| waits && job.release.as_ns() <= now)
            {
                own.left = job.execution.as_ns();
                // A task keeps its place with the jobs that have come meanwhile.
                let is_new = job.release.as_ns() == now;
                own.since = if is_new { now } else { own.since };
            }
        }
        let ready = (0..all.len()).filter(|&id| all[id].left > 0);
        let order = |&id: &usize| {
            let goes_on = all[id].has_begun && system.tasks[id].preemption == Preemption::None;
            (!goes_on, core::cmp::Reverse(system.tasks[id].priority.0), all[id].since, id)
        };
        let Some(id) = ready.min_by_key(order) else { continue };
        let own = &mut all[id];
        (own.left, own.has_begun) = (own.left - 1, own.left > 1);
        if own.left == 0 {
            let took = Instant::from_ns(now + 1) - scripts[id][own.next].arrival;
            longest[id] = longest[id].max(took);
            own.next += 1;
        }
    }
    longest
}

/// A flat system, a history of it, and what the simulator sees.
fn seen(index: u64) -> (System, History, Vec<Duration>) {
    let mut random = Random::new(4_707, index);
    let system = flat(&mut random);
    let mut history = History::quiet(&system);
    for (task, script) in system.tasks.iter().zip(&mut history.scripts) {
        let from = random.below(30);
        *script = drawn_jobs(task, (from, 40), true, &mut random);
        script.retain(|job| job.release.as_ns() < END.as_ns() / 2);
    }
    let mut longest = Longest::new(&system);
    simulate(&system, SupplyId(0), &history, END, &mut longest).expect("it is covered");
    (system, history, longest.0)
}

#[test]
fn the_simulator_does_as_the_schedule_tick_by_tick() {
    let mut differs = 0;
    for index in 0..600 {
        let (system, history, longest) = seen(index);
        assert_eq!(longest, ticks(&system, &history.scripts), "system {index}: {system:#?}");
        let mut preempted = system.clone();
        preempted.tasks.iter_mut().for_each(|task| task.preemption = Preemption::Full);
        differs += u32::from(ticks(&preempted, &history.scripts) != longest);
    }
    assert!(differs > 200, "it matters in {differs} only");
}

/// Planted: bounds that do not know that nothing interrupts a job.
#[test]
fn bounds_of_tasks_that_are_preempted_are_exceeded() {
    let is_exceeded = |index: &u64| {
        let (mut system, _, longest) = seen(*index);
        system.tasks.iter_mut().for_each(|task| task.preemption = Preemption::Full);
        let bounds = bounds(&system);
        longest
            .iter()
            .enumerate()
            .any(|(id, &seen)| bounds.task(TaskId(id)).bound().is_some_and(|bound| seen > bound))
    };
    let exceeded = (0..600).filter(is_exceeded).count();
    assert!(exceeded > 20, "{exceeded} of 600");
}

/// Such tasks beside everything else that is drawn: caches, sections, servers, interrupts of guests, calls.
#[test]
fn no_bound_is_exceeded_beside_anything_that_is_drawn() {
    let every = NonZeroU64::new(1);
    let effort = Effort { kept_one_in: every, designed_one_in: u64::MAX, ..Effort::quick() };
    let tally = run(31, 1..200, &effort, |_, _| {});
    assert!(tally.violations.is_empty(), "{:?}", tally.violations);
    for (beside, least) in [
        ("at all", 200),
        ("with a cache", 10),
        ("in a server", 80),
        ("that something wakes", 20),
        ("with jitter", 30),
        ("beside calls of the scheduler", 20),
        ("beside switches", 20),
        ("beside sections of the kernel", 20),
        ("beside a stated section", 10),
    ] {
        let seen = tally.coverage.of(("not preempted", beside));
        assert!(seen >= least, "{beside}: {seen}");
    }
    assert!(tally.bounded_tasks * 8 > tally.tasks, "{} of {}", tally.bounded_tasks, tally.tasks);
}
