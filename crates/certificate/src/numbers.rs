//! The numbers of a certificate, for tests that change them.

use crate::{
    Beside, Caller, Certificate, ColdContext, Credit, GuestTask, Kind, Member, Order, Reservation,
    Rival, Sharing, Shield, Shielded, Slot, Supply, Times,
};

impl Certificate {
    /// Every number of it.
    pub fn numbers(&mut self) -> Vec<&mut u64> {
        let mut all = vec![&mut self.cost, &mut self.period, &mut self.jitter];
        all.extend([&mut self.bound, &mut self.length]);
        all.extend(&mut self.length_below);
        all.extend(self.urgent.iter_mut().flat_map(of_member));
        for point in &mut self.points {
            all.extend([&mut point.upto, &mut point.window]);
            all.extend(&mut point.below);
        }
        match &mut self.order {
            Order::Priority { blocked_by } => all.push(blocked_by),
            Order::Deadline { relative, rivals } => {
                all.push(relative);
                all.extend(rivals.iter_mut().flat_map(of_rival));
            }
            Order::Alone => {}
            Order::Credit(of) => all.extend(of_credit(of)),
            Order::Sharing(Sharing { paid, own, others }) => {
                all.extend(of_credit(paid).into_iter().chain([own]));
                let others = others.iter_mut();
                all.extend(others.flat_map(|of| [&mut of.isr, &mut of.every, &mut of.bound]));
            }
            Order::Reserved { blocked_by, after, budget, every, longest } => {
                all.extend([blocked_by, after, budget, every, longest]);
            }
            Order::Beside(of) => of_server(of, &mut all),
            Order::FromIdle { guest, which } => {
                all.push(which);
                all.extend(guest.iter_mut().flat_map(of_guest_task));
            }
        }
        of_supply(&mut self.on, &mut all);
        all
    }
}

fn of_credit(of: &mut Credit) -> [&mut u64; 5] {
    let Credit { blocked_by, credit, credits, back, routine } = of;
    [blocked_by, credit, credits, back, routine]
}

fn of_guest_task(task: &mut GuestTask) -> Vec<&mut u64> {
    let GuestTask { urgency, cost, period, jitter, due, length, length_below, offsets } = task;
    let mut all = vec![urgency, cost, period, jitter, due, length];
    all.extend(length_below);
    for offset in offsets {
        all.extend([&mut offset.upto, &mut offset.window]);
        all.extend(&mut offset.below);
        for stretch in &mut offset.stretches {
            all.push(&mut stretch.upto);
            all.extend(&mut stretch.below);
        }
    }
    all
}

fn of_server<'a>(server: &'a mut Beside, all: &mut Vec<&'a mut u64>) {
    let Beside { goes_on_for, runtime, every, exceeded, unit, late, apart, again, .. } = server;
    all.extend([goes_on_for, runtime, every, exceeded, unit, late, apart, again]);
    all.extend(server.routines.iter_mut().flat_map(of_member));
    all.extend(server.others.iter_mut().flat_map(of_member));
    all.extend(&mut server.budgets);
}

fn of_supply<'a>(supply: &'a mut Supply, all: &mut Vec<&'a mut u64>) {
    match supply {
        Supply::Core => {}
        Supply::Server(server) => {
            all.extend(of_kind(&mut server.kind));
            all.extend([&mut server.budget, &mut server.period, &mut server.blocking]);
            all.extend(&mut server.full);
            all.extend(server.urgent.iter_mut().flat_map(of_member));
            of_supply(&mut server.parent, all);
        }
        Supply::Reservation(Reservation { budget, period, urgent, rivals, unit, late }) => {
            all.extend([budget, period, unit, late]);
            all.extend(urgent.iter_mut().flat_map(of_member));
            all.extend(rivals.iter_mut().flat_map(of_rival));
        }
        Supply::Slot(Slot { offset, budget, period, urgent }) => {
            all.extend([offset, budget, period]);
            all.extend(urgent.iter_mut().flat_map(of_member));
        }
        Supply::Cold(of) => {
            all.push(&mut of.loss);
            all.extend(of.starts.iter_mut().flat_map(of_times));
            of_supply(&mut of.parent, all);
        }
    }
}

fn of_member(member: &mut Member) -> Vec<&mut u64> {
    match member {
        Member::Jobs { cost, period, jitter } => vec![cost, period, jitter],
        Member::Budgets { kind, budget, period } => {
            [budget, period].into_iter().chain(of_kind(kind)).collect()
        }
        Member::Runtime { budget, period, exceeded } => vec![budget, period, exceeded],
        Member::Kernel { call, switch, callers } => {
            let callers = callers.iter_mut().flat_map(of_caller);
            [call, switch].into_iter().chain(callers).collect()
        }
        Member::Cold { contexts } => contexts.iter_mut().flat_map(of_context).collect(),
        Member::Timers(of) => of_shield(of),
    }
}

fn of_shield(shield: &mut Shield) -> Vec<&mut u64> {
    let Shield { beside, deferral, at_last, timers, first, others, decided_in } = shield;
    let timers = timers.iter_mut().flat_map(|of: &mut Shielded| {
        let Shielded { urgency, takes, period, latency, wakes } = of;
        [urgency, takes, period, latency, wakes]
    });
    let others = others.iter_mut().flat_map(|(urgency, member)| {
        core::iter::once(urgency).chain(of_member(member)).collect::<Vec<_>>()
    });
    let all = [beside, at_last, decided_in].into_iter().chain(deferral).chain(timers);
    all.chain(first.iter_mut().flat_map(of_member)).chain(others).collect()
}

fn of_kind(kind: &mut Kind) -> Vec<&mut u64> {
    match kind {
        Kind::Refills { most, least } => vec![most, least],
        Kind::Periodic | Kind::Polling | Kind::Deferrable | Kind::Sporadic => Vec::new(),
    }
}

fn of_context(context: &mut ColdContext) -> Vec<&mut u64> {
    let ColdContext { urgency, loss, ready_from } = context;
    [urgency, loss].into_iter().chain(ready_from.iter_mut().flat_map(of_times)).collect()
}

fn of_caller(caller: &mut Caller) -> Vec<&mut u64> {
    match caller {
        Caller::Above { returns, wakes, .. } => {
            returns.iter_mut().chain(wakes).flat_map(of_times).collect()
        }
        Caller::Below { returns } => returns.iter_mut().flat_map(of_times).collect(),
        Caller::Itself { period } => vec![period],
    }
}

fn of_times(Times { period, jitter }: &mut Times) -> [&mut u64; 2] {
    [period, jitter]
}

fn of_rival(rival: &mut Rival) -> Vec<&mut u64> {
    match rival {
        Rival::Jobs { cost, period, jitter, relative } => vec![cost, period, jitter, relative],
        Rival::Bandwidth { budget, period } => vec![budget, period],
    }
}
