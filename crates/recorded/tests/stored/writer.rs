//! Writes a text of tracefs as `trace-cmd` stores it, in version 6.

use crate::formats::{FORMATS, Format, Kind};

/// The size of a page, and of what stands before its events.
const PAGE: usize = 4096;
const HEADER: usize = 16;
/// Kinds of what is no event.
const EXTENDED: u32 = 30;

/// An event of a text.
pub(crate) struct Event {
    pub(crate) cpu: usize,
    pub(crate) at: u64,
    pub(crate) record: Vec<u8>,
}

/// Those of a text that have a format.
pub(crate) fn events(text: &str) -> Vec<Event> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(event).collect()
}

fn event(line: &str) -> Option<Event> {
    let (before, rest) = line.split_once(" [")?;
    let (cpu, rest) = rest.split_once("] ")?;
    let (time, rest) = rest.trim_start().split_once(' ')?.1.trim_start().split_once(": ")?;
    let (name, values) = rest.split_once(": ")?;
    let (seconds, fraction) = time.split_once('.')?;
    let fraction = format!("{fraction:0<9}");
    let at = seconds.parse::<u64>().ok()? * 1_000_000_000 + fraction.parse::<u64>().ok()?;
    let format = FORMATS.iter().find(|format| format.name == name)?;
    let pid = before.trim().rsplit('-').next()?.parse::<i32>().ok()?;
    Some(Event { cpu: cpu.parse().ok()?, at, record: record(format, pid, values) })
}

fn record(format: &Format, pid: i32, values: &str) -> Vec<u8> {
    let mut record = format.number.to_le_bytes().to_vec();
    record.extend([0, 0]);
    record.extend(pid.to_le_bytes());
    let mut behind = Vec::new();
    let size = |kind: &Kind| match kind {
        Kind::Name => 16,
        Kind::Number | Kind::Elsewhere => 4,
        Kind::State | Kind::Long => 8,
    };
    let fields: usize = format.fields.iter().map(|(_, kind)| size(kind)).sum();
    for (name, kind) in format.fields {
        let value = value(values, name);
        match kind {
            Kind::Name => {
                let mut bytes = value.as_bytes().to_vec();
                bytes.resize(16, 0);
                record.extend(bytes);
            }
            Kind::Number => record.extend(value.parse::<i32>().unwrap_or(0).to_le_bytes()),
            Kind::Long => record.extend(long(value).to_le_bytes()),
            Kind::State => record.extend(state(value).to_le_bytes()),
            Kind::Elsewhere => {
                let place = (Format::COMMON + fields) | (value.len() + 1) << 16;
                record.extend(u32::try_from(place).expect("a place").to_le_bytes());
                behind = [value.as_bytes(), &[0]].concat();
            }
        }
    }
    record.extend(behind);
    record
}

/// Up to the next key.
fn value<'a>(values: &'a str, name: &str) -> &'a str {
    let Some(begin) = values.find(&format!("{name}=")) else {
        return "";
    };
    let rest = &values[begin + name.len() + 1..];
    let key = rest.find('=').and_then(|equal| rest[..equal].rfind(' ')).unwrap_or(rest.len());
    rest[..key].trim_end_matches(" ==>").split(" [action").next().unwrap_or(rest)
}

fn long(value: &str) -> u64 {
    match value {
        "hrtimer_wakeup" => crate::read::WAKES,
        _ => value.parse().unwrap_or(0),
    }
}

fn state(letters: &str) -> u64 {
    let bit = |letter| match letter {
        'S' => 1,
        'D' => 2,
        'T' => 4,
        'I' => 0x80,
        'X' => 0x10,
        'Z' => 0x20,
        '+' => 0x100,
        _ => 0,
    };
    letters.chars().map(bit).sum()
}

/// The pages of a processor.
pub(crate) fn pages(events: &[&Event]) -> Vec<u8> {
    let (mut all, mut page, mut last) = (Vec::new(), Vec::new(), 0);
    for event in events {
        let words = event.record.len().div_ceil(4);
        if !page.is_empty() && page.len() + 12 + 4 * words > PAGE {
            finish(&mut all, &mut page);
        }
        if page.is_empty() {
            page.extend(event.at.to_le_bytes());
            page.extend([0; 8]);
            last = event.at;
        }
        let mut delta = event.at - last;
        if delta >= 1 << 27 {
            let below = u32::try_from(delta & ((1 << 27) - 1)).expect("27 bits");
            page.extend((below << 5 | EXTENDED).to_le_bytes());
            page.extend(u32::try_from(delta >> 27).expect("a time").to_le_bytes());
            delta = 0;
        }
        let delta = u32::try_from(delta).expect("27 bits") << 5;
        if words <= 28 {
            page.extend((delta | u32::try_from(words).expect("few")).to_le_bytes());
        } else {
            page.extend(delta.to_le_bytes());
            page.extend(u32::try_from(4 * words + 4).expect("few").to_le_bytes());
        }
        let mut record = event.record.clone();
        record.resize(4 * words, 0);
        page.extend(record);
        last = event.at;
    }
    finish(&mut all, &mut page);
    all
}

fn finish(all: &mut Vec<u8>, page: &mut Vec<u8>) {
    if page.is_empty() {
        return;
    }
    let length = (page.len() - HEADER) as u64;
    page[8..16].copy_from_slice(&length.to_le_bytes());
    page.resize(PAGE, 0);
    all.append(page);
}

/// A file of events, with the symbols of a kernel and a clock.
pub(crate) fn file(events: &[Event], symbols: &str, clock: &str) -> Vec<u8> {
    let cpus = events.iter().map(|event| event.cpu + 1).max().unwrap_or(1);
    let mut file = b"\x17\x08\x44tracing6\0\0\x08".to_vec();
    file.extend(u32::try_from(PAGE).expect("a page").to_le_bytes());
    formats(&mut file, symbols);
    file.extend(0_u32.to_le_bytes());
    sized(&mut file, "112 fifo\n");
    file.extend(u32::try_from(cpus).expect("few").to_le_bytes());
    file.extend(b"options  \0");
    file.extend(4_u16.to_le_bytes());
    file.extend(u32::try_from(clock.len() + 1).expect("few").to_le_bytes());
    file.extend(clock.as_bytes());
    file.extend([0, 0, 0]);
    file.extend(b"flyrecord\0");
    let of = |cpu| events.iter().filter(|event| event.cpu == cpu).collect::<Vec<_>>();
    let all: Vec<Vec<u8>> = (0..cpus).map(|cpu| pages(&of(cpu))).collect();
    let mut at = (file.len() + 16 * cpus).next_multiple_of(PAGE);
    for pages in &all {
        file.extend((at as u64).to_le_bytes());
        file.extend((pages.len() as u64).to_le_bytes());
        at += pages.len();
    }
    file.resize(file.len().next_multiple_of(PAGE), 0);
    file.extend(all.concat());
    file
}

/// From the formats of pages to the symbols of the kernel.
pub(crate) fn formats(file: &mut Vec<u8>, symbols: &str) {
    let page = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
                \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\
                \tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\
                \tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
    let event = "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\
                 \tarray       :   32 bits\n\n\tpadding     : type == 29\n\ttime_extend : type == 30\n\
                 \ttime_stamp : type == 31\n\tdata max type_len  == 28\n";
    for (name, text) in [("header_page", page), ("header_event", event)] {
        file.extend(name.as_bytes());
        file.push(0);
        sized(file, text);
    }
    file.extend(0_u32.to_le_bytes());
    file.extend(1_u32.to_le_bytes());
    file.extend(b"sched\0");
    file.extend(u32::try_from(FORMATS.len()).expect("few").to_le_bytes());
    for format in &FORMATS {
        sized(file, &format.text());
    }
    file.extend(u32::try_from(symbols.len()).expect("few").to_le_bytes());
    file.extend(symbols.as_bytes());
}

fn sized(file: &mut Vec<u8>, text: &str) {
    file.extend((text.len() as u64).to_le_bytes());
    file.extend(text.as_bytes());
}
