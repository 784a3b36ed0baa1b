//! The history of each core, and the files that are written while it runs.

use super::lanes;
use crate::destination::{self, Draft};
use rayon::prelude::*;
use vorrang_command::exit::Failure;
use vorrang_command::pulse::Pulse;
use vorrang_model::system::SupplyId;
use vorrang_sim::Passages;
use vorrang_trace::{Btf, Trace};
use vorrang_verdict::identity;
use vorrang_verdict::simulation::chains::{self, Values};
use vorrang_verdict::simulation::{Followed, Run, Seen, Unseen};

/// Files that are written while a history runs.
#[derive(Default)]
pub(super) struct Drafts {
    /// For Perfetto.
    pub(super) trace: Option<Draft>,
    pub(super) btf: Option<Draft>,
}

/// What was seen of each core, in their order, and of chains with a task on one of them.
///
/// # Errors
/// A file cannot be written.
pub(super) fn followed(
    run: &Run<'_>,
    cores: &[SupplyId],
    pulses: &[Pulse],
    drafts: Drafts,
) -> Result<(Vec<Followed>, Vec<Values>), Failure> {
    let Drafts { trace, btf } = drafts;
    if trace.is_none() && btf.is_none() {
        // Cores are independent, and their results are in order.
        let pairs = cores.par_iter().zip(pulses.par_iter());
        let seen = pairs.map(|(&core, pulse)| {
            with_passages(run, |passages| {
                run.follow::<Draft>(core, (pulse.observer(), passages), None)
            })
        });
        return Ok(together(run, cores, seen.collect()));
    }
    let path = trace.as_ref().map(|draft| draft.path().to_owned());
    let mut trace = trace.map(|draft| Trace::new(run.system, draft));
    let mut lines = btf.is_some().then(|| Btf::new(run.system));
    // One file, and the same bytes every time: one core after the other.
    let seen = cores.iter().zip(pulses).map(|(&core, pulse)| {
        let lines = lines.as_mut().map(|lines| lines.core(core));
        with_passages(run, |passages| {
            run.follow(core, (pulse.observer(), lines, passages), trace.as_mut())
        })
    });
    let seen = seen.collect();
    let (cores, chains) = together(run, cores, seen);
    if let (Some(mut trace), Some(path)) = (trace, path) {
        lanes::write(&mut trace, run.system, &chains);
        let draft = trace.finish().map_err(|why| destination::unwritable(&path, &why))?;
        draft.finish()?;
    }
    if let (Some(draft), Some(lines)) = (btf, lines) {
        draft.write_whole(lines.text(identity::version()).as_bytes())?;
    }
    Ok((cores, chains))
}

/// What was seen of a core, and what the jobs of chains did there.
type Half = (Result<Seen, Unseen>, Passages);

fn with_passages(
    run: &Run<'_>,
    follow: impl FnOnce(Option<&mut Passages>) -> Result<Seen, Unseen>,
) -> Half {
    let mut passages = Passages::new(run.system);
    let wanted = !run.system.chains.is_empty();
    (follow(wanted.then_some(&mut passages)), passages)
}

/// The chains, over all their cores, and the charts.
fn together(run: &Run<'_>, cores: &[SupplyId], seen: Vec<Half>) -> (Vec<Followed>, Vec<Values>) {
    let mut passages = Passages::new(run.system);
    let mut followed = Vec::new();
    for (&core, (seen, own)) in cores.iter().zip(seen) {
        passages = passages.and(own);
        followed.push(Followed { core, seen });
    }
    for core in chains::cores(run.system, cores).into_iter().filter(|core| !cores.contains(core)) {
        // What is not simulated hands nothing on.
        if let Ok(own) = run.passed(core, Pulse::default().observer()) {
            passages = passages.and(own);
        }
    }
    let chains = chains::values(run.system, run.pattern, cores, &passages);
    followed.par_iter_mut().for_each(|own| {
        if let Ok(seen) = &mut own.seen
            && let Err(why) = run.draw(seen, &chains)
        {
            own.seen = Err(Unseen::NotCovered(why));
        }
    });
    (followed, chains)
}
