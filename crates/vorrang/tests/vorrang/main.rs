//! The program from the outside.

mod advice;
mod assumed;
mod btf;
mod certified;
mod chains;
mod command_line;
mod consolidation;
mod ctrl_c;
mod defaults;
mod design;
mod diff;
mod doctor;
mod editor;
mod elsewhere;
mod examples;
mod files;
mod fix;
mod fmt;
mod gates;
mod import;
mod include;
mod large;
mod learn;
mod limits;
mod lsp;
mod machine;
mod mechanisms;
mod names;
mod observe;
mod own_sweep;
mod pages;
mod program;
mod reasons;
mod reference;
mod reproduce;
mod reservations;
mod sections;
mod sessions;
mod several;
mod start;
mod strict;
mod sweep;
mod targets;
mod throttling;
mod verbs;
mod warnings;
mod watch;

// The generator of an example, as it is.
#[path = "../../examples/consolidation/generator.rs"]
mod generator;
#[path = "../../examples/consolidation/layout.rs"]
mod layout;
