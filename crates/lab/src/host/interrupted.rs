//! Runs with interrupts of a guest: their descriptions, and the files of what is seen.

use vorrang_model::system::System;
use vorrang_model::{Format, read};

/// The description up to the delivery of the interrupt.
const SERVERS: &str = r#"version = 1

[costs]
scheduler-call = "60us"

[core.0]
scheduler = "fixed-priority"
cpu = 0

[server.rival]
on = "core.0"
server = "periodic"
budget = "10ms"
period = "20ms"
priority = 2
thread = "process:vorrang-probe/rival"

[task.rival]
on = "server.rival"
wcet = "10ms"
period = "20ms"
deadline = "none"

[vcpu.guest]
on = "core.0"
server = "deferrable"
budget = "4ms"
period = "20ms"
priority = 1
vm = "guest"
thread = "process:vorrang-vcpu/guest"

[task.computing]
on = "vcpu.guest"
wcet = "4ms"
period = "20ms"
jitter = "1ms"
deadline = "none"

[interrupt.look]
on = "core.0"
isr = "60us"
min-interarrival = "1ms"

[interrupt.card]
on = "core.0"
isr = "60us"
min-interarrival = "20ms"

[interrupt.card.virtual]
vcpu = "vcpu.guest"
isr = "150us"
vector = "64"
"#;
/// The rest of it.
const REQUIRED: &str = r#"
[require.answer]
of = "interrupt.card"
handled-within = "1ms"
"#;

/// A run: what the guest does, and whether its interrupt has a pseudo-VCPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    pub(crate) name: &'static str,
    pub(crate) work: &'static str,
    pub(crate) reserved: bool,
}

pub(crate) const TRIALS: [Trial; 3] = [
    Trial { name: "off", work: "computes", reserved: false },
    Trial { name: "on", work: "computes", reserved: true },
    Trial { name: "on-halts", work: "halts", reserved: true },
];

impl Trial {
    pub(crate) fn file(&self) -> String {
        format!("/{}.toml", self.name)
    }

    pub(crate) fn told(&self) -> String {
        format!("/run/{}-guest", self.name)
    }

    pub(crate) fn counted(&self) -> String {
        format!("/run/{}-rival", self.name)
    }

    pub(crate) fn description(&self) -> String {
        let pseudo_vcpu = if self.reserved {
            "\n[interrupt.card.virtual.pseudo-vcpu]\nbudget = \"150us\"\nperiod = \"20ms\"\n"
        } else {
            ""
        };
        format!("{SERVERS}{pseudo_vcpu}{REQUIRED}")
    }

    pub(crate) fn system(&self) -> System {
        read(self.description(), Format::Toml).expect("it is right")
    }
}
