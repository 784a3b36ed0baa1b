"""Reads traces with the descriptors that Perfetto publishes (package `perfetto`), and checks them.

    python3 descriptors.py FILE...

Of every trace: no field is unknown, nothing is encoded longer than it need be, names and tracks
that are referred to exist, every slice ends, what the tracks of a core say is what its CPU row
says. Of a trace of examples/ref10.toml that is called ref10.pftrace and takes one hyperperiod:
the response times and running times that are known of it.
"""

import sys
from collections import Counter, defaultdict
from pathlib import Path

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto

TrackEvent = perfetto.TrackEvent
CLEARED = perfetto.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
NEEDED = perfetto.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
BOOT = perfetto.BUILTIN_CLOCK_BOOTTIME
EXPLICIT = perfetto.TrackDescriptor.EXPLICIT

# Of ten tasks: longest response times in microseconds, known from independent tools.
REF10 = [350, 1050, 2450, 4200, 7350, 11900, 17850, 29400, 57050, 127400]
# Milliseconds and microseconds.
REF10_PERIODS = [5, 10, 20, 25, 40, 50, 80, 100, 200, 400]
REF10_EXECUTION = [350, 700, 1400, 1750, 2800, 3500, 5600, 7000, 14000, 28000]


def require(holds, what):
    if not holds:
        raise SystemExit(f"{sys.argv[0]}: {what}")


def require_known(message):
    """No field of a message, or of one in it, is unknown."""
    require(len(UnknownFieldSet(message)) == 0, f"unknown field in {message}")
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if hasattr(value, "append") else [value]:
                require_known(inner)


class Sequence:
    """What packets of one sequence refer to."""

    def __init__(self, packet):
        clocks = {clock.clock_id: clock for clock in packet.clock_snapshot.clocks}
        self.clock = packet.trace_packet_defaults.timestamp_clock_id
        require(clocks[self.clock].is_incremental, "the clock of a sequence counts from packet to packet")
        require(BOOT in clocks, "the clock of a sequence is anchored")
        self.now = clocks[self.clock].timestamp
        self.names = {name.iid: name.name for name in packet.interned_data.event_names}
        self.annotations = {name.iid for name in packet.interned_data.debug_annotation_names}

    def time(self, packet):
        if packet.HasField("timestamp_clock_id"):
            require(packet.timestamp_clock_id == BOOT, "another clock")
            return packet.timestamp
        self.now += packet.timestamp
        return self.now


class Trace:
    def __init__(self, path):
        data = Path(path).read_bytes()
        self.trace = perfetto.Trace.FromString(data)
        require(self.trace.IsInitialized(), "incomplete")
        require_known(self.trace)
        require(self.trace.ByteSize() == len(data), "something is encoded longer than it need be")
        self.sequences, self.tracks, self.threads = {}, {}, {}
        self.open, self.slices = defaultdict(list), []
        # Of each track, with how deep each is.
        self.nested = defaultdict(list)
        self.marks, self.switches = [], defaultdict(list)
        for packet in self.trace.packet:
            self.read(packet)
        require(not any(self.open.values()), "a slice does not end")
        for track in self.tracks.values():
            require(track.parent_uuid == 0 or track.parent_uuid in self.tracks, "no such parent")
            require(track.child_ordering == EXPLICIT, "tracks are in an order")
        ranks = Counter((track.parent_uuid, track.sibling_order_rank) for track in self.tracks.values())
        require(max(ranks.values()) == 1, "two siblings have the same rank")

    def read(self, packet):
        if packet.sequence_flags == CLEARED:
            self.sequences[packet.trusted_packet_sequence_id] = Sequence(packet)
        for thread in packet.process_tree.threads:
            self.threads[thread.tid] = thread.name
        if packet.HasField("track_descriptor"):
            require(packet.track_descriptor.uuid not in self.tracks, "a track is described twice")
            self.tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        if packet.HasField("track_event"):
            require(packet.sequence_flags == NEEDED, "an event needs what is interned")
            sequence = self.sequences[packet.trusted_packet_sequence_id]
            self.event(packet.track_event, sequence, sequence.time(packet))
        if packet.HasField("ftrace_events"):
            self.bundle(packet.ftrace_events)

    def event(self, event, sequence, at):
        track = self.tracks[event.track_uuid]
        name = sequence.names[event.name_iid] if event.HasField("name_iid") else None
        for annotation in event.debug_annotations:
            require(annotation.name_iid in sequence.annotations, "an annotation has no name")
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            self.open[track.uuid].append((name, at))
        elif event.type == TrackEvent.TYPE_SLICE_END:
            name, begin = self.open[track.uuid].pop()
            require(begin <= at, f"a slice of {name} ends before it begins")
            if not self.is_lane(track):
                self.slices.append((name, begin, at))
            self.nested[track.uuid].append((len(self.open[track.uuid]), name, begin, at))
        elif event.type == TrackEvent.TYPE_INSTANT:
            self.marks.append((track.name, name, at))
        else:
            require(event.type == TrackEvent.TYPE_COUNTER, "another type")
            require(track.HasField("counter") and event.HasField("counter_value"), "no counter")

    def is_lane(self, track):
        """Whether it shows values of a chain, in which tasks are named, too."""
        return track.parent_uuid in self.tracks and self.tracks[track.parent_uuid].name.startswith("chain.")

    def bundle(self, bundle):
        columns = bundle.compact_sched
        at = 0
        for row, distance in enumerate(columns.switch_timestamp):
            at += distance
            name = columns.intern_table[columns.switch_next_comm_index[row]]
            pid = columns.switch_next_pid[row]
            require(name == self.threads.get(pid, "idle"), f"{name} is not thread {pid}")
            require(columns.switch_prev_state[row] in (0, 1), "another state")
            self.switches[bundle.cpu].append((at, name))
        lengths = {len(columns.switch_timestamp), len(columns.switch_next_pid),
                   len(columns.switch_next_prio), len(columns.switch_prev_state)}
        require(len(lengths) == 1, "columns of different lengths")
        for pid, comm in zip(columns.waking_pid, columns.waking_comm_index, strict=True):
            require(self.threads[pid] == columns.intern_table[comm], "another thread is woken")

    def rows(self):
        """What the CPUs ran, as name, begin and end."""
        for switches in self.switches.values():
            require(switches == sorted(switches, key=lambda switch: switch[0]), "a CPU goes back")
            for (begin, name), (end, _) in zip(switches, switches[1:]):
                if name != "idle" and begin < end:
                    yield name, begin, end


def check(path):
    trace = Trace(path)
    if path.endswith(("chain.observed.pftrace", "chain.simulated.pftrace")):
        return check_chains(path, trace)
    if path.endswith(".observed.pftrace"):
        return check_observed(path, trace)
    sources = ("task.", "interrupt.")
    rows = sorted(row for row in trace.rows() if row[0].startswith(sources))
    slices = sorted(entry for entry in trace.slices if entry[0].startswith(sources))
    require(rows, "nothing ran")
    require(rows == slices, "the tracks of a core do not say what its CPU row says")
    if Path(path).name == "ref10.pftrace":
        check_ref10(trace, rows)
    kinds = Counter(name for _, name, _ in trace.marks)
    print(f"{path}: {len(trace.trace.packet)} packets, {len(rows)} stretches of tasks and interrupts, {dict(kinds)}")


def check_observed(path, trace):
    """Of a machine threads have names of their own, and rows show jobs, too."""
    rows = list(trace.rows())
    ran = sorted((begin, end) for name, begin, end in rows if name == "reserved")
    shown = sorted((begin, end) for name, begin, end in trace.slices if name == "server.reserved")
    require(ran and ran == shown, "the row of the reservation does not say what its CPU's says")
    kinds = Counter(name for name, _, _ in trace.slices)
    # The last has no time before the end.
    require(kinds["job"] == 9, f"{kinds['job']} jobs")
    late = [track for track, name, _ in trace.marks if name == "above the bound"]
    require(late == ["task.reserved"] * 5 + ["task.fifo"] * 3, f"above the bound: {late}")
    print(f"{path}: {len(trace.trace.packet)} packets, {len(rows)} stretches of threads, {dict(kinds)}")


# Of examples/chain.toml, synchronous for 200 ms: how many values of each kind, and the longest in microseconds, as
# `vorrang observe` says; and the tasks along each path.
CHAINS = {
    ("chain.brake", "reaction time"): (36, 32000), ("chain.brake", "data age"): (37, 32000),
    ("chain.estimate", "reaction time"): (38, 11200), ("chain.estimate", "data age"): (19, 11200),
}
PATHS = {
    "chain.brake": ["task.wheel", "task.slip", "task.plan", "task.drive"],
    "chain.estimate": ["task.wheel", "task.slip"],
}


def check_chains(path, trace):
    """A lane has values that do not overlap, and in each the task along its path, one after the other."""
    found = defaultdict(list)
    for uuid, slices in trace.nested.items():
        track = trace.tracks[uuid]
        above = trace.tracks[track.parent_uuid].name if track.parent_uuid else ""
        if above not in PATHS:
            continue
        values = [entry for entry in slices if entry[0] == 0]
        for (_, _, _, end), (_, _, begin, _) in zip(values, values[1:]):
            require(end <= begin, f"values of a lane of {above} overlap")
        for _, name, begin, end in values:
            require(name == above, f"a value of {above} is called {name}")
            parts = [entry for entry in slices if entry[0] == 1 and begin <= entry[2] and entry[3] <= end]
            require([part[1] for part in parts] == PATHS[above], f"the parts of {above} are {parts}")
            for (_, _, _, before), (_, task, after, _) in zip(parts, parts[1:]):
                require(before <= after, f"{task} begins before the one before it ends")
            found[above, track.name].append(end - begin)
    seen = {of: (len(times), max(times) // 1000) for of, times in found.items()}
    require(seen == CHAINS, f"values of chains: {seen}")
    late = Counter((track, name) for track, name, _ in trace.marks if name.startswith("above "))
    expected = {("data age", "above the limit"): 19} if path.endswith(".simulated.pftrace") else {}
    require(late == expected, f"values that are too long: {late}")
    print(f"{path}: {len(trace.trace.packet)} packets, values of chains: {seen}")


def check_ref10(trace, rows):
    for place, period in enumerate(REF10_PERIODS):
        name, jobs = f"task.t{place + 1:02}", 400 // period
        mine = [(begin, end) for task, begin, end in rows if task == name]
        ran = sum(end - begin for begin, end in mine)
        require(ran == jobs * REF10_EXECUTION[place] * 1000, f"{name} ran {ran} ns")
        first = max(end for begin, end in mine if begin < period * 1_000_000)
        require(first == REF10[place] * 1000, f"the first job of {name} takes {first} ns")
        releases = sorted(at for track, mark, at in trace.marks if (track, mark) == (name, "released"))
        require(releases == [job * period * 1_000_000 for job in range(jobs)], f"releases of {name}")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        check(name)
