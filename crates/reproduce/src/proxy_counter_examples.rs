//! A proxy process that moves: the criterion accepts, and a deadline is missed.
//!
//! **Model.** Two proxies that idle their budgets away under global EDF, ties to the first; in the
//! second one task of utilisation 0.327, below the third that the criterion of Kaiser and Zöbel
//! allows on half of a core. One tick of the witnesses is a millisecond here.

use crate::base;
use crate::claim::Claim;
use crate::exact::{self, place};
use crate::figure::{Figure, Reproduced, Table};
use crate::rule::Condition;
use crate::setting::Setting;
use vorrang_analysis::bounds;
use vorrang_analysis::utilisation::{Criterion, RateMonotonicTask, Share};
use vorrang_figure::{Axis, Bar, Bars, Part};
use vorrang_model::system::{Scheduler, Server, ServerRule, System};
use vorrang_sim::{Job, Observer};
use vorrang_time::{Duration, Instant};

const SYSTEM: &str = include_str!("../../../published/systems/proxy-counter-examples.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "proxy-counter-examples",
    shows: "virtual machines that the criterion for proxy processes accepts and that miss a deadline",
    publication: "R. Kaiser, D. Zöbel 2009, 2010",
    system: "published/systems/proxy-counter-examples.toml",
    run,
    remarks: &[
        "On a slot of the same budget and period the same task is proven to respond in time; under EDF only the periodic resource holds (Shin, Lee 2003), and its bound is beyond the deadline.",
    ],
};

/// The other proxy, and the instant of the first miss [ms].
pub const WITNESSES: [([u64; 2], u64); 3] =
    [([40, 80], 5_151), ([45, 90], 3_535), ([35, 70], 4_444)];

/// What was found about one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whether the criterion accepts the task on that budget and period.
    pub accepted: bool,
    /// The first deadline that is missed.
    pub miss: Option<Instant>,
    /// How long the job took that missed it.
    pub late: Option<Duration>,
    /// The bound under EDF.
    pub moving: Option<Duration>,
    /// The bound on a slot.
    pub fixed: Option<Duration>,
}

/// The first deadline that is missed.
struct FirstMiss {
    within: Duration,
    at: Option<Instant>,
    response: Option<Duration>,
}

impl Observer for FirstMiss {
    fn completed(&mut self, job: &Job, at: Instant) {
        let due = job.arrival + self.within;
        if at > due {
            self.at.get_or_insert(due);
            self.response.get_or_insert(at - job.arrival);
        }
    }

    fn has_seen_enough(&self) -> bool {
        self.at.is_some()
    }
}

fn system(other: [u64; 2]) -> System {
    let mut system = base::system(SYSTEM);
    let first = base::supply(&system, "vcpu.a");
    let server = system.supplies[first.0].server_mut().expect("a proxy is a server");
    server.budget = Duration::from_ms(other[0]);
    server.period = Duration::from_ms(other[1]);
    system
}

/// Looks at one witness.
pub fn found(other: [u64; 2]) -> Found {
    let system = system(other);
    let task = base::task(&system, "task.control");
    let stated = system.task(task);
    let second = base::supply(&system, "vcpu.b");
    let server = system.supply(second).server().expect("a proxy is a server");
    let share = Share { budget: server.budget, period: server.period };
    let plain = RateMonotonicTask { wcet: stated.wcet, period: stated.min_interarrival };
    let watched = FirstMiss { within: plain.period, at: None, response: None };
    let length = Duration::from_ms(20_000);
    let mut slot = base::system(SYSTEM);
    slot.supplies[0].scheduler = Scheduler::Slots;
    for place in [base::supply(&slot, "vcpu.a"), second] {
        let server = slot.supplies[place.0].server_mut().expect("a proxy is a server");
        // Side by side in a frame of the second one's period.
        let before = share.period - share.budget;
        let (offset, budget) =
            if place == second { (before, share.budget) } else { (Duration::ZERO, before) };
        *server =
            Server { rule: ServerRule::Slot { offset }, budget, period: share.period, ..*server };
    }
    let watched = base::watched(&system, "synchronous", length, watched);
    Found {
        accepted: Criterion::KaiserZoebel.holds(&[plain], share),
        miss: watched.at,
        late: watched.response,
        moving: bounds(&system).task(task).bound(),
        fixed: bounds(&slot).task(task).bound(),
    }
}

fn run(_: &Setting) -> Reproduced {
    const COLUMNS: &[&str] = &[
        "other proxy [ms]",
        "criterion",
        "first miss, witness [ms]",
        "first miss [ms]",
        "bound under EDF [ms]",
        "bound on a slot [ms]",
        "deadline [ms]",
    ];
    let ms = |ns: u64| (ns / 1_000_000).to_string();
    let or_none = |ns: Option<u64>| ns.map_or("-".to_owned(), ms);
    let seen = WITNESSES.map(|(other, _)| found(other));
    let line = |((other, miss), found): (([u64; 2], u64), &Found)| {
        vec![
            format!("{} in {}", other[0], other[1]),
            if found.accepted { "holds" } else { "does not hold" }.to_owned(),
            miss.to_string(),
            or_none(found.miss.map(|at| (at - Instant::ZERO).as_ns())),
            or_none(found.moving.map(Duration::as_ns)),
            or_none(found.fixed.map(Duration::as_ns)),
            "101".to_owned(),
        ]
    };
    let lines = WITNESSES.into_iter().zip(&seen).map(line).collect();
    Reproduced {
        table: Table::new(COLUMNS, lines),
        claims: claims(&seen),
        pictures: vec![picture(&seen)],
    }
}

/// Responses beside the deadline: on a slot within it, on a proxy that moves beyond it.
fn picture(seen: &[Found]) -> vorrang_figure::Figure {
    const PARTS: [&str; 3] = ["bound on a slot", "seen under EDF", "bound under EDF"];
    let mut bars = Bars::new(
        "proxy-counter-examples",
        "A task of one proxy, beside three others",
        Axis::linear("response time", "ms"),
    )
    .described(
        "The criterion accepts all three. At the same place of every period the task is bounded below its deadline; \
         where EDF moves its proxy a job is seen beyond it, below the bound of a resource that is merely periodic.",
    );
    bars.parts = PARTS.map(str::to_owned).to_vec();
    for ((other, _), found) in WITNESSES.iter().zip(seen) {
        let times = [found.fixed, found.late, found.moving];
        for (of, time) in times.into_iter().enumerate() {
            let Some(time) = time else { continue };
            let name = format!("beside {} in {}", other[0], other[1]);
            bars.bars.push(Bar { name, parts: vec![Part { of, value: place(exact::ms(time)) }] });
        }
    }
    bars.rule = Some((101.0, "deadline".to_owned()));
    bars.into()
}

fn claims(seen: &[Found]) -> Vec<Claim> {
    let missed = seen.iter().filter(|one| one.accepted && one.miss.is_some()).count();
    vec![
        Claim::says("A proxy that the criterion accepts, with a period of at most the shortest of its tasks, keeps all deadlines.")
            .ours(format!("{missed} of {} proxies that it accepts miss one", seen.len()))
            .agrees_if(Condition::that("none of the witnesses misses a deadline", missed == 0))
            .why("It holds for a share that stays at the same place of every period, which the publication does not ask for."),
    ]
}
