//! The sources of a crate: which file needs which, and how long files and functions are.
//!
//! **Model.** A crate is its modules, a file each ([`Modules::read`]); what is compiled for tests only is
//! no part of it. A file *needs* another where a path in it ends at something that the other defines,
//! imports and re-exports followed ([`Modules::circles`]).
//!
//! **Assumptions.**
//! 1. Modules lie where the language expects them, without `#[path]`.
//! 2. Names in the arguments of macros are not seen, nor are calls of methods that another file
//!    implements for a type: only the names of the types and traits are.
//! 3. A re-export alone is no need: it is the front of a folder.

mod function;
mod name;
mod path;
mod source;

pub use function::Function;
pub use source::Source;

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::io;
use std::path::Path;

/// The modules of a crate, a file each.
#[derive(Debug)]
pub struct Modules {
    sources: Vec<Source>,
}

impl Modules {
    /// Reads the crate whose sources lie in `folder`, from its `lib.rs` and `main.rs` on.
    ///
    /// # Errors
    /// A file cannot be read, or is not Rust.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let mut sources = Vec::new();
        for root in ["lib.rs", "main.rs"] {
            if folder.join(root).is_file() {
                source::read(folder, Path::new(root), &[], root, &mut sources)?;
            }
        }
        Ok(Self { sources })
    }

    /// Its files, a module before what is in it.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Pairs of files of which the first needs the second, sorted.
    pub fn needs(&self) -> Vec<(&str, &str)> {
        let mut needs: Vec<(&str, &str)> = Vec::new();
        for source in &self.sources {
            for target in name::needed(source, &self.sources) {
                needs.push((&source.file, &self.sources[target].file));
            }
        }
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    /// The circles of files that need each other; each circle and the list of them is sorted.
    pub fn circles(&self) -> Vec<Vec<&str>> {
        let graph: DiGraphMap<&str, ()> = self.needs().into_iter().collect();
        let mut circles: Vec<Vec<&str>> =
            tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1).collect();
        for circle in &mut circles {
            circle.sort_unstable();
        }
        circles.sort_unstable();
        circles
    }
}
