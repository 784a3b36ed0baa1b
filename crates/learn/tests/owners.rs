//! Which threads belong to a process, a control group and a virtual machine.

use std::collections::BTreeMap;
use vorrang_enforce::known;
use vorrang_learn::{Owner, threads_of};

/// A process with its threads, its group, and the words of its command line.
fn process(files: &mut BTreeMap<String, String>, threads: &[(i32, &str)], group: &str, line: &str) {
    let (process, _) = threads[0];
    files.insert(format!("/proc/{process}/cmdline"), line.to_owned());
    for (thread, name) in threads {
        let folder = format!("/proc/{process}/task/{thread}");
        let stat = format!("{thread} ({name}) S{}", " 1".repeat(40));
        files.insert(format!("{folder}/comm"), format!("{name}\n"));
        files.insert(format!("{folder}/stat"), stat);
        files.insert(format!("{folder}/cgroup"), format!("0::{group}\n"));
        // QEMU's threads are asked by their own numbers, too.
        files.insert(format!("/proc/{thread}/cmdline"), line.to_owned());
    }
}

#[test]
fn threads_are_found_by_what_they_belong_to() {
    let mut files = BTreeMap::new();
    let plc = "/system.slice/plc.service";
    process(&mut files, &[(10, "plc"), (11, "cyclic")], plc, "plc\0");
    process(&mut files, &[(20, "plc-log")], "/system.slice/plc.service/log", "plc-log\0");
    process(
        &mut files,
        &[(30, "qemu"), (31, "CPU 0/KVM")],
        "/machine.slice",
        "qemu\0-name\0guest=engine,debug-threads=on\0",
    );
    let kernel = known(files);
    let found = |owners: &[Owner]| -> Vec<u32> {
        threads_of(&kernel, owners).expect("files").into_iter().collect()
    };
    let process = |name: &str| Owner::Process(name.to_owned());
    let group = |path: &str| Owner::Group(path.to_owned());
    assert_eq!(found(&[process("plc")]), [10, 11]);
    assert_eq!(found(&[process("30")]), [30, 31]);
    assert_eq!(found(&[group("system.slice/plc.service")]), [10, 11, 20]);
    assert_eq!(found(&[group("/sys/fs/cgroup/system.slice/plc.service/log/")]), [20]);
    assert_eq!(found(&[group("system.slice/plc")]), [0; 0]);
    assert_eq!(found(&[Owner::Machine("engine".to_owned()), process("plc-log")]), [20, 30, 31]);
    assert_eq!(found(&[]), [0; 0]);
}

/// What a report has of threads, which are not in its `/proc`.
const REPORT: &[(&str, &str)] = &[
    (
        "/sos_commands/process/ps_-elfL",
        "F S UID         PID   PPID    LWP  C NLWP PRI  NI ADDR SZ WCHAN  STIME TTY          TIME CMD\n\
         4 S root         10      1     10  0    2 -21   - - 20110 hrtime Nov28 ?        00:10:00 /usr/sbin/plc --fast\n\
         5 S root         10      1     11  0    2   9   - - 20110 futex_ Nov28 ?        00:10:00 /usr/sbin/plc --fast\n\
         5 S qemu         30      1     31 90    1  49   - - 90011 kvm_vc Nov28 ?        09:01:00 qemu-kvm -name guest=engine,debug-threads=on\n",
    ),
    (
        "/sos_commands/process/ps_axo_pid_ppid_user_group_lwp_nlwp_start_time_comm_cgroup",
        "    PID    PPID USER     GROUP        LWP NLWP START COMMAND         CGROUP\n     \
         10       1 root     root          10    2 Nov28 plc             0::/system.slice/plc.service\n",
    ),
    ("/proc/10/status", "Name:\tplc\nCpus_allowed_list:\t0-1\n"),
];

#[test]
fn threads_of_a_report_are_found_by_the_same() {
    let files = REPORT.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let kernel = known(files.collect());
    let found = |owner: Owner| -> Vec<u32> {
        threads_of(&kernel, &[owner]).expect("files").into_iter().collect()
    };
    assert_eq!(found(Owner::Process("plc".to_owned())), [10, 11]);
    assert_eq!(found(Owner::Process("10".to_owned())), [10, 11]);
    assert_eq!(found(Owner::Group("system.slice/plc.service".to_owned())), [10, 11]);
    assert_eq!(found(Owner::Machine("engine".to_owned())), [31]);
    assert_eq!(found(Owner::Machine("other".to_owned())), [0; 0]);
}
