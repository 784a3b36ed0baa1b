//! Pages of a kernel that was traced (6.18, two processors, a thread that sleeps for 2 ms): what is learnt of its events is
//! what is learnt of their text.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use vorrang_learn::{Learner, Separation, Wanted};
use vorrang_recorded::Live;

struct Buffer(VecDeque<Vec<u8>>);

impl Read for Buffer {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let page = self.0.pop_front().ok_or(ErrorKind::WouldBlock)?;
        into[..page.len()].copy_from_slice(&page);
        Ok(page.len())
    }
}

/// Formats, addresses of functions and pages, with zeroes between; before a page stand its processor (1) and length (4).
fn live() -> Live<Buffer> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../observe/tests/data/6.18.pages");
    let bytes = std::fs::read(path).expect("pages");
    let parts: Vec<&[u8]> = bytes.splitn(3, |byte| *byte == 0).collect();
    let [formats, symbols, mut rest] = parts[..] else { panic!("three parts") };
    let formats = std::str::from_utf8(formats).expect("formats").split("name: ").skip(1);
    let formats: Vec<String> = formats.map(|text| format!("name: {text}")).collect();
    let mut buffers: BTreeMap<usize, Buffer> = BTreeMap::new();
    while let Some((&[cpu, a, b, c, d], behind)) = rest.split_first_chunk() {
        let (page, behind) = behind.split_at(u32::from_le_bytes([a, b, c, d]) as usize);
        let Buffer(pages) = buffers.entry(cpu.into()).or_insert(Buffer(VecDeque::new()));
        pages.push_back(page.to_vec());
        rest = behind;
    }
    Live::new(&formats, symbols, buffers).expect("formats")
}

#[test]
fn events_are_learnt_as_their_text() {
    let separations = [("wakes".to_owned(), Separation::Timer)].into();
    let wanted = Wanted { separations, ..Wanted::default() };
    let (mut of_text, mut of_events) = (Learner::new(wanted.clone()), Learner::new(wanted));
    let mut text = Vec::new();
    live().finish(&mut text).expect("a text");
    of_text.text(&text).expect("a trace");
    let mut events = live();
    let taken = events.records(true, |record| of_events.record(record).map_err(io::Error::other));
    taken.expect("a trace");
    let (of_text, of_events) = (of_text.finish(), of_events.finish());
    assert_eq!(of_text, of_events);

    assert!(of_events.events > 300 && of_events.has_calls && of_events.resolution == 1);
    let thread = of_events.threads.values().find(|thread| thread.name == b"wakes");
    let thread = thread.expect("it ran");
    // It asks for each instant, so its releases have no jitter but that of asking late.
    let fit = thread.arrivals.periodic.fit().expect("a period");
    assert!((2_000_000..2_200_000).contains(&fit.period), "{fit:?}");
    assert!(thread.executed.count() > 20 && thread.sleeps.contains_key(&Separation::Timer));
}
