//! Files of `perf record`, written here, and the text that is made of them.

use crate::formats::FORMATS;
use crate::read::{HARD, SYMBOLS, data, equal, made, text};
use crate::writer::{Event, events, formats};
use std::{env, fs};

/// Identifier, address, thread, time, processor, period, values.
const HOLDS: u64 = 1 << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 8 | 1 << 10;
const HEADER: usize = 104;
const ATTRIBUTE: usize = 128;
/// Kinds of records.
const LOST: u32 = 2;
const SAMPLE: u32 = 9;
const ROUND: u32 = 68;

fn put(file: &mut Vec<u8>, values: &[u64]) {
    file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn record(kind: u32, body: &[u8]) -> Vec<u8> {
    let mut record = kind.to_le_bytes().to_vec();
    record.extend(0_u16.to_le_bytes());
    record.extend(u16::try_from(8 + body.len()).expect("short").to_le_bytes());
    record.extend(body);
    record
}

/// What the event with a number is known by.
const fn identifier(number: u16) -> u64 {
    1000 + number as u64
}

fn sample(event: &Event) -> Vec<u8> {
    let number = u16::from_le_bytes([event.record[0], event.record[1]]);
    let mut body = Vec::new();
    put(&mut body, &[identifier(number), 0, 7 | 7 << 32, event.at, event.cpu as u64, 1]);
    // The whole has a multiple of eight bytes.
    let length = (event.record.len() + 4).next_multiple_of(8) - 4;
    body.extend(u32::try_from(length).expect("short").to_le_bytes());
    let mut values = event.record.clone();
    values.resize(length, 0);
    body.extend(values);
    record(SAMPLE, &body)
}

/// Rounds of so many events, of each processor what it has of them.
fn records(events: &[Event]) -> Vec<u8> {
    let mut all = Vec::new();
    // Of an event that is no tracepoint.
    let mut other = Vec::new();
    put(&mut other, &[1, 7, events[0].at]);
    all.extend(record(SAMPLE, &other));
    for round in events.chunks(50) {
        for cpu in (0..4).rev() {
            round
                .iter()
                .filter(|event| event.cpu == cpu)
                .for_each(|event| all.extend(sample(event)));
        }
        all.extend(record(ROUND, &[]));
    }
    all
}

/// A file of these records.
fn file(records: &[u8]) -> Vec<u8> {
    let of = |kind: u32, config: u64, holds: u64| {
        let mut attribute = kind.to_le_bytes().to_vec();
        attribute.extend(u32::try_from(ATTRIBUTE).expect("short").to_le_bytes());
        put(&mut attribute, &[config, 1, holds]);
        attribute.resize(ATTRIBUTE, 0);
        attribute
    };
    let mut attributes: Vec<(Vec<u8>, u64)> = Vec::new();
    for format in &FORMATS {
        let number = format.number;
        attributes.push((of(2, u64::from(number), HOLDS), identifier(number)));
    }
    attributes.push((of(1, 9, 1 << 16 | 1 << 1 | 1 << 2), 1));
    let count = attributes.len();
    let begin = HEADER + count * (ATTRIBUTE + 16);
    let numbers = begin + records.len() + 16;
    let mut file = b"PERFILE2".to_vec();
    let size = (ATTRIBUTE + 16) as u64;
    put(&mut file, &[HEADER as u64, size, HEADER as u64, count as u64 * size]);
    put(&mut file, &[begin as u64, records.len() as u64, 0, 0, 1 << 1, 0, 0, 0]);
    for (place, (attribute, _)) in attributes.iter().enumerate() {
        file.extend(attribute);
        put(&mut file, &[(numbers + 8 * place) as u64, 8]);
    }
    file.extend(records);
    let mut tracing = b"\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0".to_vec();
    formats(&mut tracing, SYMBOLS);
    tracing.extend([0; 12]);
    put(&mut file, &[(numbers + 8 * count) as u64, tracing.len() as u64]);
    for (_, number) in attributes {
        put(&mut file, &[number]);
    }
    file.extend(tracing);
    file
}

#[test]
fn a_file_of_perf_says_what_the_text_of_the_same_events_says() {
    let printed = fs::read_to_string(data("7.2-rt.trace")).expect("a trace");
    let own = file(&records(&events(&printed)));
    if env::var_os("VORRANG_WRITE_DOCS").is_some() {
        fs::write(data("7.2-rt.perf.dat"), &own).expect("it can be written");
    }
    assert!(fs::read(data("7.2-rt.perf.dat")).expect("a file") == own, "write it anew");
    equal(&text(own).expect("a file"), &printed, "7.2-rt");
    equal(&text(file(&records(&events(HARD)))).expect("a file"), HARD, "hard");
}

/// Records of a round stand in any order, and those of the next one may be earlier than some of them.
#[test]
fn events_are_put_in_the_order_of_time() {
    let all = events(HARD);
    let mut records = Vec::new();
    for round in [[3, 0, 2], [1, 5, 4]] {
        records.extend(round.iter().flat_map(|place: &usize| sample(&all[*place])));
        records.extend(record(ROUND, &[]));
    }
    equal(&text(file(&records)).expect("a file"), HARD, "two rounds");
    // Once more a round later it is too late.
    let late = [records, sample(&all[0])].concat();
    let why = text(file(&late)).expect_err("too late").to_string();
    assert!(why.contains("earlier than those of the round before last"), "{why}");
}

#[test]
fn what_is_not_read_of_perf_is_named() {
    let all = events(HARD);
    let sound = records(&all);
    let with = |kind, body: &[u8]| [sound.clone(), record(kind, body)].concat();
    let mut lost = Vec::new();
    put(&mut lost, &[1001, 5]);
    let mut other = Vec::new();
    put(&mut other, &[77, 7, all[0].at]);
    for (records, why) in [
        (with(LOST, &lost), "the kernel lost events"),
        (with(13, &lost), "the kernel lost events"),
        (with(81, &lost), "it is compressed: run `perf script"),
        (with(SAMPLE, &other), "of an event that the file does not name"),
        (Vec::new(), "perf was ended before"),
    ] {
        let said = text(file(&records)).expect_err(why).to_string();
        assert!(said.starts_with("byte ") && said.contains(why), "{said}");
    }
    let mut no_formats = file(&sound);
    no_formats[72] = 0;
    assert!(text(no_formats).expect_err("none").to_string().contains("no formats of events"));
    let nothing = with(LOST, &[0; 16]);
    assert!(text(file(&nothing)).is_ok(), "nothing was lost");
}

#[test]
fn a_file_of_perf_that_is_cut_or_changed_is_read_or_refused() {
    let whole = fs::read(data("7.2-rt.perf.dat")).expect("a file");
    for length in (0..whole.len() - 12).step_by(97) {
        assert!(text(whole[..length].to_vec()).is_err(), "{length} bytes");
    }
    for at in (0..whole.len()).step_by(113) {
        let mut changed = whole.clone();
        changed[at] ^= 0xa5;
        if let Err(why) = made(changed) {
            assert!(why.to_string().starts_with("byte "), "{at}: {why}");
        }
    }
}
