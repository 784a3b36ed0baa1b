//! What Linux keeps from real-time threads: stated, or what follows from its release.

use super::checked::value;
use super::presence::KeyOf;
use super::server::check_budget;
use super::tree::rule;
use crate::description::{self, Description, Field, Supply};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::system::{FairServer, Release, RtLimit, RtThrottling, Scheduler, Unsupported};
use crate::word::{CORE_SCHEDULERS, Rule, text_of};
use vorrang_time::Duration;

/// The servers that a supply under Linux has besides those that are declared.
pub(super) struct Kept {
    pub(super) fair_server: Option<FairServer>,
    pub(super) ext_server: Option<FairServer>,
}

impl Kept {
    /// Those of a supply without errors.
    pub(super) fn of(supply: &Supply) -> Self {
        let by_release =
            || release(supply).map_or(Some(FairServer::OF_LINUX), |of| of.kept().fair_server);
        Self {
            fair_server: stated_or(&supply.fair_server, by_release),
            ext_server: stated_or(&supply.ext_server, || None),
        }
    }
}

/// Whether real-time threads of a supply without errors are throttled.
pub(super) fn rt_throttling(supply: &Supply, scheduler: Scheduler) -> RtThrottling {
    if scheduler != Scheduler::Linux || supply.server.is_some() {
        return RtThrottling::NotStated;
    }
    let Some(stated) = supply.rt_throttling.get() else {
        return release(supply).map_or(RtThrottling::NotStated, |of| of.kept().throttling);
    };
    let Some(own) = &stated.value else { return RtThrottling::Never };
    let late = own.late.get().map_or(Duration::ZERO, |at| at.value);
    let limit = RtLimit { budget: value(&own.budget), period: value(&own.period), late };
    // Linux does not throttle then.
    if limit.budget == limit.period { RtThrottling::Never } else { RtThrottling::After(limit) }
}

/// The server that is stated; where nothing is, another one.
fn stated_or(
    field: &Field<Option<description::FairServer>>,
    otherwise: impl FnOnce() -> Option<FairServer>,
) -> Option<FairServer> {
    let Some(stated) = field.get() else { return otherwise() };
    let server = |own: &description::FairServer| FairServer {
        budget: value(&own.budget),
        period: value(&own.period),
    };
    stated.value.as_ref().map(server)
}

/// The release of the kernel: what is stated, or what its profile says.
pub(super) fn release(supply: &Supply) -> Option<Release> {
    match supply.kernel_release.get() {
        Some(stated) => Release::of(&stated.value),
        None => Release::of(supply.profile.as_ref()?.release.as_ref()?),
    }
}

/// Reports servers and limits that are none, and those of supplies that are not under Linux.
pub(super) fn check(description: &Description, index: usize, errors: &mut Errors) {
    let supply = &description.supplies[index];
    let body = &supply.body;
    let Some(rule) = rule(description, index) else { return };
    if rule != Rule::Linux {
        let key = |key| KeyOf { name: &supply.name, span: &supply.span, key };
        let why = format!("only \"linux\" has it, not \"{}\"", text_of(CORE_SCHEDULERS, &rule));
        key("fair-server").pointless(&body.fair_server, &why, errors);
        key("ext-server").pointless(&body.ext_server, &why, errors);
        key("rt-throttling").pointless(&body.rt_throttling, &why, errors);
        key("kernel-release").pointless(&body.kernel_release, &why, errors);
        return;
    }
    for (key, field) in [("fair-server", &body.fair_server), ("ext-server", &body.ext_server)] {
        if let Some(own) = field.get().and_then(|at| at.value.as_ref()) {
            check_budget(&format!("{}.{key}", supply.name), &own.budget, &own.period, errors);
        }
    }
    if let Some(own) = body.rt_throttling.get().and_then(|at| at.value.as_ref()) {
        check_budget(&format!("{}.rt-throttling", supply.name), &own.budget, &own.period, errors);
    }
    if let Some(at) = body.kernel_release.get().filter(|at| Release::of(&at.value).is_none()) {
        let message = format!("{} is no release of Linux", excerpt(&at.value));
        errors.push(
            Diagnostic::new(Code::BadText, at.span.clone(), message)
                .label("two numbers are expected")
                .help("the beginning of what `uname -r` prints, such as \"6.6\""),
        );
    }
}

/// Warns of what the stated release does not have.
pub(super) fn lint(description: &Description, index: usize, warnings: &mut Errors) {
    let supply = &description.supplies[index];
    let body = &supply.body;
    let Some(release) = release(body) else { return };
    let kept = release.kept();
    let name = &supply.name;
    let mut warn = |key: &str, span: &crate::diagnostic::Span, label: &str| {
        let message = format!("Linux {release} has no `{key}` of {name} unless it was changed");
        warnings.push(
            Diagnostic::new(Code::NotOfRelease, span.clone(), message)
                .label(label)
                .help("leave it out, or state the `kernel-release` that it is"),
        );
    };
    let is_there = |field: &Field<Option<description::FairServer>>| {
        field.get().filter(|at| at.value.is_some()).map(|at| at.span.clone())
    };
    if let Some(span) = is_there(&body.fair_server).filter(|_| kept.fair_server.is_none()) {
        warn("fair-server", &span, "from 6.12 on; before, real-time threads are throttled");
    }
    if let Some(span) = is_there(&body.ext_server).filter(|_| !kept.has_ext_server) {
        warn("ext-server", &span, "from 7.0 on");
    }
    let limit = body.rt_throttling.get().filter(|at| at.value.is_some());
    if let Some(at) = limit.filter(|_| kept.throttling == RtThrottling::Never) {
        warn("rt-throttling", &at.span, "before 6.12; later where it is built with RT_GROUP_SCHED");
    }
}

/// Cores that stop real-time threads and have pseudo-VCPUs: Linux has none, so no rule says whether these are stopped.
pub(super) fn throttled_pseudo_vcpus(
    system: &crate::System,
) -> impl Iterator<Item = Unsupported> + '_ {
    let cores = system.cores().filter(|&core| system.is_throttled_beside_pseudo_vcpus(core));
    cores.map(|core| {
        let what = "`rt-throttling` beside a pseudo-VCPU".to_owned();
        Unsupported { what, core: Some(core) }
    })
}
