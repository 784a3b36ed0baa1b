(* Page: docs/theory/edf-response.md.
   What it says: under EDF, on any supply, a job of a task (C, T, J) with the deadline D after its arrival is complete
     R after its arrival, if for some length L and every A below L there is a window F with F + J <= A + R that receives
       ceil((A + 1) / T) C + more(F) + rivals(F, A + D)
     and the work of L fits into L.
   Assumptions: those of the page. 1. Rivals and what is more urgent than all deadlines are bounded in windows that
     begin when none of it that is due is ready. 2. The deadline of a job counts from its arrival. 3. Nobody is blocked.
   Beyond the page: L is a length into which the work of L fits, as in BusyWindow.v. Deadlines in the window are those
     up to A + D - J after its begin; A counts from the arrival, J later. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads BusyWindow Deadlines.

Section Of.
  Variables supplied wanted urgent_ready urgent : nat -> bool.
  Variable rivals : list dated.
  Variable own : dated.
  Hypothesis edf : earliest_first supplied wanted urgent_ready urgent (own :: rivals).

  Variables cost period jitter relative : nat.
  Variable j : jobs.
  Hypothesis P : 0 < period.
  Hypothesis rule : dated_stream cost period jitter relative j own.
  Let S0 := is_stream _ _ _ _ _ _ rule.

  (* What is more urgent takes, and what the rivals take with deadlines up to y - J after its begin. *)
  Variable more : nat -> nat.
  Variable others : nat -> nat -> nat.
  Hypothesis more_bounds : forall t x, begins urgent_ready t -> count urgent (t + x) <= count urgent t + more x.
  Hypothesis others_bound : forall D t x, begins (any (due D) rivals) t ->
    count (any (uses D) rivals) (t + x) <= count (any (uses D) rivals) t + others x (D + jitter - t).
  (* Windows go on at L as if anew. *)
  Variables L R : nat.
  Variable whole : nat.
  Hypothesis more_parts : forall k x, more (k * L + x) <= k * more L + more x.
  Hypothesis others_parts : forall k x y, others (k * L + x) (k * L + y) <= k * whole + others x y.
  Hypothesis L_pos : 0 < L.
  Hypothesis fits : receives supplied wanted (ceil L period * cost + more L + whole) L.
  Hypothesis points : forall A, A < L -> exists F,
    receives supplied wanted (ceil (A + 1) period * cost + more F + others F (A + relative)) F /\ F + jitter <= A + R.

  Theorem edf_response_time i : first j (S i) <= count (runs (does own)) (arrival j i + R).
  Proof.
    set (a := arrival j i). set (D := a + relative). assert (I := in_time _ _ _ _ _ S0 i). fold a in I.
    assert (counts : forall k, k < S i <-> arrival j k + relative <= D).
    { intros k. unfold D, a. split; intros H.
      - assert (A := arrivals_apart _ _ _ _ _ P S0 k (i - k)). replace (k + (i - k)) with i in A by lia. set ((i - k) * period) in A. lia.
      - destruct (Nat.lt_ge_cases k (S i)) as [|G]; [assumption|exfalso].
        assert (A := arrivals_apart _ _ _ _ _ P S0 i (k - i)). replace (i + (k - i)) with k in A by lia.
        assert (0 < (k - i) * period) by (apply Nat.mul_pos_pos; lia). lia. }
    (* 1. The window of what is due by its deadline, in which the job is released. *)
    destruct (window_of (due_level urgent_ready (own :: rivals) D) (release j i)) as [s [Ls [B W]]].
    assert (B0 : begins urgent_ready s /\ begins (due D own) s /\ begins (any (due D) rivals) s).
    { destruct s; simpl in *; [tauto|]. unfold due_level, any in B. simpl in B. rewrite !orb_false_iff in B. tauto. }
    destruct B0 as [Bu [Bo Br]].
    (* 2. How far into it the job may have arrived. *)
    set (A := a + jitter - s). set (k := A / L). set (A' := A mod L).
    assert (E : A = k * L + A') by (unfold k, A'; assert (H := Nat.div_mod A L ltac:(lia)); lia).
    assert (A'L : A' < L) by (apply Nat.mod_upper_bound; lia).
    destruct (points A' A'L) as [F [RF LF]].
    set (x := k * L + F). assert (Ex : s + x <= a + R) by (unfold x, A in *; lia).
    destruct (Nat.le_gt_cases (first j (S i)) (count (runs (does own)) (s + x))) as [C|C].
    { assert (M := count_mono (runs (does own)) (s + x) (a + R) Ex). lia. }
    exfalso.
    (* 3. What of its task is due by then, and released since the window began. *)
    assert (U1 := used_before _ _ _ _ _ _ P rule D (S i) counts s Bo).
    assert (U2 := used_is _ _ _ _ _ _ P rule D (S i) counts (s + x)).
    assert (U3 := used_is _ _ _ _ _ _ P rule D (S i) counts s).
    assert (Ms := count_mono (runs (does own)) s (s + x) ltac:(lia)).
    assert (mine : first j (S i) <= count (uses D own) s + ceil (A + 1) period * cost).
    { destruct (Nat.le_gt_cases (released j s) i) as [G|G].
      - rewrite Nat.min_l in U1 by lia.
        assert (H := first_most _ _ _ _ _ P S0 (released j s) (S i - released j s)).
        replace (released j s + (S i - released j s)) with (S i) in H by lia.
        assert (AP := arrivals_apart _ _ _ _ _ P S0 (released j s) (i - released j s)).
        replace (released j s + (i - released j s)) with i in AP by lia. fold a in AP.
        assert (NB : ~ release j (released j s) < s) by (rewrite <- (in_order _ _ _ _ _ S0); lia).
        assert (IT := in_time _ _ _ _ _ S0 (released j s)).
        assert (K := ceil_above (A + 1) period (i - released j s) P ltac:(unfold A; lia)).
        assert (K2 := Nat.mul_le_mono_r _ _ cost K). replace (S i - released j s) with (S (i - released j s)) in H by lia. lia.
      - rewrite Nat.min_r in U1 by lia. set (ceil (A + 1) period * cost). lia. }
    (* 4. Were it not complete, the window would go on, and have received more than there is. *)
    assert (busy : throughout (due_level urgent_ready (own :: rivals) D) s x).
    { intros u U. destruct (Nat.lt_ge_cases u (release j i)); [apply W; lia|].
      unfold due_level, any. simpl. rewrite (due_is _ _ _ _ _ _ P rule D (S i) counts u).
      assert (RL : i < released j (S u)) by (apply (in_order _ _ _ _ _ S0); lia). rewrite Nat.min_r by lia.
      assert (M := count_mono (runs (does own)) u (s + x) ltac:(lia)).
      assert (Z : (count (runs (does own)) u <? first j (S i)) = true) by (apply Nat.ltb_lt; lia).
      rewrite Z. apply orb_true_iff. right. reflexivity. }
    assert (RX := receives_then _ _ _ _ _ _ (receives_again _ _ _ _ k fits) RF).
    fold x in RX. specialize (RX s (fun u U => due_wants _ _ _ _ _ edf D u (busy u U))).
    assert (T := count_three supplied urgent (uses D own) (any (uses D) rivals) s x).
    assert (T' : forall v, s <= v < s + x -> supplied v = true -> urgent v || uses D own v || any (uses D) rivals v = true).
    { intros v V I'. assert (Y := due_use _ _ _ _ _ edf D v I' (busy v V)). unfold any in *. simpl in Y.
      rewrite <- orb_assoc. exact Y. }
    specialize (T T'). assert (M1 := more_bounds s x Bu). assert (M2 := others_bound D s x Br).
    replace (D + jitter - s) with (k * L + (A' + relative)) in M2 by (unfold D, A in *; lia).
    assert (MP := more_parts k F). assert (OP := others_parts k F (A' + relative)). fold x in MP, OP.
    assert (OT := own_times period P L L_pos k L (A' + 1)). replace (k * L + (A' + 1)) with (A + 1) in OT by lia.
    assert (OC := Nat.mul_le_mono_r _ _ cost OT). rewrite Nat.mul_add_distr_r, <- Nat.mul_assoc in OC.
    rewrite !Nat.mul_add_distr_l in RX. lia.
  Qed.
End Of.
