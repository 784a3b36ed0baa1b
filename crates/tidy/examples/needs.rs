//! Prints which files of a crate need which:
//! `cargo run -p vorrang-tidy --example needs -- crates/sim/src [FILE...]`, of these files only.

use std::collections::BTreeSet;
use std::path::Path;
use vorrang_tidy::Modules;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("the folder of the sources of a crate is missing")?;
    let only: BTreeSet<String> = arguments.collect();
    let modules = Modules::read(Path::new(&folder))?;
    let is_asked = |file: &str| only.is_empty() || only.contains(file);
    for (needs, needed) in modules.needs() {
        if is_asked(needs) && is_asked(needed) {
            println!("{needs} -> {needed}");
        }
    }
    Ok(())
}
