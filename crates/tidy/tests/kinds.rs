//! A new kind of server inherits nothing from another.
//!
//! What tells kinds apart names them all: no arm takes the rest. The analysis tells them apart in its sheets only (`src/server_kind/`),
//! which answer every question for each kind.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Pat, UseTree};

const KIND: &str = "ServerKind";

/// What tells kinds of servers apart in a file.
#[derive(Default)]
struct Found {
    /// Kinds that are named without what they are of.
    imported: BTreeSet<String>,
    /// The lines of arms that take the rest.
    takes_rest: Vec<usize>,
    /// The lines of all that tells kinds apart.
    tells_apart: Vec<usize>,
}

impl Found {
    fn in_text(text: &str) -> Self {
        let file = syn::parse_file(text).unwrap();
        let mut found = Self::default();
        Imports(&mut found.imported).visit_file(&file);
        found.visit_file(&file);
        found
    }

    /// Whether a pattern names a kind.
    fn is_of_kind(&self, pattern: &Pat) -> bool {
        let mut names = Names(Vec::new());
        names.visit_pat(pattern);
        names.0.iter().any(|name| {
            let is_imported = name.len() == 1 && self.imported.contains(&name[0]);
            is_imported || is_kind(name)
        })
    }
}

/// Whether a path leads to one of the kinds.
fn is_kind(path: &[String]) -> bool {
    path.iter().rev().skip(1).any(|part| part == KIND)
}

/// Whether it takes whatever it is given.
fn takes_all(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(of) => {
            let is_name = of.ident.to_string().starts_with(char::is_lowercase);
            of.subpat.as_ref().map_or(is_name, |(_, inner)| takes_all(inner))
        }
        Pat::TupleStruct(of) if of.path.is_ident("Some") => of.elems.iter().all(takes_all),
        Pat::Tuple(of) => of.elems.iter().all(takes_all),
        Pat::Or(of) => of.cases.iter().any(takes_all),
        Pat::Paren(of) => takes_all(&of.pat),
        Pat::Reference(of) => takes_all(&of.pat),
        _ => false,
    }
}

/// The paths that are named.
struct Names(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Names {
    fn visit_path(&mut self, of: &'ast syn::Path) {
        self.0.push(of.segments.iter().map(|part| part.ident.to_string()).collect());
        visit::visit_path(self, of);
    }

    fn visit_pat_ident(&mut self, of: &'ast syn::PatIdent) {
        self.0.push(vec![of.ident.to_string()]);
        visit::visit_pat_ident(self, of);
    }
}

/// What is imported from a type.
struct Imports<'a>(&'a mut BTreeSet<String>);

impl<'ast> Visit<'ast> for Imports<'_> {
    fn visit_use_path(&mut self, of: &'ast syn::UsePath) {
        if of.ident == KIND {
            self.add(&of.tree);
        }
        visit::visit_use_path(self, of);
    }
}

impl Imports<'_> {
    fn add(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Name(of) => drop(self.0.insert(of.ident.to_string())),
            UseTree::Group(of) => of.items.iter().for_each(|tree| self.add(tree)),
            _ => {}
        }
    }
}

fn line(of: &impl syn::spanned::Spanned) -> usize {
    of.span().start().line
}

impl<'ast> Visit<'ast> for Found {
    fn visit_expr_match(&mut self, of: &'ast syn::ExprMatch) {
        if of.arms.iter().any(|arm| self.is_of_kind(&arm.pat)) {
            let rest = of.arms.iter().filter(|arm| takes_all(&arm.pat));
            self.takes_rest.extend(rest.map(|arm| line(&arm.pat)));
            self.tells_apart.push(line(of));
        }
        visit::visit_expr_match(self, of);
    }

    fn visit_expr_binary(&mut self, of: &'ast syn::ExprBinary) {
        let names = |side: &Expr| {
            let mut names = Names(Vec::new());
            names.visit_expr(side);
            names.0.iter().any(|name| is_kind(name))
        };
        if matches!(of.op, BinOp::Eq(_) | BinOp::Ne(_)) && (names(&of.left) || names(&of.right)) {
            self.tells_apart.push(line(of));
        }
        visit::visit_expr_binary(self, of);
    }

    fn visit_macro(&mut self, of: &'ast syn::Macro) {
        let tokens = of.tokens.to_string();
        if of.path.is_ident("matches") && tokens.contains(&format!("{KIND} ::")) {
            self.tells_apart.push(line(of));
        }
    }
}

/// The sources below a folder, without those of crates that are built from it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() && !entry.ends_with("target") {
            found.extend(sources(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
    found.sort();
    found
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What is found in files that name kinds, each with its file.
fn all_found(files: Vec<PathBuf>) -> impl Iterator<Item = (String, Found)> {
    let files = files.into_iter().map(|file| (fs::read_to_string(&file).unwrap(), file));
    let named = files.filter(|(text, _)| text.contains(KIND));
    named.map(|(text, file)| (file.display().to_string(), Found::in_text(&text)))
}

#[track_caller]
fn assert_none(what: &str, wrong: &[String]) {
    assert!(wrong.is_empty(), "{what}\n{}", wrong.join("\n"));
}

#[test]
fn no_arm_takes_the_rest_of_the_kinds() {
    let wrong: Vec<String> = all_found(sources(&crates()))
        .flat_map(|(file, found)| {
            found.takes_rest.into_iter().map(move |line| format!("{file}:{line}"))
        })
        .collect();
    assert_none("a new kind of server would be as the rest here: name the kinds", &wrong);
}

#[test]
fn the_analysis_tells_kinds_apart_in_its_sheets() {
    let folder = crates().join("analysis/src");
    let files =
        sources(&folder).into_iter().filter(|file| !file.starts_with(folder.join("server_kind")));
    let wrong: Vec<String> = all_found(files.collect())
        .flat_map(|(file, found)| {
            found.tells_apart.into_iter().map(move |line| format!("{file}:{line}"))
        })
        .collect();
    assert_none(
        "a fact about kinds belongs to their sheets, crates/analysis/src/server_kind",
        &wrong,
    );
}

#[test]
fn what_tells_kinds_apart_is_found() {
    let count = |text: &str| {
        let found = Found::in_text(&format!("fn it() {{ {text} }}"));
        (found.takes_rest.len(), found.tells_apart.len())
    };
    assert_eq!(count("match kind { ServerKind::Slot => 1, _ => 2 };"), (1, 1));
    assert_eq!(count("match kind { Some(ServerKind::Slot) => 1, Some(_) | None => 2 };"), (1, 1));
    assert_eq!(count("match kind { ServerKind::Slot if it => 1, other => 2 };"), (1, 1));
    assert_eq!(count("use ServerKind::{Slot}; match kind { Slot => 1, _ => 2 };"), (1, 1));
    assert_eq!(count("match kind { ServerKind::Slot | ServerKind::Share => 1 };"), (0, 1));
    assert_eq!(count("matches!(kind, Some(ServerKind::Slot));"), (0, 1));
    assert_eq!(count("kind != Some(ServerKind::Slot);"), (0, 1));
    assert_eq!(count("match it { Typed::ServerKind(kind) => kind, _ => 2 };"), (0, 0));
    assert_eq!(count("match number { 1 => ServerKind::Slot, _ => ServerKind::Share };"), (0, 0));
}
