//! The history of each core, and the files that are written while it runs.

use crate::destination::{self, Draft};
use rayon::prelude::*;
use vorrang_command::exit::Failure;
use vorrang_command::pulse::Pulse;
use vorrang_model::system::SupplyId;
use vorrang_trace::{Btf, Trace};
use vorrang_verdict::identity;
use vorrang_verdict::simulation::{Followed, Run};

/// Files that are written while a history runs.
#[derive(Default)]
pub(super) struct Drafts {
    /// For Perfetto.
    pub(super) trace: Option<Draft>,
    pub(super) btf: Option<Draft>,
}

/// What was seen of each core, in their order.
///
/// # Errors
/// A file cannot be written.
pub(super) fn followed(
    run: &Run<'_>,
    cores: &[SupplyId],
    pulses: &[Pulse],
    drafts: Drafts,
) -> Result<Vec<Followed>, Failure> {
    let Drafts { trace, btf } = drafts;
    if trace.is_none() && btf.is_none() {
        // Cores are independent, and their results are in order.
        let pairs = cores.par_iter().zip(pulses.par_iter());
        let seen = |core, pulse: &Pulse| run.follow::<Draft>(core, pulse.observer(), None);
        return Ok(pairs
            .map(|(&core, pulse)| Followed { core, seen: seen(core, pulse) })
            .collect());
    }
    let path = trace.as_ref().map(|draft| draft.path().to_owned());
    let mut trace = trace.map(|draft| Trace::new(run.system, draft));
    let mut lines = btf.is_some().then(|| Btf::new(run.system));
    // One file, and the same bytes every time: one core after the other.
    let cores = cores.iter().zip(pulses).map(|(&core, pulse)| {
        let beside = (pulse.observer(), lines.as_mut().map(|lines| lines.core(core)));
        Followed { core, seen: run.follow(core, beside, trace.as_mut()) }
    });
    let cores = cores.collect();
    if let (Some(trace), Some(path)) = (trace, path) {
        let draft = trace.finish().map_err(|why| destination::unwritable(&path, &why))?;
        draft.finish()?;
    }
    if let (Some(draft), Some(lines)) = (btf, lines) {
        draft.write_whole(lines.text(identity::version()).as_bytes())?;
    }
    Ok(cores)
}
