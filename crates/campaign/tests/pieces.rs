//! A budget that was cut into pieces keeps returning in pieces, each with a switch and a cold cache:
//! whoever counts one return in a period counts too few.

use vorrang_analysis::{ContextLosses, bounds, losses};
use vorrang_model::system::{Member, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{Arrivals, Cause, Context, History, Observer, Pattern, Payer, simulate};
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

/// When budget is back while the server does not run.
#[derive(Default)]
struct Returns {
    at: Vec<Instant>,
    paid: Instant,
}

impl Observer for Returns {
    fn paid(&mut self, payer: Payer, _from: Instant, to: Instant) {
        if matches!(payer, Payer::Server(_)) {
            self.paid = to;
        }
    }

    fn replenished(&mut self, _server: SupplyId, at: Instant) {
        if self.paid != at && self.at.last() != Some(&at) {
            self.at.push(at);
        }
    }
}

/// A guest that wants nearly all of its budget cuts it anew whenever it falls asleep with some left, and
/// the pieces of earlier periods are still there: 17 returns in one period, where it wakes twice.
#[test]
fn pieces_of_many_generations_are_counted() {
    let text = "version = 1\n[costs]\ncontext-switch = \"1ns\"\n\
                [core.0]\nscheduler = \"fixed-priority\"\n\
                [vcpu.v]\non = \"core.0\"\nserver = \"sporadic\"\nbudget = \"21us\"\nperiod = \"100us\"\n\
                priority = 2\n\
                [task.a]\non = \"vcpu.v\"\nwcet = \"21us\"\nperiod = \"138us\"\npriority = 2\n\
                [task.b]\non = \"vcpu.v\"\nwcet = \"8us\"\nperiod = \"145us\"\npriority = 1\n\
                [task.below]\non = \"core.0\"\nwcet = \"10ms\"\nperiod = \"100ms\"\npriority = 1\n";
    let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let (window, period) = (Duration::from_ms(3), Duration::from_us(100));
    let history = Pattern::parse("random:238428", &system).unwrap();
    let history = history.history(&system, SupplyId(0)).unwrap();
    let mut seen = Returns::default();
    simulate(&system, SupplyId(0), &history, Instant::ZERO + window, &mut seen).unwrap();
    let from = |first: usize| {
        let own = seen.at[first];
        seen.at[first..].iter().take_while(|other| **other - own < period).count()
    };
    let most = (0..seen.at.len()).map(from).max().unwrap();
    assert!(most > 10, "{most}");
    let bound = losses(&system, SupplyId(0), window).unwrap();
    let of_guest = bound.contexts.iter().find_map(|own| own.returns).unwrap();
    assert!(most as u64 <= of_guest, "{most} > {of_guest}");
}
