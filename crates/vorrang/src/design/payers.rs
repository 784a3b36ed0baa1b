//! The pseudo-VCPUs of which something was open.

use super::designed::Designed;
use vorrang_analysis::Bandwidth;
use vorrang_command::screen;
use vorrang_model::system::PseudoVcpu;
use vorrang_verdict::occupied::up;
use vorrang_verdict::table::Column;

/// A table of them, in the order of declaration; `None`: of none something was.
pub(super) fn chosen(designed: &Designed) -> Option<String> {
    let values = designed.open.open.values();
    let system = &designed.found.system;
    let interrupts = system.interrupt_ids().filter_map(|id| {
        let interrupt = system.interrupt(id);
        let own = interrupt.delivery.as_ref()?.pseudo_vcpu.as_ref()?;
        let name = system.pseudo_vcpu_name(id);
        values.iter().any(|value| value.of == name).then_some((&*interrupt.name, own))
    });
    let all: Vec<(&str, &PseudoVcpu)> = interrupts.collect();
    if all.is_empty() {
        return None;
    }
    let mut columns = vec![
        Column::words("pseudo-vcpu of", all.iter().map(|(name, _)| (*name).to_owned())),
        Column::times("budget", all.iter().map(|(_, own)| Some(own.budget))),
        Column::times("period", all.iter().map(|(_, own)| Some(own.period))),
    ];
    if all.iter().any(|(_, own)| own.priority.is_some()) {
        let priority = |own: &PseudoVcpu| own.priority.map_or("-".into(), |own| own.0.to_string());
        columns.push(Column::numbers("priority", all.iter().map(|(_, own)| priority(own))));
    }
    let share = |own: &PseudoVcpu| up(Bandwidth::of(own.budget, own.period));
    columns.push(Column::numbers("reserves [%]", all.iter().map(|(_, own)| share(own))));
    Some(screen::draw(&columns))
}
