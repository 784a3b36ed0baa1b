//! Misspelt words in a description, corrected in its file.
//!
//! **Model.** Corrected is what can mean nothing else: a key, a table, or one of the words that may stand there, each
//! spelt nearly so. A name that is not declared, or a number without a unit, may mean something else: it is only said
//! what was probably meant. One correction may uncover further errors, so this is repeated until nothing is left.

use crate::edited;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use vorrang_command::exit::Failure;
use vorrang_command::input::{self, Source};
use vorrang_model::{Code, Correction, Format, corrected, correction, included, positions, read};
use vorrang_quote::name::shown;

/// Corrects the file and what it includes, and says on standard error what was changed.
///
/// # Errors
/// It cannot be read or written.
pub(super) fn fix(source: &Source, file: &Path) -> Result<(), Failure> {
    let mut files = vec![(file.to_owned(), source.clone())];
    let mut at = 0;
    while let Some((file, source)) = files.get(at).cloned() {
        for path in correct(&source, &file)? {
            // What is not there is an error of the check.
            if path.is_file() && files.iter().all(|(known, _)| *known != path) {
                files.push((path, Source { format: None, ..source.clone() }));
            }
        }
        at += 1;
    }
    Ok(())
}

/// Of one file; what it includes then.
fn correct(source: &Source, file: &Path) -> Result<Vec<PathBuf>, Failure> {
    let name = shown(file);
    let bytes = input::file(file).map_err(|why| {
        Failure::bad_input(format!("error: {name}: {}\n", input::explained(&why)))
    })?;
    // What is no text is an error of the check.
    let Ok(mut text) = String::from_utf8(bytes) else { return Ok(Vec::new()) };
    let format = Source { file: file.to_owned(), ..source.clone() }.format();
    let mut said = String::new();
    loop {
        let changes = spelling(&text, format);
        if changes.is_empty() {
            break;
        }
        for (line, Correction { span, text: to }) in &changes {
            writeln!(said, "{name}:{line}: {to} instead of {}", &text[span.clone()])
                .expect("a string takes everything");
        }
        let changes: Vec<Correction> = changes.into_iter().map(|(_, change)| change).collect();
        text = corrected(&text, &changes);
    }
    if !said.is_empty() {
        edited::replace(file, &text)?;
        eprint!("{said}");
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let named = included(&text, format).into_iter();
    Ok(named.map(|named| folder.join(named)).collect())
}

/// What is misspelt, each with its line.
fn spelling(text: &str, format: Format) -> Vec<(usize, Correction)> {
    let Err(errors) = read(text, format) else { return Vec::new() };
    let lines = positions(&errors, text.as_bytes()).into_iter().map(|(line, _)| line);
    let of_words = lines.zip(&errors).filter(|(_, error)| is_spelling(error.code));
    of_words.filter_map(|(line, error)| Some((line, correction(text, format, error)?))).collect()
}

const fn is_spelling(code: Code) -> bool {
    matches!(code, Code::UnknownKey | Code::UnknownTable | Code::UnknownWord)
}
