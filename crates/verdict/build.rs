//! Tells the program which revision of its source it was built from.
//!
//! `VORRANG_REVISION` is the short commit, with `+` behind it when sources differ from the commit.
//! It is empty where that is not known: no git, no repository, or a repository that is not ours.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("--no-optional-locks").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn revision() -> Option<String> {
    // An unpacked archive may lie inside another repository: check whether this file is tracked in it.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changes =
        git(&["status", "--porcelain", "--untracked-files=no", "--", "..", ":(top)Cargo.lock"])?;
    Some(if changes.is_empty() { commit } else { commit + "+" })
}

fn main() {
    // The module of the workbench is kept beside the sources it was built from: it cannot name its own commit.
    let is_kept = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
    let revision = if is_kept { None } else { revision() };
    println!("cargo::rustc-env=VORRANG_REVISION={}", revision.unwrap_or_default());
    println!("cargo::rerun-if-changed=..");
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}
