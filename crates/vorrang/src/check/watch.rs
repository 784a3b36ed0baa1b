//! A verdict after each save.
//!
//! **Model.** A description, what it includes and the profiles that it names are looked at 20 times a second: which file it is, how
//! long, and when it was written. What changed is read once nothing has changed for that time, so that neither half a
//! file is judged nor a verdict is missed. A file that was replaced, by whatever editor, is another file of that name.
//! Looking needs nothing of the kernel, so that it works on mounted and shared folders and in containers, too.
//!
//! While the text is wrong the last verdict stands, and it is shown again when the same text is back. The same bytes
//! are not judged again.

use std::io::{self, IsTerminal as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::time::Duration;
use vorrang_command::exit::{Exit, Failure, Output};
use vorrang_command::input::{Source, tell_warnings};
use vorrang_command::interruption;
use vorrang_model::LastText;
use vorrang_verdict::input::Input;

/// How often files are looked at: a verdict appears within two of these, and the time of a check.
const TICK: Duration = Duration::from_millis(50);

/// What tells one state of a file from another: device, number, length, seconds and nanoseconds of the last change.
type Stamp = Option<(u64, u64, u64, i64, i64)>;

/// The files that a verdict depends on, as they were when they were looked at.
#[derive(PartialEq, Eq)]
struct Look {
    files: Vec<(PathBuf, Stamp)>,
}

impl Look {
    fn at(files: &[PathBuf]) -> Self {
        let stamp = |file: &PathBuf| {
            let found = std::fs::metadata(file).ok()?;
            Some((found.dev(), found.ino(), found.len(), found.mtime(), found.mtime_nsec()))
        };
        Self { files: files.iter().map(|file| (file.clone(), stamp(file))).collect() }
    }
}

/// What was judged last.
struct Last {
    /// Of the bytes that were judged; `None`: nothing was yet.
    sha256: Option<String>,
    /// What was printed of it.
    text: String,
    /// What has been wrong since, if something was.
    message: String,
    /// The exit code of the last verdict.
    exit: Exit,
}

/// Judges a description now and after each change, until it is interrupted. `judge` gives the text and the exit code.
///
/// # Errors
/// A bug came to light, or standard output is closed.
pub(super) fn watch(
    source: &Source,
    mut judge: impl FnMut(Input) -> Result<Output, Failure>,
) -> Result<Output, Failure> {
    interruption::listen();
    let mut files = vec![source.file.clone()];
    let mut read = LastText::default();
    let (text, message) = (String::new(), String::new());
    let mut last = Last { sha256: None, text, message, exit: Exit::BadInput };
    while !interruption::is_wanted() {
        let look = Look::at(&files);
        let (bytes, input) = source.seen(&mut read);
        match input {
            Ok(input) => {
                let known: Vec<PathBuf> = input.files.clone();
                if last.sha256.as_ref() != Some(&input.sha256) {
                    tell_warnings(&input, &bytes);
                    let sha256 = Some(input.sha256.clone());
                    let Output { text, exit } = judge(input)?;
                    show(&text)?;
                    last = Last { sha256, text, message: String::new(), exit };
                } else if !last.message.is_empty() {
                    show(&last.text)?;
                    last.message.clear();
                }
                if known != files {
                    // Whether one of them has changed meanwhile shows when all are looked at.
                    files = known;
                    continue;
                }
            }
            Err(refusal) if refusal.message != last.message => {
                eprint!("{}{}", refusal.message, if last.sha256.is_some() { STANDS } else { "" });
                last.message = refusal.message;
            }
            Err(_) => {}
        }
        // A file that is named and wrong is not among the files that are known.
        let most = if last.message.is_empty() { u32::MAX } else { WRONG };
        wait_for_change(&files, look, most);
    }
    Ok(Output { text: String::new(), exit: last.exit })
}

/// What is said where the text is wrong.
const STANDS: &str = "The last verdict stands until that is put right.\n";

/// After so many ticks a text that is wrong is read again.
const WRONG: u32 = 10;

/// Returns when files have changed and are still, after so many ticks at most, or when it was interrupted.
fn wait_for_change(files: &[PathBuf], judged: Look, most: u32) {
    let mut before = judged;
    let mut has_changed = false;
    for _ in 0..most {
        if interruption::is_wanted() {
            return;
        }
        std::thread::sleep(TICK);
        let now = Look::at(files);
        let is_still = now == before;
        if has_changed && is_still {
            return;
        }
        has_changed |= !is_still;
        before = now;
    }
}

/// At once; a terminal shows nothing else.
fn show(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        // Where it cannot be cleared, results stand below each other.
        let _ = console::Term::stdout().clear_screen();
    }
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|why| Failure::host(format!("error: the output cannot be written: {why}\n")))
}
