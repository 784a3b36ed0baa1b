//! The course of a core, of the simulator and of a kernel in one type.
//!
//! ```text
//!   simulator ── Observer ──▶ Course ◀── schedule and records ── kernel
//! ```
//!
//! **Model.** Instants are nanoseconds from the common instant of a script. A *stretch* is a time in
//! which the core ran one task; it ends because the task had nothing more to do, because something
//! more urgent was ready, or because its budget was gone. A *completion* is the end of a job.
//!
//! **Assumptions.** A kernel does more than a description says: an execution shorter than the tolerance (the
//! end of a system call, the wake-up of a timer) is no stretch, and pieces that are separated by less than
//! the tolerance are one stretch.

/// The events, in the order of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// The stretches of the core.
    pub stretches: Vec<Stretch>,
    /// Which job was complete when.
    pub completions: Vec<Completion>,
}

/// A time in which the core ran one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The task, by its place in the description.
    pub task: usize,
    /// From here.
    pub begin: u64,
    /// To here.
    pub end: u64,
    /// Why no longer.
    pub ended: Ended,
}

/// Why a stretch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The task had nothing more to do.
    Done,
    /// Something else came first.
    Preempted,
    /// The budget was gone, or given up: the task was throttled.
    Throttled,
}

impl Ended {
    /// As a part of a sentence.
    pub fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Preempted => "preempted",
            Self::Throttled => "throttled",
        }
    }
}

/// The end of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The task, by its place in the description.
    pub task: usize,
    /// The job, from zero.
    pub job: usize,
    /// When it arrived.
    pub arrival: u64,
    /// When it was complete.
    pub at: u64,
}

impl Completion {
    /// From the arrival to the end.
    pub fn response(&self) -> u64 {
        self.at - self.arrival
    }
}

/// A stretch as a kernel's trace shows it: whether the task could have gone on is known, why it did
/// not is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The task, by its place in the description.
    pub task: usize,
    /// From here.
    pub begin: u64,
    /// To here.
    pub end: u64,
    /// Whether it was still ready.
    pub preempted: bool,
}

/// The stretches of pieces, which stand in the order of time. `reserved` says of each task
/// whether it is in a server: such a task was throttled if it was still ready and did not run, while no task
/// in a server had the core.
pub fn stretches(pieces: &[Piece], reserved: &[bool], tolerance: u64) -> Vec<Stretch> {
    // Before slivers are left out, too: one that is cut from a stretch is a part of it.
    let mut whole = joined(pieces, tolerance);
    whole.retain(|piece| piece.end - piece.begin > tolerance);
    let whole = joined(&whole, tolerance);
    let stretch = |(index, piece): (usize, &Piece)| {
        let ended = match piece.preempted {
            false => Ended::Done,
            true if reserved[piece.task] && waits(&whole[index..], reserved) > tolerance => {
                Ended::Throttled
            }
            true => Ended::Preempted,
        };
        Stretch { task: piece.task, begin: piece.begin, end: piece.end, ended }
    };
    whole.iter().enumerate().map(stretch).collect()
}

/// Pieces of one task one after the other, but for the tolerance, are one.
fn joined(pieces: &[Piece], tolerance: u64) -> Vec<Piece> {
    let mut whole: Vec<Piece> = Vec::new();
    for piece in pieces {
        match whole.last_mut() {
            Some(last) if last.task == piece.task && piece.begin - last.end <= tolerance => {
                *last = Piece { begin: last.begin, ..*piece };
            }
            _ => whole.push(*piece),
        }
    }
    whole
}

/// The time without a task in a server on the core, from the end of the first piece until its task has the
/// core again; forever if it never has.
fn waits(pieces: &[Piece], reserved: &[bool]) -> u64 {
    let (first, rest) = pieces.split_first().expect("the piece itself");
    let mut waited = 0;
    let mut last = first.end;
    for piece in rest.iter().filter(|piece| reserved[piece.task]) {
        waited += piece.begin - last;
        last = piece.end;
        if piece.task == first.task {
            return waited;
        }
    }
    u64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESERVED: [bool; 3] = [true, true, false];

    fn piece(task: usize, begin: u64, end: u64, preempted: bool) -> Piece {
        Piece { task, begin, end, preempted }
    }

    fn ended(pieces: &[Piece]) -> Vec<(usize, u64, u64, Ended)> {
        let stretches = stretches(pieces, &RESERVED, 5).into_iter();
        stretches.map(|one| (one.task, one.begin, one.end, one.ended)).collect()
    }

    #[test]
    fn slivers_are_nothing_and_do_not_cut() {
        let pieces = [
            piece(2, 0, 30, true),
            piece(0, 30, 34, false),
            piece(2, 34, 60, true),
            piece(1, 60, 80, false),
            piece(2, 80, 90, false),
        ];
        assert_eq!(
            ended(&pieces),
            [(2, 0, 60, Ended::Preempted), (1, 60, 80, Ended::Done), (2, 80, 90, Ended::Done)]
        );
    }

    /// The kernel runs something else just before a stretch ends.
    #[test]
    fn a_sliver_that_is_cut_from_a_stretch_is_a_part_of_it() {
        let pieces = [piece(2, 0, 50, true), piece(2, 53, 57, true), piece(1, 57, 80, false)];
        assert_eq!(ended(&pieces), [(2, 0, 57, Ended::Preempted), (1, 57, 80, Ended::Done)]);
    }

    #[test]
    fn who_could_go_on_and_does_not_is_throttled() {
        // Task 2 has no server, so 0 was throttled; 2 itself was preempted.
        let others = [piece(0, 0, 20, true), piece(2, 20, 50, true), piece(0, 50, 60, false)];
        assert_eq!(ended(&others)[0].3, Ended::Throttled);
        assert_eq!(ended(&others)[1].3, Ended::Preempted);
        // The core was idle.
        let idle = [piece(0, 0, 20, true), piece(0, 50, 60, false)];
        assert_eq!(ended(&idle)[0].3, Ended::Throttled);
        // Task 1 has an earlier deadline.
        let deadline = [piece(0, 0, 20, true), piece(1, 21, 49, false), piece(0, 50, 60, false)];
        assert_eq!(ended(&deadline)[0].3, Ended::Preempted);
        // It never goes on.
        assert_eq!(ended(&[piece(0, 0, 20, true)])[0].3, Ended::Throttled);
    }
}
