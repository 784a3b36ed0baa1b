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
