//! One event as text: what the kernel prints, from what it stores.
//!
//! **Model.** A template says in which words an event is printed, in the form of tracefs. In braces stand fields: a number
//! (`n`), one of three digits (`c`), a text (`t`), a state (`s`), a word for a number (`w`), a function by its address (`f`).
//! A value has a place: that of its field among those of the template, counted from 0.

use crate::fields::{Field, Format};
use crate::letters::Letters;
use std::io::Write as _;

/// The events of which readers of a text use values.
const TEMPLATES: [(&str, &str); 12] = [
    (
        "sched_switch",
        "prev_comm={t prev_comm} prev_pid={n prev_pid} prev_prio={n prev_prio} prev_state={s prev_state} ==> \
         next_comm={t next_comm} next_pid={n next_pid} next_prio={n next_prio}",
    ),
    ("sched_waking", WOKEN),
    ("sched_wakeup", WOKEN),
    ("sched_wakeup_new", WOKEN),
    ("sched_pi_setprio", "comm={t comm} pid={n pid} oldprio={n oldprio} newprio={n newprio}"),
    ("irq_handler_entry", "irq={n irq} name={t name}"),
    ("irq_handler_exit", "irq={n irq} ret={n ret}"),
    ("softirq_entry", SOFT),
    ("softirq_exit", SOFT),
    ("hrtimer_start", "function={f function} softexpires={n softexpires}"),
    // Those of `raw_syscalls` have the number of a call only, which differs from machine to machine.
    ("sys_enter", ""),
    ("sys_exit", ""),
];
const WOKEN: &str = "comm={t comm} pid={n pid} prio={n prio} target_cpu={c target_cpu}";
const SOFT: &str = "vec={n vec} [action={w vec}]";
const VECTOR: &str = "vector={n vector}";
/// The only function of a timer that readers know.
pub(crate) const WAKES: &[u8] = b"hrtimer_wakeup";
/// Behind what stands first in an event: its number, flags, and the thread that ran.
const COMMON_PID: &str = "common_pid";

/// What readers look for in an event, found once for all events of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `sched_switch`
    Switch,
    /// `sched_waking`
    Waking,
    /// `sched_wakeup`, and that of a new thread
    Woken,
    /// `irq_handler_entry`
    DeviceEntry,
    /// `irq_handler_exit`
    DeviceExit,
    /// `softirq_entry`
    SoftEntry,
    /// `softirq_exit`
    SoftExit,
    /// `hrtimer_start`
    Timer,
    /// The beginning of a routine of the processor itself: its name and [`ENTRY`].
    VectorEntry,
    /// The end of one: its name and [`EXIT`].
    VectorExit,
    /// What only its name says.
    Named,
    /// A name with a sign that no text has, or one value that is neither a beginning nor an end.
    Unreadable,
}

/// What stands behind the name of a routine that begins.
pub const ENTRY: &str = "_entry";
/// What stands behind that of one that ends.
pub const EXIT: &str = "_exit";

impl Kind {
    fn of(name: &str, values: usize) -> Self {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        match name {
            "sched_switch" => Self::Switch,
            "sched_waking" => Self::Waking,
            "sched_wakeup" | "sched_wakeup_new" => Self::Woken,
            "irq_handler_entry" => Self::DeviceEntry,
            "irq_handler_exit" => Self::DeviceExit,
            "softirq_entry" => Self::SoftEntry,
            "softirq_exit" => Self::SoftExit,
            "hrtimer_start" => Self::Timer,
            _ if !name.bytes().all(is_plain) => Self::Unreadable,
            _ if values == 1 && name.ends_with(ENTRY) => Self::VectorEntry,
            _ if values == 1 && name.ends_with(EXIT) => Self::VectorExit,
            _ if values == 1 => Self::Unreadable,
            _ => Self::Named,
        }
    }
}

/// How an event is printed.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: Kind,
    pid: Option<Field>,
    /// Each with the words before it.
    pieces: Vec<(&'static str, Piece)>,
    /// The words behind all of them.
    end: &'static str,
}

#[derive(Debug)]
enum Piece {
    Number(Field),
    Processor(Field),
    Text(Field),
    State(Field, Letters),
    Word(Field, Letters),
    Function(Field),
}

impl Layout {
    /// # Errors
    /// The format has not what the event needs.
    pub(crate) fn of(format: &Format<'_>) -> Result<Self, String> {
        let known = TEMPLATES.iter().find(|(name, _)| *name == format.name);
        let template = match known {
            Some((_, template)) => template,
            None if format.field("vector").is_some() => VECTOR,
            None => "",
        };
        let (mut pieces, mut rest) = (Vec::new(), template);
        while let Some((words, behind)) = rest.split_once('{') {
            let (field, behind) = behind.split_once('}').unwrap_or((behind, ""));
            pieces.push((words, Piece::of(field, format)?));
            rest = behind;
        }
        let pid = format.field(COMMON_PID);
        let kind = Kind::of(format.name, pieces.len());
        Ok(Self { name: format.name.as_bytes().to_vec(), kind, pid, pieces, end: rest })
    }

    /// The value at a place, as a number.
    pub(crate) fn number(&self, place: usize, record: &[u8]) -> Option<i64> {
        match &self.pieces.get(place)?.1 {
            Piece::Number(field) | Piece::Processor(field) | Piece::Word(field, _) => {
                field.number(record)
            }
            _ => None,
        }
    }

    /// The value at a place, as a text.
    pub(crate) fn text<'a>(&self, place: usize, record: &'a [u8]) -> Option<&'a [u8]> {
        match &self.pieces.get(place)?.1 {
            Piece::Text(field) => field.text(record),
            _ => None,
        }
    }

    /// The state at a place: its first letter, and whether the thread could have gone on.
    pub(crate) fn state(&self, place: usize, record: &[u8]) -> Option<(u8, bool)> {
        match &self.pieces.get(place)?.1 {
            Piece::State(field, letters) => letters.first(field.bits(record)?),
            _ => None,
        }
    }

    /// Whether the function at a place is this one.
    pub(crate) fn is_function(
        &self,
        place: usize,
        record: &[u8],
        address: Option<u64>,
    ) -> Option<bool> {
        match &self.pieces.get(place)?.1 {
            Piece::Function(field) => Some(Some(field.bits(record)?) == address),
            _ => None,
        }
    }

    /// The line of an event; `None`: it is shorter than its format says.
    pub(crate) fn line(
        &self,
        cpu: usize,
        at: u64,
        record: &[u8],
        wakes: Option<u64>,
        text: &mut Vec<u8>,
    ) -> Option<()> {
        let pid = self.pid.and_then(|pid| pid.number(record)).unwrap_or_default();
        // As wide as tracefs prints it: readers know that form best.
        text.extend_from_slice(b"           <...>-");
        let begin = text.len();
        number(text, pid);
        text.resize(text.len().max(begin + PID), b' ');
        text.extend_from_slice(b" [");
        digits(text, cpu as u64, 3);
        text.extend_from_slice(b"] ..... ");
        digits(text, at / SECOND, 1);
        text.push(b'.');
        digits(text, at % SECOND, 9);
        text.extend_from_slice(b": ");
        text.extend_from_slice(&self.name);
        text.extend_from_slice(b": ");
        for (words, piece) in &self.pieces {
            text.extend_from_slice(words.as_bytes());
            piece.print(record, wakes, text)?;
        }
        text.extend_from_slice(self.end.as_bytes());
        text.push(b'\n');
        Some(())
    }
}

/// As wide as the number of a thread is printed.
const PID: usize = 7;
const SECOND: u64 = 1_000_000_000;
/// The digits of the largest number.
const DIGITS: usize = 20;

fn number(text: &mut Vec<u8>, value: i64) {
    if value < 0 {
        text.push(b'-');
    }
    digits(text, value.unsigned_abs(), 1);
}

/// A number with so many digits at least: several times as fast as a formatter.
fn digits(text: &mut Vec<u8>, mut value: u64, least: usize) {
    let mut digits = [b'0'; DIGITS];
    let mut at = DIGITS;
    while value > 0 || DIGITS - at < least {
        at -= 1;
        digits[at] += u8::try_from(value % 10).unwrap_or_default();
        value /= 10;
    }
    text.extend_from_slice(&digits[at..]);
}

impl Piece {
    fn of(text: &str, format: &Format<'_>) -> Result<Self, String> {
        let (kind, name) = text.split_once(' ').unwrap_or((text, ""));
        let Some(field) = format.field(name) else {
            return Err(format!("the format of {} has no {name}", format.name));
        };
        let unknown = || format!("the format of {} prints states in an unknown way", format.name);
        Ok(match kind {
            "c" => Self::Processor(field),
            "t" => Self::Text(field),
            "s" => Self::State(field, Letters::of_states(format.print).ok_or_else(unknown)?),
            "w" => Self::Word(field, Letters::of(format.print)),
            "f" => Self::Function(field),
            _ => Self::Number(field),
        })
    }

    fn print(&self, record: &[u8], wakes: Option<u64>, text: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Number(field) => number(text, field.number(record)?),
            Self::Processor(field) => digits(text, field.number(record)?.unsigned_abs(), 3),
            Self::Text(field) => {
                let printable = field.text(record)?.iter();
                // A name may hold anything, and a line ends once.
                text.extend(
                    printable.map(|byte| if byte.is_ascii_control() { b'?' } else { *byte }),
                );
            }
            Self::State(field, letters) => letters.state(field.bits(record)?, text),
            Self::Word(field, letters) => text.extend_from_slice(letters.word(field.bits(record)?)),
            Self::Function(field) => match field.bits(record)? {
                address if Some(address) == wakes => text.extend_from_slice(WAKES),
                address => write!(text, "0x{address:x}").ok()?,
            },
        }
        Some(())
    }
}
