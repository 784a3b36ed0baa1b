(* Page: docs/theory/work-in-servers.md.
   What it says: in any window a server that only its guest uses takes no more than the work of the jobs inside that count
     there, each from its arrival to when it is due, and the sections there; a deferrable one no more than its budgets, either.
   Assumptions: 1. What is due by the begin of the window is complete. [all_in_time] of IdleStart.v shows that where bounds rest
     on each other: the window of a job begins before the job is due. 2. Only the described tasks and sections use the server. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Kinds Deadlines IdleStart.
Import ListNotations.

(* A task of the guest: its numbers, how long after its arrival a job is due, and what it does. *)
Record inside := Inside { cost : nat; period : nat; jitter : nat; due_in : nat; jobs_of : jobs; acts : behaviour }.
Definition keeps (m : inside) : Prop := 0 < period m /\ stream (cost m) (period m) (jitter m) (jobs_of m) (acts m).
Definition on_time (t : nat) (m : inside) : Prop := forall i, arrival (jobs_of m) i + due_in m <= t ->
  first (jobs_of m) (S i) <= count (runs (acts m)) (arrival (jobs_of m) i + due_in m).

Fixpoint work (ms : list inside) (x : nat) : nat :=
  match ms with [] => 0 | m :: rest => ceil (x + due_in m) (period m) * cost m + work rest x end.
Definition used (m : inside) (t : nat) : bool := runs (acts m) t.

Lemma guest_takes ms t x : Forall keeps ms -> Forall (on_time t) ms ->
  count (any used ms) (t + x) <= count (any used ms) t + work ms x.
Proof.
  intros K O. induction ms as [|m ms IH].
  - rewrite (count_none (any used []) t x) by reflexivity. simpl. lia.
  - inversion K as [|? ? [P S'] K']; subst. inversion O as [|? ? O1 O']; subst. specialize (IH K' O').
    assert (A := task_anywhere _ _ _ (due_in m) _ _ P S' t x O1). assert (C := count_or (used m) (any used ms) t x).
    change (any used (m :: ms)) with (fun u => used m u || any used ms u). cbn [work]. change (runs (acts m)) with (used m) in A. lia.
Qed.

Section Of.
  Variable ms : list inside.
  Variable b : behaviour.
  Variable section : nat -> bool.
  Variable sections : nat -> nat.
  Hypothesis guest : Forall keeps ms.
  Hypothesis only_they : forall t, runs b t = true -> any used ms t || section t = true.
  Hypothesis sections_most : forall t x, count section (t + x) <= count section t + sections x.

  Theorem no_more_than_work t x : Forall (on_time t) ms ->
    count (runs b) (t + x) <= count (runs b) t + work ms x + sections x.
  Proof.
    intros O. assert (G := guest_takes ms t x guest O). assert (S' := sections_most t x).
    assert (H := count_three (runs b) (any used ms) section (fun _ => false) t x).
    rewrite (count_none (fun _ => false) t x) in H by reflexivity.
    assert (H' : forall u, t <= u < t + x -> runs b u = true -> any used ms u || section u || false = true)
      by (intros u _ R; rewrite orb_false_r; exact (only_they u R)).
    specialize (H H'). lia.
  Qed.

  Theorem deferrable_takes Q T phase budget wanted t x : 0 < Q -> Q <= T -> rule Q T phase Deferrable budget wanted b ->
    Forall (on_time t) ms -> count (runs b) (t + x) <= count (runs b) t + min (ceil (x + (T - Q)) T * Q) (work ms x + sections x).
  Proof.
    intros Qp QT R O. assert (A := no_more_than_work t x O).
    assert (B := deferrable_load Q T phase Deferrable budget wanted b Qp QT R t x). lia.
  Qed.
End Of.
