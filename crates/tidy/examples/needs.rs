//! Prints which files of a crate need which:
//! `cargo run -p vorrang-tidy --example needs -- crates/sim/src [FILE...]`, of these files only.

use std::collections::BTreeSet;
use std::path::Path;
use vorrang_tidy::House;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("the folder of the sources of a crate is missing")?;
    let only: BTreeSet<String> = arguments.collect();
    let house = House::read(Path::new(&folder))?;
    let is_asked = |file: &str| only.is_empty() || only.contains(file);
    for (needs, needed) in house.needs() {
        if is_asked(needs) && is_asked(needed) {
            println!("{needs} -> {needed}");
        }
    }
    Ok(())
}
