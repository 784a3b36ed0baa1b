//! The programs that run in guests: Rust, linked statically.
//!
//! Rust rather than C: the guest and the lab share the types of plans and records, and the toolchain of the
//! project builds the guest. The C library is the static one of the host, which comes with what a linker
//! needs anyway, so that no other target has to be fetched.

use crate::failure::Failure;
use crate::program;
use std::path::PathBuf;
use std::process::Command;

/// The guests are of this kind, whatever the host is.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The programs of the guest's own crate; any other has a crate of its name.
const OF_GUEST: [&str; 4] = ["vorrang-device", "vorrang-guest", "vorrang-probe", "vorrang-vcpu"];

/// Builds a program of the workspace for guests; returns its path.
///
/// # Errors
/// It cannot be built.
pub fn build(name: &str) -> Result<PathBuf, Failure> {
    let package = if OF_GUEST.contains(&name) { "vorrang-guest" } else { name };
    let text = program::text(
        // By its name: the toolchain selector then also selects the compiler, even where a dependency ships a
        // file that requests another.
        Command::new("cargo")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            // With a target, these are not those of programs that run while it is built.
            .env("RUSTFLAGS", "-C target-feature=+crt-static")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .args(["build", "--profile", "guest", "--quiet", "--message-format=json"])
            .args(["--target", TARGET])
            .args(["--package", package, "--bin", name]),
    )?;
    let executable = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message.get("executable")?.as_str().map(PathBuf::from)
    };
    let built = text.lines().filter_map(executable).next_back();
    built.ok_or_else(|| Failure(format!("cargo does not say where it put {name}")))
}
