//! Rows of slices that are written when all of them are known.

use crate::sequence::{Event, Sequence};
use crate::sink::Sink;
use crate::tracks::{Track, Writer};
use std::io::Write;
use vorrang_time::Instant;

/// Names of slices that are not called as a row.
const LABELS: [&str; 4] = ["job", "in the guest", "above the bound", "above the limit"];

/// What a slice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// What the row is called.
    Row,
    /// From a release to a completion.
    Job,
    /// A virtual processor runs its guest.
    Guest,
    /// A value above its bound.
    AboveBound,
    /// A value above its limit.
    AboveLimit,
    /// What another row is called, by its place.
    Of(usize),
    /// One of the further names, by its place.
    Named(usize),
}

/// A row for slices, under another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRow {
    /// Its name.
    pub name: String,
    /// The place of the row that it is under, which comes before it.
    pub under: Option<usize>,
}

/// Rows of a trace.
#[derive(Debug)]
pub(crate) struct Rows {
    tracks: Vec<Track>,
    /// How many names are neither rows nor labels.
    named: usize,
    slices: Sequence,
}

impl Rows {
    /// Describes rows, and begins the sequence of that number for what is on them.
    pub(crate) fn describe<W: Write, N: FnMut() -> u64>(
        mut writer: Writer<'_, W, N>,
        rows: &[NewRow],
        names: &[String],
        sequence: u64,
    ) -> Self {
        let mut tracks: Vec<Track> = Vec::new();
        for row in rows {
            let parent = row.under.and_then(|under| tracks.get(under).copied());
            tracks.push(writer.add(parent, &row.name));
        }
        let own = writer.names.iter().chain(names).map(String::as_str);
        let slices = Sequence::begin(writer.sink, sequence, own.chain(LABELS), &[]);
        Self { tracks, named: names.len(), slices }
    }

    /// Something begins on a row.
    pub(crate) fn begin<W: Write>(
        &mut self,
        sink: &mut Sink<W>,
        row: usize,
        label: Label,
        at: Instant,
    ) {
        let Some(track) = self.tracks.get(row) else { return };
        let event = match self.name(label) {
            Some(name) => Event::begin(track.uuid, name),
            None => track.begin,
        };
        self.slices.happens(sink, &event, at, &[]);
    }

    /// What began last on a row ends.
    pub(crate) fn end<W: Write>(&mut self, sink: &mut Sink<W>, row: usize, at: Instant) {
        let Some(track) = self.tracks.get(row) else { return };
        self.slices.happens(sink, &track.end, at, &[]);
    }

    /// Something happens on a row.
    pub(crate) fn mark<W: Write>(
        &mut self,
        sink: &mut Sink<W>,
        row: usize,
        label: Label,
        at: Instant,
    ) {
        let (Some(track), Some(name)) = (self.tracks.get(row), self.name(label)) else { return };
        self.slices.happens(sink, &Event::instant(track.uuid, name), at, &[]);
    }

    /// The number of a name that is not that of the row.
    fn name(&self, label: Label) -> Option<u64> {
        // Names of rows are counted from one; the further ones come next, and then the labels.
        let rows = self.tracks.len();
        let labels = rows + self.named;
        let place = match label {
            Label::Row => return None,
            Label::Of(row) => row,
            Label::Named(place) => rows + place,
            Label::Job => labels,
            Label::Guest => labels + 1,
            Label::AboveBound => labels + 2,
            Label::AboveLimit => labels + 3,
        };
        Some(place as u64 + 1)
    }
}
