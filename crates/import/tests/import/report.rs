//! An unpacked report of `sos`: threads that are in no `/proc/PID/task`, and what contradicts them.

use crate::machine::{DOMAIN, SERVICE, of};
use crate::{table, valid};
use std::collections::BTreeMap;
use vorrang_import::{Import, tick};

/// Files that are changed, what is said then, and the first of the two files.
type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);

/// The report of a machine with two isolated processors, a guest on them, and a field bus: as procps, pidstat, taskset and
/// libvirt write it. Virtual processors are threads 1207 and 1208 of process 1200.
const REPORT: &[(&str, &str)] = &[
    ("/sys/devices/system/cpu/online", "0-3\n"),
    (
        "/sos_commands/kernel/uname_-a",
        "Linux edge 5.14.0-503.11.1.el9_5.x86_64+rt #1 SMP PREEMPT_RT x86_64 GNU/Linux\n",
    ),
    (
        "/boot/config-5.14.0-503.11.1.el9_5.x86_64+rt",
        "# CONFIG_HZ_100 is not set\nCONFIG_HZ_1000=y\nCONFIG_HZ=1000\n",
    ),
    (
        "/proc/cmdline",
        "quiet isolcpus=managed_irq,domain,2-3 nohz_full=2-3 rcu_nocbs=2-3 irqaffinity=0-1\n",
    ),
    ("/etc/libvirt/qemu/plc.xml", DOMAIN),
    ("/etc/systemd/system/fieldbus.service", SERVICE),
    ("/run/libvirt/qemu/plc.xml", STATE),
    (
        "/sos_commands/virsh/taskset_plc",
        "pid 1200's current affinity list: 0,1\npid 1207's current affinity list: 2\npid 1208's current affinity list: 3\n",
    ),
    ("/sos_commands/process/ps_-elfL", SYSTEM),
    ("/sos_commands/process/ps_alxwww", BERKELEY),
    (
        "/sos_commands/process/ps_axo_flags_state_uid_pid_ppid_pgid_sid_cls_pri_psr_addr_sz_wchan_20_lstart_tty_time_cmd",
        CHOSEN,
    ),
    ("/sos_commands/process/ps_axo_pid_ppid_user_group_lwp_nlwp_start_time_comm_cgroup", GROUPS),
    (
        "/sos_commands/process/ps_auxwwwm",
        "USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\nroot         1  0.0  0.0  35928  9936 ?        -    05:12   0:07 /sbin/init\nroot         -  0.0    -      -     - -        Ss   05:12   0:07 -\n",
    ),
    (
        "/proc/950/status",
        "Name:\tfieldbus\nUmask:\t0022\nTgid:\t950\nCpus_allowed:\t8\nCpus_allowed_list:\t3\n",
    ),
    ("/proc/1200/status", "Name:\tqemu-kvm\nCpus_allowed_list:\t0-1\n"),
];

const STATE: &str = "<domstatus state='running' reason='booted' pid='1200'>\n  <monitor path='/x' type='unix'/>\n  \
    <vcpus>\n    <vcpu id='0' pid='1207'/>\n    <vcpu id='1' pid='1208'/>\n  </vcpus>\n  \
    <domain type='kvm' id='1'><name>plc</name><vcpu>2</vcpu><cputune><vcpupin vcpu='0' cpuset='2'/>\
    <vcpupin vcpu='1' cpuset='3'/></cputune></domain>\n</domstatus>\n";
const SYSTEM: &str = "\
F S UID         PID   PPID    LWP  C NLWP PRI  NI ADDR SZ WCHAN  STIME TTY          TIME CMD
4 S root          1      0      1  0    1  80   0 - 42958 do_epo Nov28 ?        00:00:04 /usr/lib/systemd/systemd --switched-root
1 S root          2      0      2  0    1  80   0 -     0 kthrea Nov28 ?        00:00:00 [kthreadd]
1 S root         17      2     17  0    1 -40   - -     0 smpboo Nov28 ?        00:00:01 [migration/0]
4 S root        950      1    950  0    2 -21   - - 20110 hrtime Nov28 ?        00:10:00 /usr/sbin/fieldbus --fast
5 S root        950      1    951  0    2   9   - - 20110 futex_ Nov28 ?        00:10:00 /usr/sbin/fieldbus --fast
6 S qemu       1200      1   1200  0    4  80   0 - 900110 do_sys Nov28 ?       00:01:00 /usr/libexec/qemu-kvm -name guest=plc,debug-threads=on -S
5 S qemu       1200      1   1207 90    4  49   - - 900110 kvm_vc Nov28 ?       09:01:00 /usr/libexec/qemu-kvm -name guest=plc,debug-threads=on -S
5 S qemu       1200      1   1208 90    4  49   - - 900110 kvm_vc Nov28 ?       09:01:00 /usr/libexec/qemu-kvm -name guest=plc,debug-threads=on -S
";
const BERKELEY: &str = "\
F   UID     PID    PPID PRI  NI    VSZ   RSS WCHAN  STAT TTY        TIME COMMAND
4     0       1       0  20   0 171832 17408 do_epo Ss   ?          0:04 /usr/lib/systemd/systemd --switched-root
4     0     950       1 -81   -  80440  1660 hrtime SLsl ?         10:00 /usr/sbin/fieldbus --fast
";
const CHOSEN: &str = "\
F S   UID     PID    PPID    PGID     SID CLS PRI PSR ADDR    SZ WCHAN                                 STARTED TT           TIME CMD
4 S     0       1       0       1       1  TS  19   1    - 42958 do_epoll_wait        Sat Nov 28 05:12:37 2026 ?        00:00:04 /usr/lib/systemd/systemd --switched-root
4 S     0     950       1     950     950  FF 120   3    - 20110 hrtimer_nanosleep    Sat Nov 28 05:12:39 2026 ?        00:10:00 /usr/sbin/fieldbus --fast
";
const GROUPS: &str = "    PID    PPID USER     GROUP        LWP NLWP START COMMAND         CGROUP
      1       0 root     root           1    1 Nov28 systemd         0::/init.scope
    950       1 root     root         950    2 Nov28 fieldbus        0::/system.slice/fieldbus.service
   1200       1 qemu     qemu        1200    4 Nov28 qemu-kvm        0::/machine.slice/machine-qemu.scope
";

fn with(changes: &[(&str, &str)]) -> Import {
    let mut files: BTreeMap<&str, &str> = REPORT.iter().copied().collect();
    files.extend(changes.iter().copied());
    let import = of(files);
    valid(&import);
    import
}

#[test]
fn threads_are_those_of_ps() {
    let import = with(&[]);
    assert_eq!(import.contradictions, [], "{}", import.text);
    let from =
        "# /sos_commands/process/ps_-elfL: thread 1207: SCHED_FIFO or SCHED_RR 10, processors 2\n";
    assert!(import.text.contains(from), "{}", import.text);
    assert!(
        table(&import, "vcpu.plc-0").contains("on = \"core.2\"\nserver = \"none\"\npriority = 10")
    );
    // The first thread of a process has its policy beside its priority.
    let first = "lstart_tty_time_cmd: thread 950: SCHED_FIFO 80, processors 3\n";
    assert!(import.text.contains(first), "{}", import.text);
    assert!(table(&import, "server.fieldbus-service").contains("thread = \"name:fieldbus\""));
    // The second one is real-time, too, and called by no file.
    let unnamed = "/sos_commands/process/ps_-elfL: thread 951: SCHED_FIFO or SCHED_RR 50, whose name is in no file";
    assert_eq!(import.lost, [unnamed]);
    assert!(import.text.contains("kernel-release = \"5.14\""), "{}", import.text);
    let tick = "# /boot/config-5.14.0-503.11.1.el9_5.x86_64+rt: CONFIG_HZ=1000: on a processor that is busy, a tick every 1ms\n";
    assert!(import.text.contains(tick), "{}", import.text);
    assert!(!import.text.contains("migration"), "{}", import.text);
}

/// Names of threads are in what the kernel says of its scheduler, or in the statistics of sysstat.
#[test]
fn names_of_threads_are_in_two_more_files() {
    let debug = "cpu#3, 2445.404 MHz\n\nrunnable tasks:\n \
S            task   PID       vruntime   eligible    deadline             slice          sum-exec      switches  prio         wait-time        sum-sleep       sum-block  node   group-id  group-path\n \
S         fb-send   951  19450444.982514   E           1.400000           1.400000         2.260890         2      49         0.000000         0.000000         0.000000   0      0        /system.slice/fieldbus.service\n";
    let statistics = "Linux 5.14.0 (edge)\n\n\
09:12:01      UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n\
09:12:01        0       950         -    0.10    0.20    0.00    0.00    0.30     3  /usr/sbin/fieldbus --fast\n\
09:12:01        0         -       951    0.00    0.10    0.00    0.00    0.10     3  |__fb-send\n";
    for (path, text, ran_on) in [
        ("/sys/kernel/debug/sched/debug", debug, ", ran on processor 3"),
        ("/proc/sched_debug", debug, ", ran on processor 3"),
        ("/sos_commands/process/pidstat_-tl", statistics, ""),
    ] {
        let import = with(&[(path, text)]);
        assert_eq!(import.lost, [""; 0], "{path}");
        let said =
            format!("ps_-elfL: thread 951: SCHED_FIFO or SCHED_RR 50{ran_on}\n[server.fb-send]\n");
        assert!(import.text.contains(&said), "{}", import.text);
        assert!(table(&import, "server.fb-send").starts_with("on = \"?\""), "{}", import.text);
    }
}

#[test]
fn what_ps_says_contradicts_the_other_places() {
    let unlike = SYSTEM.replace("1207 90    4  49", "1207 90    4  58");
    let unlike = unlike.as_str();
    let turns = CHOSEN.replace(" FF 120", " RR 120");
    let elsewhere = CHOSEN.replace(" FF 120   3 ", " FF 120   1 ");
    let balance = GROUPS.replace("systemd         0", "irqbalance      0");
    let cases: &[Case] = &[
        (
            &[("/sos_commands/process/ps_-elfL", unlike)],
            "plc-0 is to be SCHED_FIFO 10, and is SCHED_FIFO or SCHED_RR 1",
            "/etc/libvirt/qemu/plc.xml",
        ),
        (
            &[("/sos_commands/virsh/taskset_plc", "pid 1207's current affinity list: 0-3\n")],
            "plc-0 is to run on processors 2, and may run on 0-3",
            "/etc/libvirt/qemu/plc.xml",
        ),
        (
            &[(REPORT[10].0, &turns)],
            "fieldbus.service is to be SCHED_FIFO 80, and is SCHED_RR 80",
            "/etc/systemd/system/fieldbus.service",
        ),
        (
            &[(REPORT[10].0, &elsewhere), ("/proc/950/status", "")],
            "fieldbus.service is to run on processors 3, and ran on 1",
            "/etc/systemd/system/fieldbus.service",
        ),
        (
            &[("/proc/950/status", "Name:\tfieldbus\nCpus_allowed_list:\t1,3\n")],
            "fieldbus.service may run on processors 1,3, of which 3 are isolated",
            "ps_axo_flags",
        ),
        (&[(REPORT[11].0, &balance)], "irqbalance moves interrupts", "running threads"),
        (
            &[("/proc/950/status", "Name:\tfieldbus\nCpus_allowed_list:\t5\n")],
            "fieldbus.service is to run on processors 5, which the machine does not have",
            "ps_axo_flags",
        ),
    ];
    for (changes, says, between) in cases {
        let import = with(changes);
        let one = import.contradictions.iter().find(|one| one.says.starts_with(says));
        let one = one.unwrap_or_else(|| panic!("{says}: {:#?}", import.contradictions));
        assert!(one.between[0].contains(between), "{says}: {one:?}");
    }
}

/// Where threads are in `/proc`, a report beside them says nothing.
#[test]
fn a_machine_that_runs_is_not_asked_for_a_report() {
    let stat = "300 (real) S 1 300 300 0 -1 4194304 0 0 0 0 1 2 0 0 -81 0 1 0 5000 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 17 3 80 1 0 0 0\n";
    let import = with(&[
        ("/proc/300/task/300/comm", "real\n"),
        ("/proc/300/task/300/stat", stat),
        ("/proc/300/task/300/status", "Cpus_allowed_list:\t3\n"),
    ]);
    assert!(import.text.contains("[server.real]") && !import.text.contains("sos_commands/process"));
}

/// An image has several kernels, and says a tick only if they agree.
#[test]
fn the_tick_of_an_image_is_that_of_all_its_kernels() {
    let of = |files: &[(&'static str, &'static str)]| {
        let files: Vec<(&str, &str)> = files.to_vec();
        let folder = crate::machine::folder(files.into_iter().collect());
        tick(&vorrang_enforce::Folder(folder.path().to_owned())).map(|tick| tick.said())
    };
    let (slow, fast) = ("CONFIG_HZ=300\n", "CONFIG_HZ=1000\n");
    let said = "CONFIG_HZ=300: on a processor that is busy, a tick every 3333333ns";
    assert_eq!(of(&[("/boot/config-6.1", slow)]).as_deref(), Some(said));
    assert_eq!(
        of(&[("/boot/config-6.1", slow), ("/lib/modules/6.12/config", slow)]).as_deref(),
        Some(said)
    );
    assert_eq!(of(&[("/boot/config-6.1", slow), ("/boot/config-6.12", fast)]), None);
    let release = ("/proc/sys/kernel/osrelease", "6.1\n");
    assert_eq!(
        of(&[release, ("/boot/config-6.1", slow), ("/boot/config-6.12", fast)]).as_deref(),
        Some(said)
    );
    for wrong in
        ["", "# CONFIG_HZ is not set\n", "CONFIG_HZ=0\n", "CONFIG_HZ=x\n", "CONFIG_HZ_100=y\n"]
    {
        assert_eq!(of(&[release, ("/boot/config-6.1", wrong)]), None, "{wrong}");
    }
}
