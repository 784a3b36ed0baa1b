//! A journal that is cut off at any byte.

use crate::faulty::{Call, Fault, Faulty};
use crate::{Place, after, all, applied, assert_restored, planned};
use vorrang_enforce::journal::{Found, read};

#[test]
fn a_journal_is_read_up_to_its_last_whole_line_or_refused() {
    for case in all() {
        let place = Place::new();
        let (machine, ..) = after(&case, &place);
        let kernel = Faulty::new(&machine, None);
        let text = place.text();
        let Ok(Found::Journal(whole)) = read(&place.file(), &kernel) else { panic!("it is whole") };
        for end in 0..text.len() {
            let lines = text[..end].split(|&byte| byte == b'\n').count() - 1;
            place.write(&text[..end]);
            match read(&place.file(), &kernel) {
                Err(_) => assert_eq!(lines, 0, "{}: only without a head", case.name),
                Ok(Found::Journal(part)) => {
                    assert_eq!(part.head, whole.head);
                    assert_eq!(part.changes.len() + part.undone.len(), lines - 1);
                    assert_eq!(part.changes, whole.changes[..part.changes.len()]);
                    assert!(part.undone.is_subset(&whole.undone));
                }
                Ok(other) => panic!("{}: {end} bytes are {other:?}", case.name),
            }
        }
    }
}

/// What is written last belongs to a change that was not made.
#[test]
fn a_journal_that_was_cut_off_while_it_was_written_is_undone() {
    for case in all() {
        let plan = planned(&case);
        let (_, _, calls) = after(&case, &Place::new());
        for (at, call) in calls.iter().enumerate() {
            if *call == Call::Look {
                continue;
            }
            let place = Place::new();
            let mut kernel = Faulty::new(&case.machine, Some((at, Fault::KillBefore)));
            assert!(kernel.run(|kernel| applied(kernel, &plan, &place)).is_none());
            let machine = kernel.machine.into_inner();
            let text = place.text();
            let begin =
                text[..text.len() - 1].iter().rposition(|&byte| byte == b'\n').expect("a head") + 1;
            for end in (begin..text.len()).step_by(11).chain([text.len() - 1, text.len()]) {
                place.write(&text[..end]);
                let what = format!("{}: call {at}, cut at {end}", case.name);
                assert_restored(&machine, &place, &case.machine, &what);
            }
        }
    }
}

#[test]
fn a_journal_with_a_line_that_is_missing_or_of_another_is_refused() {
    let case = &all()[0];
    let place = Place::new();
    let (machine, ..) = after(case, &place);
    let text = String::from_utf8(place.text()).expect("it is text");
    for line in
        ["{\"undone\":4711}", "{\"undone\":-1}", "{}", "null", "{\"write\":{\"path\":\"/x\"}}"]
    {
        place.write(format!("{text}{line}\n").as_bytes());
        let found = read(&place.file(), &Faulty::new(&machine, None));
        assert!(found.is_err(), "{line}: {found:?}");
    }
}
