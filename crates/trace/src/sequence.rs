//! A sequence of packets with events of tracks.
//!
//! **Model.** Perfetto interns names and defaults per sequence. On a sequence time is written as
//! the distance from the packet before ([`INCREMENTAL`]), which takes two or three bytes where an
//! instant takes six. An event earlier than the last one of its sequence states its instant in
//! full ([`BOOT`]); the reader sorts.

use crate::sink::{EventRoom, Sink};
use crate::wire::{Fixed, Message};
use std::io::Write;
use vorrang_time::Instant;

/// The clock of the trace.
const BOOT: u64 = 6;
/// The clock of a sequence, in nanoseconds since its packet before.
const INCREMENTAL: u64 = 64;

/// Fields of `TracePacket`.
pub(crate) mod packet {
    pub(crate) const FTRACE_EVENTS: u32 = 1;
    pub(crate) const PROCESS_TREE: u32 = 2;
    pub(crate) const CLOCK_SNAPSHOT: u32 = 6;
    pub(crate) const TIMESTAMP: u32 = 8;
    pub(crate) const SEQUENCE: u32 = 10;
    pub(crate) const TRACK_EVENT: u32 = 11;
    pub(crate) const INTERNED_DATA: u32 = 12;
    pub(crate) const SEQUENCE_FLAGS: u32 = 13;
    pub(crate) const CLOCK: u32 = 58;
    pub(crate) const DEFAULTS: u32 = 59;
    pub(crate) const TRACK_DESCRIPTOR: u32 = 60;
    pub(crate) const FIRST_ON_SEQUENCE: u32 = 87;
}

/// `SEQ_INCREMENTAL_STATE_CLEARED`: what is interned begins anew.
const CLEARED: u64 = 1;
/// `SEQ_NEEDS_INCREMENTAL_STATE`: refers to what is interned.
const NEEDED: u64 = 2;

/// Fields of `TrackEvent`.
mod event {
    pub(super) const ANNOTATION: u32 = 4;
    pub(super) const TYPE: u32 = 9;
    pub(super) const NAME: u32 = 10;
    pub(super) const TRACK: u32 = 11;
    pub(super) const COUNTER_VALUE: u32 = 30;
}

/// Values of `TrackEvent.Type`.
const SLICE_BEGIN: u64 = 1;
const SLICE_END: u64 = 2;
const INSTANT: u64 = 3;
const COUNTER: u64 = 4;

/// An event of a track but for its time, encoded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event(Fixed);

impl Event {
    /// A slice with that name begins on a track.
    pub(crate) fn begin(track: u64, name: u64) -> Self {
        Self::new(SLICE_BEGIN, track, Some(name))
    }

    /// The slice of a track that began last ends.
    pub(crate) fn end(track: u64) -> Self {
        Self::new(SLICE_END, track, None)
    }

    /// What has that name happens on a track.
    #[inline]
    pub(crate) fn instant(track: u64, name: u64) -> Self {
        Self::new(INSTANT, track, Some(name))
    }

    /// A counter gets a value.
    pub(crate) fn counter(track: u64) -> Self {
        Self::new(COUNTER, track, None)
    }

    #[inline]
    fn new(kind: u64, track: u64, name: Option<u64>) -> Self {
        let event = Fixed::new().number(event::TYPE, kind).number(event::TRACK, track);
        Self(match name {
            Some(name) => event.number(event::NAME, name),
            None => event,
        })
    }
}

/// What an event means, to be shown when it is selected: interned name, value.
pub(crate) type Annotation = (u64, u64);

/// A sequence that packets are written to.
#[derive(Debug)]
pub(crate) struct Sequence {
    /// Which it is, and that its packets need what came before.
    own: Fixed,
    last: Instant,
}

impl Sequence {
    /// Begins a sequence: its clock, its defaults and the names that its events refer to by
    /// number, counted from one.
    pub(crate) fn begin<'n>(
        sink: &mut Sink<impl Write>,
        id: u64,
        event_names: impl Iterator<Item = &'n str>,
        annotation_names: &[&str],
    ) -> Self {
        let clock = |id: u64| Message::new().number(1, id).number(2, 0);
        let clocks =
            Message::new().message(1, &clock(INCREMENTAL).number(3, 1)).message(1, &clock(BOOT));
        let mut interned = Message::new();
        for (iid, name) in (1..).zip(event_names) {
            interned = interned.message(2, &Message::new().number(1, iid).text(2, name));
        }
        for (iid, name) in (1..).zip(annotation_names) {
            interned = interned.message(3, &Message::new().number(1, iid).text(2, name));
        }
        let defaults = Message::new().number(packet::CLOCK, INCREMENTAL);
        sink.packet(
            &Message::new()
                .number(packet::SEQUENCE, id)
                .number(packet::SEQUENCE_FLAGS, CLEARED)
                .number(packet::FIRST_ON_SEQUENCE, 1)
                .message(packet::DEFAULTS, &defaults)
                .message(packet::INTERNED_DATA, &interned)
                .message(packet::CLOCK_SNAPSHOT, &clocks),
        );
        let own = Fixed::new().number(packet::SEQUENCE, id).number(packet::SEQUENCE_FLAGS, NEEDED);
        Self { own, last: Instant::ZERO }
    }

    /// Something happens, with what is to be said about it.
    #[inline]
    pub(crate) fn happens(
        &mut self,
        sink: &mut Sink<impl Write>,
        event: &Event,
        at: Instant,
        annotations: &[Annotation],
    ) {
        self.event(sink, at, |room| {
            room.fixed(&event.0);
            for &(name, value) in annotations {
                let annotation = room.begin(event::ANNOTATION);
                room.number(1, name);
                room.number(3, value);
                room.end(annotation);
            }
        });
    }

    /// A counter has this value from now on.
    #[inline]
    pub(crate) fn counts(
        &mut self,
        sink: &mut Sink<impl Write>,
        counter: &Event,
        value: u64,
        at: Instant,
    ) {
        self.event(sink, at, |room| {
            room.fixed(&counter.0);
            room.number(event::COUNTER_VALUE, value);
        });
    }

    #[inline]
    fn event(
        &mut self,
        sink: &mut Sink<impl Write>,
        at: Instant,
        fields: impl FnOnce(&mut EventRoom<'_>),
    ) {
        let Self { last, own, .. } = self;
        sink.event(|room| {
            if at >= *last {
                room.number(packet::TIMESTAMP, (at - *last).as_ns());
                *last = at;
            } else {
                room.number(packet::TIMESTAMP, at.as_ns());
                room.number(packet::CLOCK, BOOT);
            }
            room.fixed(own);
            let event = room.begin(packet::TRACK_EVENT);
            fields(room);
            room.end(event);
        });
    }
}
