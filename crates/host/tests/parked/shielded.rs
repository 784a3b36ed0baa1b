//! Shielded timers on a core of Linux beside a dispatched one, while another description takes the place of that one.

use crate::assert_restored;
use crate::faulty::Faulty;
use crate::in_place::{
    changed, entries, first, machine as machine_before, planned_on, second, with,
};
use crate::place::Place;

#[test]
fn what_is_shielded_from_timers_stays_and_is_restored() {
    let shielded = |text: String| text.replace("cpu = 2", "cpu = 2\ntimers = \"timershield\"");
    let place = Place::new();
    let machine = with(&shielded(first()), &place);
    let before = entries(&machine, &place);
    let mut kernel = Faulty::new(&machine, None);
    for other in [
        second(),
        shielded(second()).replace("timershield\"", "timershield\"\nmax-defer = \"2ms\""),
    ] {
        let why = planned_on(&kernel, &other, Some(&before)).map(|_| ()).expect_err("it stays");
        assert!(why[0].starts_with("what is shielded from timers stays"), "{why:?}");
    }
    let new = planned_on(&kernel, &shielded(second()), Some(&before)).expect("as it is");
    changed(&mut kernel, &place, &before, &new).expect("nothing fails");
    let after = kernel.machine.into_inner();
    assert_eq!(after.shield, machine.shield);
    assert_restored(&after, &machine_before(), &place, "the module is gone");
}
