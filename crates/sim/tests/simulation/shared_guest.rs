//! An interrupt with a pseudo-VCPU beside one without in the same guest, which serves them first come, first served.

use vorrang_model::Format;
use vorrang_sim::{Search, search};
use vorrang_time::Duration;

/// The longest response found of the interrupt with a pseudo-VCPU of this budget every millisecond, whose routine
/// takes 40 us; the other one's takes 8 us every 2 ms. The virtual processor may wait for some milliseconds.
fn longest(server: &str, budget: &str) -> Duration {
    let description = format!(
        r#"
        version = 1
        [core.0]
        scheduler = "fixed-priority"
        [vcpu.urgent]
        on = "core.0"
        server = "periodic"
        budget = "2ms"
        period = "10ms"
        priority = 9
        [vcpu.guest]
        on = "core.0"
        server = "{server}"
        budget = "4ms"
        period = "10ms"
        priority = 5
        [task.work]
        on = "vcpu.guest"
        wcet = "1ms"
        period = "50ms"
        priority = 1
        [interrupt.paid]
        on = "core.0"
        isr = "1us"
        min-interarrival = "1ms"
        virtual = {{ vcpu = "vcpu.guest", isr = "40us", pseudo-vcpu = {{ budget = "{budget}", period = "1ms" }} }}
        [interrupt.unpaid]
        on = "core.0"
        isr = "1us"
        min-interarrival = "2ms"
        virtual = {{ vcpu = "vcpu.guest", isr = "8us" }}
        "#
    );
    let system = vorrang_model::read(&description, Format::Toml).expect("it is right");
    let seen = search(&system, &Search::default());
    seen.interrupts[0].as_ref().expect("it is simulated").response
}

/// Up to four of the other one are pending, and one more interrupts the core.
#[test]
fn a_credit_that_covers_what_is_before_an_interrupt_lets_it_pass() {
    let us = Duration::from_us;
    assert!(longest("periodic", "40us") > us(900));
    assert!((us(50)..=us(82)).contains(&longest("periodic", "80us")));
}

/// `c + ceil(T_i/T_j) c_j` is 48 us: enough where the virtual processor does not wait for long, not elsewhere.
#[test]
fn the_published_budget_does_not_count_what_is_pending() {
    let us = Duration::from_us;
    assert!(longest("deferrable", "48us") < us(60));
    assert!(longest("periodic", "48us") > us(900));
}
