//! Full names and what they stand for.

use crate::description::{At, Declared, Description, Field, Reference};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, excerpt};
use crate::keys::Noun;
use std::collections::{BTreeMap, BTreeSet};

/// Something declared: its kind, and its index among those of its kind (cores and servers count
/// as one kind).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) noun: Noun,
    pub(super) index: usize,
}

/// Everything that a reference can name.
pub(super) struct Names<'a> {
    targets: BTreeMap<&'a str, Target>,
    refused: &'a BTreeSet<String>,
    refuses_caches: bool,
}

impl<'a> Names<'a> {
    pub(super) fn of(description: &'a Description) -> Self {
        let mut names = Self {
            targets: BTreeMap::new(),
            refused: &description.refused,
            refuses_caches: description.refuses_caches,
        };
        names.add(&description.supplies);
        names.add(&description.tasks);
        names.add(&description.interrupts);
        names.add(&description.timers);
        names.add(&description.devices);
        names.add(&description.caches);
        names.add(&description.requirements);
        names
    }

    fn add<T>(&mut self, declared: &'a [Declared<T>]) {
        let is_plain = |name: &str| name.chars().all(|c| c.is_ascii_graphic());
        let declared = declared.iter().enumerate();
        let targets =
            declared.filter(|(_, declared)| is_plain(&declared.name)).map(|(index, declared)| {
                (declared.name.as_str(), Target { noun: declared.noun, index })
            });
        self.targets.extend(targets);
    }

    /// What a reference names. `None` if it is absent or wrong (which has been reported) or names
    /// nothing that may stand there (which is reported now).
    pub(super) fn find(&self, reference: &Field<Reference>, errors: &mut Errors) -> Option<Target> {
        let at = reference.get()?;
        let nouns = at.value.nouns;
        match self.targets.get(at.value.text.as_str()) {
            Some(target) if nouns.contains(&target.noun) => Some(*target),
            Some(target) => {
                errors.push(wrong_target(at, target.noun));
                None
            }
            None if self.refused.contains(&at.value.text) => None,
            None if self.refuses_caches && at.value.nouns == [Noun::Cache] => None,
            None => {
                let missing = self.missing(at, errors);
                errors.push(missing);
                None
            }
        }
    }

    fn missing(&self, at: &At<Reference>, errors: &mut Errors) -> Diagnostic {
        let Reference { text, nouns, key } = &at.value;
        let (noun, bare) = match text.split_once('.') {
            Some((noun, bare)) => (Noun::of_word(noun), bare),
            None => (None, text.as_str()),
        };
        let shown = excerpt(text);
        let diagnostic = match noun {
            None => {
                let message = format!("`{key}` is \"{shown}\", which is no full name");
                Diagnostic::new(Code::NotAReference, at.span.clone(), message)
                    .label(format!("expected {} and a dot before the name", words(nouns)))
            }
            Some(noun) if !nouns.contains(&noun) => wrong_target(at, noun),
            Some(_) => {
                let message = format!("there is no `{shown}`");
                Diagnostic::new(Code::MissingTarget, at.span.clone(), message)
                    .label("not declared anywhere")
            }
        };
        diagnostic.suggest(self.nearest(text, bare, nouns, errors))
    }

    /// The right name after a wrong word, or without one, is a better guess than a near name.
    fn nearest(
        &self,
        text: &str,
        bare: &str,
        nouns: &[Noun],
        errors: &mut Errors,
    ) -> Option<&'a str> {
        let full = |noun: &Noun| format!("{}.{bare}", noun.word());
        let same_name =
            nouns.iter().find_map(|noun| self.targets.get_key_value(full(noun).as_str()));
        if let Some((name, _)) = same_name {
            return Some(name);
        }
        if nouns.contains(&Noun::Core)
            && let Some((name, _)) = self.targets.get_key_value(core_of(text).as_str())
        {
            return Some(name);
        }
        // All names of one noun stand together: from `core.` to before `core/`.
        let of_noun = |noun: &Noun| {
            let range = format!("{}.", noun.word())..format!("{}/", noun.word());
            self.targets.range::<str, _>((
                std::ops::Bound::Included(range.start.as_str()),
                std::ops::Bound::Excluded(range.end.as_str()),
            ))
        };
        errors.nearest(text, nouns.iter().flat_map(of_noun).map(|(name, _)| *name))
    }
}

/// The core of a text that calls it by its processor: `cpu0`, `CPU 0`, `core0`, `0`.
fn core_of(text: &str) -> String {
    let text = text.to_lowercase();
    let words = ["pcpu", "cpu", "core", "processor"];
    let bare = words.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(&text);
    format!("core.{}", bare.trim_start_matches([' ', '.', ':', '-', '_', '/', '#']))
}

fn wrong_target(at: &At<Reference>, noun: Noun) -> Diagnostic {
    let Reference { text, nouns, key } = &at.value;
    let message = format!("`{key}` cannot be `{}`, which is a {}", excerpt(text), noun.word());
    Diagnostic::new(Code::WrongTarget, at.span.clone(), message)
        .label(format!("expected {}", words(nouns)))
}

/// `a core, vcpu or server`.
fn words(nouns: &[Noun]) -> String {
    let words: Vec<_> = nouns.iter().map(|noun| format!("`{}`", noun.word())).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => String::new(),
    }
}
