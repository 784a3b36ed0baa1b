(* Pages: docs/theory/pseudo-vcpu-load.md, "deferrable" and "released"; docs/theory/held-back-requests.md, the last row.
   What it says: a pseudo-VCPU (Q, T') by the rule deferrable takes as much as a deferrable server; by the rule released as
     much as c for each routine of the core that ends in a window, and Q: as if each came ceil(Q / c) T later at most. Both
     hold a request back until the next period begins: T' at most.
   Assumptions: the rules (docs/model.md, P5, P7 and P15 to P21). Whether something comes back before or after routines that
     end at the same instant does not matter. *)
Require Import Arith Lia Bool NArith List.
From Coq Require Import ZifyN ZifyNat.
From Vorrang Require Import Schedule Loads Kinds Backlog Timers Certificate.
Import ListNotations.

(* P15 and P17 are the rule of a deferrable server; P5: its guest has something ready. *)
Theorem deferrable_obeys Q T phase budget wanted level whole own wants pseudo :
  rule (N.to_nat Q) (N.to_nat T) phase Deferrable budget wanted pseudo ->
  obeys level whole own wants (Budgets_of (Fixed Deferrable) Q T) pseudo.
Proof.
  intros R. exists (fun _ => false), wanted. split; [exists phase, budget; exact R|discriminate].
Qed.

(* P18 to P21: how many routines of the core ended before an instant ([ended]); whether a routine of this interrupt or a job of
   its task has run on it and is not complete ([under_way]); of the routines that end at an instant, some may end before a
   period begins. *)
Record by_release (Q T phase c : nat) (ended : nat -> nat) (under_way : nat -> bool) (budget : nat -> nat)
  (wanted : nat -> bool) (pseudo : behaviour) : Prop := By_release {
  first_period : exists before, before <= ended 1 /\ budget 0 =
    let kept := if Kinds.again T phase 0 then (if under_way 0 then min c (min Q (before * c)) else 0) else min Q (before * c) in
    min Q (kept + (ended 1 - before) * c);
  next_period : forall t, exists before, before <= ended (S (S t)) - ended (S t) /\ budget (S t) =
    let left := min Q (budget t - (if runs pseudo t then 1 else 0) + before * c) in
    let kept := if Kinds.again T phase (S t) then (if under_way (S t) then min c left else 0) else left in
    min Q (kept + (ended (S (S t)) - ended (S t) - before) * c);
  has_budget_then : forall t, ready pseudo t = (0 <? budget t) && wanted t;
  runs_when_ready : forall t, runs pseudo t = true -> ready pseudo t = true }.

Section Released.
  Variables Q T phase c : nat.
  Variable under_way : nat -> bool.
  Variable budget : nat -> nat.
  Variable wanted : nat -> bool.
  Variable pseudo : behaviour.
  (* The requests: each arrives [every] after the one before at the earliest, and its routine has ended [late] after that. *)
  Variables every late : nat.
  Variable requests : jobs.
  Hypothesis apart_ : forall i, arrival requests i + every <= arrival requests (S i).
  Hypothesis ends_in_time : forall i, arrival requests i <= release requests i <= arrival requests i + late.
  Hypothesis in_turn : forall i t, i < released requests t <-> release requests i < t.
  Hypothesis rule : by_release Q T phase c (released requests) under_way budget wanted pseudo.
  Hypothesis every_pos : 0 < every.
  Hypothesis c_pos : 0 < c.

  Let none := Jobs (arrival requests) (release requests) (fun _ => 0) (released requests).
  Lemma are_apart : stream 0 every late none (Behaviour (fun _ => false) (fun _ => false)).
  Proof.
    assert (Z : forall n, first none n = 0) by (induction n as [|n IH]; [reflexivity|]; simpl; lia).
    constructor; try assumption; intros; cbn [ready runs work none released]; try lia; try discriminate.
    rewrite Z. symmetry. apply Nat.ltb_ge. lia.
  Qed.

  (* What is left is at most Q, and grows by c for each routine. *)
  Lemma at_most_full t : budget t <= Q.
  Proof.
    destruct t as [|t]; [destruct (first_period _ _ _ _ _ _ _ _ _ rule) as [n [_ ->]]
      |destruct (next_period _ _ _ _ _ _ _ _ _ rule t) as [n [_ ->]]]; apply Nat.le_min_l.
  Qed.
  Lemma grows t : budget (S t) + (if runs pseudo t then 1 else 0)
    <= budget t + (released requests (S (S t)) - released requests (S t)) * c.
  Proof.
    destruct (next_period _ _ _ _ _ _ _ _ _ rule t) as [n [N E]]. cbv zeta in E.
    assert (B : runs pseudo t = true -> 0 < budget t).
    { intros H. apply (runs_when_ready _ _ _ _ _ _ _ _ _ rule) in H. rewrite (has_budget_then _ _ _ _ _ _ _ _ _ rule) in H.
      apply andb_true_iff in H. destruct H as [H _]. apply Nat.ltb_lt in H. exact H. }
    set (all := released requests (S (S t)) - released requests (S t)) in *.
    assert (M : all * c = n * c + (all - n) * c) by (rewrite <- Nat.mul_add_distr_r; f_equal; lia).
    destruct (runs pseudo t); [specialize (B eq_refl)|]; destruct (Kinds.again T phase (S t)), (under_way (S t)); lia.
  Qed.
  Lemma used t x : count (runs pseudo) (t + S x) + (budget (t + x) - (if runs pseudo (t + x) then 1 else 0))
    <= count (runs pseudo) t + budget t + (released requests (S (t + x)) - released requests (S t)) * c.
  Proof.
    assert (B : forall u, runs pseudo u = true -> 0 < budget u).
    { intros u H. apply (runs_when_ready _ _ _ _ _ _ _ _ _ rule) in H. rewrite (has_budget_then _ _ _ _ _ _ _ _ _ rule) in H.
      apply andb_true_iff in H. destruct H as [H _]. apply Nat.ltb_lt in H. exact H. }
    induction x as [|x IH].
    - rewrite Nat.add_0_r, Nat.add_1_r, count_S. assert (B' := B t). destruct (runs pseudo t); [specialize (B' eq_refl)|]; lia.
    - rewrite (Nat.add_succ_r t (S x)), count_S. assert (B1 := B (t + x)). assert (B2 := B (t + S x)). assert (G := grows (t + x)).
      replace (S (t + x)) with (t + S x) in * by lia.
      assert (M1 := released_mono _ _ _ _ _ every_pos are_apart (S t) (t + S x) ltac:(lia)).
      assert (M2 := released_mono _ _ _ _ _ every_pos are_apart (t + S x) (S (t + S x)) ltac:(lia)). cbn [released none] in M1, M2.
      assert (E : (released requests (S (t + S x)) - released requests (S t)) * c
        = (released requests (t + S x) - released requests (S t)) * c
          + (released requests (S (t + S x)) - released requests (t + S x)) * c)
        by (rewrite <- Nat.mul_add_distr_r; f_equal; lia).
      destruct (runs pseudo (t + x)), (runs pseudo (t + S x)); try specialize (B1 eq_refl); try specialize (B2 eq_refl); lia.
  Qed.

  Theorem released_load t x : count (runs pseudo) (t + x) <= count (runs pseudo) t + ceil (x + (late + ceil Q c * every)) every * c.
  Proof.
    destruct x as [|x]; [rewrite Nat.add_0_r; lia|].
    assert (U := used t x). assert (F := at_most_full t).
    assert (R := released_in _ _ _ _ _ every_pos are_apart (S t) x). cbn [released none] in R. replace (S t + x) with (S (t + x)) in R by lia.
    assert (C := ceil_covers Q c c_pos). assert (M := ceil_mono (x + late) (S x + late) every every_pos ltac:(lia)).
    assert (E : ceil (S x + (late + ceil Q c * every)) every = ceil (S x + late) every + ceil Q c).
    { unfold ceil at 1 3. replace (S x + (late + ceil Q c * every) + every - 1) with (S x + late + every - 1 + ceil Q c * every) by lia.
      apply Nat.div_add. lia. }
    rewrite E, Nat.mul_add_distr_r.
    assert (R' : (released requests (S (t + x)) - released requests (S t)) * c <= ceil (S x + late) every * c) by (apply Nat.mul_le_mono_r; lia).
    lia.
  Qed.
End Released.

(* What takes no more in any window is a member. *)
Lemma anywhere_obeys c t j level whole own wants b :
  (forall u x, count (runs b) (u + x) <= count (runs b) u + ceil (x + N.to_nat j) (N.to_nat t) * N.to_nat c) ->
  (forall u, runs b u = true -> ready b u = true) -> obeys level whole own wants (Jobs_of c t j) b.
Proof.
  intros H R. right. exists (each 1 (runs b)), (each 1 (runs b)). split.
  - intros u x. rewrite !each_before. specialize (H u x). lia.
  - unfold each. constructor.
    + lia.
    + intros u. lia.
    + intros u L. apply R. destruct (runs b u); [reflexivity|lia].
    + intros u E. rewrite E. lia.
Qed.

Theorem released_obeys Q T phase c under_way budget wanted pseudo every late requests level whole own wants :
  (forall i, arrival requests i + N.to_nat every <= arrival requests (S i)) ->
  (forall i, arrival requests i <= release requests i <= arrival requests i + N.to_nat late) ->
  (forall i t, i < released requests t <-> release requests i < t) ->
  by_release (N.to_nat Q) T phase (N.to_nat c) (released requests) under_way budget wanted pseudo ->
  (0 < every)%N -> (0 < c)%N ->
  obeys level whole own wants (Jobs_of c every (late + rounded_up Q c * every)) pseudo.
Proof.
  intros A E I R P C. apply anywhere_obeys.
  - intros u x. assert (L := released_load _ _ _ _ _ _ _ _ _ _ _ A E I R ltac:(lia) ltac:(lia) u x).
    replace (N.to_nat (late + rounded_up Q c * every)) with (N.to_nat late + ceil (N.to_nat Q) (N.to_nat c) * N.to_nat every); [exact L|].
    unfold rounded_up, ceil. rewrite N2Nat.inj_add, N2Nat.inj_mul, N2Nat.inj_div, N2Nat.inj_sub, N2Nat.inj_add. reflexivity.
  - apply (runs_when_ready _ _ _ _ _ _ _ _ _ R).
Qed.

(* Requests that wait for the next period at most, in their order. *)
Section Held.
  Variables every raised_by T phase : nat.
  Variables arrives raised through : nat -> nat.
  Hypothesis T_pos : 0 < T.
  Hypothesis phase_in : phase < T.
  Hypothesis come_apart : forall i, arrives i + every <= arrives (S i).
  Hypothesis are_raised : forall i, arrives i <= raised i <= arrives i + raised_by.
  Hypothesis lets : forall i, raised i <= through i /\ (through i <= raised i
    \/ (exists h, i = S h /\ through i <= through h) \/ (forall u, raised i < u < through i -> Kinds.again T phase u = false)).

  Lemma comes_again t : exists d, 1 <= d <= T /\ Kinds.again T phase (t + d) = true.
  Proof.
    assert (E := Nat.div_mod t T ltac:(lia)). assert (U := Nat.mod_upper_bound t T ltac:(lia)).
    set (r := t mod T) in *. set (n := t / T) in *. exists (if r <? phase then phase - r else T + phase - r).
    destruct (Nat.ltb_spec r phase) as [H|H]; (split; [lia|]); unfold Kinds.again.
    - replace (t + (phase - r)) with (phase + n * T) by lia. rewrite Nat.mod_add, Nat.mod_small by lia. apply Nat.eqb_refl.
    - replace (t + (T + phase - r)) with (phase + S n * T) by lia. rewrite Nat.mod_add, Nat.mod_small by lia. apply Nat.eqb_refl.
  Qed.

  Theorem held_for_a_period i : arrives i <= through i <= arrives i + (raised_by + T).
  Proof.
    induction i as [i IH] using lt_wf_ind. destruct (lets i) as [A B]. assert (R := are_raised i). split; [lia|].
    destruct B as [B|[[h [-> B]]|B]]; [lia| |].
    - specialize (IH h ltac:(lia)). assert (C := come_apart h). lia.
    - destruct (comes_again (raised i)) as [d [D E]]. destruct (Nat.le_gt_cases (through i) (raised i + d)) as [|G]; [lia|].
      rewrite B in E by lia. discriminate.
  Qed.
End Held.
