//! Files that are cut, changed, or of a kind that is not read.

use crate::read::{HARD, SYMBOLS, data, made, text};
use crate::writer::{events, file};
use std::fs;

#[track_caller]
fn refused(bytes: Vec<u8>, why: &str) {
    let refused = text(bytes).expect_err(why).to_string();
    assert!(refused.starts_with("byte ") && refused.contains(why), "{refused}");
}

#[test]
fn what_is_not_read_is_named() {
    let sound = file(&events(HARD), SYMBOLS, "mono");
    let changed = |at: usize, to: u8| {
        let mut file = sound.clone();
        file[at] = to;
        file
    };
    refused(changed(10, b'5'), "byte 10: this is version \"5\"");
    refused(changed(12, 1), "the largest byte first");
    refused(file(&events(HARD), SYMBOLS, "counter"), "clock is counter");
    refused(file(&events(HARD), SYMBOLS, "local [x86-tsc]"), "clock is x86-tsc");
    let page = sound.len() - 4096;
    let mut lost = sound.clone();
    lost[page + 11] |= 0x80;
    refused(lost, &format!("byte {page}: processor 1: the kernel lost events"));
    // An event with a number that no format has.
    refused(changed(page + 20, 0xff), "processor 1: there is no format for this event");
    refused(b"PERFILE2".to_vec(), "cut");
    refused(b"PERFILE2\x10\0\0\0\0\0\0\0".to_vec(), "it was written to a pipe");
    refused(b"PERFFILE and more".to_vec(), "does not stand here");
}

/// Wherever a file ends, that is said, unless nothing but names of its parts is missing.
#[test]
fn a_file_that_is_cut_is_refused() {
    for name in ["7.2-rt.v6.dat", "7.2-rt.v7.dat", "7.2-rt.v7-zstd.dat"] {
        let whole = fs::read(data(name)).expect(name);
        let (all, mut refused) = (text(whole.clone()).expect(name), 0);
        for length in (0..whole.len()).step_by(97) {
            match text(whole[..length].to_vec()) {
                Ok(text) => assert!(text == all, "{name}, {length} bytes"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused + 2 >= whole.len() / 97, "{name}: {refused}");
    }
}

/// Every byte may be anything: an answer, or an error with its place.
#[test]
fn no_byte_ends_the_program() {
    for name in ["7.2-rt.v6.dat", "7.2-rt.v7.dat", "7.2-rt.v7-zstd.dat"] {
        let whole = fs::read(data(name)).expect(name);
        for at in (0..whole.len()).step_by(211) {
            let mut changed = whole.clone();
            changed[at] ^= 0xa5;
            // A name may hold anything: what is made is looked at as bytes.
            if let Err(why) = made(changed) {
                let why = why.to_string();
                assert!(why.starts_with("byte "), "{name}, {at}: {why}");
            }
        }
    }
}
