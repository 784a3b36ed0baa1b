//! Names, exported and read back; by a shell, which takes long, of some only.

use crate::exported::shell::Bench;
use crate::exported::{Case, FORMS, check};
use crate::input::Depth;
use vorrang_campaign::random::Random;
use vorrang_enforce::export::Form;

/// The case that a text decides: a seed and the number of an input.
fn case(text: &[u8]) -> Option<Case> {
    let text = std::str::from_utf8(text).ok()?;
    let (seed, index) = text.split_once(' ')?;
    Some(Case::drawn(&mut Random::new(seed.parse().ok()?, index.parse().ok()?)))
}

pub(super) fn take(bench: &Bench, text: &[u8], depth: Depth) -> Result<bool, String> {
    let case = case(text).ok_or("no case")?;
    let by_shell = |form: &Form| matches!(form, Form::Chrt | Form::Xl);
    for form in FORMS.iter().filter(|form| depth >= Depth::Analyse || !by_shell(form)) {
        check(&case, *form, bench).map_err(|why| format!("{why}\n{case:#?}"))?;
    }
    Ok(FORMS.iter().all(|form| case.refusal(*form).is_none()))
}
