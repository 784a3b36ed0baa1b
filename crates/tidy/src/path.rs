//! What a file imports and names.

use syn::visit::{self, Visit};
use syn::{Item, UseTree, Visibility};

/// A name that an import gives to a path.
#[derive(Debug)]
pub(crate) struct Binding {
    /// The name; `None`: all names of the path.
    pub(crate) name: Option<String>,
    pub(crate) path: Vec<String>,
    /// Whether others may use it too, so that the file itself need not.
    pub(crate) is_passed_on: bool,
}

/// A path that stands somewhere outside imports.
#[derive(Debug)]
pub(crate) struct Reference(pub(crate) Vec<String>);

/// All of a file.
pub(crate) fn all(items: &[Item]) -> (Vec<Binding>, Vec<Reference>) {
    let mut found = Found { bindings: Vec::new(), references: Vec::new() };
    for item in items {
        found.visit_item(item);
    }
    (found.bindings, found.references)
}

struct Found {
    bindings: Vec<Binding>,
    references: Vec<Reference>,
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_use(&mut self, of: &'ast syn::ItemUse) {
        let is_passed_on = !matches!(of.vis, Visibility::Inherited);
        bind(&of.tree, &mut Vec::new(), is_passed_on, &mut self.bindings);
    }

    // Who may see an item is no need of it.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let of = path.segments.iter().map(|segment| segment.ident.to_string());
        self.references.push(Reference(of.collect()));
        visit::visit_path(self, path);
    }
}

/// The names that an import gives.
fn bind(tree: &UseTree, path: &mut Vec<String>, is_passed_on: bool, bindings: &mut Vec<Binding>) {
    let mut add = |name: Option<String>, last: Option<String>| {
        let path = path.iter().cloned().chain(last).collect();
        bindings.push(Binding { name, path, is_passed_on });
    };
    match tree {
        UseTree::Path(of) => {
            path.push(of.ident.to_string());
            bind(&of.tree, path, is_passed_on, bindings);
            path.pop();
        }
        UseTree::Name(of) if of.ident == "self" => add(path.last().cloned(), None),
        UseTree::Name(of) => add(Some(of.ident.to_string()), Some(of.ident.to_string())),
        UseTree::Rename(of) => add(Some(of.rename.to_string()), Some(of.ident.to_string())),
        UseTree::Glob(_) => add(None, None),
        UseTree::Group(of) => {
            for tree in &of.items {
                bind(tree, path, is_passed_on, bindings);
            }
        }
    }
}
