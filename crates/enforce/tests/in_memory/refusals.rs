//! The machine refuses what kernels refuse.
//!
//! Each line is what the kernel's source says, and what the lab has seen: `EPERM` for a reservation of a pinned thread outside
//! a partition and `EBUSY` for more than 95 % (scenarios `conformance-partition` and `apply`), `EINVAL` for the thread of an interrupt of 7.2
//! (`interrupt-thread`).

use crate::groups::ROOT;
use crate::machine::Machine;
use crate::task::Task;
use std::io;
use vorrang_enforce::Policy;

const MS: u64 = 1_000_000;

fn code(done: io::Result<()>) -> i32 {
    done.err().and_then(|why| why.raw_os_error()).unwrap_or(0)
}

/// Two processors and a process of two threads.
fn machine() -> Machine {
    let mut machine = Machine::new(2);
    machine.add(Task::new(100, 100, "a", &[0, 1]));
    machine.add(Task::new(100, 101, "b", &[0, 1]));
    machine
}

#[test]
fn reservations_need_a_whole_domain_and_room_in_it() {
    let mut machine = machine();
    let reserve = |machine: &mut Machine, thread, runtime| {
        code(machine.set_policy(thread, &Policy::deadline(runtime, 10 * MS, 10 * MS)))
    };
    assert_eq!(reserve(&mut machine, 7, MS), libc::ESRCH);
    assert_eq!(reserve(&mut machine, 100, 1023), libc::EINVAL);
    assert_eq!(reserve(&mut machine, 100, 11 * MS), libc::EINVAL);
    machine.set_affinity(100, &[1]).unwrap();
    assert_eq!(reserve(&mut machine, 100, MS), libc::EPERM, "it is pinned");
    machine.set_affinity(100, &[0, 1]).unwrap();
    assert_eq!(reserve(&mut machine, 100, 10 * MS), 0);
    assert_eq!(reserve(&mut machine, 101, 9 * MS), 0, "two processors have 190 %");
    assert_eq!(reserve(&mut machine, 101, 9 * MS + MS / 10), libc::EBUSY);
    assert_eq!(code(machine.set_affinity(100, &[1])), libc::EBUSY, "it has a reservation");
}

#[test]
fn groups_are_refused_as_the_kernel_refuses_them() {
    let mut machine = machine();
    let own = format!("{ROOT}/own");
    let file = |name: &str| format!("{own}/{name}");
    assert_eq!(code(machine.make_group(&format!("{ROOT}/none/own"))), libc::ENOENT);
    assert_eq!(code(machine.make_group(&own)), 0);
    assert_eq!(code(machine.make_group(&own)), libc::EEXIST);
    assert_eq!(code(machine.set(&file("cpuset.cpus"), "1")), libc::ENOENT, "it has no cpuset");
    assert_eq!(code(machine.set(&file("cgroup.subtree_control"), "+cpuset")), libc::ENOENT);
    assert_eq!(code(machine.set(&format!("{ROOT}/cgroup.subtree_control"), "+cpuset")), 0);
    for (name, text) in
        [("cpuset.cpus", "1"), ("cpuset.cpus.exclusive", "1"), ("cpuset.cpus.partition", "root")]
    {
        assert_eq!(code(machine.set(&file(name), text)), 0, "{name}");
    }
    assert_eq!(machine.tasks[&1].allowed, [0], "everything else has the other one");
    assert_eq!(machine.tasks[&11].allowed, [1], "but the threads of the processor");
    assert_eq!(code(machine.set(&file("cgroup.procs"), "100")), 0);
    assert_eq!(code(machine.set(&file("cgroup.procs"), "7")), libc::ESRCH);
    assert_eq!(code(machine.set(&file("cgroup.procs"), "11")), libc::EINVAL, "it cannot be moved");
    assert_eq!(code(machine.set(&format!("{ROOT}/cgroup.threads"), "101")), libc::EOPNOTSUPP);
    assert_eq!(code(machine.remove_group(&own)), libc::EBUSY);
    assert_eq!(code(machine.set(&format!("{ROOT}/cgroup.procs"), "100")), 0);
    assert_eq!(code(machine.remove_group(&own)), 0);
    assert_eq!(code(machine.remove_group(&own)), libc::ENOENT);
    assert_eq!(machine.tasks[&1].allowed, [0, 1]);
}

/// A write that is accepted is not always done: the file says so.
#[test]
fn a_partition_of_every_processor_is_accepted_and_none() {
    let mut machine = machine();
    let own = format!("{ROOT}/own");
    machine.set(&format!("{ROOT}/cgroup.subtree_control"), "+cpuset").unwrap();
    machine.make_group(&own).unwrap();
    for (name, text) in [
        ("cpuset.cpus", "0-1"),
        ("cpuset.cpus.exclusive", "0-1"),
        ("cpuset.cpus.partition", "root"),
    ] {
        machine.set(&format!("{own}/{name}"), text).unwrap();
    }
    let says = machine.text(&format!("{own}/cpuset.cpus.partition")).unwrap();
    assert!(says.starts_with("root invalid"), "{says}");
}
