(* Page: docs/theory/interrupt-level.md, the orders "priority" and "nested".
   What it says: while something of a priority or above is requested, routines below it take no time of a core whose routines are
     nested, and the longest of them less one where each runs to its end. So routines of a core by priority share it as members
     of a supply by priority do, with that as blocking.
   Assumptions: 1. The core serves a request at every instant at which there is one. 2. A routine below begins only where nothing
     of the priority or above is requested. *)
Require Import Arith Lia Bool.
From Vorrang Require Import Schedule Residual.

(* The routines of a core beside one: those as urgent, itself, and those below, with for how long the one under way has run. *)
Record by_priority (longest : nat) (urgent_ready urgent own_ready own below : nat -> bool) (has_run : nat -> nat) : Prop := By_priority {
  serves : forall t, urgent_ready t || own_ready t = true -> urgent t || own t || below t = true;
  (* It begins, and goes on up to its end. *)
  begins_last : forall t, below t = true -> has_run t = 0 -> urgent_ready t || own_ready t = false;
  goes_on : forall t, below (S t) = true -> 0 < has_run (S t) -> below t = true /\ has_run (S t) = S (has_run t);
  first_begins : below 0 = true -> has_run 0 = 0;
  ends : forall t, below t = true -> has_run t < longest }.

Section Of.
  Variable longest : nat.
  Variables urgent_ready urgent own_ready own below : nat -> bool.
  Variable has_run : nat -> nat.
  Hypothesis rule : by_priority longest urgent_ready urgent own_ready own below has_run.
  Let level_ready u := urgent_ready u || own_ready u.

  (* It has run before a window throughout which something of the level is requested. *)
  Lemma began_before t x : throughout level_ready t x -> forall u, t <= u < t + x -> below u = true -> u < t + has_run u.
  Proof.
    intros W u. induction u as [|u IH]; intros U B.
    - assert (Z := first_begins _ _ _ _ _ _ _ rule B). assert (N := begins_last _ _ _ _ _ _ _ rule 0 B Z).
      specialize (W 0 U). unfold level_ready in W. congruence.
    - destruct (Nat.eq_dec (has_run (S u)) 0) as [Z|Z].
      + assert (N := begins_last _ _ _ _ _ _ _ rule _ B Z). specialize (W (S u) U). unfold level_ready in W. congruence.
      + assert (Pos : 0 < has_run (S u)) by lia. destruct (goes_on _ _ _ _ _ _ _ rule u B Pos) as [B' E].
        destruct (Nat.eq_dec (S u) t) as [T|T]; [rewrite T in *; lia|].
        assert (G : t <= u < t + x) by lia. specialize (IH G B'). lia.
  Qed.

  Theorem one_has_begun t x : throughout level_ready t x -> count below (t + x) <= count below t + (longest - 1).
  Proof.
    intros W. destruct (Nat.le_gt_cases x (longest - 1)) as [L|L]; [assert (M := count_most below t x); lia|].
    replace (t + x) with (t + (longest - 1) + (x - (longest - 1))) by lia. rewrite count_none; [apply count_most|].
    intros u U. destruct (below u) eqn:B; [|reflexivity]. exfalso.
    assert (S' := began_before t x W u ltac:(lia) B). assert (E := ends _ _ _ _ _ _ _ rule u B). lia.
  Qed.

  Theorem shares_by_priority : level (fun _ => true) level_ready urgent_ready urgent own_ready own below (longest - 1).
  Proof.
    split; [intros t H; exact H| |exact one_has_begun]. intros t _ H. exact (serves _ _ _ _ _ _ _ rule t H).
  Qed.
End Of.

(* Nested: what is below runs only where nothing of the level is requested. *)
Theorem shares_nested urgent_ready urgent own_ready own below :
  (forall t, urgent_ready t || own_ready t = true -> urgent t || own t = true) ->
  (forall t, below t = true -> urgent_ready t || own_ready t = false) ->
  level (fun _ => true) (fun u => urgent_ready u || own_ready u) urgent_ready urgent own_ready own below 0.
Proof.
  intros S' L. split; [intros t H; exact H| |].
  - intros t _ H. rewrite (S' t H). reflexivity.
  - intros t x W. rewrite count_none; [lia|]. intros u U. destruct (below u) eqn:B; [|reflexivity]. apply L in B.
    specialize (W u U). cbv beta in W. congruence.
Qed.
