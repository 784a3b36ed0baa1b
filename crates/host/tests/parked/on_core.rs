//! A task on the core itself and shielded timers on a dispatched core, killed and refused at every call.

use crate::faulty::Faulty;
use crate::place::Place;
use crate::task::Task;
use crate::{BOTH, beside, machine};
use vorrang_enforce::Policy;

const CONTROL: &str = r#"
[task.control]
on = "core.0"
wcet = "100us"
priority = 9
thread = "name:control"
[timer.control]
armed-by = "task.control"
period = "1ms"
wakes = true
"#;

fn case() -> beside::Case {
    let mut machine = machine();
    machine.add(Task::new(500, 500, "control", &[0, 1]));
    let core = BOTH.replace("cpu = 1", "cpu = 1\ntimers = \"timershield\"");
    beside::case(&format!("{core}{CONTROL}"), machine)
}

#[test]
fn a_task_on_the_core_has_its_priority_and_its_timers_are_shielded() {
    let (case, place) = (case(), Place::new());
    let (machine, _) = case.whole(&place);
    let control = &machine.tasks[&500];
    assert_eq!((control.policy, control.allowed.as_slice()), (Policy::fifo(22), &[1][..]));
    let own = &case.before.tasks[&500].group;
    assert_eq!(&control.group, own, "no group limits it");
    assert_eq!((case.before.shield.clone(), machine.shield), (None, Some((vec![1], 0, 0))));
}

#[test]
fn it_is_restored_wherever_it_is_killed_or_refused() {
    beside::killed_or_refused_at_any_call(&case());
    beside::restored_in_spite_of_any_call(&case());
}

#[test]
fn one_thread_is_not_that_of_a_task_and_of_a_server() {
    let same = format!("{BOTH}{}", CONTROL.replace("name:control", "name:vcpu"));
    let scopes = crate::scopes(&same);
    let why = vorrang_host::changes::parking(&Faulty::new(&machine(), None), &scopes, None);
    assert_eq!(why.map(|_| ()), Err(vec!["two servers or tasks name the same thread".to_owned()]));
}
