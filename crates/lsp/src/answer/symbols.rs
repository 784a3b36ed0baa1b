//! What a description declares, for the outline of an editor.

use crate::document::Document;
use lsp_types::{DocumentSymbolParams, Location, SymbolInformation, SymbolKind};
use vorrang_model::keys::Noun;

/// Everything, in the order of the text.
pub(crate) fn all(document: &Document, _: &DocumentSymbolParams) -> Vec<SymbolInformation> {
    let mut places: Vec<_> = document.places.iter().collect();
    places.sort_by_key(|(_, place)| **place);
    let symbol = |(name, _): (&String, _)| {
        let noun = Noun::of_word(name.split_once('.')?.0)?;
        let location =
            Location::new(document.uri.clone(), document.range(document.declared(name)?));
        #[expect(deprecated, reason = "the protocol wants the field")]
        Some(SymbolInformation {
            name: name.clone(),
            kind: kind(noun),
            tags: None,
            deprecated: None,
            location,
            container_name: None,
        })
    };
    places.into_iter().filter_map(symbol).collect()
}

/// The nearest of the protocol's kinds, which are those of programs.
fn kind(noun: Noun) -> SymbolKind {
    match noun {
        Noun::Core => SymbolKind::MODULE,
        Noun::Vcpu => SymbolKind::CLASS,
        Noun::Server => SymbolKind::NAMESPACE,
        Noun::Task => SymbolKind::FUNCTION,
        Noun::Interrupt | Noun::Timer => SymbolKind::EVENT,
        Noun::Device => SymbolKind::INTERFACE,
        Noun::Cache => SymbolKind::STRUCT,
        Noun::Require => SymbolKind::CONSTANT,
        Noun::Chain => SymbolKind::ARRAY,
    }
}
