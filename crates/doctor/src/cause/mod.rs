//! The causes, in the order in which a kernel says them, then those that cost time.

#![expect(
    clippy::unnecessary_wraps,
    reason = "every rule may say that it does not matter to a subject"
)]

mod admission;
mod clock;
mod domain;
mod group;
mod guests;
mod hwlat;
mod idle;
mod interrupts;
mod kernel;
mod partitions;
mod period;
mod processor;
mod rights;
mod throttling;

use crate::finding::Said;
use crate::look::Look;
use crate::subject::Subject;

/// What is found about a cause; `None`: it does not matter to the subject.
type Rule = fn(&Look, &Subject) -> Option<Said>;

pub(crate) const ALL: &[(&str, Rule)] = &[
    ("kernel-release", kernel::release),
    ("cpuset-controller", partitions::controller),
    ("read-only-groups", partitions::writable),
    ("seccomp", rights::seccomp),
    ("period-limits", period::limits),
    ("user-namespace", rights::user_namespace),
    ("capability", rights::capability),
    ("priority-limit", rights::priority_limit),
    ("time-limit", rights::time_limit),
    ("group-runtime", group::runtime),
    ("root-domain", domain::affinity),
    ("fixed-affinity", domain::fixed),
    ("real-time-share", admission::share),
    ("admission", admission::room),
    ("sched-ext", kernel::sched_ext),
    ("runtimes", kernel::runtimes),
    ("throttling", throttling::of_real_time),
    ("irqbalance", interrupts::irqbalance),
    ("idle-states", idle::states),
    ("frequency", idle::frequency),
    ("hyper-threads", processor::siblings),
    ("virtual-machine", processor::hypervisor),
    ("clock-source", clock::source),
    ("timer-migration", clock::migration),
    ("firmware", hwlat::seen),
    ("shared-processor", guests::share),
    ("kvm-pit", guests::pit),
];
