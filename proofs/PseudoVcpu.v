(* Page: docs/theory/pseudo-vcpu.md, "Alone".
   What it says: an interrupt that is alone in its guest, and that nothing there precedes, is handled as a task (c, T, J)
     of the urgency of its pseudo-VCPU would be: it is a stream of jobs, ready only while the pseudo-VCPU is, and served
     whenever that has the processor.
   Assumptions: the rule by arrival (docs/model.md, P4 to P13), with n credits of g that are back T' after they were taken.
     1. c <= g. 2. T' <= n T, and there is a credit: then no request is delayed by credits. What is counted is the work
     of all requests together. Where the bound is at most T, each is handled before the next one comes, in whatever order
     the guest serves a routine and the task of the request before. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Residual.

(* The requests of an interrupt: when each is raised, and when it is let through; it is in the guest from the end of the
   routine of the core on (its release). [left] is the budget of the pseudo-VCPU after the events of an instant. *)
Record credited (cost period raised_by routine credit credits back : nat) (raised through left : nat -> nat)
  (j : jobs) (guest pseudo : behaviour) : Prop := Credited {
  requests_apart : forall i, arrival j i + period <= arrival j (S i);
  raises : forall i, arrival j i <= raised i <= arrival j i + raised_by;
  (* In their order, as soon as a credit is back. *)
  lets_through : forall i, raised i <= through i /\ (through i <= raised i
    \/ (exists h, i = S h /\ through i <= through h) \/ (exists h, i = h + credits /\ through i <= through h + back));
  then_routine : forall i, through i <= release j i <= through i + routine;
  requests_in_order : forall i t, i < released j t <-> release j i < t;
  work_within : forall i, work j i <= cost;
  (* In the guest until it is handled. *)
  in_guest : forall t, ready guest t = (count (runs guest) t <? first j (released j (S t)));
  only_in_guest : forall t, runs guest t = true -> ready guest t = true;
  (* A credit with each request; what is left may be dropped when nothing of the interrupt is in the guest. *)
  first_credit : released j 1 * credit <= left 0;
  next_credit : forall t, (released j (S (S t)) - released j (S t)) * credit
    + (if count (runs guest) (S t) <? first j (released j (S t)) then left t - (if runs pseudo t then 1 else 0) else 0)
    <= left (S t);
  pseudo_ready : forall t, ready pseudo t = (0 <? left t) && ready guest t;
  (* Nothing in the guest precedes it, so the time is its own. *)
  serves_it : forall t, runs pseudo t = true -> runs guest t = true }.

Section Of.
  Variables cost period raised_by routine credit credits back : nat.
  Variables raised through left : nat -> nat.
  Variable j : jobs.
  Variables guest pseudo : behaviour.
  Hypothesis rule : credited cost period raised_by routine credit credits back raised through left j guest pseudo.
  Hypothesis P : 0 < period.
  Hypothesis covers : cost <= credit.
  Hypothesis has_credit : 0 < credits.
  Hypothesis in_time_back : back <= credits * period.

  Lemma requests_in i k : arrival j i + k * period <= arrival j (i + k).
  Proof.
    induction k as [|k IH]; [rewrite !Nat.add_0_r; lia|].
    rewrite Nat.add_succ_r. assert (A := requests_apart _ _ _ _ _ _ _ _ _ _ _ _ _ rule (i + k)). simpl. lia.
  Qed.

  (* No request is delayed by credits: the one that took the next credit before is n requests older. *)
  Lemma through_in_time i : arrival j i <= through i <= arrival j i + raised_by.
  Proof.
    induction i as [i IH] using lt_wf_ind. destruct (lets_through _ _ _ _ _ _ _ _ _ _ _ _ _ rule i) as [A B].
    assert (R := raises _ _ _ _ _ _ _ _ _ _ _ _ _ rule i). split; [lia|].
    destruct B as [B|[[h [E B]]|[h [E B]]]]; [lia| |].
    - specialize (IH h ltac:(lia)). assert (N := requests_in h 1). replace (h + 1) with i in N by lia. lia.
    - specialize (IH h ltac:(lia)). assert (N := requests_in h credits). rewrite <- E in N. lia.
  Qed.

  Lemma is_stream : stream cost period (raised_by + routine) j guest.
  Proof.
    constructor.
    - exact (requests_apart _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    - intros i. assert (A := through_in_time i). assert (B := then_routine _ _ _ _ _ _ _ _ _ _ _ _ _ rule i). lia.
    - exact (requests_in_order _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    - exact (work_within _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    - exact (in_guest _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    - exact (only_in_guest _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
  Qed.

  (* At least as much budget as work. *)
  Lemma has_budget t : first j (released j (S t)) <= count (runs guest) t + left t.
  Proof.
    assert (M : forall n k, first j (n + k) <= first j n + k * credit).
    { intros n k. assert (F := first_most _ _ _ j guest P is_stream n k). assert (K := Nat.mul_le_mono_l _ _ k covers). lia. }
    induction t as [|t IH].
    - assert (F := first_credit _ _ _ _ _ _ _ _ _ _ _ _ _ rule). specialize (M 0 (released j 1)). simpl in *. lia.
    - assert (N := next_credit _ _ _ _ _ _ _ _ _ _ _ _ _ rule t).
      assert (O := released_mono _ _ _ j guest P is_stream (S t) (S (S t)) ltac:(lia)).
      specialize (M (released j (S t)) (released j (S (S t)) - released j (S t))).
      replace (released j (S t) + (released j (S (S t)) - released j (S t))) with (released j (S (S t))) in M by lia.
      destruct (Nat.ltb_spec (count (runs guest) (S t)) (first j (released j (S t)))) as [L|L]; [|lia].
      rewrite count_S in *. assert (V := serves_it _ _ _ _ _ _ _ _ _ _ _ _ _ rule t).
      destruct (runs pseudo t); [rewrite V in * by reflexivity|]; lia.
  Qed.

  Theorem ready_together t : ready guest t = ready pseudo t.
  Proof.
    rewrite (pseudo_ready _ _ _ _ _ _ _ _ _ _ _ _ _ rule). destruct (ready guest t) eqn:E; [|rewrite andb_false_r; reflexivity].
    rewrite (in_guest _ _ _ _ _ _ _ _ _ _ _ _ _ rule) in E. apply Nat.ltb_lt in E. assert (B := has_budget t).
    symmetry. rewrite andb_true_r. apply Nat.ltb_lt. lia.
  Qed.

  (* So the level of the pseudo-VCPU is that of the interrupt. *)
  Theorem same_level supplied wanted urgent_ready urgent other blocking :
    level supplied wanted urgent_ready urgent (ready pseudo) (runs pseudo) other blocking ->
    level supplied wanted urgent_ready urgent (ready guest) (runs guest) other blocking.
  Proof.
    intros [W C B]. constructor.
    - intros t. rewrite ready_together. apply W.
    - intros t S'. rewrite ready_together. intros R. specialize (C t S' R).
      assert (V := serves_it _ _ _ _ _ _ _ _ _ _ _ _ _ rule t).
      destruct (urgent t), (runs pseudo t), (other t); simpl in *; try discriminate; rewrite ?V by reflexivity;
        rewrite ?orb_true_r; reflexivity.
    - intros t x Th. apply B. intros u U. specialize (Th u U). cbv beta in Th. rewrite ready_together in Th. exact Th.
  Qed.
End Of.
