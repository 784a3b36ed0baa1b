//! The files of a crate, found as the compiler finds them.

use crate::function::{self, Function};
use crate::path::{self, Binding, Reference};
use std::fs;
use std::io;
use std::path::Path;
use syn::{Item, Meta};

/// A file, which is a module.
#[derive(Debug)]
pub struct Source {
    /// Its path from the folder of the sources.
    pub file: String,
    /// How many lines it has.
    pub lines: usize,
    /// What stands at its beginning (`//!`), without the slashes.
    pub doc: String,
    /// Its functions, without those of its tests.
    pub functions: Vec<Function>,
    /// `lib.rs` or `main.rs`: whose tree of modules it is in.
    pub(crate) root: &'static str,
    /// The names of the modules that it is in, and its own.
    pub(crate) module: Vec<String>,
    /// What it imports.
    pub(crate) bindings: Vec<Binding>,
    /// What it names otherwise.
    pub(crate) references: Vec<Reference>,
}

/// Reads a module and all that are in it.
///
/// # Errors
/// A file cannot be read, or is not Rust.
pub(crate) fn read(
    folder: &Path,
    file: &Path,
    module: &[String],
    root: &'static str,
    sources: &mut Vec<Source>,
) -> io::Result<()> {
    let name = file.display().to_string();
    let text = fs::read_to_string(folder.join(file))?;
    let syntax = syn::parse_file(&text)
        .map_err(|why| io::Error::other(format!("{name}:{}: {why}", why.span().start().line)))?;
    let items: Vec<Item> = syntax.items.into_iter().filter(|item| !is_for_tests(item)).collect();
    let (bindings, references) = path::all(&items);
    let doc: Vec<String> = syntax.attrs.iter().filter_map(doc_line).collect();
    sources.push(Source {
        file: name,
        lines: text.lines().count(),
        doc: doc.join("\n"),
        functions: function::all(&items),
        root,
        module: module.to_owned(),
        bindings,
        references,
    });
    let inside = if file.file_name().is_some_and(|name| name == "mod.rs" || name == root) {
        file.parent().map(Path::to_owned).unwrap_or_default()
    } else {
        file.with_extension("")
    };
    for item in items {
        let Item::Mod(inner) = item else { continue };
        if inner.content.is_some() {
            continue;
        }
        let name = inner.ident.to_string();
        let flat = inside.join(format!("{name}.rs"));
        let file =
            if folder.join(&flat).is_file() { flat } else { inside.join(&name).join("mod.rs") };
        read(folder, &file, &[module, &[name]].concat(), root, sources)?;
    }
    Ok(())
}

/// A line of documentation.
fn doc_line(attribute: &syn::Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value else {
        return None;
    };
    pair.path.is_ident("doc").then(|| text.value().trim_start().to_owned())
}

/// Whether an item is compiled for tests only.
fn is_for_tests(item: &Item) -> bool {
    let attributes = match item {
        Item::Const(of) => &of.attrs,
        Item::Enum(of) => &of.attrs,
        Item::Fn(of) => &of.attrs,
        Item::Impl(of) => &of.attrs,
        Item::Mod(of) => &of.attrs,
        Item::Static(of) => &of.attrs,
        Item::Struct(of) => &of.attrs,
        Item::Trait(of) => &of.attrs,
        Item::Type(of) => &of.attrs,
        Item::Use(of) => &of.attrs,
        _ => return false,
    };
    let is_test = |attribute: &syn::Attribute| {
        let Meta::List(list) = &attribute.meta else { return false };
        list.path.is_ident("cfg") && list.tokens.to_string() == "test"
    };
    attributes.iter().any(is_test)
}
