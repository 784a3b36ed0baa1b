//! Events told by hand, and what is kept of them.

use super::example::{CAN, HANDLER, HOST, VCPU, at, job, system, tell, us, watch};
use super::*;
use crate::distribution::Resolution;
use vorrang_model::system::{Member, Priority};
use vorrang_sim::{Blocker, Source};

#[test]
fn all_time_of_the_core_is_somewhere() {
    let watch = watch(&system());
    let all = Doing::ALL.map(|doing| watch.activity.spent(doing).as_ns());
    assert_eq!(Duration::from_ns(all.iter().sum()), watch.activity.time());
    assert_eq!(watch.activity.time(), us(1000));
    assert_eq!(watch.activity.spent(Doing::Tasks), us(164));
    assert_eq!(watch.activity.stretches(Doing::Tasks), 4);
    assert_eq!((watch.activity.calls, watch.activity.switches), (1, 2));
    let lateness = watch.activity.timers[0];
    assert_eq!((lateness.count, lateness.longest, lateness.mean()), (2, us(12), Some(us(11))));
}

#[test]
fn a_server_reserves_its_share_of_the_time_and_a_pseudo_vcpu_is_credited() {
    let system = system();
    let watch = watch(&system);
    let (id, server) = watch.budgets.servers(&system)[0];
    assert_eq!((id, server.used, server.exhausted), (VCPU, us(100), 1));
    assert_eq!(reserved(us(2), us(5), us(2_500)), us(1_000));
    let (id, pseudo_vcpu) = watch.budgets.pseudo_vcpus(&system)[0];
    assert_eq!((id, pseudo_vcpu.used, pseudo_vcpu.exhausted), (CAN, us(27), 1));
    assert_eq!(pseudo_vcpu.credited, us(50));
}

#[test]
fn losses_are_those_of_machines_tasks_and_nobody() {
    let system = system();
    let losers = watch(&system).losses.losers(&system);
    let totals: Vec<_> =
        losers.iter().map(|loser| (loser.name.as_deref(), loser.total())).collect();
    let expected = [(Some("vm.guest"), us(26)), (Some("task.host"), us(2)), (None, us(4))];
    assert_eq!(totals, expected);
    assert_eq!(losers[0].lost[Cause::ColdCache as usize], (us(25), 2));
}

#[test]
fn causes_stand_where_they_are_counted() {
    for (place, cause) in CAUSES.into_iter().enumerate() {
        assert_eq!(cause as usize, place);
    }
    for (place, doing) in Doing::ALL.into_iter().enumerate() {
        assert_eq!(doing as usize, place);
    }
}

#[test]
fn every_packet_ends_somewhere() {
    let watch = watch(&system());
    let packets = &watch.traffic.devices[0];
    assert_eq!((packets.arrived(), packets.dropped_at_ring, packets.dropped_at_socket), (3, 1, 1));
    assert_eq!(packets.round_trips.longest(), Some(us(25)));
    assert_eq!(packets.deliveries.count(), 1);
    // One packet of 125 bytes in a millisecond.
    assert_eq!(packets.packets_per_second(us(1000)), 1_000);
    assert_eq!(packets.bits_per_second(us(1000)), 1_000_000);
    assert_eq!(packets.bits_per_second(Duration::ZERO), 0);
}

#[test]
fn a_job_that_does_not_complete_can_miss_and_is_in_no_distribution() {
    let watch = watch(&system());
    let can = watch.responses.rows.iter().find(|row| row.source == Source::Interrupt(CAN));
    let can = can.expect("it is on the core");
    assert_eq!((can.jobs(), can.completed.count(), can.unfinished, can.misses), (2, 1, 1, 1));
    assert_eq!(can.longest, Some(Response { arrival: at(800), time: us(200), finished: false }));
    assert_eq!(can.completed.longest(), Some(us(33)));
    assert_eq!(watch.responses.first_miss().map(|(_, miss)| miss.arrival), Some(at(800)));
}

#[test]
fn a_storm_breaks_no_requirement_of_its_own() {
    let system = system();
    let mut history = History::quiet(&system);
    history.storms[CAN.0] = true;
    let resolution = Resolution::shared(1, us(1000));
    let mut watch = Watch::of_core(&system, SupplyId(0), &history, resolution);
    tell(&mut watch);
    assert!(watch.responses.first_miss().is_none());
    assert_eq!(watch.responses.rows.len(), 3);
    assert_eq!(watch.responses.limit(Source::Interrupt(CAN)), None);
    let misbehave = watch.responses.rows.iter().filter(|row| row.misbehaves);
    let misbehave: Vec<_> = misbehave.map(|row| row.name.as_str()).collect();
    assert_eq!(misbehave, ["task.handler", "interrupt.can"]);
}

#[test]
fn where_one_task_is_held_up_only_its_responses_count() {
    let mut system = system();
    let rows = |system: &System| {
        let mut history = History::quiet(system);
        history.blocker = Some(Blocker { member: Member::Task(HOST), from: at(0) });
        let resolution = Resolution::shared(1, us(1000));
        let mut responses = Responses::of_core(system, SupplyId(0), &history, resolution);
        responses.completed(&job(Source::Task(HANDLER), 0, 0), at(50));
        responses.completed(&job(Source::Task(HOST), 0, 0), at(40));
        let rows = responses.rows.iter().map(|row| (row.name.clone(), row.jobs()));
        rows.collect::<Vec<_>>()
    };
    // It reads what the handler polls, which the section may be work of, as long as that is not more urgent.
    assert_eq!(rows(&system), []);
    system.supplies[VCPU.0].server_mut().expect("a server").priority = Priority(1);
    assert_eq!(rows(&system), [("task.host".to_owned(), 1)]);
}
