(* Page: docs/theory/loads.md, the row "task, interrupt service routine".
   What it says: in a window of length x that begins when nothing of its urgency or above is ready, the jobs of
     a task take at most ceil((x + J) / T) C.
   Assumptions: 1. Arrivals of a task are at least T apart; a job is released at most J after its arrival, in
     the order of arrivals, and takes at most C. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule.

(* What a member of a supply does: when it is ready, and when it has the supply. *)
Record behaviour := Behaviour { ready : nat -> bool; runs : nat -> bool }.

(* The jobs of a task or the requests of an interrupt, from 0: the arrival, the release and the work of each. *)
Record jobs := Jobs {
  arrival : nat -> nat; release : nat -> nat; work : nat -> nat;
  (* How many are released before an instant. *)
  released : nat -> nat }.

(* The work of the first n jobs together. *)
Fixpoint first (j : jobs) (n : nat) : nat := match n with 0 => 0 | S m => first j m + work j m end.

Lemma first_mono j i k : i <= k -> first j i <= first j k.
Proof. induction 1; simpl; lia. Qed.

Record stream (cost period jitter : nat) (j : jobs) (b : behaviour) : Prop := Stream {
  apart : forall i, arrival j i + period <= arrival j (S i);
  in_time : forall i, arrival j i <= release j i <= arrival j i + jitter;
  in_order : forall i t, i < released j t <-> release j i < t;
  within : forall i, work j i <= cost;
  (* Ready as long as a released job is not complete, and served only then. *)
  is_ready : forall t, ready b t = (count (runs b) t <? first j (released j (S t)));
  is_served : forall t, runs b t = true -> ready b t = true }.

Section Of.
  Variables cost period jitter : nat.
  Variable j : jobs.
  Variable b : behaviour.
  Hypothesis P : 0 < period.
  Hypothesis rule : stream cost period jitter j b.

  Lemma arrivals_apart i k : arrival j i + k * period <= arrival j (i + k).
  Proof.
    induction k as [|k IH]; [rewrite !Nat.add_0_r; lia|].
    rewrite Nat.add_succ_r. assert (A := apart _ _ _ _ _ rule (i + k)). simpl. lia.
  Qed.
  Lemma releases_apart i k : i < k -> release j i + period <= release j k + jitter.
  Proof.
    intros H. assert (A := arrivals_apart i (k - i)). replace (i + (k - i)) with k in A by lia.
    assert (I := in_time _ _ _ _ _ rule i). assert (K := in_time _ _ _ _ _ rule k).
    assert (period <= (k - i) * period) by (destruct (k - i) eqn:E; [lia|apply Nat.le_add_r]). lia.
  Qed.
  Lemma first_most i k : first j (i + k) <= first j i + k * cost.
  Proof.
    induction k as [|k IH]; [rewrite Nat.add_0_r; lia|].
    rewrite Nat.add_succ_r. assert (W := within _ _ _ _ _ rule (i + k)). simpl. lia.
  Qed.
  Lemma released_mono t u : t <= u -> released j t <= released j u.
  Proof.
    intros H. destruct (Nat.le_gt_cases (released j t) (released j u)) as [|G]; [assumption|].
    apply (in_order _ _ _ _ _ rule) in G. exfalso.
    assert (L : released j u < released j u) by (apply (in_order _ _ _ _ _ rule); lia). lia.
  Qed.

  (* No work is served before it is released. *)
  Lemma nothing_ahead t : count (runs b) t <= first j (released j t).
  Proof.
    induction t as [|t IH]; [simpl; lia|].
    assert (M := first_mono j _ _ (released_mono t (S t) ltac:(lia))).
    rewrite count_S. destruct (runs b t) eqn:E; [|lia].
    apply (is_served _ _ _ _ _ rule) in E. rewrite (is_ready _ _ _ _ _ rule) in E.
    apply Nat.ltb_lt in E. lia.
  Qed.
  Lemma nothing_left t : begins (ready b) t -> count (runs b) t = first j (released j t).
  Proof.
    assert (A := nothing_ahead t). destruct t as [|t]; simpl.
    - intros _. assert (Z : released j 0 = 0).
      { destruct (released j 0) as [|n] eqn:E; [reflexivity|]. exfalso.
        assert (L : 0 < released j 0) by lia. apply (in_order _ _ _ _ _ rule) in L. lia. }
      rewrite Z in *. simpl in *. lia.
    - intros E. assert (R := E). rewrite (is_ready _ _ _ _ _ rule) in E. apply Nat.ltb_ge in E.
      destruct (runs b t) eqn:N; [apply (is_served _ _ _ _ _ rule) in N; congruence|].
      simpl in A. rewrite N in A. lia.
  Qed.

  (* How many are released in a window. *)
  Lemma released_in t x : released j (t + x) <= released j t + ceil (x + jitter) period.
  Proof.
    set (n := released j t). destruct (Nat.le_gt_cases (released j (t + x)) n) as [|G]; [lia|].
    set (k := released j (t + x) - n - 1).
    assert (First : ~ release j n < t) by (rewrite <- (in_order _ _ _ _ _ rule); unfold n; lia).
    assert (Last : release j (n + k) < t + x) by (apply (in_order _ _ _ _ _ rule); lia).
    assert (A := arrivals_apart n k).
    assert (I := in_time _ _ _ _ _ rule n). assert (I' := in_time _ _ _ _ _ rule (n + k)).
    assert (C := ceil_above (x + jitter) period k P ltac:(lia)). lia.
  Qed.

  Theorem task_load t x : begins (ready b) t ->
    count (runs b) (t + x) <= count (runs b) t + ceil (x + jitter) period * cost.
  Proof.
    intros B. rewrite (nothing_left t B). assert (A := nothing_ahead (t + x)).
    assert (R := released_in t x). assert (M := released_mono t (t + x) ltac:(lia)).
    assert (F := first_most (released j t) (released j (t + x) - released j t)).
    replace (released j t + (released j (t + x) - released j t)) with (released j (t + x)) in F by lia. nia.
  Qed.
End Of.
