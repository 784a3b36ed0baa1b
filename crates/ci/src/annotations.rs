//! Findings as lines that GitHub's runners turn into annotations of a change, then a line for each file.
//!
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>

use crate::finding::{Finding, Severity};
use crate::judged::Judged;
use crate::text;
use vorrang_verdict::screen::PLAIN;

/// All lines.
pub fn text(judged: &[Judged]) -> String {
    let of = |one: &Judged| {
        let findings = one.findings();
        let file = |finding: &Finding| {
            let included = finding.place.as_ref().and_then(|spot| spot.file.as_ref());
            property(&included.unwrap_or(&one.file).to_string_lossy())
        };
        findings.iter().map(|finding| line(&file(finding), finding)).collect::<String>()
    };
    judged.iter().map(of).collect::<String>() + &text::brief(PLAIN, judged)
}

fn line(file: &str, finding: &Finding) -> String {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let (line, column) = finding.place.as_ref().map_or((1, 1), |spot| spot.place);
    let words = [finding.code, finding.of.as_deref()];
    let title: Vec<&str> = words.into_iter().flatten().collect();
    let title = property(&format!("vorrang {}", title.join(" ")));
    let message = data(&finding.lines());
    format!("::{command} file={file},line={line},col={column},title={title}::{message}\n")
}

/// As the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// As the value of one of its properties.
fn property(text: &str) -> String {
    data(text.trim()).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judged::Spot;

    #[test]
    fn nothing_in_a_name_ends_a_command() {
        let finding = Finding {
            code: Some("R0001"),
            severity: Severity::Error,
            of: Some("task.a".to_owned()),
            text: "100%\r\n::stop".to_owned(),
            help: None,
            replay: None,
            place: Some(Spot { file: None, place: (3, 7) }),
        };
        let said = line(&property("a,b:c\n.toml"), &finding);
        let file = "file=a%2Cb%3Ac%0A.toml,line=3,col=7";
        assert_eq!(
            said,
            format!("::error {file},title=vorrang R0001 task.a::100%25%0D%0A::stop\n")
        );
    }
}
