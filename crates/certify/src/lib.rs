//! Certificates of the requirements of a description, where the mechanised theorems reach.
//!
//! **Model.** `translate/` says what a description means in the terms of `proofs/Certificate.v`: which supply a task
//! or a routine is on, and what is more urgent there. That is what a reviewer has to believe, besides the theorem; the
//! campaign tries it on the simulator. `windows.rs`, `idle_guest.rs` and `budgets.rs` look for the windows and
//! budgets of a certificate, and are not trusted: [`vorrang_certificate::check`] and Coq look at what it found.
//!
//! **Does not cover** what `translate/` refuses, by the page of the theorem that is not mechanised.
//!
//! The analysis is not asked: a certified bound is one that a second, simpler program found. It may be larger than that
//! of the analysis, where the latter uses a theorem more.

mod budgets;
mod guest;
mod idle_guest;
mod translate;
mod uncertified;
mod windows;

pub use uncertified::Uncertified;
pub use windows::Search;

use std::fmt::Write as _;
use vorrang_certificate::{Certificate, check};
use vorrang_model::System;
use vorrang_model::system::{InterruptId, Part, Requirement, RequirementKind, TaskId};

/// Steps with which all certificates of ordinary systems are found: some tens of milliseconds.
pub const STEPS: u64 = 20_000_000;

impl Search {
    /// One with so many steps.
    pub const fn new(steps: u64) -> Self {
        Self::with(steps, translate::of_task)
    }
}

/// For each requirement the least bound that the mechanised theorems show, whatever its limit, as a certificate that
/// was checked; with so many steps for all.
pub fn certificates(system: &System, steps: u64) -> Vec<Result<Certificate, Uncertified>> {
    let mut search = Search::new(steps);
    let mut found = vec![Err(Uncertified::NoWindow); system.requirements.len()];
    // Everything is looked for among the things of a system: those of other parts would be in the way.
    for Part { system, requirements } in system.parts() {
        for (place, required) in requirements.into_iter().zip(&system.requirements) {
            found[place] = of_requirement(&system, required, &mut search);
        }
    }
    found
}

fn of_requirement(
    system: &System,
    of: &Requirement,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    match (of.kind, &of.probability) {
        (_, Some(_)) => {
            Err(Uncertified::not_mechanised("a deadline-miss probability", "thresholds"))
        }
        (RequirementKind::Deadline(task), None) => of_task(system, task, search),
        (RequirementKind::HandledWithin(interrupt), None) => {
            of_interrupt(system, interrupt, search)
        }
    }
}

/// The same of one task.
///
/// # Errors
/// Why there is none.
pub fn of_task(
    system: &System,
    task: TaskId,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    least(translate::of_task(system, task, search)?)
}

/// The same of one interrupt, until it is handled.
///
/// # Errors
/// Why there is none.
pub fn of_interrupt(
    system: &System,
    interrupt: InterruptId,
    search: &mut Search,
) -> Result<Certificate, Uncertified> {
    least(translate::of_interrupt(system, interrupt, search)?)
}

/// The one with the least bound, if the checker accepts all of them.
fn least(found: Vec<Certificate>) -> Result<Certificate, Uncertified> {
    if !found.iter().all(check) {
        return Err(Uncertified::Refused);
    }
    found.into_iter().min_by_key(|one| one.bound).ok_or(Uncertified::NoWindow)
}

/// Certificates of these requirements as a file that `coqc` checks: their names, and what certifies them.
pub fn as_file<'a>(certified: impl Iterator<Item = (&'a str, &'a Certificate)>) -> String {
    let mut text = head();
    for (place, (name, certificate)) in certified.enumerate() {
        let name: String =
            name.chars().filter(|c| c.is_alphanumeric() || "-._/".contains(*c)).collect();
        let term = vorrang_certificate::as_coq(certificate);
        let _ = write!(
            text,
            "\n(* {name}: at most {} ns. *)\nDefinition c{place} := {term}.\n\
             Lemma holds{place} : check c{place} = true. Proof. vm_cast_no_check (eq_refl true). Qed.\n\
             Definition bound{place} := certified c{place} holds{place}.\n",
            certificate.bound
        );
    }
    text
}

/// What such a file has before its certificates.
pub fn head() -> String {
    format!("{BEGINNING}{HEAD}")
}

/// With what it begins.
pub const BEGINNING: &str = "(* Certificates by vorrang.";

const HEAD: &str = " sh scripts/proofs.sh FILE checks them. *)
From Coq Require Import NArith List.
From Vorrang Require Import Kinds Certificate Certified.
Import ListNotations.
Open Scope N_scope.
";
