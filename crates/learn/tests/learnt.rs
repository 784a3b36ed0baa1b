//! Traces of threads that are known, and what is learnt of them.

use std::fmt::Write as _;
use vorrang_learn::document::{updated, written};
use vorrang_learn::{Facts, Form, Learner, Learnt, Separation, Style, Wanted};

/// The margin of all of these.
const STYLE: Style = Style { margin: 200_000, form: None };

/// Lines of processor 0, by microseconds.
#[derive(Default)]
struct Trace(String);

impl Trace {
    fn line(&mut self, at: u64, event: &str) -> &mut Self {
        let (seconds, rest) = (at / 1_000_000, at % 1_000_000);
        writeln!(self.0, "               x-1       [000] d..2. {seconds:5}.{rest:06}: {event}")
            .expect("text");
        self
    }

    fn switch(&mut self, at: u64, from: &str, state: &str, to: &str) -> &mut Self {
        let part = |who: &str| {
            let mut words = who.split(' ');
            let mut next = || words.next().expect("a name, a number, a priority").to_owned();
            (next(), next(), next())
        };
        let ((name, number, priority), (to_name, to_number, to_priority)) = (part(from), part(to));
        self.line(at, &format!(
            "sched_switch: prev_comm={name} prev_pid={number} prev_prio={priority} prev_state={state} ==> next_comm={to_name} next_pid={to_number} next_prio={to_priority}"
        ))
    }

    fn waking(&mut self, at: u64, who: &str) -> &mut Self {
        let words: Vec<&str> = who.split(' ').collect();
        let [name, number, priority] = words[..] else { panic!("{who}") };
        self.line(
            at,
            &format!("sched_waking: comm={name} pid={number} prio={priority} target_cpu=000"),
        )
    }

    /// A timer wakes it, and it runs at once for so long.
    fn job(&mut self, at: u64, who: &str, length: u64, call: Option<&str>) -> &mut Self {
        self.line(at, "local_timer_entry: vector=236");
        self.waking(at + 1, who).line(at + 2, "local_timer_exit: vector=236");
        self.switch(at + 3, IDLE, "R", who);
        if let Some(call) = call {
            self.line(at + 3 + length - 1, &format!("sys_{call}(which: 0)"));
        }
        self.switch(at + 3 + length, who, "S", IDLE)
    }

    fn learnt(&self, wanted: Wanted) -> Learnt {
        let mut learner = Learner::new(wanted);
        learner.text(self.0.as_bytes()).expect("a trace");
        learner.finish()
    }

    fn written(&self) -> String {
        written(&self.learnt(Wanted::default()), &Facts::default(), &STYLE, "a test")
    }
}

const IDLE: &str = "swapper/0 0 120";
const CONTROL: &str = "control 7 19";

fn periodic(lengths: impl Iterator<Item = u64>) -> Trace {
    let mut trace = Trace::default();
    for (place, length) in (0..).zip(lengths) {
        trace.job(1_000_000 + place * 10_000 + place % 3, CONTROL, length, None);
    }
    trace
}

fn lengths() -> impl Iterator<Item = u64> {
    (0..50).map(|place| 300 + place % 20)
}

/// The value of a key in a table.
fn value<'a>(text: &'a str, table: &str, key: &str) -> &'a str {
    let (_, rest) =
        text.split_once(&format!("\n[{table}]\n")).unwrap_or_else(|| panic!("{table} in {text}"));
    let body = rest.split("\n[").next().unwrap_or(rest);
    let line = body.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
    line.unwrap_or_else(|| panic!("{key} of {table} in {text}"))
}

#[test]
fn a_periodic_thread_is_learnt_within_its_margin() {
    let text = periodic(lengths()).written();
    let system = vorrang_model::read(&text, vorrang_model::Format::Toml).expect("a description");
    let task = system
        .task(system.task_ids().find(|id| system.task(*id).name == "task.control").expect("it"));
    assert_eq!(task.min_interarrival.as_ns(), 10_000_000);
    // Its 319 us, the error of two instants, and a fifth.
    assert!((382_800..=385_200).contains(&task.wcet.as_ns()), "{}", task.wcet);
    assert!(task.jitter.as_ns() <= 8_000, "{}", task.jitter);
    assert_eq!(task.priority.0, 80);
    assert_eq!(system.host.interrupts["interrupt.local_timer-0"], "local_timer");
    assert_eq!(system.host.learnt["task.control"], 200_000);
    assert!(value(&text, "task.control", "wcet").contains("50 jobs in "), "{text}");
}

#[test]
fn interrupts_take_no_time_of_a_thread_and_wake_one() {
    let mut trace = Trace::default();
    for place in 0..20 {
        let at = 1_000_000 + place * 5_000;
        trace.line(at, "irq_handler_entry: irq=24 name=eth0").waking(at + 1, "irq/24-eth0 9 49");
        trace.line(at + 4, "irq_handler_exit: irq=24 ret=handled").switch(
            at + 5,
            IDLE,
            "R",
            "irq/24-eth0 9 49",
        );
        trace
            .line(at + 20, "irq_handler_entry: irq=25 name=disk")
            .line(at + 70, "irq_handler_exit: irq=25 ret=handled");
        trace.switch(at + 105, "irq/24-eth0 9 49", "S", IDLE);
    }
    let text = trace.written();
    // 15 us before the other routine, and 35 behind it.
    assert!(value(&text, "task.irq-24-eth0", "wcet").contains("longest 52 us"), "{text}");
    assert_eq!(value(&text, "interrupt.irq-24-0", "wakes"), "\"task.irq-24-eth0\"");
    assert_eq!(value(&text, "interrupt.irq-24-0", "irq"), "\"24\"");
    // Its name is cut where it is long, and may be another one after a start.
    assert_eq!(value(&text, "task.irq-24-eth0", "thread"), "\"irq:24\"");
    assert!(value(&text, "interrupt.irq-25-0", "isr").contains("longest 51 us"), "{text}");
    vorrang_model::read(&text, vorrang_model::Format::Toml).expect("a description");
}

#[test]
fn suspensions_count_as_execution_and_are_said() {
    let mut trace = Trace::default();
    for place in 0..20 {
        let at = 1_000_000 + place * 10_000;
        trace.job(at, CONTROL, 100, Some("futex"));
        trace.waking(at + 400, CONTROL).switch(at + 401, IDLE, "R", CONTROL);
        trace.line(at + 450, "sys_clock_nanosleep(which_clock: 1, flags: 1)");
        trace.switch(at + 451, CONTROL, "S", IDLE);
    }
    let every = trace.written();
    assert!(
        every.contains(
            "# learnt: may suspend itself inside a job (slept by timer 20 times, futex 20 times)"
        ),
        "{every}"
    );
    let separations = [("control".to_owned(), Separation::Timer)].into();
    let learnt = trace.learnt(Wanted { separations, ..Wanted::default() });
    let text = written(&learnt, &Facts::default(), &STYLE, "a test");
    let wcet = value(&text, "task.control", "wcet");
    // 100 us, asleep for 297, and 50: the error of six instants besides.
    assert!(wcet.contains("18 jobs") && wcet.contains("count as execution: 450 us"), "{wcet}");
    assert!(
        text.contains("jobs are separated by timer; 18 suspended themselves, for 298 us at most"),
        "{text}"
    );
    assert!(value(&text, "task.control", "period").starts_with("\"10ms\""), "{text}");
}

#[test]
fn the_instant_that_was_asked_for_is_the_beginning_of_a_release() {
    let mut trace = Trace::default();
    for place in 0..20 {
        let at = 1_000_000 + place * 10_000;
        trace.job(at + place % 5, CONTROL, 100, None);
        trace.0.truncate(trace.0.trim_end().rfind('\n').expect("lines") + 1);
        let next = (at + 10_000) * 1_000;
        trace.line(at + 102, &format!("hrtimer_start: hrtimer=00 function=hrtimer_wakeup expires={next} softexpires={next} mode=ABS"));
        trace.switch(at + 103 + place % 5, CONTROL, "S", IDLE);
    }
    let learnt = trace.learnt(Wanted::default());
    let fit = learnt.threads[&7].arrivals.periodic.fit().expect("a model");
    assert_eq!((fit.period, fit.offset), (10_000_000, 1_000_000_000));
    assert!((5_000..=6_000).contains(&fit.jitter), "{fit:?}");
}

#[test]
fn virtual_processors_without_a_budget_have_none() {
    let mut trace = Trace::default();
    for place in 0..12 {
        trace.job(1_000_000 + place * 3_000, "CPU\u{2007}0/KVM 70 98", 200, None);
    }
    let trace = Trace(trace.0.replace('\u{2007}', " "));
    let text = trace.written();
    assert_eq!(value(&text, "vcpu.vm-70-0", "server"), "\"none\"");
    assert_eq!(value(&text, "vcpu.vm-70-0", "priority"), "1");
    assert_eq!(value(&text, "task.vm-70-0", "on"), "\"vcpu.vm-70-0\"");
    vorrang_model::read(&text, vorrang_model::Format::Toml).expect("a description");
}

/// A report has the same in other files: which machine, where a thread may run, whether it takes turns.
#[test]
fn what_a_report_says_of_threads_is_in_their_tables() {
    let mut trace = Trace::default();
    for place in 0..12 {
        trace.job(1_000_000 + place * 3_000, "CPU\u{2007}0/KVM 70 98", 200, None);
        trace.job(1_001_000 + place * 3_000, CONTROL, 200, None);
    }
    let trace = Trace(trace.0.replace('\u{2007}', " "));
    let files = [
        ("/sos_commands/kernel/uname_-a", "Linux edge 6.12.95-rt #1 SMP x86_64\n"),
        ("/boot/config-6.12.95-rt", "CONFIG_HZ=250\n"),
        (
            "/sos_commands/process/ps_axo_flags_state_cls_pri",
            "F S   UID     PID    PPID    PGID     SID CLS PRI PSR\n4 S     0       7       1       7       7  RR 120   0\n",
        ),
        (
            "/sos_commands/process/ps_-elfL",
            "F S UID  PID PPID LWP C NLWP PRI NI ADDR SZ WCHAN STIME TTY TIME CMD\n\
             5 S qemu  60    1  70 9    2  58  - - 9 kvm_vc Nov28 ? 09:01:00 qemu-kvm -name guest=plc\n",
        ),
        ("/proc/7/status", "Name:\tcontrol\nCpus_allowed_list:\t0-1\n"),
        ("/sos_commands/virsh/taskset_plc", "pid 70's current affinity list: 0\n"),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let place = folder.path().join(path.trim_start_matches('/'));
        std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        std::fs::write(place, text).expect("a file");
    }
    let learnt = trace.learnt(Wanted::default());
    let facts = Facts::of(&vorrang_enforce::Folder(folder.path().to_owned()), &learnt);
    let text = written(&learnt, &facts, &STYLE, "a test");
    assert_eq!(value(&text, "vcpu.plc-0", "thread"), "\"vm:plc/0\"");
    assert_eq!(value(&text, "core.0", "kernel-release"), "\"6.12\"");
    for said in [
        "# The kernel was built with CONFIG_HZ=250: on a processor that is busy, a tick every 4ms.\n",
        "# learnt: CPU 0/KVM (70): SCHED_FIFO 1, ran on 0, may run on 0\n",
        "# learnt: control (7): SCHED_RR 80, ran on 0, may run on 0-1\n",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn edits_and_comments_survive_an_update() {
    let first = periodic(lengths()).written();
    let edited = first
        .replace("\n[task.control]", "\n# The loop of the arm.\n[task.control]")
        .replace("priority = 80", "priority = 81 # agreed with Ada")
        .replace("period = \"10ms\"", "period = \"9ms\"");
    let mut later = periodic(lengths().map(|length| length + 100));
    later.job(2_000_000, "new 8 89", 10, None);
    let learnt = later.learnt(Wanted::default());
    let (text, changes) =
        updated(&edited, &learnt, &Facts::default(), &STYLE).expect("a description");
    for kept in ["# The loop of the arm.\n", "priority = 81 # agreed with Ada", "period = \"9ms\""]
    {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    assert!(value(&text, "task.control", "wcet").contains("longest 420 us"), "{text}");
    assert!(
        changes.iter().any(|change| change.starts_with("task.control: wcet = ")),
        "{changes:?}"
    );
    assert!(changes.contains(&"task.new: new".to_owned()), "{changes:?}");
    // What is shorter changes nothing.
    let shorter = periodic(lengths().map(|length| length / 2)).learnt(Wanted::default());
    let (again, changes) =
        updated(&text, &shorter, &Facts::default(), &STYLE).expect("a description");
    assert_eq!(value(&again, "task.control", "wcet"), value(&text, "task.control", "wcet"));
    assert!(changes.iter().all(|change| !change.contains("wcet")), "{changes:?}");
    // Without `learnt` a table is nobody's but its author's.
    let own = text.replace("learnt = \"20%\"\n", "");
    assert_eq!(updated(&own, &learnt, &Facts::default(), &STYLE).expect("a description").0, own);
}

#[test]
fn a_buffer_that_was_overwritten_begins_where_the_last_processor_does() {
    let other = "               x-1       [001] d..2.     1.200000: sched_waking: comm=a pid=5 prio=120 target_cpu=001\n";
    let cut = "# entries-in-buffer/entries-written: 4/9   #P:2\n";
    let whole = periodic(lengths()).0;
    let at = whole.find("1.20000").and_then(|at| whole[..at].rfind('\n')).expect("a line") + 1;
    let text = format!("{cut}{}{other}{}", &whole[..at], &whole[at..]);
    let learnt = Trace(text).learnt(Wanted::default());
    assert_eq!(learnt.begin, 1_200_000_000);
    assert!(learnt.threads[&7].arrivals.periodic.count() <= 30);
}

#[test]
fn what_is_no_trace_is_refused_with_its_line() {
    let refused =
        |text: &str| Learner::default().text(text.as_bytes()).expect_err(text).to_string();
    assert_eq!(refused("# tracer\nnonsense\n"), "line 2: this is no event");
    assert_eq!(refused("CPU:0 [LOST 12 EVENTS]\n"), "line 1: the kernel lost events");
    let back = periodic(lengths().take(1)).0 + &periodic(lengths().take(1)).0;
    assert!(refused(&back).contains("the time of this processor goes back"));
    let far = "               x-1       [099999] d..2.     1.000000: sched_waking: comm=a pid=5 prio=120 target_cpu=001";
    assert!(refused(far).contains("more than 4096"));
}

#[test]
fn what_came_a_few_times_is_not_said_to_go_on_so() {
    let mut trace = periodic(lengths());
    for at in [1_500_100, 1_500_200, 1_500_300] {
        trace.job(at, "rare 9 89", 10, None);
    }
    let distances = value(&trace.written(), "task.rare", "min-distances").to_owned();
    // Half a second, less the margin.
    assert!(distances.contains(", \"416"), "{distances}");
    assert!(distances.ends_with("; the last distance is a guess"), "{distances}");
}

#[test]
fn what_delays_a_server_is_no_section_inside() {
    let given = "[server.own]\n[task.control]\non = \"server.own\"\nlearnt = \"20%\"\n[task.other]\non = \"core.0\"\nlearnt = \"20%\"\n";
    let mut trace = periodic(lengths());
    trace.job(2_000_000, "other 8 89", 10, None);
    let learnt = trace.learnt(Wanted::default());
    let (text, _) = updated(given, &learnt, &Facts::default(), &STYLE).expect("a description");
    let text = format!("\n{text}");
    assert!(value(&text, "task.other", "blocking").contains("longest 2 us"), "{text}");
    let (_, control) = text.split_once("[task.control]").expect("it");
    let (control, _) = control.split_once("[task.other]").expect("the other one");
    assert!(control.contains("wcet = ") && !control.contains("blocking"), "{text}");
}

#[test]
fn processors_that_are_not_looked_at_are_no_cores() {
    let there = periodic(lengths());
    let elsewhere = there.0.replace("[000]", "[001]").replace("    1.", "    3.");
    let trace = Trace(there.0 + &elsewhere);
    let style = |wanted| written(&trace.learnt(wanted), &Facts::default(), &STYLE, "a test");
    let all = style(Wanted::default());
    assert_eq!(value(&all, "task.control", "on"), "\"?\"");
    let one = style(Wanted { cpus: vec![1], ..Wanted::default() });
    assert_eq!(value(&one, "task.control", "on"), "\"core.1\"");
    assert!(!one.contains("[core.0]"), "{one}");
}

/// It has no such key.
#[test]
fn an_interrupt_whose_distances_change_gets_no_deadline() {
    let trace = include_str!("../../observe/tests/data/7.2-rt.trace");
    let mut learner = Learner::new(Wanted::default());
    learner.text(trace.as_bytes()).expect("a trace");
    let learnt = learner.finish();
    let style = Style { form: Some(Form::Curve), ..STYLE };
    let text = written(&learnt, &Facts::default(), &style, "a trace");
    let (before, own) = text.split_once("[interrupt.local_timer-0]").expect("an interrupt");
    let other = format!("{before}[interrupt.local_timer-0]{}", own.replace("75us", "74us"));
    assert_ne!(other, text);
    let (again, changes) = updated(&other, &learnt, &Facts::default(), &style).expect("tables");
    assert_eq!((again, changes.len()), (text, 1));
}
