//! A budget that was cut into pieces keeps returning in pieces, each with a switch and a cold cache:
//! whoever counts one return in a period counts too few.

use vorrang_analysis::{ContextLosses, bounds, losses};
use vorrang_model::system::{Member, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, Cause, Context, History, Observer, simulate};
use vorrang_time::{Duration, Instant};

/// Tasks that take a microsecond each, ten apart, out of a budget of eight.
const SHORT: usize = 7;

/// Long enough for twenty periods of the server.
const WINDOW: Duration = Duration::from_us(2_000);

fn system(kind: &str) -> System {
    let mut text = format!(
        "version = 1\n[costs]\ncontext-switch = \"100ns\"\n\
         [cache.c]\nmodel = \"flood\"\nuseful = \"50%\"\nsustained = \"200ns\"\n\
         [core.0]\nscheduler = \"fixed-priority\"\n\
         [vcpu.v]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"8us\"\nperiod = \"100us\"\n\
         priority = 2\ncache = \"cache.c\"\n\
         [task.long]\non = \"vcpu.v\"\nwcet = \"200us\"\nperiod = \"100ms\"\npriority = 1\n\
         [task.below]\non = \"core.0\"\nwcet = \"10ms\"\nperiod = \"100ms\"\npriority = 1\n"
    );
    let guest = "on = \"vcpu.v\"\nwcet = \"1us\"\nperiod = \"100ms\"\npriority = 2\n";
    text.extend((0..SHORT).map(|number| format!("[task.short-{number}]\n{guest}")));
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// The short tasks one after the other, then the long one.
fn history(system: &System) -> History {
    let mut history = History::quiet(system);
    for (task, own) in system.tasks.iter().zip(&mut history.tasks) {
        let number = task.name.strip_prefix("task.short-");
        let us = match number.map(|number| number.parse::<u64>().unwrap()) {
            Some(number) => 10 * number,
            None if task.name == "task.long" => 65,
            None => 0,
        };
        *own = Arrivals::from(Instant::ZERO + Duration::from_us(us));
    }
    history
}

#[derive(Default)]
struct Guest {
    switched: Duration,
    lost: Duration,
}

impl Observer for Guest {
    fn lost(&mut self, context: Option<Context>, cause: Cause, amount: Duration, _at: Instant) {
        match (context, cause) {
            (Some(Context::Vcpu(_)), Cause::ContextSwitch) => self.switched += amount,
            (Some(Context::Vcpu(_)), Cause::ColdCache) => self.lost += amount,
            _ => {}
        }
    }
}

#[test]
fn every_piece_that_returns_is_counted() {
    for kind in ["sporadic", "refill-queue"] {
        let system = system(kind);
        let mut seen = Guest::default();
        let end = Instant::ZERO + WINDOW;
        simulate(&system, SupplyId(0), &history(&system), end, &mut seen).unwrap();
        // Eight in each period but the first.
        let switches = seen.switched.div_floor(system.costs.context_switch);
        assert!(switches > 120, "{kind}: {switches}");
        let bound = losses(&system, SupplyId(0), WINDOW).unwrap();
        let is_guest = |own: &&ContextLosses| matches!(own.member, Member::Server(_));
        let of_guest = bound.contexts.iter().find(is_guest).unwrap();
        let cold = of_guest.cold_caches.unwrap();
        let switches = of_guest.context_switches.unwrap();
        assert!(seen.lost <= cold, "{kind}: {} > {cold}", seen.lost);
        assert!(seen.switched <= switches, "{kind}: {} > {switches}", seen.switched);
        // Nothing is undecided for it.
        let task = bounds(&system);
        assert!((0..system.tasks.len()).all(|id| task.task(TaskId(id)).reason.is_none()), "{kind}");
    }
}
