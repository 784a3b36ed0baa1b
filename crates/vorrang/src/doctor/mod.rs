//! `vorrang doctor`: why a kernel refuses or delays real-time threads.

mod report;

pub(crate) use report::FORMAT;
use report::Report;
use std::path::PathBuf;
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::input::Source;
use vorrang_doctor::{Asked, Finding, State, Subject, examine, of_description};
use vorrang_enforce::{Folder, Kernel, Linux, Told};
use vorrang_quote::name::shown;
use vorrang_quote::visible;
use vorrang_time::Duration;

/// Say why the kernel refuses real-time threads, or delays them
///
///     $ vorrang doctor --root machines/edge
///     machines/edge, Linux 6.12.95-rt-amd64: nothing stops it, 5 causes cost time, 1 cannot be seen,
///     20 are absent.
///
///     costs irqbalance
///     ...
///
/// Answers EPERM, EINVAL and EBUSY. Each cause comes with the file that says so, its value, and what
/// helps. Without an argument it is about this machine, as `vorrang apply` would use it; with a
/// description, about what that one needs; with the number of a thread, about a policy for that thread,
/// asked for by itself. Nothing is changed and nothing is tried.
///
/// A folder with the files of a machine (an image, an unpacked sosreport) is looked at by --root.
///
/// Exit codes: 0 nothing stops it, 2 the input is wrong, 4 something stops it.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Doctor {
    /// A description, or the number of a thread [default: this machine]
    #[arg(value_name = "FILE|PID")]
    about: Option<String>,
    /// The policy that the thread asks for: fifo:80, deadline:4ms/10ms (budget, period), or
    /// deadline:4ms/8ms/10ms (budget, deadline, period)
    #[arg(long, value_name = "POLICY", value_parser = Asked::read)]
    policy: Option<Asked>,
    /// The folder with the files of the machine
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Run the kernel's tracer of hardware latencies for this long; it takes processor time
    #[arg(long, value_name = "TIME", conflicts_with = "root")]
    hwlat: Option<Duration>,
    /// Show absent causes too
    #[arg(long)]
    all: bool,
    /// Print the result as JSON, format "vorrang-doctor/1"; for `vorrang apply --for-machine`, with what
    /// a plan reads of the machine
    #[arg(long)]
    json: bool,
}

impl Doctor {
    /// # Errors
    /// The description is wrong, or there is no such thread or folder.
    pub fn run(&self) -> Result<Output, Failure> {
        let linux: Box<dyn Kernel> = match &self.root {
            Some(root) if !root.is_dir() => {
                let why = format!("error: {}: there is no such folder\n", shown(root));
                return Err(Failure::bad_input(why));
            }
            Some(root) => Box::new(Folder(root.clone())),
            None => Box::new(Linux),
        };
        let (subject, findings) = self.findings(&*linux)?;
        let release = linux.read("/proc/sys/kernel/osrelease").unwrap_or_default();
        let stops = findings.iter().any(|finding| finding.state == State::Stops);
        // A thread is part of a machine that is told otherwise.
        let machine = (self.json && self.number().is_none()).then(|| Told::of(&*linux));
        let report = Report { subject, release: release.trim().to_owned(), findings, machine };
        let text = if self.json { report.document() } else { report.text(self.all) };
        Ok(Output { text, exit: if stops { Exit::Host } else { Exit::Success } })
    }

    fn number(&self) -> Option<i32> {
        self.about.as_ref().and_then(|about| about.parse().ok())
    }

    /// What it is about, and what was found.
    fn findings(&self, kernel: &dyn Kernel) -> Result<(String, Vec<Finding>), Failure> {
        let number = self.number();
        if self.policy.is_some() && number.is_none() {
            return Err(Failure::bad_input(
                "error: --policy is of a thread: its number is missing\n",
            ));
        }
        let hwlat = self.hwlat.map(gaps).transpose()?;
        Ok(match (&self.about, number) {
            (_, Some(number)) => {
                let folder = format!("/proc/{number}");
                let comm = kernel.read(&format!("{folder}/comm"));
                let name = comm.or_else(|_| kernel.read(&format!("{folder}/task/{number}/comm")));
                let name = name.map_err(|why| {
                    Failure::bad_input(format!(
                        "error: {number}: there is no such thread ({why})\n"
                    ))
                })?;
                let subject = Subject { hwlat, ..Subject::thread(number, self.policy) };
                (format!("Thread {number} ({})", visible(name.trim())), examine(kernel, &subject))
            }
            (Some(file), None) => {
                let source =
                    Source { file: file.into(), format: None, allow: Vec::new(), text: None };
                let input = source.read()?;
                (input.name.clone(), of_description(kernel, &input.system, hwlat))
            }
            (None, None) => {
                let subject = Subject { hwlat, ..Subject::machine() };
                let root = self.root.as_ref().map(shown);
                let name = root.unwrap_or_else(|| "This machine".to_owned());
                (name, examine(kernel, &subject))
            }
        })
    }
}

/// What the tracer saw.
#[cfg(target_os = "linux")]
fn gaps(time: Duration) -> Result<String, Failure> {
    let time = std::time::Duration::from_nanos(time.as_ns());
    vorrang_measure::machine::hwlat::trace(time)
        .map_err(|why| Failure::host(format!("error: --hwlat: {why}\n")))
}

#[cfg(not(target_os = "linux"))]
fn gaps(_: Duration) -> Result<String, Failure> {
    Err(Failure::host("error: --hwlat: that is a tracer of Linux\n"))
}
