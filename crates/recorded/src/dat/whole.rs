//! Version 6: everything in one order.

use super::beginning::{Beginning, is_in_nanoseconds};
use super::contents::Contents;
use super::options::{BUFFER, CLOCK, Chosen, DONE, INSTANCES, NO_TEXT};
use super::processor::{Storage, Stored};
use crate::bytes::{Bytes, wrong};
use crate::layouts::Layouts;
use std::io::{self, Read, Seek};

/// More processors no kernel has.
const CPUS: u32 = 1 << 13;
/// The words before options, pages and texts.
const WORD: usize = 10;

pub(super) fn contents<R: Read + Seek>(
    beginning: &Beginning,
    file: &mut Bytes<R>,
) -> io::Result<Contents> {
    Layouts::of_ring_buffer(file)?;
    let mut layouts = Layouts::default();
    layouts.of_tracers(file)?;
    layouts.of_systems(file)?;
    layouts.symbols(file)?;
    let formats_of_texts = u64::from(file.u32()?);
    file.skip(formats_of_texts)?;
    let names = file.u64()?;
    file.skip(names)?;
    let (at, count) = (file.at, file.u32()?);
    if count > CPUS {
        return Err(wrong(at, format!("{count} processors are more than there are")));
    }
    let mut word = word_of(file)?;
    if word == *b"options  \0" {
        options(file)?;
        word = word_of(file)?;
    }
    match &word {
        b"flyrecord\0" => {}
        b"latency  \0" => return Err(wrong(file.at, NO_TEXT)),
        _ => return Err(wrong(file.at, "neither options nor events stand here")),
    }
    let mut processors = Vec::new();
    for cpu in 0..count as usize {
        processors.push(Stored { cpu, at: file.u64()?, size: file.u64()? });
    }
    let storage = Storage { page: beginning.page, packing: beginning.packing };
    Ok(Contents { layouts, storage, processors })
}

fn word_of<R: Read>(file: &mut Bytes<R>) -> io::Result<[u8; WORD]> {
    let mut word = [0; WORD];
    file.fill(&mut word)?;
    Ok(word)
}

fn options<R: Read>(file: &mut Bytes<R>) -> io::Result<()> {
    // The last one has a number and nothing else.
    loop {
        let number = file.u16()?;
        if number == DONE {
            return Ok(());
        }
        let option = Chosen::after(number, file)?;
        match number {
            BUFFER => return Err(wrong(option.at, INSTANCES)),
            CLOCK => is_in_nanoseconds(&option.text(), option.at)?,
            _ => {}
        }
    }
}
