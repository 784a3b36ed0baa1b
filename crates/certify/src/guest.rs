//! A guest that was looked at for one of its tasks: each of them asks for all.

use vorrang_certificate::{GuestTask, Server};

/// What was asked, and what was found.
pub(crate) struct Guest {
    pub(crate) server: Server,
    pub(crate) tasks: Vec<GuestTask>,
    pub(crate) found: Option<Vec<GuestTask>>,
}
