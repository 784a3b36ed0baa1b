//! What a kernel hands out while it is traced, page by page.

use crate::formats::{FORMATS, Format};
use crate::read::{HARD, SYMBOLS, data, equal};
use crate::writer::{Event, events, pages};
use std::collections::VecDeque;
use std::fs;
use std::io::{self, ErrorKind, Read};
use vorrang_recorded::Live;

/// A buffer that has so many pages at a time, then nothing for now.
struct Buffer {
    pages: VecDeque<Vec<u8>>,
    at_a_time: usize,
    given: usize,
}

impl Read for Buffer {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.given == self.at_a_time || self.pages.is_empty() {
            self.given = 0;
            return Err(ErrorKind::WouldBlock.into());
        }
        self.given += 1;
        let page = self.pages.pop_front().expect("a page");
        into[..page.len()].copy_from_slice(&page);
        Ok(page.len())
    }
}

/// The pages of each processor, which hold an event each.
fn buffers(all: &[Event], at_a_time: [usize; 2]) -> Vec<(usize, Buffer)> {
    let buffer = |(cpu, at_a_time)| {
        let own = all.iter().filter(|event| event.cpu == cpu);
        let pages = own.map(|event| pages(&[event])).collect();
        (cpu, Buffer { pages, at_a_time, given: 0 })
    };
    (0..).zip(at_a_time).map(buffer).collect()
}

fn live(buffers: Vec<(usize, Buffer)>) -> Live<Buffer> {
    let formats: Vec<String> = FORMATS.iter().map(Format::text).collect();
    Live::new(&formats, SYMBOLS.as_bytes(), buffers).expect("formats")
}

/// However much is there of each processor at a reading, the text is in the order of time.
#[test]
fn processors_that_are_behind_are_waited_for() {
    for (name, printed) in [
        ("7.2-rt", fs::read_to_string(data("7.2-rt.trace")).expect("a trace")),
        ("hard", HARD.to_owned()),
    ] {
        let all = events(&printed);
        for at_a_time in [[1, 1], [7, 1], [1, 7], [1000, 1000]] {
            let mut live = live(buffers(&all, at_a_time));
            let (mut text, mut before) = (Vec::new(), 0);
            for _ in 0..all.len() {
                live.read(&mut text).expect("pages");
                assert!(text.len() >= before && (text.is_empty() || text.ends_with(b"\n")));
                before = text.len();
            }
            assert!(before > 0, "some is told before the end");
            live.finish(&mut text).expect("pages");
            equal(&String::from_utf8(text).expect("a text"), &printed, name);
        }
    }
}

/// What one processor did is not told while another one, read before it, may have done something earlier.
#[test]
fn nothing_is_told_before_what_may_come() {
    let all = events(HARD);
    let mut live = live(buffers(&all, [1, 1]));
    let mut text = Vec::new();
    live.read(&mut text).expect("pages");
    assert!(text.is_empty(), "nothing was read before: {}", String::from_utf8_lossy(&text));
    live.read(&mut text).expect("pages");
    let told = String::from_utf8(text).expect("a text");
    // The newest page of the first reading is that of 7.000000002 on processor 0.
    assert_eq!(told.lines().count(), 2, "{told}");
    assert!(told.contains("irq_handler_entry") && !told.contains("irq_handler_exit"), "{told}");
}

#[test]
fn what_is_wrong_is_said() {
    let all = events(HARD);
    let cut = |change: fn(&mut Vec<u8>)| {
        let mut own = buffers(&all, [9, 9]);
        change(&mut own[0].1.pages[0]);
        live(own).finish(&mut Vec::new()).expect_err("it is wrong").to_string()
    };
    assert_eq!(cut(|page| page.truncate(12)), "processor 0: a page of events is cut");
    assert_eq!(cut(|page| page[11] |= 0x80), "processor 0: the kernel lost events");
    let number = |page: &mut Vec<u8>| page[20..22].copy_from_slice(&[0xff, 0xff]);
    assert_eq!(cut(number), "processor 0: there is no format for this event");
    let formats = vec!["name: a\n".to_owned()];
    let none: Vec<(usize, Buffer)> = Vec::new();
    assert!(Live::new(&formats, SYMBOLS.as_bytes(), none).is_err());
}
