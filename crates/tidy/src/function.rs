//! How long functions are.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Block, Item, Signature};

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name, without what it is in.
    pub name: String,
    /// The line of its name, from 1.
    pub line: usize,
    /// From its name to its last brace.
    pub lines: usize,
}

/// Those of a file in their order, nested ones included.
pub(crate) fn all(items: &[Item]) -> Vec<Function> {
    let mut found = Found(Vec::new());
    for item in items {
        found.visit_item(item);
    }
    found.0
}

struct Found(Vec<Function>);

impl Found {
    fn add(&mut self, signature: &Signature, body: &Block) {
        let line = signature.ident.span().start().line;
        let lines = body.span().end().line + 1 - line;
        self.0.push(Function { name: signature.ident.to_string(), line, lines });
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_fn(&mut self, of: &'ast syn::ItemFn) {
        self.add(&of.sig, &of.block);
        visit::visit_item_fn(self, of);
    }

    fn visit_impl_item_fn(&mut self, of: &'ast syn::ImplItemFn) {
        self.add(&of.sig, &of.block);
        visit::visit_impl_item_fn(self, of);
    }

    fn visit_trait_item_fn(&mut self, of: &'ast syn::TraitItemFn) {
        if let Some(body) = &of.default {
            self.add(&of.sig, body);
        }
        visit::visit_trait_item_fn(self, of);
    }
}
