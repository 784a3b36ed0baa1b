//! The plan of the guest: two hosts, a flood, and for each case the task's jobs between two samples.

use super::case::{CPU, Case, INTERRUPT, PACKETS, PERIOD, WORK};
use serde::Deserialize;
use vorrang_guest::{LoadedTask, Policy, Step, Work};

const MS: u64 = 1_000_000;
/// Jobs of the task for each case.
const JOBS: u32 = 20;
/// Until the queues of the card and of the program are full.
const FULL: u64 = 50 * MS;
/// From the creation of the task to the first look, and from there to its first release, so that no look
/// is in the way of a job; the second one follows the last period.
const BEFORE: u64 = 25 * MS;
const AFTER: u64 = 25 * MS;
/// From the beginning of a load to the first release: the look on the other processor slows this one down.
const OFFSET: u64 = 100 * MS;
/// Between two interrupts of the timer while it is measured.
pub(super) const MEASURED_TIMER: u64 = MS / 10;
/// The payload of a packet, as published.
pub(super) const PAYLOAD: u64 = 192;
/// With the headers of Ethernet, IP and UDP.
const BYTES: u64 = 14 + 20 + 8 + PAYLOAD;

/// The packets that the interface has taken from the card.
pub(super) const TAKEN: &str = "/sys/class/net/eth0/statistics/rx_packets";
/// The packets that programs have received.
pub(super) const DELIVERED: &str = "/proc/net/snmp";
/// The thread that polls, whatever its number.
pub(super) const HANDLER: &str = "napi/eth0-";

/// For how long each thread waited for locks, in microseconds: the kernel adds it up when a wait ends.
pub(super) const WAITED: &str = "/sys/kernel/tracing/events/synthetic/waited/hist";
/// The writes that enable it, in this order: a wait is an event of its own, from the beginning to the end of
/// a contention.
const ADD_WAITS: [(&str, &str); 4] = [
    ("/sys/kernel/tracing/synthetic_events", "waited u64 us"),
    (
        "/sys/kernel/tracing/events/lock/contention_begin/trigger",
        "hist:keys=common_pid:began=common_timestamp.usecs",
    ),
    (
        "/sys/kernel/tracing/events/lock/contention_end/trigger",
        "hist:keys=common_pid:us=common_timestamp.usecs-$began:onmatch(lock.contention_begin).waited($us)",
    ),
    ("/sys/kernel/tracing/events/synthetic/waited/trigger", "hist:keys=common_pid:vals=us"),
];

/// The features of the scheduler.
const FEATURES: &str = "/sys/kernel/debug/sched/features";

/// The way in which a runtime of `SCHED_DEADLINE` ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Enforcement {
    /// A timer of its own: what 7.2 does.
    Timer,
    /// The tick, every 4 ms: what 6.12 does unless it is told otherwise.
    Tick,
}

impl Enforcement {
    /// The setting of the scheduler for it.
    fn feature(self) -> &'static str {
        match self {
            Self::Timer => "HRTICK_DL",
            Self::Tick => "NO_HRTICK_DL",
        }
    }
}

/// All steps.
pub(super) fn steps(cases: &[Case], enforcement: Enforcement) -> Vec<Step> {
    let mut steps = hosts(enforcement);
    steps.extend(ADD_WAITS.map(|(file, what)| write(file, what)));
    steps.extend(flood());
    // The time of the work while the other host sends: beside a timer, and, for the task, alone.
    let measure = Step::MeasureWork { cpu: CPU };
    let timer = Step::StartInterrupts { cpu: CPU, every: MEASURED_TIMER };
    steps.extend([timer, measure.clone(), Step::EndInterrupts, measure]);
    for case in cases {
        steps.extend(of_case(case));
    }
    // The kernel does not turn a machine off that is flooded.
    steps.push(Step::Run { command: generator("stop") });
    steps
}

fn run(line: &str) -> Step {
    Step::Run { command: line.split(' ').map(str::to_owned).collect() }
}

fn write(path: &str, text: &str) -> Step {
    Step::Write { path: path.to_owned(), text: text.to_owned() }
}

pub(super) fn thread(name: &str, cpu: Option<usize>, policy: Policy) -> Step {
    Step::SetThread { name: name.to_owned(), cpu, policy }
}

/// The host that sends has `eth1` and processor 0; the other one all the rest.
pub(super) fn hosts(enforcement: Enforcement) -> Vec<Step> {
    vec![
        write(FEATURES, enforcement.feature()),
        // Threads without a priority would starve beside the task.
        thread("init", Some(0), Policy::Other),
        run("/init network make eth1 10.9.0.1/24"),
        run("/bin/busybox ip address add 10.9.0.2/24 dev eth0"),
        run("/bin/busybox ip link set eth0 up"),
        // The cards agree with the hub on a speed first.
        Step::Sleep { time: 3000 * MS },
        write("/sys/class/net/eth0/threaded", "1"),
        // So that threads of SCHED_DEADLINE may be pinned without partitions.
        write("/proc/sys/kernel/sched_rt_runtime_us", "-1"),
        write("/proc/irq/10/smp_affinity", "2"),
        write("/proc/irq/11/smp_affinity", "1"),
        // A reservation of the kernel itself, for threads without priority, that no description has.
        write("/sys/kernel/debug/sched/fair_server/cpu1/runtime", "0"),
        Step::Start { command: ["/init", "receive", "10.9.0.2:9"].map(str::to_owned).to_vec() },
        Step::Sleep { time: 100 * MS },
        thread("irq/10-eth0", None, Policy::Fifo(INTERRUPT)),
        thread("receiver", Some(CPU), Policy::Other),
        thread(&format!("{HANDLER}*"), Some(CPU), Policy::Other),
    ]
}

/// A command on the other host.
pub(super) fn on_other_host(command: &str) -> Step {
    run(&format!("/init network enter {command}"))
}

/// A text into a file of the other host.
fn inside(path: &str, text: &str) -> Vec<String> {
    let words = ["/init", "network", "enter", "/init", "write", path, text];
    words.map(str::to_owned).to_vec()
}

/// The control of the generator of packets, which cuts off the last letter, whatever it is.
fn generator(text: &str) -> Vec<String> {
    inside("/proc/net/pktgen/pgctrl", &format!("{text}\n"))
}

/// The kernel's own generator of packets, on the other host: a burst every millisecond, without end.
fn flood() -> Vec<Step> {
    let settings = [
        "count 0".to_owned(),
        "clone_skb 1000000".to_owned(),
        format!("pkt_size {BYTES}"),
        format!("burst {PACKETS}"),
        format!("delay {MS}"),
        "dst 10.9.0.2".to_owned(),
        "dst_mac 52:54:00:12:34:56".to_owned(),
        "udp_dst_min 9".to_owned(),
        "udp_dst_max 9".to_owned(),
    ];
    let mut commands = vec![inside("/proc/net/pktgen/kpktgend_0", "add_device eth1")];
    commands.extend(settings.iter().map(|text| inside("/proc/net/pktgen/eth1", text)));
    let mut steps: Vec<Step> = commands.into_iter().map(|command| Step::Run { command }).collect();
    // It returns when it is told to stop.
    steps.push(Step::Start { command: generator("start") });
    // It polls for that ten times a second.
    steps.push(Step::Sleep { time: 500 * MS });
    steps
}

fn of_case(case: &Case) -> Vec<Step> {
    let task = LoadedTask {
        name: "control".to_owned(),
        cpu: Some(CPU),
        policy: case.task,
        offset: OFFSET,
        period: PERIOD,
        jobs: JOBS,
        work: Work::Compute(WORK),
    };
    let handler = |policy| thread(&format!("{HANDLER}*"), None, policy);
    let mut looks = vec![
        Step::Sleep { time: BEFORE },
        account(),
        Step::Sleep { time: OFFSET + AFTER + u64::from(JOBS) * PERIOD },
        account(),
    ];
    // Otherwise jobs that it keeps from running would never end.
    if case.reservation().is_none() {
        looks.push(handler(Policy::Other));
    }
    let mut steps = vec![
        thread("receiver", None, case.receiver),
        handler(case.handler),
        Step::Sleep { time: FULL },
    ];
    steps.extend(case.every().map(|every| Step::StartInterrupts { cpu: CPU, every }));
    steps.push(Step::Meanwhile { tasks: vec![task], steps: looks });
    steps.extend(case.every().map(|_| Step::EndInterrupts));
    steps
}

pub(super) fn account() -> Step {
    let threads = [&format!("{HANDLER}*"), "irq/10-eth0", "ksoftirqd/1", "receiver"];
    Step::Account {
        threads: threads.map(str::to_owned).to_vec(),
        files: [TAKEN, DELIVERED, WAITED].map(str::to_owned).to_vec(),
    }
}
