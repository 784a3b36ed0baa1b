//! Credits that are kept, where they are more than the interrupt takes.
//!
//! **Model.** A virtual processor loses 1 ms to its cold cache, so an interrupt of 1 ms needs 2 of its credit of 6 ms. A server of
//! 5 ms every 8 ms is as urgent as the pseudo-VCPU. In the model the rest of a credit is dropped: the interrupt waits
//! for one budget at most, 5 + 2. Kept, it comes before the server, which then has two budgets before the next interrupt:
//!
//! ```text
//!   14     16                  20 21           25          29     31
//!   | ==== rest of the credit ==| ## a budget, | and another ##| interrupt |
//!   first  budget                 next
//! ```

use crate::memory::Memory;
use crate::stated::{job, server};
use vorrang_analysis::bounds;
use vorrang_host::control::Unattended;
use vorrang_host::processor::Order;
use vorrang_host::rule::{mechanism, wake_ups};
use vorrang_host::scope::Scope;
use vorrang_host::{Processor, dispatch};
use vorrang_mechanisms::interrupt::{PseudoVcpu, Rule};
use vorrang_model::system::{InterruptId, ServerKind};
use vorrang_model::{Format, System, read};
use vorrang_time::{Duration, Instant};

/// With that priority of the pseudo-VCPU; the interrupt comes up to 13 ms late.
fn described(priority: u64) -> System {
    let text = format!(
        "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\ncpu = 1\n\
         [cache.c]\nmodel = \"flood\"\nuseful = \"0%\"\nsustained = \"1ms\"\n\
         [server.equal]\non = \"core.0\"\nserver = \"polling\"\nbudget = \"5ms\"\nperiod = \"8ms\"\npriority = 3\nthread = \"name:equal\"\n\
         [task.equal]\non = \"server.equal\"\nwcet = \"1ms\"\nperiod = \"1s\"\n\
         [vcpu.guest]\non = \"core.0\"\nserver = \"polling\"\nbudget = \"1ms\"\nperiod = \"40ms\"\npriority = 1\nvm = \"guest\"\n\
         thread = \"vm:guest/0\"\ncache = \"cache.c\"\n\
         [interrupt.card]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"20001us\"\njitter = \"13ms\"\n\
         [interrupt.card.virtual]\nvcpu = \"vcpu.guest\"\nisr = \"1ms\"\nvector = \"64\"\n\
         [interrupt.card.virtual.pseudo-vcpu]\nbudget = \"6ms\"\nperiod = \"7ms\"\nrule = \"arrival\"\npriority = {priority}\n"
    );
    read(&text, Format::Toml).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The description whose bound this history exceeds is refused.
#[test]
fn what_is_left_of_a_credit_has_no_equal_of_another_guest() {
    let bound = bounds(&described(3)).interrupt(InterruptId(0)).bound().expect("a bound");
    let servers =
        [(ServerKind::Polling, [5_000, 8_000], 3), (ServerKind::Polling, [1_000, 40_000], 1)];
    let empty = Processor::new(Order::FixedPriority, Duration::from_ms(1), Duration::ZERO);
    let processor = servers.into_iter().fold(empty, |processor, (kind, times, priority)| {
        let mechanism = mechanism(&server(kind, times, priority)).expect("a kind that is run");
        processor.with(mechanism, priority, wake_ups(kind).expect("a kind that is run"))
    });
    let (budget, period) = (Duration::from_ms(6), Duration::from_ms(7));
    let credits = PseudoVcpu::new(Rule::Arrival, budget, period, budget, Duration::ZERO);
    let mut processor = processor.with_pseudo_vcpu(1, credits, 3);
    let machine = Memory::of(&[vec![job(0, 10_000_000)], vec![job(0, 10_000_000)]]);
    let mut machine = machine.with_interrupts(&[(1, vec![job(14_000, 2_000), job(21_000, 2_000)])]);
    dispatch::run(&mut processor, &mut machine, Instant::from_ns(40_000_000), Unattended);
    let raised = Instant::from_ns(21_000_000);
    let begins = machine.ran.iter().filter(|run| run.0 == 1 && run.2 > raised).map(|run| run.1);
    let handled = begins.min().expect("it runs") + Duration::from_ms(2);
    // Raised as late as it may be.
    let arrival = raised - Duration::from_ms(13);
    assert!(handled - arrival > bound, "{handled} after {arrival}, of {bound}");

    let unfit = Scope::all(&described(3), Duration::from_ms(1)).expect_err("it is refused");
    let why =
        "interrupt.card: its guest has a cache, and server.equal is as urgent as its pseudo-VCPU";
    assert!(unfit.missing.iter().any(|line| line.starts_with(why)), "{unfit:?}");
    assert!(Scope::all(&described(4), Duration::from_ms(1)).is_ok());
}
