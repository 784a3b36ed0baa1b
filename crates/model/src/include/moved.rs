//! What a file says, as if it stood elsewhere: its bytes behind others, its paths from another folder.

use crate::diagnostic::Span;
use crate::shipped::is_shipped;
use crate::text::{Entry, Node, Value};
use std::path::{Component, Path, PathBuf};

/// Without `.` and without a folder that is left again.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Makes the profiles that a file in this folder names relative to the description.
pub(super) fn paths_from(folder: &Path, tree: &mut Node) {
    let Value::Table(entries) = &mut tree.value else { return };
    for Entry { key, node, .. } in entries {
        match (key.as_str(), &mut node.value) {
            ("profile", Value::Text(file)) => path_from(folder, file),
            ("core", Value::Table(cores)) => {
                let cores = cores.iter_mut().filter_map(|core| match &mut core.node.value {
                    Value::Table(keys) => Some(keys),
                    _ => None,
                });
                for key in cores.flatten().filter(|own| own.key == "kernel") {
                    match &mut key.node.value {
                        Value::Text(file) if !is_shipped(file) => path_from(folder, file),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

/// What is no text of one line is refused by its reader.
fn path_from(folder: &Path, file: &mut String) {
    if !file.is_empty() {
        *file = folder.join(&*file).to_string_lossy().into_owned();
    }
}

pub(super) fn shift(span: &mut Span, by: usize) {
    *span = span.start + by..span.end + by;
}

pub(super) fn shift_all(node: &mut Node, by: usize) {
    shift(&mut node.span, by);
    match &mut node.value {
        Value::Array(all) => all.iter_mut().for_each(|own| shift_all(own, by)),
        Value::Table(entries) => {
            for entry in entries {
                shift(&mut entry.span, by);
                shift_all(&mut entry.node, by);
            }
        }
        _ => {}
    }
}
