//! A configuration, and the machine of the test for order only.

use super::*;
use std::time::Duration;

#[test]
fn a_configuration_says_how_often_the_tick_comes_and_who_pays() {
    let text = "# CONFIG_HZ_100 is not set\nCONFIG_HZ_250=y\nCONFIG_HZ=250\n# CONFIG_IRQ_TIME_ACCOUNTING is not set\n";
    assert_eq!(Built::of(text), Ok(Built { hertz: 250, interrupts_are_apart: false }));
    let apart = "CONFIG_HAVE_IRQ_TIME_ACCOUNTING=y\nCONFIG_IRQ_TIME_ACCOUNTING=y\nCONFIG_HZ=1000";
    assert_eq!(Built::of(apart), Ok(Built { hertz: 1000, interrupts_are_apart: true }));
    for wrong in ["", "CONFIG_HZ=", "CONFIG_HZ=0", "CONFIG_HZ=99999", "CONFIG_HZ_250=y"] {
        assert!(Built::of(wrong).is_err(), "{wrong}");
    }
}

/// Where a real-time priority is refused, this is reported; otherwise every part has numbers or a reason.
#[test]
fn this_machine_has_numbers_or_reasons() {
    let facts = Facts {
        release: "9.1".to_owned(),
        is_realtime: false,
        built: Ok(Built { hertz: 250, interrupts_are_apart: false }),
        runtimes_end: String::new(),
        has_sched_ext: false,
        fair_server: Err("not looked for".to_owned()),
    };
    let plan = Plan { facts, cpu: None, time: Duration::from_millis(1) };
    let mut parts = Vec::new();
    let measured = measure(&plan, |part| {
        parts.push(part);
        true
    });
    match measured {
        Err(why) => assert!(why.0.contains("real-time priority"), "{why}"),
        Ok(measured) => {
            assert!(
                parts.is_sorted() && parts.iter().all(|part| (0.0..=1.0).contains(part)),
                "{parts:?}"
            );
            let Measured { ticks, calls, sections, late, .. } = &measured;
            let reasons = [
                ticks.as_ref().err(),
                measured.threads.as_ref().err(),
                calls.as_ref().err(),
                sections.as_ref().err(),
                late.as_ref().err(),
            ];
            assert!(reasons.into_iter().flatten().all(|why| !why.is_empty()));
            let named = measured.named();
            assert_eq!(named.iter().any(|(name, _)| name == "tick"), ticks.is_ok());
            assert!(named.iter().all(|(_, sorted)| sorted.quantile(0.0) >= 0.0));
        }
    }
}
