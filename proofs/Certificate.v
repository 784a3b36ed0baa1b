(* What a certificate says, the function that checks it, and what a history of it is; why the function is right is in
   Certified.v. crates/certificate is the same function in Rust.
   Assumptions of the theorem there: [history] and [task_history], in words: every server of the certificate and every
     other member keeps the rule of its kind (Loads.v, Backlog.v, Kinds.v, SporadicServer.v, Refills.v, Bandwidth.v,
     PseudoVcpu.v, SharedGuest.v, Unthrottled.v, LateRuntimes.v, SchedulerCosts.v, Timers.v, TimerShield.v, ColdCaches.v), and each supply is shared by fixed
     priority (Residual.v), by the earliest deadline (Deadlines.v, LateDeadlines.v) or in slots (FixedSlot.v). *)
Require Import Arith Bool NArith List.
From Vorrang Require Import Refills Schedule Loads Unthrottled Residual Kinds SporadicServer Deadlines Bandwidth Backlog PseudoVcpu SharedGuest LateRuntimes LateDeadlines
  FixedSlot SchedulerCosts Timers ColdCaches.
From Vorrang Require TimerShield WorkInServers IdleGuest.
Import ListNotations.

(* The rule of a server: one that is replenished at fixed instants, a sporadic one, or a queue of so many refills with a
   least budget. *)
Inductive manner := Fixed (k : kind) | Sporadic | Refills (most least : N).

(* What calls the scheduler of a core: a member that is as urgent, with the returns of its budget, and what wakes it or its
   guest, each so far apart and up to so much later, and whether it idles its budget away; one that is less urgent, with its
   returns; or the server that is looked at, with its period. *)
Inductive caller :=
  | Above (returns wakes : list (N * N)) (idles : bool)
  | Below (returns : list (N * N))
  | Itself (period : N).

(* A context of a core: how urgent it is, what it loses at most of its time from a start on, and what makes it ready. *)
Record cold_context := Cold_context { urgency_of : N; loses : N; ready_from : list (N * N) }.

(* A timer behind a shield: how urgent it is; what an interrupt for it takes, how often it expires, and how much later its
   callback has ended; and what the task takes, if any, that it wakes on the core. *)
Record shielded := Shielded { as_urgent_as : N; each_takes : N; each_so : N; ended_in : N; wakes_for : N }.

(* Something that takes time of a supply: a task or routine, a server, a SCHED_DEADLINE server whose runtimes are exceeded
   by so much at most; the kernel of a core, with what a call and a switch take; the cold caches of contexts; or the timers of a
   core behind a shield, beside something so urgent: for how long they may be deferred at most, and a window in which all of
   them may come then; each of them; the routines of the core, and its other members by their urgency; and the window before
   the first decision. *)
Inductive member :=
  | Jobs_of (cost period jitter : N)
  | Budgets_of (k : manner) (budget period : N)
  | Runtime_of (budget period exceeded : N)
  | Kernel_of (call switch : N) (callers : list caller)
  | Cold_of (contexts : list cold_context)
  | Timers_of (beside : N) (deferral : option N) (at_last : N) (timers : list shielded) (first : list member)
      (others : list (N * member)) (decided_in : N).

(* Something with deadlines: a task, or a hard constant-bandwidth server. *)
Inductive rival :=
  | Dated_jobs (cost period jitter relative : N)
  | Bandwidth_of (budget period : N).

(* A core; a server on another supply, by priority: its kind, budget and period, what blocks it, what is more urgent
   than it, and windows in which it receives its budget; or a hard constant-bandwidth server on a core under EDF, with
   what is more urgent than all deadlines, the others, the unit in which shares are counted, and how late a budget may
   be that was kept; or a slot of a core, with the routines there; or what a cold cache leaves, at each of these starts. *)
Inductive supply :=
  | Core
  | Server (k : manner) (budget period blocking : N) (urgent : list member) (full : list N) (parent : supply)
  | Reservation (budget period : N) (urgent : list member) (rivals : list rival) (unit late : N)
  | Slot (offset budget period : N) (urgent : list member)
  | Cold (loss : N) (starts : list (N * N)) (parent : supply).

(* A SCHED_DEADLINE server of the core beside others: for how long the kernel goes on; its runtime, its period, and by how
   much a runtime is exceeded; the routines, which may be charged; the other servers; the unit in which shares are
   counted; how late servers may be after their deadlines; a window that is longer than any of what comes before them;
   how many budgets cover the first jobs after it started afresh; and how many more as many jobs again. *)
Record beside_others := Beside_others {
  goes_on_for : N;
  runtime_is : N; every_so : N; exceeded_by : N;
  routines : list member; others : list member;
  in_parts : N; late_by : N; apart_by : N;
  in_budgets : list N; again : N }.

(* What a guest has used of a period that began so long before its window at most, and windows of the supply of its server in
   which that and what comes then are received. *)
Record stretch := Stretch { before_upto : N; all_below : list N }.
(* From one offset to the next, by the window [ended_by]: windows in which what is asked for is received with a whole budget, and
   all stretches of a period. *)
Record offset := Offset { offset_upto : N; ended_by : N; asked_below : list N; stretches : list stretch }.
(* A task of a guest: how urgent it is; what it takes, how often, and how much later it is released; its bound; a length into which
   all fits, and all offsets below it. *)
Record guest_task := Guest_task {
  guest_urgency : N; takes_most : N; each_after : N; released_within : N; due_within : N;
  ends_within : N; ends_below : list N; offsets : list offset }.

(* How its supply orders the task: by priority, with what blocks it; by its deadline, beside others; or it is alone; or it
   is an interrupt for which a pseudo-VCPU of some priority is charged, so many credits that are back so much later, and
   which is in the guest so much after its request; or such an interrupt of a time of its own, which shares the guest with
   others: the routine, period and bound of each; or it is alone in a SCHED_DEADLINE server of the core, of so much every
   so often, with what blocks that, what follows each of its jobs, and a window that is longer than any; or it is one, by its
   place, of these tasks of a deferrable server, from an idle guest on. *)
Inductive order :=
  | By_priority (blocked_by : N)
  | By_deadline (relative : N) (rivals : list rival)
  | By_itself
  | By_credit (blocked_by credit credits back routine : N)
  | By_sharing (blocked_by own credit credits back routine : N) (others_are : list (N * N * N))
  | In_reservation (blocked_by after budget every longest : N)
  | Beside (o : beside_others)
  | From_idle (guest : list guest_task) (which : N).

(* From one offset to the next: up to [upto], by the window [within], and windows of the supplies below. *)
Record point := Point { upto : N; window : N; below : list N }.

Record certificate := Certificate {
  on : supply; urgent : list member; ordered : order;
  cost : N; period : N; jitter : N;
  bound : N;
  length : N; length_below : list N;
  points : list point }.

(* The function. *)
Open Scope N_scope.

Definition rounded_up (n d : N) : N := (n + d - 1) / d.

Definition cost_of (m : member) : N := match m with Jobs_of c _ _ => c | Budgets_of _ q _ | Runtime_of q _ _ => q | Kernel_of _ _ _ | Cold_of _ | Timers_of _ _ _ _ _ _ _ => 0 end.
Definition period_of (m : member) : N :=
  match m with Jobs_of _ t _ => t | Budgets_of _ _ t | Runtime_of _ t _ => t | Kernel_of _ _ _ | Cold_of _ | Timers_of _ _ _ _ _ _ _ => 0 end.
Definition jitter_of (m : member) : N :=
  match m with
  | Jobs_of _ _ j => j
  | Budgets_of (Fixed Deferrable) q t => t - q
  | Budgets_of _ _ _ | Runtime_of _ _ _ | Kernel_of _ _ _ | Cold_of _ | Timers_of _ _ _ _ _ _ _ => 0 end.
(* What it may take at once. *)
Definition at_once (m : member) : N := match m with Runtime_of q _ e => q + e | _ => cost_of m end.
(* How often something happens, and what the calls and switches of one member take. *)
Fixpoint often (sources : list (N * N)) (x : N) : N :=
  match sources with [] => 0 | (t, j) :: rest => rounded_up (x + j) t + often rest x end.
Definition taken_by (call switch : N) (c : caller) (x : N) : N :=
  match c with
  | Above rs ws idles => (call + switch) * (2 * (often rs x + often ws x) + if idles then 1 else 0)
  | Below rs => call * (often rs x + 1)
  | Itself t => call * (rounded_up x t + 1) + 2 * switch end.
Fixpoint taken_by_all (call switch : N) (cs : list caller) (x : N) : N :=
  match cs with [] => 0 | c :: rest => taken_by call switch c x + taken_by_all call switch rest x end.
(* The most that a less urgent context loses, and what all lose. *)
Fixpoint lost_below (cs : list cold_context) (u : N) : N :=
  match cs with [] => 0 | c :: rest => N.max (if urgency_of c <? u then loses c else 0) (lost_below rest u) end.
Fixpoint lost_by_all (all cs : list cold_context) (x : N) : N :=
  match cs with
  | [] => 0
  | c :: rest => (loses c + lost_below all (urgency_of c)) * often (ready_from c) x + lost_by_all all rest x end.
(* Whether no timer waits for the longest deferral, so that a shield keeps the less urgent ones out. *)
Definition keeps_away (deferral : option N) (ts : list shielded) : bool :=
  match deferral with None => true | Some d => forallb (fun t => ended_in t <=? d) ts end.
(* What timers take beside something so urgent, the less urgent ones before the first decision. *)
Fixpoint timers_need (p w : N) (ts : list shielded) (x : N) : N :=
  match ts with [] => 0
  | t :: rest => rounded_up ((if p <=? as_urgent_as t then x else w) + ended_in t) (each_so t) * each_takes t
      + timers_need p w rest x end.
Definition need (m : member) (x : N) : N :=
  match m with
  | Runtime_of q t _ => x * q / t + at_once m
  | Kernel_of call switch cs => call + switch + taken_by_all call switch cs x
  | Cold_of cs => lost_by_all cs cs x
  | Timers_of p d _ ts _ _ w => timers_need (if keeps_away d ts then p else 0) w ts x
  | _ => rounded_up (x + jitter_of m) (period_of m) * cost_of m end.
Fixpoint needs (ms : list member) (x : N) : N :=
  match ms with [] => 0 | m :: r => need m x + needs r x end.

(* What something with deadlines asks for by release in x, and by a deadline y after the begin of the window; the
   latter counts from [early] before it. *)
Definition due_by (early : N) (r : rival) (x y : N) : N :=
  match r with
  | Dated_jobs c t j d => N.min (rounded_up (x + j) t) (if y + j <? early + d then 0 else (y + j - (early + d)) / t + 1) * c
  | Bandwidth_of q t => (y - early) * q / t end.
Fixpoint all_due (early : N) (rs : list rival) (x y : N) : N :=
  match rs with [] => 0 | r :: rest => due_by early r x y + all_due early rest x y end.
(* In a length at which windows go on as if anew. *)
Definition in_length (r : rival) (l : N) : N :=
  match r with Dated_jobs c t _ _ => rounded_up l t * c | Bandwidth_of q t => rounded_up (l * q) t end.
Fixpoint all_in_length (rs : list rival) (l : N) : N :=
  match rs with [] => 0 | r :: rest => in_length r l + all_in_length rest l end.

(* Shares of a processor, in parts of [unit], rounded up. *)
Definition share (unit c t : N) : N := rounded_up (c * unit) t.
Fixpoint shares (unit : N) (ms : list member) : N :=
  match ms with [] => 0 | m :: r => share unit (cost_of m) (period_of m) + shares unit r end.
Fixpoint bursts (unit : N) (ms : list member) (x : N) : N :=
  match ms with
  | [] => 0
  | m :: r => share unit (cost_of m) (period_of m) * (x + jitter_of m) + at_once m * unit + bursts unit r x end.
Definition rival_share (unit : N) (r : rival) : N :=
  match r with Dated_jobs c t _ _ => share unit c t | Bandwidth_of q t => share unit q t end.
Definition rival_burst (unit : N) (r : rival) : N :=
  match r with Dated_jobs c t j d => share unit c t * (j + t - d) | Bandwidth_of _ _ => 0 end.
Fixpoint rival_shares (unit : N) (rs : list rival) : N :=
  match rs with [] => 0 | r :: rest => rival_share unit r + rival_shares unit rest end.
Fixpoint rival_bursts (unit : N) (rs : list rival) : N :=
  match rs with [] => 0 | r :: rest => rival_burst unit r + rival_bursts unit rest end.

(* What a server brings in each period, and how long it may bring nothing at first. *)
Definition kept_of (k : manner) (q : N) : N := match k with Refills _ m => q - m + 1 | _ => q end.
Definition wait_of (k : manner) (q t : N) : N :=
  match k with Fixed Polling => t - 1 | Refills _ _ => 2 * (t - kept_of k q) | _ => t - q end.
Definition valid_manner (k : manner) (q t : N) : bool :=
  match k with Refills n m => (2 <=? n) && (0 <? m) && (m <=? q) && (q <? t) | _ => true end.

(* The supply gives w in every window of length x in which it is wanted throughout. *)
Fixpoint enough (s : supply) (w x : N) (below : list N) : bool :=
  match s with
  | Core => w <=? x
  | Server k q t b us _ parent =>
      if w =? 0 then true else
      match below with
      | [] => false
      | z :: rest =>
          let q' := kept_of k q in
          let n := (w - 1) / q' in
          let r := w - n * q' in
          (wait_of k q t + n * t + z <=? x) && (z <=? t) && enough parent (r + b + needs us z) z rest end
  | Reservation q t _ _ _ _ =>
      if w =? 0 then true else
      let n := (w - 1) / q in
      2 * (t - q) + n * t + (w - n * q) <=? x
  | Slot _ q t us =>
      if w =? 0 then true else
      match below with
      | [] => false
      | z :: _ =>
          let all := w + needs us z in
          let n := (all - 1) / q in
          (t - q + n * t + (all - n * q) <=? z) && (z <=? x) end
  | Cold l ss parent =>
      if w =? 0 then true else
      match below with
      | [] => false
      | z :: rest => (z <=? x) && enough parent (w + l * (1 + often ss z)) z rest end end.

Definition valid (m : member) : bool :=
  (0 <? period_of m) && match m with
    | Jobs_of _ _ _ => true
    | Budgets_of k q t => (0 <? q) && (q <=? t) && valid_manner k q t
    | Runtime_of q t e => (0 <? q) && (q <=? t) && (e <? q)
    | Kernel_of _ _ _ | Cold_of _ | Timers_of _ _ _ _ _ _ _ => false end.
Definition all_periods (sources : list (N * N)) : bool := forallb (fun s => 0 <? fst s) sources.
Definition valid_caller (c : caller) : bool :=
  match c with
  | Above rs ws _ => all_periods rs && all_periods ws
  | Below rs => all_periods rs
  | Itself _ => false end.
Definition valid_contexts (cs : list cold_context) : bool := forallb (fun c => all_periods (ready_from c)) cs.
(* The timers of a core behind a shield. What tasks that more urgent timers wake, and other members that are more urgent, take;
   what all timers take, each up to d after its expiry; whether the callbacks have ended in time, by what is more urgent, or
   after the longest deferral. *)
Fixpoint woken_above (u : N) (ts : list shielded) (x : N) : N :=
  match ts with [] => 0
  | t :: rest => (if u <? as_urgent_as t then rounded_up (x + ended_in t) (each_so t) * wakes_for t else 0) + woken_above u rest x end.
Fixpoint others_above (u : N) (ms : list (N * member)) (x : N) : N :=
  match ms with [] => 0 | (v, m) :: rest => (if u <? v then need m x else 0) + others_above u rest x end.
Fixpoint all_deferred (d : N) (ts : list shielded) (x : N) : N :=
  match ts with [] => 0 | t :: rest => rounded_up (x + d) (each_so t) * each_takes t + all_deferred d rest x end.
Definition end_by_order (ts : list shielded) (first : list member) (ms : list (N * member)) : bool :=
  forallb (fun t => let l := ended_in t in
    needs first l + timers_need 0 0 ts l + (woken_above (as_urgent_as t) ts l + others_above (as_urgent_as t) ms l) <? l) ts.
Definition end_at_last (d x : N) (ts : list shielded) (first : list member) : bool :=
  (needs first x + all_deferred d ts x <? x) && forallb (fun t => d + x <=? ended_in t) ts.
Definition valid_shield (deferral : option N) (at_last : N) (ts : list shielded) (first : list member) (ms : list (N * member))
    (w : N) : bool :=
  forallb (fun t => 0 <? each_so t) ts && forallb valid first && forallb (fun m => valid (snd m)) ms
  && match deferral with
     | None => end_by_order ts first ms
     | Some d => end_by_order ts first ms || end_at_last d at_last ts first end
  && (negb (keeps_away deferral ts) || (needs first w + timers_need 0 0 ts w <? w)).

(* Beside a task of a core by priority, or beside a server, whose kernel begins with that. *)
Definition beside_task (m : member) : bool :=
  match m with
  | Kernel_of _ _ cs => forallb valid_caller cs
  | Cold_of cs => valid_contexts cs
  | Timers_of _ d y ts first ms w => valid_shield d y ts first ms w
  | _ => valid m end.
Definition beside_server (m : member) : bool :=
  match m with
  | Kernel_of _ _ (Itself t :: cs) => (0 <? t) && forallb valid_caller cs
  | Cold_of cs => valid_contexts cs
  | Timers_of _ d y ts first ms w => valid_shield d y ts first ms w
  | _ => valid m end.

Definition valid_rival (r : rival) : bool :=
  match r with Dated_jobs _ t _ _ => 0 <? t | Bandwidth_of q t => (0 <? q) && (q <=? t) end.

(* Every server receives its budget in each period. *)
Fixpoint delivers (s : supply) : bool :=
  match s with
  | Core => true
  | Server k q t b us full parent =>
      (0 <? q) && (q <=? t) && valid_manner k q t && forallb beside_server us && delivers parent &&
      match full with
      | [] => false
      | z :: rest => (z <=? t) && enough parent (q + b + needs us z) z rest end
  | Reservation q t us rs unit late =>
      (0 <? q) && (q <=? t) && forallb valid us && forallb valid_rival rs && (0 <? unit) && (late <=? t - q) &&
      (* All shares; a whole budget, with all bursts; and a budget that was kept. *)
      (share unit q t + rival_shares unit rs + shares unit us <=? unit) &&
      ((share unit q t + rival_shares unit rs) * t + rival_bursts unit rs + bursts unit us t <=? unit * t) &&
      (rival_bursts unit rs + bursts unit us late <=? unit * late)
  | Slot o q t us => (0 <? q) && (o + q <=? t) && forallb valid us
  | Cold _ ss parent => all_periods ss && delivers parent end.

(* What others of a guest may have pending. *)
Fixpoint covering (os : list (N * N * N)) : N :=
  match os with [] => 0 | (isr, t, b) :: rest => rounded_up b t * isr + covering rest end.

(* What comes before the job that arrives [from] after the begin of a window of length x, besides what is more urgent. *)
Definition ahead (c : certificate) (x from : N) : N :=
  match ordered c with
  | By_priority b => b
  | By_deadline d rs => all_due (jitter c) rs x (from + d)
  | By_itself | In_reservation _ _ _ _ _ | Beside _ | From_idle _ _ => 0
  | By_credit b _ _ _ _ | By_sharing b _ _ _ _ _ _ => b end.
Definition beside (c : certificate) (l : N) : N :=
  match ordered c with By_deadline _ rs => all_in_length rs l | _ => 0 end.

Fixpoint covers (c : certificate) (from : N) (ps : list point) : bool :=
  match ps with
  | [] => length c <=? from
  | p :: rest =>
      let own := rounded_up (from + 1) (period c) in
      (rounded_up (upto p) (period c) <=? own) && (window p + jitter c <=? from + bound c)
      && enough (on c) (own * cost c + ahead c (window p) (upto p - 1) + needs (urgent c) (window p)) (window p) (below p)
      && covers c (upto p) rest end.

Definition valid_order (c : certificate) : bool :=
  match ordered c with By_priority _ => forallb beside_task (urgent c) | _ => forallb valid (urgent c) end &&
  match ordered c with
  | By_deadline _ rs => forallb valid_rival rs
  (* A credit is enough for a request, there is one for each, and each is handled before the next comes. *)
  | By_credit _ g n back routine =>
      (cost c <=? g) && (0 <? n) && (back <=? n * period c) && (routine <=? jitter c) && (bound c <=? period c)
  (* The same, but that it may come before the last one is handled; each request adds its own time and that of others. *)
  | By_sharing _ own g n back routine os =>
      (own + covering os <=? cost c) && (cost c <=? g) && (0 <? n) && (back <=? n * period c) && (routine <=? jitter c)
      && (jitter c <? bound c) && forallb (fun o => 0 <? snd (fst o)) os
  | _ => true end.

(* By windows. *)
Definition by_windows (c : certificate) : bool :=
  (0 <? length c)
  && enough (on c) (rounded_up (length c) (period c) * cost c + needs (urgent c) (length c) + beside c (length c))
       (length c) (length_below c)
  && covers c 0 (points c).

(* Of a task that is alone in a reservation, and finds it afresh each time. *)
Definition by_itself (c : certificate) : bool :=
  match on c with
  | Reservation q t _ _ _ _ =>
      let parts := (cost c - 1) / q + 1 in
      let takes := cost c + parts * (t - q) in
      (0 <? cost c) && (cost c * t <=? (period c - jitter c) * q)
      && ((takes + jitter c <? period c) || ((takes + jitter c =? period c) && (cost c =? parts * q)))
      && (jitter c + takes <=? bound c)
  | _ => false end.

(* Of a task that is alone in a SCHED_DEADLINE server of the core, whose runtime is never used up. *)
Definition in_reservation (c : certificate) (blocked_by after budget every longest : N) : bool :=
  match on c with
  | Core =>
      (0 <? every) && (every + jitter c <=? period c) && (longest + jitter c <=? period c)
      && (cost c + after + blocked_by + needs (urgent c) longest <? longest)
      && (cost c + needs (urgent c) longest <? budget)
      && (jitter c + longest <=? bound c)
  | _ => false end.

(* By how much servers exceed a runtime. *)
Definition excess (m : member) : N := match m with Runtime_of _ _ e => e | _ => 0 end.
Fixpoint excesses (ms : list member) : N :=
  match ms with [] => 0 | m :: r => excess m + excesses r end.
Definition is_runtime (m : member) : bool := match m with Runtime_of _ _ _ => true | _ => false end.

Definition own_server (o : beside_others) : member := Runtime_of (runtime_is o) (every_so o) (exceeded_by o).
Definition before_servers (c : certificate) (o : beside_others) : list member := routines o ++ urgent c.

(* No server is ready so long after its deadline, and no window of what comes before them is so long. *)
Definition late_at_most (c : certificate) (o : beside_others) : bool :=
  let all := own_server o :: others o in
  let first := before_servers c o in
  (0 <? in_parts o)
  && (shares (in_parts o) all + shares (in_parts o) first <=? in_parts o)
  && ((goes_on_for o + excesses all) * in_parts o + bursts (in_parts o) first (late_by o + 1) <=? in_parts o * late_by o)
  && (late_by o + exceeded_by o <=? every_so o)
  && (goes_on_for o + needs first (apart_by o) <? apart_by o).

(* The jobs up to each of these places fit into so many budgets, and those are in time. *)
Fixpoint budgeted (c : certificate) (o : beside_others) (place : N) (ks : list N) : bool :=
  match ks with
  | [] => true
  | k :: rest =>
      let x := k * every_so o + late_by o in
      ((place + 1) * cost c + needs (routines o) (x + (exceeded_by o + apart_by o)) <=? k * runtime_is o)
      && (x + jitter c <=? bound c + place * period c)
      && budgeted c o (place + 1) rest end.

(* Of a task that is alone in a SCHED_DEADLINE server of the core, beside others. *)
Definition beside_them (c : certificate) (o : beside_others) : bool :=
  match on c with
  | Core =>
      let jobs := N.of_nat (List.length (in_budgets o)) in
      let x := again o * every_so o in
      forallb is_runtime (others o) && forallb valid (own_server o :: others o) && forallb valid (routines o)
      && late_at_most c o && budgeted c o 0 (in_budgets o)
      && (0 <? jobs) && (x <=? jobs * period c)
      && (jobs * cost c + needs (routines o) x <=? again o * runtime_is o)
  | _ => false end.

(* A deferrable server from an idle guest on: its budget, its period, what blocks it and what is more urgent than it on its
   parent, and within what it receives a whole budget. *)
Section Of_guest.
  Variables q t blocking : N.
  Variable us : list member.
  Variable parent : supply.
  Variable whole : N.

  (* What a level gives to the server within x; and from an instant on at which a whole budget is there. *)
  Definition in_level (r x : N) (below : list N) : bool :=
    match below with [] => false | z :: rest => (z <=? x) && enough parent (r + blocking + needs us z) z rest end.
  Definition afresh (w y : N) (below : list N) : bool :=
    let n := (w - 1) / q in
    match below with [] => false | z :: _ => (z <=? t) && (n * t + z <=? y) && in_level (w - n * q) z below end.

  (* A task of the guest, what is as urgent there, and what is less urgent; as they count from an idle guest on, and anywhere. *)
  Section Of_task.
    Variable m : guest_task.
    Variables first last : list guest_task.
    Definition at_idle (o : guest_task) : member := Jobs_of (takes_most o) (each_after o) (released_within o).
    Definition anywhere_of (o : guest_task) : member := Jobs_of (takes_most o) (each_after o) (due_within o).

    (* What is asked for in x by a job that may arrive [a] into a window; and with what was used in the p before it, of which its own
       earlier jobs use nothing after the last of them is due. *)
    Definition asks (a x : N) : N := rounded_up (a + 1) (each_after m) * takes_most m + needs (map at_idle first) x.
    Definition own_work (a p : N) : N :=
      let y := a + p + due_within m - released_within m in
      N.min (rounded_up y (each_after m) * takes_most m) (takes_most m + (y - each_after m)).
    Definition all_work (a p x : N) : N :=
      own_work a p + needs (map anywhere_of last) p
      + N.min (needs (map anywhere_of first) (p + x)) (needs (map anywhere_of first) p + needs (map at_idle first) x).

    (* Where the budget is used up, in each stretch of the period: by all of the time before, or by the work there. *)
    Fixpoint used_up (a x from : N) (ss : list stretch) : bool :=
      match ss with
      | [] => t <=? from
      | s :: rest =>
          let p := before_upto s - 1 in
          let by_time := p + asks a x in
          let by_work := all_work a p x in
          ((by_time <=? q) || (by_work <=? q) || afresh by_time (p + x) (all_below s) || afresh by_work (from + x) (all_below s))
          && used_up a x (before_upto s) rest end.

    Fixpoint at_offsets (from : N) (os : list offset) : bool :=
      match os with
      | [] => ends_within m + released_within m <=? from
      | o :: rest =>
          let a := offset_upto o - 1 in
          let x := ended_by o in
          let w := asks a x in
          (0 <? x) && (x + released_within m <=? from + due_within m)
          (* Where it is there throughout, and where a period ends before it is used up. *)
          && (if w <=? q then in_level w x (asked_below o) else afresh w (x + q - whole) (asked_below o))
          && used_up a x 0 (stretches o)
          && at_offsets (offset_upto o) rest end.
  End Of_task.

  Definition in_guest (m : guest_task) (others : list guest_task) : bool :=
    let first := filter (fun o => guest_urgency m <=? guest_urgency o) others in
    let last := filter (fun o => guest_urgency o <? guest_urgency m) others in
    let l := ends_within m in
    (0 <? each_after m)
    && enough (Server (Fixed Deferrable) q t blocking us [] parent)
         (rounded_up (l + released_within m) (each_after m) * takes_most m + needs (map at_idle first) l + 1) l (ends_below m)
    && at_offsets m first last 0 (offsets m).
  Fixpoint whole_guest (before after : list guest_task) : bool :=
    match after with
    | [] => true
    | m :: rest => in_guest m (before ++ rest) && whole_guest (before ++ [m]) rest end.
End Of_guest.

Fixpoint at_place (ms : list guest_task) (i : N) : option guest_task :=
  match ms with [] => None | m :: rest => if i =? 0 then Some m else at_place rest (i - 1) end.

(* Of a task of a guest, from an idle guest on. *)
Definition idle_guest (c : certificate) (guest : list guest_task) (which : N) : bool :=
  match on c with
  | Server (Fixed Deferrable) q t b us (z :: _) parent =>
      whole_guest q t b us parent z [] guest
      && match at_place guest which with
         | Some m => (takes_most m =? cost c) && (each_after m =? period c) && (released_within m =? jitter c)
             && (due_within m <=? bound c)
         | None => false end
  | _ => false end.

Definition check (c : certificate) : bool :=
  delivers (on c) && valid_order c && (0 <? period c)
  && match ordered c with
     | By_itself => by_itself c
     | In_reservation b a q t x => in_reservation c b a q t x
     | Beside o => beside_them c o
     | From_idle guest which => idle_guest c guest which
     | _ => by_windows c end.

Close Scope N_scope.

(* What is claimed of it. *)

(* What a server does: its budget is Q every T, and its guest has something ready when it is [wanted]. *)
Definition serves (k : manner) (Q T : nat) (active wanted : nat -> bool) (b : behaviour) : Prop :=
  match k with
  | Fixed k => exists phase budget, rule Q T phase k budget wanted b
  | Sporadic => exists time which, sporadic Q T time which active wanted b
  | Refills n m => exists queue used charges, refill_queue Q T (N.to_nat n) (N.to_nat m) queue used charges wanted b end.

(* The other interrupts of a guest. *)
Definition isr_at (os : list (N * N * N)) (i : nat) : nat := N.to_nat (fst (fst (nth i os (0, 1, 0)%N))).
Definition every_at (os : list (N * N * N)) (i : nat) : nat := N.to_nat (snd (fst (nth i os (0, 1, 0)%N))).
Definition bound_at (os : list (N * N * N)) (i : nat) : nat := N.to_nat (snd (nth i os (0, 1, 0)%N)).

(* A caller, in natural numbers. *)
Definition natural (sources : list (N * N)) : list (nat * nat) := map (fun s => (N.to_nat (fst s), N.to_nat (snd s))) sources.
Definition who_is (c : caller) : who :=
  match c with
  | Above rs ws idles => Over (natural rs) (natural ws) idles
  | Below rs => Under (natural rs)
  | Itself t => Looked_at (N.to_nat t) end.
Definition context_is (c : cold_context) : context :=
  Context (N.to_nat (urgency_of c)) (N.to_nat (loses c)) (natural (ready_from c)).

(* A task, a routine or a server keeps its rule. The level of a sporadic server is active only while something in [level] is
   ready. *)
Definition plain (level : nat -> bool) (m : member) (b : behaviour) : Prop :=
  match m with
  | Jobs_of c t j => (exists js, counted (N.to_nat c) (N.to_nat t) (N.to_nat j) level js b)
      \/ exists asked left, limited (N.to_nat c) (N.to_nat t) (N.to_nat j) asked /\ backlog asked left b
  | Budgets_of k q t => exists active wanted, serves k (N.to_nat q) (N.to_nat t) active wanted b
      /\ forall u, active u = true -> level u = true
  | Runtime_of q t e => exists late block left due throttled found wanted charged, late + block <= N.to_nat e
      /\ late_runtime (N.to_nat q) (N.to_nat t) late block left due throttled found wanted charged b
  | _ => False end.

(* The timers of a core behind a shield keep its rule, and tasks that they wake, routines and the other members keep theirs. All
   members that are as urgent as [p] are in [whole]. *)
Definition timer_numbers (t : shielded) : TimerShield.numbers :=
  TimerShield.Numbers (N.to_nat (as_urgent_as t)) (N.to_nat (each_takes t)) (N.to_nat (each_so t)) (N.to_nat (ended_in t)) (N.to_nat (wakes_for t)).
Definition from_urgency (routine : nat -> bool) (all : list TimerShield.ranked) (q u : nat) : bool :=
  routine u || existsb (fun r => (q <=? TimerShield.rank r) && ready (TimerShield.acts r) u) all.
Definition shield_history (level whole : nat -> bool) (p : N) (d : option N) (ts : list shielded) (first : list member)
    (ms : list (N * member)) (interrupts : nat -> bool) : Prop :=
  exists rs timers woken others decided,
    let routine := any ready rs in
    let all := woken ++ others in
    Forall2 (plain routine) first rs
    /\ map TimerShield.of_timer timers = map timer_numbers ts /\ Forall TimerShield.ticks timers
    /\ Forall2 (fun k r => TimerShield.rank r = TimerShield.urgency (TimerShield.of_timer k) /\ TimerShield.woken k (TimerShield.acts r)) timers woken
    /\ Forall2 (fun m r => TimerShield.rank r = N.to_nat (fst m)
         /\ plain (from_urgency routine all (TimerShield.rank r)) (snd m) (TimerShield.acts r)) ms others
    /\ TimerShield.shield (option_map N.to_nat d) routine (any runs rs) timers all decided
    /\ (forall u, routine u = true -> level u = true)
    /\ (forall u, whole u = true -> routine u = true
         \/ exists r, In r all /\ N.to_nat p <= TimerShield.rank r /\ ready (TimerShield.acts r) u = true)
    /\ (forall u, interrupts u = any TimerShield.has timers u).

(* To the kernel, [whole] is the level with the member that is looked at, [own], and its guest has something ready when it is
   [wanted]. *)
Definition obeys (level whole : nat -> bool) (own : behaviour) (wanted : nat -> bool) (m : member) (b : behaviour) : Prop :=
  match m with
  | Kernel_of call switch cs => (forall u, ready b u = false)
      /\ kernel_history (N.to_nat call) (N.to_nat switch) level whole own wanted (map who_is cs) (runs b)
  | Cold_of cs => (forall u, ready b u = false) /\ cold_core (map context_is cs) level (runs b)
  | Timers_of p d _ ts first ms _ => (forall u, ready b u = false) /\ shield_history level whole p d ts first ms (runs b)
  | _ => plain level m b end.
Definition members_beside (level whole : nat -> bool) (own : behaviour) (wanted : nat -> bool) (ms : list member)
    (bs : list behaviour) : Prop := Forall2 (obeys level whole own wanted) ms bs.
Definition members (level : nat -> bool) : list member -> list behaviour -> Prop :=
  members_beside level level (Behaviour (fun _ => false) (fun _ => false)) (fun _ => false).

(* A task with deadlines, or a hard constant-bandwidth server. *)
Definition competes (r : rival) (m : dated) : Prop :=
  match r with
  | Dated_jobs c t j d => exists js, dated_stream (N.to_nat c) (N.to_nat t) (N.to_nat j) (N.to_nat d) js m
  | Bandwidth_of q t => exists left due wanted b, hard (N.to_nat q) (N.to_nat t) left due wanted b /\ m = Bandwidth.member due b end.

(* A server of Linux with a deadline. *)
Definition is_late (m : member) (d : dated) : Prop :=
  match m with
  | Runtime_of q t e => exists late block left due throttled found wanted charged b, late + block <= N.to_nat e
      /\ late_runtime (N.to_nat q) (N.to_nat t) late block left due throttled found wanted charged b /\ d = Dated b due
  | _ => False end.

(* A task of a guest. *)
Definition resides (n : guest_task) (m : IdleGuest.resident) : Prop :=
  IdleGuest.rank m = N.to_nat (guest_urgency n)
  /\ let i := IdleGuest.is m in
     WorkInServers.cost i = N.to_nat (takes_most n) /\ WorkInServers.period i = N.to_nat (each_after n)
     /\ WorkInServers.jitter i = N.to_nat (released_within n) /\ WorkInServers.due_in i = N.to_nat (due_within n)
     /\ stream (WorkInServers.cost i) (WorkInServers.period i) (WorkInServers.jitter i) (WorkInServers.jobs_of i) (WorkInServers.acts i).

(* The time that a supply has ([supplied]) while its members want it ([wanted]). *)
Fixpoint history (s : supply) (supplied wanted : nat -> bool) : Prop :=
  match s with
  | Core => forall t, supplied t = true
  | Server k q t blocking us _ parent =>
      exists above above_wanted bs b other active,
        history parent above above_wanted
        /\ members_beside (any ready bs) (fun u => any ready bs u || ready b u) b wanted us bs
        /\ level above above_wanted (any ready bs) (any runs bs) (ready b) (runs b) other (N.to_nat blocking)
        /\ (forall u, runs b u = true -> any ready bs u = false)
        /\ serves k (N.to_nat q) (N.to_nat t) active wanted b
        /\ (forall u, supplied u = runs b u)
  | Reservation q t us rs _ _ =>
      exists above above_wanted bs ms left due b,
        (forall u, above u = true) /\ members (any ready bs) us bs /\ Forall2 competes rs ms
        /\ earliest_first above above_wanted (any ready bs) (any runs bs) (Bandwidth.member due b :: ms)
        /\ hard (N.to_nat q) (N.to_nat t) left due wanted b
        /\ (forall u, supplied u = runs b u)
  | Slot o q t us =>
      exists bs, members (any ready bs) us bs
        /\ slotted (N.to_nat o) (N.to_nat q) (N.to_nat t) (any ready bs) (any runs bs) supplied
  | Cold l ss parent =>
      exists gets, history parent gets wanted /\ cold_guest (N.to_nat l) (natural ss) gets wanted supplied end.

(* The jobs of the task of a certificate on its supply, and when they are ready and served. *)
Definition task_history (c : certificate) (supplied wanted : nat -> bool) (js : jobs) (b : behaviour) : Prop :=
  let own := stream (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c)) js b in
  match ordered c with
  | By_priority blocked_by => exists bs other, let all_ready u := any ready bs u || ready b u in
      members_beside all_ready all_ready b (fun _ => false) (urgent c) bs
      /\ counted (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c)) all_ready js b
      /\ level supplied wanted (any ready bs) (any runs bs) (ready b) (runs b) other (N.to_nat blocked_by)
  | By_deadline relative rs => exists bs ms due,
      members (any ready bs) (urgent c) bs /\ Forall2 competes rs ms
      /\ dated_stream (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c)) (N.to_nat relative) js (Dated b due)
      /\ earliest_first supplied wanted (any ready bs) (any runs bs) (Dated b due :: ms)
  | By_itself => own /\ (forall u, wanted u = ready b u) /\ (forall u, runs b u = supplied u)
  | By_credit blocked_by credit credits back routine => exists bs other raised through left pseudo,
      members (fun u => any ready bs u || ready pseudo u) (urgent c) bs
      /\ credited (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c) - N.to_nat routine) (N.to_nat routine)
           (N.to_nat credit) (N.to_nat credits) (N.to_nat back) raised through left js b pseudo
      /\ level supplied wanted (any ready bs) (any runs bs) (ready pseudo) (runs pseudo) other (N.to_nat blocked_by)
  | By_sharing blocked_by own credit credits back routine os => exists bs other raised through left all owner place entered pseudo,
      members (fun u => any ready bs u || ready pseudo u) (urgent c) bs
      /\ shared (N.to_nat own) (N.to_nat (period c)) (N.to_nat (jitter c) - N.to_nat routine) (N.to_nat routine)
           (N.to_nat credit) (N.to_nat credits) (N.to_nat back) raised through left
           (List.length os) (isr_at os) (every_at os) (bound_at os) all owner place entered b pseudo
      /\ js = guest_jobs all place entered
      /\ level supplied wanted (any ready bs) (any runs bs) (ready pseudo) (runs pseudo) other (N.to_nat blocked_by)
  | In_reservation blocked_by after budget every _ => exists bs other left due throttled charged server,
      members (fun u => any ready bs u || ready server u) (urgent c) bs /\ own
      /\ runtime (N.to_nat budget) (N.to_nat every) left due throttled (ready b) charged server
      /\ (forall u, runs b u = runs server u)
      /\ charges (any ready bs) (any runs bs) charged server
      /\ before_all (any ready bs) (any runs bs) other (N.to_nat blocked_by) (N.to_nat after) js server
  | Beside o => exists first bs other late block left due throttled found charged server ms,
      let ready_first := any ready (first ++ bs) in
      members ready_first (routines o) first /\ members ready_first (urgent c) bs /\ own
      /\ late + block <= N.to_nat (exceeded_by o)
      /\ late_runtime (N.to_nat (runtime_is o)) (N.to_nat (every_so o)) late block left due throttled found (ready b) charged server
      /\ (charged 0 = true -> ready server 0 = true) /\ (forall u, charged u = true -> any runs first u = true)
      /\ (forall u, runs b u = runs server u)
      /\ Forall2 is_late (others o) ms
      /\ linux ready_first (any runs (first ++ bs)) other (N.to_nat (goes_on_for o)) (Dated server due :: ms)
  | From_idle guest which => exists all m,
      Forall2 resides guest all /\ nth_error all (N.to_nat which) = Some m
      /\ js = WorkInServers.jobs_of (IdleGuest.is m) /\ b = WorkInServers.acts (IdleGuest.is m)
      (* By priority, without sections, and nobody else has the supply. *)
      /\ (forall before m after, all = before ++ m :: after ->
           let first := IdleGuest.as_urgent m (before ++ after) in
           level supplied wanted (any IdleGuest.ready_of first) (any IdleGuest.runs_of first) (IdleGuest.ready_of m) (IdleGuest.runs_of m)
             (any IdleGuest.runs_of (IdleGuest.less_urgent m (before ++ after))) 0)
      /\ (forall u, supplied u = true -> any IdleGuest.runs_of all u = true) end.
