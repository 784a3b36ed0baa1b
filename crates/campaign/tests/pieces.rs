//! A budget that was cut into pieces keeps returning in pieces, each with a switch and a cold cache:
//! counting one return in a period is not enough.

use vorrang_analysis::{ContextLosses, bounds, losses};
use vorrang_campaign::random::Random;
use vorrang_model::system::{Member, Server, Supply, SupplyId, System, TaskId};
use vorrang_model::{Format, read};
use vorrang_sim::{
    Arrivals, Blocker, Cause, Context, History, Observer, Pattern, Payer, Simulator, Spacing,
    simulate,
};
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
        assert!(system.task_ids().all(|id| task.task(id).reason().is_none()), "{kind}");
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

/// The most returns in any window as long as the period.
fn most_returns(
    simulator: &mut Simulator<'_>,
    server: &Server,
    history: &History,
    window: Duration,
) -> u64 {
    let mut seen = Returns::default();
    simulator.run(history, Instant::ZERO + window, &mut seen);
    let from = |first: usize| {
        let own = seen.at[first];
        seen.at[first..].iter().take_while(|other| **other - own < server.period).count()
    };
    (0..seen.at.len()).map(from).max().unwrap_or_default() as u64
}

fn bounded(system: &System, window: Duration) -> Option<u64> {
    let bound = losses(system, SupplyId(0), window).ok()?;
    bound.contexts.iter().find_map(|own| own.returns).map(|(count, _)| count)
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
    let window = Duration::from_ms(3);
    let history = Pattern::parse("random:238428", &system).unwrap();
    let history = history.history(&system, SupplyId(0)).unwrap();
    let server = system.supplies.iter().find_map(Supply::server).unwrap();
    let mut simulator = Simulator::new(&system, SupplyId(0)).unwrap();
    let most = most_returns(&mut simulator, server, &history, window);
    assert!(most > 10, "{most}");
    let bound = bounded(&system, window).unwrap();
    assert!(most <= bound, "{most} > {bound}");
}

/// A guest with few nanoseconds of budget, and what else may cut it: an interrupt, a section, something
/// more urgent.
fn drawn(random: &mut Random) -> System {
    let budget = random.between(2, 11);
    let period = budget + random.between(1, 30);
    let cache = random.between(1, 2 * budget);
    let exit = random.below(2);
    let mut parts = vec![format!(
        "version = 1\n[costs]\ncontext-switch = \"1ns\"\nvm-exit = \"{exit}ns\"\n\
         [cache.c]\nmodel = \"flood\"\nuseful = \"0%\"\nsustained = \"{cache}ns\"\n\
         [core.0]\nscheduler = \"fixed-priority\"\n\
         [task.below]\non = \"core.0\"\nwcet = \"50us\"\nperiod = \"100us\"\npriority = 1\n\
         [vcpu.v]\non = \"core.0\"\nserver = \"sporadic\"\nbudget = \"{budget}ns\"\n\
         period = \"{period}ns\"\npriority = 2\n"
    )];
    if random.chance(1, 2) {
        parts.push("cache = \"cache.c\"\n".to_owned());
    }
    for number in 0..random.between(1, 3) {
        let wcet = random.between(1, budget + 3);
        let every = random.between(period / 2 + 1, 4 * period);
        let blocking = random.below(2) * random.below(budget);
        parts.push(format!(
            "[task.t{number}]\non = \"vcpu.v\"\nwcet = \"{wcet}ns\"\nperiod = \"{every}ns\"\n\
             blocking = \"{blocking}ns\"\npriority = {number}\n"
        ));
    }
    if random.chance(1, 2) {
        let (isr, every) = (random.between(1, budget), random.between(period / 2, 4 * period));
        parts.push(format!(
            "[interrupt.i]\non = \"core.0\"\nmin-interarrival = \"{every}ns\"\nisr = \"1ns\"\n\
             [interrupt.i.virtual]\nvcpu = \"vcpu.v\"\nisr = \"{isr}ns\"\n"
        ));
    }
    if random.chance(1, 2) {
        let (wcet, every) = (random.between(1, 5), random.between(period, 4 * period));
        parts.push(format!(
            "[task.above]\non = \"core.0\"\nwcet = \"{wcet}ns\"\nperiod = \"{every}ns\"\npriority = 3\n"
        ));
    }
    let text = parts.concat();
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:#?} in\n{text}"))
}

fn drawn_history(system: &System, period: u64, random: &mut Random) -> History {
    let mut history = History::quiet(system);
    history.seed = random.below(1 << 40);
    let loose = random.chance(1, 2);
    for own in history.tasks.iter_mut().chain(&mut history.interrupts) {
        *own = Arrivals::from(Instant::from_ns(random.below(2 * period)));
        if loose {
            own.spacing = Spacing::Random { up_to: Duration::from_ns(random.between(1, period)) };
        }
    }
    // The first is the one below, which is there throughout.
    history.tasks[0] = Arrivals::from(Instant::ZERO);
    let from = Instant::ZERO;
    history.blocker =
        random.chance(1, 2).then_some(Blocker { member: Member::Task(TaskId(1)), from });
    history
}

/// A bound without the generations, routines, sections, half of the wakes or the one return more, or with a
/// budget more for each generation, is exceeded here.
#[test]
fn drawn_guests_have_no_more_pieces_than_bounded() {
    let mut random = Random::new(4, 0);
    let (mut counted, mut reached) = (0, 0);
    for _ in 0..1_500 {
        let system = drawn(&mut random);
        let server = system.supplies[1].server().unwrap();
        let period = server.period;
        let window = period * 40;
        let Some(bound) = bounded(&system, window) else { continue };
        let histories = (0..60).map(|_| drawn_history(&system, period.as_ns(), &mut random));
        let mut simulator = Simulator::new(&system, SupplyId(0)).unwrap();
        let most = histories.map(|history| most_returns(&mut simulator, server, &history, window));
        let most = most.max().unwrap();
        assert!(most <= bound, "{most} > {bound}: {system:#?}");
        counted += 1;
        reached += u32::from(most == bound);
    }
    assert!(counted > 1_000 && reached > 75, "{reached} of {counted} reach their bound");
}
