//! Writes `examples/consolidation.toml` to standard output.
//!
//! ```text
//! cargo run -p vorrang --example consolidation -- --seed 1 > examples/consolidation.toml
//! ```

mod generator;
mod layout;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seed = match &arguments[..] {
        [] => Some(1),
        [flag, seed] if flag == "--seed" => seed.parse().ok(),
        _ => None,
    };
    let Some(seed) = seed else {
        eprintln!("usage: consolidation [--seed NUMBER]");
        return ExitCode::from(2);
    };
    print!("{}", generator::description(seed));
    ExitCode::SUCCESS
}
