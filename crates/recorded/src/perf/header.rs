//! How a file of perf begins: what was recorded, and the formats of events.

use super::sample::{Attribute, Samples};
use crate::beginnings::{OF_PERF, OF_TRACE_CMD};
use crate::bytes::{Bytes, wrong};
use crate::layouts::Layouts;
use std::io::{self, Read, Seek};

/// The size of a whole header; files that go through a pipe have a short one.
const WHOLE: u64 = 104;
/// Behind an attribute stands where its numbers are.
const PLACE: u64 = 16;
/// The attributes of all events on all processors.
const ATTRIBUTES: u64 = 1 << 14;
const ATTRIBUTE: usize = 1 << 12;
const NUMBERS: usize = 1 << 20;
/// The first part behind the records, if this bit is set.
const HAS_FORMATS: u64 = 1 << 1;
const BEFORE_FORMATS: u64 = 1 << 0;

/// What a file says of itself.
pub(super) struct Header {
    pub(super) begin: u64,
    pub(super) end: u64,
    pub(super) samples: Samples,
    pub(super) layouts: Layouts,
}

impl Header {
    pub(super) fn read<R: Read + Seek>(file: &mut Bytes<R>) -> io::Result<Self> {
        file.expects(OF_PERF)?;
        if file.u64()? != WHOLE {
            return Err(wrong(
                8,
                "it was written to a pipe: run `perf script --show-lost-events -i FILE`",
            ));
        }
        let size = file.u64()?;
        let attributes = (file.u64()?, file.u64()?);
        let (begin, length) = (file.u64()?, file.u64()?);
        let _types = (file.u64()?, file.u64()?);
        let parts = file.u64()?;
        if length == 0 {
            return Err(wrong(
                48,
                "it holds no records: perf was ended before it could finish the file",
            ));
        }
        let end = begin.checked_add(length).ok_or_else(|| wrong(48, "a size is too large"))?;
        let samples = Samples::new(&all(size, attributes, file)?).map_err(|why| wrong(24, why))?;
        if parts & HAS_FORMATS == 0 || parts & BEFORE_FORMATS != 0 {
            return Err(wrong(72, "it holds no formats of events: record events of tracepoints"));
        }
        file.go(end)?;
        let at = file.u64()?;
        file.go(at)?;
        Ok(Self { begin, end, samples, layouts: formats(file)? })
    }
}

fn all<R: Read + Seek>(
    size: u64,
    (begin, length): (u64, u64),
    file: &mut Bytes<R>,
) -> io::Result<Vec<Attribute>> {
    let count = length.checked_div(size).filter(|count| *count <= ATTRIBUTES && size > PLACE);
    let Some(count) = count else {
        return Err(wrong(24, "these attributes are none"));
    };
    let mut attributes = Vec::new();
    for number in 0..count {
        file.go(begin.saturating_add(number * size))?;
        let at = file.at;
        let bytes = file.some(size - PLACE, ATTRIBUTE, "an attribute")?;
        let (numbers, length) = (file.u64()?, file.u64()?);
        file.go(numbers)?;
        let numbers = file.some(length, NUMBERS, "the numbers of an event")?;
        let attribute = Attribute::of(&bytes, &numbers);
        attributes.push(attribute.ok_or_else(|| wrong(at, "an attribute is cut"))?);
    }
    Ok(attributes)
}

/// In the form of trace-cmd, up to where its processors begin.
fn formats<R: Read + Seek>(file: &mut Bytes<R>) -> io::Result<Layouts> {
    file.expects(OF_TRACE_CMD)?;
    let _version = file.text()?;
    if file.byte()? != 0 {
        return Err(wrong(
            file.at - 1,
            "the machine that was traced puts the largest byte first: that is not read",
        ));
    }
    let _bytes_of_a_long = file.byte()?;
    let _page = file.u32()?;
    Layouts::of_ring_buffer(file)?;
    let mut layouts = Layouts::default();
    layouts.of_tracers(file)?;
    layouts.of_systems(file)?;
    layouts.symbols(file)?;
    Ok(layouts)
}
