//! The tracks of a core: one for everything that can run or be counted, in the order of the
//! description.

use crate::sequence::{Event, packet};
use crate::sink::Sink;
use crate::threads::guest_routine;
use crate::wire::Message;
use std::collections::BTreeMap;
use std::io::Write;
use vorrang_model::system::{Device, Interrupt, InterruptId, Member, SupplyId, System};

/// Fields of `TrackDescriptor`.
mod descriptor {
    pub(super) const UUID: u32 = 1;
    pub(super) const NAME: u32 = 2;
    pub(super) const PARENT: u32 = 5;
    pub(super) const COUNTER: u32 = 8;
    pub(super) const CHILD_ORDERING: u32 = 11;
    pub(super) const RANK: u32 = 12;
}

/// `TrackDescriptor.ChildTracksOrdering.EXPLICIT`: children stand in the order of their ranks.
const EXPLICIT: u64 = 3;

/// `CounterDescriptor.Unit`.
const NANOSECONDS: u64 = 1;
const COUNT: u64 = 2;

/// A track of slices, all with its name, and of what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Track {
    pub(crate) uuid: u64,
    pub(crate) begin: Event,
    pub(crate) end: Event,
}

/// A track of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counter(pub(crate) Event);

/// The tracks of an interrupt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InterruptTracks {
    /// Its service routine, and what happens to it.
    pub(crate) routine: Track,
    pub(crate) pseudo_vcpu: Option<PseudoVcpuTracks>,
    /// The routine of the guest, if it is delivered to one.
    pub(crate) guest_routine: Option<Track>,
}

/// The tracks of a pseudo-VCPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PseudoVcpuTracks {
    /// While it is charged.
    pub(crate) pays: Track,
    pub(crate) budget: Counter,
    /// While it holds requests back.
    pub(crate) held_back: Track,
}

/// The tracks of a server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServerTracks {
    /// While something in it runs.
    pub(crate) runs: Track,
    pub(crate) budget: Counter,
}

/// The tracks of a network card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeviceTracks {
    /// What is dropped.
    pub(crate) card: Track,
    /// Packets that arrived and are not polled.
    pub(crate) waiting: Counter,
    /// Packets that are polled and not delivered.
    pub(crate) socket: Counter,
    /// How many of them there can be.
    pub(crate) socket_holds: u64,
}

/// The tracks of a core, by id; `None` on other cores.
#[derive(Clone, Debug)]
pub(crate) struct Tracks {
    pub(crate) kernel: Track,
    pub(crate) interrupts: Vec<Option<InterruptTracks>>,
    pub(crate) devices: Vec<Option<DeviceTracks>>,
    pub(crate) timers: Vec<Option<Track>>,
    pub(crate) servers: Vec<Option<ServerTracks>>,
    pub(crate) tasks: Vec<Option<Track>>,
    /// The less urgent work that blocks a member.
    pub(crate) blocking: BTreeMap<Member, Track>,
}

impl Tracks {
    /// Those of the pseudo-VCPU of an interrupt.
    pub(crate) fn pseudo_vcpu(&self, interrupt: InterruptId) -> Option<PseudoVcpuTracks> {
        self.interrupts[interrupt.0]?.pseudo_vcpu
    }

    /// Describes the tracks of a core; `next` numbers them. Returned with the names of the slices
    /// on them, counted from one.
    pub(crate) fn describe(
        sink: &mut Sink<impl Write>,
        sequence: u64,
        system: &System,
        core: SupplyId,
        next: impl FnMut() -> u64,
    ) -> (Self, Vec<String>) {
        let mut writer = Writer { sink, sequence, next, names: Vec::new() };
        let root = writer.add(None, &system.supply(core).name);
        let kernel = writer.add(Some(root), "kernel");
        let mut tracks = Self {
            kernel,
            interrupts: vec![None; system.interrupts.len()],
            devices: vec![None; system.devices.len()],
            timers: vec![None; system.timers.len()],
            servers: vec![None; system.supplies.len()],
            tasks: vec![None; system.tasks.len()],
            blocking: BTreeMap::new(),
        };
        for id in system.interrupts_of(core) {
            tracks.interrupts[id.0] = Some(writer.interrupt(root, system.interrupt(id)));
        }
        for id in system.devices_on(core) {
            tracks.devices[id.0] = Some(writer.device(root, system.device(id)));
        }
        for id in system.timers_on(core) {
            tracks.timers[id.0] = Some(writer.add(Some(root), &system.timer(id).name));
        }
        tracks.members(&mut writer, system, core, root);
        let names = writer.names;
        (tracks, names)
    }

    /// The members of a supply, under its track.
    fn members<W: Write, N: FnMut() -> u64>(
        &mut self,
        writer: &mut Writer<'_, W, N>,
        system: &System,
        supply: SupplyId,
        under: Track,
    ) {
        for (id, interrupt) in system.interrupts.iter().enumerate() {
            let delivered = interrupt.delivery.as_ref().is_some_and(|to| to.vcpu == supply);
            if let (true, Some(tracks)) = (delivered, &mut self.interrupts[id]) {
                let name = guest_routine(&interrupt.name);
                tracks.guest_routine = Some(writer.add(Some(under), &name));
            }
        }
        for &member in &system.supply(supply).members {
            let name = system.member_name(member);
            match member {
                Member::Task(id) => {
                    self.tasks[id.0] = Some(writer.add(Some(under), name));
                    self.blocking(writer, system, member, under);
                }
                Member::Server(id) => {
                    let runs = writer.add(Some(under), name);
                    let budget = writer.counter(runs, "budget", NANOSECONDS);
                    self.servers[id.0] = Some(ServerTracks { runs, budget });
                    self.blocking(writer, system, member, under);
                    self.members(writer, system, id, runs);
                }
            }
        }
    }
}

impl Tracks {
    /// What may block a member.
    fn blocking<W: Write, N: FnMut() -> u64>(
        &mut self,
        writer: &mut Writer<'_, W, N>,
        system: &System,
        member: Member,
        under: Track,
    ) {
        if !system.blocking(member).is_zero() {
            let name = format!("blocking {}", system.member_name(member));
            self.blocking.insert(member, writer.add(Some(under), &name));
        }
    }
}

/// Writes descriptors.
pub(crate) struct Writer<'t, W, N> {
    pub(crate) sink: &'t mut Sink<W>,
    pub(crate) sequence: u64,
    pub(crate) next: N,
    /// The names of the slices on the tracks, counted from one.
    pub(crate) names: Vec<String>,
}

impl<W: Write, N: FnMut() -> u64> Writer<'_, W, N> {
    pub(crate) fn add(&mut self, parent: Option<Track>, name: &str) -> Track {
        let uuid = self.write(parent, name, None);
        self.names.push(name.to_owned());
        let begin = Event::begin(uuid, self.names.len() as u64);
        Track { uuid, begin, end: Event::end(uuid) }
    }

    fn counter(&mut self, parent: Track, name: &str, unit: u64) -> Counter {
        let uuid = self.write(Some(parent), name, Some(&Message::new().number(3, unit)));
        Counter(Event::counter(uuid))
    }

    fn write(&mut self, parent: Option<Track>, name: &str, counter: Option<&Message>) -> u64 {
        let uuid = (self.next)();
        let mut track = Message::new()
            .number(descriptor::UUID, uuid)
            .text(descriptor::NAME, name)
            .number(descriptor::CHILD_ORDERING, EXPLICIT)
            // Numbers grow down the page, and only siblings are compared.
            .number(descriptor::RANK, uuid);
        if let Some(parent) = parent {
            track = track.number(descriptor::PARENT, parent.uuid);
        }
        if let Some(counter) = counter {
            track = track.message(descriptor::COUNTER, counter);
        }
        self.sink.packet(
            &Message::new()
                .number(packet::SEQUENCE, self.sequence)
                .message(packet::TRACK_DESCRIPTOR, &track),
        );
        uuid
    }

    fn interrupt(&mut self, root: Track, interrupt: &Interrupt) -> InterruptTracks {
        let routine = self.add(Some(root), &interrupt.name);
        let has_pseudo_vcpu =
            interrupt.delivery.as_ref().is_some_and(|delivery| delivery.pseudo_vcpu.is_some());
        let pseudo_vcpu = has_pseudo_vcpu.then(|| {
            let pays = self.add(Some(routine), "pseudo-VCPU");
            let budget = self.counter(pays, "budget", NANOSECONDS);
            PseudoVcpuTracks { pays, budget, held_back: self.add(Some(routine), "held back") }
        });
        InterruptTracks { routine, pseudo_vcpu, guest_routine: None }
    }

    fn device(&mut self, root: Track, device: &Device) -> DeviceTracks {
        let card = self.add(Some(root), &device.name);
        let waiting = self.counter(card, "packets at the card", COUNT);
        let socket = self.counter(card, "packets in the socket", COUNT);
        DeviceTracks { card, waiting, socket, socket_holds: device.socket.into() }
    }
}
