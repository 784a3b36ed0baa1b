//! Writes a violation to a file, so that it can be reproduced and kept as a test.

use crate::check::{Effort, Violation, check};
use crate::designs;
use crate::shrink::shrink;
use crate::tally::Tally;
use std::fmt::Write as _;
use std::mem::discriminant;
use std::path::{Path, PathBuf};
use std::slice;
use vorrang_model::system::System;
use vorrang_model::write_toml;

/// A system with its violation, as comments before its TOML.
pub fn describe(heading: &str, system: &System, violations: &[Violation]) -> String {
    comments(heading, violations) + &write_toml(system)
}

fn comments(heading: &str, violations: &[Violation]) -> String {
    let mut text = format!("# {heading}\n");
    for violation in violations {
        for line in violation.to_string().lines() {
            let _ = writeln!(text, "# {line}");
        }
    }
    text
}

/// Writes the system with this index to `folder` as `seed-S-index-I.toml`, and as small as it
/// still shows a violation of the same sort to `….small.toml`. A wrong design is written with its
/// description, as `seed-S-index-I.design.toml`.
///
/// # Errors
/// The error of the file.
pub fn keep(
    folder: &Path,
    seed: u64,
    index: u64,
    effort: &Effort,
    violation: &Violation,
) -> std::io::Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder)?;
    let drawing = effort.drawing();
    let heading = format!("vorrang-campaign{drawing} --seed {seed} --only {index}");
    if let Violation::Design(_) = violation {
        let path = folder.join(format!("seed-{seed}-index-{index}.design.toml"));
        std::fs::write(
            &path,
            comments(&heading, slice::from_ref(violation)) + &designs::draw(seed, index),
        )?;
        return Ok(vec![path]);
    }
    let system = effort.system(seed, index);
    // Small systems are checked often: with the same histories, and brute force in each.
    let effort = Effort { brute_one_in: 1, ..effort.clone() };
    let found = |system: &System| check(system, seed, index, &effort, &mut Tally::default());
    let sort = discriminant(violation);
    let small = shrink(&system, |smaller| {
        found(smaller).iter().any(|violation| discriminant(violation) == sort)
    });
    let names = [format!("seed-{seed}-index-{index}"), format!("seed-{seed}-index-{index}.small")];
    let paths = names.map(|name| folder.join(name + ".toml"));
    for (path, system) in paths.iter().zip([&system, &small]) {
        std::fs::write(path, describe(&heading, system, &found(system)))?;
    }
    Ok(paths.to_vec())
}
