//! The server that is charged for routines of the core.

use super::instant::execute;
use super::layout::{Layout, Part};
use super::state::State;

impl Layout {
    /// A tick of a routine of the core, charged to the server that was chosen last.
    pub(super) fn interrupt(&self, state: &mut State, routine: usize) -> usize {
        if let Some(id) = usize::from(state.chosen).checked_sub(1) {
            self.servers[id].pay(&mut state.servers[id]);
        }
        execute(state, routine)
    }

    /// What the core does next pays for the routines that interrupt it.
    pub(super) fn remember_chosen(&self, state: &mut State, chosen: Option<Part>) {
        state.chosen = match chosen {
            Some(Part::Server(id)) if self.server(id).pays => {
                u8::try_from(id).expect("a few servers")
            }
            _ => 0,
        };
    }
}
