//! `vorrang diff`: two results of a check, or of two descriptions, compared.

use serde_json::Value;
use std::path::{Path, PathBuf};
use vorrang_command::decided;
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::input::Source;
use vorrang_command::interruption;
use vorrang_command::screen;
use vorrang_quote::name::shown;
use vorrang_sim::Search;
use vorrang_verdict::difference;
use vorrang_verdict::json;
use vorrang_verdict::report::View;

/// Compare two descriptions or results: what turned, moved, is new or gone
///
///     $ vorrang diff examples/proxy-slot.toml examples/proxy-edf.toml
///     requirement       change  was     is       bound was  bound is     by
///                                                     [us]      [us]    [%]
///     ----------------  ------  ------  -------  ---------  --------  -----
///     task.control      worse   proven  refuted      83000    133000  +60.3
///     budget of vcpu.a  new     -       proven           -         0      -
///
///     Of 3 requirements and budgets: 1 worse, 1 new, 1 same.
///
/// Each of the two is a description, which is checked, or what `vorrang check --json` printed of one.
/// Requirements and budgets are matched by name.
///
/// `worse` and `better` are verdicts that turned; `moved` is a bound that changed by more than --moved,
/// or a limit that changed. `new` and `gone` are what only one of them has. The rest is counted.
///
/// To compare with what was committed last:
///
///     git show HEAD:system.toml | vorrang diff - system.toml
///
/// Exit codes: 0 nothing turned worse, 1 a verdict is a worse one, 2 the input is wrong,
/// 130 interrupted.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Diff {
    /// A description or a result, as it was
    #[arg(value_name = "A")]
    was: PathBuf,
    /// A description or a result, as it is
    #[arg(value_name = "B")]
    is: PathBuf,
    /// By how much a bound may change without a mention, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    moved: u64,
    /// Print the result as JSON, format "vorrang-diff/1"
    #[arg(long)]
    json: bool,
}

impl Diff {
    /// # Errors
    /// The input is wrong, it was interrupted, or a bug came to light.
    pub fn run(&self) -> Result<Output, Failure> {
        interruption::listen();
        let files = [&self.was, &self.is];
        let (was, is) = (result(files[0])?, result(files[1])?);
        let difference =
            difference::between(&was, &is, self.moved * 10).map_err(|(which, why)| {
                Failure::bad_input(format!("error: {}: {why}\n", shown(files[which])))
            })?;
        let exit = if difference.is_worse() { Exit::Refuted } else { Exit::Success };
        let text = if self.json {
            format!("{:#}\n", difference.document())
        } else {
            difference.text(screen::output())
        };
        Ok(Output { text, exit })
    }
}

/// A result as it is, or that of a description.
fn result(file: &Path) -> Result<Value, Failure> {
    let source = Source { file: file.to_owned(), format: None, allow: Vec::new(), text: None };
    let bytes = source.read_bytes()?;
    if let Ok(document) = serde_json::from_slice::<Value>(&bytes)
        && document.get("format").is_some()
    {
        return Ok(document);
    }
    let input = source.told(&bytes)?;
    let checked = decided::checked(input, Search::default(), false)?;
    if checked.interrupted {
        let message = "interrupted: there is nothing to compare\n".to_owned();
        return Err(Failure { exit: Exit::Interrupted, message });
    }
    Ok(json::document(&checked, &View::default(), &[]))
}
