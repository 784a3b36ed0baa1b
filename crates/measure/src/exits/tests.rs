//! Made rounds are recovered; the real machine is asked for order only.

use super::*;

/// Costs that are known, under noise and interruptions.
fn made(round: u32) -> Sample {
    let noise = f64::from(round * 7919 % 101) - 50.0;
    let interrupted = if round.is_multiple_of(40) { 90_000.0 } else { 0.0 };
    let late = if round.is_multiple_of(80) { [interrupted, 0.0] } else { [0.0, interrupted] };
    Sample {
        program_ns: 2_500.0 + noise + late[0],
        memory_ns: 4_000.0 - noise,
        handled_ns: 2_500.0 + 3_000.0 + noise,
        stamps_ns: 20.0,
        kernel_ns: 20.0 + 1_200.0 + noise + late[1],
        end_ns: 20.0 - noise / 10.0,
    }
}

#[test]
fn costs_are_recovered_and_what_is_not_above_zero_stays() {
    let samples: Vec<Sample> = (1..=2_000).map(made).collect();
    let found = Outcome::of(&samples).unwrap();
    assert_eq!(found.interrupted, 50);
    let median = |of: &Sorted| of.spread().median;
    for (found, truth) in
        [(&found.program, 2_500.0), (&found.memory, 4_000.0), (&found.kernel, 1_200.0)]
    {
        assert!((median(found) - truth).abs() < truth / 50.0, "{:?}", found.spread());
    }
    assert!((median(&found.inject) - 3_000.0).abs() < 1e-6, "{:?}", found.inject.spread());
    // An end of interrupt that the processor does by itself costs nothing that can be seen.
    assert!(found.end.quantile(0.0) < 0.0 && found.end.quantile(1.0) > 0.0);
    assert!(Outcome::of(&[]).is_none());
}

/// Without virtualisation this is reported, and there are no numbers.
#[test]
fn an_exit_to_the_program_costs_more_than_one_to_the_kernel() {
    let plan = Plan { cpu: None, priority: None, time: Duration::from_millis(300) };
    match measure(&plan, |_| true) {
        Ok(measured) => {
            let found = measured.outcome.expect("most rounds are whole");
            let median = |of: &Sorted| of.spread().median;
            assert!(median(&found.program) > median(&found.kernel), "{found:?}");
            assert!(median(&found.kernel) > 0.0 && median(&found.inject) > 0.0);
            assert!(found.program.quantile(0.0) > 0.0);
        }
        Err(why) => {
            let is_there = std::path::Path::new("/dev/kvm").exists()
                && std::fs::OpenOptions::new().read(true).write(true).open("/dev/kvm").is_ok();
            assert!(!is_there, "/dev/kvm opens, but: {why}");
            eprintln!("NOT MEASURED: {why}");
        }
    }
}
