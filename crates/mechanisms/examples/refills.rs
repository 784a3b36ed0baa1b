//! What a queue of refills does in random histories, as a file in which Coq looks whether the rule of `proofs/Refills.v`
//! does the same.
//!
//!     cargo run -p vorrang-mechanisms --example refills -- 500 >target/refills.v
//!     sh scripts/proofs.sh target/refills.v
//!
//! **Model.** Of each of 60 instants stands there whether the server had the unit before, whether it is charged, and whether
//! its guest wakes; and what it has after that: the budget, or when it is back. `coqc` fails where the rule of the proofs
//! has something else.

use vorrang_mechanisms::server::{RefillQueue, Server as _};
use vorrang_random::Random;
use vorrang_time::{Duration, Instant};

const SEED: u64 = 4956;
const INSTANTS: u64 = 60;

const RULE: &str = "From Coq Require Import Arith Bool List.
From Vorrang Require Import Refills.
Import ListNotations.
Definition step (T most least now : nat) (s : list (nat * nat) * nat) (e : bool * bool * bool) : list (nat * nat) * nat :=
  let '(q, used) := s in
  let '(runs, charges, wakes) := e in
  let x := used + (if runs then 1 else 0) in
  if (x =? snd (head q)) || charges || wakes
  then (let charged := charge T most least x q in if wakes then wake now charged else charged, 0)
  else (q, x).
Fixpoint has (T most least now : nat) (s : list (nat * nat) * nat) (es : list (bool * bool * bool)) : list (nat * nat) :=
  match es with
  | [] => []
  | e :: rest =>
      let s' := step T most least now s e in
      let (first, amount) := head (fst s') in
      (if first <=? now then (amount - snd s', 0) else (0, first)) :: has T most least (S now) s' rest end.
";

fn main() {
    let wanted = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(500);
    println!("{RULE}");
    for trace in 0..wanted {
        println!("{}", history(trace));
    }
}

/// One history, as a lemma.
fn history(trace: u64) -> String {
    let mut random = Random::new(SEED, trace);
    let budget = random.between(2, 9);
    let period = budget + random.between(1, 2 * budget);
    let (most, least) = (2 + random.index(3), random.between(0, budget));
    let queue = RefillQueue::with_max_refills(ns(budget), ns(period), most);
    let mut queue = queue.with_least_budget(ns(least));
    let [busy, entered, turns] = [4, 6, 9].map(|most| random.between(1, most));
    let mut is_awake = false;
    let (mut events, mut seen) = (Vec::new(), Vec::new());
    for now in (1..=INSTANTS).map(Instant::from_ns) {
        let runs = is_awake && !queue.budget().is_zero() && random.chance(busy, busy + 1);
        if runs {
            queue.consume(now, ns(1));
        }
        replenish(&mut queue, now);
        let turn = random.chance(1, turns);
        let charges = random.chance(1, entered) || is_awake && turn;
        if charges {
            queue.stop(now);
        }
        let wakes = !is_awake && turn;
        if wakes {
            queue.wake(now);
        }
        is_awake ^= turn;
        replenish(&mut queue, now);
        let budget = queue.budget();
        let back = if budget.is_zero() { queue.due() } else { Instant::ZERO };
        events.push(format!("({runs}, {charges}, {wakes})"));
        seen.push(format!("({}, {})", budget.as_ns(), back.as_ns()));
    }
    let [events, seen] = [events, seen].map(|all| all.join("; "));
    format!(
        "Lemma same{trace} : has {period} {most} {least} 1 ([(0, {budget})], 0)\n  [{events}]\n  = [{seen}].\n\
         Proof. vm_compute. reflexivity. Qed."
    )
}

fn replenish(queue: &mut RefillQueue, now: Instant) {
    if queue.due() <= now {
        queue.replenish(now);
    }
}

const fn ns(of: u64) -> Duration {
    Duration::from_ns(of)
}
