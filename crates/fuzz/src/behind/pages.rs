//! Pages of a kernel that is traced: learnt from event by event, and by the text of the events.
//!
//! ```text
//!   formats │ 0 │ addresses of functions │ 0 │ processor (1), length (4), page │ …
//! ```
//!
//! What begins as types of a kernel do (BTF) is read as that.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind, Read};
use vorrang_bpf::Types;
use vorrang_learn::{Learner, Learnt};
use vorrang_recorded::Live;

/// How a format begins.
const BEGINNING: &str = "name: ";

/// How types begin.
const TYPES: [u8; 2] = [0x9f, 0xeb];

pub(super) fn take(bytes: &[u8]) -> Result<bool, String> {
    if bytes.starts_with(&TYPES) {
        return Ok(types(bytes));
    }
    let (Some(mut live), Some(mut again)) = (live(bytes), live(bytes)) else { return Ok(false) };
    let mut text = Vec::new();
    let printed = again.finish(&mut text);
    let mut learner = Learner::default();
    let taken = live.records(true, |record| learner.record(record).map_err(io::Error::other));
    let Some(learnt) = printed.ok().and_then(|()| of_text(&text)) else { return Ok(taken.is_ok()) };
    taken.map_err(|why| format!("the text is learnt from, and not its events: {why}"))?;
    if learner.finish() == learnt {
        return Ok(true);
    }
    Err(format!("events say something else than their text:\n{}", String::from_utf8_lossy(&text)))
}

/// Whether something is found in types.
fn types(bytes: &[u8]) -> bool {
    let Ok(types) = Types::of(bytes.to_vec()) else { return false };
    let paths = [&["name"][..], &["prio"], &["thread_info", "cpu"]];
    let fields = paths.map(|path| types.field("task_struct", path));
    fields.iter().any(Option::is_some) | types.tracepoint("irq").is_some()
}

fn of_text(text: &[u8]) -> Option<Learnt> {
    let mut learner = Learner::default();
    learner.text(text).ok()?;
    Some(learner.finish())
}

/// `None`: a format is none.
fn live(bytes: &[u8]) -> Option<Live<Buffer>> {
    let mut parts = bytes.splitn(3, |byte| *byte == 0);
    let (formats, symbols) = (parts.next()?, parts.next()?);
    let formats = String::from_utf8_lossy(formats);
    let formats = formats.split(BEGINNING).skip(1).map(|text| format!("{BEGINNING}{text}"));
    let mut buffers: BTreeMap<usize, Buffer> = BTreeMap::new();
    let mut rest = parts.next()?;
    while let Some((&[cpu, a, b, c, d], behind)) = rest.split_first_chunk() {
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        let (page, behind) = behind.split_at(length.min(behind.len()));
        buffers.entry(cpu.into()).or_default().0.push_back(page.to_vec());
        rest = behind;
    }
    Live::new(&formats.collect::<Vec<_>>(), symbols, buffers).ok()
}

/// Pages, then nothing for now.
#[derive(Default)]
struct Buffer(VecDeque<Vec<u8>>);

impl Read for Buffer {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let page = self.0.pop_front().ok_or(ErrorKind::WouldBlock)?;
        let length = page.len().min(into.len());
        into[..length].copy_from_slice(&page[..length]);
        Ok(length)
    }
}
