//! How far a search is, told to the page while it goes on.
//!
//! **Assumptions.** 1. The page gives a module that it instantiates the function `progress` of `page`.

#![cfg_attr(target_arch = "wasm32", expect(unsafe_code, reason = "a function of the page"))]

/// The page is told of one step in so many, which is often enough to see it go on.
const STEPS_EACH: u64 = 256;

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    safe fn progress(done: f64, most: f64);
}

/// Elsewhere there is no page.
#[cfg(not(target_arch = "wasm32"))]
fn progress(_: f64, _: f64) {}

/// Hears of each step of a search, and how many there may be at most.
#[expect(clippy::cast_precision_loss, reason = "numbers of JavaScript, which are shown")]
pub(crate) fn told(taken: u64, most: u64) {
    if taken.is_multiple_of(STEPS_EACH) {
        progress(taken as f64, most as f64);
    }
}
