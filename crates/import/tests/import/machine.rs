//! Root directories.

use crate::{table, valid};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use vorrang_enforce::Folder;
use vorrang_import::{Import, of_root};

/// Files that are changed, what is said then, and between which files.
type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, [&'a str; 2]);

/// A machine of four processors: two isolated, a guest pinned to them, its interrupts elsewhere.
const WELL: &[(&str, &str)] = &[
    ("/sys/devices/system/cpu/online", "0-3\n"),
    ("/proc/sys/kernel/osrelease", "6.12.95-rt\n"),
    (
        "/proc/cmdline",
        "quiet isolcpus=managed_irq,domain,2-3 nohz_full=2-3 rcu_nocbs=2-3 irqaffinity=0-1\n",
    ),
    ("/etc/tuned/active_profile", "realtime\n"),
    ("/usr/lib/tuned/realtime/tuned.conf", "[main]\ninclude=base\n"),
    ("/usr/lib/tuned/base/tuned.conf", "[main]\n"),
    ("/etc/tuned/realtime-variables.conf", "isolated_cores=2-3\n"),
    ("/etc/libvirt/qemu/plc.xml", DOMAIN),
    ("/etc/systemd/system/machine.slice", "[Slice]\nAllowedCPUs=0-3\n"),
    ("/etc/systemd/system/fieldbus.service", SERVICE),
    ("/proc/200/cmdline", "qemu\0-name\0guest=plc,debug-threads=on\0"),
    ("/proc/200/task/201/comm", "CPU 0/KVM\n"),
    ("/proc/200/task/201/stat", FIFO_10),
    ("/proc/200/task/201/status", "Cpus_allowed_list:\t2\n"),
    ("/proc/300/task/300/comm", "fieldbus\n"),
    ("/proc/300/task/300/stat", FIFO_80),
    ("/proc/300/task/300/status", "Cpus_allowed_list:\t3\n"),
    ("/proc/300/task/300/cgroup", "0::/system.slice/fieldbus.service\n"),
    (
        "/proc/interrupts",
        "       CPU0  CPU1  CPU2  CPU3\n  40:  1  0  0  0  PCI-MSI 1-edge  nvme0q0\n NMI: 0 0 0 0 Non-maskable\n",
    ),
    ("/proc/irq/40/smp_affinity_list", "0-1\n"),
];

pub(crate) const DOMAIN: &str = "<domain type='kvm'><name>plc</name><vcpu>2</vcpu><cputune>\
    <vcpupin vcpu='0' cpuset='2'/><vcpupin vcpu='1' cpuset='3'/><emulatorpin cpuset='0-1'/>\
    <vcpusched vcpus='0-1' scheduler='fifo' priority='10'/></cputune></domain>";
pub(crate) const SERVICE: &str = "[Service]\nExecStart=/usr/sbin/fieldbus\nCPUSchedulingPolicy=fifo\n\
    CPUSchedulingPriority=80\nCPUAffinity=3\n";
const FIFO_10: &str = "201 (CPU 0/KVM) S 1 200 200 0 -1 4194304 0 0 0 0 1 2 0 0 -11 0 1 0 5000 1 1 1 0 0 0 0 0 0 0 0 0 0 0 \
    0 17 2 10 1 0 0 0\n";
const FIFO_80: &str = "300 (fieldbus) S 1 300 300 0 -1 4194304 0 0 0 0 1 2 0 0 -81 0 1 0 5000 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 17 \
    3 80 1 0 0 0\n";

/// What is imported of that machine with these files instead; an empty text: the file is not there.
fn with(changes: &[(&str, &str)]) -> Import {
    let mut files: BTreeMap<&str, &str> = WELL.iter().copied().collect();
    files.extend(changes.iter().copied());
    let import = of(files);
    valid(&import);
    import
}

pub(crate) fn of(files: BTreeMap<&str, &str>) -> Import {
    let folder = folder(files);
    of_root(&Folder(folder.path().to_owned())).expect("a machine")
}

/// A folder with these files; one without a text is not there.
pub(crate) fn folder(files: BTreeMap<&str, &str>) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files.into_iter().filter(|(_, text)| !text.is_empty()) {
        let place = folder.path().join(path.trim_start_matches('/'));
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::write(place, text).expect("a file");
    }
    folder
}

#[test]
fn what_four_places_agree_on_is_one_description() {
    let import = with(&[]);
    assert_eq!((import.contradictions.as_slice(), import.lost.as_slice()), (&[][..], &[][..]));
    assert_eq!(
        table(&import, "vcpu.plc-0"),
        "vm = \"plc\"\non = \"core.2\"\nserver = \"none\"\npriority = 10\nthread = \"vm:plc/0\""
    );
    assert!(table(&import, "vcpu.plc-1").contains("on = \"core.3\""));
    assert!(table(&import, "server.fieldbus-service").contains("thread = \"name:fieldbus\""));
    assert!(!import.text.contains("[core.0]"), "no thread is there: {}", import.text);
    let twice = [
        "# /etc/systemd/system/fieldbus.service: SCHED_FIFO 80, processors 3\n",
        "# /proc/300/task/300: ",
    ];
    assert!(twice.iter().all(|line| import.text.contains(line)), "{}", import.text);
}

#[test]
fn each_contradiction_is_found_with_both_places() {
    let other = FIFO_80.replace(" 80 1 ", " 0 0 ");
    let unlike = FIFO_10.replace(" 10 1 ", " 1 1 ");
    let balance = FIFO_80.replace("(fieldbus)", "(irqbalance)").replace(" 80 1 ", " 0 0 ");
    let moved = DOMAIN.replace("cpuset='3'", "cpuset='2'");
    let beyond = DOMAIN.replace("cpuset='3'", "cpuset='7'");
    let outside = SERVICE.replace("CPUAffinity=3", "CPUAffinity=1");
    let partly = SERVICE.replace("CPUAffinity=3", "CPUAffinity=1 2-3");
    let line = "/proc/cmdline";
    let cases: &[Case] = &[
        (
            &[("/proc/200/task/201/stat", &unlike)],
            "plc-0 is to be SCHED_FIFO 10, and is SCHED_FIFO 1",
            ["/etc/libvirt/qemu/plc.xml", "/proc/200/task/201"],
        ),
        (
            &[("/proc/200/task/201/status", "Cpus_allowed_list:\t0-3\n")],
            "plc-0 is to run on processors 2, and may run on 0-3",
            ["/etc/libvirt/qemu/plc.xml", "/proc/200/task/201"],
        ),
        (
            &[("/etc/libvirt/qemu/plc.xml", &moved)],
            "plc-0 and plc-1 are both on processor 2",
            ["/etc/libvirt/qemu/plc.xml", "/etc/libvirt/qemu/plc.xml"],
        ),
        (
            &[("/etc/libvirt/qemu/plc.xml", &beyond)],
            "plc-1 is to run on processors 7, which the machine does not have",
            ["/etc/libvirt/qemu/plc.xml", "/sys/devices/system/cpu/online"],
        ),
        (
            &[("/etc/systemd/system/fieldbus.service", &outside)],
            "fieldbus.service is real-time on processors 1, and 2-3 are isolated",
            ["/etc/systemd/system/fieldbus.service", line],
        ),
        (
            &[("/etc/systemd/system/fieldbus.service", &partly)],
            "fieldbus.service may run on processors 1-3, of which 2-3 are isolated",
            ["/etc/systemd/system/fieldbus.service", line],
        ),
        (
            &[("/etc/systemd/system/machine.slice", "[Slice]\nAllowedCPUs=0-2\n")],
            "plc-1 is to run on processor 3, and machine.slice may run on 0-2",
            ["/etc/libvirt/qemu/plc.xml", "/etc/systemd/system/machine.slice"],
        ),
        (
            &[("/etc/systemd/system/log.service", "[Service]\nCPUAffinity=3\n")],
            "log.service has processor 3 only, where",
            ["/etc/systemd/system/log.service", "/etc/systemd/system/fieldbus.service"],
        ),
        (
            &[("/proc/irq/40/smp_affinity_list", "2\n")],
            "interrupt 40 (nvme0q0) goes to processors 2, and irqaffinity=0-1",
            ["/proc/irq/40/smp_affinity_list", line],
        ),
        (
            &[("/proc/irq/40/smp_affinity_list", "0-3\n")],
            "interrupt 40 (nvme0q0) may go to the isolated processors 2-3",
            ["/proc/irq/40/smp_affinity_list", line],
        ),
        (
            &[("/proc/400/task/400/comm", "irqbalance\n"), ("/proc/400/task/400/stat", &balance)],
            "irqbalance moves interrupts",
            ["running threads", line],
        ),
        (
            &[(line, "isolcpus=2-3 nohz_full=2 rcu_nocbs=2-3 irqaffinity=0-1\n")],
            "isolcpus=2-3, and nohz_full=2: processors 3 keep",
            [line, line],
        ),
        (
            &[(line, "isolcpus=2-3 irqaffinity=0-2\n")],
            "irqaffinity has the isolated processors 2",
            [line, line],
        ),
        (
            &[(line, "isolcpus=3\n")],
            "tuned isolates processors 2-3, and isolcpus=3",
            ["/etc/tuned/realtime-variables.conf", line],
        ),
        (
            &[(line, "quiet\n")],
            "tuned isolates processors 2-3, and the kernel was started without",
            ["/etc/tuned/realtime-variables.conf", line],
        ),
        (&[("/proc/300/task/300/stat", &other)], "", ["", ""]),
    ];
    for (changes, says, between) in cases {
        let import = with(changes);
        if says.is_empty() {
            // A thread that is not real-time is no word about the unit.
            assert!(import.contradictions.is_empty(), "{:?}", import.contradictions);
            continue;
        }
        let one = import.contradictions.iter().find(|one| one.says.starts_with(says));
        let one = one.unwrap_or_else(|| panic!("{says}: {:#?}", import.contradictions));
        assert_eq!(one.between, *between, "{says}");
        assert!(import.text.contains(&one.says), "it is a comment: {}", import.text);
    }
}

#[test]
fn drop_ins_come_by_name_and_the_first_folder_wins() {
    let of = |changes: &[(&str, &str)]| with(changes);
    let folder = "/etc/systemd/system/fieldbus.service.d";
    let lower = "[Service]\nCPUSchedulingPriority=60\n";
    let higher = "[Service]\nCPUSchedulingPriority=61\n";
    let both = of(&[
        ("/etc/systemd/system/fieldbus.service.d/10.conf", higher),
        ("/usr/lib/systemd/system/fieldbus.service.d/20.conf", lower),
    ]);
    assert!(both.text.contains("20.conf: SCHED_FIFO 60, processors 3"), "{}", both.text);
    let same = of(&[
        ("/etc/systemd/system/fieldbus.service.d/10.conf", higher),
        ("/usr/lib/systemd/system/fieldbus.service.d/10.conf", lower),
    ]);
    assert!(same.text.contains(&format!("{folder}/10.conf: SCHED_FIFO 61")), "{}", same.text);
    let emptied = of(&[(
        "/etc/systemd/system/fieldbus.service.d/10.conf",
        "[Service]\nCPUAffinity=\nCPUAffinity=2\n",
    )]);
    assert!(table(&emptied, "server.fieldbus-service").contains("on = \"core.2\""));
}

#[test]
fn what_is_not_carried_over_is_said() {
    let import = with(&[
        ("/proc/cmdline", "isolcpus=0-7:1/2 idle=poll threadirqs\n"),
        ("/etc/systemd/system/web.service", "[Service]\nExecStart=/x\nCPUQuota=20%\n"),
        (
            "/etc/systemd/system/odd.service",
            "[Service]\nCPUSchedulingPolicy=deadline\nCPUAffinity=numa\n",
        ),
        ("/etc/libvirt/qemu/broken.xml", "<domain>\n<name>x</nome></domain>"),
        ("/etc/tuned/active_profile", "no-such\n"),
        ("/proc/irq/40/smp_affinity_list", ""),
        ("/proc/500/task/501/comm", "CPU 0/KVM\n"),
        ("/proc/500/task/501/stat", FIFO_10),
    ]);
    for said in [
        "isolcpus=0-7:1/2 is no plain list",
        "idle=poll changes timing",
        "threadirqs changes timing",
        "web.service: CPUQuota=20%",
        "the policy deadline is unknown",
        "CPUAffinity=numa is no plain list",
        "broken.xml: line 2: this is no XML",
        "the profile no-such is not there",
        "where interrupt 40 (nvme0q0) goes is not there",
        "a virtual processor of a QEMU without -name",
    ] {
        assert!(import.lost.iter().any(|lost| lost.contains(said)), "{said}: {:#?}", import.lost);
    }
    assert!(import.text.contains("# - /proc/cmdline: idle=poll"), "{}", import.text);
}

/// An image has no /proc and no /sys.
#[test]
fn a_part_of_a_machine_is_enough() {
    let import = of(BTreeMap::from([("/etc/libvirt/qemu/plc.xml", DOMAIN)]));
    valid(&import);
    assert!(
        table(&import, "core.2").contains("cpu = 2") && !import.text.contains("kernel-release")
    );
    let empty = tempfile::tempdir().expect("a folder");
    let refused = of_root(&Folder(empty.path().to_owned())).expect_err("there is nothing");
    assert!(refused.to_string().contains("nothing of a machine"), "{refused}");
}

/// This machine, whatever it is, and the one of the documentation.
#[test]
fn whole_machines_are_descriptions() {
    let edge = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../machines/edge");
    let import = of_root(&Folder(edge)).expect("a machine");
    valid(&import);
    assert!(import.contradictions.len() > 5, "{:#?}", import.contradictions);
    valid(&of_root(&Folder("/".into())).expect("a machine"));
}

/// A description has a thread once, and programs choose the names of their threads.
#[test]
fn threads_of_one_name_are_there_once() {
    let import = with(&[
        ("/proc/300/task/301/comm", "fieldbus\n"),
        ("/proc/300/task/301/stat", FIFO_80),
        ("/proc/300/task/301/status", "Cpus_allowed_list:\t3\n"),
        ("/proc/300/task/302/comm", "odd\u{7f}name\n"),
        ("/proc/300/task/302/stat", FIFO_80),
    ]);
    assert_eq!(import.text.matches("\nthread = \"name:fieldbus\"\n").count(), 1, "{}", import.text);
    assert!(
        import.text.contains("# Another table has this thread: name:fieldbus\n"),
        "{}",
        import.text
    );
    assert!(
        import.text.contains("# No description can hold this thread: name:odd\\u{7f}name\n"),
        "{}",
        import.text
    );
}
