//! The tracer at work.

use super::{Split, TRACER, cause, count};
use crate::latency::Broken;
use crate::machine::Unable;
use crate::machine::tracefs::{Instance, Tracefs};
use std::collections::{BTreeMap, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::time::{Duration, Instant};

/// How often the trace is read.
const PAUSE: Duration = Duration::from_millis(50);

/// The stored lines for the trace of a break: the last milliseconds.
const KEPT: usize = 4_000;

/// The plan of a measurement.
#[derive(Clone, Debug)]
pub struct Plan {
    /// On these processors.
    pub cpus: Vec<usize>,
    /// The interval of each thread.
    pub interval_us: u64,
    /// The duration; unlimited if `None`.
    pub time: Option<Duration>,
    /// The threshold.
    pub break_us: Option<u64>,
}

/// The result of the tracer.
#[derive(Clone, Debug)]
pub struct Measured {
    /// By processor.
    pub cpus: BTreeMap<usize, Split>,
    /// The latency that ended the measurement, if any.
    pub broken: Option<Broken>,
}

/// Measures until the time is over, a latency is too long, or `go_on`, which receives the finished part,
/// returns false.
///
/// # Errors
/// The kernel has no such tracer, or not for this user.
pub fn measure(plan: &Plan, mut go_on: impl FnMut(f64) -> bool) -> Result<Measured, Unable> {
    let tracefs = Tracefs::find()?;
    if !tracefs.has_tracer(TRACER) {
        let why = "this kernel was built without the timerlat tracer (CONFIG_TIMERLAT_TRACER)";
        return Err(Unable(why.to_owned()));
    }
    let cpus: Vec<String> = plan.cpus.iter().map(usize::to_string).collect();
    let threshold = plan.break_us.unwrap_or(0).to_string();
    // Dropped in the order of declaration: the instance first, its parameters after it.
    let instance = tracefs.instance()?;
    let _parameters = [
        tracefs.set("osnoise/cpus", &cpus.join(","))?,
        tracefs.set("osnoise/timerlat_period_us", &plan.interval_us.to_string())?,
        tracefs.set("osnoise/stop_tracing_us", &threshold)?,
        tracefs.set("osnoise/stop_tracing_total_us", &threshold)?,
    ];
    if plan.break_us.is_some() {
        instance.enable(&["osnoise"]);
    }
    instance.write("current_tracer", TRACER)?;
    instance.write("tracing_on", "1")?;
    let mut lines = Lines::of(&instance)?;
    let mut cpus = BTreeMap::new();
    let since = Instant::now();
    let mut stopped = false;
    loop {
        std::thread::sleep(PAUSE);
        // Before the last read, so that nothing is missed.
        stopped |= std::fs::read_to_string(instance.path("tracing_on"))
            .is_ok_and(|text| text.trim() == "0");
        lines.read(|line| count(line, &mut cpus))?;
        let part = plan
            .time
            .map_or(0.0, |time| (since.elapsed().as_secs_f64() / time.as_secs_f64()).min(1.0));
        if stopped || part >= 1.0 || !go_on(part) {
            break;
        }
    }
    drop(lines.file);
    let trace: String = lines.kept.into_iter().flat_map(|line| [line, "\n".to_owned()]).collect();
    let broken = plan.break_us.filter(|_| stopped).map(|us| broken(trace, us * 1_000));
    drop(instance);
    Ok(Measured { cpus, broken })
}

fn broken(trace: String, threshold_ns: u64) -> Broken {
    let (cpu, latency_ns, parts) = cause(&trace, threshold_ns).unwrap_or_default();
    Broken { thread: None, cpu, latency_ns, parts, trace: Ok(trace) }
}

/// The lines of a trace as they come, of which the last ones are kept.
struct Lines {
    file: File,
    begun: String,
    kept: VecDeque<String>,
}

impl Lines {
    fn of(instance: &Instance) -> Result<Self, Unable> {
        let path = instance.path("trace_pipe");
        let opened = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(&path);
        let file = opened.map_err(|why| Unable(format!("{}: {why}", path.display())))?;
        Ok(Self { file, begun: String::new(), kept: VecDeque::new() })
    }

    /// All lines so far.
    fn read(&mut self, mut each: impl FnMut(&str)) -> Result<(), Unable> {
        let mut bytes = vec![0; 1 << 16];
        loop {
            match self.file.read(&mut bytes) {
                Ok(0) => return Ok(()),
                Ok(length) => self.begun += &String::from_utf8_lossy(&bytes[..length]),
                Err(why) if why.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(why) if why.kind() == ErrorKind::Interrupted => {}
                Err(why) => return Err(Unable(format!("the trace cannot be read: {why}"))),
            }
            while let Some((line, rest)) = self.begun.split_once('\n') {
                each(line);
                self.kept.push_back(line.to_owned());
                self.begun = rest.to_owned();
            }
            let surplus = self.kept.len().saturating_sub(KEPT);
            self.kept.drain(..surplus);
        }
    }
}
