//! Pseudo-VCPUs and network cards under any sequence of calls: their invariants are asserted by every
//! mutator, and their guarantees are counted here.

use proptest::prelude::*;
use vorrang_mechanisms::device::{NetworkCard, Next};
use vorrang_mechanisms::interrupt::{PseudoVcpu, Rule};
use vorrang_mechanisms::server::Server as _;
use vorrang_time::{Duration, Instant};

fn ns(ns: u64) -> Duration {
    Duration::from_ns(ns)
}

/// What happens next, some time after the last.
#[derive(Clone, Copy, Debug)]
enum Event {
    Request,
    Enter,
    Leave,
    Run(u64),
}

fn events() -> impl Strategy<Value = Vec<(u64, Event)>> {
    let event = prop_oneof![
        3 => Just(Event::Request),
        3 => Just(Event::Enter),
        2 => Just(Event::Leave),
        3 => (1_u64..4).prop_map(Event::Run),
    ];
    proptest::collection::vec((0_u64..6, event), 1..120)
}

/// Plays events that are possible; returns when requests were let through, and what was consumed.
fn play(server: &mut PseudoVcpu, events: &[(u64, Event)]) -> (Vec<Instant>, u64) {
    let (mut now, mut waiting, mut inside, mut held) = (Instant::ZERO, 0, 0, 0);
    let (mut passed, mut consumed) = (Vec::new(), 0);
    for &(after, event) in events {
        let next = now + ns(after);
        while server.due() <= next {
            now = server.due().max(now);
            server.replenish(now);
            while held > 0 && server.let_through(now) {
                (held, waiting) = (held - 1, waiting + 1);
                passed.push(now);
            }
            if held == 0 {
                server.unmask();
            }
        }
        now = next;
        match event {
            Event::Request if server.request(now) => {
                waiting += 1;
                passed.push(now);
            }
            Event::Request => held += 1,
            Event::Enter if waiting > 0 => {
                (waiting, inside) = (waiting - 1, inside + 1);
                server.enter(false);
            }
            Event::Leave if inside > 0 => {
                inside -= 1;
                server.leave();
            }
            Event::Run(amount) => {
                let amount = ns(amount).min(server.budget());
                server.consume(now, amount);
                consumed += amount.as_ns();
            }
            Event::Enter | Event::Leave => {}
        }
        assert_eq!(server.check(), Ok(()));
    }
    (passed, consumed)
}

proptest! {
    /// In no window of a period are more requests let through than there are credits, and no more
    /// is consumed than what was let through brought.
    #[test]
    fn by_arrival_credits_limit_what_passes(events in events(), credits in 1_u64..4) {
        let (credit, period) = (3, 20);
        let full = ns(credits * credit + 2);
        let mut server = PseudoVcpu::new(Rule::Arrival, full, ns(period), ns(credit), ns(0));
        let (passed, consumed) = play(&mut server, &events);
        for (index, &at) in passed.iter().enumerate() {
            let until = at + ns(period);
            let within = passed[index..].iter().filter(|&&other| other < until).count() as u64;
            prop_assert!(within <= credits, "{within} from {at} on");
        }
        prop_assert!(consumed <= passed.len() as u64 * credit);
    }

    /// The periodic rules never have more than a full budget (their invariant), whatever happens.
    #[test]
    fn periodic_rules_keep_their_invariant(events in events(), phase in 0_u64..20, deferrable: bool) {
        let rule = if deferrable { Rule::Deferrable } else { Rule::Released };
        let mut server = PseudoVcpu::new(rule, ns(7), ns(20), ns(3), ns(phase));
        play(&mut server, &events);
        prop_assert!(server.budget() <= ns(7));
    }

    /// Packets leave the ring in the order of their arrival, at most a budget of them in a round;
    /// the card interrupts only while it is enabled, and again only after the ring was empty.
    #[test]
    fn a_card_keeps_order_budget_and_silence(steps in proptest::collection::vec(0_u8..6, 1..200)) {
        let mut card = NetworkCard::new(4, (2, ns(5)), 3, 2);
        let (mut now, mut enabled, mut in_round, mut in_socket) = (Instant::ZERO, true, 0, 0_u32);
        let mut last = Instant::ZERO;
        for step in steps {
            now += ns(1);
            match step {
                0..=2 => {
                    card.arrive(now);
                }
                3 => {
                    let raised = card.raise(now);
                    prop_assert!(enabled || !raised);
                    enabled &= !raised;
                }
                4 if !enabled => {
                    if card.finish().is_some() && card.put() {
                        in_socket += 1;
                    }
                    match card.poll() {
                        Next::Packet(arrival) => {
                            in_round += 1;
                            prop_assert!(in_round <= 3 && last <= arrival);
                            last = arrival;
                        }
                        Next::Again(first) => {
                            prop_assert!(in_round == 3 && last <= first);
                            in_round = 0;
                        }
                        Next::Done => (in_round, enabled) = (0, true),
                    }
                }
                5 if in_socket > 0 => {
                    card.receive();
                    in_socket -= 1;
                }
                _ => {}
            }
            prop_assert!(in_socket <= 2);
            prop_assert_eq!(card.check(), Ok(()));
        }
    }
}
