(* Page: docs/theory/idle-start.md, of examples/hello.toml.
   What it says: in every history of that description a job of task.control is complete 7.4 ms after its arrival, one of
     task.log after 10.6 ms. Each rests on the other.
   Assumptions: the description, with instants of 100 us in place of nanoseconds. *)
Require Import Arith Lia Bool.
From Vorrang Require Import Schedule Loads Residual FixedPriorityServer Kinds IdleStart.

Section Hello.
  (* The core: task.watchdog, and the server of vcpu.motor below it. *)
  Variables watchdogs controls logs : jobs.
  Variables watchdog motor control log : behaviour.
  Variable core_wanted wanted : nat -> bool.
  Variable budget : nat -> nat.
  Variable phase : nat.
  Hypothesis is_watchdog : stream 2 50 0 watchdogs watchdog.
  Hypothesis core : level (fun _ => true) core_wanted (ready watchdog) (runs watchdog) (ready motor) (runs motor) (fun _ => false) 0.
  Hypothesis below_watchdog : forall t, runs motor t = true -> ready watchdog t = false.
  Hypothesis is_motor : rule 40 100 phase Deferrable budget wanted motor.

  (* The guest: task.control, and task.log below it. *)
  Hypothesis is_control : stream 12 200 0 controls control.
  Hypothesis is_log : stream 30 1000 0 logs log.
  Hypothesis first_control : level (runs motor) wanted (fun _ => false) (fun _ => false) (ready control) (runs control) (runs log) 0.
  Hypothesis then_log : level (runs motor) wanted (ready control) (runs control) (ready log) (runs log) (fun _ => false) 0.
  Hypothesis only_they : forall t, runs motor t = true -> runs control t || runs log t = true.

  (* What task.watchdog leaves. *)
  Let demand x := ceil (x + 0) 50 * 2.
  Definition leaves (r x : nat) : Prop := r <= x /\ (r = 0 \/ exists z, z <= x /\ r + demand z <= z).

  Lemma demand_grows x y : x <= y -> demand x <= demand y.
  Proof. intros H. apply Nat.mul_le_mono_r, ceil_mono; lia. Qed.
  Lemma demand_less x : demand (S x) <= demand x + 2.
  Proof.
    unfold demand. assert (H : ceil (S x + 0) 50 <= ceil (x + 0) 50 + 1); [|nia]. apply ceil_least; [lia|].
    assert (C := ceil_covers (x + 0) 50 ltac:(lia)). lia.
  Qed.
  Lemma leaves_gives : gives leaves.
  Proof.
    split.
    - intros r x [H _]. exact H.
    - intros r x [H [E|[z [Z A]]]]; [discriminate|]. split; [lia|]. destruct r as [|r]; [left; reflexivity|right].
      destruct z as [|z]; [lia|]. exists z. assert (D := demand_grows z (S z) ltac:(lia)). lia.
    - intros r s x [H [E|[z [Z A]]]] L; (split; [lia|]); [left; lia|right; exists z; lia].
    - intros r x y [H [E|[z [Z A]]]] L; (split; [lia|]); [left; lia|right; exists z; lia].
    - intros x. split; [lia|left; reflexivity].
  Qed.
  Lemma leaves_serves r x : leaves r x -> receives (runs motor) (fun u => ready motor u && wanted u) r x.
  Proof.
    intros [_ [->|[z [Z A]]]].
    { intros t _. assert (M := count_mono (runs motor) t (t + x) ltac:(lia)). lia. }
    apply receives_more with r z; [lia|exact Z|].
    apply (residual _ _ _ _ _ _ _ _ core below_watchdog (fun u => ready motor u && wanted u)) with (demand := demand).
    - intros t H. apply andb_true_iff in H. tauto.
    - intros s t y B _ _ _ _. apply (task_load 2 50 0 watchdogs watchdog); [lia|exact is_watchdog|exact B].
    - intros t _. assert (H : count (fun _ => true) (t + z) = count (fun _ => true) t + z); [|lia].
      clear A Z. induction z as [|z IH]; [rewrite !Nat.add_0_r; reflexivity|]. rewrite Nat.add_succ_r, count_S, IH. lia.
  Qed.
  Lemma once x : 0 < x <= 50 -> demand x = 2.
  Proof.
    intros H. unfold demand, ceil. replace (x + 0 + 50 - 1) with (x - 1 + 1 * 50) by lia.
    rewrite Nat.div_add, Nat.div_small by lia. reflexivity.
  Qed.
  Lemma leaves_some r : 0 < r <= 48 -> leaves r (r + 2).
  Proof. intros H. split; [lia|right]. exists (r + 2). rewrite once by lia. lia. Qed.
  (* What more than a budget and at most two take from a replenishment on. *)
  Lemma two_budgets w : 40 < w <= 80 -> fresh leaves 40 100 w (w + 62).
  Proof.
    intros H. assert (L := leaves_some (w - 40) ltac:(lia)). replace (w - 40 + 2) with (w - 38) in L by lia.
    split; [lia|right]. exists 1, (w - 40), (w - 38). split; [lia|]. split; [lia|]. split; [lia|]. split; [exact L|lia].
  Qed.

  Lemma one_of n d : 0 < n <= d -> ceil n d = 1.
  Proof. intros H. unfold ceil. replace (n + d - 1) with (n - 1 + 1 * d) by lia. rewrite Nat.div_add, Nat.div_small by lia. reflexivity. Qed.

  (* From an unknown state on. *)
  Lemma motor_provides w : 40 < w <= 80 -> receives (runs motor) wanted w (w + 122).
  Proof.
    intros H. assert (K := kind_provides 40 100 phase Deferrable budget wanted motor ltac:(lia) ltac:(lia) is_motor leaves leaves_gives leaves_serves
      (later _ leaves_gives _ _ 100 (leaves_some 40 ltac:(lia)) ltac:(lia)) w (w + 62) (two_budgets w H)).
    unfold wait in K. apply receives_more with (1 := le_n w) (3 := K). lia.
  Qed.

  Lemma control_load t x : begins (ready control) t -> count (runs control) (t + x) <= count (runs control) t + ceil (x + 0) 200 * 12.
  Proof. apply (task_load 12 200 0 controls control); [lia|exact is_control]. Qed.
  Lemma control_begins t : begins (fun u => ready control u || ready log u) t -> begins (ready control) t.
  Proof. destruct t; [intros; constructor|]. simpl. rewrite orb_false_iff. tauto. Qed.

  (* Both bounds rest on each other. *)
  Inductive task := Control | Log.
  Definition due (n : task) (i : nat) : nat :=
    match n with Control => arrival controls i + 74 | Log => arrival logs i + 106 end.
  Definition complete (n : task) (i : nat) : Prop :=
    match n with
    | Control => first controls (S i) <= count (runs control) (due Control i)
    | Log => first logs (S i) <= count (runs log) (due Log i) end.
  Let in_time := so_far task due complete.

  Lemma control_in_time i : (forall t, t < due Control i -> in_time t) -> complete Control i.
  Proof.
    apply (response_from_idle 40 100 phase budget wanted motor ltac:(lia) ltac:(lia) is_motor leaves leaves_gives leaves_serves 42 ltac:(lia)
      (leaves_some 40 ltac:(lia)) (fun _ => false) (fun _ => false) (runs log) 12 200 0 0 controls control ltac:(lia) is_control
      first_control) with (demand := fun _ => 0) (anywhere := fun _ => 0) (lower := fun x => ceil (x + 106) 1000 * 30) (L := 163).
    - intros t. exact (only_they t).
    - intros t x _ _. rewrite count_none; [lia|reflexivity].
    - intros t x _. rewrite count_none; [lia|reflexivity].
    - intros t x F. apply (task_anywhere 30 1000 0 106 logs log); [lia|exact is_log|exact (F Log)].
    - intros t m F. exact (F Control m).
    - rewrite one_of by lia. apply receives_more with 41 163; [lia|lia|exact (motor_provides 41 ltac:(lia))].
    - intros A HA. exists 74. unfold asked, in_all, own_since, asked. rewrite !one_of by lia. split; [lia|]. split; [lia|]. split; [|split; [lia|]].
      + intros _. apply (later _ leaves_gives 12 14); [exact (leaves_some 12 ltac:(lia))|lia].
      + intros p Hp. rewrite (one_of (p + 106)) by lia.
        assert (C : ceil (A + p + 74 - 0) 200 <= 2) by (apply ceil_least; lia).
        set (n := ceil (A + p + 74 - 0) 200) in *. intros H. eexists. split; [apply two_budgets; lia|lia].
  Qed.

  Lemma log_in_time i : (forall t, t < due Log i -> in_time t) -> complete Log i.
  Proof.
    apply (response_from_idle 40 100 phase budget wanted motor ltac:(lia) ltac:(lia) is_motor leaves leaves_gives leaves_serves 42 ltac:(lia)
      (leaves_some 40 ltac:(lia)) (ready control) (runs control) (fun _ => false) 30 1000 0 0 logs log ltac:(lia) is_log then_log)
      with (demand := fun x => ceil (x + 0) 200 * 12) (anywhere := fun x => ceil (x + 74) 200 * 12) (lower := fun _ => 0) (L := 165).
    - intros t H. rewrite orb_false_r. exact (only_they t H).
    - intros t x B _. apply control_load, control_begins, B.
    - intros t x F. apply (task_anywhere 12 200 0 74 controls control); [lia|exact is_control|exact (F Control)].
    - intros t x _. rewrite count_none; [lia|reflexivity].
    - intros t m F. exact (F Log m).
    - rewrite !one_of by lia. exact (motor_provides 43 ltac:(lia)).
    - intros A HA. exists 106. unfold asked, in_all, own_since, asked. rewrite !one_of by lia. split; [lia|]. split; [lia|]. split; [lia|]. split.
      + intros _. exists 104. split; [exact (two_budgets 42 ltac:(lia))|lia].
      + intros p Hp. set (n := ceil (p + 106 + 74) 200). rewrite !one_of by lia. intros H. eexists. split; [apply two_budgets; lia|lia].
  Qed.

  Lemma both n i : complete n i.
  Proof. apply (all_in_time task due complete). intros [] m; [apply control_in_time|apply log_in_time]. Qed.
  Theorem control_from_idle i : first controls (S i) <= count (runs control) (arrival controls i + 74).
  Proof. exact (both Control i). Qed.
  Theorem log_from_idle i : first logs (S i) <= count (runs log) (arrival logs i + 106).
  Proof. exact (both Log i). Qed.
End Hello.
