//! What is stated, of a description in which the checks found no error.

use crate::description::Field;

pub(super) const CHECKED: &str = "an error was reported for everything else";

pub(super) fn value<T: Clone>(field: &Field<T>) -> T {
    field.get().expect(CHECKED).value.clone()
}

pub(super) fn or<T: Copy>(field: &Field<T>, default: T) -> T {
    field.or(default).expect(CHECKED)
}

pub(super) fn stated<T: Copy>(field: &Field<T>) -> Option<T> {
    field.get().map(|at| at.value)
}

/// A number whose range the key table keeps far below the limit of the type.
pub(super) fn small(number: u64) -> u32 {
    u32::try_from(number).expect(CHECKED)
}
