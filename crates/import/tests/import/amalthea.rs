//! Models of Amalthea, as versions of it differ.

use crate::{table, valid};
use vorrang_import::{Form, Import, of_file, of_files};

/// A model with what is in it.
fn model(version: &str, within: &str) -> String {
    format!(
        "<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/{version}\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n{within}\n</am:Amalthea>"
    )
}

/// Two cores of 200 and 100 MHz, of which the second takes three ticks for two instructions.
const CORES: &str = r#"<hwModel>
 <definitions xsi:type="am:ProcessingUnitDefinition" name="Fast" puType="CPU"/>
 <definitions xsi:type="am:ProcessingUnitDefinition" name="Slow" features="Instructions/IPC_2?type=HwFeature"/>
 <featureCategories name="Instructions"><features name="IPC_2" value="0.6666"/></featureCategories>
 <structures name="S"><modules xsi:type="am:ProcessingUnit" name="C0" frequencyDomain="D0?type=FrequencyDomain"
   definition="Fast?type=ProcessingUnitDefinition"/>
  <modules xsi:type="am:ProcessingUnit" name="C1" frequencyDomain="D1?type=FrequencyDomain"
   definition="Slow?type=ProcessingUnitDefinition"/></structures>
 <domains xsi:type="am:FrequencyDomain" name="D0"><defaultValue value="200.0" unit="MHz"/></domains>
 <domains xsi:type="am:FrequencyDomain" name="D1"><defaultValue value="1.0E8" unit="Hz"/></domains>
</hwModel>"#;

const MAPPED: &str = r#"<osModel><operatingSystems name="O">
 <taskSchedulers name="S0"><schedulingAlgorithm xsi:type="am:OSEK"/></taskSchedulers>
 <taskSchedulers name="S1" definition="EarliestDeadlineFirst?type=SchedulerDefinition"/>
</operatingSystems></osModel>
<mappingModel>
 <schedulerAllocation scheduler="S0?type=TaskScheduler" responsibility="C0?type=ProcessingUnit"/>
 <schedulerAllocation scheduler="S1?type=TaskScheduler" responsibility="C1?type=ProcessingUnit"/>
 <taskAllocation task="A?type=Task" scheduler="S0?type=TaskScheduler"><schedulingParameters priority="7"/></taskAllocation>
 <taskAllocation task="B?type=Task" scheduler="S0?type=TaskScheduler"><schedulingParameters key="priority">
   <value xsi:type="am:IntegerObject" value="3"/></schedulingParameters></taskAllocation>
 <taskAllocation task="C?type=Task" scheduler="S1?type=TaskScheduler"/>
</mappingModel>"#;

const STIMULI: &str = r#"<stimuliModel>
 <stimuli xsi:type="am:PeriodicStimulus" name="P"><offset value="1" unit="ms"/><recurrence value="10" unit="ms"/>
  <jitter xsi:type="am:TimeBoundaries"><lowerBound value="0"/><upperBound value="30" unit="us"/></jitter></stimuli>
 <stimuli xsi:type="am:SporadicStimulus" name="S"><occurrence xsi:type="am:TimeUniformDistribution">
  <lowerBound value="5500" unit="ns"/><upperBound value="1" unit="s"/></occurrence></stimuli>
 <stimuli xsi:type="am:InterProcessStimulus" name="I"/>
 <stimuli xsi:type="am:SingleStimulus" name="Once"/>
</stimuliModel>"#;

/// Ticks of 3.x: a switch takes its longest branch, and a core of its kind has ticks of its own.
const GRAPHS: &str = r#"<swModel>
 <tasks name="A" stimuli="P?type=PeriodicStimulus" preemption="non_preemptive"><activityGraph>
  <items xsi:type="am:Group"><items xsi:type="am:RunnableCall" runnable="R?type=Runnable"/></items>
  <items xsi:type="am:Switch"><entries name="x"><items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="10"/>
   </items></entries><defaultEntry><items xsi:type="am:RunnableCall" runnable="R?type=Runnable"/></defaultEntry></items>
  <items xsi:type="am:InterProcessTrigger" stimulus="I?type=InterProcessStimulus"/>
 </activityGraph></tasks>
 <tasks name="B" stimuli="I?type=InterProcessStimulus"><activityGraph>
  <items xsi:type="am:RunnableCall" runnable="R?type=Runnable"/></activityGraph></tasks>
 <tasks name="C" stimuli="S?type=SporadicStimulus"><activityGraph>
  <items xsi:type="am:RunnableCall" runnable="R?type=Runnable"/></activityGraph></tasks>
 <runnables name="R"><activityGraph><items xsi:type="am:LabelAccess" data="L?type=Label" access="read"/>
  <items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueWeibullEstimatorsDistribution" lowerBound="1" upperBound="100" average="9"/>
   <extended key="Slow?type=ProcessingUnitDefinition"><value xsi:type="am:DiscreteValueHistogram">
    <entries occurrences="1" lowerBound="1" upperBound="40"/><entries occurrences="1" lowerBound="40" upperBound="90"/>
   </value></extended></items></activityGraph></runnables>
</swModel>"#;

const LIMITS: &str = r#"<eventModel>
 <events xsi:type="am:ProcessEvent" name="EA" entity="A?type=Task"/>
 <events xsi:type="am:ProcessEvent" name="EC" entity="C?type=Task"/>
 <events xsi:type="am:LabelEvent" name="EL" entity="L?type=Label"/>
</eventModel>
<constraintsModel>
 <eventChains name="AC" stimulus="EA?type=ProcessEvent" response="EC?type=ProcessEvent"/>
 <eventChains name="CA" stimulus="EC?type=ProcessEvent" response="EA?type=ProcessEvent"/>
 <eventChains name="AL" stimulus="EA?type=ProcessEvent" response="EL?type=LabelEvent"/>
 <timingConstraints xsi:type="am:EventChainLatencyConstraint" name="l" scope="AC?type=EventChain" type="Age">
  <maximum value="60" unit="ms"/></timingConstraints>
 <requirements xsi:type="am:ProcessRequirement" process="A?type=Task"><limit xsi:type="am:TimeRequirementLimit"
  limitType="UpperLimit" metric="ResponseTime"><limitValue value="9" unit="ms"/></limit></requirements>
</constraintsModel>"#;

fn import(text: &str) -> Import {
    let import =
        of_file(Form::Amalthea, "file", text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    valid(&import);
    import
}

fn refused(text: &str) -> String {
    of_file(Form::Amalthea, "file", text).expect_err("it is none").to_string()
}

#[test]
fn tasks_have_the_longest_time_of_their_core_and_what_releases_them() {
    for version in ["0.9.9", "1.2.0", "3.3.0"] {
        let import = import(&model(version, &[GRAPHS, CORES, MAPPED, STIMULI, LIMITS].concat()));
        assert_eq!(
            table(&import, "task.A"),
            "on = \"core.0\"\nwcet = \"1us\"\nperiod = \"10ms\"\njitter = \"30us\"\n\
             offset = \"1ms\"\ndeadline = \"9ms\"\npriority = 7\npreemption = \"none\"\n\
             wakes = [\"task.B\"]",
            "both calls of 100 ticks of 5 ns"
        );
        assert_eq!(table(&import, "task.B"), "on = \"core.0\"\nwcet = \"500ns\"\npriority = 3");
        let slow = "on = \"core.1\"\nwcet = \"900ns\"\nperiod = \"5500ns\"";
        assert_eq!(table(&import, "task.C"), slow, "of 90 ticks");
        assert_eq!(table(&import, "core.1"), "scheduler = \"edf\"");
        assert_eq!(
            table(&import, "chain.AC").trim(),
            "path = [\"task.A\", \"task.C\"]\nage = \"60ms\""
        );
        for said in ["event chain AL: it is no path", "event chain CA: it has no limit"] {
            assert!(import.lost.iter().any(|lost| lost.contains(said)), "{:#?}", import.lost);
        }
        assert!(import.text.contains("# core.0 is C0.\n# core.1 is C1.\n"), "{}", import.text);
        assert_eq!(Form::of_text(&model(version, "")), Ok(Form::Amalthea));
    }
}

/// As 0.9.2 and before: instructions, and a priority at the task.
#[test]
fn instructions_are_ticks_of_the_core() {
    let graph = r#"<swModel><tasks name="C" stimuli="S?type=SporadicStimulus"><callGraph>
      <graphEntries xsi:type="am:CallSequence"><calls xsi:type="am:TaskRunnableCall" runnable="R?type=Runnable"/></graphEntries>
      <graphEntries xsi:type="am:ProbabilitySwitch"><entries probability="1"><items xsi:type="am:CallSequence">
       <calls xsi:type="am:TaskRunnableCall" runnable="N?type=Runnable"/></items></entries></graphEntries></callGraph></tasks>
     <tasks name="A" stimuli="P?type=PeriodicStimulus"><callGraph><graphEntries xsi:type="am:CallSequence">
      <calls xsi:type="am:TaskRunnableCall" runnable="R?type=Runnable"/></graphEntries></callGraph>
      <customProperties key="priority"><value xsi:type="am:StringObject" value="11"/></customProperties></tasks>
     <runnables name="R"><runnableItems xsi:type="am:RunnableInstructions"><default xsi:type="am:InstructionsDeviation"><deviation>
      <lowerBound xsi:type="am:LongObject" value="5"/><upperBound xsi:type="am:LongObject" value="60"/></deviation></default>
      </runnableItems></runnables>
     <runnables name="N"><runnableItems xsi:type="am:ExecutionNeed"><default key="Instructions"><value xsi:type="am:NeedConstant"
      value="20"/></default></runnableItems></runnables></swModel>"#;
    let mapped = MAPPED.replace("<schedulingParameters priority=\"7\"/>", "");
    let import = import(&model("0.9.2", &[graph, CORES, &mapped, STIMULI].concat()));
    // 80 instructions at 0.6666 a tick of 10 ns: 121 ticks.
    assert!(table(&import, "task.C").contains("wcet = \"1210ns\""), "{}", import.text);
    assert!(table(&import, "task.A").contains("wcet = \"300ns\""), "{}", import.text);
    assert!(table(&import, "task.A").contains("priority = 11"), "{}", import.text);
}

/// What refers to each other may be in one file or in several, in any order.
#[test]
fn files_of_one_model_are_read_together() {
    let between = STIMULI.replace("value=\"1\" unit=\"ms\"", "value=\"1500\" unit=\"ps\"");
    let parts = [&between, GRAPHS, LIMITS, MAPPED, CORES];
    let head = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    let texts = parts.map(|part| format!("{head}{}\n", model("1.2.0", part)));
    let names = ["stimuli", "software", "limits", "mapping", "hardware"];
    let files: Vec<_> = names.into_iter().zip(texts.iter().map(String::as_str)).collect();
    let several = of_files(&files).expect("a model");
    valid(&several);
    let one = import(&model("1.2.0", &parts.concat()));
    for name in ["task.A", "task.B", "task.C", "core.0", "core.1", "chain.AC"] {
        assert_eq!(table(&several, name), table(&one, name));
    }
    assert!(several.text.contains("in stimuli, software, limits, mapping, hardware."));
    // The offset of its stimulus: the task is in the fourth line of its file, behind the declaration.
    let said = "software, line 4: task A: the offset of its stimulus, which is no whole nanosecond";
    assert!(several.lost.iter().any(|lost| lost == said), "{:#?}", several.lost);

    let without = of_files(&files[..4]).expect_err("no core has a frequency").to_string();
    assert!(without.contains("as software, line 4: task A: it runs on no core"), "{without}");
    let broken = files[1].1.replace("name=\"B\" stimuli", "name=\"B\" name=\"B\" stimuli");
    let why = of_files(&[files[0], ("broken", &broken)]).expect_err("no XML").to_string();
    assert!(why.starts_with("broken, line 10: this is no XML"), "{why}");
    let old = texts[1].replace("/1.2.0", "/0.8.1");
    let why = of_files(&[files[0], ("old", &old)]).expect_err("too old").to_string();
    assert!(why.starts_with("old, line 2: version 0.8.1 is none of 0.9 to 3"), "{why}");
}

/// Whatever would make a bound wrong leaves the task out, with the reason.
#[test]
fn what_is_not_known_of_a_task_leaves_it_out() {
    for (from, to, why) in [
        ("am:LabelAccess", "am:SemaphoreAccess", "its time is not known: line "),
        ("upperBound=\"100\"", "", "these ticks have no upper bound"),
        ("runnable=\"R?", "runnable=\"X?", "runnable X is in another file"),
        ("stimuli=\"P?", "stimuli=\"Once?", "stimulus Once has no least time"),
        ("stimuli=\"P?", "stimuli=\"X?", "stimulus X is in another file"),
        ("<lowerBound value=\"0\"/>", "", "stimulus P has no least time"),
        ("stimuli=\"P?", "stimuli=\"S?type=S P?", "it has no stimulus, or several"),
        ("stimulus=\"I?", "stimulus=\"X?", "0 tasks trigger it"),
        ("unit=\"MHz\"", "unit=\"turns\"", "C0 has no frequency"),
        ("am:OSEK", "am:PfairPD2", "its scheduler goes by PfairPD2"),
        (
            "<schedulingAlgorithm xsi:type=\"am:OSEK\"/>",
            "<parentAssociation parent=\"S1?type=TaskScheduler\"/>",
            "its scheduler goes by a scheduler above it",
        ),
        ("responsibility=\"C1?", "responsibility=\"C0?", "another scheduler has its core"),
    ] {
        let text = model("3.0.0", &[GRAPHS, CORES, MAPPED, STIMULI].concat());
        let text = text.replacen(from, to, if from.starts_with("run") { 9 } else { 1 });
        let lost = match of_file(Form::Amalthea, "file", &text) {
            Ok(import) => {
                valid(&import);
                import.lost.join("\n") + &import.text
            }
            Err(refused) => refused.to_string(),
        };
        assert!(lost.contains(why), "{from}: {why}: {lost}");
    }
}

#[test]
fn tasks_that_wake_each_other_are_left_out() {
    let round = GRAPHS
        .replace("stimuli=\"P?type=PeriodicStimulus\"", "stimuli=\"J?type=InterProcessStimulus\"")
        .replace(
            "<tasks name=\"B\" stimuli=\"I?type=InterProcessStimulus\"><activityGraph>",
            "<tasks name=\"B\" stimuli=\"I?type=InterProcessStimulus\"><activityGraph>\
             <items xsi:type=\"am:InterProcessTrigger\" stimulus=\"J?type=InterProcessStimulus\"/>",
        );
    let stimuli = STIMULI.replace(
        "name=\"Once\"",
        "name=\"Once\"/><stimuli xsi:type=\"am:InterProcessStimulus\" name=\"J\"",
    );
    let import = import(&model("3.0.0", &[&round, CORES, MAPPED, &stimuli].concat()));
    assert!(!import.text.contains("[task.A]"), "{}", import.text);
    assert!(import.lost.iter().any(|lost| lost.contains("round about")), "{:#?}", import.lost);
}

#[test]
fn what_is_nested_without_end_is_refused() {
    let times = 50_000;
    let deep = format!(
        "<swModel><tasks name=\"A\" stimuli=\"P?type=S\"><activityGraph>{}{}</activityGraph></tasks></swModel>",
        "<items xsi:type=\"am:Group\">".repeat(times),
        "</items>".repeat(times)
    );
    let said = refused(&model("3.0.0", &[&deep, CORES, MAPPED, STIMULI].concat()));
    assert!(said.contains("too deep") || said.contains("this is no XML"), "{said}");
}

#[test]
fn what_is_no_model_is_refused_with_its_line() {
    let depth = r#"<swModel><tasks name="A" stimuli="P?type=PeriodicStimulus"><activityGraph>
      <items xsi:type="am:RunnableCall" runnable="R?type=Runnable"/></activityGraph></tasks>
      <runnables name="R"><activityGraph><items xsi:type="am:RunnableCall" runnable="R?type=Runnable"/></activityGraph>
      </runnables></swModel>"#;
    for (text, why) in [
        (String::new(), "line 1: this is no XML"),
        ("<a/>".to_owned(), "line 1: there is no <am:Amalthea>"),
        (model("0.8.2", ""), "line 1: version 0.8.2 is none of 0.9 to 3"),
        (model("4.0.0", ""), "line 1: version 4.0.0 is none of 0.9 to 3"),
        (model("3.0.0", ""), "line 1: no task of it has a time and arrivals that are known"),
        (model("3.0.0", &[depth, CORES, MAPPED, STIMULI].concat()), "runnables call each other"),
        (
            model(
                "3.0.0",
                &[GRAPHS, CORES, MAPPED, &STIMULI.replace("unit=\"ms\"", "unit=\"y\"")].concat(),
            ),
            "there is no time with a unit",
        ),
    ] {
        assert!(refused(&text).contains(why), "{}", refused(&text));
    }
}
