(* Page: docs/theory/pseudo-vcpu.md, "Covered".
   What it says: where interrupts share a guest, which serves their routines first come, first served, one with a
     pseudo-VCPU by arrival is handled as a task (g, T, J) of its urgency would be, if its credit g covers its own routine
     and ceil(B / T) routines of each other interrupt of the guest.
   Assumptions: the rule by arrival (docs/model.md, G2 and P4 to P13). 1. It wakes no task. 2. The routine of each other
     interrupt is complete B after its arrival. 3. T' <= n T, and there is a credit.
   Beyond the page: R <= T is not needed. What is ahead of a request, but was not ahead of the one of its own before, are
     others that were pending when it came; so what each request adds to the work of its pseudo-VCPU is at most g. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Residual Backlog PseudoVcpu.

(* All requests of a guest in the order in which they enter it: [owner] is 0 for the interrupt that is looked at, and
   1 + i for the other one i. Its own ones are those at [place]; [entered] is how many of them entered before an instant. *)
Record shared (cost period raised_by routine credit credits back : nat) (raised through left : nat -> nat)
  (others : nat) (isr every bound : nat -> nat)
  (all : jobs) (owner place entered : nat -> nat) (guest pseudo : behaviour) : Prop := Shared {
  (* First come, first served. *)
  in_their_order : forall n t, n < released all t <-> release all n < t;
  pending : forall t, ready guest t = (count (runs guest) t <? first all (released all (S t)));
  only_pending : forall t, runs guest t = true -> ready guest t = true;
  (* Its own requests. *)
  places : forall k, place k < place (S k);
  own_place : forall n, owner n = 0 <-> exists k, n = place k;
  own_entered : forall k t, k < entered t <-> release all (place k) < t;
  own_apart : forall k, arrival all (place k) + period <= arrival all (place (S k));
  own_raised : forall k, arrival all (place k) <= raised k <= arrival all (place k) + raised_by;
  own_through : forall k, raised k <= through k /\ (through k <= raised k
    \/ (exists h, k = S h /\ through k <= through h) \/ (exists h, k = h + credits /\ through k <= through h + back));
  own_routine : forall k, through k <= release all (place k) <= through k + routine;
  own_work : forall k, work all (place k) <= cost;
  (* The other interrupts. *)
  one_of : forall n, owner n <= others;
  others_apart : forall i n m, owner n = S i -> owner m = S i -> n < m -> arrival all n + every i <= arrival all m;
  others_enter : forall n, arrival all n <= release all n;
  others_work : forall i n, owner n = S i -> work all n <= isr i;
  others_in_time : forall i n, owner n = S i -> first all (S n) <= count (runs guest) (arrival all n + bound i);
  (* The pseudo-VCPU: a credit with each request; what is left may be dropped when nothing of it is in the guest. *)
  at_the_first : entered 1 * credit <= left 0;
  at_the_next : forall t, (entered (S (S t)) - entered (S t)) * credit
    + (if count (runs guest) (S t) <? match entered (S t) with 0 => 0 | S k => first all (S (place k)) end
       then left t - (if runs pseudo t then 1 else 0) else 0) <= left (S t);
  has_left : forall t, ready pseudo t = (0 <? left t)
    && (count (runs guest) t <? match entered (S t) with 0 => 0 | S k => first all (S (place k)) end);
  is_last_ready : forall t, runs pseudo t = true -> ready pseudo t = true;
  serves_guest : forall t, runs pseudo t = true -> runs guest t = true }.

(* The first m of something together. *)
Fixpoint together (f : nat -> nat) (m : nat) : nat := match m with 0 => 0 | S i => together f i + f i end.

Lemma together_more f g m i d : i < m -> (forall e, f e <= g e) -> f i + d <= g i -> together f m + d <= together g m.
Proof.
  intros L H D. assert (M : forall k, together f k <= together g k).
  { induction k as [|k IH]; [simpl; lia|]. simpl. specialize (H k). lia. }
  induction m as [|m IH]; [lia|]. simpl. destruct (Nat.eq_dec i m) as [->|]; [specialize (M m); lia|].
  specialize (IH ltac:(lia)). specialize (H m). lia.
Qed.
Lemma together_mono f g m : (forall e, f e <= g e) -> together f m <= together g m.
Proof. intros H. induction m as [|m IH]; [simpl; lia|]. simpl. specialize (H m). lia. Qed.

(* Of things that are T apart, k + 1 need k T. *)
Lemma apart_by p (at_ : nat -> nat) T : (forall u v, p u = true -> p v = true -> u < v -> at_ u + T <= at_ v) ->
  forall n k, S k <= count p n -> exists u v, p u = true /\ p v = true /\ v < n /\ at_ u + k * T <= at_ v.
Proof.
  intros A. induction n as [|n IH]; intros k K; [simpl in K; lia|]. rewrite count_S in K. destruct (p n) eqn:E.
  - destruct k as [|k].
    + exists n, n. repeat split; [exact E|exact E|lia|simpl; lia].
    + destruct (IH k ltac:(lia)) as [u [v [U [V [L D]]]]]. exists u, n. specialize (A v n V E L).
      repeat split; [exact U|exact E|lia|simpl; lia].
  - destruct (IH k ltac:(lia)) as [u [v [U [V [L D]]]]]. exists u, v. repeat split; [exact U|exact V|lia|exact D].
Qed.

Section Of.
  Variables cost period raised_by routine credit credits back : nat.
  Variables raised through left : nat -> nat.
  Variable others : nat.
  Variables isr every bound : nat -> nat.
  Variable all : jobs.
  Variables owner place entered : nat -> nat.
  Variables guest pseudo : behaviour.
  Hypothesis rule : shared cost period raised_by routine credit credits back raised through left others isr every bound
    all owner place entered guest pseudo.
  Hypothesis apart_at_all : forall i, 0 < every i.
  Let served := count (runs guest).

  (* What is to be served until the first k of its own are handled. *)
  Definition upto_own (k : nat) : nat := match k with 0 => 0 | S h => first all (S (place h)) end.
  (* What the request k adds to that when it enters. *)
  Definition adds (k : nat) : nat := upto_own (S k) - Nat.max (upto_own k) (served (release all (place k))).
  Definition own_jobs : jobs := Jobs (fun k => arrival all (place k)) (fun k => release all (place k)) adds entered.
  Definition for_it : behaviour := Behaviour (fun t => served t <? upto_own (entered (S t)))
    (fun t => runs guest t && (served t <? upto_own (entered (S t)))).

  Lemma upto_mono k : upto_own k <= upto_own (S k).
  Proof.
    destruct k as [|k]; unfold upto_own; [apply Nat.le_0_l|]. assert (L := places _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule k).
    apply first_mono. lia.
  Qed.
  Lemma upto_more k d : upto_own k <= upto_own (k + d).
  Proof.
    induction d as [|d IH]; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r. assert (U := upto_mono (k + d)). lia.
  Qed.
  Lemma entered_mono t : entered t <= entered (S t).
  Proof.
    assert (E := own_entered _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    destruct (Nat.le_gt_cases (entered t) (entered (S t))) as [|G]; [assumption|].
    assert (A := proj1 (E _ _) G). assert (B := proj2 (E (entered (S t)) (S t)) ltac:(lia)). lia.
  Qed.

  (* What is served for it, and what is left, is what its requests added. *)
  Lemma enters t x m d : (forall k, m <= k < m + d -> release all (place k) = t) ->
    x + (upto_own m - served t) = first own_jobs m -> x + (upto_own (m + d) - served t) = first own_jobs (m + d).
  Proof.
    intros R H. induction d as [|d IH]; [rewrite Nat.add_0_r; exact H|].
    specialize (IH (fun k K => R k ltac:(lia))). rewrite Nat.add_succ_r. cbn [first work own_jobs]. rewrite <- IH.
    unfold adds. rewrite (R (m + d)) by lia. assert (U := upto_mono (m + d)). lia.
  Qed.
  Lemma enters_at t : forall k, entered t <= k < entered (S t) -> release all (place k) = t.
  Proof.
    intros k [A B]. assert (E := own_entered _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    apply E in B. assert (N : ~ release all (place k) < t) by (rewrite <- E; lia). lia.
  Qed.
  Lemma accounts t : count (runs for_it) t + (upto_own (entered (S t)) - served t) = first own_jobs (entered (S t))
    /\ count (runs for_it) (S t) + (upto_own (entered (S t)) - served (S t)) = first own_jobs (entered (S t)).
  Proof.
    assert (step : forall u, count (runs for_it) u + (upto_own (entered (S u)) - served u) = first own_jobs (entered (S u)) ->
      count (runs for_it) (S u) + (upto_own (entered (S u)) - served (S u)) = first own_jobs (entered (S u))).
    { intros u <-. assert (B : served (S u) = served u + (if runs guest u then 1 else 0)) by apply count_S.
      assert (A : count (runs for_it) (S u) = count (runs for_it) u
        + (if runs guest u && (served u <? upto_own (entered (S u))) then 1 else 0)) by apply count_S.
      destruct (Nat.ltb_spec (served u) (upto_own (entered (S u)))), (runs guest u); cbn [andb] in A; lia. }
    induction t as [|t [_ IH]].
    - split; [|apply step]; assert (E := enters 0 0 0 (entered 1)); simpl plus in E;
        (assert (Z : entered 0 = 0)
          by (destruct (entered 0) as [|n] eqn:F; [reflexivity|]; assert (L : 0 < entered 0) by lia;
              apply (own_entered _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule) in L; lia));
        assert (A := enters_at 0); rewrite Z in A; apply E; [exact A|reflexivity|exact A|reflexivity].
    - assert (M := entered_mono (S t)).
      assert (E := enters (S t) (count (runs for_it) (S t)) (entered (S t)) (entered (S (S t)) - entered (S t))).
      replace (entered (S t) + (entered (S (S t)) - entered (S t))) with (entered (S (S t))) in E by lia.
      assert (G := E (fun k K => enters_at (S t) k ltac:(lia)) IH). split; [exact G|apply step, G].
  Qed.

  (* How many of another interrupt are pending. *)
  Definition pends (t i n : nat) : bool := (owner n =? S i) && (served t <? first all (S n)).

  Lemma few_pend t i n : (forall m, m < n -> release all m <= t) -> count (pends t i) n <= ceil (bound i) (every i).
  Proof.
    intros E. destruct (count (pends t i) n) as [|k] eqn:K; [lia|].
    assert (A : forall u v, pends t i u = true -> pends t i v = true -> u < v -> arrival all u + every i <= arrival all v).
    { unfold pends. intros u v U V L. apply andb_true_iff in U, V. destruct U as [U _], V as [V _]. apply Nat.eqb_eq in U, V.
      exact (others_apart _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule i u v U V L). }
    destruct (apart_by (pends t i) (arrival all) (every i) A n k ltac:(lia)) as [u [v [U [V [L D]]]]].
    unfold pends in U. apply andb_true_iff in U. destruct U as [U1 U2]. apply Nat.eqb_eq in U1. apply Nat.ltb_lt in U2.
    assert (B := others_in_time _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule i u U1).
    assert (F : t < arrival all u + bound i).
    { destruct (Nat.le_gt_cases (arrival all u + bound i) t) as [G|G]; [|exact G].
      assert (M := count_mono (runs guest) _ _ G). unfold served in U2. lia. }
    assert (C := others_enter _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule v). assert (C' := E v L).
    apply ceil_above; [apply apart_at_all|lia].
  Qed.

  (* So a request adds at most its own routine, and those. *)
  Theorem covered_by k : adds k <= cost + together (fun i => ceil (bound i) (every i) * isr i) others.
  Proof.
    set (t := release all (place k)). set (done := Nat.max (upto_own k) (served t)).
    set (from := match k with 0 => 0 | S h => S (place h) end).
    assert (enter : forall m, m < place k -> release all m <= t).
    { intros m L. assert (I := in_their_order _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
      assert (A : place k < released all (S t)) by (apply I; unfold t; lia).
      assert (B : m < released all (S t)) by lia. apply I in B. lia. }
    assert (places_mono : forall h l, h <= l -> place h <= place l).
    { intros h l H. induction H as [|l H IH]; [lia|]. assert (P := places _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule l). lia. }
    assert (other : forall n, from <= n < place k -> exists i, owner n = S i /\ i < others).
    { intros n [A B]. destruct (owner n) as [|i] eqn:O; [exfalso|exists i; split; [reflexivity|]].
      - apply (own_place _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule) in O. destruct O as [h ->].
        destruct (Nat.le_gt_cases k h) as [G|G]; [assert (M := places_mono k h G); lia|].
        destruct k as [|l]; [lia|]. unfold from in A. assert (M := places_mono h l ltac:(lia)). lia.
      - assert (P := one_of _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule n). lia. }
    assert (H : forall d, from + d <= place k ->
      first all (from + d) - done <= together (fun i => count (pends t i) (from + d) * isr i) others).
    { induction d as [|d IH]; intros D.
      - rewrite Nat.add_0_r. assert (Z : first all from <= done); [|lia].
        unfold done, from. destruct k as [|h]; simpl; lia.
      - specialize (IH ltac:(lia)). rewrite Nat.add_succ_r. destruct (other (from + d) ltac:(lia)) as [i [O I]].
        assert (W := others_work _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule i _ O).
        destruct (Nat.le_gt_cases (first all (S (from + d))) done) as [G|G].
        { assert (M := first_mono all (from + d) (S (from + d)) ltac:(lia)). lia. }
        assert (P : pends t i (from + d) = true).
        { unfold pends. rewrite O, Nat.eqb_refl. apply Nat.ltb_lt. unfold done in G. lia. }
        assert (T := together_more (fun j => count (pends t j) (from + d) * isr j)
          (fun j => count (pends t j) (S (from + d)) * isr j) others i (isr i) I).
        cbn [first] in *. etransitivity; [|apply T].
        + lia.
        + intros j. apply Nat.mul_le_mono_r. rewrite count_S. lia.
        + rewrite count_S, P. lia. }
    assert (F : from <= place k).
    { unfold from. destruct k as [|h]; [lia|]. exact (places _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule h). }
    specialize (H (place k - from) ltac:(lia)). replace (from + (place k - from)) with (place k) in H by lia.
    assert (M : together (fun i => count (pends t i) (place k) * isr i) others
      <= together (fun i => ceil (bound i) (every i) * isr i) others).
    { apply together_mono. intros i. apply Nat.mul_le_mono_r, few_pend, enter. }
    assert (W := own_work _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule k).
    unfold adds. fold t. fold done. cbn [upto_own first]. lia.
  Qed.

  (* It is as an interrupt that is alone in its guest, whose routine takes what each request adds. *)
  Theorem as_alone taken : (forall k, adds k <= taken) ->
    credited taken period raised_by routine credit credits back raised through left own_jobs for_it pseudo.
  Proof.
    intros A. assert (Ac : forall t, (served t <? upto_own (entered (S t))) = (count (runs for_it) t <? first own_jobs (entered (S t)))).
    { intros t. destruct (accounts t) as [H _]. destruct (Nat.ltb_spec (served t) (upto_own (entered (S t))));
        symmetry; [apply Nat.ltb_lt|apply Nat.ltb_ge]; lia. }
    constructor.
    - exact (own_apart _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    - exact (own_raised _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    - exact (own_through _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    - exact (own_routine _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    - exact (own_entered _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    - exact A.
    - intros t. cbn [ready for_it released own_jobs]. apply Ac.
    - intros t H. cbn [runs ready for_it] in *. apply andb_true_iff in H. tauto.
    - exact (at_the_first _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule).
    - intros t. cbn [released own_jobs]. assert (N := at_the_next _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule t).
      fold (upto_own (entered (S t))) in N. destruct (accounts t) as [_ H]. unfold served in H.
      destruct (Nat.ltb_spec (count (runs guest) (S t)) (upto_own (entered (S t)))),
        (Nat.ltb_spec (count (runs for_it) (S t)) (first own_jobs (entered (S t)))); lia.
    - intros t. cbn [ready for_it]. exact (has_left _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule t).
    - intros t H. cbn [runs for_it]. rewrite (serves_guest _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule t H).
      apply (is_last_ready _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule) in H.
      rewrite (has_left _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule) in H. apply andb_true_iff in H. exact (proj2 H).
  Qed.

  (* The requests of it, and what the guest serves until each of them is handled. *)
  Definition guest_jobs : jobs := Jobs (fun k => arrival all (place k)) (fun k => release all (place k))
    (fun k => upto_own (S k) - upto_own k) entered.
  Lemma guest_first n : first guest_jobs n = upto_own n.
  Proof.
    induction n as [|n IH]; [reflexivity|]. assert (E : first guest_jobs (S n) = first guest_jobs n + (upto_own (S n) - upto_own n)) by reflexivity.
    assert (U := upto_mono n). lia.
  Qed.

  (* And handled when that is. *)
  Theorem handled_with k t : first own_jobs (S k) <= count (runs for_it) t -> k < entered t ->
    first all (S (place k)) <= served t.
  Proof.
    intros H E. destruct t as [|t]; [apply (own_entered _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ rule) in E; lia|].
    revert H. assert (G : forall m, upto_own m <= served (S t) \/ served (S t) < upto_own m) by (intros; lia).
    destruct (G (S k)) as [|L]; [intros; assumption|intros H; exfalso].
    destruct (accounts t) as [_ A]. set (m := entered (S t)) in *.
    (* What the later ones added is left, too. *)
    assert (X : forall d, S k + d <= m -> first own_jobs (S k + d) <= first own_jobs (S k) + (upto_own (S k + d) - upto_own (S k))).
    { induction d as [|d IH]; intros D; [rewrite Nat.add_0_r; lia|]. specialize (IH ltac:(lia)).
      rewrite Nat.add_succ_r. set (n := S k + d) in *.
      assert (F : first own_jobs (S n) = first own_jobs n + adds n) by reflexivity.
      assert (Ad : adds n <= upto_own (S n) - upto_own n) by (unfold adds; lia).
      assert (U := upto_mono n). assert (U' := upto_more (S k) d). fold n in U'. lia. }
    specialize (X (m - S k) ltac:(lia)). replace (S k + (m - S k)) with m in X by lia.
    assert (U' := upto_more (S k) (m - S k)). replace (S k + (m - S k)) with m in U' by lia.
    lia.
  Qed.
End Of.
