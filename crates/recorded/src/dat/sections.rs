//! Version 7: sections, which options say the places of.

use super::beginning::{Beginning, is_in_nanoseconds};
use super::contents::Contents;
use super::options::{
    BUFFER, CLOCK, Chosen, DONE, HEADER, INSTANCES, OF_SYSTEMS, OF_TRACERS, SYMBOLS,
};
use super::packed::Packing;
use super::processor::{Storage, Stored};
use crate::bytes::{Bytes, wrong};
use crate::layouts::Layouts;
use std::io::{self, Cursor, Read, Seek};

/// A flag of a section.
const IS_PACKED: u16 = 1;
/// The symbols of a kernel have some ten million.
const SECTION: usize = 1 << 28;
/// The least bytes that a processor takes in an option.
const STORED: usize = 20;
/// Options are in so many sections at most.
const PARTS: usize = 64;

/// A buffer of events.
struct Buffer {
    at: u64,
    page: Option<usize>,
    processors: Vec<Stored>,
}

pub(super) fn contents<R: Read + Seek>(
    beginning: &Beginning,
    first: u64,
    file: &mut Bytes<R>,
) -> io::Result<Contents> {
    let mut layouts = Layouts::default();
    let mut buffer: Option<Buffer> = None;
    for option in options(beginning, first, file)? {
        option.is_no_text()?;
        match option.number {
            CLOCK => is_in_nanoseconds(&option.text(), option.at)?,
            BUFFER => {
                let found = Buffer::of(&option)?;
                let is_empty = found.processors.iter().all(|stored| stored.size == 0);
                if !is_empty && buffer.replace(found).is_some() {
                    return Err(wrong(option.at, INSTANCES));
                }
            }
            number @ (HEADER | OF_TRACERS | OF_SYSTEMS | SYMBOLS) => {
                let at = Bytes::new(&option.data[..]).u64()?;
                let mut section = section(beginning, at, file)?;
                match number {
                    HEADER => Layouts::of_ring_buffer(&mut section)?,
                    OF_TRACERS => layouts.of_tracers(&mut section)?,
                    OF_SYSTEMS => layouts.of_systems(&mut section)?,
                    _ => layouts.symbols(&mut section)?,
                }
            }
            _ => {}
        }
    }
    let Some(Buffer { at, page, processors }) = buffer else {
        return Err(wrong(first, "it holds no buffer with events"));
    };
    file.go(at)?;
    let (_, is_packed, _) = heading(file)?;
    let packing = if is_packed { beginning.packing } else { Packing::None };
    let storage = Storage { page: page.unwrap_or(beginning.page), packing };
    Ok(Contents { layouts, storage, processors })
}

/// Number, whether it is compressed, and size of a section.
fn heading<R: Read>(file: &mut Bytes<R>) -> io::Result<(u16, bool, u64)> {
    let (number, flags) = (file.u16()?, file.u16()?);
    let _description = file.u32()?;
    Ok((number, flags & IS_PACKED != 0, file.u64()?))
}

fn section<R: Read + Seek>(
    beginning: &Beginning,
    at: u64,
    file: &mut Bytes<R>,
) -> io::Result<Bytes<Cursor<Vec<u8>>>> {
    file.go(at)?;
    let (_, is_packed, size) = heading(file)?;
    let bytes = if is_packed {
        beginning.packing.piece(file)?
    } else {
        file.some(size, SECTION, "a section")?
    };
    Ok(Bytes::new(Cursor::new(bytes)))
}

/// All, section by section.
fn options<R: Read + Seek>(
    beginning: &Beginning,
    first: u64,
    file: &mut Bytes<R>,
) -> io::Result<Vec<Chosen>> {
    let (mut all, mut at) = (Vec::new(), first);
    for _ in 0..PARTS {
        let mut part = section(beginning, at, file)?;
        let next = loop {
            let option = Chosen::read(&mut part)?;
            if option.number == DONE {
                break Bytes::new(&option.data[..]).u64()?;
            }
            all.push(option);
        };
        if next == 0 {
            return Ok(all);
        }
        at = next;
    }
    Err(wrong(at, "the options have no end"))
}

impl Buffer {
    fn of(option: &Chosen) -> io::Result<Self> {
        let mut data = Bytes::new(&option.data[..]);
        let at = data.u64()?;
        let _name = data.text()?;
        is_in_nanoseconds(&data.text()?, option.at)?;
        let rest = option.data.len() - usize::try_from(data.at).unwrap_or_default();
        // Later ones say the size of a page, too.
        let has_page = rest % STORED == 8;
        let page = has_page.then(|| data.u32()).transpose()?.map(|page| page as usize);
        let mut processors = Vec::new();
        for _ in 0..data.u32()? {
            let cpu = data.u32()? as usize;
            processors.push(Stored { cpu, at: data.u64()?, size: data.u64()? });
        }
        Ok(Self { at, page, processors })
    }
}
