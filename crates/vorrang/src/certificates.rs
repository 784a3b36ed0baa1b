//! Certificates beside the verdicts of `vorrang check`.
//!
//! **Model.** A requirement is *proven, certified* if it is proven, and the checker accepts a certificate of a bound
//! within its limit. A certified bound is found without the analysis, so the two are compared: a response in a history
//! beyond it is a bug, as beyond any bound.

use std::collections::BTreeMap;
use vorrang_certificate::Certificate;
use vorrang_certify::{Uncertified, as_file, certificates};
use vorrang_command::exit::Failure;
use vorrang_time::Duration;
use vorrang_verdict::bug;
use vorrang_verdict::checked::Checked;
use vorrang_verdict::evidence::Compared;
use vorrang_verdict::outcome::Verdict;
use vorrang_verdict::prose::wrapped;
use vorrang_verdict::ruling::Ruling;
use vorrang_verdict::screen::Screen;
use vorrang_verdict::table::{self, Column};

/// Certificates of all requirements, or why there are none.
pub(crate) struct Certified(Vec<Result<Certificate, Uncertified>>);

impl Certified {
    /// Those of what was checked.
    ///
    /// # Errors
    /// A history, or the checker, contradicts one: a bug.
    pub(crate) fn of(checked: &Checked) -> Result<Self, Failure> {
        let found = certificates(&checked.input.system, vorrang_certify::STEPS);
        let broken = |(ruling, found): (&Ruling, &Result<Certificate, Uncertified>)| {
            let bound = Duration::from_ns(found.as_ref().ok()?.bound);
            let observed = ruling.observed.clone().filter(|seen| seen.response > bound)?;
            Some(Compared { name: ruling.name.clone(), core: ruling.core, bound, observed })
        };
        let broken: Vec<_> = checked.rulings.iter().zip(&found).filter_map(broken).collect();
        if !broken.is_empty() {
            return Err(bug::of(&checked.input, &checked.observations, &broken).into());
        }
        Ok(Self(found))
    }

    /// The certificates of the requirements that are proven and certified, with their names.
    fn kept<'a>(
        &'a self,
        rulings: &'a [Ruling],
    ) -> impl Iterator<Item = (&'a str, &'a Certificate)> {
        rulings.iter().zip(&self.0).filter_map(|(ruling, found)| {
            let certificate = found.as_ref().ok()?;
            is_certified(ruling, certificate).then_some((ruling.name.as_str(), certificate))
        })
    }

    /// The file of these.
    pub(crate) fn file(&self, rulings: &[Ruling]) -> String {
        as_file(self.kept(rulings))
    }

    /// What is certified, and why the rest is not.
    pub(crate) fn text(&self, screen: Screen, rulings: &[Ruling]) -> String {
        let bound = |found: &Result<Certificate, Uncertified>| {
            found.as_ref().ok().map(|found| Duration::from_ns(found.bound))
        };
        let verdict = |(ruling, found): (&Ruling, &Result<Certificate, Uncertified>)| {
            let certified = found.as_ref().is_ok_and(|found| is_certified(ruling, found));
            format!("{}{}", ruling.verdict.word(), if certified { ", certified" } else { "" })
        };
        let columns = [
            Column::words("requirement", rulings.iter().map(|ruling| ruling.name.clone())),
            Column::times("limit", rulings.iter().map(|ruling| Some(ruling.limit))),
            Column::times("bound", rulings.iter().map(|ruling| ruling.bound)),
            Column::times("certified", self.0.iter().map(bound)),
            Column::words("verdict", rulings.iter().zip(&self.0).map(verdict)),
        ];
        let mut out = format!("\nCertificates:\n\n{}", table::draw(screen, &columns));
        for (why, names) in self.reasons(rulings) {
            let first = if out.contains(NOT) { "" } else { NOT };
            out += first;
            out += &wrapped(screen, &format!("{}: {why}", names.join(", ")), "  ", "    ");
        }
        out
    }

    /// What is proven and not certified, by reason.
    fn reasons<'a>(&self, rulings: &'a [Ruling]) -> BTreeMap<String, Vec<&'a str>> {
        let mut reasons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (ruling, found) in rulings.iter().zip(&self.0) {
            let why = match found {
                Ok(found) if is_certified(ruling, found) => continue,
                _ if ruling.verdict != Verdict::Proven => continue,
                Ok(_) => "the mechanised theorems show a larger bound, which is above the limit"
                    .to_owned(),
                Err(why) => why.to_string(),
            };
            reasons.entry(why).or_default().push(&ruling.name);
        }
        reasons
    }
}

const NOT: &str = "\nNot certified:\n";

fn is_certified(ruling: &Ruling, certificate: &Certificate) -> bool {
    ruling.verdict == Verdict::Proven && certificate.bound <= ruling.limit.as_ns()
}
