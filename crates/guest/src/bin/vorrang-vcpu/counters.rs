//! The counter of the guest beside the clock of the host: their rates differ by a millionth.

use crate::machine::counter;
use kvm_ioctls::VcpuFd;
use std::io;
use vorrang_guest::clock::now_monotonic as now;

/// Of so many readings of both counters the nearest ones count.
const READINGS: u32 = 5;

/// Both at the beginning.
#[derive(Clone, Copy)]
pub(crate) struct Counters {
    offset: i64,
    /// What they may differ by.
    pub(crate) uncertain: u64,
    from: u64,
    before: i64,
}

/// How far they have come apart since then.
pub(crate) struct Drift {
    begin: Counters,
    length: u64,
    apart: i64,
}

impl Counters {
    /// Before the guest has run.
    pub(crate) fn of(vcpu: &VcpuFd) -> io::Result<Self> {
        let (offset, uncertain) = offset(vcpu)?;
        Ok(Self { offset, uncertain, from: now(), before: drifted() })
    }

    /// Up to now.
    pub(crate) fn drift(self) -> Drift {
        Drift { begin: self, length: now() - self.from, apart: drifted() - self.before }
    }
}

impl Drift {
    /// Beginnings and ends by the counter of the guest, as instants of the monotonic clock.
    pub(crate) fn on_the_host(&self, stamps: &[(u64, u64)]) -> Vec<(u64, u64)> {
        stamps.iter().map(|&(begin, end)| (self.instant(begin), self.instant(end))).collect()
    }

    fn instant(&self, at: u64) -> u64 {
        let at = at.saturating_add_signed(self.begin.offset);
        let since = i128::from(at.saturating_sub(self.begin.from));
        let drift = i128::from(self.apart) * since / i128::from(self.length.max(1));
        at.saturating_add_signed(i64::try_from(drift).unwrap_or_default())
    }
}

/// From the counter of the guest to the monotonic clock, and how exact that is. A tick is a nanosecond in the lab.
fn offset(vcpu: &VcpuFd) -> io::Result<(i64, u64)> {
    let khz = vcpu.get_tsc_khz()?;
    // As the kernel measured it.
    if khz.abs_diff(1_000_000) > 1_000 {
        return Err(io::Error::other(format!("a tick of the counter is no nanosecond: {khz} kHz")));
    }
    let mut best = (0, u64::MAX);
    for _ in 0..READINGS {
        let before = now();
        let counted = counter(vcpu)?;
        let took = now() - before;
        if took < best.1 {
            let middle = (before + took / 2).cast_signed();
            best = (middle - counted.cast_signed(), took);
        }
    }
    Ok(best)
}

/// The monotonic clock, less the counter of the host's processor: their rates differ by a millionth, and the counter of the guest
/// is that of the host and a constant.
fn drifted() -> i64 {
    let read = || {
        let before = now();
        let counted = host_counter();
        let took = now() - before;
        (took, (before + took / 2).cast_signed() - counted.cast_signed())
    };
    (0..READINGS).map(|_| read()).min().unwrap_or_default().1
}

#[expect(unsafe_code, reason = "an instruction")]
fn host_counter() -> u64 {
    // SAFETY: every processor that runs this program has it, and it changes no memory.
    unsafe { std::arch::x86_64::_rdtsc() }
}
