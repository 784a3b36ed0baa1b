(* What members and rivals of a certificate take, in the numbers of Certificate.v.
   What it says: in a window that begins when nothing of them is ready members take at most [needs], by a deadline rivals at
     most [all_due], and both no more than their shares of a processor and their bursts.
   Assumptions: [members] and [competes] of Certificate.v. *)
Require Import Arith Lia Bool NArith List.
From Coq Require Import ZifyN ZifyNat.
From Vorrang Require Import Refills RefillQueue Schedule Loads Kinds SporadicServer Deadlines Bandwidth Backlog LateRuntimes
  SchedulerCosts Timers ColdCaches Certificate.
From Vorrang Require TimerShield.
Import ListNotations.

Definition demand (ms : list member) (x : nat) : nat := N.to_nat (needs ms (N.of_nat x)).

Lemma rounded n d : N.to_nat (rounded_up n d) = ceil (N.to_nat n) (N.to_nat d).
Proof. unfold rounded_up, ceil. rewrite N2Nat.inj_div, N2Nat.inj_sub, N2Nat.inj_add. reflexivity. Qed.

Lemma often_is ss x : N.to_nat (often ss x) = times (natural ss) (N.to_nat x).
Proof.
  induction ss as [|[t j] ss IH]; [reflexivity|]. simpl. rewrite N2Nat.inj_add, rounded, N2Nat.inj_add, IH. reflexivity.
Qed.
Lemma taken_is call switch cs x : N.to_nat (taken_by_all call switch cs x)
  = all_take (N.to_nat call) (N.to_nat switch) (N.to_nat x) (map who_is cs).
Proof.
  induction cs as [|c cs IH]; [reflexivity|]. cbn [taken_by_all map all_take]. rewrite N2Nat.inj_add, IH. f_equal.
  destruct c as [rs ws idles|rs|t]; unfold taken_by, takes; cbn [who_is].
  - rewrite N2Nat.inj_mul, !N2Nat.inj_add, N2Nat.inj_mul, N2Nat.inj_add, !often_is. destruct idles; reflexivity.
  - rewrite N2Nat.inj_mul, N2Nat.inj_add, often_is. reflexivity.
  - rewrite N2Nat.inj_add, !N2Nat.inj_mul, N2Nat.inj_add, rounded. reflexivity.
Qed.

Lemma lost_below_is cs u : N.to_nat (lost_below cs u) = most_below (map context_is cs) (N.to_nat u).
Proof.
  induction cs as [|c cs IH]; [reflexivity|]. cbn [lost_below map most_below]. rewrite N2Nat.inj_max, IH. f_equal. simpl.
  destruct (N.ltb_spec (urgency_of c) u), (Nat.ltb_spec (N.to_nat (urgency_of c)) (N.to_nat u)); lia.
Qed.
Lemma lost_is all cs x : N.to_nat (lost_by_all all cs x)
  = sum (fun c => charge (map context_is all) c * times (events c) (N.to_nat x)) (map context_is cs).
Proof.
  induction cs as [|c cs IH]; [reflexivity|]. cbn [lost_by_all map sum]. unfold charge. cbn [context_is loss urgency events].
  rewrite N2Nat.inj_add, N2Nat.inj_mul, N2Nat.inj_add, lost_below_is, often_is, IH. reflexivity.
Qed.

(* The timers of a core behind a shield. *)
Definition looked_at (p : N) (d : option N) (ts : list shielded) : N := if keeps_away d ts then p else 0%N.
Lemma timers_are p w ts x : N.to_nat (timers_need p w ts x)
  = TimerShield.timers_beside (N.to_nat p) (N.to_nat w) (map timer_numbers ts) (N.to_nat x).
Proof.
  induction ts as [|t ts IH]; [reflexivity|]. cbn [timers_need map TimerShield.timers_beside].
  rewrite N2Nat.inj_add, N2Nat.inj_mul, rounded, N2Nat.inj_add, IH. cbn [timer_numbers TimerShield.urgency TimerShield.latency TimerShield.every TimerShield.takes].
  destruct (N.leb_spec p (as_urgent_as t)), (Nat.leb_spec (N.to_nat p) (N.to_nat (as_urgent_as t))); try lia; reflexivity.
Qed.

(* What a member takes. *)
Definition need_nat (m : member) (x : nat) : nat :=
  match m with
  | Runtime_of q t e => x * N.to_nat q / N.to_nat t + (N.to_nat q + N.to_nat e)
  | Kernel_of c s cs => N.to_nat c + N.to_nat s + all_take (N.to_nat c) (N.to_nat s) x (map who_is cs)
  | Cold_of cs => all_lost (map context_is cs) x
  | Timers_of p d _ ts _ _ w => TimerShield.timers_beside (N.to_nat (looked_at p d ts)) (N.to_nat w) (map timer_numbers ts) x
  | _ => ceil (x + N.to_nat (jitter_of m)) (N.to_nat (period_of m)) * N.to_nat (cost_of m) end.

Lemma demand_cons m ms x : demand (m :: ms) x = need_nat m x + demand ms x.
Proof.
  unfold demand. simpl. rewrite N2Nat.inj_add. f_equal. destruct m as [c t j|k q t|q t e|c s cs|cs|tp td ty ts tf tm tw]; unfold need, need_nat.
  1, 2: rewrite N2Nat.inj_mul, rounded, N2Nat.inj_add, Nat2N.id; reflexivity.
  - simpl. rewrite !N2Nat.inj_add, N2Nat.inj_div, N2Nat.inj_mul, Nat2N.id. reflexivity.
  - rewrite !N2Nat.inj_add, taken_is, Nat2N.id. reflexivity.
  - rewrite lost_is, Nat2N.id. reflexivity.
  - rewrite timers_are, Nat2N.id. reflexivity.
Qed.

Lemma valid_period m : valid m = true -> 0 < N.to_nat (period_of m).
Proof. unfold valid. intros H. apply andb_true_iff in H. destruct H as [H _]. apply N.ltb_lt in H. lia. Qed.
Lemma valid_refills n l q t : valid_manner (Refills n l) q t = true ->
  2 <= N.to_nat n /\ 0 < N.to_nat l <= N.to_nat q /\ N.to_nat q < N.to_nat t.
Proof. unfold valid_manner. rewrite !andb_true_iff, !N.leb_le, !N.ltb_lt. lia. Qed.
Lemma valid_runtime q t e : valid (Runtime_of q t e) = true ->
  0 < N.to_nat q /\ N.to_nat q <= N.to_nat t /\ N.to_nat e < N.to_nat q.
Proof.
  unfold valid. rewrite !andb_true_iff, !N.ltb_lt, N.leb_le. lia.
Qed.

Lemma ceil_parts_of x y T J : 0 < T -> ceil (x + y + J) T <= ceil (x + J) T + ceil (y + J) T.
Proof.
  intros P. apply ceil_least; [exact P|]. assert (A := ceil_covers (x + J) T P). assert (B := ceil_covers (y + J) T P). nia.
Qed.

(* What every kind of list has. *)
Definition sound (m : member) : Prop :=
  match m with
  | Kernel_of _ _ cs => Forall right (map who_is cs)
  | Cold_of cs => Forall right_context (map context_is cs)
  | Timers_of _ _ _ ts _ _ _ => Forall (fun k => 0 < TimerShield.every k) (map timer_numbers ts)
  | _ => valid m = true end.
Lemma valid_sound m : valid m = true -> sound m.
Proof. destruct m; try (intros V; exact V); unfold valid; rewrite andb_false_r; discriminate. Qed.
Lemma periods_natural ss : all_periods ss = true -> Forall (fun s => 0 < fst s) (natural ss).
Proof.
  unfold all_periods, natural. induction ss as [|s ss IH]; intros V; [constructor|]. cbn [forallb] in V.
  apply andb_true_iff in V. destruct V as [V V']. apply N.ltb_lt in V. constructor; [simpl; lia|exact (IH V')].
Qed.
Lemma callers_right cs : forallb valid_caller cs = true -> Forall right (map who_is cs) /\ forallb is_other (map who_is cs) = true.
Proof.
  induction cs as [|c cs IH]; intros V; [split; [constructor|reflexivity]|]. cbn [forallb] in V. apply andb_true_iff in V.
  destruct V as [V V']. destruct (IH V') as [A B]. destruct c as [rs ws idles|rs|t]; [| |discriminate]; cbn [map forallb].
  - simpl in V. apply andb_true_iff in V. destruct V as [V1 V2]. split; [|exact B]. constructor; [|exact A].
    apply Forall_app. split; apply periods_natural; assumption.
  - split; [|exact B]. constructor; [|exact A]. apply periods_natural, V.
Qed.
Lemma contexts_right cs : valid_contexts cs = true -> Forall right_context (map context_is cs).
Proof.
  unfold valid_contexts. induction cs as [|c cs IH]; intros V; [constructor|]. cbn [forallb] in V.
  apply andb_true_iff in V. destruct V as [V V']. constructor; [exact (periods_natural _ V)|exact (IH V')].
Qed.
Lemma shield_sound d y ts first ms w : valid_shield d y ts first ms w = true ->
  Forall (fun k => 0 < TimerShield.every k) (map timer_numbers ts).
Proof.
  unfold valid_shield. rewrite !andb_true_iff. intros [[[[V _] _] _] _]. apply Forall_forall. intros k I. apply in_map_iff in I.
  destruct I as [t [<- I]]. assert (P := proj1 (forallb_forall _ _) V t I). apply N.ltb_lt in P. simpl. lia.
Qed.
Lemma beside_task_sound m : beside_task m = true -> sound m.
Proof.
  destruct m as [| | |c s cs|cs|tp td ty ts tf tm tw]; try (intros V; exact V); intros V;
    [apply callers_right, V|apply contexts_right, V|exact (shield_sound _ _ _ _ _ _ V)].
Qed.
Lemma beside_server_sound m : beside_server m = true -> sound m.
Proof.
  destruct m as [| | |c s [|[| |t] cs]|cs|tp td ty ts tf tm tw]; try (intros V; exact V); try (intros V; apply contexts_right, V);
    try (intros V; exact (shield_sound _ _ _ _ _ _ V)); try discriminate; unfold beside_server, valid; try (rewrite andb_false_r; discriminate).
  intros V. apply andb_true_iff in V. destruct V as [P V]. apply N.ltb_lt in P. constructor; [|apply callers_right, V].
  constructor; [simpl; lia|constructor].
Qed.
Lemma all_sound (p : member -> bool) ms : (forall m, p m = true -> sound m) -> forallb p ms = true -> Forall sound ms.
Proof. intros H V. apply Forall_forall. intros m I. apply H. exact (proj1 (forallb_forall _ _) V m I). Qed.

Lemma need_mono m x y : sound m -> x <= y -> need_nat m x <= need_nat m y.
Proof.
  intros V H. destruct m as [c t j|k q t|q t e|c s cs|cs|tp td ty ts tf tm tw]; unfold need_nat;
    [| | |apply Nat.add_le_mono_l, all_take_mono; assumption|apply some_lost_mono; assumption
    |apply TimerShield.timers_beside_mono; assumption].
  all: assert (P := valid_period _ V).
  1, 2: apply Nat.mul_le_mono_r, ceil_mono; lia.
  apply Nat.add_le_mono_r, Nat.div_le_mono; [simpl in P; lia|]. apply Nat.mul_le_mono_r, H.
Qed.
Lemma need_parts m x y : sound m -> need_nat m (x + y) <= need_nat m x + need_nat m y.
Proof.
  intros V. destruct m as [c t j|k q t|q t e|c s cs|cs|tp td ty ts tf tm tw]; unfold need_nat.
  6: apply TimerShield.timers_beside_parts; exact V.
  5: apply some_lost_parts; exact V.
  4: assert (A := all_take_parts (N.to_nat c) (N.to_nat s) (map who_is cs) x y V); lia.
  all: assert (P := valid_period _ V).
  1, 2: rewrite <- Nat.mul_add_distr_r; apply Nat.mul_le_mono_r, ceil_parts_of, P.
  destruct (valid_runtime q t e V) as [Q _]. simpl in P. set (Tn := N.to_nat t) in *. set (Qn := N.to_nat q) in *.
  assert (D : (x + y) * Qn / Tn <= x * Qn / Tn + y * Qn / Tn + 1); [|lia].
  assert (A := Nat.mul_succ_div_gt (x * Qn) Tn ltac:(lia)). assert (B := Nat.mul_succ_div_gt (y * Qn) Tn ltac:(lia)).
  apply Nat.lt_succ_r, Nat.div_lt_upper_bound; [lia|]. set (a := x * Qn / Tn) in *. set (b := y * Qn / Tn) in *. nia.
Qed.

Lemma demand_grows ms x y : Forall sound ms -> x <= y -> demand ms x <= demand ms y.
Proof.
  intros V H. induction V as [|m ms V V' IH]; [unfold demand; simpl; lia|]. rewrite !demand_cons.
  assert (M := need_mono m x y V H). lia.
Qed.
Lemma demand_in_parts ms x y : Forall sound ms -> demand ms (x + y) <= demand ms x + demand ms y.
Proof.
  intros V. induction V as [|m ms V V' IH]; [unfold demand; simpl; lia|]. rewrite !demand_cons.
  assert (M := need_parts m x y V). lia.
Qed.
Lemma demand_mono ms x y : forallb valid ms = true -> x <= y -> demand ms x <= demand ms y.
Proof. intros V. apply demand_grows, (all_sound valid); [exact valid_sound|exact V]. Qed.

Lemma begins_less p q t : (forall u, p u = true -> q u = true) -> begins q t -> begins p t.
Proof.
  intros H B. destruct t as [|t]; [constructor|]. simpl in *.
  destruct (p t) eqn:E; [apply H in E; congruence|reflexivity].
Qed.

Lemma load lv whole own wants m b t x : valid m = true -> obeys lv whole own wants m b -> (forall u, ready b u = true -> lv u = true) -> begins lv t ->
  count (runs b) (t + x) <= count (runs b) t + need_nat m x.
Proof.
  intros V O I B. assert (P := valid_period m V). assert (Br := begins_less _ _ t I B).
  destruct m as [c p j|k q p|q p e|c s cs|cs|tp td ty ts tf tm tw]; [| | |simpl in P; lia|simpl in P; lia|simpl in P; lia]; simpl in P, O |- *.
  - destruct O as [[js S]|[asked [left [A S]]]]; [apply (counted_load _ _ _ lv js)|apply (backlog_load _ _ _ asked left)]; assumption.
  - destruct O as [active [wanted [S A]]]. unfold valid in V. simpl in V.
    apply andb_true_iff in V. destruct V as [_ V]. apply andb_true_iff in V. destruct V as [V V'].
    apply andb_true_iff in V. destruct V as [V W]. apply N.ltb_lt in V. apply N.leb_le in W.
    destruct k as [k| |n l]; simpl in S.
    + destruct S as [phase [budget R]]. destruct k; simpl.
      1, 2: rewrite Nat.add_0_r; eapply other_load with (Q := N.to_nat q); try exact R; try assumption; try lia; discriminate.
      replace (N.to_nat (p - q)) with (N.to_nat p - N.to_nat q) by lia.
      eapply deferrable_load; try exact R; lia.
    + destruct S as [time [which R]]. simpl. rewrite Nat.add_0_r.
      eapply sporadic_load; try exact R; try lia. exact (begins_less _ _ t A B).
    + destruct S as [queue [used [charges R]]]. simpl. rewrite Nat.add_0_r. apply valid_refills in V'.
      eapply refills_load; try exact R; try lia. exact Br.
  - destruct O as [late [block [left [due [throttled [found [wanted [charged [Le R]]]]]]]]].
    destruct (valid_runtime q p e V) as [Q [T K]].
    assert (K' : late + block < N.to_nat q) by lia. etransitivity; [exact (late_load _ _ _ _ _ _ _ _ _ _ _ Q T K' R t x Br)|].
    apply Nat.add_le_mono_l. rewrite <- Nat.add_assoc. apply Nat.add_le_mono_l. lia.
Qed.

Lemma loads lv ms bs t x : forallb valid ms = true -> members lv ms bs -> (forall u, any ready bs u = true -> lv u = true) ->
  begins lv t -> count (any runs bs) (t + x) <= count (any runs bs) t + demand ms x.
Proof.
  intros V M I B. induction M as [|m b ms bs O M IH].
  - unfold any. simpl. rewrite (count_none (fun _ => false) t x) by reflexivity. lia.
  - simpl in V. apply andb_true_iff in V. destruct V as [V V'].
    assert (I' : forall u, ready b u = true \/ any ready bs u = true -> lv u = true).
    { intros u H. apply I. unfold any. simpl. apply orb_true_iff. exact H. }
    specialize (IH V' (fun u H => I' u (or_intror H))). rewrite demand_cons.
    assert (A := load lv _ _ _ m b t x V O (fun u H => I' u (or_introl H)) B).
    assert (C := count_or (runs b) (any runs bs) t x).
    change (any runs (b :: bs)) with (fun u => runs b u || any runs bs u). lia.
Qed.

(* Timers behind a shield. *)
Lemma plain_obeys lv whole own wants m b : plain lv m b -> obeys lv whole own wants m b.
Proof. destruct m; intros P; try exact P; destruct P. Qed.
Lemma all_obey lv whole own wants l bs : Forall2 (plain lv) l bs -> members_beside lv whole own wants l bs.
Proof. intros F. induction F as [|m b l bs P F IH]; constructor; [apply plain_obeys, P|exact IH]. Qed.
Lemma plain_load lv m b t x : valid m = true -> plain lv m b -> (forall u, ready b u = true -> lv u = true) -> begins lv t ->
  count (runs b) (t + x) <= count (runs b) t + need_nat m x.
Proof. intros V P. apply (load lv lv b lv m b t x V (plain_obeys _ _ _ _ _ _ P)). Qed.

Lemma all_at_once ts x w : N.to_nat (timers_need 0 w ts x)
  = TimerShield.timers_take (map timer_numbers ts) (N.to_nat x).
Proof.
  rewrite timers_are. simpl. induction ts as [|t ts IH]; [reflexivity|]. cbn [map TimerShield.timers_beside TimerShield.timers_take].
  rewrite IH. reflexivity.
Qed.
Lemma all_deferred_is d ts x : N.to_nat (all_deferred d ts x)
  = TimerShield.timers_within (N.to_nat d) (map timer_numbers ts) (N.to_nat x).
Proof.
  induction ts as [|t ts IH]; [reflexivity|]. cbn [all_deferred map TimerShield.timers_within].
  rewrite N2Nat.inj_add, N2Nat.inj_mul, rounded, N2Nat.inj_add, IH. reflexivity.
Qed.

Section Shield.
  Variables level whole : nat -> bool.
  Variables p at_last w : N.
  Variable d : option N.
  Variable ts : list shielded.
  Variable first : list member.
  Variable ms : list (N * member).
  Hypothesis V : valid_shield d at_last ts first ms w = true.
  Variable rs : list behaviour.
  Variable timers : list TimerShield.timer.
  Variables woken others : list TimerShield.ranked.
  Variable decided : nat -> nat.
  Let routine := any ready rs.
  Let all := woken ++ others.
  Hypothesis F1 : Forall2 (plain routine) first rs.
  Hypothesis Nu : map TimerShield.of_timer timers = map timer_numbers ts.
  Hypothesis Ti : Forall TimerShield.ticks timers.
  Hypothesis F2 : Forall2 (fun k r => TimerShield.rank r = TimerShield.urgency (TimerShield.of_timer k)
    /\ TimerShield.woken k (TimerShield.acts r)) timers woken.
  Hypothesis F3 : Forall2 (fun m r => TimerShield.rank r = N.to_nat (fst m)
    /\ plain (from_urgency routine all (TimerShield.rank r)) (snd m) (TimerShield.acts r)) ms others.
  Hypothesis Sh : TimerShield.shield (option_map N.to_nat d) routine (any runs rs) timers all decided.

  Lemma routines_of_shield s x : begins routine s -> count (any runs rs) (s + x) <= count (any runs rs) s + demand first x.
  Proof.
    assert (Vf : forallb valid first = true) by (unfold valid_shield in V; rewrite !andb_true_iff in V; tauto).
    assert (M : members routine first rs) by (exact (all_obey _ _ _ _ _ _ F1)).
    intros B. apply (loads routine); auto.
  Qed.

  (* What is more urgent than a timer. *)
  Let of_rank (u : nat) (r : TimerShield.ranked) (t : nat) : bool := (u <? TimerShield.rank r) && runs (TimerShield.acts r) t.
  Lemma not_before q s : begins (TimerShield.level_above routine all q) s -> forall r, In r all -> q < TimerShield.rank r ->
    begins (from_urgency routine all (TimerShield.rank r)) s /\ (forall u, ready (TimerShield.acts r) u = true ->
      from_urgency routine all (TimerShield.rank r) u = true).
  Proof.
    intros B r I L. split.
    - refine (begins_less _ _ s _ B). intros u H. unfold from_urgency, TimerShield.level_above in *. apply orb_true_iff in H. apply orb_true_iff.
      destruct H as [H|H]; [left; exact H|right]. apply existsb_exists in H. destruct H as [r' [I' H]]. apply existsb_exists.
      exists r'. split; [exact I'|]. apply andb_true_iff in H. destruct H as [H1 H2]. apply Nat.leb_le in H1. rewrite H2, andb_true_r.
      apply Nat.ltb_lt. lia.
    - intros u H. unfold from_urgency. apply orb_true_iff. right. apply existsb_exists. exists r. split; [exact I|].
      rewrite H, Nat.leb_refl. reflexivity.
  Qed.

  Lemma others_load q s x : begins (TimerShield.level_above routine all (N.to_nat q)) s ->
    count (any (of_rank (N.to_nat q)) others) (s + x) <= count (any (of_rank (N.to_nat q)) others) s + N.to_nat (others_above q ms (N.of_nat x)).
  Proof.
    assert (Vm : forallb (fun m => valid (snd m)) ms = true) by (unfold valid_shield in V; rewrite !andb_true_iff in V; tauto).
    intros B. assert (In_all : forall r, In r others -> In r all) by (intros; apply in_or_app; right; assumption).
    clear Sh F2. revert Vm In_all. generalize F3. clear F3. generalize ms others. clear V ms.
    intros ms' others' F. induction F as [|[v m] r ms' others' [R P] F IH]; intros Vm In_all.
    - rewrite (count_none (any (of_rank (N.to_nat q)) []) s) by reflexivity. lia.
    - cbn [forallb] in Vm. apply andb_true_iff in Vm. destruct Vm as [Vm Vm']. specialize (IH Vm' (fun r' I => In_all r' (or_intror I))).
      assert (O := count_or (of_rank (N.to_nat q) r) (any (of_rank (N.to_nat q)) others') s x).
      change (any (of_rank (N.to_nat q)) (r :: others')) with (fun u => of_rank (N.to_nat q) r u || any (of_rank (N.to_nat q)) others' u).
      cbn [others_above]. rewrite N2Nat.inj_add. simpl in R, P, Vm.
      assert (A : count (of_rank (N.to_nat q) r) (s + x) <= count (of_rank (N.to_nat q) r) s
        + N.to_nat (if (q <? v)%N then need m (N.of_nat x) else 0)).
      { destruct (N.ltb_spec q v) as [L|L].
        - assert (L' : N.to_nat q < TimerShield.rank r) by lia.
          destruct (not_before _ s B r (In_all r (or_introl eq_refl)) L') as [B' I'].
          assert (C := plain_load _ m (TimerShield.acts r) s x Vm P I' B').
          assert (E : forall u, count (of_rank (N.to_nat q) r) u = count (runs (TimerShield.acts r)) u).
          { intros u. apply count_ext. intros t. unfold of_rank. apply Nat.ltb_lt in L'. rewrite L'. reflexivity. }
          rewrite !E. assert (D := demand_cons m [] x). unfold demand in D. simpl in D. rewrite N.add_0_r, Nat.add_0_r in D. rewrite D. exact C.
        - rewrite (count_none _ s); [lia|]. intros u _. unfold of_rank. replace (N.to_nat q <? TimerShield.rank r) with false; [reflexivity|].
          symmetry. apply Nat.ltb_ge. lia. }
      lia.
  Qed.
  Lemma woken_loads q s x : TimerShield.kept timers s -> begins (TimerShield.level_above routine all (N.to_nat q)) s ->
    count (any (of_rank (N.to_nat q)) woken) (s + x) <= count (any (of_rank (N.to_nat q)) woken) s + N.to_nat (woken_above q ts (N.of_nat x)).
  Proof.
    intros K B. assert (In_all : forall r, In r woken -> In r all) by (intros; apply in_or_app; left; assumption).
    assert (In_ts : forall k, In k timers -> In k timers) by auto. assert (Ti' := Ti). clear Sh F3 V. revert In_all In_ts Nu Ti'.
    generalize F2. clear F2. generalize timers at 1 2 4 5. generalize woken at 1 2 3 4. generalize ts.
    intros ts' woken' timers' F. revert ts'. induction F as [|k r timers' woken' [R W] F IH]; intros ts' In_all In_ts Nu' Ti'.
    - rewrite (count_none (any (of_rank (N.to_nat q)) []) s) by reflexivity. lia.
    - destruct ts' as [|t ts']; [discriminate|]. cbn [map] in Nu'. injection Nu' as E Nu'.
      inversion Ti' as [|? ? Tk Tk']. subst. specialize (IH ts' (fun r' I => In_all r' (or_intror I)) (fun k' I => In_ts k' (or_intror I)) Nu' Tk').
      assert (O := count_or (of_rank (N.to_nat q) r) (any (of_rank (N.to_nat q)) woken') s x).
      change (any (of_rank (N.to_nat q)) (r :: woken')) with (fun u => of_rank (N.to_nat q) r u || any (of_rank (N.to_nat q)) woken' u).
      cbn [woken_above]. rewrite N2Nat.inj_add. rewrite E in R. simpl in R.
      assert (A : count (of_rank (N.to_nat q) r) (s + x) <= count (of_rank (N.to_nat q) r) s
        + N.to_nat (if (q <? as_urgent_as t)%N then rounded_up (N.of_nat x + ended_in t) (each_so t) * wakes_for t else 0)).
      { destruct (N.ltb_spec q (as_urgent_as t)) as [L|L].
        - assert (L' : N.to_nat q < TimerShield.rank r) by lia.
          destruct (not_before _ s B r (In_all r (or_introl eq_refl)) L') as [B' I'].
          assert (C := TimerShield.woken_load timers k (TimerShield.acts r) s x Tk (In_ts k (or_introl eq_refl)) K W (begins_less _ _ s I' B')).
          assert (E' : forall u, count (of_rank (N.to_nat q) r) u = count (runs (TimerShield.acts r)) u).
          { intros u. apply count_ext. intros v. unfold of_rank. apply Nat.ltb_lt in L'. rewrite L'. reflexivity. }
          rewrite !E'. rewrite E in C. cbn [timer_numbers TimerShield.latency TimerShield.every TimerShield.wakes] in C.
          rewrite N2Nat.inj_mul, rounded, N2Nat.inj_add, Nat2N.id. exact C.
        - rewrite (count_none _ s); [lia|]. intros u _. unfold of_rank. replace (N.to_nat q <? TimerShield.rank r) with false; [reflexivity|].
          symmetry. apply Nat.ltb_ge. lia. }
      lia.
  Qed.

  Lemma timer_in k : In k timers -> exists t, In t ts /\ TimerShield.of_timer k = timer_numbers t.
  Proof.
    intros I. assert (E := in_map TimerShield.of_timer _ _ I). rewrite Nu in E. apply in_map_iff in E.
    destruct E as [t [E I']]. exists t. split; [exact I'|symmetry; exact E].
  Qed.

  Theorem shield_keeps s : TimerShield.kept timers s.
  Proof.
    assert (V' := V). unfold valid_shield in V'. rewrite !andb_true_iff in V'. destruct V' as [[[[V1 V2] V3] V4] V5].
    assert (Order : end_by_order ts first ms = true -> TimerShield.kept timers s).
    { intros H. apply (TimerShield.in_latency (option_map N.to_nat d) routine (any runs rs) timers all decided Sh Ti (demand first)
        routines_of_shield (fun q x => N.to_nat (woken_above (N.of_nat q) ts (N.of_nat x)) + N.to_nat (others_above (N.of_nat q) ms (N.of_nat x)))).
      - intros q u x K B. rewrite <- (Nat2N.id q) in B. assert (A1 := others_load (N.of_nat q) u x B).
        assert (A2 := woken_loads (N.of_nat q) u x K B). rewrite Nat2N.id in A1, A2.
        assert (E : forall t, count (TimerShield.runs_above all q) t = count (fun t => any (of_rank q) woken t || any (of_rank q) others t) t).
        { intros t. apply count_ext. intros v. unfold TimerShield.runs_above, all, any. apply existsb_app. }
        rewrite !E. assert (O := count_or (any (of_rank q) woken) (any (of_rank q) others) u x). cbv beta in O. lia.
      - intros k I. destruct (timer_in k I) as [t [It E]]. assert (F := proj1 (forallb_forall _ _) H t It). cbv beta zeta in F.
        apply N.ltb_lt in F. rewrite Nu, E. cbn [timer_numbers TimerShield.latency TimerShield.urgency].
        unfold demand. rewrite !N2Nat.id. assert (A := all_at_once ts (ended_in t) 0). lia. }
    assert (Dc : d = None \/ exists D, d = Some D) by (destruct d as [D|]; [right; exists D|left]; reflexivity).
    destruct Dc as [E|[D E]]; rewrite E in V4; [exact (Order V4)|].
    apply orb_true_iff in V4. destruct V4 as [V4|V4]; [exact (Order V4)|].
    unfold end_at_last in V4. apply andb_true_iff in V4. destruct V4 as [H1 H2]. apply N.ltb_lt in H1.
    apply (TimerShield.in_deferral (option_map N.to_nat d) routine (any runs rs) timers all decided Sh Ti (demand first) routines_of_shield
      (N.to_nat D) (N.to_nat at_last)).
    - rewrite E. reflexivity.
    - unfold demand. rewrite N2Nat.id, Nu, <- all_deferred_is. lia.
    - intros k I. destruct (timer_in k I) as [t [It ->]]. assert (F := proj1 (forallb_forall _ _) H2 t It). apply N.leb_le in F. simpl. lia.
  Qed.

  Hypothesis in_whole : forall u, whole u = true -> routine u = true
    \/ exists r, In r all /\ N.to_nat p <= TimerShield.rank r /\ ready (TimerShield.acts r) u = true.

  Theorem shield_load s x : begins routine s -> throughout whole s x ->
    count (any TimerShield.has timers) (s + x) <= count (any TimerShield.has timers) s
      + TimerShield.timers_beside (N.to_nat (looked_at p d ts)) (N.to_nat w) (map timer_numbers ts) x.
  Proof.
    assert (V' := V). unfold valid_shield in V'. rewrite !andb_true_iff in V'. destruct V' as [[[[V1 V2] V3] V4] V5].
    intros B T. unfold looked_at. destruct (keeps_away d ts) eqn:Ke.
    - rewrite <- Nu. apply (TimerShield.beside_member (option_map N.to_nat d) routine (any runs rs) timers all decided Sh Ti
        (demand first) routines_of_shield (N.to_nat p) (N.to_nat w) whole in_whole shield_keeps).
      + intros D k E I. destruct (timer_in k I) as [t [It ->]]. unfold keeps_away in Ke. destruct d as [D'|]; [|discriminate].
        injection E as <-. assert (F := proj1 (forallb_forall _ _) Ke t It). apply N.leb_le in F. simpl. lia.
      + simpl in V5. apply N.ltb_lt in V5. unfold demand. rewrite N2Nat.id, Nu. assert (A := all_at_once ts w 0). lia.
      + exact B.
      + exact T.
    - etransitivity; [exact (TimerShield.all_take timers s x Ti (shield_keeps s))|]. rewrite Nu.
      assert (A := all_at_once ts (N.of_nat x) w). rewrite timers_are, Nat2N.id in A. rewrite <- A. lia.
  Qed.
End Shield.
Lemma beside_shield level whole p y w d ts first ms b s x : valid_shield d y ts first ms w = true ->
  shield_history level whole p d ts first ms (runs b) -> begins level s -> throughout whole s x ->
  count (runs b) (s + x) <= count (runs b) s
    + TimerShield.timers_beside (N.to_nat (looked_at p d ts)) (N.to_nat w) (map timer_numbers ts) x.
Proof.
  intros V [rs [timers [woken [others [decided [F1 [Nu [Ti [F2 [F3 [Sh [Lv [Wh E]]]]]]]]]]]]] B T.
  rewrite !(count_ext (runs b) (any TimerShield.has timers)) by exact E.
  eapply shield_load; try eassumption. exact (begins_less _ _ s Lv B).
Qed.

(* With the kernel. *)
Lemma loads_with_kernel lv whole own wants (p : member -> bool) ms bs t x : forallb p ms = true -> members_beside lv whole own wants ms bs ->
  (forall u, any ready bs u = true -> lv u = true) -> begins lv t ->
  (forall m b, p m = true -> valid m = false -> obeys lv whole own wants m b -> count (runs b) (t + x) <= count (runs b) t + need_nat m x) ->
  count (any runs bs) (t + x) <= count (any runs bs) t + demand ms x.
Proof.
  intros V M I B H. induction M as [|m b ms bs O M IH].
  - unfold any. simpl. rewrite (count_none (fun _ => false) t x) by reflexivity. lia.
  - cbn [forallb] in V. apply andb_true_iff in V. destruct V as [V V'].
    assert (I' : forall u, ready b u = true \/ any ready bs u = true -> lv u = true).
    { intros u E. apply I. unfold any. simpl. apply orb_true_iff. exact E. }
    specialize (IH V' (fun u E => I' u (or_intror E))). rewrite demand_cons.
    assert (A : count (runs b) (t + x) <= count (runs b) t + need_nat m x).
    { destruct (valid m) eqn:Vm; [exact (load lv whole own wants m b t x Vm O (fun u E => I' u (or_introl E)) B)|exact (H m b V Vm O)]. }
    assert (C := count_or (runs b) (any runs bs) t x).
    change (any runs (b :: bs)) with (fun u => runs b u || any runs bs u). lia.
Qed.
Lemma loads_beside_task lv own wants ms bs t x : forallb beside_task ms = true -> members_beside lv lv own wants ms bs ->
  (forall u, any ready bs u = true -> lv u = true) -> begins lv t -> throughout lv t x ->
  count (any runs bs) (t + x) <= count (any runs bs) t + demand ms x.
Proof.
  intros V M I B L. apply (loads_with_kernel lv lv own wants beside_task); try assumption. intros m b Vm N O.
  destruct m as [| | |c s cs|cs|tp td ty ts tf tm tw]; simpl in Vm; try congruence; destruct O as [_ O];
    [|exact (cold_loss _ _ _ t x (contexts_right cs Vm) O B)|exact (beside_shield _ _ _ _ _ _ _ _ _ _ _ _ Vm O B L)].
  destruct (callers_right cs Vm) as [R A].
  exact (kernel_beside_task _ _ _ _ _ _ _ _ t x O R A B B L).
Qed.
Lemma loads_beside_server lv whole own wants ms bs s t x : forallb beside_server ms = true -> members_beside lv whole own wants ms bs ->
  (forall u, any ready bs u = true -> lv u = true) -> begins lv s -> s <= t -> (forall u, s <= u < t -> runs own u = false) ->
  throughout (fun u => ready own u && wants u) t x -> throughout whole s x ->
  count (any runs bs) (s + x) <= count (any runs bs) s + demand ms x.
Proof.
  intros V M I B Lt W A L. apply (loads_with_kernel lv whole own wants beside_server); try assumption. intros m b Vm N O.
  destruct m as [| | |c k [|[| |p] cs]|cs|tp td ty ts tf tm tw]; unfold beside_server in Vm; try congruence; destruct O as [_ O];
    [|exact (cold_loss _ _ _ s x (contexts_right cs Vm) O B)|exact (beside_shield _ _ _ _ _ _ _ _ _ _ _ _ Vm O B L)].
  assert (So := beside_server_sound (Kernel_of c k (Itself p :: cs)) Vm). simpl in So.
  apply andb_true_iff in Vm. destruct Vm as [_ Vm]. destruct (callers_right cs Vm) as [_ Ot].
  exact (kernel_beside_server _ _ _ _ _ _ _ (N.to_nat p) _ s t x O So Ot B Lt W A L).
Qed.

(* Members with deadlines. *)

Definition due_nat (early : nat) (r : rival) (x y : nat) : nat :=
  match r with
  | Dated_jobs c t j d => min (ceil (x + N.to_nat j) (N.to_nat t))
      (if y + N.to_nat j <? early + N.to_nat d then 0 else (y + N.to_nat j - (early + N.to_nat d)) / N.to_nat t + 1) * N.to_nat c
  | Bandwidth_of q t => (y - early) * N.to_nat q / N.to_nat t end.
Fixpoint due_nats (early : nat) (rs : list rival) (x y : nat) : nat :=
  match rs with [] => 0 | r :: rest => due_nat early r x y + due_nats early rest x y end.

Lemma due_is_nat e r x y : N.to_nat (due_by e r x y) = due_nat (N.to_nat e) r (N.to_nat x) (N.to_nat y).
Proof.
  destruct r as [c t j d|q t]; simpl.
  - rewrite N2Nat.inj_mul, N2Nat.inj_min, rounded, N2Nat.inj_add. f_equal. f_equal.
    destruct (N.ltb_spec (y + j) (e + d)) as [H|H], (Nat.ltb_spec (N.to_nat y + N.to_nat j) (N.to_nat e + N.to_nat d)) as [G|G]; lia.
  - rewrite N2Nat.inj_div, N2Nat.inj_mul, N2Nat.inj_sub. reflexivity.
Qed.
Lemma due_are_nats e rs x y : N.to_nat (all_due e rs x y) = due_nats (N.to_nat e) rs (N.to_nat x) (N.to_nat y).
Proof. induction rs as [|r rs IH]; simpl; [reflexivity|]. rewrite N2Nat.inj_add, due_is_nat, IH. reflexivity. Qed.

Lemma valid_rival_period r : valid_rival r = true ->
  match r with Dated_jobs _ t _ _ => 0 < N.to_nat t | Bandwidth_of q t => 0 < N.to_nat q <= N.to_nat t end.
Proof.
  destruct r as [c t j d|q t]; simpl; [rewrite N.ltb_lt; lia|]. rewrite andb_true_iff, N.ltb_lt, N.leb_le. lia.
Qed.

Lemma due_nat_mono e r x y y' : valid_rival r = true -> y <= y' -> due_nat e r x y <= due_nat e r x y'.
Proof.
  intros V H. apply valid_rival_period in V. destruct r as [c t j d|q t]; simpl.
  - apply Nat.mul_le_mono_r. destruct (Nat.ltb_spec (y + N.to_nat j) (e + N.to_nat d)) as [A|A]; [lia|].
    destruct (Nat.ltb_spec (y' + N.to_nat j) (e + N.to_nat d)) as [B|B]; [lia|].
    assert (D := Nat.div_le_mono (y + N.to_nat j - (e + N.to_nat d)) (y' + N.to_nat j - (e + N.to_nat d)) (N.to_nat t) ltac:(lia) ltac:(lia)). lia.
  - apply Nat.div_le_mono; [lia|]. apply Nat.mul_le_mono_r. lia.
Qed.
Lemma due_nats_mono e rs x y y' : forallb valid_rival rs = true -> y <= y' -> due_nats e rs x y <= due_nats e rs x y'.
Proof.
  intros V H. induction rs as [|r rs IH]; [simpl; lia|]. simpl in *. apply andb_true_iff in V. destruct V as [V V'].
  assert (A := due_nat_mono e r x y y' V H). specialize (IH V'). lia.
Qed.

Lemma quotient_parts n m p t : 0 < t -> n <= m + p -> n / t <= m / t + ceil p t.
Proof.
  intros T H. assert (C := ceil_covers p t T). assert (D := Nat.div_mod m t ltac:(lia)). assert (U := Nat.mod_upper_bound m t ltac:(lia)).
  apply Nat.lt_succ_r, Nat.div_lt_upper_bound; [lia|]. nia.
Qed.

Lemma due_nat_parts e r l k x y : valid_rival r = true ->
  due_nat e r (k * l + x) (k * l + y) <= k * N.to_nat (in_length r (N.of_nat l)) + due_nat e r x y.
Proof.
  intros V. apply valid_rival_period in V. destruct r as [c t j d|q t]; simpl.
  - rewrite N2Nat.inj_mul, rounded, Nat2N.id. set (T := N.to_nat t) in *. set (C := N.to_nat c). set (J := N.to_nat j). set (Dl := N.to_nat d).
    rewrite Nat.mul_assoc, <- Nat.mul_add_distr_r. apply Nat.mul_le_mono_r.
    assert (K : ceil (k * l) T <= k * ceil l T).
    { apply ceil_least; [exact V|]. rewrite <- Nat.mul_assoc. apply Nat.mul_le_mono_l, ceil_covers, V. }
    assert (A : ceil (k * l + x + J) T <= k * ceil l T + ceil (x + J) T).
    { apply ceil_least; [exact V|]. assert (A := ceil_covers (x + J) T V). assert (B := ceil_covers (k * l) T V).
      rewrite Nat.mul_add_distr_r. nia. }
    assert (B : (if k * l + y + J <? e + Dl then 0 else (k * l + y + J - (e + Dl)) / T + 1)
      <= k * ceil l T + (if y + J <? e + Dl then 0 else (y + J - (e + Dl)) / T + 1)).
    { destruct (Nat.ltb_spec (k * l + y + J) (e + Dl)) as [G|G]; [lia|]. destruct (Nat.ltb_spec (y + J) (e + Dl)) as [H|H].
      - assert (Z : S ((k * l + y + J - (e + Dl)) / T) <= ceil (k * l) T).
        { apply ceil_above; [exact V|]. assert (D := Nat.mul_div_le (k * l + y + J - (e + Dl)) T ltac:(lia)). lia. }
        lia.
      - assert (Z := quotient_parts (k * l + y + J - (e + Dl)) (y + J - (e + Dl)) (k * l) T V ltac:(lia)). lia. }
    lia.
  - rewrite rounded, N2Nat.inj_mul, Nat2N.id. set (Q := N.to_nat q) in *. set (T := N.to_nat t) in *.
    assert (Z := quotient_parts ((k * l + y - e) * Q) ((y - e) * Q) (k * (l * Q)) T ltac:(lia)).
    assert (Z' : (k * l + y - e) * Q <= (y - e) * Q + k * (l * Q)).
    { rewrite Nat.mul_assoc, <- Nat.mul_add_distr_r. apply Nat.mul_le_mono_r. lia. }
    specialize (Z Z'). assert (K : ceil (k * (l * Q)) T <= k * ceil (l * Q) T).
    { apply ceil_least; [lia|]. rewrite <- Nat.mul_assoc. apply Nat.mul_le_mono_l, ceil_covers. lia. }
    lia.
Qed.
Lemma due_nats_parts e rs l k x y : forallb valid_rival rs = true ->
  due_nats e rs (k * l + x) (k * l + y) <= k * N.to_nat (all_in_length rs (N.of_nat l)) + due_nats e rs x y.
Proof.
  intros V. induction rs as [|r rs IH]; [simpl; lia|]. cbn [due_nats all_in_length forallb] in *.
  apply andb_true_iff in V. destruct V as [V V'].
  assert (A := due_nat_parts e r l k x y V). specialize (IH V'). rewrite N2Nat.inj_add, Nat.mul_add_distr_l. lia.
Qed.

Lemma competes_demand e r m D t x : valid_rival r = true -> competes r m -> begins (due D m) t ->
  count (uses D m) (t + x) <= count (uses D m) t + due_nat e r x (D + e - t).
Proof.
  intros V C B. apply valid_rival_period in V. destruct r as [c p j d|q p]; simpl in *.
  - destruct C as [js S]. destruct (Deadlines.due_by _ _ _ _ _ _ V S D) as [n N].
    assert (A := task_demand _ _ _ _ js m V S D n N t x B). unfold within in A.
    assert (K : (if D + N.to_nat j <? t + N.to_nat d then 0 else (D + N.to_nat j - (t + N.to_nat d)) / N.to_nat p + 1)
      <= (if D + e - t + N.to_nat j <? e + N.to_nat d then 0 else (D + e - t + N.to_nat j - (e + N.to_nat d)) / N.to_nat p + 1)).
    { destruct (Nat.ltb_spec (D + N.to_nat j) (t + N.to_nat d)) as [H|H]; [lia|].
      destruct (Nat.ltb_spec (D + e - t + N.to_nat j) (e + N.to_nat d)) as [G|G]; [lia|].
      assert (M := Nat.div_le_mono (D + N.to_nat j - (t + N.to_nat d)) (D + e - t + N.to_nat j - (e + N.to_nat d)) (N.to_nat p) ltac:(lia) ltac:(lia)). lia. }
    assert (M := Nat.mul_le_mono_r _ _ (N.to_nat c) (Nat.min_le_compat_l _ _ (ceil (x + N.to_nat j) (N.to_nat p)) K)). lia.
  - destruct C as [left [due' [wanted [b [R ->]]]]].
    assert (A := bandwidth_demand _ _ _ _ _ _ (proj1 V) (proj2 V) R D t x B).
    set (T := N.to_nat p) in *. set (Q := N.to_nat q) in *.
    assert (Z : count (uses D (Bandwidth.member due' b)) (t + x) - count (uses D (Bandwidth.member due' b)) t <= (D + e - t - e) * Q / T).
    { apply Nat.div_le_lower_bound; [lia|]. rewrite Nat.mul_sub_distr_l.
      apply Nat.le_trans with (Q * (D - t)); [apply Nat.le_sub_le_add_l; exact A|]. rewrite Nat.mul_comm. apply Nat.mul_le_mono_r. lia. }
    lia.
Qed.
Lemma rivals_demand e rs ms D t x : forallb valid_rival rs = true -> Forall2 competes rs ms -> begins (any (due D) ms) t ->
  count (any (uses D) ms) (t + x) <= count (any (uses D) ms) t + due_nats e rs x (D + e - t).
Proof.
  intros V F B. induction F as [|r m rs ms C F IH].
  - rewrite (count_none (any (uses D) []) t x) by reflexivity. lia.
  - simpl in V. apply andb_true_iff in V. destruct V as [V V'].
    assert (B' : begins (due D m) t /\ begins (any (due D) ms) t).
    { destruct t; simpl in *; [tauto|]. unfold any in B. simpl in B. apply orb_false_iff in B. exact B. }
    destruct B' as [B1 B2]. specialize (IH V' B2). assert (A := competes_demand e r m D t x V C B1).
    assert (O := count_or (uses D m) (any (uses D) ms) t x).
    change (any (uses D) (m :: ms)) with (fun u => uses D m u || any (uses D) ms u). simpl. lia.
Qed.

(* Shares of a processor. *)

Lemma up_covers n t : (0 < t -> n <= rounded_up n t * t /\ rounded_up n t * t < n + t)%N.
Proof.
  intros T. unfold rounded_up. assert (D := N.div_mod (n + t - 1) t ltac:(lia)). assert (U := N.mod_upper_bound (n + t - 1) t ltac:(lia)).
  rewrite (N.mul_comm t) in D. lia.
Qed.
Lemma need_share unit c t j l k : (0 < t ->
  rounded_up (l + k + j) t * c * unit <= share unit c t * (k + j) + c * unit + share unit c t * l)%N.
Proof.
  intros T. unfold share. destruct (up_covers (l + k + j) t T) as [_ A]. destruct (up_covers (c * unit) t T) as [B _].
  set (n := rounded_up (l + k + j) t) in *. set (r := rounded_up (c * unit) t) in *.
  destruct (N.eq_dec n 0) as [->|Z]; [rewrite !N.mul_0_l; apply N.le_0_l|].
  assert (E : (n * c * unit = (n - 1) * (c * unit) + c * unit)%N).
  { replace n with (n - 1 + 1)%N at 1 by lia. rewrite !N.mul_add_distr_r. lia. }
  assert (F : ((n - 1) * (c * unit) <= (n - 1) * (r * t))%N) by (apply N.mul_le_mono_l, B).
  assert (G : ((n - 1) * t <= l + k + j)%N).
  { assert (G' : (n * t = (n - 1) * t + t)%N) by (replace n with (n - 1 + 1)%N at 1 by lia; rewrite N.mul_add_distr_r; lia). lia. }
  assert (H := N.mul_le_mono_l _ _ r G). lia.
Qed.
Lemma runtime_share unit q t x : (0 < t -> x * q / t * unit <= share unit q t * x)%N.
Proof.
  intros T. unfold share. destruct (up_covers (q * unit) t T) as [B _]. set (s := rounded_up (q * unit) t) in *.
  assert (M := N.mul_div_le (x * q) t ltac:(lia)). set (n := (x * q / t)%N) in *.
  apply (N.mul_le_mono_pos_l _ _ t); [lia|].
  assert (F := N.mul_le_mono_r _ _ unit M). assert (G := N.mul_le_mono_l _ _ x B). lia.
Qed.
Lemma needs_share unit us l k : forallb valid us = true ->
  (needs us (l + k) * unit <= bursts unit us k + shares unit us * l)%N.
Proof.
  intros V. induction us as [|m us IH]; [simpl; lia|]. cbn [needs bursts shares forallb] in *.
  apply andb_true_iff in V. destruct V as [V V']. specialize (IH V'). assert (P := valid_period m V).
  assert (A := need_share unit (cost_of m) (period_of m) (jitter_of m) l k ltac:(lia)).
  destruct m as [c t j|kd q t|q t e|c s cs|cs|tp td ty ts tf tm tw]; unfold need, at_once in *; simpl in *; [lia|lia| |lia|lia|lia].
  assert (A' := runtime_share unit q t (l + k) ltac:(lia)). lia.
Qed.

(* With deadlines up to l after the begin of a window. *)
Definition dated_in (r : rival) (l : N) : N :=
  match r with
  | Dated_jobs c t j d => (if l + j <? d then 0 else (l + j - d) / t + 1) * c
  | Bandwidth_of q t => l * q / t end%N.
Fixpoint all_dated_in (rs : list rival) (l : N) : N :=
  match rs with [] => 0 | r :: rest => dated_in r l + all_dated_in rest l end%N.

Lemma due_dated rs x l : due_nats 0 rs x l <= N.to_nat (all_dated_in rs (N.of_nat l)).
Proof.
  induction rs as [|r rs IH]; [simpl; lia|]. cbn [due_nats all_dated_in]. rewrite N2Nat.inj_add. apply Nat.add_le_mono; [|exact IH].
  destruct r as [c t j d|q t]; simpl.
  - rewrite N2Nat.inj_mul. apply Nat.mul_le_mono_r. etransitivity; [apply Nat.le_min_r|].
    destruct (N.ltb_spec (N.of_nat l + j) d) as [H|H], (Nat.ltb_spec (l + N.to_nat j) (N.to_nat d)) as [G|G]; lia.
  - rewrite Nat.sub_0_r, N2Nat.inj_div, N2Nat.inj_mul, Nat2N.id. lia.
Qed.
Lemma dated_share unit rs l : forallb valid_rival rs = true ->
  (all_dated_in rs l * unit <= rival_bursts unit rs + rival_shares unit rs * l)%N.
Proof.
  intros V. induction rs as [|r rs IH]; [simpl; lia|]. cbn [all_dated_in rival_bursts rival_shares forallb] in *.
  apply andb_true_iff in V. destruct V as [V V']. specialize (IH V'). apply valid_rival_period in V.
  assert (A : (dated_in r l * unit <= rival_burst unit r + rival_share unit r * l)%N); [|lia].
  destruct r as [c t j d|q t]; simpl; unfold share.
  - destruct (up_covers (c * unit) t ltac:(lia)) as [B _]. set (s := rounded_up (c * unit) t) in *.
    destruct (N.ltb_spec (l + j) d) as [H|H]; [rewrite !N.mul_0_l; apply N.le_0_l|]. set (n := ((l + j - d) / t + 1)%N).
    assert (D : (n * t <= l + j - d + t)%N).
    { unfold n. rewrite N.mul_add_distr_r. assert (M := N.mul_div_le (l + j - d) t ltac:(lia)). lia. }
    assert (F : (n * (c * unit) <= n * (s * t))%N) by (apply N.mul_le_mono_l, B).
    assert (G : (s * (n * t) <= s * (j + t - d + l))%N) by (apply N.mul_le_mono_l; lia). lia.
  - destruct (up_covers (q * unit) t ltac:(lia)) as [B _]. set (s := rounded_up (q * unit) t) in *.
    assert (M := N.mul_div_le (l * q) t ltac:(lia)). set (n := (l * q / t)%N) in *.
    apply (N.mul_le_mono_pos_l _ _ t); [lia|].
    assert (F := N.mul_le_mono_r _ _ unit M). assert (G := N.mul_le_mono_l _ _ l B). lia.
Qed.
