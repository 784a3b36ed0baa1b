//! Throttling of real-time threads on the machine, compared with the description.
//!
//! **Model.** Before 6.12 Linux stops real-time threads after `sched_rt_runtime_us` of `sched_rt_period_us`; -1 is
//! never. Later kernels have these files, too, and throttle only if they are built with `RT_GROUP_SCHED`.

use super::planner::Planner;
use vorrang_model::system::{Release, RtLimit, RtThrottling};
use vorrang_time::Duration;

const RELEASE: &str = "/proc/sys/kernel/osrelease";
const RUNTIME: &str = "/proc/sys/kernel/sched_rt_runtime_us";
const PERIOD: &str = "/proc/sys/kernel/sched_rt_period_us";

impl Planner<'_> {
    /// Reports where the machine throttles in another way than a core says. Returns whether it throttles, or could, and
    /// the description states how.
    pub(super) fn throttling(&mut self, core: &str, stated: RtThrottling) -> bool {
        let read = |path: &str| self.kernel.read(path).ok().map(|text| text.trim().to_owned());
        let release = read(RELEASE).as_deref().and_then(Release::of);
        let may = release.is_some_and(|of| of.kept().throttling != RtThrottling::Never);
        let (Some(runtime), Some(period)) = (read(RUNTIME), read(PERIOD)) else { return false };
        if !may || stated == RtThrottling::NotStated {
            return false;
        }
        let is_as_stated = match stated {
            RtThrottling::After(RtLimit { budget, period: every, .. }) => {
                microseconds(&runtime) == Some(budget) && microseconds(&period) == Some(every)
            }
            _ => runtime == "-1" || runtime == period,
        };
        if !is_as_stated {
            self.problems.push(format!(
                "{core}: this kernel throttles real-time threads after {runtime} us of {period} us (-1 us is never), and \
                 the description says otherwise; state `rt-throttling`, or write the microseconds into {RUNTIME} and \
                 {PERIOD}"
            ));
        }
        true
    }
}

fn microseconds(text: &str) -> Option<Duration> {
    text.parse::<u64>().ok()?.checked_mul(1000).map(Duration::from_ns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Kernel, Known};

    fn machine(release: &'static str, runtime: &'static str) -> impl Kernel {
        Known(move |path: &str| match path {
            RELEASE => Some(release.to_owned()),
            RUNTIME => Some(format!("{runtime}\n")),
            PERIOD => Some("1000000\n".to_owned()),
            _ => None,
        })
    }

    /// Whether it is explained, and the errors.
    fn planned(kernel: &dyn Kernel, stated: RtThrottling) -> (bool, usize) {
        let mut planner = Planner::of(kernel);
        let explained = planner.throttling("core.0", stated);
        (explained, planner.problems.len())
    }

    #[test]
    fn a_machine_throttles_as_stated_or_is_said_to_differ() {
        let (linux, never) = (RtThrottling::After(RtLimit::OF_LINUX), RtThrottling::Never);
        let old = machine("6.1.0-13-rt-amd64", "950000");
        let off = machine("6.1.0-13-rt-amd64", "-1");
        let new = machine("6.12.95+deb12-rt-amd64", "950000");
        assert_eq!(planned(&old, linux), (true, 0));
        assert_eq!(planned(&old, never), (true, 1));
        assert_eq!(planned(&old, RtThrottling::NotStated), (false, 0));
        assert_eq!(planned(&off, never), (true, 0));
        assert_eq!(planned(&off, linux), (true, 1));
        assert_eq!(planned(&new, never), (false, 0));
        assert_eq!(planned(&new, linux), (false, 0));
    }
}
