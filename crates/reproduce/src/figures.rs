//! All figures.

use crate::figure::Figure;
use crate::{
    cache_progress, interrupt_storm, irq_threads, proxy_counter_examples, proxy_planning,
    proxy_utilisation, round_trip, server_bounds, service_error, switch_loss, throughput,
    timer_interference, vint_figure, vtrr_slices, waters,
};

/// All figures.
pub const FIGURES: &[Figure] = &[
    cache_progress::FIGURE,
    switch_loss::FIGURE,
    vtrr_slices::FIGURE,
    service_error::FIGURE,
    timer_interference::FIGURE,
    irq_threads::FIGURE,
    throughput::FIGURE,
    round_trip::FIGURE,
    interrupt_storm::FIGURE,
    vint_figure::FIGURE,
    proxy_utilisation::FIGURE,
    proxy_planning::FIGURE,
    proxy_counter_examples::FIGURE,
    server_bounds::FIGURE,
    waters::FIGURE,
];
