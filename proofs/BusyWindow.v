(* Page: docs/theory/busy-window.md.
   What it says: a job of a task (C, T, J, B) is complete R after its arrival, if for some length L and for every
     offset A below L there is a window F with
       ceil((A + 1) / T) C + B + demand(F) <= what F receives,   F + J <= A + R
     and the work of L, without B, fits into L.
   Assumptions: those of the page. 1. Everything more or as urgent is bounded in windows that begin when none of
     it is ready. 2. Jobs of the task run in the order of their arrival. 3. Less urgent work has the supply for
     at most B in a window in which something at least as urgent is ready throughout.
   Beyond the page: L is any length into which the work of L fits, for windows that go on at L begin there as if
     anew. That takes demand(x + y) <= demand(x) + demand(y), which holds for every row of loads.md. *)
Require Import Arith Lia Bool.
From Vorrang Require Import Schedule Loads Residual.

Section Of.
  Variables supplied wanted urgent_ready urgent other : nat -> bool.
  Variables cost period jitter blocking : nat.
  Variable j : jobs.
  Variable b : behaviour.
  Hypothesis P : 0 < period.
  Hypothesis rule : stream cost period jitter j b.
  Let level_ready t := urgent_ready t || ready b t.

  Hypothesis shares : level supplied wanted urgent_ready urgent (ready b) (runs b) other blocking.
  Variable demand : nat -> nat.
  Hypothesis demand_mono : forall x y, x <= y -> demand x <= demand y.
  Hypothesis demand_parts : forall x y, demand (x + y) <= demand x + demand y.
  Hypothesis bounded : forall t x, begins level_ready t -> throughout level_ready t x ->
    count urgent (t + x) <= count urgent t + demand x.

  Variables L R : nat.
  Hypothesis L_pos : 0 < L.
  Hypothesis fits : receives supplied wanted (ceil L period * cost + demand L) L.
  Hypothesis points : forall A, A < L -> exists F,
    receives supplied wanted (ceil (A + 1) period * cost + blocking + demand F) F /\ F + jitter <= A + R.

  Lemma ceil_parts n m : ceil (n + m) period <= ceil n period + ceil m period.
  Proof.
    apply ceil_least; [exact P|]. assert (A := ceil_covers n period P). assert (B := ceil_covers m period P). nia.
  Qed.
  Lemma demand_times k x y : demand (k * x + y) <= k * demand x + demand y.
  Proof.
    induction k as [|k IH]; [simpl; lia|].
    simpl. assert (D := demand_parts x (k * x + y)). rewrite Nat.add_assoc in D. lia.
  Qed.
  Lemma own_times k x y : ceil (k * x + y) period <= k * ceil x period + ceil y period.
  Proof.
    induction k as [|k IH]; [simpl; lia|].
    simpl. assert (D := ceil_parts x (k * x + y)). rewrite Nat.add_assoc in D. lia.
  Qed.

  Theorem response_time i : first j (S i) <= count (runs b) (arrival j i + R).
  Proof.
    set (a := arrival j i). assert (I := in_time _ _ _ _ _ rule i). fold a in I.
    (* 1. The window in which the job is released. *)
    destruct (window_of level_ready (release j i)) as [s [Ls [B W]]].
    assert (Bb : begins (ready b) s).
    { destruct s; [constructor|]. simpl in *. unfold level_ready in B. apply orb_false_iff in B. tauto. }
    assert (Q := nothing_left _ _ _ _ _ P rule s Bb).
    (* 2. How far into it the job may have arrived, and what is ahead of it then. *)
    set (A := a + jitter - s). set (k := A / L). set (A' := A mod L).
    assert (E : A = k * L + A') by (unfold k, A'; assert (H := Nat.div_mod A L ltac:(lia)); lia).
    assert (A'L : A' < L) by (apply Nat.mod_upper_bound; lia).
    destruct (points A' A'L) as [F [RF LF]].
    set (x := k * L + F). assert (Ex : s + x <= a + R) by (unfold x, A in *; lia).
    destruct (Nat.le_gt_cases (released j s) i) as [G|G].
    2: { assert (M := first_mono j (S i) (released j s) ltac:(lia)).
         assert (N := count_mono (runs b) s (a + R)). unfold A in *.
         assert (s <= a + R) by lia. specialize (N ltac:(lia)). lia. }
    assert (own : first j (S i) <= count (runs b) s + ceil (A + 1) period * cost).
    { rewrite Q. assert (H := first_most _ _ _ _ _ P rule (released j s) (S i - released j s)).
      replace (released j s + (S i - released j s)) with (S i) in H by lia.
      assert (AP := arrivals_apart _ _ _ _ _ P rule (released j s) (i - released j s)).
      replace (released j s + (i - released j s)) with i in AP by lia. fold a in AP.
      assert (NB : ~ release j (released j s) < s) by (rewrite <- (in_order _ _ _ _ _ rule); lia).
      assert (IT := in_time _ _ _ _ _ rule (released j s)).
      assert (K := ceil_above (A + 1) period (i - released j s) P ltac:(unfold A; lia)). nia. }
    (* 3. Were it not complete, the window would go on, and have received more than there is. *)
    destruct (Nat.le_gt_cases (first j (S i)) (count (runs b) (s + x))) as [C|C].
    { assert (M := count_mono (runs b) (s + x) (a + R) Ex). lia. }
    exfalso.
    assert (busy : throughout level_ready s x).
    { intros u U. destruct (Nat.lt_ge_cases u (release j i)); [apply W; lia|].
      unfold level_ready. apply orb_true_iff. right. rewrite (is_ready _ _ _ _ _ rule).
      apply Nat.ltb_lt. assert (M := count_mono (runs b) u (s + x) ltac:(lia)).
      assert (RL : i < released j (S u)) by (apply (in_order _ _ _ _ _ rule); lia).
      assert (FM := first_mono j (S i) (released j (S u)) ltac:(lia)). lia. }
    assert (RX := receives_then _ _ _ _ _ _ (receives_again _ _ _ _ k fits) RF).
    fold x in RX. specialize (RX s (fun u U => wants _ _ _ _ _ _ _ _ shares u (busy u U))).
    assert (O := blocked _ _ _ _ _ _ _ _ shares s x busy). assert (D := bounded s x B busy).
    assert (T := count_three supplied urgent (runs b) other s x (fun u U H => conserves _ _ _ _ _ _ _ _ shares u H (busy u U))).
    assert (DT := demand_times k L F). fold x in DT.
    assert (OT := own_times k L (A' + 1)). replace (k * L + (A' + 1)) with (A + 1) in OT by lia. nia.
  Qed.
End Of.
