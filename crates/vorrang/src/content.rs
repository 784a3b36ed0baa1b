//! The kinds of files that commands write, and how an existing file is recognised.
//!
//! **Model.** Only the beginning of a file is read ([`Content::looked_at`]), except for formats that
//! are recognised by their end only.

use vorrang_measure::profile::Profile;
use vorrang_model::{Code, Diagnostic, Format, limits};
use vorrang_observe::schedule::Reader;
use vorrang_verdict::simulation::cdf;

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A trace for Perfetto.
    Perfetto,
    /// A trace in BTF.
    Btf,
    /// Distributions, as CSV.
    Distributions,
    /// The text of a kernel's trace.
    KernelTrace,
    /// The profile of a machine.
    Profile,
    /// A description.
    Description,
    /// A picture.
    Picture,
    /// A report.
    Page,
    /// A histogram of latencies.
    Histogram,
    /// Latencies as a document.
    Latencies,
    /// The page of the workbench.
    Workbench,
    /// Certificates for Coq.
    Certificates,
}

impl Content {
    /// With its article left out: "no …".
    pub fn name(self) -> &'static str {
        match self {
            Self::Perfetto => "trace for Perfetto",
            Self::Btf => "trace in BTF",
            Self::Distributions => "table of distributions",
            Self::KernelTrace => "trace of a kernel",
            Self::Profile => "profile of a machine",
            Self::Description => "description",
            Self::Picture => "picture (SVG)",
            Self::Page => "report (HTML)",
            Self::Histogram => "histogram of latencies",
            Self::Latencies => "document of latencies",
            Self::Workbench => "page of the workbench",
            Self::Certificates => "file of certificates",
        }
    }

    /// The number of bytes from the beginning that identify a file.
    pub fn looked_at(self) -> u64 {
        match self {
            Self::Profile | Self::Latencies | Self::Description => limits::BYTES as u64,
            _ => vorrang_trace::BEGINNING as u64,
        }
    }

    /// Whether a file that begins like this is of this kind.
    pub fn is_that_of(self, beginning: &[u8]) -> bool {
        let text = String::from_utf8_lossy(beginning);
        match self {
            Self::Perfetto => vorrang_trace::is_trace(beginning),
            Self::Btf => text.starts_with(vorrang_trace::BTF_BEGINNING),
            Self::Distributions => text.starts_with(cdf::HEADER),
            Self::KernelTrace => is_kernel_trace(&text),
            Self::Profile => text.parse::<Profile>().is_ok(),
            Self::Description => is_description(&text),
            Self::Picture => text.starts_with("<svg "),
            Self::Page => text.starts_with(vorrang_report::BEGINNING),
            Self::Histogram => text.starts_with("# Histogram\n"),
            Self::Latencies => is_latencies(&text),
            Self::Certificates => text.starts_with(vorrang_certify::BEGINNING),
            Self::Workbench => {
                text.starts_with("<!doctype html>") && text.contains("<title>Vorrang workbench")
            }
        }
    }
}

/// As tracefs heads a trace, or without a head; its first line may be all that is shown.
fn is_kernel_trace(text: &str) -> bool {
    let is_event = |line: &str| !line.starts_with('#') && Reader::default().line(line).is_ok();
    let first = text.lines().find(|line| !line.trim().is_empty());
    text.starts_with("# tracer: ") || first.is_some_and(is_event)
}

/// In either format, complete or with values left open.
fn is_description(text: &str) -> bool {
    [Format::Toml, Format::Json].into_iter().any(|format| {
        let no_profile = |_: &str| Err(String::new());
        let is_usable = |error: &Diagnostic| {
            let code = error.code;
            matches!(code, Code::OpenValue | Code::ProfileUnusable | Code::IncludeUnusable)
        };
        match vorrang_model::read_with(text, format, no_profile) {
            Ok(_) => true,
            Err(errors) => errors.iter().all(is_usable),
        }
    })
}

fn is_latencies(text: &str) -> bool {
    let document: Option<serde_json::Value> = serde_json::from_str(text).ok();
    document.is_some_and(|document| {
        ["file_version", "tool", "conditions"].iter().all(|key| document.get(key).is_some())
    })
}
