//! Bytes between the page and this module: the only file that touches memory which the page writes.
//!
//! ```text
//!   page                                    module
//!   at = room(length)           ─────────▶  a buffer of that length
//!   writes the request at `at`
//!   at = reply()                ─────────▶  reads the buffer, answers
//!   reads length (4 bytes, little endian) at `at`, then the answer
//! ```
//!
//! **Assumptions.** 1. One call at a time: there are no threads. 2. The page writes no more than it asked room
//! for, and before the next call. 3. After a panic the instance is thrown away; [`complaint`] may still be read.

#![expect(unsafe_code, reason = "names that the page can call")]

use crate::Core;
use std::cell::RefCell;
use std::panic;

thread_local! {
    static CORE: RefCell<Core> = RefCell::default();
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static REPLY: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a request of this length.
#[unsafe(no_mangle)]
extern "C" fn room(length: u32) -> *mut u8 {
    panic::set_hook(Box::new(|info| {
        keep(&info.to_string());
    }));
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length as usize, 0);
        request.as_mut_ptr()
    })
}

/// The answer to what was written there, behind its length.
#[unsafe(no_mangle)]
extern "C" fn reply() -> *const u8 {
    let request = REQUEST.take();
    let answer = CORE.with_borrow_mut(|core| core.answer(&String::from_utf8_lossy(&request)));
    keep(&answer)
}

/// What a panic said, behind its length.
#[unsafe(no_mangle)]
extern "C" fn complaint() -> *const u8 {
    REPLY.with_borrow(|reply| reply.as_ptr())
}

fn keep(text: &str) -> *const u8 {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    REPLY.with_borrow_mut(|reply| {
        reply.clear();
        reply.extend(length.to_le_bytes());
        reply.extend(text.as_bytes());
        reply.as_ptr()
    })
}
