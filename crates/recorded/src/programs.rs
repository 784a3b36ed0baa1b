//! What programs of eBPF write while a kernel is traced, event by event.

use crate::layouts::Layouts;
use crate::record::Record;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind};
use vorrang_bpf::{Recorder, Unable};

/// Programs, and the layouts of what they write.
#[derive(Debug)]
pub(crate) struct Programs {
    recorder: Recorder,
    layouts: Layouts,
}

impl Programs {
    /// Programs for these events and systems, as far as the kernel has them.
    ///
    /// # Errors
    /// They cannot be put there.
    pub(crate) fn of(needed: &[&str], others: &[&str]) -> Result<Self, Unable> {
        let unreadable = |why: io::Error| Unable(format!("/proc/kallsyms: {why}"));
        let symbols = BufReader::new(File::open("/proc/kallsyms").map_err(unreadable)?);
        let mut layouts = Layouts::default();
        let waker = layouts.addresses(symbols).map_err(unreadable)?;
        let recorder = Recorder::of(needed, others, waker)?;
        layouts.formats(&recorder.formats()).map_err(|why| Unable(why.to_string()))?;
        Ok(Self { recorder, layouts })
    }

    pub(crate) fn turn(&mut self, is_on: bool) -> io::Result<()> {
        if is_on {
            return self.recorder.begin();
        }
        self.recorder.end();
        Ok(())
    }

    /// Hands on what is complete; at the end that is all.
    ///
    /// # Errors
    /// Events were lost, or one is not taken.
    pub(crate) fn records(
        &mut self,
        is_end: bool,
        mut take: impl FnMut(&Record<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let layouts = &self.layouts;
        self.recorder.records(is_end, |cpu, at, bytes| {
            let record = layouts.record(cpu, at, bytes);
            take(&record.map_err(|why| io::Error::new(ErrorKind::InvalidData, why))?)
        })
    }
}
