use vorrang_campaign::{differential, oracle};
use vorrang_model::{Format, read, system::*};
use vorrang_sim::*;
use vorrang_time::*;
#[derive(Default)]
struct W(Vec<String>);
impl Observer for W {
    fn ran(&mut self, f: Instant, t: Instant, w: Running) {
        self.0.push(format!("  ran {}..{} {w:?}", f.as_ns(), t.as_ns()));
    }
    fn released(&mut self, j: &Job) {
        self.0.push(format!("  rel {j:?}"));
    }
    fn replenished(&mut self, s: SupplyId, a: Instant) {
        self.0.push(format!("  repl {s:?} {a}"));
    }
    fn exhausted(&mut self, s: SupplyId, a: Instant) {
        self.0.push(format!("  exh {s:?} {a}"));
    }
    fn completed(&mut self, j: &Job, a: Instant) {
        self.0.push(format!("  done {:?} arr {} at {a}", j.source, j.arrival));
    }
    fn expired(&mut self, t: TimerId, d: Instant, a: Instant) {
        self.0.push(format!("  expired {t:?} {d} {a}"));
    }
    fn packet(&mut self, d: DeviceId, e: Packet, x: Instant, a: Instant) {
        self.0.push(format!("  packet {d:?} {e:?} {x} {a}"));
    }
    fn masked(&mut self, i: InterruptId, a: Instant) {
        self.0.push(format!("  masked {i:?} {a}"));
    }
    fn unmasked(&mut self, i: InterruptId, a: Instant) {
        self.0.push(format!("  unmasked {i:?} {a}"));
    }
    fn merged(&mut self, i: InterruptId, a: Instant) {
        self.0.push(format!("  merged {i:?} {a}"));
    }
    fn pseudo_vcpu_budget(&mut self, i: InterruptId, l: Duration, a: Instant) {
        self.0.push(format!("  pbudget {i:?} {l} {a}"));
    }
}
fn main() {
    let mut a = std::env::args().skip(1);
    let (file, pattern) = (a.next().unwrap(), a.next().unwrap());
    let h = Instant::from_ns(a.next().map_or(160, |x| x.parse().unwrap()));
    let system = read(&std::fs::read_to_string(file).unwrap(), Format::Toml).unwrap();
    for core in system.cores() {
        let history = Pattern::parse(&pattern, &system).unwrap().history(&system, core).unwrap();
        let mut w = W::default();
        simulate(&system, core, &history, h, &mut w).unwrap();
        let o = oracle::run(
            &system,
            core,
            &differential::translate(&system, core, &history, h),
            h.as_ns(),
        );
        println!("{history:?}\nSIM");
        for l in w.0 {
            println!("{l}");
        }
        println!("ORACLE");
        let mut f = 0;
        for t in 1..=o.ran.len() {
            if t == o.ran.len() || o.ran[t] != o.ran[f] {
                println!("  ran {f}..{t} {:?}", o.ran[f]);
                f = t;
            }
        }
        println!("{:?}", differential::difference(&system, core, &history, h));
    }
}
