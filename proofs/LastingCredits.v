(* Page: docs/theory/credits-that-last.md.
   What it says: a machine that keeps the credit of a request until it is used up, or until the thread of the guest sleeps,
     whatever has been handled, takes no more of others than credits (as load), has nothing of the interrupts left when it has
     no credit, and has handled each of them by when a task of the length g would complete.
   Assumptions: those of the page. 1. Each request brings a credit of at least its work, and of at most g. 2. While one is
     in the guest its thread is awake, and all that the pseudo-VCPU has goes to requests. 3. No request is held back.
   How the guest orders requests matters for the last of the three only: there they are first come, first served. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Residual Backlog.

(* [gift] is the credit of each request; [left] is what the pseudo-VCPU has after the events of an instant; [guest] is ready as
   long as a request is not handled, and runs when it is served, by the virtual processor's own budget too. *)
Record lasting (gift : nat -> nat) (left : nat -> nat) (awake : nat -> bool) (j : jobs) (guest pseudo : behaviour) : Prop := Lasting {
  entered_in_order : forall i t, i < released j t <-> release j i < t;
  pays_enough : forall i, work j i <= gift i;
  is_pending : forall t, ready guest t = (count (runs guest) t <? first j (released j (S t)));
  serves_pending : forall t, runs guest t = true -> ready guest t = true;
  is_awake : forall t, ready guest t = true -> awake t = true;
  at_first_left : left 0 = if awake 0 then first (Jobs (arrival j) (release j) gift (released j)) (released j 1) else 0;
  then_left : forall t, left (S t) = if awake (S t) then
      (left t - (if runs pseudo t then 1 else 0))
      + (first (Jobs (arrival j) (release j) gift (released j)) (released j (S (S t)))
        - first (Jobs (arrival j) (release j) gift (released j)) (released j (S t)))
    else 0;
  (* Nothing is asked about what is handled. *)
  lends : forall t, ready pseudo t = (0 <? left t);
  lends_ready : forall t, runs pseudo t = true -> ready pseudo t = true;
  requests_first : forall t, runs pseudo t = true -> ready guest t = true -> runs guest t = true }.

Section Of.
  Variable gift : nat -> nat.
  Variable left : nat -> nat.
  Variable awake : nat -> bool.
  Variable j : jobs.
  Variables guest pseudo : behaviour.
  Hypothesis rule : lasting gift left awake j guest pseudo.
  Let credits := Jobs (arrival j) (release j) gift (released j).

  Lemma entered_mono t u : t <= u -> released j t <= released j u.
  Proof.
    intros H. destruct (Nat.le_gt_cases (released j t) (released j u)) as [|G]; [assumption|].
    apply (entered_in_order _ _ _ _ _ _ rule) in G. exfalso.
    assert (L : released j u < released j u) by (apply (entered_in_order _ _ _ _ _ _ rule); lia). lia.
  Qed.
  Lemma none_at_first : released j 0 = 0.
  Proof.
    destruct (released j 0) as [|n] eqn:E; [reflexivity|exfalso].
    assert (L : 0 < released j 0) by lia. apply (entered_in_order _ _ _ _ _ _ rule) in L. lia.
  Qed.
  Lemma covered_by_gifts n k : first j (n + k) + first credits n <= first j n + first credits (n + k).
  Proof.
    induction k as [|k IH]; [rewrite Nat.add_0_r; lia|].
    rewrite Nat.add_succ_r. assert (W := pays_enough _ _ _ _ _ _ rule (n + k)). cbn [first work credits] in *. lia.
  Qed.
  Lemma has_when_runs t : runs pseudo t = true -> 0 < left t.
  Proof.
    intros H. apply (lends_ready _ _ _ _ _ _ rule) in H. rewrite (lends _ _ _ _ _ _ rule) in H. apply Nat.ltb_lt in H. exact H.
  Qed.

  (* 1. What all others see: credits, of which some may be dropped. *)
  Theorem takes_credits : backlog (fun t => first credits (released j (S t)) - first credits (released j t)) left pseudo.
  Proof.
    constructor.
    - rewrite (at_first_left _ _ _ _ _ _ rule), none_at_first. fold credits. destruct (awake 0); cbn [first]; lia.
    - intros t. rewrite (then_left _ _ _ _ _ _ rule). fold credits. assert (H := has_when_runs t).
      destruct (awake (S t)), (runs pseudo t); try specialize (H eq_refl); lia.
    - intros t H. rewrite (lends _ _ _ _ _ _ rule). apply Nat.ltb_lt. exact H.
    - exact has_when_runs.
  Qed.

  (* 2. As much credit as work, in whatever order the guest serves requests. *)
  Lemma lasts_as_long t : first j (released j (S t)) <= count (runs guest) t + left t.
  Proof.
    assert (A := is_awake _ _ _ _ _ _ rule). assert (R := is_pending _ _ _ _ _ _ rule).
    assert (asleep : forall u, awake u = false -> first j (released j (S u)) <= count (runs guest) u).
    { intros u E. specialize (A u). specialize (R u). destruct (ready guest u); [rewrite A in E by reflexivity; discriminate|].
      symmetry in R. apply Nat.ltb_ge in R. exact R. }
    induction t as [|t IH].
    - rewrite (at_first_left _ _ _ _ _ _ rule). destruct (awake 0) eqn:E; [|specialize (asleep 0 E); lia].
      fold credits. assert (C := covered_by_gifts 0 (released j 1)). cbn [first count Nat.add] in *. lia.
    - rewrite (then_left _ _ _ _ _ _ rule). destruct (awake (S t)) eqn:E; [|specialize (asleep (S t) E); lia].
      fold credits. assert (M := entered_mono (S t) (S (S t)) ltac:(lia)).
      assert (C := covered_by_gifts (released j (S t)) (released j (S (S t)) - released j (S t))).
      replace (released j (S t) + (released j (S (S t)) - released j (S t))) with (released j (S (S t))) in C by lia.
      assert (G := first_mono credits _ _ M).
      assert (H := has_when_runs t). rewrite count_S. assert (V := requests_first _ _ _ _ _ _ rule t).
      assert (P := R t). destruct (Nat.ltb_spec (count (runs guest) t) (first j (released j (S t)))) as [L|L].
      + destruct (runs pseudo t) eqn:F; [specialize (H eq_refl); rewrite V by (reflexivity || exact P)|]; lia.
      + destruct (runs pseudo t); [specialize (H eq_refl)|]; lia.
  Qed.

  Theorem none_without_credit t : ready pseudo t = false -> first j (released j (S t)) <= count (runs guest) t.
  Proof.
    rewrite (lends _ _ _ _ _ _ rule). intros H. apply Nat.ltb_ge in H. assert (L := lasts_as_long t). lia.
  Qed.
  Lemma pending_is_lent t : count (runs guest) t < first j (released j (S t)) -> ready pseudo t = true.
  Proof.
    intros H. rewrite (lends _ _ _ _ _ _ rule). apply Nat.ltb_lt. assert (L := lasts_as_long t). lia.
  Qed.

  (* 3. By when a request is handled. *)
  Variables g period jitter : nat.
  Hypothesis g_pos : 0 < g.
  Hypothesis P : 0 < period.
  Hypothesis at_most : forall i, gift i <= g.
  Hypothesis come_apart : forall i, arrival j i + period <= arrival j (S i).
  Hypothesis come_in_time : forall i, arrival j i <= release j i <= arrival j i + jitter.

  Lemma gifts_most n k : first credits (n + k) <= first credits n + k * g.
  Proof.
    induction k as [|k IH]; [rewrite Nat.add_0_r; lia|].
    rewrite Nat.add_succ_r. assert (W := at_most (n + k)). cbn [first work credits] in *. lia.
  Qed.
  Lemma gifts_between n m : n <= m -> first credits m - first credits n <= (m - n) * g.
  Proof. intros H. assert (G := gifts_most n (m - n)). replace (n + (m - n)) with m in G by lia.
    revert G. generalize ((m - n) * g). intros. lia. Qed.
  Lemma works_between n m : n <= m -> first j m <= first j n + (m - n) * g.
  Proof.
    intros H. assert (C := covered_by_gifts n (m - n)). assert (G := gifts_most n (m - n)).
    replace (n + (m - n)) with m in * by lia. revert G. generalize ((m - n) * g). intros. lia.
  Qed.

  (* From an instant on before which it was not ready. *)
  Lemma empty_before t : ready pseudo t = false -> left t = 0 /\ runs pseudo t = false.
  Proof.
    intros F. assert (L := lends _ _ _ _ _ _ rule t). rewrite F in L. symmetry in L. apply Nat.ltb_ge in L.
    split; [lia|]. destruct (runs pseudo t) eqn:E; [|reflexivity]. apply has_when_runs in E. lia.
  Qed.
  Lemma done_before s : begins (ready pseudo) s -> first j (released j s) <= count (runs guest) s.
  Proof.
    destruct s as [|t]; intros B; [rewrite none_at_first; simpl; lia|].
    assert (D := none_without_credit t B). rewrite count_S. lia.
  Qed.

  (* No more is used than was given since. *)
  Lemma given s y : begins (ready pseudo) s -> count (runs pseudo) (s + y) + left (s + y)
    <= count (runs pseudo) s + (released j (S (s + y)) - released j s) * g.
  Proof.
    intros B. induction y as [|y IH].
    - rewrite Nat.add_0_r. assert (M := entered_mono s (S s) ltac:(lia)). assert (G := gifts_between _ _ M).
      revert G. generalize ((released j (S s) - released j s) * g). intros p G. destruct s as [|t].
      + rewrite (at_first_left _ _ _ _ _ _ rule). fold credits. rewrite none_at_first in G. cbn [first] in G.
        destruct (awake 0); cbn [count]; lia.
      + destruct (empty_before t B) as [Z F]. rewrite (then_left _ _ _ _ _ _ rule), Z, F. fold credits.
        destruct (awake (S t)); lia.
    - rewrite Nat.add_succ_r, count_S, (then_left _ _ _ _ _ _ rule). fold credits.
      assert (H := has_when_runs (s + y)).
      assert (M1 := entered_mono s (S (s + y)) ltac:(lia)). assert (M := entered_mono (S (s + y)) (S (S (s + y))) ltac:(lia)).
      assert (G := gifts_between _ _ M).
      assert (E : (released j (S (S (s + y))) - released j s) * g = (released j (S (s + y)) - released j s) * g
        + (released j (S (S (s + y))) - released j (S (s + y))) * g) by (rewrite <- Nat.mul_add_distr_r; f_equal; lia).
      revert IH G E. generalize ((released j (S (S (s + y))) - released j s) * g), ((released j (S (s + y)) - released j s) * g),
        ((released j (S (S (s + y))) - released j (S (s + y))) * g). intros p q r IH G E.
      destruct (awake (S (s + y))), (runs pseudo (s + y)); try specialize (H eq_refl); lia.
  Qed.

  Section Window.
    Variable s : nat.
    Hypothesis starts : begins (ready pseudo) s.

    (* Of the first requests: they are handled, or as much is left of their credits as of their work. *)
    Variable i : nat.
    Hypothesis after : released j s <= i.
    Let upto (y : nat) := Nat.min (released j (S (s + y))) (S i).

    Lemma as_much y : first j (upto y) <= count (runs guest) (s + y)
      \/ first j (upto y) + count (runs pseudo) (s + y)
        <= count (runs guest) (s + y) + count (runs pseudo) s + (upto y - released j s) * g.
    Proof.
      induction y as [|y IH].
      - right. rewrite !Nat.add_0_r. assert (M := entered_mono s (S s) ltac:(lia)).
        assert (N : released j s <= upto 0) by (unfold upto; rewrite Nat.add_0_r; lia).
        assert (W := works_between _ _ N). assert (D := done_before s starts). revert W. generalize ((upto 0 - released j s) * g). intros. lia.
      - assert (M := entered_mono s (S (s + y)) ltac:(lia)). assert (M' := entered_mono (S (s + y)) (S (S (s + y))) ltac:(lia)).
        assert (N : released j s <= upto y) by (unfold upto; lia).
        assert (N' : upto y <= upto (S y)) by (unfold upto; rewrite Nat.add_succ_r; lia).
        assert (W := works_between _ _ N'). assert (F := has_when_runs (s + y)). assert (U := given s y starts).
        assert (E : (upto (S y) - released j s) * g = (upto y - released j s) * g + (upto (S y) - upto y) * g)
          by (rewrite <- Nat.mul_add_distr_r; f_equal; lia).
        rewrite Nat.add_succ_r, !count_S. destruct (Nat.le_gt_cases (first j (upto y)) (count (runs guest) (s + y))) as [D|D].
        + destruct (Nat.eq_dec (upto (S y)) (upto y)) as [Q|Q].
          * left. rewrite Q. lia.
          * right. assert (all : upto y = released j (S (s + y))) by (unfold upto in *; rewrite Nat.add_succ_r in *; lia).
            rewrite <- all in U. destruct (runs pseudo (s + y)); [specialize (F eq_refl)|]; lia.
        + destruct IH as [IH|IH]; [lia|right].
          assert (G := first_mono j (upto y) (released j (S (s + y))) ltac:(unfold upto; lia)).
          assert (V := requests_first _ _ _ _ _ _ rule (s + y)). rewrite (is_pending _ _ _ _ _ _ rule) in V.
          destruct (runs pseudo (s + y)); [rewrite V by (reflexivity || apply Nat.ltb_lt; lia)|]; lia.
    Qed.

    Theorem used_while_pending y : count (runs guest) (s + y) < first j (S i) ->
      count (runs pseudo) (s + y) < count (runs pseudo) s + (S i - released j s) * g.
    Proof.
      intros H. destruct (Nat.le_gt_cases (released j (S (s + y))) i) as [L|L].
      - assert (U := given s y starts). assert (K : (released j (S (s + y)) - released j s) * g + g <= (S i - released j s) * g).
        { assert (M := entered_mono s (S (s + y)) ltac:(lia)).
          assert (E := Nat.mul_le_mono_r (released j (S (s + y)) - released j s + 1) (S i - released j s) g ltac:(lia)).
          rewrite Nat.mul_add_distr_r, Nat.mul_1_l in E. exact E. }
        revert U K. generalize ((released j (S (s + y)) - released j s) * g), ((S i - released j s) * g). intros. lia.
      - assert (A := as_much y). unfold upto in A. replace (Nat.min (released j (S (s + y))) (S i)) with (S i) in A by lia.
        revert A. generalize ((S i - released j s) * g). intros. lia.
    Qed.
  End Window.

  (* As a task of the length g at the urgency of the pseudo-VCPU: BusyWindow.v. *)
  Variables supplied wanted urgent_ready urgent other : nat -> bool.
  Variable blocking : nat.
  Let level_ready t := urgent_ready t || ready pseudo t.
  Hypothesis shares : level supplied wanted urgent_ready urgent (ready pseudo) (runs pseudo) other blocking.
  Variable demand : nat -> nat.
  Hypothesis demand_parts : forall x y, demand (x + y) <= demand x + demand y.
  Hypothesis bounded : forall t x, begins level_ready t -> throughout level_ready t x ->
    count urgent (t + x) <= count urgent t + demand x.
  Variables L R : nat.
  Hypothesis L_pos : 0 < L.
  Hypothesis fits : receives supplied wanted (ceil L period * g + demand L) L.
  Hypothesis points : forall A, A < L -> exists F,
    receives supplied wanted (ceil (A + 1) period * g + blocking + demand F) F /\ F + jitter <= A + R.

  Lemma arrive_apart i k : arrival j i + k * period <= arrival j (i + k).
  Proof.
    induction k as [|k IH]; [rewrite !Nat.add_0_r; lia|]. rewrite Nat.add_succ_r. assert (A := come_apart (i + k)). simpl. lia.
  Qed.
  Lemma ceil_both n m : ceil (n + m) period <= ceil n period + ceil m period.
  Proof.
    apply ceil_least; [exact P|]. assert (A := ceil_covers n period P). assert (B := ceil_covers m period P). nia.
  Qed.
  Lemma demands k x y : demand (k * x + y) <= k * demand x + demand y.
  Proof.
    induction k as [|k IH]; [simpl; lia|]. simpl. assert (D := demand_parts x (k * x + y)). rewrite Nat.add_assoc in D. lia.
  Qed.
  Lemma owns k x y : ceil (k * x + y) period <= k * ceil x period + ceil y period.
  Proof.
    induction k as [|k IH]; [simpl; lia|]. simpl. assert (D := ceil_both x (k * x + y)). rewrite Nat.add_assoc in D. lia.
  Qed.

  Theorem handled_within i : first j (S i) <= count (runs guest) (arrival j i + R).
  Proof.
    set (a := arrival j i). assert (I := come_in_time i). fold a in I.
    destruct (window_of level_ready (release j i)) as [s [Ls [B W]]].
    assert (Bp : begins (ready pseudo) s).
    { destruct s; [constructor|]. simpl in *. unfold level_ready in B. apply orb_false_iff in B. tauto. }
    set (A := a + jitter - s). set (k := A / L). set (A' := A mod L).
    assert (E : A = k * L + A') by (unfold k, A'; assert (H := Nat.div_mod A L ltac:(lia)); lia).
    assert (A'L : A' < L) by (apply Nat.mod_upper_bound; lia).
    destruct (points A' A'L) as [F [RF LF]].
    set (x := k * L + F). assert (Ex : s + x <= a + R) by (unfold x, A in *; lia).
    destruct (Nat.le_gt_cases (first j (S i)) (count (runs guest) (s + x))) as [C|C].
    { assert (M := count_mono (runs guest) (s + x) (a + R) Ex). lia. }
    exfalso. assert (D0 := done_before s Bp). assert (Mx := count_mono (runs guest) s (s + x) ltac:(lia)).
    destruct (Nat.le_gt_cases (released j s) i) as [G|G];
      [|assert (M := first_mono j (S i) (released j s) ltac:(lia)); lia].
    assert (own : (S i - released j s) <= ceil (A + 1) period).
    { assert (AP := arrive_apart (released j s) (i - released j s)).
      replace (released j s + (i - released j s)) with i in AP by lia. fold a in AP.
      assert (NB : ~ release j (released j s) < s) by (rewrite <- (entered_in_order _ _ _ _ _ _ rule); lia).
      assert (IT := come_in_time (released j s)).
      assert (K := ceil_above (A + 1) period (i - released j s) P ltac:(unfold A; lia)). lia. }
    assert (busy : throughout level_ready s x).
    { intros u U. destruct (Nat.lt_ge_cases u (release j i)); [apply W; lia|].
      unfold level_ready. apply orb_true_iff. right. apply pending_is_lent.
      assert (M := count_mono (runs guest) u (s + x) ltac:(lia)).
      assert (RL : i < released j (S u)) by (apply (entered_in_order _ _ _ _ _ _ rule); lia).
      assert (FM := first_mono j (S i) (released j (S u)) ltac:(lia)). lia. }
    assert (RX := receives_then _ _ _ _ _ _ (receives_again _ _ _ _ k fits) RF).
    fold x in RX. specialize (RX s (fun u U => wants _ _ _ _ _ _ _ _ shares u (busy u U))).
    assert (O := blocked _ _ _ _ _ _ _ _ shares s x busy). assert (D := bounded s x B busy).
    assert (T := count_three supplied urgent (runs pseudo) other s x (fun u U H => conserves _ _ _ _ _ _ _ _ shares u H (busy u U))).
    assert (DT := demands k L F). fold x in DT.
    assert (OT := owns k L (A' + 1)). replace (k * L + (A' + 1)) with (A + 1) in OT by lia.
    assert (used := used_while_pending s Bp i G x C).
    assert (K1 : (S i - released j s) * g <= (k * ceil L period + ceil (A' + 1) period) * g) by (apply Nat.mul_le_mono_r; lia).
    rewrite Nat.mul_add_distr_r in K1. rewrite Nat.mul_add_distr_l in RX. rewrite (Nat.mul_assoc k) in RX. lia.
  Qed.
End Of.
