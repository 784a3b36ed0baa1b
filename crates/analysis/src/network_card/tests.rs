//! By hand; random cards stand in the campaign.

use super::*;
use crate::ground::Source;
use crate::supply::{Dedicated, PeriodicResource};

const fn us(us: u64) -> Duration {
    Duration::from_us(us)
}

const POLLING: Polling =
    Polling { wake: us(3), round: us(10), packet: us(5), budget: 4, shared: false };

/// On a core of its own: 3 + 10 + 5 k, and another round after four packets.
#[test]
fn a_burst_is_done_after_its_rounds() {
    let traffic = Traffic::Bursts { packets: 6, interval: us(1_000) };
    let service = POLLING.serve(traffic, &Dedicated, &Effort::default()).unwrap();
    let all = us(3 + 2 * 10 + 6 * 5);
    assert_eq!(service, Service { delay: all, response: all, last: 6, ring: 6, episode: 6 });
    assert_eq!(POLLING.drain(6, &Dedicated), Ok(us(53)));
}

/// A packet every 12 us: the first waits 18, by then the second has come, and so on; with
/// 7.5 us for each on average the task catches up. Done are 18, 23, 28, 33, 48, 53, …
#[test]
fn packets_wait_for_the_round() {
    let traffic = Traffic::Bursts { packets: 1, interval: us(12) };
    let service = POLLING.serve(traffic, &Dedicated, &Effort::default()).unwrap();
    // The work on the first begins at 13, after the second came at 12; that is done at 23, before the
    // third comes.
    let expected = Service { delay: us(18), response: us(23), last: 2, ring: 2, episode: 2 };
    assert_eq!(service, expected);
}

/// The first blackout 2 (T − Q), then the work of five packets in two budgets.
#[test]
fn a_reservation_may_be_away_first() {
    let server = PeriodicResource::new(Source::Unnamed, us(40), us(100), us(100));
    let traffic = Traffic::Bursts { packets: 5, interval: us(10_000) };
    let service = POLLING.serve(traffic, &server, &Effort::default()).unwrap();
    assert_eq!(service.delay, us(3 + 120 + 40 + 60 + 5));
    assert_eq!(service.ring, 5);
    // 4 packets in 30 us of 40 % of the time.
    assert_eq!(POLLING.packets_per_second(us(40), us(100)), Some(53_333));
}

#[test]
fn what_comes_too_often_has_no_bound() {
    let traffic = Traffic::Bursts { packets: 1, interval: us(7) };
    let found = POLLING.serve(traffic, &Dedicated, &Effort::default());
    assert_eq!(found, Err(NoBound::Overload));
}

/// At 100 Mbit/s a packet of 258 bytes takes 20.64 us; the receiver, 3 us each on a core of its own,
/// is done before the next one but for what the polling task held back.
#[test]
fn the_socket_holds_what_was_held_back() {
    let traffic = Traffic::LineRate { bits: 8 * 258, bits_per_second: 100_000_000 };
    assert_eq!(traffic.earliest(2), Some(Duration::from_ns(20_639)));
    let server = PeriodicResource::new(Source::Unnamed, us(4_000), us(10_000), us(10_000));
    let polling = Polling { wake: us(2), round: us(4), packet: us(4), budget: 64, shared: false };
    let service = polling.serve(traffic, &server, &Effort::default()).unwrap();
    assert!(service.delay >= us(12_000) && service.ring >= 12_000 * 1_000 / 20_640, "{service:?}");
    let socket = |read| {
        polling.socket(traffic, service.delay, read, &Dedicated, &Effort::default()).unwrap()
    };
    assert_eq!(socket(us(3)), 1);
    assert!(socket(us(8)) > 100);
}
