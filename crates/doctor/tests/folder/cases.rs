//! What is changed of a machine that is well, and what is found then.

use vorrang_doctor::State::{self, Absent, Costs, Stops, Unknown};

pub(crate) struct Case {
    pub(crate) cause: &'static str,
    pub(crate) state: State,
    /// What it says, in part.
    pub(crate) says: &'static str,
    /// `None`: the machine; a policy, or `any`: thread 100.
    pub(crate) of: Option<&'static str>,
    pub(crate) changes: &'static [(&'static str, &'static str)],
}

const fn of_machine(
    cause: &'static str,
    state: State,
    says: &'static str,
    changes: &'static [(&'static str, &'static str)],
) -> Case {
    Case { cause, state, says, of: None, changes }
}

const fn of_thread(
    cause: &'static str,
    state: State,
    says: &'static str,
    of: &'static str,
    changes: &'static [(&'static str, &'static str)],
) -> Case {
    Case { cause, state, says, of: Some(of), changes }
}

const RELEASE: &str = "/proc/sys/kernel/osrelease";
const CONFIG: &str = "/boot/config-6.12.95";
const GROUPS: &str = "CONFIG_RT_GROUP_SCHED=y\n";
const RT: &str = "/proc/sys/kernel/sched_rt_runtime_us";
const STATUS: &str = "/proc/100/status";
/// All capabilities but `CAP_SYS_NICE`; no filter; processors 2 and 3.
const WITHOUT: &str = "CapEff:\t000001ffff7fffff\nSeccomp:\t0\nCpus_allowed_list:\t0-3\n";
const FILTERED: &str = "CapEff:\t000001ffffffffff\nSeccomp:\t2\nCpus_allowed_list:\t0-3\n";
const PINNED: &str = "CapEff:\t000001ffffffffff\nSeccomp:\t0\nCpus_allowed_list:\t2\n";
const ROOTLESS: &str = "         0       1000          1\n";
const CPU: &str = "/sys/devices/system/cpu/isolated";
const LIMITED: &str = "Max realtime priority     50                   50                   \n\
                       Max realtime timeout      200000               200000               us        \n";

/// A thread of a process 200, real-time where the last word but four is 1.
const FIFO: &str = "201 (CPU 0/KVM) S 1 200 200 0 -1 4194304 0 0 0 0 1 2 0 0 -3 0 1 0 5000 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 17 2 2 \
                    1 0 0 0\n";
const OTHER: &str = "200 (qemu) S 1 200 200 0 -1 4194304 0 0 0 0 1 2 0 0 20 0 1 0 5000 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 17 2 0 0 0 \
                     0 0\n";
/// A thread of the kernel that ran last on processor 2.
const PIT: &str = "300 (kvm-pit/200) S 2 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 5000 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 2 0 0 0 \
                   0 0\n";
/// One of the kernel that cannot be moved.
const FIXED: &str = "100 (ksoftirqd/2) S 2 0 0 0 -1 69238848 0 0 0 0 0 0 0 0 20 0 1 0 5000 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 2 0 0 0 \
                     0 0\n";
const ON_2: &str = "Cpus_allowed_list:\t2\n";
const ON_3: &str = "Cpus_allowed_list:\t3\n";
const FULL: &str = "dl_rq[0]:\n  .dl_bw->bw                     : 996147\n  .dl_bw->total_bw               : 3984588\n\n\
dl_rq[1]:\n  .dl_bw->bw                     : 996147\n  .dl_bw->total_bw               : 3984588\n\n\
dl_rq[2]:\n  .dl_bw->bw                     : 996147\n  .dl_bw->total_bw               : 3984588\n\n\
dl_rq[3]:\n  .dl_bw->bw                     : 996147\n  .dl_bw->total_bw               : 3984588\n";

pub(crate) const CASES: &[Case] = &[
    of_machine(
        "kernel-release",
        Stops,
        "Linux 6.1 has no remote partitions",
        &[(RELEASE, "6.1.0-13-amd64\n")],
    ),
    of_machine("kernel-release", Absent, "Linux 7.2", &[(RELEASE, "7.2.12-rt\n")]),
    of_machine("kernel-release", Unknown, "cannot be read", &[(RELEASE, "")]),
    of_machine(
        "cpuset-controller",
        Stops,
        "lack the controller cpuset",
        &[("/sys/fs/cgroup/cgroup.controllers", "cpu memory\n")],
    ),
    of_machine(
        "cpuset-controller",
        Stops,
        "no control groups v2",
        &[("/sys/fs/cgroup/cgroup.controllers", "")],
    ),
    of_machine(
        "read-only-groups",
        Stops,
        "EROFS",
        &[("/proc/self/mounts", "cgroup /sys/fs/cgroup cgroup2 ro,nosuid 0 0\n")],
    ),
    of_thread("seccomp", Unknown, "a filter of seccomp", "any", &[(STATUS, FILTERED)]),
    of_thread("period-limits", Stops, "EINVAL", "deadline:1000ns/1ms", &[]),
    of_thread("period-limits", Stops, "EINVAL", "deadline:20us/50us", &[]),
    of_thread(
        "period-limits",
        Absent,
        "20us",
        "deadline:20us/50us",
        &[("/proc/sys/kernel/sched_deadline_period_min_us", "20\n")],
    ),
    of_thread("period-limits", Stops, "EINVAL", "deadline:1s/5s", &[]),
    of_thread("period-limits", Stops, "EINVAL", "deadline:4ms/3ms/10ms", &[]),
    of_machine(
        "period-limits",
        Stops,
        "no period is admitted",
        &[("/proc/sys/kernel/sched_deadline_period_min_us", "5000000\n")],
    ),
    of_thread("user-namespace", Stops, "does not count", "any", &[("/proc/100/uid_map", ROOTLESS)]),
    of_thread("capability", Stops, "EPERM", "any", &[("/proc/100/uid_map", ROOTLESS)]),
    of_thread("capability", Stops, "EPERM", "any", &[(STATUS, WITHOUT)]),
    of_thread("capability", Costs, "RLIMIT_RTPRIO", "fifo:5", &[(STATUS, WITHOUT)]),
    of_machine("capability", Unknown, "cannot be read", &[("/proc/self/status", "")]),
    of_thread("priority-limit", Stops, "up to 0", "fifo:5", &[(STATUS, WITHOUT)]),
    of_thread(
        "priority-limit",
        Stops,
        "and 51 is needed",
        "fifo:51",
        &[(STATUS, WITHOUT), ("/proc/100/limits", LIMITED)],
    ),
    of_thread(
        "priority-limit",
        Absent,
        "up to 50",
        "fifo:50",
        &[(STATUS, WITHOUT), ("/proc/100/limits", LIMITED)],
    ),
    of_thread("time-limit", Costs, "after 200000 us", "any", &[("/proc/100/limits", LIMITED)]),
    of_thread("group-runtime", Stops, "the group /user.slice", "any", &[(CONFIG, GROUPS)]),
    of_thread(
        "group-runtime",
        Absent,
        "asks for no runtime",
        "deadline:1ms/10ms",
        &[(CONFIG, GROUPS)],
    ),
    of_thread(
        "group-runtime",
        Absent,
        "in no group",
        "any",
        &[(CONFIG, GROUPS), ("/sys/fs/cgroup/user.slice/cgroup.controllers", "memory\n")],
    ),
    of_thread(
        "group-runtime",
        Stops,
        "cpu.rt_runtime_us is 0",
        "fifo:5",
        &[
            (CONFIG, GROUPS),
            ("/proc/100/cgroup", "4:cpu,cpuacct:/user.slice\n0::/user.slice\n"),
            ("/sys/fs/cgroup/cpu,cpuacct/user.slice/cpu.rt_runtime_us", "0\n"),
        ],
    ),
    of_thread(
        "group-runtime",
        Absent,
        "has 800000 us",
        "fifo:5",
        &[
            (CONFIG, GROUPS),
            ("/proc/100/cgroup", "4:cpu:/user.slice\n"),
            ("/sys/fs/cgroup/cpu/user.slice/cpu.rt_runtime_us", "800000\n"),
        ],
    ),
    of_machine("group-runtime", Stops, "every group below the root", &[(CONFIG, GROUPS)]),
    of_machine(
        "group-runtime",
        Absent,
        "no controller",
        &[(CONFIG, GROUPS), ("/sys/fs/cgroup/cgroup.subtree_control", "memory\n")],
    ),
    of_machine("group-runtime", Absent, "is -1", &[(CONFIG, GROUPS), (RT, "-1\n")]),
    of_machine(
        "group-runtime",
        Absent,
        "no RT_GROUP_SCHED",
        &[(CONFIG, GROUPS), ("/proc/cmdline", "rt_group_sched=0\n")],
    ),
    of_machine(
        "group-runtime",
        Absent,
        "no RT_GROUP_SCHED",
        &[(CONFIG, "CONFIG_RT_GROUP_SCHED=y\nCONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED=y\n")],
    ),
    of_machine("group-runtime", Unknown, "cannot be seen", &[(CONFIG, "")]),
    of_thread(
        "root-domain",
        Stops,
        "may use processors 2, and its root domain is 0-3",
        "any",
        &[(STATUS, PINNED)],
    ),
    of_machine("root-domain", Costs, "EPERM", &[("/proc/self/status", PINNED)]),
    of_thread(
        "root-domain",
        Absent,
        "all of its root domain (2)",
        "any",
        &[(STATUS, PINNED), (CPU, "2\n")],
    ),
    of_thread(
        "root-domain",
        Stops,
        "its root domain is 2-3",
        "any",
        &[(STATUS, PINNED), (CPU, "2-3\n")],
    ),
    of_thread(
        "root-domain",
        Absent,
        "all of its root domain (2)",
        "any",
        &[
            (STATUS, PINNED),
            ("/sys/fs/cgroup/vorrang/cpuset.cpus.partition", "member\n"),
            ("/sys/fs/cgroup/vorrang/cpu2/cpuset.cpus.partition", "root\n"),
            ("/sys/fs/cgroup/vorrang/cpu2/cpuset.cpus.effective", "2\n"),
        ],
    ),
    of_thread(
        "root-domain",
        Stops,
        "its root domain is 0-3",
        "any",
        &[
            (STATUS, PINNED),
            (
                "/sys/fs/cgroup/own/cpuset.cpus.partition",
                "root invalid (Cpu list in cpuset.cpus not exclusive)\n",
            ),
            ("/sys/fs/cgroup/own/cpuset.cpus.effective", "2\n"),
        ],
    ),
    of_thread("fixed-affinity", Stops, "PF_NO_SETAFFINITY", "any", &[("/proc/100/stat", FIXED)]),
    of_machine("real-time-share", Stops, "sched_rt_runtime_us is 0", &[(RT, "0\n")]),
    of_machine("real-time-share", Absent, "is -1", &[(RT, "-1\n")]),
    of_machine("admission", Stops, "0.00 % is left", &[("/sys/kernel/debug/sched/debug", FULL)]),
    of_thread(
        "admission",
        Stops,
        "EBUSY",
        "deadline:1ms/10ms",
        &[("/sys/kernel/debug/sched/debug", FULL)],
    ),
    of_machine("admission", Unknown, "does not show it", &[("/sys/kernel/debug/sched/debug", "")]),
    of_machine(
        "sched-ext",
        Costs,
        "50 ms of every second",
        &[("/sys/kernel/sched_ext/state", "enabled\n")],
    ),
    of_machine("sched-ext", Absent, "has no sched_ext", &[("/sys/kernel/sched_ext/state", "")]),
    of_machine(
        "runtimes",
        Costs,
        "up to a tick late",
        &[("/sys/kernel/debug/sched/features", "NO_HRTICK_DL\n")],
    ),
    of_machine("runtimes", Unknown, "cannot be seen", &[("/sys/kernel/debug/sched/features", "")]),
    of_machine("throttling", Costs, "stop after 950000 us", &[(RELEASE, "6.6.1\n")]),
    of_machine("throttling", Absent, "not throttled", &[(RELEASE, "6.6.1\n"), (RT, "-1\n")]),
    of_machine(
        "irqbalance",
        Costs,
        "moves interrupts",
        &[("/proc/400/task/400/comm", "irqbalance\n"), ("/proc/400/task/400/stat", OTHER)],
    ),
    of_machine(
        "idle-states",
        Costs,
        "wakes 133 us late",
        &[("/sys/devices/system/cpu/cpu0/cpuidle/state3/latency", "133\n")],
    ),
    of_machine(
        "idle-states",
        Absent,
        "sleeps deeply",
        &[
            ("/sys/devices/system/cpu/cpu0/cpuidle/state3/latency", "133\n"),
            ("/sys/devices/system/cpu/cpu0/cpuidle/state3/disable", "1\n"),
        ],
    ),
    of_machine(
        "idle-states",
        Unknown,
        "no cpuidle",
        &[
            ("/sys/devices/system/cpu/cpu0/cpuidle/state0/latency", ""),
            ("/sys/devices/system/cpu/cpu0/cpuidle/state1/latency", ""),
        ],
    ),
    of_machine(
        "frequency",
        Costs,
        "processors 1 is schedutil",
        &[("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "schedutil\n")],
    ),
    of_machine(
        "frequency",
        Unknown,
        "no cpufreq",
        &[("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "")],
    ),
    of_machine(
        "hyper-threads",
        Costs,
        "processor 1 shares",
        &[("/sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1,3\n")],
    ),
    of_machine(
        "hyper-threads",
        Absent,
        "no processor has a sibling",
        &[("/sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1,5\n")],
    ),
    of_machine(
        "virtual-machine",
        Costs,
        "is virtual",
        &[("/proc/cpuinfo", "flags\t: tsc hypervisor\n")],
    ),
    of_machine(
        "clock-source",
        Costs,
        "the clock is hpet, a device",
        &[("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n")],
    ),
    of_machine(
        "clock-source",
        Costs,
        "the clock is kvm-clock",
        &[("/sys/devices/system/clocksource/clocksource0/current_clocksource", "kvm-clock\n")],
    ),
    of_machine(
        "clock-source",
        Absent,
        "arch_sys_counter",
        &[(
            "/sys/devices/system/clocksource/clocksource0/current_clocksource",
            "arch_sys_counter\n",
        )],
    ),
    of_machine(
        "timer-migration",
        Costs,
        "go to a busy one",
        &[("/proc/sys/kernel/timer_migration", "1\n")],
    ),
    of_machine(
        "firmware",
        Costs,
        "2 times with interrupts off, for 42 us",
        &[(
            "/sys/kernel/tracing/trace",
            "# tracer: hwlat\n <...>-1 [000] d... 8.1: #1 inner/outer(us):   12/42   ts:1.2 count:1\n \
        <...>-1 [000] d... 9.1: #2 inner/outer(us):   14/9    ts:2.2 count:1\n",
        )],
    ),
    of_machine(
        "firmware",
        Unknown,
        "did not run",
        &[("/sys/kernel/tracing/current_tracer", "nop\n")],
    ),
    of_machine(
        "shared-processor",
        Costs,
        "2 virtual processors of process 200 have only processor 2",
        &[
            ("/proc/200/task/201/comm", "CPU 0/KVM\n"),
            ("/proc/200/task/201/stat", FIFO),
            ("/proc/200/task/201/status", ON_2),
            ("/proc/200/task/202/comm", "CPU 1/KVM\n"),
            ("/proc/200/task/202/stat", FIFO),
            ("/proc/200/task/202/status", ON_2),
        ],
    ),
    of_machine(
        "shared-processor",
        Costs,
        "3 virtual processors of process 200 have only processor 2-3",
        &[
            ("/proc/200/task/201/comm", "CPU 0/KVM\n"),
            ("/proc/200/task/201/stat", FIFO),
            ("/proc/200/task/201/status", "Cpus_allowed_list:\t2-3\n"),
            ("/proc/200/task/202/comm", "CPU 1/KVM\n"),
            ("/proc/200/task/202/stat", FIFO),
            ("/proc/200/task/202/status", "Cpus_allowed_list:\t2-3\n"),
            ("/proc/200/task/203/comm", "CPU 2/KVM\n"),
            ("/proc/200/task/203/stat", FIFO),
            ("/proc/200/task/203/status", "Cpus_allowed_list:\t2-3\n"),
        ],
    ),
    of_machine(
        "shared-processor",
        Absent,
        "no two virtual processors",
        &[
            ("/proc/200/task/201/comm", "CPU 0/KVM\n"),
            ("/proc/200/task/201/stat", FIFO),
            ("/proc/200/task/201/status", ON_2),
            ("/proc/200/task/202/comm", "CPU 1/KVM\n"),
            ("/proc/200/task/202/stat", FIFO),
            ("/proc/200/task/202/status", ON_3),
        ],
    ),
    of_machine(
        "kvm-pit",
        Costs,
        "kvm-pit/200 runs on processor 2, below the real-time thread CPU 0/KVM",
        &[
            ("/proc/200/task/201/comm", "CPU 0/KVM\n"),
            ("/proc/200/task/201/stat", FIFO),
            ("/proc/200/task/201/status", ON_2),
            ("/proc/300/task/300/comm", "kvm-pit/200\n"),
            ("/proc/300/task/300/stat", PIT),
        ],
    ),
    of_machine(
        "kvm-pit",
        Absent,
        "without a pinned real-time thread",
        &[
            ("/proc/200/task/201/comm", "CPU 0/KVM\n"),
            ("/proc/200/task/201/stat", FIFO),
            ("/proc/200/task/201/status", ON_3),
            ("/proc/300/task/300/comm", "kvm-pit/200\n"),
            ("/proc/300/task/300/stat", PIT),
        ],
    ),
];
