//! Service routines: how often they are requested, and how long one waits for the others.
//!
//! | what | file |
//! |---|---|
//! | requests of one interrupt, at the core and after its routines | `requests.rs` |
//! | one routine among those of a core or of a guest, in each order, with storms | `level.rs` |

mod level;
mod requests;

pub use level::{Level, Routine, Worst};
pub use requests::{Requests, around, credit};
