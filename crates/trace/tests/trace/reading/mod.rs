//! A trace, read back: a reader of its own, written from Perfetto's documentation of the format.

mod wire;

use std::collections::BTreeMap;
use wire::Fields;

/// Everything in a trace. Names of tracks are paths from the core.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Names of threads and of their processes.
    pub(crate) threads: BTreeMap<u64, (String, String)>,
    /// In the order in which they are shown.
    pub(crate) tracks: Vec<String>,
    /// Track, name, from, to; in the order of their ends.
    pub(crate) slices: Vec<(String, String, u64, u64)>,
    /// Track, name, instant, what is said about it.
    pub(crate) marks: Vec<(String, String, u64, Annotations)>,
    /// Track, value, instant.
    pub(crate) counts: Vec<(String, u64, u64)>,
    /// CPU, instant, state of the thread before, thread.
    pub(crate) switches: Vec<(u64, u64, u64, String)>,
    /// CPU, instant, thread.
    pub(crate) wakings: Vec<(u64, u64, String)>,
}

/// What is said about an event.
pub(crate) type Annotations = Vec<(String, u64)>;

/// What is known of a sequence of packets.
#[derive(Default)]
struct Sequence {
    now: u64,
    event_names: BTreeMap<u64, String>,
    annotation_names: BTreeMap<u64, String>,
}

/// What is read of packets so far.
#[derive(Default)]
struct Reader {
    reading: Reading,
    sequences: BTreeMap<u64, Sequence>,
    /// By number: name, rank, parent.
    tracks: BTreeMap<u64, (String, u64, Option<u64>)>,
    /// By track: begun slices.
    open: BTreeMap<u64, Vec<(String, u64)>>,
}

impl Reading {
    /// Reads a trace; panics if it is none.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut reader = Reader::default();
        for packet in Fields::of(bytes).messages(1) {
            reader.packet(&packet);
        }
        assert!(reader.open.values().all(Vec::is_empty), "every slice ends");
        let mut tracks: Vec<u64> = reader.tracks.keys().copied().collect();
        tracks.sort_by_key(|&track| reader.ranks(track));
        reader.reading.tracks = tracks.into_iter().map(|track| reader.path(track)).collect();
        reader.reading
    }
}

impl Reader {
    fn packet(&mut self, packet: &Fields) {
        let sequence = packet.number(10).expect("every packet is on a sequence");
        let known = self.sequences.entry(sequence).or_default();
        if packet.number(13) == Some(1) {
            let clock = packet.message(59).unwrap().number(58);
            assert_eq!(clock, Some(64), "the clock of the sequence is the default");
            *known = Sequence::default();
        }
        if let Some(interned) = packet.message(12) {
            let names = |field| {
                let entries = interned.messages(field);
                entries.map(|entry| (entry.number(1).unwrap(), entry.text(2).unwrap())).collect()
            };
            (known.event_names, known.annotation_names) = (names(2), names(3));
        }
        if let Some(tree) = packet.message(2) {
            self.process_tree(&tree);
        }
        if let Some(track) = packet.message(60) {
            let entry = (track.text(2).unwrap(), track.number(12).unwrap(), track.number(5));
            assert!(self.tracks.insert(track.number(1).unwrap(), entry).is_none());
        }
        if let Some(bundle) = packet.message(1) {
            self.bundle(&bundle);
        }
        if let Some(event) = packet.message(11) {
            self.event(sequence, packet, &event);
        }
    }

    fn process_tree(&mut self, tree: &Fields) {
        let processes: BTreeMap<u64, String> = tree
            .messages(1)
            .map(|process| (process.number(1).unwrap(), process.text(3).unwrap()))
            .collect();
        for thread in tree.messages(2) {
            let process = processes[&thread.number(3).unwrap()].clone();
            let names = (thread.text(2).unwrap(), process);
            assert!(self.reading.threads.insert(thread.number(1).unwrap(), names).is_none());
        }
    }

    fn event(&mut self, sequence: u64, packet: &Fields, event: &Fields) {
        assert_eq!(packet.number(13), Some(2), "it needs what is interned");
        let known = self.sequences.get_mut(&sequence).unwrap();
        let mut at = packet.number(8).unwrap();
        if let Some(clock) = packet.number(58) {
            assert_eq!(clock, 6, "the clock of the trace");
        } else {
            known.now += at;
            at = known.now;
        }
        let name = event.number(10).map(|iid| known.event_names[&iid].clone());
        let annotations = event.messages(4).map(|annotation| {
            let name = &known.annotation_names[&annotation.number(1).unwrap()];
            (name.clone(), annotation.number(3).unwrap())
        });
        let annotations = annotations.collect();
        let track = event.number(11).unwrap();
        let path = self.path(track);
        let open = self.open.entry(track).or_default();
        match event.number(9).unwrap() {
            1 => open.push((name.unwrap(), at)),
            2 => {
                let (name, from) = open.pop().expect("a slice that ends has begun");
                assert!(from <= at);
                self.reading.slices.push((path, name, from, at));
            }
            3 => self.reading.marks.push((path, name.unwrap(), at, annotations)),
            4 => self.reading.counts.push((path, event.number(30).unwrap(), at)),
            other => panic!("no event is of type {other}"),
        }
    }

    fn bundle(&mut self, bundle: &Fields) {
        let (cpu, columns) = (bundle.number(1).unwrap(), bundle.message(4).unwrap());
        let names = columns.texts(5);
        let column = |field| columns.packed(field);
        let name = |place: u64| names[usize::try_from(place).unwrap()].clone();
        let (next, state) = (column(3), column(2));
        for (row, (at, place)) in instants(&column(1)).zip(column(6)).enumerate() {
            let thread = name(place);
            let known = self.reading.threads.get(&next[row]);
            assert_eq!(known.map_or("idle", |(name, _)| name), thread);
            self.reading.switches.push((cpu, at, state[row], thread));
        }
        let woken = column(8);
        for (row, (at, place)) in instants(&column(7)).zip(column(11)).enumerate() {
            assert_eq!(self.reading.threads[&woken[row]].0, name(place));
            assert_eq!(column(9)[row], cpu);
            self.reading.wakings.push((cpu, at, name(place)));
        }
        for columns in [[1, 2, 3, 4, 6].as_slice(), &[7, 8, 9, 10, 11, 12]] {
            assert!(columns.iter().all(|&field| column(field).len() == column(columns[0]).len()));
        }
    }

    fn path(&self, track: u64) -> String {
        let (name, _, parent) = &self.tracks[&track];
        match parent {
            Some(parent) => format!("{}/{name}", self.path(*parent)),
            None => name.clone(),
        }
    }

    /// The ranks of a track and those it is below, outermost first.
    fn ranks(&self, track: u64) -> Vec<u64> {
        let (_, rank, parent) = &self.tracks[&track];
        let mut ranks = parent.map(|parent| self.ranks(parent)).unwrap_or_default();
        ranks.push(*rank);
        ranks
    }
}

/// Sums of distances.
fn instants(distances: &[u64]) -> impl Iterator<Item = u64> {
    distances.iter().scan(0, |now, distance| {
        *now += distance;
        Some(*now)
    })
}
