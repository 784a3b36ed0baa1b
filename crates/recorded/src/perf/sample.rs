//! A sample: which values stand in it, in the kernel's order.

use std::collections::BTreeMap;

/// Bits of what a sample holds.
const ADDRESS: u64 = 1 << 0;
const THREAD: u64 = 1 << 1;
const TIME: u64 = 1 << 2;
const DATA_ADDRESS: u64 = 1 << 3;
const READ: u64 = 1 << 4;
const CALLERS: u64 = 1 << 5;
const NUMBER: u64 = 1 << 6;
const CPU: u64 = 1 << 7;
const PERIOD: u64 = 1 << 8;
const STREAM: u64 = 1 << 9;
const RAW: u64 = 1 << 10;
const IDENTIFIER: u64 = 1 << 16;
/// The kind of an event that is a tracepoint.
const TRACEPOINT: u32 = 2;

/// Time, processor, and what the kernel stored.
type Values<'a> = (u64, usize, &'a [u8]);

/// What was recorded.
#[derive(Debug)]
pub(super) struct Attribute {
    kind: u32,
    holds: u64,
    numbers: Vec<u64>,
}

impl Attribute {
    pub(super) fn of(bytes: &[u8], numbers: &[u8]) -> Option<Self> {
        let kind = u32::from_le_bytes(*bytes.first_chunk()?);
        let holds = u64::from_le_bytes(*bytes.get(24..)?.first_chunk()?);
        let (numbers, _) = numbers.as_chunks();
        Some(Self {
            kind,
            holds,
            numbers: numbers.iter().map(|one| u64::from_le_bytes(*one)).collect(),
        })
    }
}

/// Which values stand in each sample; nothing for one that is of no tracepoint.
#[derive(Debug)]
pub(super) enum Samples {
    Same(u64),
    ByNumber(BTreeMap<u64, Option<u64>>),
}

impl Samples {
    /// # Errors
    /// The samples of tracepoints lack what is needed, or cannot be told from others.
    pub(super) fn new(attributes: &[Attribute]) -> Result<Self, &'static str> {
        let events = || attributes.iter().filter(|one| one.kind == TRACEPOINT);
        let Some(first) = events().next() else {
            return Err("no event of a tracepoint was recorded");
        };
        if events().any(|one| one.holds & (TIME | CPU | RAW) != TIME | CPU | RAW) {
            return Err("samples lack time, processor or values: record with `-a -R -T`");
        }
        if events().any(|one| one.holds & READ != 0) {
            return Err("samples hold counters of others (`-S`): that is not read");
        }
        if attributes.iter().all(|one| one.holds == first.holds && one.kind == TRACEPOINT) {
            return Ok(Self::Same(first.holds));
        }
        if attributes.iter().any(|one| one.holds & IDENTIFIER == 0) {
            return Err("samples of different events cannot be told apart");
        }
        let of = |one: &Attribute| (one.kind == TRACEPOINT).then_some(one.holds);
        let each = |one: &Attribute| {
            let holds = of(one);
            one.numbers.iter().map(move |number| (*number, holds)).collect::<Vec<_>>()
        };
        Ok(Self::ByNumber(attributes.iter().flat_map(each).collect()))
    }

    /// What is in one; `None`: it is of no tracepoint.
    ///
    /// # Errors
    /// It is shorter than its attribute says.
    pub(super) fn read<'a>(&self, body: &'a [u8]) -> Result<Option<Values<'a>>, &'static str> {
        let cut = "a sample is shorter than what it is to hold";
        let holds = match self {
            Self::Same(holds) => Some(*holds),
            Self::ByNumber(all) => {
                let number = u64::from_le_bytes(*body.first_chunk().ok_or(cut)?);
                *all.get(&number).ok_or("a sample is of an event that the file does not name")?
            }
        };
        holds.map(|holds| values(holds, body).ok_or(cut)).transpose()
    }
}

fn values(holds: u64, body: &[u8]) -> Option<Values<'_>> {
    let mut rest = body;
    let mut next = |bit| -> Option<u64> {
        if holds & bit == 0 {
            return Some(0);
        }
        let (value, behind) = rest.split_first_chunk()?;
        rest = behind;
        Some(u64::from_le_bytes(*value))
    };
    for bit in [IDENTIFIER, ADDRESS, THREAD] {
        next(bit)?;
    }
    let time = next(TIME)?;
    for bit in [DATA_ADDRESS, NUMBER, STREAM] {
        next(bit)?;
    }
    let cpu = usize::try_from(next(CPU)? & u64::from(u32::MAX)).ok()?;
    next(PERIOD)?;
    let callers = usize::try_from(next(CALLERS)?).ok()?.checked_mul(8)?;
    let (size, rest) = rest.get(callers..)?.split_first_chunk()?;
    let size = usize::try_from(u32::from_le_bytes(*size)).ok()?;
    Some((time, cpu, rest.get(..size)?))
}
