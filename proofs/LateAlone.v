(* Page: docs/theory/several-reservations.md, of one task; and constant-bandwidth.md there.
   What it says: a task (C, T', J) that is alone in a SCHED_DEADLINE server (Q, T) which is never ready later than L after its
     deadline is complete R after its arrival, if for each m there is some k with
       (m + 1) C + charged(k T + L + B) <= k Q,   k T + L + J <= R + m T'
     where charged(x) bounds the routines that are charged to it in x, and B those that are one after the other.
   Assumptions: 1. The rule of the server in docs/model.md (D1 to D5, I4, I5), with D = T. 2. L + B <= T.
   The proof is about the last instant e at which the server started afresh: since then its deadline is e + k T, and its
     runtime k Q less what was used and charged. *)
Require Import Arith ZArith Lia Bool List.
From Coq Require Import ZifyNat.
From Vorrang Require Import Schedule Loads Deadlines Unthrottled LateRuntimes LateDeadlines.

Section Of.
  Variables Q T X B : nat.
  Variable q : nat -> Z.
  Variable d : nat -> nat.
  Variables throttled found charged : nat -> bool.
  Variable b task : behaviour.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis Q_le : Q <= T.
  Hypothesis K_less : X + B < Q.
  Hypothesis R : late_runtime Q T X B q d throttled found (ready task) charged b.
  Hypothesis first_charge : charged 0 = true -> ready b 0 = true.

  Variables cost period jitter : nat.
  Variable j : jobs.
  Hypothesis P : 0 < period.
  Hypothesis rule : stream cost period jitter j task.
  Hypothesis it_runs : forall t, runs task t = runs b t.

  Variable L : nat.
  Hypothesis late : forall t, ready b t = true -> t < d t + L.
  Hypothesis in_time : L + B <= T.

  Let grows := deadline_grows Q T X B q d throttled found (ready task) charged b Q_pos Q_le K_less R.

  Definition spent (t : nat) : nat := count (runs b) t + count charged t.
  Lemma spent_S t : spent (S t) = spent t + spends b charged t.
  Proof. unfold spent, spends. rewrite !count_S. lia. Qed.
  Lemma spent_mono t u : t <= u -> spent t <= spent u.
  Proof. intros H. unfold spent. assert (A := count_mono (runs b) t u H). assert (C := count_mono charged t u H). lia. Qed.
  Lemma served t : count (runs task) t = count (runs b) t.
  Proof. apply count_ext, it_runs. Qed.

  (* What is charged began when the server was ready. *)
  Lemma charged_since t : charged t = true -> exists v, v <= t /\ t <= v + B /\ ready b v = true.
  Proof.
    intros H. assert (G : exists s, s <= t /\ throughout charged s (S t - s) /\ exists v, v <= s <= S v /\ ready b v = true).
    { revert H. induction t as [|t IH]; intros H.
      - exists 0. split; [lia|]. split; [intros u U; replace u with 0 by lia; exact H|]. exists 0. split; [lia|exact (first_charge H)].
      - assert (N := is_charged _ _ _ _ _ _ _ _ _ _ _ R t H).
        assert (One : throughout charged (S t) (S (S t) - S t)) by (intros u U; replace u with (S t) by lia; exact H).
        destruct N as [N|[N|N]].
        + destruct (IH N) as [s [S1 [S2 S3]]]. exists s. split; [lia|]. split; [|exact S3].
          intros u U. destruct (Nat.eq_dec u (S t)) as [->|]; [exact H|apply S2; lia].
        + exists (S t). split; [lia|]. split; [exact One|]. exists (S t). split; [lia|exact N].
        + exists (S t). split; [lia|]. split; [exact One|]. exists t. split; [lia|].
          exact (LateRuntimes.only_when_ready _ _ _ _ _ _ _ _ _ _ _ R t N). }
    destruct G as [s [S1 [S2 [v [V Y]]]]]. assert (Bl := block _ _ _ _ _ _ _ _ _ _ _ R s (S t - s) S2).
    exists v. split; [lia|]. split; [lia|exact Y].
  Qed.

  (* No overrun is forgotten, for a runtime comes back by the next deadline. *)
  Lemma returns_by t : throttled t || found t = true -> d t <= S t -> S t <= d t + (L + B).
  Proof.
    intros E Ld. destruct (throttled t) eqn:Th.
    { assert (W := proj2 (waits Q T X B q d throttled found (ready task) charged b Q_pos Q_le K_less R t Th)). lia. }
    simpl in E. destruct (ready b t) eqn:Y; [assert (A := late t Y); lia|].
    assert (U := only_used_up _ _ _ _ _ _ _ _ _ _ _ R t E).
    assert (W : ready task t = false).
    { rewrite (LateRuntimes.when_ready _ _ _ _ _ _ _ _ _ _ _ R), Th in Y. rewrite andb_true_r in Y. exact Y. }
    assert (A := asleep Q T X B q d throttled found (ready task) charged b Q_pos Q_le K_less R t W Th).
    assert (N : runs b t = false).
    { destruct (runs b t) eqn:N; [apply (LateRuntimes.only_when_ready _ _ _ _ _ _ _ _ _ _ _ R) in N; congruence|reflexivity]. }
    unfold spends in U. rewrite N in U. destruct (charged t) eqn:C; [|lia].
    destruct (charged_since t C) as [v [V1 [V2 V3]]]. assert (G := grows v t V1). assert (H := late v V3). lia.
  Qed.

  (* Since it started afresh at e: k budgets, each of which but the last was used up in time. *)
  Definition since_afresh (t e k : nat) : Prop :=
    e <= t /\ begins (ready task) e /\ 0 < k /\ d t = e + k * T
    /\ (q t + Z.of_nat (spent t) = Z.of_nat (k * Q + spent e))%Z
    /\ forall i, 0 < i < k -> exists v, e <= v <= t /\ v <= e + i * T + L + B /\ i * Q + spent e <= spent v.

  Lemma chain t : d t = 0 /\ q t = Z.of_nat Q /\ ready task t = false /\ charged t = false /\ throttled t = false
    \/ exists e k, since_afresh t e k.
  Proof.
    assert (fresh : forall u, begins (ready task) u -> q u = Z.of_nat Q -> d u = u + T -> since_afresh u u 1).
    { intros u A1 A2 A3. unfold since_afresh. repeat split; try assumption; lia. }
    induction t as [|t IH].
    - destruct (LateRuntimes.at_first _ _ _ _ _ _ _ _ _ _ _ R) as [A [C D]]. destruct (ready task 0) eqn:E.
      + right. exists 0, 1. apply fresh; [exact I|exact C|lia].
      + left. repeat split; try assumption. apply not_true_is_false. intros N. apply first_charge in N.
        rewrite (LateRuntimes.when_ready _ _ _ _ _ _ _ _ _ _ _ R), E in N. discriminate.
    - destruct (LateRuntimes.at_next _ _ _ _ _ _ _ _ _ _ _ R t) as [q' [d' [A C]]]. cbv zeta in A.
      destruct IH as [[I1 [I2 [I3 [I4 I5]]]]|[e [k [K1 [K2 [K3 [K4 [K5 K6]]]]]]]].
      + assert (N : runs b t = false).
        { destruct (runs b t) eqn:N; [apply (LateRuntimes.only_when_ready _ _ _ _ _ _ _ _ _ _ _ R) in N|reflexivity].
          rewrite (LateRuntimes.when_ready _ _ _ _ _ _ _ _ _ _ _ R), I3 in N. discriminate. }
        assert (Sp : spends b charged t = 0) by (unfold spends; rewrite N, I4; reflexivity).
        destruct (found t) eqn:F; [assert (U := only_used_up _ _ _ _ _ _ _ _ _ _ _ R t F); lia|].
        rewrite I5 in A. simpl in A. destruct A as [A1 [A2 A3]]. rewrite A1, I3 in C. simpl in C.
        destruct (ready task (S t)) eqn:W.
        * right. exists (S t), 1. destruct C as [[_ [C1 C2]]|[O _]]; [|exfalso; apply O; left; lia].
          apply fresh; [exact I3|exact C1|exact C2].
        * left. destruct C as [-> ->]. repeat split; try lia; try assumption.
          destruct (charged (S t)) eqn:Ch; [|reflexivity]. apply (is_charged _ _ _ _ _ _ _ _ _ _ _ R) in Ch.
          rewrite (LateRuntimes.when_ready _ _ _ _ _ _ _ _ _ _ _ R), W in Ch. destruct Ch as [Ch|[Ch|Ch]]; [congruence|discriminate|congruence].
      + right. assert (Sp := spent_S t).
        (* Before the guest gets work. *)
        assert (V : exists k', 0 < k' /\ d' = e + k' * T
          /\ (q' + Z.of_nat (spent (S t)) = Z.of_nat (k' * Q + spent e))%Z
          /\ forall i, 0 < i < k' -> exists v, e <= v <= S t /\ v <= e + i * T + L + B /\ i * Q + spent e <= spent v).
        { assert (K6' : forall i, 0 < i < k -> exists v, e <= v <= S t /\ v <= e + i * T + L + B /\ i * Q + spent e <= spent v).
          { intros i Hi. destruct (K6 i Hi) as [v V]. exists v. lia. }
          destruct (throttled t || found t) eqn:E.
          - destruct (Nat.leb_spec (d t) (S t)) as [Ld|Ld].
            + destruct A as [_ A]. assert (By := returns_by t E Ld).
              destruct (back_is Q T X B q d throttled found (ready task) charged b Q_pos Q_le K_less R t q' d' E A) as [[N _]|[_ [Bq Bd]]]; [lia|].
              assert (U : (q t - Z.of_nat (spends b charged t) <= 0)%Z).
              { destruct (found t) eqn:F; [exact (only_used_up _ _ _ _ _ _ _ _ _ _ _ R t F)|]. rewrite orb_false_r in E.
                assert (W := waits Q T X B q d throttled found (ready task) charged b Q_pos Q_le K_less R t E). lia. }
              exists (k + 1). split; [lia|]. split; [lia|]. split; [lia|].
              intros i Hi. destruct (Nat.eq_dec i k) as [->|]; [|apply K6'; lia]. exists (S t). lia.
            + destruct A as [_ [-> ->]]. exists k. split; [exact K3|]. split; [lia|]. split; [lia|exact K6'].
          - destruct A as [_ [-> ->]]. exists k. split; [exact K3|]. split; [lia|]. split; [lia|exact K6']. }
        destruct V as [k' [V1 [V2 [V3 V4]]]].
        assert (Kept : q (S t) = q' -> d (S t) = d' -> exists e k, since_afresh (S t) e k).
        { intros E1 E2. exists e, k'. unfold since_afresh. rewrite E1, E2. repeat split; try assumption; lia. }
        destruct (negb (throttled (S t)) && negb (ready task t) && ready task (S t)) eqn:Wk.
        * destruct C as [[_ [C1 C2]]|[_ [C1 C2]]]; [|exact (Kept C1 C2)].
          exists (S t), 1. apply fresh; [|exact C1|exact C2]. simpl. destruct (ready task t); [|reflexivity].
          rewrite andb_false_r in Wk. discriminate.
        * destruct C as [C1 C2]. exact (Kept C1 C2).
  Qed.

  (* What is charged in windows that begin anywhere. *)
  Variable taken : nat -> nat.
  Hypothesis taken_mono : forall x y, x <= y -> taken x <= taken y.
  Hypothesis charges_most : forall t x, count charged (t + x) <= count charged t + taken x.
  Variable bound : nat.
  Hypothesis plan : forall m, exists k,
    (m + 1) * cost + taken (k * T + L + B) <= k * Q /\ k * T + L + jitter <= bound + m * period.

  Theorem late_alone i : first j (S i) <= count (runs b) (arrival j i + bound).
  Proof.
    set (u := arrival j i + bound). destruct (Nat.le_gt_cases (first j (S i)) (count (runs b) u)) as [|N]; [assumption|exfalso].
    assert (It := Loads.in_time _ _ _ _ _ rule i).
    assert (Lr : release j i <= u) by (destruct (plan 0) as [k [_ K]]; unfold u; lia).
    (* 1. The guest is awake from the release on. *)
    assert (awake : forall v, release j i <= v <= u -> ready task v = true).
    { intros v V. rewrite (is_ready _ _ _ _ _ rule). apply Nat.ltb_lt. rewrite served.
      assert (M := count_mono (runs b) v u ltac:(lia)).
      assert (Lv : i < released j (S v)) by (apply (in_order _ _ _ _ _ rule); lia).
      assert (F := first_mono j (S i) (released j (S v)) ltac:(lia)). lia. }
    destruct (chain u) as [[_ [_ [H _]]]|[e [k [K1 [K2 [K3 [K4 [_ K6]]]]]]]]; [rewrite awake in H by lia; discriminate|].
    (* 2. So it started afresh no later, with nothing to do from before. *)
    assert (Le : e <= release j i).
    { destruct (Nat.le_gt_cases e (release j i)) as [|G]; [assumption|]. destruct e as [|e]; [lia|]. simpl in K2.
      rewrite awake in K2 by lia. discriminate. }
    assert (Nl := nothing_left _ _ _ _ _ P rule e K2). rewrite served in Nl.
    assert (Ln : released j e <= i).
    { destruct (Nat.le_gt_cases (released j e) i) as [|G]; [assumption|]. apply (in_order _ _ _ _ _ rule) in G. lia. }
    set (m := i - released j e). destruct (plan m) as [k' [P1 P2]].
    assert (Fm := first_most _ _ _ _ _ P rule (released j e) (m + 1)). replace (released j e + (m + 1)) with (S i) in Fm by (unfold m; lia).
    (* 3. It has no more budgets than that. *)
    assert (Kle : k <= k').
    { destruct (Nat.le_gt_cases k k') as [|G]; [assumption|exfalso].
      assert (Pos : 0 < k').
      { destruct k' as [|k']; [|lia]. assert (M := count_mono (runs b) e u ltac:(lia)). rewrite Nat.mul_0_l in P1. set ((m + 1) * cost) in *. lia. }
      destruct (K6 k' ltac:(lia)) as [v [V1 [V2 V3]]].
      assert (M := count_mono (runs b) v u ltac:(lia)). assert (Cm := charges_most e (v - e)). replace (e + (v - e)) with v in Cm by lia.
      assert (Tm := taken_mono (v - e) (k' * T + L + B) ltac:(lia)). unfold spent in V3. set ((m + 1) * cost) in *. lia. }
    (* 4. And is at work no later than its deadline allows. *)
    assert (Soon : u < d u + L).
    { destruct (ready b u) eqn:Y; [exact (late u Y)|]. destruct (throttled u) eqn:Th.
      - assert (W := proj2 (waits Q T X B q d throttled found (ready task) charged b Q_pos Q_le K_less R u Th)). lia.
      - rewrite (LateRuntimes.when_ready _ _ _ _ _ _ _ _ _ _ _ R), Th, awake in Y by lia. discriminate. }
    assert (It' := Loads.in_time _ _ _ _ _ rule (released j e)).
    assert (Nb : ~ release j (released j e) < e) by (rewrite <- (in_order _ _ _ _ _ rule); lia).
    assert (Ap := arrivals_apart _ _ _ _ _ P rule (released j e) m). replace (released j e + m) with i in Ap by (unfold m; lia).
    assert (Km := Nat.mul_le_mono_r _ _ T Kle). unfold u in *. lia.
  Qed.
End Of.
