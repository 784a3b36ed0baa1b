(* Page: docs/theory/residual.md.
   What it says: a member that is ready throughout a window of length x receives r in it, if its supply receives
     r, the blocking and all more urgent work of a window of that length.
   Assumptions: 1. The more urgent work is bounded in windows that begin when none of it is ready, up to which the member
     waits, and from the end of which on it asks for the supply. 2. The member
     never has the supply while more urgent work is ready. 3. Less urgent work has it for at most B while
     something at least as urgent is ready throughout. *)
Require Import Arith Lia Bool.
From Vorrang Require Import Schedule.

(* Fixed priority, for one member (its readiness [own_ready], its time [own]) of a supply. *)
Record level (supplied wanted urgent_ready urgent own_ready own other : nat -> bool) (blocking : nat) : Prop := Level {
  (* Who is ready wants the supply. *)
  wants : forall t, urgent_ready t || own_ready t = true -> wanted t = true;
  (* What is supplied while something is ready is used by it, or by a section of less urgent work. *)
  conserves : forall t, supplied t = true -> urgent_ready t || own_ready t = true ->
    urgent t || own t || other t = true;
  (* Sections. *)
  blocked : forall t x, throughout (fun u => urgent_ready u || own_ready u) t x ->
    count other (t + x) <= count other t + blocking }.

Section Of.
  Variables supplied wanted urgent_ready urgent own_ready own other : nat -> bool.
  Variable blocking : nat.
  Hypothesis rule : level supplied wanted urgent_ready urgent own_ready own other blocking.
  Hypothesis is_last : forall t, own t = true -> urgent_ready t = false.
  Variable asks : nat -> bool.
  Hypothesis asks_ready : forall t, asks t = true -> own_ready t = true.
  Variable demand : nat -> nat.
  Hypothesis bounded : forall s t x, begins urgent_ready s -> s <= t -> (forall u, s <= u < t -> own u = false) ->
    throughout asks t x -> throughout (fun u => urgent_ready u || own_ready u) s x -> count urgent (s + x) <= count urgent s + demand x.

  Theorem residual r x : receives supplied wanted (r + blocking + demand x) x -> receives own asks r x.
  Proof.
    intros R t A. assert (T : throughout own_ready t x) by (intros u U; apply asks_ready, A, U). destruct (window_of urgent_ready t) as [s [L [B U]]].
    assert (busy : throughout (fun u => urgent_ready u || own_ready u) s (t + x - s)).
    { intros u V. apply orb_true_iff. destruct (Nat.lt_ge_cases u t); [left; apply U|right; apply T]; lia. }
    assert (W : throughout wanted s x) by (intros u V; apply (wants _ _ _ _ _ _ _ _ rule), busy; lia).
    assert (waits : forall u, s <= u < t -> own u = false).
    { intros u V. destruct (own u) eqn:E; [|reflexivity]. apply is_last in E. rewrite U in E by lia. discriminate. }
    assert (S' := R s W). assert (D := bounded s t x B L waits A (throughout_part _ _ _ s x busy ltac:(lia) ltac:(lia))).
    assert (O := blocked _ _ _ _ _ _ _ _ rule s x (throughout_part _ _ _ s x busy ltac:(lia) ltac:(lia))).
    assert (C : forall u, s <= u < s + x -> supplied u = true -> urgent u || own u || other u = true)
      by (intros u V I; apply (conserves _ _ _ _ _ _ _ _ rule); [exact I|apply busy; lia]).
    assert (G := count_three _ _ _ _ _ _ C).
    assert (Z : count own t = count own s).
    { replace t with (s + (t - s)) by lia. apply count_none. intros u V. apply waits. lia. }
    assert (M := count_mono own (s + x) (t + x) ltac:(lia)). lia.
  Qed.
End Of.
