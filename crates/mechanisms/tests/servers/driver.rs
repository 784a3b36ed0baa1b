//! Drives one server tick by tick, as `docs/model.md` orders the events of an instant.

use vorrang_mechanisms::server::Server;
use vorrang_time::{Duration, Instant};

pub(crate) const TICK: Duration = Duration::RESOLUTION;

/// The surroundings of the server in one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Around {
    /// The guest has work.
    pub(crate) work: bool,
    /// Something more urgent is ready on the parent, and runs.
    pub(crate) preempted: bool,
}

/// What the server did in one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tick {
    pub(crate) ran: bool,
    /// The guest ran without budget, because nothing else was ready.
    pub(crate) in_background: bool,
    pub(crate) level_active: bool,
    pub(crate) deadline: Instant,
    /// The source of the server's budget at the start of this tick.
    pub(crate) fresh: Option<Fresh>,
}

/// What may give a server budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fresh {
    /// Its guest got work.
    Woken,
    /// It was replenished.
    Replenished,
}

/// Runs the server through the ticks. What it consumes is charged when what it was given is used,
/// when something else happens to it, and when it stops.
pub(crate) fn drive(server: &mut (impl Server + ?Sized), around: &[Around]) -> Vec<Tick> {
    drive_charging(server, around, Duration::MAX)
}

/// The same, charging after no more than `most` at the latest.
pub(crate) fn drive_charging(
    server: &mut (impl Server + ?Sized),
    around: &[Around],
    most: Duration,
) -> Vec<Tick> {
    let mut had_work = None;
    let mut given = Duration::ZERO;
    let mut owed = Duration::ZERO;
    let mut ticks = Vec::with_capacity(around.len());
    for (index, around) in around.iter().enumerate() {
        let now = Instant::from_ns(index as u64);
        let stops = !(around.work || server.idles()) || around.preempted;
        if !owed.is_zero() && (stops || given.is_zero() || server.due() <= now) {
            server.consume(now, owed);
            owed = Duration::ZERO;
        }
        let mut fresh = None;
        while server.due() <= now {
            server.replenish(now);
            fresh = Some(Fresh::Replenished);
        }
        if around.work && had_work != Some(true) {
            server.wake(now);
            fresh = Some(Fresh::Woken);
        }
        if !around.work && (had_work != Some(false) || fresh.is_some()) {
            server.sleep(now);
        }
        had_work = Some(around.work);
        let ready = !server.budget().is_zero() && (around.work || server.idles());
        let level_active = ready || around.preempted;
        server.level(now, level_active);
        let ran = ready && !around.preempted;
        if !ran && ticks.last().is_some_and(|last: &Tick| last.ran) {
            server.stop(now);
        }
        let in_background = server.background() && !around.preempted;
        ticks.push(Tick { ran, in_background, level_active, deadline: server.deadline(), fresh });
        if ran {
            if owed.is_zero() {
                given = server.budget().min(most);
            }
            owed += TICK;
            given -= TICK;
        }
        assert_eq!(server.check(), Ok(()));
    }
    ticks
}

/// Ticks that the server ran in `[from, to)`.
pub(crate) fn consumed(ticks: &[Tick], from: usize, to: usize) -> u64 {
    ticks[from..to].iter().filter(|tick| tick.ran).count() as u64
}

/// The first window in which more than `bound(length)` was consumed, among those that begin
/// where `begins` says.
pub(crate) fn excess(
    ticks: &[Tick],
    begins: impl Fn(usize) -> bool,
    bound: impl Fn(u64) -> u64,
) -> Option<(usize, usize)> {
    (0..ticks.len()).filter(|&from| begins(from)).find_map(|from| {
        (from + 1..=ticks.len())
            .find(|&to| consumed(ticks, from, to) > bound((to - from) as u64))
            .map(|to| (from, to))
    })
}

/// Whether the level becomes active in this tick.
pub(crate) fn level_starts(ticks: &[Tick], at: usize) -> bool {
    ticks[at].level_active && (at == 0 || !ticks[at - 1].level_active)
}

/// From texts of one character per tick: `#` work, `^` preempted, `x` both, `.` neither.
pub(crate) fn around(text: &str) -> Vec<Around> {
    text.chars()
        .filter(|character| !character.is_whitespace())
        .map(|character| match character {
            '#' => Around { work: true, preempted: false },
            '^' => Around { work: false, preempted: true },
            'x' => Around { work: true, preempted: true },
            '.' => Around { work: false, preempted: false },
            other => panic!("{other} means nothing here"),
        })
        .collect()
}

/// One character per tick: `#` where the server ran, `=` where its guest ran in the background,
/// `.` elsewhere.
pub(crate) fn drawn(ticks: &[Tick]) -> String {
    let drawn = |tick: &Tick| match tick {
        Tick { ran: true, .. } => '#',
        Tick { in_background: true, .. } => '=',
        Tick { .. } => '.',
    };
    ticks.iter().map(drawn).collect()
}
