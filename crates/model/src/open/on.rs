//! What is chosen, put in its place; and the supplies that servers and tasks may have theirs on.

use super::{Allowed, Chosen, Open, OpenKey, OpenValue, Place, place};
use crate::description::{At, Description, Field, Reference};
use crate::diagnostic::code::Code;
use crate::diagnostic::collect::Errors;
use crate::diagnostic::{Diagnostic, Span};
use crate::keys::SUPPLIES;
use crate::paid::Paid;
use crate::resolve;
use crate::system::ServerKind;

impl OpenValue {
    /// Takes out a place or kind that is open, so that what stands there meanwhile is not checked.
    pub(crate) fn leave_out(&self, description: &mut Description) {
        let Some(of) = place(description, &self.of) else { return };
        let server = match of {
            Place::Supply(index) => description.supplies[index].body.server.as_mut(),
            Place::Task(_) | Place::PseudoVcpu(_) => None,
        };
        match (self.key, server, of) {
            (OpenKey::On, Some(server), _) => server.on = Field::Wrong,
            (OpenKey::On, None, Place::Task(task)) => {
                description.tasks[task].body.on = Field::Wrong;
            }
            (OpenKey::Kind, Some(server), _) => server.kind = Field::Wrong,
            _ => {}
        }
    }
}

impl Open {
    pub(super) fn set(&mut self, at: usize, chosen: &Chosen, span: Span) {
        let place = self.places[at];
        let Description { supplies, tasks, .. } = &mut self.description;
        let server = match place {
            Place::Supply(index) => supplies[index].body.server.as_mut(),
            Place::Task(_) => None,
            Place::PseudoVcpu(paid) => return self.set_pseudo_vcpu(at, paid, chosen, span),
        };
        match (self.values[at].key, chosen, server, place) {
            (OpenKey::Budget, Chosen::Time(value), Some(server), _) => {
                server.budget = Field::Is(At { value: *value, span });
            }
            (OpenKey::Period, Chosen::Time(value), Some(server), _) => {
                server.period = Field::Is(At { value: *value, span });
            }
            (OpenKey::Kind, Chosen::Kind(value), Some(server), _) => {
                server.kind = Field::Is(At { value: *value, span });
            }
            (OpenKey::On, Chosen::On(name), Some(server), _) => {
                let value = Reference { text: name.clone(), nouns: SUPPLIES, key: "on" };
                server.on = Field::Is(At { value, span });
            }
            (OpenKey::On, Chosen::On(name), None, Place::Task(index)) => {
                let value = Reference { text: name.clone(), nouns: SUPPLIES, key: "on" };
                tasks[index].body.on = Field::Is(At { value, span });
            }
            (OpenKey::Priority, Chosen::Priority(value), Some(server), _) => {
                server.priority = Field::Is(At { value: *value, span });
            }
            (OpenKey::Priority, Chosen::Priority(value), None, Place::Task(index)) => {
                tasks[index].body.priority = Field::Is(At { value: *value, span });
            }
            (key, ..) => panic!("{chosen:?} cannot be chosen for `{}`", key.name()),
        }
    }

    fn set_pseudo_vcpu(&mut self, at: usize, paid: Paid, chosen: &Chosen, span: Span) {
        let own = self.description.payer_mut(paid).expect("it has one");
        match (self.values[at].key, chosen) {
            (OpenKey::Budget, Chosen::Time(value)) => {
                own.budget = Field::Is(At { value: *value, span });
            }
            (OpenKey::Period, Chosen::Time(value)) => {
                own.period = Field::Is(At { value: *value, span });
            }
            (OpenKey::Priority, Chosen::Priority(value)) => {
                own.priority = Field::Is(At { value: *value, span });
            }
            (key, _) => panic!("{chosen:?} cannot be chosen for `{}`", key.name()),
        }
    }

    /// Gives each pseudo-VCPU whose budget is open the least that pays for one interrupt in the guest.
    pub(super) fn take_credits(&mut self) {
        for at in 0..self.values.len() {
            let (Place::PseudoVcpu(paid), OpenKey::Budget) = (self.places[at], self.values[at].key)
            else {
                continue;
            };
            let Some(credit) = resolve::credit(&self.description, paid) else { continue };
            let value = &mut self.values[at];
            value.least = credit;
            let (least, span) = (value.least_budget(), value.span.clone());
            self.set(at, &Chosen::Time(least), span);
        }
    }

    /// Puts each server and task whose place is open on the first supply, with the first kind, that suits it;
    /// reports those that none suits.
    pub(super) fn take_first_places(&mut self, errors: &mut Errors) {
        for at in 0..self.values.len() {
            let OpenValue { key: OpenKey::On, allowed: Allowed::Supplies(names), of, span, .. } =
                self.values[at].clone()
            else {
                continue;
            };
            let is_kind = |value: &&OpenValue| value.of == of && value.key == OpenKey::Kind;
            let kinds = self.values.iter().find(is_kind).map(|value| value.allowed.clone());
            let kinds = match kinds {
                Some(Allowed::Kinds(kinds)) => kinds.into_iter().map(Some).collect(),
                _ => vec![None],
            };
            match self.first_place(self.places[at], &names, &kinds) {
                Ok((name, kind)) => {
                    self.set(at, &Chosen::On(name), span);
                    let kind_at = self.values.iter().position(|value| is_kind(&value));
                    if let Some((at, kind)) = kind_at.zip(kind) {
                        self.set(at, &Chosen::Kind(kind), self.values[at].span.clone());
                    }
                }
                Err(Some(why)) => {
                    let message = format!("nothing that `on` of {of} may be can schedule it");
                    errors.push(Diagnostic::new(Code::OpenBounds, span, message).label(why));
                    *self.on(self.places[at]) = Field::Wrong;
                }
                Err(None) => {}
            }
        }
    }

    /// Reports the kinds that the supply of a server cannot schedule, where that is stated; the first that it can is
    /// there.
    pub(super) fn take_fitting_kinds(&mut self, errors: &mut Errors) {
        for (value, place) in self.values.iter().zip(&self.places) {
            let (Allowed::Kinds(kinds), Place::Supply(index)) = (&value.allowed, *place) else {
                continue;
            };
            let is_on = |other: &OpenValue| other.of == value.of && other.key == OpenKey::On;
            if self.values.iter().any(is_on) {
                continue;
            }
            let each = kinds.iter().zip(&value.kinds_at);
            let each = each.map(|(kind, span)| At { value: *kind, span: span.clone() });
            let (wrong, fitting): (Vec<_>, Vec<_>) = each
                .map(|kind| (resolve::unfit(&self.description, index, &kind), kind))
                .partition(|(wrong, _)| wrong.is_some());
            let first = fitting.into_iter().next().map(|(_, kind)| kind.value);
            for wrong in wrong.into_iter().filter_map(|(wrong, _)| wrong) {
                errors.push(wrong);
            }
            if let Some(server) = &mut self.description.supplies[index].body.server {
                let span = value.span.clone();
                server.kind = first.map_or(Field::Wrong, |value| Field::Is(At { value, span }));
            }
        }
    }

    fn on(&mut self, member: Place) -> &mut Field<Reference> {
        let Description { supplies, tasks, .. } = &mut self.description;
        match member {
            Place::Task(task) => &mut tasks[task].body.on,
            Place::Supply(server) => {
                &mut supplies[server].body.server.as_mut().expect("a core is on nothing").on
            }
            Place::PseudoVcpu(_) => unreachable!("it stands where its virtual processor does"),
        }
    }

    /// A supply that suits a server or task, and a kind of server with which it does; or why there is none,
    /// if all of them are supplies.
    fn first_place(
        &self,
        member: Place,
        names: &[(String, Span)],
        kinds: &[Option<ServerKind>],
    ) -> Result<(String, Option<ServerKind>), Option<&'static str>> {
        let (mut possible, mut why) = (None, None);
        for ((name, _), kind) in names.iter().flat_map(|name| kinds.iter().map(move |k| (name, *k)))
        {
            let Some(Place::Supply(on)) = place(&self.description, name) else { return Err(None) };
            let member = match member {
                Place::Task(task) => resolve::Candidate::Task(task),
                Place::Supply(server) => resolve::Candidate::Server(server, kind),
                Place::PseudoVcpu(_) => return Err(None),
            };
            match resolve::suits(&self.description, member, on) {
                Ok(true) => return Ok((name.clone(), kind)),
                Ok(false) => possible = possible.or(Some((name.clone(), kind))),
                Err(reason) => why = why.or(Some(reason)),
            }
        }
        possible.ok_or(why)
    }

    /// Reports every supply to choose from that is none.
    pub(super) fn look_up_supplies(&self, errors: &mut Errors) {
        if !errors.is_empty() {
            return;
        }
        let names = self.values.iter().filter_map(|value| match &value.allowed {
            Allowed::Supplies(names) => Some(names),
            _ => None,
        });
        let reference = |(name, span): &(String, Span)| {
            let value = Reference { text: name.clone(), nouns: SUPPLIES, key: "on" };
            Field::Is(At { value, span: span.clone() })
        };
        let references: Vec<Field<Reference>> = names.flatten().map(reference).collect();
        resolve::look_up(&self.description, &references, errors);
    }
}
