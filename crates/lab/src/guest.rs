//! The programs that run in guests: Rust, linked statically against musl.
//!
//! Rust rather than C: the guest and the lab share the types of what is told and heard, and the
//! toolchain that builds the project builds the guest; musl comes with the target, so that no C
//! library for static programs has to be installed.

use crate::failure::Failure;
use crate::program;
use std::path::PathBuf;
use std::process::Command;

/// The target of the toolchain.
pub const TARGET: &str = "x86_64-unknown-linux-musl";

/// Builds a program of the workspace for guests; where it is.
///
/// # Errors
/// It cannot be built; without the target, what to do.
pub fn build(package: &str) -> Result<PathBuf, Failure> {
    let text = program::text(
        Command::new(env!("CARGO"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["build", "--release", "--quiet", "--message-format=json", "--target", TARGET])
            .args(["--package", package, "--bin", package]),
    )
    .map_err(|why| {
        Failure(format!("{why}\n(the target is added by `rustup target add {TARGET}`)"))
    })?;
    let executable = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message.get("executable")?.as_str().map(PathBuf::from)
    };
    let built = text.lines().filter_map(executable).next_back();
    built.ok_or_else(|| Failure(format!("cargo does not say where it put {package}")))
}
