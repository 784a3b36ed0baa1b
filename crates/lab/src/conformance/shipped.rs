//! The assumptions of the cases about a kernel: the numbers of the profile that is shipped for it.
//!
//! **Model.** The profile has the average of each cost in several boots, and the worst stretch of all
//! (`[measured.conformance]`). The simulator takes the middle of the averages, the analysis the worst. Each boot
//! is [calibrated](super::calibration) as well and compared with it: a cost above the largest average, or
//! above the worst, by more than images differ fails a check.
//!
//! **Assumption.** The lab counts instructions, so that a kernel takes the same in every boot of an image, but for some
//! nanoseconds. Where code and data of another image lie in memory moves these numbers by a few percent ([`IMAGES`]).

use super::machine::{Costs, Measured};
use crate::check::Check;
use crate::evidence::Evidence;
use vorrang_measure::profile::{Number, Profile};

/// The shipped profiles, by the lines of kernels.
const SHIPPED: [(&str, &str); 2] = [
    ("6.12-rt", include_str!("../../../model/src/profile/kernels/6.12-rt.toml")),
    ("7.2-rt", include_str!("../../../model/src/profile/kernels/7.2-rt.toml")),
];

/// The allowed excess of a new image over all images so far, in thousandths: averages of the same cost are up
/// to 80 apart.
const IMAGES: u64 = 50;

/// Where the numbers stand.
const SECTION: &str = "conformance";

/// A burst of the console's interrupt, which is no cost but work.
const BURST: &str = "burst";

/// The numbers of a kernel.
#[derive(Clone, Debug)]
pub struct Shipped {
    /// The line of kernels.
    pub line: &'static str,
    numbers: Vec<(String, Number)>,
}

impl Shipped {
    /// Of the kernel that booted.
    ///
    /// # Panics
    /// The profile that is part of this program cannot be read.
    pub fn of(evidence: &Evidence) -> Option<Self> {
        let booted = evidence.line()?;
        SHIPPED.iter().find(|(line, _)| *line == booted).map(|(line, text)| Self::read(line, text))
    }

    fn read(line: &'static str, text: &str) -> Self {
        let profile: Profile = text.parse().expect("a shipped profile can be read");
        let section = profile.sections.into_iter().find(|section| section.verb == SECTION);
        Self { line, numbers: section.expect("it has what conformance takes for granted").numbers }
    }

    fn number(&self, name: &str) -> &Number {
        let found = self.numbers.iter().find(|(known, _)| known == name);
        &found.expect("a shipped profile has every cost").1
    }

    /// The costs that the cases state.
    pub fn costs(&self) -> Measured {
        Measured {
            average: costs(|name| ns(self.number(name).spread.median)),
            longest: costs(|name| ns(self.number(name).spread.max)),
        }
    }

    /// The time of a burst.
    pub fn burst(&self) -> u64 {
        ns(self.number(BURST).spread.median)
    }

    /// The comparison of a boot with this.
    pub fn holds(&self, boot: &Measured) -> Vec<Check> {
        let each = named(&boot.average).into_iter().zip(named(&boot.longest));
        each.map(|((name, average), (_, longest))| self.check(name, average, longest)).collect()
    }

    /// The comparison of a burst of a boot with this.
    pub fn holds_burst(&self, most: u64) -> Check {
        self.check(BURST, most, most)
    }

    fn check(&self, name: &str, average: u64, longest: u64) -> Check {
        let spread = self.number(name).spread;
        let (most, worst) = (ns(spread.high), ns(spread.max));
        let fits = |seen: u64, shipped: u64| seen * 1000 <= shipped * (1000 + IMAGES);
        Check::new(
            format!("{name}: its cost is that of the profile of {}, or little more", self.line),
            format!(
                "{average} ns on average, {longest} in the worst stretch; {most} and {worst} there"
            ),
            fits(average, most) && fits(longest, worst),
        )
    }
}

/// The costs with their names in a profile.
fn named(of: &Costs) -> [(&'static str, u64); 6] {
    let Costs { tick, timer, wake, switch, job, soft } = *of;
    [
        ("tick", tick),
        ("timer", timer),
        ("wake", wake),
        ("switch", switch),
        ("job", job),
        ("ktimers", soft),
    ]
}

fn costs(of: impl Fn(&str) -> u64) -> Costs {
    let [tick, timer, wake, switch, job, soft] = named(&Costs::NONE).map(|(name, _)| of(name));
    Costs { tick, timer, wake, switch, job, soft }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole nanoseconds of a profile"
)]
fn ns(number: f64) -> u64 {
    number.round() as u64
}

/// Every shipped profile, for tests.
#[cfg(test)]
pub(super) fn all() -> Vec<Shipped> {
    SHIPPED.iter().map(|(line, text)| Shipped::read(line, text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vorrang_model::{Format, read};

    #[test]
    fn a_boot_like_the_profile_holds_and_one_that_takes_more_does_not() {
        for shipped in all() {
            let costs = shipped.costs();
            assert!(shipped.holds(&costs).iter().all(|check| check.holds));
            let more = |what: &str| {
                super::costs(|name| {
                    let worst = shipped.number(name).spread.max;
                    ns(worst) * (1000 + IMAGES * u64::from(name == what)) / 1000
                        + u64::from(name == what)
                })
            };
            for (name, _) in named(&Costs::NONE) {
                let boot = Measured { longest: more(name), ..costs };
                let failed: Vec<Check> =
                    shipped.holds(&boot).into_iter().filter(|check| !check.holds).collect();
                assert!(failed.len() == 1 && failed[0].what.starts_with(name), "{failed:?}");
            }
            assert!(!shipped.holds_burst(shipped.burst() * 2).holds);
        }
    }

    /// The costs of ticks and of `ktimers` are the same in descriptions.
    #[test]
    fn what_cores_take_from_the_profile_is_no_less() {
        for shipped in all() {
            let text = format!(
                "version = 1\n[core.0]\nscheduler = \"linux\"\nkernel = \"{}\"\n",
                shipped.line
            );
            let system = read(text, Format::Toml).expect("a description");
            let longest = shipped.costs().longest;
            assert!(system.interrupts[0].isr.as_ns() >= longest.tick);
            assert!(system.tasks[0].wcet.as_ns() >= longest.soft);
            assert!(system.costs.scheduler_call.as_ns() >= longest.wake + longest.switch);
        }
    }
}
