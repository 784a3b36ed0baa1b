//! Where the verdict turns.

use super::*;

const fn ms(ms: u64) -> Duration {
    Duration::from_ms(ms)
}

fn grounds(bound: Option<u64>, observed: Option<u64>) -> Grounds {
    Grounds {
        limit: ms(10),
        bound: bound
            .map(ms)
            .ok_or((Cause::Overload, "on core.0, too much work arrives".to_owned())),
        observed: observed.map(ms),
        unrepresented: None,
        not_simulated: None,
        overreserved: None,
    }
}

#[test]
fn the_limit_itself_is_kept() {
    assert_eq!(grounds(Some(10), Some(10)).weigh(), (Verdict::Proven, None));
    assert_eq!(grounds(Some(11), Some(10)).weigh().0, Verdict::Undecided);
    assert_eq!(grounds(Some(11), Some(11)).weigh(), (Verdict::Refuted, None));
}

#[test]
fn one_side_is_enough_to_decide() {
    assert_eq!(grounds(Some(9), None).weigh().0, Verdict::Proven);
    assert_eq!(grounds(None, Some(12)).weigh().0, Verdict::Refuted);
    assert_eq!(grounds(None, None).weigh().0, Verdict::Undecided);
}

#[test]
fn undecided_names_both_numbers_and_both_gaps() {
    insta::assert_snapshot!(
        grounds(Some(12), Some(7)).weigh().1.expect("a reason").text,
        @"the bound 12ms is 2ms above the limit 10ms; the longest response seen, 7ms, is 3ms below it"
    );
}

#[test]
fn a_response_at_the_limit_has_no_gap() {
    insta::assert_snapshot!(
        grounds(Some(12), Some(10)).weigh().1.expect("a reason").text,
        @"the bound 12ms is 2ms above the limit 10ms; the longest response seen, 10ms, is the limit itself"
    );
}

#[test]
fn undecided_says_what_is_missing_on_either_side() {
    let grounds = Grounds {
        not_simulated: Some("vcpu.a: polling servers are not simulated yet".to_owned()),
        ..grounds(None, None)
    };
    insta::assert_snapshot!(
        grounds.weigh().1.expect("a reason").text,
        @"no bound to compare with the limit 10ms: on core.0, too much work arrives; \
          no history was simulated: vcpu.a: polling servers are not simulated yet"
    );
}

#[test]
fn what_rests_on_more_than_there_is_to_reclaim_refutes_nothing() {
    let overreserved = Some("core.0".to_owned());
    let grounds = Grounds { overreserved, ..grounds(None, Some(12)) };
    let (verdict, reason) = grounds.weigh();
    assert_eq!(verdict, Verdict::Undecided);
    insta::assert_snapshot!(
        reason.expect("a reason").text,
        @"the longest response seen, 12ms, is 2ms above the limit, but more of core.0 is reserved than there is, and then Linux does not reclaim as the model does"
    );
}

#[test]
fn what_nothing_represents_outweighs_every_number() {
    for numbers in [(Some(9), Some(8)), (Some(11), Some(11))] {
        let grounds =
            Grounds { unrepresented: Some("x".to_owned()), ..grounds(numbers.0, numbers.1) };
        assert_eq!(grounds.weigh(), (Verdict::Undecided, Some(Why::unrepresented("x"))));
    }
}
