//! What makes the jobs of each task arrive, and how often at most.

use super::joined;
use super::link::Links;
use super::path::{Root, roots};
use super::polls;
use super::presence::KeyOf;
use crate::description::{Description, Field, Reference};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};
use crate::limits;
use crate::system::{
    self, Activation, DeviceId, Distance, Distances, InterruptId, TaskId, TimerId,
};
use std::collections::BTreeSet;
use vorrang_time::Duration;

/// By the index of the task.
pub(super) struct Activations {
    pub(super) of: Vec<Activation>,
    /// Least time between two arrivals: as stated, or that of what wakes it.
    pub(super) period: Vec<Option<Duration>>,
    /// Over several arrivals, likewise.
    pub(super) distances: Vec<Option<Distances>>,
}

/// Something that says that it wakes a task.
struct Waker<'a> {
    task: usize,
    name: &'a str,
    /// Where it says so.
    span: &'a Span,
    activation: Activation,
    /// Least time between two wake-ups, where it is the task's: a device has packets, and jobs
    /// that poll them, as often as packets arrive.
    period: Option<&'a Field<Duration>>,
    /// Over several of them.
    distances: Option<&'a Field<Vec<Distance>>>,
}

impl Activations {
    pub(super) fn of(description: &Description, links: &Links, errors: &mut Errors) -> Self {
        let mut waker: Vec<Option<Waker<'_>>> = description.tasks.iter().map(|_| None).collect();
        for found in wakers(description, links) {
            let place = &mut waker[found.task];
            match place {
                None => *place = Some(found),
                Some(first) => errors.push(woken_twice(description, first, &found)),
            }
        }
        joined::check(description, links, errors);
        let mut activations = Self { of: Vec::new(), period: Vec::new(), distances: Vec::new() };
        for (task, waker) in description.tasks.iter().zip(&waker) {
            if task.body.polls() {
                if let Some(by) = &waker {
                    errors.push(polls::no_jobs(task, by.span, "wakes it"));
                }
                activations.period.push(Some(system::Task::ENDLESS));
                activations.distances.push(None);
                activations.of.push(Activation::Sporadic);
                continue;
            }
            check_keys(task, waker.as_ref(), errors);
            let of_waker = waker.as_ref().and_then(|waker| waker.period?.get());
            let stated = task.body.period.get();
            let inherited = of_waker.filter(|_| matches!(task.body.period, Field::Absent));
            activations.period.push(stated.or(inherited).map(|at| at.value));
            activations.distances.push(match &task.body.period {
                Field::Absent => waker.as_ref().and_then(|waker| distances(waker.distances?)),
                _ => distances(&task.body.min_distances),
            });
            activations.of.push(waker.as_ref().map(|waker| waker.activation).unwrap_or_default());
        }
        activations.follow(description, links, &waker, errors);
        activations
    }

    /// What tasks wake arrives as often as the source of its path.
    fn follow(
        &mut self,
        description: &Description,
        links: &Links,
        waker: &[Option<Waker<'_>>],
        errors: &mut Errors,
    ) {
        let before = |(index, waker): (usize, &Option<Waker<'_>>)| match waker.as_ref()?.activation
        {
            Activation::Task(by) => Some(vec![by.0]),
            Activation::Join => Some(links.after[index].iter().map(|&(_, first)| first).collect()),
            _ => None,
        };
        let before: Vec<Vec<usize>> =
            waker.iter().enumerate().map(|own| before(own).unwrap_or_default()).collect();
        let roots = roots(&before);
        for (index, task) in description.tasks.iter().enumerate() {
            let Some(by) = waker[index].as_ref().filter(|by| by.activation.is_by_tasks()) else {
                continue;
            };
            match roots[index] {
                Root::Task(source) => {
                    self.period[index] = self.period[source];
                    let distances = self.distances[source].clone();
                    self.distances[index] = distances;
                }
                Root::None => errors.push(without_source(&task.name, by)),
                Root::Several => {
                    if let Some(own) = joined::differ(description, links, index, &roots) {
                        errors.push(own);
                    }
                }
            }
        }
    }
}

/// What is stated of several arrivals.
pub(super) fn distances(stated: &Field<Vec<Distance>>) -> Option<Distances> {
    Distances::some(&stated.get()?.value)
}

/// Everything that wakes a task, interrupts first.
fn wakers<'a>(description: &'a Description, links: &'a Links) -> Vec<Waker<'a>> {
    let mut wakers = Vec::new();
    let polled: BTreeSet<usize> = links.devices.iter().filter_map(|link| link.interrupt).collect();
    for (index, (declared, link)) in
        description.interrupts.iter().zip(&links.interrupts).enumerate()
    {
        let body = &declared.body;
        wakers.extend(link.wakes.map(|task| Waker {
            task,
            name: &declared.name,
            span: place_of(body.delivery.as_ref().map_or(&body.wakes, |delivery| &delivery.wakes)),
            activation: Activation::Interrupt(InterruptId(index)),
            period: (!polled.contains(&index)).then_some(&body.min_interarrival),
            distances: (!polled.contains(&index)).then_some(&body.min_distances),
        }));
    }
    for (index, (declared, task)) in description.timers.iter().zip(&links.timers).enumerate() {
        let releases = declared.body.wakes.or(false) == Some(true);
        wakers.extend(task.filter(|_| releases).map(|task| Waker {
            task,
            name: &declared.name,
            span: place_of(&declared.body.armed_by),
            activation: Activation::Timer(TimerId(index)),
            period: Some(&declared.body.period),
            distances: None,
        }));
    }
    for (index, (declared, link)) in description.devices.iter().zip(&links.devices).enumerate() {
        wakers.extend(link.receiver.map(|task| Waker {
            task,
            name: &declared.name,
            span: place_of(&declared.body.receiver),
            activation: Activation::Device(DeviceId(index)),
            period: None,
            distances: None,
        }));
    }
    wakers.extend(by_tasks(description, links));
    wakers.extend(after(description, links));
    wakers
}

/// The tasks that others wake; how often is that of the source.
fn by_tasks<'a>(
    description: &'a Description,
    links: &'a Links,
) -> impl Iterator<Item = Waker<'a>> + use<'a> {
    let all = description.tasks.iter().zip(&links.woken).enumerate();
    all.flat_map(|(index, (declared, woken))| {
        let listed = declared.body.wakes.get().map_or(&[][..], |list| &list.value);
        woken.iter().map(move |&(place, task)| Waker {
            task,
            name: &declared.name,
            span: &listed[place].span,
            activation: Activation::Task(TaskId(index)),
            period: None,
            distances: None,
        })
    })
}

/// The tasks that come after one or several others.
fn after<'a>(
    description: &'a Description,
    links: &'a Links,
) -> impl Iterator<Item = Waker<'a>> + use<'a> {
    (0..description.tasks.len()).filter_map(move |task| {
        let (at, first) = joined::listed(description, links, task).next()?;
        let is_alone = links.after[task].len() == 1;
        Some(Waker {
            task,
            name: &description.tasks[first].name,
            span: &at.span,
            activation: if is_alone { Activation::Task(TaskId(first)) } else { Activation::Join },
            period: None,
            distances: None,
        })
    })
}

fn place_of(reference: &Field<Reference>) -> &Span {
    &reference.get().expect("it was followed").span
}

fn without_source(name: &str, waker: &Waker<'_>) -> Diagnostic {
    let message = format!("the path of wake-ups to {name} does not begin");
    Diagnostic::new(Code::EndlessWakes, waker.span.clone(), message)
        .label(format!(
            "{} wakes it, and none of the {} before it comes by itself",
            waker.name,
            limits::WAKE_UPS
        ))
        .help(
            "a path begins with a task that has a `period`, or that an interrupt or a timer wakes",
        )
}

fn woken_twice(description: &Description, first: &Waker<'_>, second: &Waker<'_>) -> Diagnostic {
    let task = &description.tasks[first.task].name;
    let message = format!("{task} is woken by {} and by {}", first.name, second.name);
    let help = if first.activation.is_by_tasks() && second.activation.is_by_tasks() {
        "only one thing can wake a task; where it waits for jobs of several, it alone says so: `after = [\"task.a\", \
         \"task.b\"]`"
    } else {
        "only one thing can wake a task; give each a task of its own"
    };
    Diagnostic::new(Code::WokenTwice, second.span.clone(), message)
        .label("wakes it as well")
        .also(first.span.clone(), "wakes it")
        .help(help)
}

fn check_keys(
    task: &crate::description::Declared<crate::description::Task>,
    waker: Option<&Waker<'_>>,
    errors: &mut Errors,
) {
    let key = |key| KeyOf { name: &task.name, span: &task.span, key };
    if let Some(waker) = waker {
        let why = format!("{} wakes it: say it there", waker.name);
        key("min-distances").pointless(&task.body.min_distances, &why, errors);
    }
    if let Some(waker) = waker {
        let why = format!("{} wakes it, whenever that is", waker.name);
        key("offset").pointless(&task.body.offset, &why, errors);
    } else if !task.body.offset.is_absent() {
        let why = format!("the `offset` says it: {} arrives exactly a period apart", task.name);
        key("latest-interarrival").pointless(&task.body.latest_interarrival, &why, errors);
        key("min-distances").pointless(&task.body.min_distances, &why, errors);
    }
    let Some(waker) = waker else {
        let help = "Least time between two arrivals. Write `period = \"5ms\"`";
        return key("period").needed(&task.body.period, help, errors);
    };
    if waker.activation.is_by_tasks() {
        let why = format!("{} wakes it: its jobs arrive with those of the source", waker.name);
        key("period").pointless(&task.body.period, &why, errors);
        key("latest-interarrival").pointless(&task.body.latest_interarrival, &why, errors);
        key("communication").pointless(&task.body.communication, &why, errors);
    } else if waker.period.is_none() {
        let help = "a task that takes packets is woken as often as they arrive: say how often it is \
                    meant to run";
        key("period").needed(&task.body.period, help, errors);
    }
    let why = format!("{} wakes it: its jobs are released at once", waker.name);
    key("jitter").pointless(&task.body.jitter, &why, errors);
}
