//! The files of a machine with nothing to say about: four processors, Linux 6.12, a thread 100 that asks.

/// Paths with their texts.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("/proc/sys/kernel/osrelease", "6.12.95\n"),
    ("/proc/sys/kernel/version", "#1 SMP PREEMPT_RT\n"),
    ("/proc/sys/kernel/sched_rt_runtime_us", "950000\n"),
    ("/proc/sys/kernel/sched_rt_period_us", "1000000\n"),
    ("/proc/sys/kernel/sched_deadline_period_min_us", "100\n"),
    ("/proc/sys/kernel/sched_deadline_period_max_us", "4194304\n"),
    ("/proc/sys/kernel/timer_migration", "0\n"),
    ("/proc/cmdline", "quiet\n"),
    ("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n"),
    ("/boot/config-6.12.95", "CONFIG_SMP=y\n# CONFIG_RT_GROUP_SCHED is not set\n"),
    ("/proc/self/mounts", MOUNTS),
    ("/proc/self/status", STATUS),
    ("/proc/self/limits", LIMITS),
    ("/proc/self/uid_map", FIRST),
    ("/proc/self/cgroup", "0::/user.slice\n"),
    ("/proc/self/stat", STAT),
    ("/proc/100/status", STATUS),
    ("/proc/100/limits", LIMITS),
    ("/proc/100/uid_map", FIRST),
    ("/proc/100/cgroup", "0::/user.slice\n"),
    ("/proc/100/stat", STAT),
    ("/proc/100/task/100/stat", STAT),
    ("/proc/100/task/100/comm", "control\n"),
    ("/proc/100/task/100/status", STATUS),
    ("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n"),
    ("/sys/fs/cgroup/cgroup.subtree_control", "cpu memory pids\n"),
    ("/sys/fs/cgroup/user.slice/cgroup.controllers", "cpu memory pids\n"),
    ("/sys/devices/system/cpu/online", "0-3\n"),
    ("/sys/devices/system/cpu/isolated", "\n"),
    ("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"),
    ("/sys/devices/system/cpu/cpu0/cpuidle/state0/latency", "0\n"),
    ("/sys/devices/system/cpu/cpu0/cpuidle/state1/latency", "2\n"),
    ("/sys/devices/system/cpu/cpu0/cpuidle/state1/disable", "0\n"),
    ("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0\n"),
    ("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"),
    ("/sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm\n"),
    ("/sys/kernel/sched_ext/state", "disabled\n"),
    ("/sys/kernel/debug/sched/features", "PLACE_LAG HRTICK_DL\n"),
    ("/sys/kernel/debug/sched/debug", DEBUG),
    ("/sys/kernel/tracing/current_tracer", "hwlat\n"),
    ("/sys/kernel/tracing/trace", "# tracer: hwlat\n#\n"),
];

pub(crate) const MOUNTS: &str =
    "proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nodev 0 0\n";
pub(crate) const STATUS: &str = "Name:\tcontrol\nCapEff:\t000001ffffffffff\nSeccomp:\t0\nSeccomp_filters:\t0\nCpus_allowed_list:\t0-3\n";
pub(crate) const LIMITS: &str = "Limit                     Soft Limit           Hard Limit           Units     \n\
Max realtime priority     0                    0                    \n\
Max realtime timeout      unlimited            unlimited            us        \n";
pub(crate) const FIRST: &str = "         0          0 4294967295\n";
/// On processor 2, `SCHED_OTHER`.
pub(crate) const STAT: &str = "100 (control) S 1 100 100 0 -1 4194304 0 0 0 0 1 2 0 0 20 0 1 0 5000 1 1 1 0 0 0 0 0 0 0 0 0 0 \
                               0 0 17 2 0 0 0 0 0\n";
pub(crate) const DEBUG: &str = "dl_rq[0]:\n  .dl_bw->bw                     : 996147\n  .dl_bw->total_bw               : 209712\n\n\
dl_rq[1]:\n  .dl_bw->bw                     : 996147\n  .dl_bw->total_bw               : 209712\n\n\
dl_rq[2]:\n  .dl_bw->bw                     : 996147\n  .dl_bw->total_bw               : 209712\n\n\
dl_rq[3]:\n  .dl_bw->bw                     : 996147\n  .dl_bw->total_bw               : 209712\n";
