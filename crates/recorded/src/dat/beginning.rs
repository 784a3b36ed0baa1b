//! How a file begins, whatever its version.

use super::packed::Packing;
use crate::beginnings::OF_TRACE_CMD;
use crate::bytes::{Bytes, wrong};
use std::io::{self, Read, Seek};

/// A page of the ring buffer is one of the machine, or some of them.
const PAGE: usize = 1 << 26;

/// What stands there.
#[derive(Debug)]
pub(super) struct Beginning {
    /// The size of a page.
    pub(super) page: usize,
    /// How pieces of the file may be compressed.
    pub(super) packing: Packing,
    /// Where the first options are; in version 6 everything stands in one order.
    pub(super) first_options: Option<u64>,
}

impl Beginning {
    pub(super) fn read<R: Read + Seek>(file: &mut Bytes<R>) -> io::Result<Self> {
        file.expects(OF_TRACE_CMD)?;
        let (at, version) = (file.at, file.text()?);
        if !["6", "7"].contains(&version.as_str()) {
            return Err(wrong(
                at,
                format!("this is version {version:?} of such files, and 6 and 7 are read"),
            ));
        }
        if file.byte()? != 0 {
            return Err(wrong(
                file.at - 1,
                "the machine that was traced puts the largest byte first: that is not read",
            ));
        }
        let _bytes_of_a_long = file.byte()?;
        let (at, page) = (file.at, file.u32()? as usize);
        if !(256..=PAGE).contains(&page) {
            return Err(wrong(at, format!("a page of {page} bytes is none")));
        }
        if version == "6" {
            return Ok(Self { page, packing: Packing::None, first_options: None });
        }
        let (at, name) = (file.at, file.text()?);
        let packing = Packing::of(&name).ok_or_else(|| {
            wrong(at, format!("it is compressed by {name}, and zlib and zstd are read: run `trace-cmd report -i FILE`"))
        })?;
        let _version_of_that = file.text()?;
        Ok(Self { page, packing, first_options: Some(file.u64()?) })
    }
}

/// Clocks that count nanoseconds.
const CLOCKS: [&str; 7] = ["local", "global", "perf", "mono", "mono_raw", "boot", "tai"];

/// Whether a clock's times are nanoseconds: `mono`, or `local global [mono] boot`.
pub(super) fn is_in_nanoseconds(clock: &str, at: u64) -> io::Result<()> {
    let chosen = clock.split_once('[').and_then(|(_, rest)| rest.split(']').next());
    let chosen = chosen.unwrap_or(clock).trim_matches(['\0', ' ', '\n']);
    if chosen.is_empty() || CLOCKS.contains(&chosen) {
        return Ok(());
    }
    Err(wrong(
        at,
        format!(
            "the trace's clock is {chosen}, which counts no nanoseconds: record with `-C mono`"
        ),
    ))
}
