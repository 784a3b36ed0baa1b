//! Faults on purpose: that each is noticed is tested.

use std::hint::black_box;

/// The faults, by their numbers.
pub const FAULTS: [&str; 6] = ["panic", "wrong", "slow", "hungry", "abort", "endless"];

/// Commits the fault that a text decides: behind a seed, the number of an input.
///
/// # Errors
/// The fault is to be wrong.
///
/// # Panics
/// The fault is to panic.
pub fn commit(text: &[u8]) -> Result<bool, String> {
    let number = std::str::from_utf8(text)
        .ok()
        .and_then(|text| text.split(' ').nth(1)?.parse::<usize>().ok());
    match number.and_then(|number| FAULTS.get(number)).copied().unwrap_or_default() {
        "panic" => panic!("on purpose"),
        "wrong" => return Err("on purpose".to_owned()),
        "slow" => {
            let begin = crate::cost::now_ns();
            while crate::cost::now_ns() - begin <= crate::cost::MOST_NS {}
        }
        "hungry" => {
            let size = usize::try_from(crate::cost::MOST_BYTES).expect("a size");
            black_box(vec![1_u8; size]);
        }
        "abort" => std::process::abort(),
        "endless" => loop {
            black_box(());
        },
        _ => {}
    }
    Ok(true)
}
