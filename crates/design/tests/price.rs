//! The price of a core: its parts, worked out by hand, add up to the core.

use vorrang_analysis::Bandwidth;
use vorrang_design::price;
use vorrang_model::{Format, read};

const COSTS: &str = "[costs]\ninterrupt-entry = \"1us\"\ninterrupt-exit = \"1us\"\ntimer-expiry = \"2us\"\n\
                     context-switch = \"2us\"\nscheduler-call = \"1us\"\n";

/// What is in one price, in hundredths of a percent, rounded up: reserved, by the fair server, beside, switching.
fn parts(text: &str) -> [i128; 4] {
    let system = read(text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}"));
    let [row] = &price(&system)[..] else { panic!("one core") };
    let fair_server = row.fair_server.unwrap_or(Bandwidth::ZERO);
    let parts = [row.reserved, fair_server, row.beside, row.switching];
    let left = row.left.expect("all is known");
    let sum = parts.into_iter().fold(left, Bandwidth::plus).minus(Bandwidth::ONE);
    assert_eq!((sum.hundredths_floor(), sum.hundredths_ceil()), (0, 0), "{row:?}");
    parts.map(Bandwidth::hundredths_ceil)
}

/// The server of `SCHED_OTHER` is no part of what is reserved, and what surrounds a routine is beside the servers:
/// 1 ms in 20 ms, 10 us and 2 us in 1 ms. Switching to a server takes two switches, three calls and two timers, 15 us,
/// in every 10 ms, and in every second for that of `SCHED_OTHER`.
#[test]
fn what_linux_keeps_stands_by_itself() {
    let text = |fair_server: &str| {
        format!(
            "version = 1\n{COSTS}[core.0]\nscheduler = \"linux\"\n{fair_server}\n\
             [server.s]\non = \"core.0\"\nserver = \"sched-deadline\"\nbudget = \"1ms\"\nperiod = \"10ms\"\n\
             [task.inside]\non = \"server.s\"\nwcet = \"1us\"\nperiod = \"10ms\"\n\
             [task.beside]\non = \"core.0\"\nwcet = \"1ms\"\nperiod = \"20ms\"\npriority = 1\n\
             [interrupt.card]\non = \"core.0\"\nisr = \"10us\"\nmin-interarrival = \"1ms\"\n"
        )
    };
    assert_eq!(parts(&text("")), [1_000, 500, 620, 16]);
    assert_eq!(parts(&text("fair-server = \"none\"")), [1_000, 0, 620, 15]);
}

/// A timer that a task arms is beside the servers, 4 us in 1 ms; a sporadic server has no timers, its switching is 7 us in
/// 2 ms; a pseudo-VCPU reserves.
#[test]
fn timers_of_tasks_and_pseudo_vcpus_have_their_place() {
    let text = format!(
        "version = 1\n{COSTS}[core.0]\nscheduler = \"fixed-priority\"\n\
         [vcpu.v]\non = \"core.0\"\nserver = \"sporadic\"\nbudget = \"500us\"\nperiod = \"2ms\"\npriority = 1\n\
         [task.inside]\non = \"vcpu.v\"\nwcet = \"10us\"\nperiod = \"2ms\"\n\
         [interrupt.nic]\non = \"core.0\"\nisr = \"5us\"\nmin-interarrival = \"2ms\"\n\
         virtual = {{ vcpu = \"vcpu.v\", isr = \"10us\", wakes = \"task.inside\", \
         pseudo-vcpu = {{ budget = \"80us\", period = \"2ms\" }} }}\n\
         [task.armed]\non = \"core.0\"\nwcet = \"100us\"\nperiod = \"1ms\"\npriority = 5\n\
         [timer.own]\narmed-by = \"task.armed\"\nperiod = \"1ms\"\n"
    );
    assert_eq!(parts(&text), [2_900, 0, 1_075, 35]);
}
