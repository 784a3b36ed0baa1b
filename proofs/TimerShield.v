(* Page: docs/theory/timer-shield.md.
   What it says: the callback of an expiry has ended before L after it, if in L the routines, all timers (each ceil((x + L) / T) c)
     and the members more urgent than the timer leave something of the core, whether or not timers may be deferred for D at
     most; and also if L is D and a window in which routines and all timers leave something. Beside a member the timers as
     urgent as it take ceil((x + L) / T) c in a window of x. The less urgent ones take ceil((W + L) / T) c, where routines and all
     timers leave something of W and no L is above D.
   Assumptions: [shield], the rules M9 to M11 of docs/model.md where calls and switches take no time. Nothing of the order
     in which expired timers are handled. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Deadlines.
Import ListNotations.

(* A timer: an entry, a callback and an exit, how often it expires, how late it is handled, and what the task of the core takes
   that it wakes, or nothing. *)
Record numbers := Numbers { urgency : nat; takes : nat; every : nat; latency : nat; wakes : nat }.
(* Its expiries, when one of them is not handled, and when its interrupt has the core. *)
Record timer := Timer { of_timer :> numbers; expiries : jobs; does : behaviour }.
Definition has (k : timer) : nat -> bool := runs (does k).
Definition ticks (k : timer) : Prop :=
  0 < every k /\ stream (takes k) (every k) 0 (expiries k) (does k) /\ forall i, 0 < work (expiries k) i.
(* All of an expiry is over. *)
Definition handled (k : timer) (i t : nat) : Prop := first (expiries k) (S i) <= count (has k) t.

(* A member of the core. Nothing is less urgent than an idle core, which is 0. *)
Record ranked := Ranked { rank : nat; acts : behaviour }.

Definition interrupt_of (routine_runs : nat -> bool) (ts : list timer) (t : nat) : bool := routine_runs t || any has ts t.

(* What the core was [decided] for. *)
Record shield (deferred : option nat) (routine_ready routine_runs : nat -> bool) (ts : list timer) (ms : list ranked)
    (decided : nat -> nat) : Prop := Shield_rule {
  routines_first : forall t, routine_ready t = true -> interrupt_of routine_runs ts t = true;
  (* Only timers as urgent as that are handled, and those that have waited for the longest deferral. *)
  keeps_out : forall t k, In k ts -> has k t = true -> decided t <= urgency k
    \/ exists D i, deferred = Some D /\ arrival (expiries k) i + D <= t /\ ~ handled k i t;
  (* They request the interrupt, when they expire or at the decision. *)
  lets_in : forall t k, interrupt_of routine_runs ts t = false -> In k ts -> decided t <= urgency k -> ready (does k) t = false;
  lets_overdue_in : forall t k i D, interrupt_of routine_runs ts t = false -> In k ts -> deferred = Some D ->
    arrival (expiries k) i + D <= t -> handled k i t;
  (* A decision is for the most urgent that is ready, and comes when no routine is requested; where there is none, it stays. *)
  decides : forall t, decided (S t) = decided t
    \/ routine_ready (S t) = false /\ forall m, In m ms -> ready (acts m) (S t) = true -> rank m <= decided (S t);
  (* When no interrupt has the core, the decision is up to date, and holds. *)
  up_to_date : forall t m, interrupt_of routine_runs ts t = false -> In m ms -> ready (acts m) t = true -> rank m <= decided t;
  holds : forall t, interrupt_of routine_runs ts t = false ->
    decided t = 0 \/ exists m, In m ms /\ runs (acts m) t = true /\ decided t = rank m }.

(* Every expiry was handled in time whose time was over at an instant. *)
Definition kept (ts : list timer) (s : nat) : Prop := forall k i, In k ts -> arrival (expiries k) i + latency k <= s ->
  0 < latency k /\ handled k i (arrival (expiries k) i + latency k - 1).

Lemma expires k i : ticks k -> release (expiries k) i = arrival (expiries k) i.
Proof. intros [_ [S _]]. assert (A := in_time _ _ _ _ _ S i). lia. Qed.
Lemma not_pending k i v : ticks k -> arrival (expiries k) i <= v -> ready (does k) v = false -> handled k i v.
Proof.
  intros K A N. assert (E := expires k i K). destruct K as [_ [S _]]. rewrite (is_ready _ _ _ _ _ S) in N. apply Nat.ltb_ge in N.
  assert (I : i < released (expiries k) (Datatypes.S v)) by (apply (in_order _ _ _ _ _ S); lia).
  unfold handled, has. assert (M := first_mono (expiries k) (Datatypes.S i) _ I). lia.
Qed.

(* What it takes where what expired more than L before is handled. *)
Lemma late_load k L s x : ticks k -> (forall i, arrival (expiries k) i + L < s -> handled k i s) ->
  count (has k) (s + x) <= count (has k) s + ceil (x + L) (every k) * takes k.
Proof.
  intros K H. assert (E := fun i => expires k i K). destruct K as [P [S _]]. set (j := expiries k) in *.
  set (n := released j (s - L)). set (m := released j (s + x)).
  assert (A := nothing_ahead _ _ _ _ _ P S (s + x)). fold m in A. fold (has k) in A.
  assert (N : first j n <= count (has k) s).
  { destruct n as [|i] eqn:En; [simpl; lia|]. apply H. assert (I : i < released j (s - L)) by (unfold n in En; lia).
    apply (in_order _ _ _ _ _ S) in I. rewrite E in I. lia. }
  destruct (Nat.le_gt_cases m n) as [G|G]; [assert (M := first_mono j m n G); lia|].
  assert (First : ~ release j n < s - L) by (rewrite <- (in_order _ _ _ _ _ S); unfold n; lia).
  assert (Last : release j (n + (m - n - 1)) < s + x) by (apply (in_order _ _ _ _ _ S); unfold m; lia).
  assert (B := arrivals_apart _ _ _ _ _ P S n (m - n - 1)). rewrite E in First, Last.
  assert (C := ceil_above (x + L) (every k) (m - n - 1) P ltac:(lia)).
  assert (F := first_most _ _ _ _ _ P S n (m - n)). replace (n + (m - n)) with m in F by lia.
  assert (D := Nat.mul_le_mono_r _ _ (takes k) C). replace (Datatypes.S (m - n - 1)) with (m - n) in D by lia. lia.
Qed.

Lemma kept_load ts k s x : ticks k -> In k ts -> kept ts s ->
  count (has k) (s + x) <= count (has k) s + ceil (x + latency k) (every k) * takes k.
Proof.
  intros K I H. apply late_load; [exact K|]. intros i L. destruct (H k i I ltac:(lia)) as [P Hd].
  unfold handled in *. assert (M := count_mono (has k) (arrival (expiries k) i + latency k - 1) s ltac:(lia)). lia.
Qed.

(* A task of the core that a timer wakes when its callback ends, which takes some time, whatever. *)
Definition woken (k : timer) (b : behaviour) : Prop := exists js J, stream (wakes k) (every k) J js b
  /\ (forall i, arrival js i = arrival (expiries k) i) /\ forall i t, handled k i t -> release js i <= t.
Lemma woken_load ts k b s x : ticks k -> In k ts -> kept ts s -> woken k b -> begins (ready b) s ->
  count (runs b) (s + x) <= count (runs b) s + ceil (x + latency k) (every k) * wakes k.
Proof.
  intros [P _] I H [j [J [S [A R]]]] B. rewrite (nothing_left _ _ _ _ _ P S s B).
  assert (N := nothing_ahead _ _ _ _ _ P S (s + x)). set (n := released j s) in *. set (m := released j (s + x)) in *.
  destruct (Nat.le_gt_cases m n) as [G|G]; [assert (M := first_mono j m n G); lia|].
  assert (First : ~ release j n < s) by (rewrite <- (in_order _ _ _ _ _ S); unfold n; lia).
  assert (Late : s < arrival j n + latency k).
  { destruct (Nat.lt_ge_cases s (arrival j n + latency k)) as [|G']; [assumption|exfalso]. rewrite A in G'.
    destruct (H k n I G') as [L Hd]. apply R in Hd. lia. }
  assert (Last : release j (n + (m - n - 1)) < s + x) by (apply (in_order _ _ _ _ _ S); unfold m; lia).
  assert (In_time := in_time _ _ _ _ _ S (n + (m - n - 1))). assert (B' := arrivals_apart _ _ _ _ _ P S n (m - n - 1)).
  assert (C := ceil_above (x + latency k) (every k) (m - n - 1) P ltac:(lia)).
  assert (F := first_most _ _ _ _ _ P S n (m - n)). replace (n + (m - n)) with m in F by lia.
  assert (D := Nat.mul_le_mono_r _ _ (wakes k) C). replace (Datatypes.S (m - n - 1)) with (m - n) in D by lia. lia.
Qed.
Theorem released_by ts k b s i : In k ts -> (forall t, kept ts t) -> woken k b -> s + 1 = arrival (expiries k) i + latency k ->
  exists js, release js i <= s /\ arrival js i = arrival (expiries k) i.
Proof.
  intros I H [j [J [_ [A R]]]] E. exists j. destruct (H _ k i I (le_n _)) as [L Hd]. apply R in Hd. split; [lia|apply A].
Qed.

Fixpoint timers_take (ts : list numbers) (x : nat) : nat :=
  match ts with [] => 0 | k :: rest => ceil (x + latency k) (every k) * takes k + timers_take rest x end.
Fixpoint timers_within (D : nat) (ts : list numbers) (x : nat) : nat :=
  match ts with [] => 0 | k :: rest => ceil (x + D) (every k) * takes k + timers_within D rest x end.
(* Beside a member so urgent: those as urgent, and the others before the first decision, which comes within W. *)
Fixpoint timers_beside (p W : nat) (ts : list numbers) (x : nat) : nat :=
  match ts with [] => 0
  | k :: rest => ceil ((if p <=? urgency k then x else W) + latency k) (every k) * takes k + timers_beside p W rest x end.

Lemma sum_of_timers (f : timer -> nat) ts s t : s <= t ->
  (forall k, In k ts -> count (has k) t <= count (has k) s + f k) ->
  count (any has ts) t <= count (any has ts) s + fold_right (fun k n => f k + n) 0 ts.
Proof.
  intros L. induction ts as [|k ts IH]; intros H.
  - replace t with (s + (t - s)) by lia. rewrite (count_none (any has []) s) by reflexivity. simpl. lia.
  - specialize (IH (fun k' I => H k' (or_intror I))). assert (A := H k (or_introl eq_refl)).
    assert (O := count_or (has k) (any has ts) s (t - s)). replace (s + (t - s)) with t in O by lia.
    change (any has (k :: ts)) with (fun u => has k u || any has ts u). cbn [fold_right]. lia.
Qed.
Lemma all_take ts s x : Forall ticks ts -> kept ts s -> count (any has ts) (s + x) <= count (any has ts) s + timers_take (map of_timer ts) x.
Proof.
  intros V H. assert (E : timers_take (map of_timer ts) x = fold_right (fun (k : timer) n => ceil (x + latency k) (every k) * takes k + n) 0 ts).
  { clear. induction ts as [|k ts IH]; [reflexivity|]. simpl. rewrite IH. reflexivity. }
  rewrite E. apply sum_of_timers; [lia|]. intros k I. apply kept_load with ts; [exact (proj1 (Forall_forall _ _) V k I)|exact I|exact H].
Qed.

(* Three that have less than a window leave something of it. *)
Lemma leaves p q r s x f : count p (s + x) + count q (s + x) + count r (s + x) <= count p s + count q s + count r s + f -> f < x ->
  exists v, s <= v < s + x /\ p v = false /\ q v = false /\ r v = false.
Proof.
  intros H L. destruct (throughout_or_not (fun u => p u || q u || r u) s x) as [T|[v [V E]]].
  - exfalso. assert (C := count_three (fun _ => true) p q r s x (fun u U _ => T u U)).
    assert (F : forall n, count (fun _ => true) n = n) by (induction n as [|n IH]; simpl; [reflexivity|rewrite IH; lia]).
    rewrite !F in C. lia.
  - exists v. apply orb_false_iff in E. destruct E as [E E3]. apply orb_false_iff in E. tauto.
Qed.

Section Of.
  Variable deferred : option nat.
  Variables routine_ready routine_runs : nat -> bool.
  Variable ts : list timer.
  Variable ms : list ranked.
  Variable decided : nat -> nat.
  Hypothesis rule : shield deferred routine_ready routine_runs ts ms decided.
  Hypothesis all_tick : Forall ticks ts.
  Variable routines : nat -> nat.
  Hypothesis routines_load : forall s x, begins routine_ready s -> count routine_runs (s + x) <= count routine_runs s + routines x.
  Let interrupt := interrupt_of routine_runs ts.

  Lemma none u : interrupt u = false -> routine_runs u = false /\ any has ts u = false /\ routine_ready u = false.
  Proof.
    intros H. assert (E := H). unfold interrupt, interrupt_of in E. apply orb_false_iff in E. split; [tauto|]. split; [tauto|].
    destruct (routine_ready u) eqn:F; [|reflexivity]. apply (routines_first _ _ _ _ _ _ rule) in F. unfold interrupt in H. congruence.
  Qed.

  (* Latencies, by what is more urgent. *)
  Definition level_above (u t : nat) : bool := routine_ready t || existsb (fun m => (u <? rank m) && ready (acts m) t) ms.
  Definition runs_above (u t : nat) : bool := existsb (fun m => (u <? rank m) && runs (acts m) t) ms.
  Variable above : nat -> nat -> nat.
  Hypothesis above_load : forall u s x, kept ts s -> begins (level_above u) s ->
    count (runs_above u) (s + x) <= count (runs_above u) s + above u x.

  Theorem in_latency : (forall k, In k ts -> routines (latency k) + timers_take (map of_timer ts) (latency k) + above (urgency k) (latency k) < latency k) ->
    forall s, kept ts s.
  Proof.
    intros Fits s. induction s as [s IH] using (well_founded_induction lt_wf). intros k i I Le. specialize (Fits k I).
    assert (K := proj1 (Forall_forall _ _) all_tick k I).
    set (a := arrival (expiries k) i) in *. set (L := latency k) in *. split; [lia|].
    destruct (window_of (level_above (urgency k)) a) as [w [Lw [B T]]]. assert (Kw := IH w ltac:(lia)).
    assert (Br : begins routine_ready w).
    { destruct w as [|w]; [constructor|]. simpl in *. unfold level_above in B. apply orb_false_iff in B. tauto. }
    assert (C1 := routines_load w L Br). assert (C2 := all_take ts w L all_tick Kw).
    assert (C3 := above_load (urgency k) w L Kw B).
    destruct (leaves routine_runs (any has ts) (runs_above (urgency k)) w L
      (routines L + timers_take (map of_timer ts) L + above (urgency k) L) ltac:(lia) Fits) as [v [V [V1 [V2 V3]]]].
    assert (Iv : interrupt_of routine_runs ts v = false) by (unfold interrupt_of; rewrite V1, V2; reflexivity).
    assert (Dv : decided v <= urgency k).
    { destruct (holds _ _ _ _ _ _ rule v Iv) as [Z|[m [Im [Rm ->]]]]; [lia|].
      destruct (Nat.le_gt_cases (rank m) (urgency k)) as [|G]; [assumption|exfalso].
      assert (E : runs_above (urgency k) v = true); [|congruence]. apply existsb_exists. exists m. split; [exact Im|].
      rewrite Rm, andb_true_r. apply Nat.ltb_lt, G. }
    assert (Av : a <= v).
    { destruct (Nat.le_gt_cases a v) as [|G]; [assumption|exfalso]. specialize (T v ltac:(lia)). unfold level_above in T.
      apply orb_true_iff in T. destruct T as [T|T]; [destruct (none v Iv) as [_ [_ N]]; congruence|].
      apply existsb_exists in T. destruct T as [m [Im T]]. apply andb_true_iff in T. destruct T as [T1 T2]. apply Nat.ltb_lt in T1.
      assert (U := up_to_date _ _ _ _ _ _ rule v m Iv Im T2). lia. }
    assert (N := lets_in _ _ _ _ _ _ rule v k Iv I Dv). assert (H := not_pending k i v K Av N). unfold handled in *.
    assert (M := count_mono (has k) v (a + L - 1) ltac:(lia)). lia.
  Qed.

  (* Latencies, by the longest deferral. *)
  Lemma all_within D s x : (forall k i, In k ts -> arrival (expiries k) i + D < s -> handled k i s) ->
    count (any has ts) (s + x) <= count (any has ts) s + timers_within D (map of_timer ts) x.
  Proof.
    intros H. assert (E : timers_within D (map of_timer ts) x = fold_right (fun (k : timer) n => ceil (x + D) (every k) * takes k + n) 0 ts).
    { clear. induction ts as [|k l IH]; [reflexivity|]. simpl. rewrite IH. reflexivity. }
    rewrite E. apply sum_of_timers; [lia|]. intros k I. apply late_load; [exact (proj1 (Forall_forall _ _) all_tick k I)|].
    intros i Le. exact (H k i I Le).
  Qed.

  Theorem in_deferral D x : deferred = Some D -> routines x + timers_within D (map of_timer ts) x < x ->
    (forall k, In k ts -> D + x <= latency k) -> forall s, kept ts s.
  Proof.
    intros Df Fits Ls s k i I Le. specialize (Ls k I). set (a := arrival (expiries k) i) in *. split; [lia|].
    destruct (window_of interrupt (a + D)) as [w [Lw [B T]]].
    assert (Br : begins routine_ready w).
    { destruct w as [|w]; [constructor|]. simpl in *. apply (none w B). }
    assert (C1 := routines_load w x Br). assert (C2 : count (any has ts) (w + x) <= count (any has ts) w + timers_within D (map of_timer ts) x).
    { apply all_within. intros k' i' I' L'. destruct w as [|w]; [lia|]. simpl in B.
      assert (H := lets_overdue_in _ _ _ _ _ _ rule w k' i' D B I' Df ltac:(lia)). unfold handled in *.
      assert (M := count_mono (has k') w (S w) ltac:(lia)). lia. }
    destruct (leaves routine_runs (any has ts) (fun _ => false) w x (routines x + timers_within D (map of_timer ts) x)) as [v [V [V1 [V2 _]]]].
    { assert (Z := count_none (fun _ => false) w x ltac:(reflexivity)). lia. }
    { exact Fits. }
    assert (Iv : interrupt_of routine_runs ts v = false) by (unfold interrupt_of; rewrite V1, V2; reflexivity).
    assert (Av : a + D <= v).
    { destruct (Nat.le_gt_cases (a + D) v) as [|G]; [assumption|exfalso]. specialize (T v ltac:(lia)). unfold interrupt in T. congruence. }
    assert (H := lets_overdue_in _ _ _ _ _ _ rule v k i D Iv I Df Av). unfold handled in *.
    assert (M := count_mono (has k) v (a + latency k - 1) ltac:(lia)). lia.
  Qed.

  (* Beside a member, or something as urgent. *)
  Variables p W : nat.
  Variable whole : nat -> bool.
  Hypothesis whole_is : forall u, whole u = true -> routine_ready u = true \/ exists m, In m ms /\ p <= rank m /\ ready (acts m) u = true.
  Hypothesis always : forall s, kept ts s.
  Hypothesis not_overdue : forall D k, deferred = Some D -> In k ts -> latency k <= D.
  Hypothesis leaves_W : routines W + timers_take (map of_timer ts) W < W.

  Lemma handles_only k t : In k ts -> has k t = true -> decided t <= urgency k.
  Proof.
    intros I H. destruct (keeps_out _ _ _ _ _ _ rule t k I H) as [|[D [i [Df [A N]]]]]; [assumption|exfalso]. apply N.
    assert (L := not_overdue D k Df I). destruct (always _ k i I (le_n _)) as [P Hd]. unfold handled in *.
    assert (M := count_mono (has k) (arrival (expiries k) i + latency k - 1) t ltac:(lia)). lia.
  Qed.

  Lemma decided_above s x v : throughout whole s x -> s <= v -> interrupt v = false -> forall t, v <= t < s + x -> p <= decided t.
  Proof.
    intros T Sv Iv t H. assert (G : forall d, v + d < s + x -> p <= decided (v + d)).
    { induction d as [|d IH]; intros Ld.
      - rewrite Nat.add_0_r in *. destruct (whole_is v (T v ltac:(lia))) as [R|[m [Im [Pm Rm]]]].
        + destruct (none v Iv) as [_ [_ N]]. congruence.
        + assert (U := up_to_date _ _ _ _ _ _ rule v m Iv Im Rm). lia.
      - specialize (IH ltac:(lia)). rewrite Nat.add_succ_r in *. destruct (decides _ _ _ _ _ _ rule (v + d)) as [E|[N U]]; [lia|].
        destruct (whole_is (S (v + d)) (T (S (v + d)) ltac:(lia))) as [R|[m [Im [Pm Rm]]]]; [congruence|]. specialize (U m Im Rm). lia. }
    replace t with (v + (t - v)) by lia. apply G. lia.
  Qed.

  Lemma less_urgent k s x : In k ts -> urgency k < p -> begins routine_ready s -> throughout whole s x ->
    count (has k) (s + x) <= count (has k) s + ceil (W + latency k) (every k) * takes k.
  Proof.
    intros I U B T. assert (K := proj1 (Forall_forall _ _) all_tick k I).
    assert (H : exists y, y <= x /\ y <= W /\ forall t, s + y <= t < s + x -> has k t = false).
    { destruct (throughout_or_not interrupt s (Nat.min x W)) as [A|[v [V E]]].
      - destruct (Nat.le_gt_cases W x) as [G|G]; [exfalso|exists x; repeat split; try lia; intros; lia].
        rewrite Nat.min_r in A by lia. assert (C1 := routines_load s W B). assert (C2 := all_take ts s W all_tick (always s)).
        destruct (leaves routine_runs (any has ts) (fun _ => false) s W (routines W + timers_take (map of_timer ts) W)) as [v [V [V1 [V2 _]]]].
        { assert (Z := count_none (fun _ => false) s W ltac:(reflexivity)). lia. }
        { exact leaves_W. }
        specialize (A v V). unfold interrupt, interrupt_of in A. rewrite V1, V2 in A. discriminate.
      - exists (v - s). repeat split; try lia. intros t Ht. destruct (has k t) eqn:F; [|reflexivity].
        apply (handles_only k t I) in F. assert (D := decided_above s x v T ltac:(lia) E t ltac:(lia)). lia. }
    destruct H as [y [Y1 [Y2 Z]]]. assert (Ly := kept_load ts k s y K I (always s)).
    assert (E : count (has k) (s + x) = count (has k) (s + y)).
    { replace (s + x) with (s + y + (x - y)) by lia. apply count_none. intros u Hu. apply Z. lia. }
    destruct K as [P _]. assert (M := Nat.mul_le_mono_r _ _ (takes k) (ceil_mono (y + latency k) (W + latency k) (every k) P ltac:(lia))). lia.
  Qed.

  Theorem beside_member s x : begins routine_ready s -> throughout whole s x ->
    count (any has ts) (s + x) <= count (any has ts) s + timers_beside p W (map of_timer ts) x.
  Proof.
    intros B T.
    assert (E : timers_beside p W (map of_timer ts) x = fold_right (fun (k : timer) n => ceil ((if p <=? urgency k then x else W) + latency k) (every k) * takes k + n) 0 ts).
    { clear. induction ts as [|k l IH]; [reflexivity|]. simpl. rewrite IH. reflexivity. }
    rewrite E. apply sum_of_timers; [lia|]. intros k I. destruct (Nat.leb_spec p (urgency k)) as [G|G].
    - apply kept_load with ts; [exact (proj1 (Forall_forall _ _) all_tick k I)|exact I|exact (always s)].
    - apply less_urgent; assumption.
  Qed.
End Of.

Lemma timers_beside_mono p W ns x y : Forall (fun k => 0 < every k) ns -> x <= y -> timers_beside p W ns x <= timers_beside p W ns y.
Proof.
  intros V L. induction V as [|k ns P V IH]; [simpl; lia|]. cbn [timers_beside]. destruct (p <=? urgency k); [|lia].
  assert (M := Nat.mul_le_mono_r _ _ (takes k) (ceil_mono (x + latency k) (y + latency k) (every k) P ltac:(lia))). lia.
Qed.
Lemma timers_beside_parts p W ns x y : Forall (fun k => 0 < every k) ns ->
  timers_beside p W ns (x + y) <= timers_beside p W ns x + timers_beside p W ns y.
Proof.
  intros V. induction V as [|k ns P V IH]; [simpl; lia|]. cbn [timers_beside]. destruct (p <=? urgency k); [|lia].
  assert (C : ceil (x + y + latency k) (every k) <= ceil (x + latency k) (every k) + ceil (y + latency k) (every k)).
  { apply ceil_least; [exact P|]. assert (A := ceil_covers (x + latency k) (every k) P).
    assert (B := ceil_covers (y + latency k) (every k) P). nia. }
  assert (M := Nat.mul_le_mono_r _ _ (takes k) C). lia.
Qed.
