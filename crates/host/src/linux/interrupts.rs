//! Interrupts of guests, by the tracepoint at which KVM accepts them for a virtual processor.
//!
//! ```text
//! who raises one ──► kvm:kvm_apic_accept_irq ──► a record in the ring of its processor ──► the dispatcher wakes
//! ```
//!
//! No program of ours runs in the kernel: the records are those of `perf_event_open`, and end with this process.
//!
//! On real-time kernels the work of a wake-up (`irq_work`) waits for the next tick where a lazy one lies before it. A second
//! event of the same tracepoint, the *alarm*, sees one interrupt and is then disabled by an interrupt of the processor,
//! whose end starts all work that waits (`irq_work_run`, `perf_event_disable_inatomic`).
//!
//! **Assumptions.** 1. A thread of the virtual machine's own process raises them: its main loop, its I/O threads,
//! `vhost` (since 6.4). Those that a device of the host raises by itself (VFIO) are not seen. 2. That thread is on an unmanaged
//! processor, or has a higher priority than lent threads: otherwise the loan precedes what it still has to do.
//!
//! **Cost.** A record, an alarm, and a wake-up by `irq_work/N`, for each interrupt with such a vector, while it is heard, but for
//! those that threads of other described machines raise, which are known when the run begins; otherwise it is counted, and wakes nothing (`PERF_EVENT_IOC_PAUSE_OUTPUT`). Nothing is allocated when records
//! are read.

use super::awaited::Awaited;
use super::ring::{self, Ring};
use crate::machine::Heard;
use nix::poll::{PollFd, PollFlags};
use perf_event_open_sys::bindings;
use std::fs;
use std::io;
use vorrang_enforce::cpus_of;

const TRACEPOINT: &str = "/sys/kernel/tracing/events/kvm/kvm_apic_accept_irq";
const ONLINE: &str = "/sys/devices/system/cpu/online";
/// A ring for each interrupt and each processor that may raise it, so many at most.
pub(super) const MOST_RINGS: usize = 256;
/// Those of a machine.
#[derive(Debug)]
pub(super) struct Interrupts {
    awaited: Vec<Awaited>,
    place: Fields,
    rings: Vec<Ring>,
    /// The instant of the last one: rings are read one after the other.
    last: u64,
}

/// Where a record of the tracepoint has the number of the virtual processor, and the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fields {
    vcpu: usize,
    vector: usize,
}

impl Interrupts {
    /// Opens the tracepoint on every processor.
    ///
    /// # Errors
    /// The kernel has none, or refuses: as a sentence.
    pub(super) fn new(awaited: Vec<Awaited>) -> Result<Self, String> {
        let none =
            Self { awaited, place: Fields { vcpu: 0, vector: 0 }, rings: Vec::new(), last: 0 };
        if none.awaited.is_empty() {
            return Ok(none);
        }
        let read = |file| {
            fs::read_to_string(format!("{TRACEPOINT}/{file}")).map_err(|why| {
                format!("the tracepoint {TRACEPOINT}, by which interrupts of guests are seen (module kvm): {why}")
            })
        };
        let number = read("id")?.trim().parse().map_err(|_| "a tracepoint without a number")?;
        let format = read("format")?;
        let place = Fields::of(&format).ok_or("the fields of kvm_apic_accept_irq differ")?;
        let online = fs::read_to_string(ONLINE).map_err(|why| format!("{ONLINE}: {why}"))?;
        let count = none.awaited.len();
        let is_few = |cpus: &Vec<u32>| cpus.len() * count <= MOST_RINGS;
        let cpus = cpus_of(&online).filter(is_few).ok_or_else(|| {
            format!(
                "{count} interrupts of guests, raised on processors {}: on a core {MOST_RINGS} divided by the number of processors are seen",
                online.trim()
            )
        })?;
        let all = none.awaited.iter().enumerate();
        let all = all.flat_map(|one| cpus.iter().map(move |cpu| (one, *cpu)));
        let ring = |((of, awaited), cpu): ((usize, &Awaited), u32)| {
            Ring::open(number, cpu, of, &awaited.filter(&awaited.others(&none.awaited)))
        };
        let rings = all.map(ring).collect::<io::Result<_>>();
        let rings =
            rings.map_err(|why| format!("perf_event_open of kvm_apic_accept_irq: {why}"))?;
        Ok(Self { place, rings, ..none })
    }

    /// From now on these are told, and others only counted.
    pub(super) fn hear(&mut self, heard: Heard) {
        for ring in &mut self.rings {
            ring.hear(heard.contains(ring.of));
        }
    }

    /// Whether all of them are.
    pub(super) fn are_heard(&self) -> bool {
        self.rings.iter().all(|ring| ring.is_heard)
    }

    /// The files that can be read when there is one of those that are heard.
    pub(super) fn files(&self) -> impl Iterator<Item = PollFd<'_>> {
        let heard = self.rings.iter().filter(|ring| ring.is_heard);
        heard.map(|ring| PollFd::new(ring.file(), PollFlags::POLLIN))
    }

    /// Whether there is a record, of whatever is heard; where there is none, the next one rings the alarm.
    pub(super) fn is_written(&mut self) -> bool {
        self.rings.iter_mut().any(|ring| ring.is_heard && ring.is_written())
    }

    /// How many of one were only counted, since the last time; those that unknown machines, or new threads of
    /// others, raise for that number with its vectors are among them.
    pub(super) fn take_lost(&mut self, interrupt: usize) -> u64 {
        let of_it = self.rings.iter_mut().filter(|ring| ring.of == interrupt);
        of_it.map(|ring| std::mem::take(&mut ring.lost)).sum()
    }

    /// The next one: its place among those awaited, and when it was raised, by the monotonic clock.
    pub(super) fn next(&mut self) -> Option<(usize, u64)> {
        let Self { awaited, place, rings, last } = self;
        for ring in rings {
            let mut record = [0; ring::LONGEST];
            while let Some(length) = ring.take(&mut record) {
                let record = &record[..length];
                ring.lost += ring::lost(record);
                if let Some(seen) = Seen::of(record, *place)
                    && awaited[ring.of].is(seen.process, seen.vcpu, seen.vector)
                {
                    *last = seen.at.max(*last);
                    return Some((ring.of, *last));
                }
            }
        }
        None
    }
}

impl Fields {
    /// From the description that the kernel gives of a tracepoint.
    fn of(format: &str) -> Option<Self> {
        let offset = |field: &str| {
            let line = format.lines().find(|line| line.contains(&format!(" {field};")))?;
            let (_, rest) = line.split_once("offset:")?;
            rest.split_once(';')?.0.parse().ok()
        };
        Some(Self { vcpu: offset("apicid")?, vector: offset("vec")? })
    }
}

/// What a record says.
struct Seen {
    process: u32,
    at: u64,
    vcpu: u32,
    vector: u8,
}

impl Seen {
    /// Reads a record: header, process and thread, time, then the length of the tracepoint's own fields, and these.
    fn of(record: &[u64], place: Fields) -> Option<Self> {
        let [header, ids, at, rest @ ..] = record else { return None };
        let [kind, ..] = header.to_le_bytes();
        if u32::from(kind) != bindings::PERF_RECORD_SAMPLE {
            return None;
        }
        // The length takes four bytes.
        let byte = |offset: usize| {
            let offset = offset + 4;
            Some(rest.get(offset / 8)?.to_le_bytes()[offset % 8])
        };
        let mut vcpu = [0; 4];
        for (index, to) in vcpu.iter_mut().enumerate() {
            *to = byte(place.vcpu + index)?;
        }
        Some(Self {
            process: (ids & u64::from(u32::MAX)).try_into().ok()?,
            at: *at,
            vcpu: u32::from_le_bytes(vcpu),
            vector: byte(place.vector)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As 6.12 and 7.2 describe it.
    const FORMAT: &str = "name: kvm_apic_accept_irq\nID: 1\nformat:\n\
        \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
        \tfield:__u32 apicid;\toffset:8;\tsize:4;\tsigned:0;\n\
        \tfield:__u16 dm;\toffset:12;\tsize:2;\tsigned:0;\n\
        \tfield:__u16 tm;\toffset:14;\tsize:2;\tsigned:0;\n\
        \tfield:__u8 vec;\toffset:16;\tsize:1;\tsigned:0;\n";

    #[test]
    fn fields_are_found_by_their_names() {
        assert_eq!(Fields::of(FORMAT), Some(Fields { vcpu: 8, vector: 16 }));
        assert_eq!(Fields::of(&FORMAT.replace("vec", "vector")), None);
    }

    /// A sample of thread 5 of process 3 at 77 ns: virtual processor 1, vector 0x40.
    #[test]
    fn a_record_is_read() {
        let header = 9 | 48 << 48;
        let record = [header, 5 << 32 | 3, 77, 24, 1 << 32, 0x40 << 32];
        let seen = Seen::of(&record, Fields { vcpu: 8, vector: 16 }).expect("it is a sample");
        assert_eq!((seen.process, seen.at, seen.vcpu, seen.vector), (3, 77, 1, 0x40));
        let not_written = [2 | 24 << 48, 0, 7];
        assert!(Seen::of(&not_written, Fields { vcpu: 8, vector: 16 }).is_none());
        assert_eq!((ring::lost(&not_written), ring::lost(&record)), (7, 0));
    }
}
