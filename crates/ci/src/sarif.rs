//! Findings as SARIF 2.1.0 (OASIS), which code hosts show beside the lines of a change.
//!
//! **Model.** A rule is a code with its page. A result is a finding: its region is where the text declares what it is
//! about. Its fingerprint is of file, code and name, so that it is the same one after lines moved. What is
//! proven is no result.
//!
//! **Does not cover** files outside of the folder that it was called in, of which code hosts know nothing.

use crate::finding::{Finding, Severity};
use crate::judged::Judged;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use vorrang_verdict::codes;
use vorrang_verdict::identity;

/// The schema of the format.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Of a file that cannot be read at all.
const UNREADABLE: &str = "unreadable";

/// The document, with a line feed at the end.
pub fn text(judged: &[Judged]) -> String {
    let found: Vec<(String, Finding)> = judged.iter().flat_map(of_file).collect();
    let known: BTreeMap<&str, (&str, &str)> =
        codes::pages().map(|(code, title, page)| (code, (title, page))).collect();
    let mut rules: Vec<&str> = found.iter().map(|(_, finding)| rule_of(finding)).collect();
    rules.sort_unstable();
    rules.dedup();
    let results: Vec<Value> = found
        .iter()
        .map(|(uri, finding)| {
            let index = rules.binary_search(&rule_of(finding)).expect("its rule is there");
            result(uri, finding, index)
        })
        .collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "vorrang",
                "version": identity::version(),
                "rules": rules.iter().map(|code| rule(code, known.get(code))).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

fn of_file(judged: &Judged) -> Vec<(String, Finding)> {
    let uri = |finding: &Finding| {
        let included = finding.place.as_ref().and_then(|spot| spot.file.as_ref());
        uri(included.unwrap_or(&judged.file))
    };
    judged.findings().into_iter().map(|finding| (uri(&finding), finding)).collect()
}

fn rule_of(finding: &Finding) -> &'static str {
    finding.code.unwrap_or(UNREADABLE)
}

fn rule(code: &str, page: Option<&(&str, &str)>) -> Value {
    let (title, page) = page.unwrap_or(&("the file cannot be read", "The file cannot be read."));
    json!({
        "id": code,
        "shortDescription": { "text": title },
        "help": { "text": page, "markdown": page },
    })
}

fn result(uri: &str, finding: &Finding, index: usize) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri } });
    if let Some((line, column)) = finding.place.as_ref().map(|spot| spot.place) {
        physical["region"] = json!({ "startLine": line, "startColumn": column });
    }
    let mut location = json!({ "physicalLocation": physical });
    if let Some(name) = &finding.of {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": name }]);
    }
    json!({
        "ruleId": rule_of(finding),
        "ruleIndex": index,
        "level": match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": { "text": finding.lines() },
        "locations": [location],
        "partialFingerprints": { "vorrang/v1": fingerprint(uri, finding) },
    })
}

/// The same as long as the finding is: without lines, times and remedies.
fn fingerprint(uri: &str, finding: &Finding) -> String {
    let about = finding.of.as_ref().unwrap_or(&finding.text);
    let of = format!("{uri}\0{}\0{about}", rule_of(finding));
    Sha256::digest(of).iter().take(16).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A path as a reference: relative ones to the folder of the call.
fn uri(path: &Path) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let scheme = if path.is_absolute() { "file://" } else { "" };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.as_os_str().as_encoded_bytes().iter().fold(scheme.to_owned(), |mut text, &byte| {
        if plain(byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}
