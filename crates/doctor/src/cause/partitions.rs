//! Partitions of processors: the controller `cpuset` of control groups v2, which may be written.

use crate::finding::{Said, absent, stops, unknown};
use crate::look::Look;
use crate::subject::Subject;

pub(crate) fn controller(look: &Look, subject: &Subject) -> Option<Said> {
    if !subject.needs_partitions {
        return None;
    }
    let Some(controllers) = look.text("/sys/fs/cgroup/cgroup.controllers") else {
        let line = look.field("/proc/self/mounts", "cgroup2 ");
        let mounted = line.unwrap_or_else(|| "nowhere".to_owned());
        return Some(stops(
            format!(
                "ENOENT: there are no control groups v2 at /sys/fs/cgroup (mounted: {mounted})"
            ),
            "Boot with control groups v2 (systemd: systemd.unified_cgroup_hierarchy=1).",
        ));
    };
    Some(if controllers.split_whitespace().any(|name| name == "cpuset") {
        absent("control groups v2 have the controller cpuset")
    } else {
        stops(
            "ENOENT: the control groups at /sys/fs/cgroup lack the controller cpuset, so no processor becomes a partition",
            "Boot without cgroup_disable=cpuset, and without a hierarchy v1 that has cpuset (/proc/cgroups); in a \
             container, run outside.",
        )
    })
}

pub(crate) fn writable(look: &Look, subject: &Subject) -> Option<Said> {
    if !subject.needs_partitions {
        return None;
    }
    let Some(mounts) = look.quietly("/proc/self/mounts") else {
        return Some(unknown(
            "how /sys/fs/cgroup is mounted cannot be read",
            "Run on the machine itself.",
        ));
    };
    let at = |line: &&str| line.split(' ').nth(1) == Some("/sys/fs/cgroup");
    let line = mounts.lines().rfind(at)?;
    look.keep("/proc/self/mounts", line);
    let options = line.split(' ').nth(3).unwrap_or_default();
    Some(if options.split(',').any(|option| option == "ro") {
        stops(
            "EROFS: /sys/fs/cgroup is mounted read-only, as in a container",
            "Run outside the container, or mount it for writing.",
        )
    } else {
        absent("/sys/fs/cgroup is mounted for writing")
    })
}
