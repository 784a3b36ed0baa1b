//! The threads that sleep and read the clock.

use super::cause::{Late, parts};
use super::tally::Tally;
use super::{Broken, Measured, Outcome};
use crate::machine::Unable;
use crate::machine::clock::{exact_timers, now_ns, sleep_until};
use crate::machine::conditions::{self, Interrupted, Steal};
use crate::machine::idle::Awake;
use crate::machine::memory::Locked;
use crate::machine::place::{self, Pinned};
use crate::machine::policy::Fifo;
use crate::machine::tracefs::{Instance, Tracefs};
use rustix::thread::{gettid, sched_getcpu};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long threads have to get ready.
const READY_NS: u64 = 20_000_000;

/// The interval at which the end is checked.
const PAUSE: Duration = Duration::from_millis(20);

/// The events that the kernel records where a latency shall be explained.
const EVENTS: [&str; 9] = [
    "sched/sched_switch",
    "sched/sched_waking",
    "sched/sched_wakeup",
    "irq/irq_handler_entry",
    "irq/irq_handler_exit",
    "irq/softirq_entry",
    "irq/softirq_exit",
    "irq_vectors",
    "timer/hrtimer_expire_entry",
];

/// A thread.
#[derive(Clone, Copy, Debug)]
pub struct ThreadPlan {
    /// On this processor only.
    pub cpu: Option<usize>,
    /// With this real-time priority.
    pub priority: Option<u32>,
    /// Its interval.
    pub interval_us: u64,
}

/// The plan of a measurement.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The threads.
    pub threads: Vec<ThreadPlan>,
    /// The number of latencies of each; no limit if `None`.
    pub loops: Option<u64>,
    /// The duration; unlimited if `None`.
    pub time: Option<Duration>,
    /// Stops when a latency is longer.
    pub break_us: Option<u64>,
    /// The first latency in microseconds beyond the histogram.
    pub histogram_us: Option<usize>,
    /// Whether memory is kept from being paged out.
    pub locks_memory: bool,
    /// Whether processors are kept from sleeping deep.
    pub keeps_awake: bool,
}

/// Measures until the plan is done, a latency is too long, or `go_on`, which receives the finished part where
/// it is known, returns false.
///
/// # Errors
/// A thread may not stay on its CPU.
pub fn measure(plan: &Plan, mut go_on: impl FnMut(f64) -> bool) -> Result<Measured, Unable> {
    let mut remarks = Vec::new();
    let mut held = |result: Result<(), Unable>, then: &str| {
        if let Err(Unable(why)) = result {
            remarks.push(format!("{why}. {then}"));
        }
    };
    let _locked = plan.locks_memory.then(Locked::hold).map(|locked| {
        locked.map_err(|why| held(Err(why), "Memory is not locked, and may be paged in."))
    });
    let _awake = plan.keeps_awake.then(Awake::hold).map(|awake| {
        awake.map_err(|why| held(Err(why), "Idle states of processors are not limited."))
    });
    let cpus: Vec<usize> = plan.threads.iter().filter_map(|thread| thread.cpu).collect();
    let mut conditions = conditions::of(cpus.first().copied().unwrap_or(0));
    let watched = if cpus.is_empty() { place::permitted() } else { cpus.clone() };
    let steal: Vec<Steal> = watched.into_iter().map(Steal::watch).collect();
    let shared = Shared::of(plan);
    let (threads, refused) = run(plan, &shared, &mut go_on)?;
    let broken = shared.broken();
    let named = |cpus: &[usize]| cpus.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    conditions.retain(|(name, _)| *name != "on-cpu");
    let text = |text: &str| text.to_owned();
    conditions.extend([
        ("on-cpu", if cpus.is_empty() { text("any") } else { named(&cpus) }),
        ("threads", plan.threads.len().to_string()),
        ("priority", threads.first().map_or(text("normal"), |of| priority(of.priority))),
        ("interval", format!("{}us", plan.threads.first().map_or(0, |of| of.interval_us))),
        ("traced", text(if plan.break_us.is_some() { "yes" } else { "no" })),
    ]);
    let stolen = steal.iter().map(Steal::part).collect::<Option<Vec<f64>>>();
    let stolen = stolen.and_then(|parts| parts.into_iter().reduce(f64::max));
    remarks.extend(conditions::remarks(&conditions, stolen, Interrupted::Counts));
    remarks.extend(refused.map(|Unable(why)| {
        format!(
            "{why}. Threads without it wait for other running threads, which is measured as well."
        )
    }));
    Ok(Measured { threads, broken, conditions, remarks })
}

fn priority(priority: u32) -> String {
    if priority == 0 { "normal".to_owned() } else { priority.to_string() }
}

/// The shared state of all threads.
struct Shared {
    stop: AtomicBool,
    late: Mutex<Option<(usize, Late)>>,
    tracing: Result<Tracing, Unable>,
}

/// A trace that a thread can stop.
struct Tracing {
    instance: Instance,
}

impl Tracing {
    fn start() -> Result<Self, Unable> {
        let instance = Tracefs::find()?.instance()?;
        instance.write("trace_clock", "mono")?;
        if instance.enable(&EVENTS).is_empty() {
            return Err(Unable("this kernel has no events to trace".to_owned()));
        }
        instance.write("tracing_on", "1")?;
        Ok(Self { instance })
    }

    fn stop(&self) {
        // A trace that cannot be stopped continues, and the relevant part may be overwritten: this is
        // reported.
        let _ = self.instance.write("tracing_on", "0");
    }
}

impl Shared {
    fn of(plan: &Plan) -> Self {
        let unasked = Err(Unable("no threshold".to_owned()));
        Self {
            stop: AtomicBool::new(false),
            late: Mutex::new(None),
            tracing: if plan.break_us.is_some() { Tracing::start() } else { unasked },
        }
    }

    fn break_at(&self, thread: usize, late: Late) {
        if let Ok(tracing) = &self.tracing {
            tracing.stop();
        }
        self.stop.store(true, Ordering::Relaxed);
        let mut first = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert((thread, late));
    }

    fn broken(self) -> Option<Broken> {
        let (thread, late) = self.late.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        let trace = self.tracing.and_then(|tracing| tracing.instance.trace());
        let trace = trace.map_err(|Unable(why)| why);
        let parts = trace.as_ref().map_or(Vec::new(), |trace| parts(trace, late));
        let latency_ns = late.ran_ns - late.due_ns;
        Some(Broken { thread: Some(thread), cpu: late.cpu, latency_ns, parts, trace })
    }
}

type Ran = (Vec<Outcome>, Option<Unable>);

fn run(plan: &Plan, shared: &Shared, go_on: &mut dyn FnMut(f64) -> bool) -> Result<Ran, Unable> {
    let start_ns = now_ns() + READY_NS;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..plan.threads.len())
            .map(|index| scope.spawn(move || cycle(plan, index, start_ns, shared)))
            .collect();
        let since = Instant::now();
        while !threads.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            std::thread::sleep(PAUSE);
            let part = plan
                .time
                .map_or(0.0, |time| (since.elapsed().as_secs_f64() / time.as_secs_f64()).min(1.0));
            if part >= 1.0 || !go_on(part) {
                shared.stop.store(true, Ordering::Relaxed);
            }
        }
        let ran = threads.into_iter().map(|thread| thread.join().expect("a thread that sleeps"));
        let ran: Vec<(Outcome, Option<Unable>)> = ran.collect::<Result<_, _>>()?;
        let (outcomes, mut refused): (Vec<_>, Vec<_>) = ran.into_iter().unzip();
        Ok((outcomes, refused.iter_mut().find_map(Option::take)))
    })
}

/// One thread, until it is done; and why it has no priority, if it should have one.
fn cycle(
    plan: &Plan,
    index: usize,
    start_ns: u64,
    shared: &Shared,
) -> Result<(Outcome, Option<Unable>), Unable> {
    let own = &plan.threads[index];
    let pinned = own.cpu.map(|cpu| Pinned::to(Some(cpu))).transpose();
    let _pinned = pinned.inspect_err(|_| shared.stop.store(true, Ordering::Relaxed))?;
    exact_timers();
    let (fifo, refused) = match own.priority.map(Fifo::at).transpose() {
        Ok(fifo) => (fifo, None),
        Err(why) => (None, Some(why)),
    };
    let interval_ns = own.interval_us * 1_000;
    let limit_ns = plan.break_us.map_or(u64::MAX, |us| us * 1_000);
    let histogram_ns = plan.histogram_us.map_or(u64::MAX, |us| us as u64 * 1_000);
    let mut tally = Tally::default();
    let mut overflows = Vec::new();
    let id = gettid().as_raw_nonzero().get();
    // Getting ready late is no latency.
    let mut due_ns = start_ns.max(now_ns()) + interval_ns;
    while !shared.stop.load(Ordering::Relaxed) && plan.loops != Some(tally.count()) {
        sleep_until(due_ns);
        let ran_ns = now_ns();
        let latency_ns = ran_ns - due_ns;
        if latency_ns > limit_ns {
            shared.break_at(index, Late { id, cpu: sched_getcpu(), due_ns, ran_ns });
        }
        if latency_ns >= histogram_ns && plan.histogram_us > Some(overflows.len()) {
            overflows.push(tally.count());
        }
        tally.record(latency_ns);
        // Times that have passed are left out.
        due_ns += ((ran_ns - due_ns) / interval_ns + 1) * interval_ns;
    }
    let priority = own.priority.filter(|_| fifo.is_some()).unwrap_or(0);
    let cpu = sched_getcpu();
    Ok((Outcome { id, cpu, priority, interval_us: own.interval_us, tally, overflows }, refused))
}
