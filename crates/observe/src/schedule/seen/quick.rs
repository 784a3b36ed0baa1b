//! A line as tracefs prints it, in one pass.
//!
//! ```text
//!           <idle>-0       [000] d..2.     1.550669: sched_switch: prev_comm=…
//!  16 of the name - 7 of the number  processor, flags, time, event, values
//! ```
//!
//! Whatever is not exactly so is left to the reader of all forms.

use super::super::Left;
use super::fact::{Fact, Happened, Named, Service, call};

/// Where the processor stands.
const BRACKET: usize = 25;
/// The longest name of a thread, with room.
const NAME: usize = 64;

pub(super) fn of(line: &[u8]) -> Option<Happened<'_>> {
    let mut text = Text(line.get(BRACKET..)?);
    text.skip(b"[")?;
    let cpu = usize::try_from(text.number()?).ok()?;
    text.skip(b"] ")?;
    // Flags: four or five letters, digits and points.
    let flags = text.0.iter().position(|byte| *byte == b' ').filter(|end| (4..=5).contains(end))?;
    text = Text(&text.0[flags..]);
    let (at, resolution) = text.time()?;
    let end = text.0.iter().position(|byte| matches!(byte, b':' | b' ' | b'('))?;
    let (name, rest) = text.0.split_at(end);
    let happened = |fact| Some(Happened { cpu, at, resolution, fact });
    if !rest.starts_with(b": ") {
        return happened(of_call(name, rest)?);
    }
    let mut values = Text(&rest[2..]);
    happened(match name {
        b"sched_switch" => values.switch()?,
        b"sched_waking" => {
            let (thread, cpu) = values.woken()?;
            Fact::Waking(thread, Some(cpu))
        }
        b"sched_wakeup" | b"sched_wakeup_new" => {
            let (thread, cpu) = values.woken()?;
            Fact::Woken(thread, Some(cpu))
        }
        b"irq_handler_entry" => values.device()?,
        b"irq_handler_exit" => {
            values.skip(b"irq=")?;
            Fact::Leaves(Service::Device(u32::try_from(values.number()?).ok()?))
        }
        b"softirq_entry" | b"softirq_exit" => {
            values.skip(b"vec=")?;
            let soft = Service::Soft(u32::try_from(values.number()?).ok()?);
            if name == b"softirq_entry" { Fact::Enters(soft, b"") } else { Fact::Leaves(soft) }
        }
        b"hrtimer_start" => values.alarm()?,
        _ if values.0.starts_with(b"vector=") => match name {
            _ if name.ends_with(b"_entry") => {
                Fact::Enters(Service::Vector(&name[..name.len() - 6]), b"")
            }
            _ if name.ends_with(b"_exit") => Fact::Leaves(Service::Vector(&name[..name.len() - 5])),
            _ => return None,
        },
        _ => return None,
    })
}

/// `sys_read(fd: 3, …)` begins a call, and `sys_read -> 0x10` ends it.
fn of_call<'a>(name: &'a [u8], rest: &[u8]) -> Option<Fact<'a>> {
    let name = call(name)?;
    match rest {
        [b'(', ..] => Some(Fact::Calls(name)),
        _ if rest.starts_with(b" -> ") => Some(Fact::Returns),
        _ => None,
    }
}

/// What is not read yet.
struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// A text whose length the compiler knows, so that it is compared by words.
    fn skip<const N: usize>(&mut self, word: &[u8; N]) -> Option<()> {
        self.0 = self.0.strip_prefix(word)?;
        Some(())
    }

    /// Digits, at least one.
    fn number(&mut self) -> Option<u64> {
        let (mut value, mut digits) = (0_u64, 0);
        for byte in self.0 {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
            digits += 1;
        }
        self.0 = &self.0[digits..];
        (digits > 0).then_some(value)
    }

    fn priority(&mut self) -> Option<i32> {
        let is_negative = self.skip(b"-").is_some();
        let value = i32::try_from(self.number()?).ok()?;
        Some(if is_negative { -value } else { value })
    }

    /// `  1.550669: `, and the weight of the last digit.
    fn time(&mut self) -> Option<(u64, u64)> {
        let begin = self.0.iter().position(|byte| *byte != b' ')?;
        self.0 = &self.0[begin..];
        let seconds = self.number()?;
        self.skip(b".")?;
        let before = self.0.len();
        let fraction = self.number()?;
        let digits = u32::try_from(before - self.0.len()).ok().filter(|digits| *digits <= 9)?;
        self.skip(b": ")?;
        let weight = 10_u64.pow(9 - digits);
        let at = seconds.checked_mul(1_000_000_000)?.checked_add(fraction.checked_mul(weight)?)?;
        Some((at, weight))
    }

    /// The name of a thread, which may hold anything, up to the key behind it.
    fn name<const N: usize>(&mut self, next: &[u8; N]) -> Option<&'a [u8]> {
        let most = self.0.len().min(NAME);
        let spaces = self.0[..most].iter().enumerate().filter(|(_, byte)| **byte == b' ');
        let mut ends = spaces.map(|(end, _)| end).filter(|end| self.0[*end..].starts_with(next));
        let end = ends.next()?;
        let name = &self.0[..end];
        self.0 = &self.0[end + N..];
        Some(trimmed(name))
    }

    fn switch(&mut self) -> Option<Fact<'a>> {
        self.skip(b"prev_comm=")?;
        let name = self.name(b" prev_pid=")?;
        let number = u32::try_from(self.number()?).ok()?;
        self.skip(b" prev_prio=")?;
        let previous = Named { number, name, priority: self.priority()? };
        self.skip(b" prev_state=")?;
        let end = self.0.iter().position(|byte| *byte == b' ')?;
        let (state, rest) = self.0.split_at(end);
        self.0 = rest;
        self.skip(b" ==> next_comm=")?;
        let name = self.name(b" next_pid=")?;
        let number = u32::try_from(self.number()?).ok()?;
        self.skip(b" next_prio=")?;
        let next = Named { number, name, priority: self.priority()? };
        Some(Fact::Switch { previous, left: left(state)?, next })
    }

    fn woken(&mut self) -> Option<(Named<'a>, usize)> {
        self.skip(b"comm=")?;
        let name = self.name(b" pid=")?;
        let number = u32::try_from(self.number()?).ok()?;
        self.skip(b" prio=")?;
        let priority = self.priority()?;
        self.skip(b" target_cpu=")?;
        let cpu = usize::try_from(self.number()?).ok()?;
        Some((Named { number, name, priority }, cpu))
    }

    /// `function=hrtimer_wakeup`, and further on ` softexpires=`.
    fn alarm(&mut self) -> Option<Fact<'a>> {
        let behind = |text: &'a [u8], word: &[u8]| {
            let place = text.windows(word.len()).position(|part| part == word)?;
            Some(&text[place + word.len()..])
        };
        let function = behind(self.0, b"function=")?;
        self.0 = behind(function, b" softexpires=")?;
        let at = self.number()?;
        let wakes = function.starts_with(b"hrtimer_wakeup ");
        Some(if wakes { Fact::Alarm(at) } else { Fact::Other })
    }

    fn device(&mut self) -> Option<Fact<'a>> {
        self.skip(b"irq=")?;
        let number = u32::try_from(self.number()?).ok()?;
        self.skip(b" name=")?;
        Some(Fact::Enters(Service::Device(number), trimmed(self.0)))
    }
}

/// As the reader of all forms says of the same letters; `None`: it knows better.
fn left(state: &[u8]) -> Option<Left> {
    match state {
        [b'R', ..] | [.., b'+'] => Some(Left::Ready),
        [b'D' | b'T' | b't', ..] => Some(Left::Held),
        [_, ..] => Some(Left::Asleep),
        [] => None,
    }
}

fn trimmed(name: &[u8]) -> &[u8] {
    name.trim_ascii()
}
