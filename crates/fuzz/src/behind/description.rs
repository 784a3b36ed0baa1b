//! A description: read, complained about, resolved, bounded, exported, planned; or checked as a whole.

use super::bench::{Bench, run};
use crate::exported::FORMS;
use crate::input::Depth;
use crate::machine::machine;
use std::hint::black_box;
use vorrang_enforce::export::export;
use vorrang_enforce::plan;
use vorrang_model::{Colour, Format, System, read_profile, read_with, render};

pub(super) fn take(
    bench: &Bench,
    text: &[u8],
    format: Format,
    depth: Depth,
) -> Result<bool, String> {
    if depth == Depth::Run {
        let name = if format == Format::Json { "system.json" } else { "system.toml" };
        let file = bench.file(name, text)?;
        let words: &[&str] = if text.len().is_multiple_of(2) {
            &["check", &file]
        } else {
            &["check", &file, "--json"]
        };
        return run(words);
    }
    let find = |_: &str| {
        read_profile(&bench.corpus.profile, Format::Toml).map_err(|_| "it has errors".to_owned())
    };
    match read_with(text, format, find) {
        Ok(system) => {
            if depth == Depth::Analyse {
                analyse(&system);
            }
            Ok(true)
        }
        Err(complaints) => {
            if render(&complaints, "system", text, Colour::Never).is_empty() {
                return Err("refused without a word".to_owned());
            }
            Ok(false)
        }
    }
}

fn analyse(system: &System) {
    black_box(vorrang_analysis::bounds(system));
    for form in FORMS {
        let _refused = black_box(export(system, form));
    }
    let _refused = black_box(plan(&machine(), system));
}
