//! Threads that poll for ever: what a description means by them, and many histories of small systems with some.

use std::fmt::Write as _;
use vorrang_analysis::bounds;
use vorrang_campaign::random::Random;
use vorrang_model::system::{SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{History, Job, Observer, Search, Source, search, simulate};
use vorrang_time::{Duration, Instant};

/// The longest responses; what is not complete at the end counts up to there.
struct Longest(Vec<Duration>);

impl Longest {
    fn see(&mut self, job: &Job, at: Instant) {
        if let Source::Task(id) = job.source {
            self.0[id.0] = self.0[id.0].max(at - job.arrival);
        }
    }
}

impl Observer for Longest {
    fn completed(&mut self, job: &Job, at: Instant) {
        self.see(job, at);
    }

    fn unfinished(&mut self, job: &Job, at: Instant) {
        self.see(job, at);
    }
}

/// Bounds of a text, and the longest responses in the history in which everything comes at once.
fn of(text: &str) -> Vec<(Option<Duration>, Duration)> {
    let system = read(text.as_bytes(), Format::Toml).expect("a system");
    let known = bounds(&system);
    let mut history = History::quiet(&system);
    for arrivals in &mut history.tasks {
        arrivals.first = Some(Instant::ZERO);
    }
    let mut longest = Longest(vec![Duration::ZERO; system.tasks.len()]);
    simulate(&system, SupplyId(0), &history, Instant::from_ns(1_000_000_000), &mut longest)
        .expect("it is covered");
    let one = |id: TaskId| (known.task(id).bound(), longest.0[id.0]);
    system.task_ids().map(one).collect()
}

const BESIDE: &str = r#"
version = 1
[core.0]
scheduler = "fixed-priority"
[task.above]
on = "core.0"
wcet = "1ms"
period = "10ms"
priority = 3
[task.poll]
on = "core.0"
polls = true
priority = 2
[task.equal]
on = "core.0"
wcet = "1ms"
period = "10ms"
priority = 2
[task.below]
on = "core.0"
wcet = "1ms"
period = "10ms"
priority = 1
"#;

#[test]
fn only_what_is_more_urgent_runs_beside_it() {
    let ms = |ms| Duration::from_ms(ms);
    let found = of(BESIDE);
    assert_eq!(found[0], (Some(ms(1)), ms(1)));
    assert_eq!(found[1], (None, Duration::ZERO), "it has no response");
    assert_eq!(found[2], (None, ms(1_000)), "it comes first for ever");
    assert_eq!(found[3], (None, ms(1_000)));
}

#[test]
fn a_budget_holds_it_and_turns_pass_it_by() {
    let ms = |ms| Duration::from_ms(ms);
    let server = "[server.s]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"2ms\"\nperiod = \"10ms\"\npriority = 3\nscheduler = \"fixed-priority\"\n";
    let text = BESIDE
        .replace("[task.above]", &format!("{server}[task.above]"))
        .replace("[task.poll]\non = \"core.0\"", "[task.poll]\non = \"server.s\"");
    let found = of(&text.replace("priority = 3\n[task.poll]", "priority = 4\n[task.poll]"));
    // At most two budgets back to back, and each of the others once.
    let (bound, seen) = found[3];
    assert!(bound.is_some_and(|bound| bound <= ms(2 + 2 + 1 + 1 + 1)), "{bound:?}");
    assert_eq!(seen, ms(5));
    let turns = BESIDE
        .replace("fixed-priority\"", "round-robin\"\nquantum = \"1ms\"")
        .lines()
        .filter(|line| !line.starts_with("priority"))
        .collect::<Vec<_>>()
        .join("\n");
    for (at, (bound, seen)) in of(&turns).into_iter().enumerate().filter(|(at, _)| *at != 1) {
        assert!(bound.is_some_and(|bound| bound <= ms(4) && seen <= bound), "{at}: {bound:?}");
    }
}

struct Draft<'r> {
    text: String,
    random: &'r mut Random,
    number: u64,
}

impl Draft<'_> {
    fn add(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("a string takes it");
    }

    fn task(&mut self, on: &str, by_priority: bool, polls: bool) {
        self.number += 1;
        self.add(&format!("[task.t{}]\non = \"{on}\"", self.number));
        if polls {
            self.add("polls = true");
        } else {
            let (wcet, period) = (self.random.between(1, 9), self.random.log_uniform(30, 300));
            self.add(&format!(
                "wcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\ndeadline = \"{}ns\"",
                period * 4
            ));
            if self.random.chance(1, 5) {
                let jitter = self.random.between(1, 20);
                self.add(&format!("jitter = \"{jitter}ns\""));
            }
            if by_priority && self.random.chance(1, 8) {
                let blocking = self.random.between(1, 5);
                self.add(&format!("blocking = \"{blocking}ns\""));
            }
        }
        if by_priority {
            let priority = self.random.between(1, 5);
            self.add(&format!("priority = {priority}"));
        }
    }

    fn server(&mut self, name: u64, kinds: &[&str], by_priority: bool) {
        let kind = self.random.one_of(kinds);
        self.add(&format!("[server.s{name}]\non = \"core.0\"\nserver = \"{kind}\""));
        if !matches!(kind, "none" | "share") {
            let budget = self.random.between(4, 20);
            let period = self.random.between(3 * budget, 8 * budget);
            self.add(&format!("budget = \"{budget}ns\"\nperiod = \"{period}ns\""));
        }
        if by_priority && kind != "sched-deadline" {
            let priority = self.random.between(1, 5);
            self.add(&format!("priority = {priority}"));
        }
        let inside = self.random.chance(2, 3);
        self.add(if inside {
            "scheduler = \"fixed-priority\""
        } else {
            "scheduler = \"round-robin\"\nquantum = \"3ns\""
        });
        let on = format!("server.s{name}");
        let polls = self.random.chance(1, 2);
        self.task(&on, inside, polls);
        for of in [2, 3] {
            if self.random.chance(1, of) {
                self.task(&on, inside, false);
            }
        }
    }
}

/// The text of a core, the kinds of servers that it takes, and whether priority decides.
const CORES: [(&str, &[&str], bool); 4] = [
    ("fixed-priority\"", &["none", "deferrable", "periodic", "polling", "sporadic"], true),
    (
        "linux\"\nfair-server = { budget = \"5ns\", period = \"100ns\" }",
        &["none", "deferrable", "periodic", "sched-deadline", "polling", "sporadic"],
        true,
    ),
    ("round-robin\"\nquantum = \"4ns\"", &["share"], false),
    ("edf\"", &["cbs-hard"], false),
];

fn draw(random: &mut Random) -> String {
    let mut draft = Draft { text: "version = 1\n".to_owned(), random, number: 0 };
    if draft.random.chance(1, 3) {
        let (call, switch) = (draft.random.below(3), draft.random.below(3));
        draft.add(&format!(
            "[costs]\nscheduler-call = \"{call}ns\"\ncontext-switch = \"{switch}ns\""
        ));
    }
    let (core, kinds, by_priority) = draft.random.one_of(&CORES);
    draft.add(&format!("[core.0]\nscheduler = \"{core}"));
    if by_priority && draft.random.chance(1, 6) {
        draft.add("time-slice = \"5ns\"");
    }
    for name in 0..draft.random.between(1, 3) {
        draft.server(name, kinds, by_priority);
    }
    for _ in 0..draft.random.between(1, 3) {
        draft.task("core.0", by_priority, false);
    }
    if kinds != ["cbs-hard"] && draft.random.chance(1, 3) {
        draft.task("core.0", by_priority, true);
    }
    if draft.random.chance(1, 3) {
        let every = draft.random.between(40, 300);
        draft.add(&format!(
            "[interrupt.i]\non = \"core.0\"\nisr = \"3ns\"\nmin-interarrival = \"{every}ns\""
        ));
    }
    draft.text
}

/// The longest responses that are seen in the histories of a search.
fn searched(system: &System) -> Vec<Duration> {
    let limits = Search { runs: 6, variants: 1, climbs: 3, work: 1_500, ..Search::default() };
    let seen = search(system, &limits).tasks;
    seen.iter().map(|worst| worst.as_ref().map_or(Duration::ZERO, |own| own.response)).collect()
}

/// Planted: bounds that take such a thread for a short job that comes once are exceeded.
#[test]
fn no_bound_is_exceeded_beside_threads_that_poll() {
    let (mut bounded, mut reached, mut planted) = (0, 0, 0);
    for index in 0..150 {
        let text = draw(&mut Random::new(470, index));
        let system =
            read(text.as_bytes(), Format::Toml).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let mut short = system.clone();
        for task in short.tasks.iter_mut().filter(|task| task.polls) {
            (task.wcet, task.bcet) = (Duration::RESOLUTION, Duration::RESOLUTION);
        }
        let (known, wrong, seen) = (bounds(&system), bounds(&short), searched(&system));
        for id in system.task_ids() {
            let (seen, bound) = (seen[id.0], known.task(id).bound());
            if system.task(id).polls {
                assert!(bound.is_none() && seen.is_zero(), "it has a response\n{text}");
            }
            assert!(bound.is_none_or(|bound| seen <= bound), "{index}: {seen} {bound:?}\n{text}");
            bounded += u64::from(bound.is_some());
            reached += u64::from(bound == Some(seen));
            planted += u64::from(wrong.task(id).bound().is_some_and(|bound| seen > bound));
        }
    }
    assert!(bounded > 200 && reached > 20 && planted > 30, "{bounded} {reached} {planted}");
}
