//! QEMU: a machine that boots a kernel with an image, and the output of its serial ports.

use crate::failure::Failure;
use serde::Deserialize;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) const PROGRAM: &str = "qemu-system-x86_64";

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Time {
    /// One instruction is one nanosecond, whatever the host does: deterministic.
    #[default]
    Counted,
    /// The host's clock, with KVM where the host permits it: for fast or real runs.
    WallClock,
    /// The host's clock, emulated, with processors in parallel.
    Parallel,
}

/// The machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Machine {
    /// The number of processors.
    pub cpus: u32,
    /// Memory in MiB.
    pub memory: u32,
    /// The clock.
    pub time: Time,
    /// Under counted time, one instruction takes two to the power of this nanoseconds.
    pub slowness: u32,
    /// Under counted time, the longest turn of a processor in microseconds. Without it a turn ends when the processor
    /// is idle or a timer interrupts another one: beside one that is busy another may stand still for 0.2 s.
    pub turns: Option<u32>,
    /// What its processors have beside what QEMU emulates anyway, such as `+svm`.
    pub features: Vec<String>,
    /// More for the kernel's command line.
    pub command_line: String,
    /// More for QEMU: devices.
    pub devices: Vec<String>,
}

impl Default for Machine {
    /// One processor, no devices.
    fn default() -> Self {
        Self {
            cpus: 1,
            memory: 768,
            time: Time::default(),
            slowness: 0,
            turns: None,
            features: Vec::new(),
            command_line: String::new(),
            devices: Vec::new(),
        }
    }
}

/// The output of the serial ports.
#[derive(Clone, Debug)]
pub struct Heard {
    /// The console of the kernel.
    pub console: String,
    /// Lines of JSON.
    pub records: String,
    /// The text of the kernel's trace.
    pub trace: String,
    /// The errors of QEMU.
    pub errors: String,
    /// The time of the run on the host.
    pub took: Duration,
    /// The time of the host's processors that it took, which does not depend on what else they do.
    pub worked: Duration,
}

impl Machine {
    /// Boots, and waits for the machine to turn itself off. `folder` is for the files of this run.
    ///
    /// # Errors
    /// QEMU is missing or refuses, or the machine is still on after the limit.
    pub fn boot(
        &self,
        kernel: &Path,
        image: &[u8],
        folder: &Path,
        limit: Duration,
    ) -> Result<Heard, Failure> {
        let file = |name: &str| folder.join(name);
        fs::create_dir_all(folder).map_err(|why| Failure::at(folder, why))?;
        fs::write(file("image"), image).map_err(|why| Failure::at(folder, why))?;
        let begin = Instant::now();
        let mut emulator = self.command(kernel, folder).spawn().map_err(|why| {
            Failure(format!("{PROGRAM} cannot be started: {why} (Debian: qemu-system-x86)"))
        })?;
        let (status, worked) = wait(&mut emulator, limit)?;
        let took = begin.elapsed();
        let read = |name: &str| {
            fs::read(file(name)).map_or_else(
                |_| String::new(),
                |bytes| String::from_utf8_lossy(&bytes).into_owned(),
            )
        };
        let heard = Heard {
            console: read("console"),
            records: read("records"),
            trace: read("trace"),
            errors: read("errors"),
            took,
            worked,
        };
        match status {
            Some(status) if status.success() => Ok(heard),
            Some(status) => {
                Err(Failure(format!("{PROGRAM} ended with {status}: {}", heard.errors.trim())))
            }
            None => Err(Failure(format!(
                "the machine was still on after {} s; its console:\n{}",
                limit.as_secs(),
                tail(&heard.console)
            ))),
        }
    }

    fn command(&self, kernel: &Path, folder: &Path) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(["-nodefaults", "-no-reboot", "-display", "none", "-monitor", "none"]);
        let emulated = [&["max".to_owned()], &self.features[..]].concat().join(",");
        match self.time {
            Time::Counted => command.args([
                "-accel",
                "tcg,thread=single",
                "-icount",
                &format!("shift={},sleep=off", self.slowness),
                "-seed",
                "1",
                "-rtc",
                "base=2026-01-01,clock=vm",
                "-cpu",
                &emulated,
            ]),
            Time::Parallel => command.args(["-accel", "tcg,thread=multi", "-cpu", &emulated]),
            Time::WallClock if has_kvm() => command.args(["-accel", "kvm", "-cpu", "host"]),
            Time::WallClock => command.args(["-accel", "tcg", "-cpu", &emulated]),
        };
        command.args(["-smp", &self.cpus.to_string(), "-m", &self.memory.to_string()]);
        for port in ["console", "records", "trace"] {
            command.arg("-serial").arg(format!("file:{}", folder.join(port).display()));
        }
        command.arg("-kernel").arg(kernel).arg("-initrd").arg(folder.join("image"));
        // Without the self-tests of the kernel's cryptography, which compete with the first tasks. With the test of timers at
        // boot: without it (`no_timer_check`) 6.12 takes 0.13 us more for each timer that wakes a thread.
        command.arg("-append").arg(format!(
            "console=ttyS0 panic=-1 quiet nokaslr cryptomgr.notests {}",
            self.command_line
        ));
        command.args(&self.devices);
        if let Some(turns) = self.turns {
            command.args(turns_of(turns));
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let errors = fs::File::create(folder.join("errors"));
        command.stderr(errors.map_or_else(|_| Stdio::null(), Stdio::from));
        command
    }
}

/// A port of a network of its own, with a buffer that is emptied so often: a timer of the machine, and nothing else.
fn turns_of(microseconds: u32) -> [String; 4] {
    let [netdev, hub, object] =
        ["-netdev", "hubport,id=turns-port,hubid=99", "-object"].map(str::to_owned);
    [
        netdev,
        hub,
        object,
        format!("filter-buffer,id=turns,netdev=turns-port,interval={microseconds}"),
    ]
}

/// Whether KVM can be used: the file may be there without the right to open it.
pub fn has_kvm() -> bool {
    fs::File::options().read(true).write(true).open("/dev/kvm").is_ok()
}

/// Waits for the end, `None` if it had to be ended; and the processor time of the emulator until shortly before.
fn wait(emulator: &mut Child, limit: Duration) -> Result<(Option<ExitStatus>, Duration), Failure> {
    let lost = |why| Failure(format!("{PROGRAM} cannot be waited for: {why}"));
    let (begin, mut worked) = (Instant::now(), Duration::ZERO);
    loop {
        worked = processor_time(emulator.id()).unwrap_or(worked);
        if let Some(status) = emulator.try_wait().map_err(lost)? {
            return Ok((Some(status), worked));
        }
        if begin.elapsed() > limit {
            emulator.kill().and_then(|()| emulator.wait()).map_err(lost)?;
            return Ok((None, worked));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// The processor time of a process, of all its threads.
fn processor_time(process: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    spent(&text)
}

/// The same by the content of that file, whose ticks are hundredths of a second in every Linux.
fn spent(stat: &str) -> Option<Duration> {
    // After the name, which may have spaces: the times are fields 14 and 15.
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    let ticks: Vec<u64> = fields.map_while(|ticks| ticks.parse().ok()).collect();
    (ticks.len() == 2).then(|| Duration::from_millis(10 * ticks.iter().sum::<u64>()))
}

/// The end of a text.
pub(crate) fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_that_of_user_and_kernel() {
        let stat = "7 (a (b) c) R 1 7 7 0 -1 4194304 150 0 0 0 123 4 0 0 20 0 1 0 9 1 1\n";
        assert_eq!(spent(stat), Some(Duration::from_millis(1270)));
        assert_eq!(spent("7 (a) R 1"), None);
    }
}
