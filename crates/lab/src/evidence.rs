//! The evidence of a run: records and a schedule.

use crate::emulator::{Heard, tail};
use crate::failure::Failure;
use crate::kernel::Line;
use std::time::Duration;
use vorrang_guest::{Job, Record};
use vorrang_observe::Schedule;

/// The evidence of a run.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The records of the guest, in its order.
    pub records: Vec<Record>,
    /// The schedule, if the plan traced.
    pub schedule: Schedule,
    /// The console of the kernel.
    pub console: String,
    /// The time of the run on the host.
    pub took: Duration,
    /// The time of the host's processors that it took.
    pub worked: Duration,
}

impl Evidence {
    /// Reads the output of the serial ports.
    ///
    /// # Errors
    /// The guest did not end, or its output cannot be read.
    pub fn of(heard: Heard) -> Result<Self, Failure> {
        let read = |line: &str| {
            serde_json::from_str::<Record>(line)
                .map_err(|why| Failure(format!("the guest said what is no record: {why}: {line}")))
        };
        let records = heard.records.lines().map(read).collect::<Result<Vec<_>, _>>()?;
        if records.last() != Some(&Record::End) {
            return Err(Failure(format!(
                "the guest did not come to its end: {} records; its console:\n{}\nits emulator:\n{}",
                records.len(),
                tail(&heard.console),
                tail(&heard.errors)
            )));
        }
        let schedule = heard.trace.parse().map_err(|why| Failure(format!("the trace: {why}")))?;
        let Heard { console, took, worked, .. } = heard;
        Ok(Self { records, schedule, console, took, worked })
    }

    /// The line of the kernel that booted.
    pub fn line(&self) -> Option<&'static str> {
        let release = self.records.iter().find_map(|record| match record {
            Record::Started { kernel, .. } => Some(kernel.as_str()),
            _ => None,
        })?;
        Line::of_release(release).map(|line| line.name)
    }

    /// The jobs of a task, and the time that it was charged for them; none if it was refused.
    pub fn jobs(&self, name: &str) -> (&[Job], u64) {
        let of_task =
            |record: &'_ Record| matches!(record, Record::Jobs { task, .. } if task == name);
        match self.records.iter().find(|record| of_task(record)) {
            Some(Record::Jobs { jobs, charged, .. }) => (jobs, *charged),
            _ => (&[], 0),
        }
    }

    /// The content of a file, each time that it was read.
    pub fn texts<'a>(&'a self, file: &'a str) -> impl Iterator<Item = &'a str> {
        self.records.iter().filter_map(move |record| match record {
            Record::Text { path, text } if path == file => Some(text.as_str()),
            _ => None,
        })
    }

    /// The errors of the guest.
    pub fn refusals(&self) -> Vec<String> {
        let refusal = |record: &Record| match record {
            Record::Refused { what, why, .. } => Some(format!("{what}: {why}")),
            Record::ModuleRefused { module, why } => Some(format!("load {module}: {why}")),
            _ => None,
        };
        self.records.iter().filter_map(refusal).collect()
    }
}
