//! What a thread of rt-app asks for, from what it does over and over again.
//!
//! **Model.** Waits cut what it does into *pieces*, and a piece is released when its wait ends. A sleep ends its length after
//! the release before it, or later. A timer ends its period after it ended the last time, or later: rt-app adds the period to
//! where the timer was, and where that has passed the timer is at the present. So from one piece on the least instants of
//! all that follow are known, as far as a timer has been used since; before its first use it may end at once.
//!
//! Two readings hold, and the first that fits is taken:
//!
//! 1. Each piece is a job; it takes the longest piece, and n jobs are as far apart as any n pieces are at least.
//! 2. All pieces of one round are a job, as far apart as two rounds are at least. A window that is shorter than that has each
//!    piece once at most.
//!
//! A piece without work is no job: it only takes time.
//!
//! **Not covered.** Waits for other threads. Timers that are `absolute` beside other waits: after a late piece two of their
//! ends are closer than a period.
//!
//! **Source.** `rtapp_timer` and `rtapp_sleep` in src/rt-app.c of rt-app.

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// Time of the processor, in microseconds.
    Run(u64),
    /// A sleep, in microseconds.
    Sleep(u64),
    /// A wait for a timer, by its number, with its period.
    Timer(usize, u64),
}

/// A round of events, which comes again and again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) events: Vec<Event>,
    /// How many timers there are.
    pub(super) timers: usize,
    /// Loops were cut short: windows of [`MOST`] jobs are all there, the round itself is not.
    pub(super) is_cut: bool,
}

/// What is asked for, in microseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) wcet: u64,
    /// The least time from a release to the next, to the one after that, and so on.
    pub(super) distances: Vec<u64>,
    /// What of this is not exact.
    pub(super) says: Option<String>,
}

/// The longest time, in microseconds: 11 days.
pub(super) const LONGEST: u64 = 1_000_000_000_000;

/// Distances that are stated.
pub(super) const MOST: usize = 16;

/// A wait, and the work behind it.
#[derive(Clone, Copy)]
struct Piece {
    wait: Event,
    work: u64,
}

impl Round {
    /// What it asks for.
    ///
    /// # Errors
    /// There is no least time between two releases, or it is shorter than the work.
    pub(super) fn pattern(&self) -> Result<Pattern, String> {
        let pieces = self.pieces();
        if pieces.is_empty() {
            return Err("it never waits".to_owned());
        }
        let works = || pieces.iter().map(|piece| piece.work).filter(|work| *work > 0);
        let (Some(longest), Some(shortest)) = (works().max(), works().min()) else {
            return Err("it does nothing that takes time".to_owned());
        };
        let (mut each, round) = self.distances(&pieces);
        // What is left out follows by adding up.
        let many = each.iter().take_while(|distance| **distance <= LONGEST).count();
        each.truncate(many.max(1));
        if longest > LONGEST || each[0] > LONGEST {
            return Err("its times are longer than are described".to_owned());
        }
        if longest <= each[0] {
            let says = (shortest < longest).then(|| {
                format!("It runs for {shortest} to {longest} us at a time: each is taken as the longest.")
            });
            return Ok(Pattern { wcet: longest, distances: each, says });
        }
        let all = works().fold(0, u64::saturating_add);
        if !self.is_cut && all <= round && round <= LONGEST {
            let says = (works().count() > 1).then(|| {
                let pieces = works().count();
                format!(
                    "All {pieces} pieces of a round are taken as one, at the beginning of each."
                )
            });
            return Ok(Pattern { wcet: all, distances: vec![round], says });
        }
        Err(format!(
            "it runs for {longest} us at a time, and the least time from one to the next is {} us",
            each[0]
        ))
    }

    /// The pieces of a round, which may begin in the one before.
    fn pieces(&self) -> Vec<Piece> {
        let (mut pieces, mut first) = (Vec::<Piece>::new(), 0_u64);
        for event in &self.events {
            match (*event, pieces.last_mut()) {
                (Event::Run(work), Some(piece)) => piece.work = piece.work.saturating_add(work),
                (Event::Run(work), None) => first = first.saturating_add(work),
                (Event::Sleep(0) | Event::Timer(_, 0), _) => {}
                (wait, _) => pieces.push(Piece { wait, work: 0 }),
            }
        }
        if let Some(last) = pieces.last_mut() {
            last.work = last.work.saturating_add(first);
        }
        pieces
    }

    /// The least distances of pieces with work, and that of two rounds.
    fn distances(&self, pieces: &[Piece]) -> (Vec<u64>, u64) {
        let (mut each, mut round) = (vec![u64::MAX; MOST], u64::MAX);
        for (first, _) in pieces.iter().enumerate().filter(|(_, piece)| piece.work > 0) {
            let mut ends = vec![None; self.timers];
            if let Event::Timer(number, _) = pieces[first].wait {
                ends[number] = Some(0);
            }
            let (mut now, mut jobs) = (0_u64, 0);
            for step in 1.. {
                let piece = pieces[(first + step) % pieces.len()];
                match piece.wait {
                    Event::Timer(number, period) => {
                        let end = ends[number].map_or(0, |end: u64| end.saturating_add(period));
                        now = now.max(end);
                        ends[number] = Some(now);
                    }
                    Event::Sleep(length) => now = now.saturating_add(length),
                    Event::Run(_) => {}
                }
                if step == pieces.len() {
                    round = round.min(now);
                }
                if piece.work > 0 && jobs < MOST {
                    each[jobs] = each[jobs].min(now);
                    jobs += 1;
                }
                if jobs == MOST && step >= pieces.len() {
                    break;
                }
            }
        }
        (each, round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Events, and their work with the first distances, or why not.
    type Case<'a> = (&'a [Event], Result<(u64, &'a [u64]), &'a str>);

    fn round(events: &[Event]) -> Round {
        let timers = events.iter().filter(|event| matches!(event, Event::Timer(..))).count();
        Round { events: events.to_vec(), timers, is_cut: false }
    }

    #[test]
    fn pieces_are_jobs_or_their_round_is() {
        use Event::{Run, Sleep, Timer};
        let cases: &[Case] = &[
            (&[Run(2), Sleep(8)], Ok((2, &[8, 16]))),
            (&[Run(1), Run(2), Timer(0, 10)], Ok((3, &[10, 20]))),
            // A run at the end belongs to the one at the beginning.
            (&[Run(50), Sleep(160), Run(60)], Ok((110, &[160, 320]))),
            (&[Run(1), Timer(0, 10), Run(7), Timer(0, 10)], Ok((7, &[10, 20]))),
            (&[Run(1), Sleep(10), Run(2), Sleep(20)], Ok((2, &[10, 30, 40, 60]))),
            // Waits without work in between are one.
            (&[Run(1), Timer(0, 6), Timer(0, 6), Timer(0, 6)], Ok((1, &[18, 36]))),
            (&[Run(1), Sleep(0), Timer(0, 6)], Ok((1, &[6]))),
            // The second is longer than what is between.
            (&[Run(1), Sleep(10), Run(20), Sleep(20)], Ok((21, &[30]))),
            // Behind the late end of a sleep the timer ends at once.
            (&[Run(1), Sleep(4), Run(1), Timer(0, 10)], Ok((2, &[4]))),
            (&[Run(3), Timer(0, 10), Run(3), Timer(1, 10)], Ok((6, &[10]))),
            (&[Run(5)], Err("it never waits")),
            (&[Run(5), Timer(0, 0)], Err("it never waits")),
            (&[Sleep(5)], Err("it does nothing that takes time")),
            (
                &[Run(7), Sleep(5)],
                Err("it runs for 7 us at a time, and the least time from one to the next is 5"),
            ),
        ];
        for (events, wanted) in cases {
            match (round(events).pattern(), wanted) {
                (Ok(pattern), Ok((wcet, distances))) => {
                    let own = &pattern.distances[..distances.len().min(pattern.distances.len())];
                    assert_eq!((pattern.wcet, own), (*wcet, *distances), "{events:?}");
                }
                (Err(why), Err(wanted)) => assert!(why.starts_with(wanted), "{events:?}: {why}"),
                (own, _) => panic!("{events:?}: {own:?}"),
            }
        }
    }

    /// A generator of numbers that are the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    /// Releases with their work, as rt-app goes through the events: late now and then, and with less work.
    fn run(events: &[Event], timers: usize, numbers: &mut Numbers) -> Vec<(u64, u64)> {
        let (mut now, mut all, mut at) = (0_u64, vec![(0, 0)], vec![0_u64; timers]);
        for event in events.iter().cycle().take(events.len() * 12) {
            let (_, work): &mut (u64, u64) = all.last_mut().expect("one");
            match *event {
                Event::Run(most) => {
                    let own = numbers.below(most + 1);
                    *work += own;
                    now += own + if numbers.below(4) == 0 { numbers.below(40) } else { 0 };
                }
                Event::Sleep(0) | Event::Timer(_, 0) => {}
                Event::Sleep(length) => {
                    now += length;
                    all.push((now, 0));
                    now += numbers.below(3);
                }
                Event::Timer(number, period) => {
                    at[number] += period;
                    // One that has passed: the piece was due then, and not before the one before it.
                    let due = at[number].max(all.last().expect("one").0);
                    if now < at[number] {
                        now = at[number];
                    } else {
                        at[number] = now;
                    }
                    all.push((due, 0));
                    now += numbers.below(3);
                }
            }
        }
        all
    }

    /// Whatever a thread does, no window has more work than the jobs that fit into it.
    #[test]
    fn no_history_asks_for_more() {
        let mut numbers = Numbers(1);
        let mut read = 0;
        for _ in 0..4000 {
            let events: Vec<Event> = (0..=numbers.below(6))
                .map(|_| match numbers.below(4) {
                    0 => Event::Sleep(numbers.below(30)),
                    1 => Event::Timer(
                        usize::try_from(numbers.below(2)).expect("small"),
                        numbers.below(40),
                    ),
                    _ => Event::Run(1 + numbers.below(8)),
                })
                .collect();
            let own = Round { timers: 2, ..round(&events) };
            let Ok(pattern) = own.pattern() else { continue };
            read += 1;
            let all = run(&events, 2, &mut numbers);
            for (first, (begin, _)) in all.iter().enumerate() {
                let mut work = 0;
                for (end, more) in &all[first..] {
                    work += more;
                    let jobs = fitting(&pattern.distances, end - begin);
                    assert!(work <= jobs * pattern.wcet, "{events:?}: {pattern:?}: {all:?}");
                }
            }
        }
        assert!(read > 1000, "{read} of 4000 can be read");
    }

    /// Jobs whose releases fit into a closed window.
    fn fitting(distances: &[u64], length: u64) -> u64 {
        let round = distances.last().expect("one");
        let whole = length / round * distances.len() as u64;
        let rest = length % round;
        whole + 1 + distances.iter().filter(|distance| **distance <= rest).count() as u64
    }
}
