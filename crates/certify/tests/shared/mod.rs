//! Cores by priority with a guest whose interrupts have pseudo-VCPUs.
//!
//! **Model.** One to three interrupts in a guest, each with a pseudo-VCPU of some rule or without, and a task that the first
//! may wake; a task of the guest, and one on the core above and below. Half of them have a first interrupt whose budget
//! covers those of others, which have no pseudo-VCPU.

use std::fmt::Write as _;
use vorrang_model::{Format, System, read};
use vorrang_random::Random;

/// One of them, as text.
pub(crate) fn drawn(seed: u64) -> String {
    let mut random = Random::new(4961, seed);
    let covers = random.chance(1, 2);
    let wakes = !covers && random.chance(1, 2);
    let mut text = "version = 1\n[core.0]\nscheduler = \"fixed-priority\"\n".to_owned();
    let kind = random.one_of(&["deferrable", "periodic", "polling"]);
    let (budget, period) = (random.between(8, 20), random.between(25, 50));
    let _ = write!(
        text,
        "[vcpu.v]\non = \"core.0\"\nserver = \"{kind}\"\nbudget = \"{budget}ns\"\nperiod = \"{period}ns\"\n\
         priority = 5\nscheduler = \"fixed-priority\"\n"
    );
    let paid = covers || random.chance(3, 4);
    text += &interrupt(&mut random, ("a", paid), covers, wakes);
    for name in ["b", "c"] {
        if random.chance(2, 3) {
            let paid = !covers && random.chance(1, 2);
            text += &interrupt(&mut random, (name, paid), false, false);
        }
    }
    if wakes {
        text += "[task.woken]\non = \"vcpu.v\"\npriority = 9\nwcet = \"2ns\"\n";
    }
    text += &task(&mut random, ("inside", "vcpu.v", 4), 4);
    text += &task(&mut random, ("above", "core.0", 7), 3);
    text += &task(&mut random, ("below", "core.0", 1), 6);
    text
}

fn interrupt(random: &mut Random, (name, paid): (&str, bool), covers: bool, wakes: bool) -> String {
    let every = random.between(60, 160);
    let (isr, jitter) = (random.between(1, 4), random.one_of(&[0, 0, 15]));
    let mut to = format!("vcpu = \"vcpu.v\", isr = \"{isr}ns\"");
    if wakes {
        to += ", wakes = \"task.woken\"";
    }
    if paid {
        let rule = random.one_of(&["arrival", "deferrable", "released"]);
        let rule = if covers { "arrival" } else { rule };
        let budget = isr + 2 + random.below(if covers { 25 } else { 6 });
        let period = every - random.below(30);
        let priority = random.one_of(&[9, 6, 2]);
        let _ = write!(
            to,
            ", pseudo-vcpu = {{ rule = \"{rule}\", budget = \"{budget}ns\", period = \"{period}ns\", \
             priority = {priority} }}"
        );
    }
    format!(
        "[interrupt.{name}]\non = \"core.0\"\nisr = \"1ns\"\nmin-interarrival = \"{every}ns\"\n\
         jitter = \"{jitter}ns\"\nvirtual = {{ {to} }}\n"
    )
}

fn task(random: &mut Random, (name, on, priority): (&str, &str, u64), most: u64) -> String {
    let (wcet, period) = (random.between(1, most), random.between(60, 200));
    format!(
        "[task.{name}]\non = \"{on}\"\nwcet = \"{wcet}ns\"\nperiod = \"{period}ns\"\npriority = {priority}\n"
    )
}

/// The system of such a text.
pub(crate) fn system(text: &str) -> System {
    read(text, Format::Toml).unwrap_or_else(|why| panic!("{why:?}: {text}"))
}
