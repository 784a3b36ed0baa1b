//! Results as JUnit reads them: a suite for each file, a case for each requirement and budget.
//!
//! **Model.** What is refuted has failed, with the command that shows it. What is undecided has failed too, as nothing
//! proves it, unless it is to be skipped. What is proven of an average says so in its output. A file that is wrong is one case with an error.

use crate::finding::Case;
use crate::judged::Judged;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use vorrang_quote::name::shown;
use vorrang_verdict::outcome::Verdict;

/// What an undecided requirement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// As one that is refuted.
    Failure,
    /// One that was not tried.
    Skipped,
}

/// The document.
pub fn text(judged: &[Judged], undecided: Undecided) -> String {
    let mut report = Report::new("vorrang check");
    report.add_test_suites(judged.iter().map(|one| suite(one, undecided)));
    report.to_string().expect("a report in memory can always be written")
}

fn suite(judged: &Judged, undecided: Undecided) -> TestSuite {
    let name = shown(&judged.file);
    let mut suite = TestSuite::new(name.clone());
    match &judged.outcome {
        Ok(_) => {
            let cases = judged.cases().into_iter().map(|own| case(&name, &own, undecided));
            suite.add_test_cases(cases);
        }
        Err(refusal) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message("the description is wrong").set_description(&*refusal.message);
            let mut wrong = TestCase::new("reading the description", status);
            wrong.set_classname(name);
            suite.add_test_case(wrong);
        }
    }
    suite
}

fn case(file: &str, case: &Case, undecided: Undecided) -> TestCase {
    let mut status = match (case.verdict, undecided) {
        (Verdict::Proven, _) => TestCaseStatus::success(),
        (Verdict::Undecided, Undecided::Skipped) => TestCaseStatus::skipped(),
        (Verdict::Undecided | Verdict::Refuted, _) => {
            TestCaseStatus::non_success(NonSuccessKind::Failure)
        }
    };
    if let Some(finding) = &case.finding {
        status.set_message(&*finding.text).set_description(finding.lines());
        if let Some(code) = finding.code {
            status.set_type(code);
        }
    }
    let mut test = TestCase::new(case.name.clone(), status);
    test.set_classname(file);
    if let Some(on) = &case.on {
        test.set_system_out(on);
    }
    test
}
