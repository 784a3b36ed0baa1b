(* Page: docs/theory/constant-bandwidth.md, where no job finds a pair that was kept.
   What it says: a task (C, T', J) that is alone in a hard constant-bandwidth server (Q, T) finds it afresh at each
     release, and is complete by J + Y(C) after its arrival, with Y(w) = w + ceil(w / Q) (T - Q).
   Assumptions: 1. C T <= (T' - J) Q. 2. Y(C) < T' - J, or Y(C) = T' - J and C is a multiple of Q. 3. A guest that
     finds the server afresh receives w within Y(w), which is shown in Reservation.v. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Deadlines Bandwidth Reservation.

Section Alone.
  Variables Q T : nat.
  Variables c d : nat -> nat.
  Variable wanted : nat -> bool.
  Variable b : behaviour.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis Q_le : Q <= T.
  Hypothesis R : hard Q T c d wanted b.

  Variables cost period jitter : nat.
  Variable j : jobs.
  Variable task : behaviour.
  Hypothesis P : 0 < period.
  Hypothesis C_pos : 0 < cost.
  Hypothesis rule : stream cost period jitter j task.
  (* Nothing else is in the guest. *)
  Hypothesis it_wants : forall t, wanted t = ready task t.
  Hypothesis it_runs : forall t, runs task t = runs b t.

  Definition parts (w : nat) : nat := (w - 1) / Q + 1.
  Definition takes (w : nat) : nat := w + parts w * (T - Q).
  Definition afresh (e : nat) : Prop := c e = Q /\ d e = e + T.
  Hypothesis receives_afresh : forall e w, afresh e -> 0 < w -> throughout wanted e (takes w) ->
    count (runs b) e + w <= count (runs b) (e + takes w).

  Hypothesis slow : cost * T <= (period - jitter) * Q.
  Hypothesis apart : takes cost + jitter < period \/ takes cost + jitter = period /\ cost = parts cost * Q.

  Lemma parts_mono v w : v <= w -> parts v <= parts w.
  Proof. intros H. unfold parts. assert (D := Nat.div_le_mono (v - 1) (w - 1) Q ltac:(lia) ltac:(lia)). lia. Qed.
  Lemma takes_mono v w : v <= w -> takes v + (w - v) <= takes w.
  Proof.
    intros H. unfold takes. assert (M := Nat.mul_le_mono_r _ _ (T - Q) (parts_mono v w H)). lia.
  Qed.
  Lemma served u : count (runs task) u = count (runs b) u.
  Proof. apply count_ext, it_runs. Qed.

  (* Not before the release, and until it is complete. *)
  Lemma released_at i u : release j i <= u <-> i < released j (S u).
  Proof. rewrite (in_order _ _ _ _ _ rule). lia. Qed.
  Lemma wanted_is u : wanted u = (count (runs b) u <? first j (released j (S u))).
  Proof. rewrite it_wants, (is_ready _ _ _ _ _ rule), served. reflexivity. Qed.
  Lemma nothing_more u : count (runs b) u <= first j (released j u).
  Proof. rewrite <- served. exact (nothing_ahead _ _ _ _ _ P rule u). Qed.

  Lemma done_by i : 0 < work j i -> afresh (release j i) -> count (runs b) (release j i) = first j i ->
    first j (S i) <= count (runs b) (release j i + takes (work j i)).
  Proof.
    intros W A E. destruct (Nat.le_gt_cases (first j (S i)) (count (runs b) (release j i + takes (work j i)))) as [|G]; [assumption|].
    simpl in *. rewrite <- E in G |- *. apply receives_afresh; [exact A|exact W|].
    intros u U. rewrite wanted_is. apply Nat.ltb_lt.
    assert (M := count_mono (runs b) u (release j i + takes (work j i)) ltac:(lia)).
    assert (L : i < released j (S u)) by (apply released_at; lia).
    assert (F := first_mono j (S i) (released j (S u)) ltac:(lia)). simpl in F. lia.
  Qed.

  (* Without the guest falling asleep and waking up the virtual time is what was used. *)
  Lemma time_is e x : (forall t, e <= t < e + x -> wanted t = false -> wanted (S t) = false) ->
    d (e + x) * Q + c e * T + count (runs b) e * T = d e * Q + c (e + x) * T + count (runs b) (e + x) * T.
  Proof.
    induction x as [|x IH]; intros N; [rewrite Nat.add_0_r; lia|].
    specialize (IH (fun t L => N t ltac:(lia))). rewrite Nat.add_succ_r, count_S.
    destruct (step Q T c d wanted b Q_pos Q_le R (e + x)) as [C' D' _ _|C' D' C2 D2 _|W W' _ _ _ _ _].
    - rewrite D'. rewrite <- C' in IH. destruct (runs b (e + x)); nia.
    - rewrite C2, D2. rewrite <- C' in IH. destruct (runs b (e + x)); nia.
    - rewrite (N (e + x) ltac:(lia) W) in W'. discriminate.
  Qed.

  (* It is woken up, when its virtual time has come. *)
  Lemma woken g : wanted g = false -> wanted (S g) = true -> d g * Q <= S g * Q + c g * T -> afresh (S g).
  Proof.
    intros W W' V.
    assert (Z : (if runs b g then 1 else 0) = 0).
    { destruct (runs b g) eqn:E; [apply (runs_on Q T c d wanted b R) in E; destruct E; congruence|reflexivity]. }
    destruct (step Q T c d wanted b Q_pos Q_le R g) as [C' D' [K|[K|[K1 K2]]] _|C' D' C2 D2 [K|[K|[K1 K2]]]|_ _ C2 D2 _ _ _]; try congruence.
    - exfalso. rewrite Z in C'. rewrite D' in K1, K2. assert (c (S g) = c g) by lia. nia.
    - exfalso. rewrite C2, D2 in K2. nia.
    - split; assumption.
  Qed.

  (* The last job before i that takes time. *)
  Lemma last_work i : (first j i = 0) \/ exists k, k < i /\ 0 < work j k /\ first j (S k) = first j i.
  Proof.
    induction i as [|i IH]; [left; reflexivity|]. destruct (Nat.eq_dec (work j i) 0) as [Z|Z].
    - simpl. rewrite Z, Nat.add_0_r. destruct IH as [IH|[k [K [W E]]]]; [left; exact IH|right; exists k; simpl in *; lia].
    - right. exists i. split; [lia|]. split; [lia|reflexivity].
  Qed.

  Lemma first_job g : (forall u, u <= g -> wanted u = false) -> c g = Q /\ d g = 0.
  Proof.
    induction g as [|g IH]; intros W.
    - destruct (Bandwidth.at_first _ _ _ _ _ _ R) as [-> ->]. rewrite W by lia. auto.
    - destruct (IH (fun u L => W u ltac:(lia))) as [C D].
      assert (Z : (if runs b g then 1 else 0) = 0).
      { destruct (runs b g) eqn:E; [apply (runs_on Q T c d wanted b R) in E; destruct E as [E _]; rewrite W in E by lia; congruence|reflexivity]. }
      destruct (step Q T c d wanted b Q_pos Q_le R g) as [C' D' _ _|C' _ _ _ _|_ W' _ _ _ _ _]; [lia|lia|].
      rewrite W in W' by lia. discriminate.
  Qed.

  (* Each job that takes time finds the server afresh. *)
  Lemma finds_afresh i : 0 < work j i -> afresh (release j i) /\ count (runs b) (release j i) = first j i.
  Proof.
    induction i as [i IH] using (well_founded_induction lt_wf). intros W. set (e := release j i).
    assert (Re : released j e <= i).
    { destruct (Nat.le_gt_cases (released j e) i) as [|G]; [assumption|]. apply (in_order _ _ _ _ _ rule) in G. unfold e in G. lia. }
    assert (Top := nothing_more e). assert (Fe := first_mono j _ _ Re).
    assert (wants : count (runs b) e = first j i -> wanted e = true).
    { intros E. rewrite wanted_is. apply Nat.ltb_lt. assert (L : i < released j (S e)) by (apply released_at; unfold e; lia).
      assert (F := first_mono j (S i) (released j (S e)) ltac:(lia)). simpl in F. lia. }
    destruct (last_work i) as [Z|[k [K [Wk Ek]]]].
    - (* The first one. *)
      assert (E : count (runs b) e = first j i) by lia. split; [|exact E]. specialize (wants E).
      destruct e as [|g] eqn:G.
      + destruct (Bandwidth.at_first _ _ _ _ _ _ R) as [C D]. rewrite wants in D. split; assumption.
      + assert (N : forall u, u <= g -> wanted u = false).
        { intros u U. rewrite wanted_is. apply Nat.ltb_ge.
          assert (M := released_mono _ _ _ _ _ P rule (S u) (S g) ltac:(lia)).
          assert (F := first_mono j (released j (S u)) i ltac:(lia)). lia. }
        destruct (first_job g N) as [C D]. apply woken; [apply N; lia|exact wants|]. rewrite D. lia.
    - (* Job k was complete by then. *)
      destruct (IH k K Wk) as [A E0]. set (e0 := release j k) in *.
      assert (Ap := releases_apart _ _ _ _ _ P rule i). assert (Gap := releases_apart _ _ _ _ _ P rule k i K). fold e0 e in Gap. clear Ap.
      assert (Cw := Loads.within _ _ _ _ _ rule k). assert (TM := takes_mono _ _ Cw).
      assert (Dk := done_by k Wk A E0). fold e0 in Dk.
      assert (Le : e0 + takes (work j k) <= e) by (destruct apart as [X|[X _]]; clear - X Gap TM; lia).
      assert (M := count_mono (runs b) _ _ Le).
      assert (E : count (runs b) e = first j i) by lia. split; [|exact E]. specialize (wants E).
      assert (Pos : 0 < takes (work j k)) by (unfold takes; apply Nat.add_pos_l, Wk).
      destruct e as [|g] eqn:G; [lia|]. assert (Eg : e0 <= g) by (clear - Le Pos; lia).
      assert (K0 : k < released j (S e0)) by (apply released_at; unfold e0; lia).
      assert (No : forall t, e0 <= t < e0 + (g - e0) -> wanted t = false -> wanted (S t) = false).
      { intros t I V. rewrite wanted_is in V |- *. apply Nat.ltb_ge in V. apply Nat.ltb_ge.
        assert (M1 := released_mono _ _ _ _ _ P rule (S e0) (S t) ltac:(lia)).
        assert (M2 := first_mono j (S k) (released j (S t)) ltac:(lia)).
        assert (M3 := released_mono _ _ _ _ _ P rule (S (S t)) (S g) ltac:(lia)).
        assert (M4 := first_mono j (released j (S (S t))) i ltac:(lia)).
        assert (M5 := count_mono (runs b) t (S t) ltac:(lia)). lia. }
      assert (TI := time_is e0 (g - e0) No). replace (e0 + (g - e0)) with g in TI by lia.
      destruct A as [A1 A2]. simpl in Ek.
      destruct (wanted g) eqn:Wg.
      + (* It was complete at the last instant, and used up all of its budgets. *)
        rewrite wanted_is in Wg. apply Nat.ltb_lt in Wg.
        assert (Late : g < e0 + takes (work j k)).
        { destruct (Nat.le_gt_cases (e0 + takes (work j k)) g) as [L|]; [|assumption].
          assert (M1 := count_mono (runs b) _ _ L). simpl in Dk. lia. }
        assert (Full : work j k = cost /\ S g = e0 + takes cost /\ cost = parts cost * Q) by lia.
        destruct Full as [F1 [F2 F3]].
        assert (Run : count (runs b) (S g) = count (runs b) g + 1).
        { rewrite count_S in *. destruct (runs b g); lia. }
        assert (Rg : runs b g = true) by (rewrite count_S in Run; destruct (runs b g); [reflexivity|lia]).
        assert (W2 : wanted g = true) by (apply (runs_on Q T c d wanted b R) in Rg; tauto).
        assert (Used : takes cost = parts cost * T).
        { unfold takes. rewrite F3 at 1. rewrite <- Nat.mul_add_distr_l. f_equal. lia. }
        assert (Cnt : count (runs b) g + 1 = count (runs b) e0 + parts cost * Q) by lia.
        assert (CT : (count (runs b) g + 1) * T = (count (runs b) e0 + parts cost * Q) * T) by (rewrite Cnt; reflexivity).
        assert (P0 : 1 <= parts cost) by (unfold parts; lia).
        assert (Bm := budget_most Q T c d wanted b Q_pos Q_le R (S g)).
        assert (Wt := waits Q T c d wanted b Q_pos Q_le R (S g)).
        assert (SG : S g * Q = (e0 + parts cost * T) * Q) by (rewrite F2, Used; reflexivity).
        assert (V : d (S g) * Q = S g * Q + c (S g) * T).
        { destruct (step Q T c d wanted b Q_pos Q_le R g) as [C' D' _ _|C' D' C2 D2 _|W' _ _ _ _ _ _]; [| |congruence];
            rewrite Rg in C'; rewrite A1, A2, <- C' in TI.
          - rewrite D'. lia.
          - rewrite C2, D2. lia. }
        (* The next budget has come, for its deadline has. *)
        assert (On : throughout wanted e0 (S (S g - e0))).
        { intros u U. destruct (Nat.eq_dec u (S g)) as [->|Not]; [exact wants|]. rewrite wanted_is. apply Nat.ltb_lt.
          assert (M1 := released_mono _ _ _ _ _ P rule (S e0) (S u) ltac:(clear - U; lia)).
          assert (M2 := first_mono j (S k) (released j (S u)) ltac:(clear - K0 M1; lia)). simpl in M2.
          assert (M3 := count_mono (runs b) u g ltac:(clear - U Not Eg; lia)). clear - M2 M3 Cnt F1 F3 E0. lia. }
        destruct (after Q T c d wanted b Q_pos Q_le R e0 (S g - e0) On) as [m [Dm _]].
        replace (e0 + (S g - e0)) with (S g) in Dm by (clear - Eg; lia).
        destruct (Nat.eq_dec (c (S g)) 0) as [Z|Z]; [specialize (Wt Z); rewrite Z, Nat.add_0_r in V; apply Nat.mul_cancel_r in V; lia|].
        assert (More : parts cost < m + 1).
        { destruct (Nat.lt_ge_cases (parts cost) (m + 1)) as [|L]; [assumption|].
          assert ((m + 1) * T <= parts cost * T) by (apply Nat.mul_le_mono_r, L). assert (D1 : d (S g) <= S g) by lia.
          assert (D2 := Nat.mul_le_mono_r _ _ Q D1). assert (0 < c (S g) * T) by (apply Nat.mul_pos_pos; lia). lia. }
        assert (Least : S g + T <= d (S g)).
        { assert ((parts cost + 1) * T <= (m + 1) * T) by (apply Nat.mul_le_mono_r; lia). lia. }
        assert (L2 := Nat.mul_le_mono_r _ _ Q Least). assert (L3 : Q <= c (S g)) by (apply (Nat.mul_le_mono_pos_r _ _ T); lia).
        assert (L4 : c (S g) = Q) by lia. split; [exact L4|]. rewrite L4 in V.
        assert (V' : d (S g) * Q = (S g + T) * Q) by lia. apply Nat.mul_cancel_r in V'; lia.
      + assert (V : d g * Q <= S g * Q + c g * T).
        { assert (Y : count (runs b) g <= count (runs b) e0 + work j k).
          { assert (M1 := count_mono (runs b) g (S g) ltac:(lia)). lia. }
          assert (S1 : work j k * T <= cost * T) by (apply Nat.mul_le_mono_r, Cw).
          assert (S2 : (period - jitter) * Q <= (S g - e0) * Q) by (apply Nat.mul_le_mono_r; lia).
          rewrite A1, A2 in TI. assert (S3 : S g * Q = e0 * Q + (S g - e0) * Q) by (rewrite <- Nat.mul_add_distr_r; f_equal; lia).
          assert (S4 : count (runs b) g * T <= (count (runs b) e0 + work j k) * T) by (apply Nat.mul_le_mono_r, Y). lia. }
        apply woken; assumption.
  Qed.

  Theorem alone i : first j (S i) <= count (runs b) (arrival j i + (jitter + takes cost)).
  Proof.
    destruct (last_work (S i)) as [Z|[k [K [W E]]]]; [rewrite Z; apply Nat.le_0_l|].
    destruct (finds_afresh k W) as [A C]. assert (D := done_by k W A C). rewrite E in D.
    assert (Cw := Loads.within _ _ _ _ _ rule k). assert (TM := takes_mono _ _ Cw).
    assert (I := in_time _ _ _ _ _ rule i). assert (L : release j k <= release j i).
    { destruct (Nat.eq_dec k i) as [->|N]; [lia|]. assert (G := releases_apart _ _ _ _ _ P rule k i ltac:(lia)).
      destruct apart as [X|[X _]]; clear - X G; lia. }
    assert (M := count_mono (runs b) (release j k + takes (work j k)) (arrival j i + (jitter + takes cost)) ltac:(lia)). lia.
  Qed.
End Alone.
