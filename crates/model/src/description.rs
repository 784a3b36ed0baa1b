//! What a description says, read and typed, its names not yet looked up.
//!
//! Every field knows whether it was left out, wrong (and reported), or right, so that the resolver neither trusts a missing value nor reports it a second time.

use crate::system::{
    self, CacheModel, Communication, Costs, DeadlineLimits, Distance, InterruptOrder,
    InterruptTime, Preemption, Priority, Probability, PseudoVcpuRule, ServerKind, TimerQueue,
};
use crate::word::{Arrival, Rule};
use crate::{diagnostic::Span, keys::Noun};
use std::collections::BTreeSet;
use vorrang_time::Duration;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// What became of a key.
#[derive(Clone, Debug)]
pub(crate) enum Field<T> {
    Absent,
    /// There, but wrong; that has been reported.
    Wrong,
    Is(At<T>),
}

impl<T> Field<T> {
    /// The value, if there is a right one.
    pub(crate) fn get(&self) -> Option<&At<T>> {
        match self {
            Self::Is(at) => Some(at),
            _ => None,
        }
    }

    /// Whether it was left out.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value, or `default` if it was left out; `None` if it is wrong.
    pub(crate) fn or(&self, default: T) -> Option<T>
    where
        T: Copy,
    {
        match self {
            Self::Is(at) => Some(at.value),
            Self::Absent => Some(default),
            Self::Wrong => None,
        }
    }
}

/// A full name as it was written.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) text: String,
    /// What it may name.
    pub(crate) nouns: &'static [Noun],
    /// The key it stands at.
    pub(crate) key: &'static str,
}

/// Everything that was declared, each kind in the order of declaration.
#[derive(Clone, Default)]
pub(crate) struct Description {
    /// The file of the machine, as long as it was not read.
    pub(crate) profile: Option<At<String>>,
    pub(crate) costs: Costs,
    /// Those of [`Description::costs`] that are stated, whatever a profile says.
    pub(crate) stated_costs: BTreeSet<&'static str>,
    /// Whether there is a table of cores, right or wrong.
    pub(crate) mentions_cores: bool,
    /// Full names whose declaration was refused, so that they are not missed as well.
    pub(crate) refused: BTreeSet<String>,
    /// Whether caches may be missing because their profile was refused: they are not missed as well.
    pub(crate) refuses_caches: bool,
    pub(crate) supplies: Vec<Declared<Supply>>,
    pub(crate) tasks: Vec<Declared<Task>>,
    pub(crate) interrupts: Vec<Declared<Interrupt>>,
    pub(crate) timers: Vec<Declared<Timer>>,
    pub(crate) devices: Vec<Declared<Device>>,
    pub(crate) caches: Vec<Declared<Cache>>,
    pub(crate) requirements: Vec<Declared<Requirement>>,
    pub(crate) chains: Vec<Declared<Chain>>,
}

/// Something with a name.
#[derive(Clone)]
pub(crate) struct Declared<T> {
    pub(crate) noun: Noun,
    /// The full name, such as `task.speed`.
    pub(crate) name: String,
    /// Where the name stands in the declaration.
    pub(crate) span: Span,
    pub(crate) body: T,
}

#[derive(Clone)]
pub(crate) struct Supply {
    pub(crate) scheduler: Field<Rule>,
    pub(crate) quantum: Field<Duration>,
    pub(crate) time_slice: Field<Duration>,
    /// Of a core.
    pub(crate) interrupts: Field<InterruptOrder>,
    /// Of a core.
    pub(crate) interrupt_time: Field<InterruptTime>,
    /// Of a core.
    pub(crate) timers: Field<TimerQueue>,
    /// Of a core.
    pub(crate) max_defer: Field<Duration>,
    pub(crate) cpu: Field<u64>, // of a core
    /// `None` inside: there is none.
    pub(crate) fair_server: Field<Option<FairServer>>,
    /// What its kernel is set to take under `SCHED_DEADLINE`.
    pub(crate) deadline_limits: Field<DeadlineLimits>,
    /// `None` inside: there is none.
    pub(crate) ext_server: Field<Option<FairServer>>,
    /// Of a core; `None` inside: there is none.
    pub(crate) rt_throttling: Field<Option<RtLimit>>,
    /// The release of its kernel, as it was written.
    pub(crate) kernel_release: Field<String>,
    /// Of a core: the profile of its kernel, as it was written.
    pub(crate) kernel: Field<String>,
    /// What that profile says, once it was read.
    pub(crate) profile: Option<system::Kernel>,
    /// Of a core.
    pub(crate) overrun: Field<Duration>,
    /// Of a core.
    pub(crate) sections: Field<Duration>,
    /// `None` for a core.
    pub(crate) server: Option<Server>,
}

/// What Linux keeps for `SCHED_OTHER`.
#[derive(Clone, Debug)]
pub(crate) struct FairServer {
    pub(crate) budget: Field<Duration>,
    pub(crate) period: Field<Duration>,
}

/// After how much time real-time threads are stopped.
#[derive(Clone, Debug)]
pub(crate) struct RtLimit {
    pub(crate) budget: Field<Duration>,
    pub(crate) period: Field<Duration>,
    pub(crate) late: Field<Duration>,
}

#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) vm: Field<String>,
    pub(crate) on: Field<Reference>,
    pub(crate) kind: Field<ServerKind>,
    pub(crate) budget: Field<Duration>,
    pub(crate) period: Field<Duration>,
    pub(crate) deadline: Field<Duration>,
    pub(crate) reclaim: Field<bool>,
    pub(crate) refills: Field<u64>,
    pub(crate) min_budget: Field<Duration>,
    pub(crate) offset: Field<Duration>,
    pub(crate) windows: Field<Vec<system::Window>>, // by their starts
    pub(crate) blocking: Field<Duration>,
    pub(crate) priority: Field<Priority>,
    pub(crate) share: Field<u64>,
    pub(crate) cache: Field<Reference>,
    pub(crate) thread: Field<String>,
}

#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) on: Field<Reference>,
    pub(crate) wcet: Field<Duration>,
    pub(crate) bcet: Field<Duration>,
    pub(crate) execution: Field<Vec<(Duration, u32)>>, // times with weights, increasing
    pub(crate) period: Field<Duration>, // the first of the distances where it is left out
    pub(crate) min_distances: Field<Vec<Distance>>,
    pub(crate) deadline: Field<Option<Duration>>, // `None` for best effort
    pub(crate) latest_interarrival: Field<Duration>,
    pub(crate) offset: Field<Duration>,
    pub(crate) communication: Field<Communication>,
    pub(crate) preemption: Field<Preemption>,
    pub(crate) polls: Field<bool>,
    pub(crate) jitter: Field<Duration>,
    pub(crate) blocking: Field<Duration>,
    pub(crate) priority: Field<Priority>,
    pub(crate) share: Field<u64>,
    pub(crate) cache: Field<Reference>,
    pub(crate) thread: Field<String>,
    pub(crate) wakes: Field<Vec<At<Reference>>>,
    pub(crate) after: Field<Vec<At<Reference>>>,
    pub(crate) learnt: Field<u32>,
}

#[derive(Clone)]
pub(crate) struct Interrupt {
    pub(crate) on: Field<Reference>,
    pub(crate) isr: Field<Duration>,
    pub(crate) posted: Field<bool>,
    pub(crate) min_interarrival: Field<Duration>, // as `Task::period`
    pub(crate) min_distances: Field<Vec<Distance>>,
    pub(crate) jitter: Field<Duration>,
    pub(crate) priority: Field<Priority>,
    pub(crate) wakes: Field<Reference>,
    pub(crate) storm: Field<Duration>,
    pub(crate) delivery: Option<Virtual>,
    pub(crate) irq: Field<String>,
    pub(crate) learnt: Field<u32>,
}

/// The delivery of an interrupt to a guest.
#[derive(Clone)]
pub(crate) struct Virtual {
    pub(crate) vcpu: Field<Reference>,
    pub(crate) isr: Field<Duration>,
    pub(crate) wakes: Field<Reference>,
    pub(crate) pseudo_vcpu: Option<PseudoVcpu>,
    pub(crate) vector: Field<String>,
}

#[derive(Clone)]
pub(crate) struct PseudoVcpu {
    pub(crate) span: Span,
    pub(crate) budget: Field<Duration>,
    pub(crate) period: Field<Duration>,
    pub(crate) priority: Field<Priority>,
    pub(crate) rule: Field<PseudoVcpuRule>,
}

#[derive(Clone)]
pub(crate) struct Timer {
    pub(crate) armed_by: Field<Reference>,
    pub(crate) period: Field<Duration>,
    pub(crate) wakes: Field<bool>,
    pub(crate) isr: Field<Duration>,
    pub(crate) pseudo_vcpu: Option<PseudoVcpu>,
}

#[derive(Clone)]
pub(crate) struct Device {
    pub(crate) interrupt: Field<Reference>,
    pub(crate) ring: Field<u64>,
    pub(crate) coalesce_packets: Field<u64>,
    pub(crate) coalesce_time: Field<Duration>,
    pub(crate) budget: Field<u64>,
    pub(crate) per_packet: Field<Duration>,
    pub(crate) socket: Field<u64>,
    pub(crate) receiver: Field<Reference>,
    /// `None` where the table is missing or none, which has been reported.
    pub(crate) packets: Option<Packets>,
}

/// The packets that arrive at a device.
#[derive(Clone)]
pub(crate) struct Packets {
    pub(crate) span: Span,
    pub(crate) arrive: Field<Arrival>,
    pub(crate) payload: Field<u64>,
    pub(crate) interval: Field<Duration>,
    pub(crate) burst: Field<u64>,
    pub(crate) bits_per_second: Field<u64>,
    pub(crate) framing: Field<u64>,
}

#[derive(Clone)]
pub(crate) struct Cache {
    pub(crate) model: Field<CacheModel>,
    pub(crate) useful: Field<u32>,
    pub(crate) sustained: Field<Duration>,
}

#[derive(Clone)]
pub(crate) struct Chain {
    pub(crate) path: Field<Vec<At<Reference>>>,
    pub(crate) reaction: Field<Duration>,
    pub(crate) age: Field<Duration>,
}

#[derive(Clone)]
pub(crate) struct Requirement {
    pub(crate) of: Field<Reference>,
    pub(crate) handled_within: Field<Duration>,
    pub(crate) probability: Field<Probability>,
}
