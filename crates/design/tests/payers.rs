//! Pseudo-VCPUs of which something is open.

use vorrang_design::{Answer, Limits, accepts, design};
use vorrang_model::system::PseudoVcpu;
use vorrang_model::{Code, Format, System, read, read_open};

/// With what was chosen, which is accepted when it is read again.
fn designed(text: &str) -> System {
    let mut open =
        read_open(text, Format::Toml, |_| Err("none".into())).unwrap_or_else(|e| panic!("{e:?}"));
    let Answer::Design(found) = design(&mut open, Limits::default()) else {
        panic!("nothing found for\n{text}")
    };
    let written = String::from_utf8(open.written(&found.chosen)).unwrap();
    let system = read(&written, Format::Toml).unwrap_or_else(|e| panic!("{e:?}\n{written}"));
    assert!(accepts(&system), "{written}");
    assert!(found.least <= found.cost);
    system
}

fn pseudo_vcpus(system: &System) -> Vec<PseudoVcpu> {
    let deliveries = system.interrupts.iter().filter_map(|of| of.delivery.as_ref());
    deliveries.filter_map(|of| of.pseudo_vcpu).collect()
}

/// Budget and period in microseconds.
fn times(of: &PseudoVcpu) -> (u64, u64) {
    (of.budget.as_ns() / 1_000, of.period.as_ns() / 1_000)
}

/// An example with other lines in the table of its pseudo-VCPU.
fn example(name: &str, lines: &str) -> String {
    let path = format!("{}/../../examples/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let stated = "budget = \"200us\"\nperiod = \"4ms\"";
    assert!(text.contains(stated), "{name}");
    text.replace(stated, lines)
}

const BUDGET: &str = "budget = \"?\"\nperiod = \"4ms\"";
const ALL: &str = "budget = \"?\"\nperiod = \"?\"\npriority = \"?\"";

/// Routine, end of interrupt and woken task take 72 us. Above everything a pseudo-VCPU has one start of a cold cache, of at
/// most 36.4 us; below the control loop one more for each of its jobs.
#[test]
fn the_credit_of_the_examples_is_what_the_interrupt_takes_and_its_cold_start() {
    for name in ["five-in-one", "five-in-one-edf", "five-in-one-linux"] {
        let system = designed(&example(name, BUDGET));
        assert_eq!(times(&pseudo_vcpus(&system)[0]), (109, 4_000), "{name}");
    }
}

/// A priority that may be any is one that nothing else has, and is searched for with the budget.
#[test]
fn budget_period_and_priority_are_searched_for_together() {
    for name in ["five-in-one", "five-in-one-edf"] {
        let chosen = pseudo_vcpus(&designed(&example(name, ALL)))[0];
        assert_eq!(times(&chosen), (109, 4_000), "{name}");
        let own = chosen.priority.unwrap().0;
        assert!(![90, 50, 30, 20].contains(&own), "{name} {own}");
    }
}

/// What the interrupt requires is no shortest time of the virtual processor, since another server pays for it.
#[test]
fn a_virtual_processor_is_designed_with_its_pseudo_vcpu() {
    let stated = "budget = \"3ms\"\nperiod = \"15ms\"";
    let text = example("five-in-one", ALL).replace(stated, "budget = \"?\"\nperiod = \"?\"");
    let system = designed(&text);
    let media = system.supplies.iter().find(|supply| supply.name == "vcpu.media").unwrap();
    let server = media.server().unwrap();
    // 3 ms of 15 ms did, too.
    assert!(server.budget.as_ns() * 5 < server.period.as_ns(), "{server:?}");
    assert_eq!(pseudo_vcpus(&system).len(), 1);
}

/// Two guests; the first has two interrupts.
fn two_guests(motor: &str, brake: &str, radio: &str) -> String {
    let guest = |name: &str, priority: u32| {
        format!(
            "[vcpu.{name}]\non = \"core.0\"\nserver = \"deferrable\"\nbudget = \"1ms\"\nperiod = \"10ms\"\n\
             priority = {priority}\n[task.{name}]\non = \"vcpu.{name}\"\nwcet = \"300us\"\nperiod = \"40ms\"\n"
        )
    };
    let interrupt = |name: &str, guest: &str, isr: u32, within: u32, lines: &str| {
        format!(
            "[interrupt.{name}]\non = \"core.0\"\nisr = \"2us\"\nmin-interarrival = \"2ms\"\n\
             [interrupt.{name}.virtual]\nvcpu = \"vcpu.{guest}\"\nisr = \"{isr}us\"\n\
             [interrupt.{name}.virtual.pseudo-vcpu]\n{lines}\n\
             [require.{name}]\nof = \"interrupt.{name}\"\nhandled-within = \"{within}us\"\n"
        )
    };
    "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned()
        + &guest("drive", 4)
        + &guest("media", 3)
        + &interrupt("motor", "drive", 50, 200, motor)
        + &interrupt("brake", "drive", 30, 900, brake)
        + &interrupt("radio", "media", 100, 600, radio)
        + "[task.control]\non = \"core.0\"\npriority = 8\nwcet = \"40us\"\nperiod = \"1ms\"\ndeadline = \"200us\"\n"
}

/// Of equal priority the two of one guest need no more than their own routines each. Those of the guests differ: the loop
/// cannot wait for the radio, nor the motor.
#[test]
fn those_of_one_guest_have_one_priority() {
    let open = "budget = \"?\"\nperiod = \"?\"\npriority = \"?\"";
    let system = designed(&two_guests(open, open, open));
    let [motor, brake, radio] = pseudo_vcpus(&system)[..] else { panic!("three") };
    assert_eq!(
        [motor, brake, radio].map(|of| times(&of)),
        [(50, 2_000), (30, 2_000), (100, 2_000)]
    );
    assert_eq!(motor.priority, brake.priority);
    assert!(radio.priority < motor.priority, "{radio:?} {motor:?}");
}

/// One that may be any has the one that another of its guest states.
#[test]
fn a_stated_priority_is_that_of_the_guest() {
    let stated = "budget = \"50us\"\nperiod = \"2ms\"\npriority = 9";
    let open = "budget = [\"20us\", \"31us\", \"60us\"]\nperiod = \"2ms\"\npriority = \"?\"";
    let beside = "budget = { from = \"10us\", to = \"200us\", step = \"7us\" }\nperiod = \"2ms\"\npriority = [2, 5]";
    let system = designed(&two_guests(stated, open, beside));
    let [_, brake, radio] = pseudo_vcpus(&system)[..] else { panic!("three") };
    assert_eq!((times(&brake), brake.priority.unwrap().0), ((31, 2_000), 9));
    // The first of its budgets that pays for one interrupt.
    assert_eq!(times(&radio).0, 101);
}

/// What pays for no interrupt is an error, as where it is stated.
#[test]
fn nothing_that_pays_for_no_interrupt_may_be_chosen() {
    let own = "budget = [\"20us\", \"49us\"]\nperiod = \"2ms\"";
    let other = "budget = \"200us\"\nperiod = \"2ms\"";
    let text = two_guests(own, other, other);
    let errors = read_open(&text, Format::Toml, |_| Err("none".into())).err().unwrap();
    assert_eq!(errors[0].code, Code::PseudoVcpuBudget, "{errors:?}");
}
