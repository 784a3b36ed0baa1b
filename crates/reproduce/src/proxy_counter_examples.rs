//! A proxy process that moves: the criterion accepts, and a deadline is missed.
//!
//! **Model.** Two proxies that idle their budgets away under global EDF, ties to the first, or by rate-monotonic
//! priorities, below the utilisation bound of those; in the second one task of utilisation 0.327, below the third that
//! the criterion of Kaiser and Zöbel allows on half of a core. One tick of the witnesses is a millisecond here.

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

const SYSTEM: &str = include_str!("../published/systems/proxy-counter-examples.toml");

/// The figure.
pub const FIGURE: Figure = Figure {
    name: "proxy-counter-examples",
    shows: "virtual machines that the criterion for proxy processes accepts and that miss a deadline",
    publication: "R. Kaiser, D. Zöbel 2009, 2010",
    system: "published/systems/proxy-counter-examples.toml",
    run,
    remarks: &[
        "On a slot of the same budget and period the same task is proven to respond in time; where EDF or the other proxy moves its budget only the periodic resource holds (Shin, Lee 2003), and its bound is beyond the deadline.",
    ],
};

/// A core with the proxy of the task and another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The scheduler of the core, as a description names it.
    pub scheduler: &'static str,
    /// Budget and period of the other proxy [ms].
    pub other: [u64; 2],
    /// The instant of the first miss [ms].
    pub miss: u64,
}

/// All of them.
pub const WITNESSES: [Witness; 4] = [
    Witness { scheduler: "edf", other: [40, 80], miss: 5_151 },
    Witness { scheduler: "edf", other: [45, 90], miss: 3_535 },
    Witness { scheduler: "edf", other: [35, 70], miss: 4_444 },
    Witness { scheduler: "rate-monotonic", other: [25, 80], miss: 2_020 },
];

impl Witness {
    /// The scheduler as the field abbreviates it.
    fn word(self) -> &'static str {
        if self.scheduler == "edf" { "EDF" } else { "RM" }
    }
}

/// What was found about one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whether the criterion accepts the task on that budget and period.
    pub accepted: bool,
    /// The first deadline that is missed.
    pub miss: Option<Instant>,
    /// How long the job took that missed it.
    pub late: Option<Duration>,
    /// The bound where the other proxy moves it.
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

fn system(witness: Witness) -> System {
    let [budget, period] = witness.other;
    let scheduler = format!("scheduler = \"{}\"", witness.scheduler);
    let text = SYSTEM.replacen("scheduler = \"edf\"", &scheduler, 1);
    let text = text.replacen("budget = \"40ms\"", &format!("budget = \"{budget}ms\""), 1);
    base::system(&text.replacen("period = \"80ms\"", &format!("period = \"{period}ms\""), 1))
}

/// Looks at one witness.
pub fn found(witness: Witness) -> Found {
    let system = system(witness);
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
        "scheduler",
        "criterion",
        "first miss, witness [ms]",
        "first miss [ms]",
        "bound there [ms]",
        "bound on a slot [ms]",
        "deadline [ms]",
    ];
    let ms = |ns: u64| (ns / 1_000_000).to_string();
    let or_none = |ns: Option<u64>| ns.map_or("-".to_owned(), ms);
    let seen = WITNESSES.map(found);
    let line = |(witness, found): (Witness, &Found)| {
        let Witness { other, miss, .. } = witness;
        vec![
            format!("{} in {}", other[0], other[1]),
            witness.word().to_owned(),
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
    const PARTS: [&str; 3] = ["bound on a slot", "seen there", "bound there"];
    let mut bars = Bars::new(
        "proxy-counter-examples",
        "A task of one proxy, beside four others",
        Axis::linear("response time", "ms"),
    )
    .described(
        "The criterion accepts all four. At the same place of every period the task is bounded below its deadline; \
         where EDF or a proxy of higher priority moves its own, a job is seen beyond it, below the bound of a resource \
         that is merely periodic.",
    );
    bars.parts = PARTS.map(str::to_owned).to_vec();
    for (witness, found) in WITNESSES.iter().zip(seen) {
        let times = [found.fixed, found.late, found.moving];
        for (of, time) in times.into_iter().enumerate() {
            let Some(time) = time else { continue };
            let [budget, period] = witness.other;
            let name = format!("beside {budget} in {period}, {}", witness.word());
            bars.bars.push(Bar { name, parts: vec![Part { of, value: place(exact::ms(time)) }] });
        }
    }
    bars.rule = Some((101.0, "deadline".to_owned()));
    bars.into()
}

fn claims(seen: &[Found]) -> Vec<Claim> {
    let missed = seen.iter().filter(|one| one.accepted && one.miss.is_some()).count();
    let edf = WITNESSES.iter().filter(|one| one.scheduler == "edf").count();
    vec![
        Claim::says("A proxy that the criterion accepts, with a period of at most the shortest of its tasks, keeps all deadlines.")
            .ours(format!(
                "{missed} of {} proxies that it accepts miss one: {edf} under EDF, {} by rate-monotonic priorities",
                seen.len(),
                seen.len() - edf
            ))
            .agrees_if(Condition::that("none of the witnesses misses a deadline", missed == 0))
            .why("It holds for a share that stays at the same place of every period, which the publication does not ask for."),
    ]
}
