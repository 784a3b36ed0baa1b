//! Releases of Linux, and what differs between them in what is kept for other threads.
//!
//! **Model.** A table by the first release that a row holds for (read in `kernel/sched/` of 5.10, 6.1, 6.6, 6.12
//! and 7.0). Where a description names a release, what it does not state itself follows from its row.
//!
//! **Does not cover** distributions that have carried a change to an earlier release.

use super::{FairServer, RtLimit, RtThrottling};

/// A release of Linux: `6.12` is before `7.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release {
    /// The first number.
    pub major: u32,
    /// The second one.
    pub minor: u32,
}

/// What a release keeps from real-time threads where nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The first release that this holds for.
    pub from: Release,
    /// The server of `SCHED_OTHER`.
    pub fair_server: Option<FairServer>,
    /// Throttling of the real-time classes.
    pub throttling: RtThrottling,
    /// Whether threads of a loaded scheduler of `sched_ext` have a server.
    pub has_ext_server: bool,
}

/// All that differs, by the first release.
pub const KEPT: &[Kept] = &[
    // A processor may borrow the time of others (RT_RUNTIME_SHARE), so how much it has is unknown.
    Kept {
        from: Release { major: 0, minor: 0 },
        fair_server: None,
        throttling: RtThrottling::NotStated,
        has_ext_server: false,
    },
    Kept {
        from: Release { major: 5, minor: 10 },
        fair_server: None,
        throttling: RtThrottling::After(RtLimit::OF_LINUX),
        has_ext_server: false,
    },
    Kept {
        from: Release { major: 6, minor: 12 },
        fair_server: Some(FairServer::OF_LINUX),
        throttling: RtThrottling::Never,
        has_ext_server: false,
    },
    Kept {
        from: Release { major: 7, minor: 0 },
        fair_server: Some(FairServer::OF_LINUX),
        throttling: RtThrottling::Never,
        has_ext_server: true,
    },
];

impl Release {
    /// The release that a text begins with, as `6.12`, `6.12.` or `6.12.95+deb12-rt-amd64`.
    pub fn of(text: &str) -> Option<Self> {
        let mut numbers = text.trim().split('.');
        let major = numbers.next()?.parse().ok()?;
        let minor = numbers.next()?;
        let digits = minor.find(|other: char| !other.is_ascii_digit()).unwrap_or(minor.len());
        Some(Self { major, minor: minor[..digits].parse().ok()? })
    }

    /// What it keeps.
    pub fn kept(self) -> &'static Kept {
        let row = KEPT.iter().rev().find(|row| row.from <= self);
        row.expect("the first row holds for every release")
    }
}

impl core::fmt::Display for Release {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_read_from_what_uname_prints() {
        let of = |text| Release::of(text).map(|release| (release.major, release.minor));
        assert_eq!(of("6.12"), Some((6, 12)));
        assert_eq!(of("6.12."), Some((6, 12)));
        assert_eq!(of("6.12.95+deb12-rt-amd64"), Some((6, 12)));
        assert_eq!(of("7.0-rc3"), Some((7, 0)));
        for wrong in ["", "6", "6.", "rt.6", "six.one", "99999999999.1"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn each_release_keeps_what_its_row_says() {
        let kept = |text| *Release::of(text).expect("a release").kept();
        assert_eq!(kept("4.19").throttling, RtThrottling::NotStated);
        for old in ["5.10", "6.1", "6.6", "6.11"] {
            let Kept { fair_server, throttling, has_ext_server, .. } = kept(old);
            assert_eq!((fair_server, has_ext_server), (None, false), "{old}");
            assert_eq!(throttling, RtThrottling::After(RtLimit::OF_LINUX), "{old}");
        }
        for (new, has_ext_server) in
            [("6.12", false), ("6.18", false), ("7.0", true), ("7.2", true)]
        {
            let kept = kept(new);
            assert_eq!(kept.fair_server, Some(FairServer::OF_LINUX), "{new}");
            assert_eq!(
                (kept.throttling, kept.has_ext_server),
                (RtThrottling::Never, has_ext_server)
            );
        }
        assert!(KEPT.is_sorted_by_key(|row| row.from));
    }
}
