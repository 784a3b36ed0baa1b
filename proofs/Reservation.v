(* Pages: docs/theory/lateness.md and periodic-resource.md.
   What it says: a hard constant-bandwidth server (Q, T) below a supply under EDF provides kQ + r, r <= Q, within
     2 (T - Q) + kT + r, and to a guest that finds it afresh within T - Q + kT + r. What follows for a task that is alone
     in it is in Alone.v.
   Assumptions: those of the pages. 1. What is due l after the begin of a window, and what is more urgent than all
     deadlines, fits into l if T <= l, and into l + K for every l, for one K <= T - Q. 2. Nobody is blocked. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads FixedPriorityServer Deadlines Bandwidth.

Section Server.
  Variables Q T : nat.
  Variables c d : nat -> nat.
  Variable wanted : nat -> bool.
  Variable b : behaviour.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis Q_le : Q <= T.
  Hypothesis R : hard Q T c d wanted b.
  Let own : dated := member d b.

  (* While its guest has something ready: after m replenishments. *)
  Lemma after e x : throughout wanted e (S x) -> exists m, d (e + x) = d e + m * T
    /\ c (e + x) + count (runs b) (e + x) = c e + m * Q + count (runs b) e.
  Proof.
    induction x as [|x IH]; intros W; [exists 0; rewrite !Nat.add_0_r; lia|].
    destruct (IH (throughout_part _ _ _ e (S x) W ltac:(lia) ltac:(lia))) as [m [D C]].
    assert (V := W (e + x) ltac:(lia)). rewrite Nat.add_succ_r, count_S.
    destruct (step Q T c d wanted b Q_pos Q_le R (e + x)) as [C' D' _ _|C' D' C2 D2 _|W' _ _ _ _ _ _]; [exists m|exists (S m)|congruence];
      destruct (runs b (e + x)); simpl; lia.
  Qed.

  Variables supplied above_wanted urgent_ready urgent : nat -> bool.
  Variable others : list dated.
  Hypothesis edf : earliest_first supplied above_wanted urgent_ready urgent (own :: others).
  Variable lev : nat -> nat -> Prop.
  Hypothesis level_gives : gives lev.
  Hypothesis level_serves : forall r x, lev r x -> receives supplied above_wanted r x.
  (* What is more urgent takes so much of a window, and the others with deadlines in it. *)
  Variables more rivals : nat -> nat.
  Hypothesis more_mono : forall x y, x <= y -> more x <= more y.
  Hypothesis more_bounds : forall t x, begins urgent_ready t -> count urgent (t + x) <= count urgent t + more x.
  Hypothesis rivals_bound : forall D t x, begins (any (due D) others) t ->
    count (any (uses D) others) (t + x) <= count (any (uses D) others) t + rivals (D - t).

  (* What is due l after the begin of a window is complete k after that. *)
  Definition meets (l k : nat) : Prop := lev (l * Q / T + rivals l + more (l + k)) (l + k).

  Hypothesis whole : forall l, T <= l -> meets l 0.

  Lemma by_then e f w late : e < f -> throughout wanted e (f - e) ->
    (forall l, 1 <= l -> d e - e <= l -> meets l late) ->
    (forall m, c e + m * Q < w + Q -> d e + m * T + w + (if m =? 0 then late else 0) <= f + c e + m * Q) ->
    count (runs b) e + w <= count (runs b) f.
  Proof.
    intros EF W early H. destruct (Nat.le_gt_cases (count (runs b) e + w) (count (runs b) f)) as [|G]; [assumption|exfalso].
    destruct f as [|u]; [lia|].
    destruct (after e (u - e)) as [m [Du Cu]]; [intros v V; apply W; lia|].
    replace (e + (u - e)) with u in * by lia.
    assert (Mf : count (runs b) (S u) = count (runs b) u + (if runs b u then 1 else 0)) by reflexivity.
    assert (Me := count_mono (runs b) e u ltac:(lia)). assert (Wu := W u ltac:(lia)).
    assert (Bm := budget_most Q T c d wanted b Q_pos Q_le R u). specialize (H m ltac:(lia)).
    destruct (Nat.eq_dec (c u) 0) as [Z|Z].
    { (* Its budget is used up: then it was enough. *)
      assert (X := waits Q T c d wanted b Q_pos Q_le R u Z).
      assert (N : runs b u = false) by (destruct (runs b u) eqn:E; [apply (runs_on Q T c d wanted b R) in E; lia|reflexivity]).
      rewrite N in Mf. lia. }
    set (D := d u) in *.
    assert (due_own : forall v, wanted v = true -> 0 < c v -> d v <= D -> due D own v = true).
    { intros v A B C. unfold due, is_ready_of, own. simpl. rewrite (when_ready _ _ _ _ _ _ R), A.
      apply Nat.ltb_lt in B. rewrite B. simpl. apply Nat.leb_le, C. }
    assert (Lu : due_level urgent_ready (own :: others) D u = true).
    { unfold due_level, any. simpl. rewrite (due_own u Wu) by (fold D; lia). apply orb_true_r. }
    (* The window of what is due by its deadline. *)
    destruct (window_of (due_level urgent_ready (own :: others) D) u) as [s [Ls [Bs Ws]]].
    assert (Busy : throughout (due_level urgent_ready (own :: others) D) s (S u - s)).
    { intros v V. destruct (Nat.eq_dec v u) as [->|]; [exact Lu|]. apply Ws. lia. }
    assert (B0 : begins urgent_ready s /\ begins (due D own) s /\ begins (any (due D) others) s).
    { destruct s; simpl in *; [tauto|]. unfold due_level, any in Bs. simpl in Bs. rewrite !orb_false_iff in Bs. tauto. }
    destruct B0 as [Bu [Bo Br]].
    assert (Left := bandwidth_left Q T c d wanted b Q_pos Q_le R D s (u - s) Bo).
    replace (s + (u - s)) with u in Left by lia. specialize (Left (due_own u Wu ltac:(lia) (le_n _))). fold D own in Left.
    assert (Left' : s * Q + c u * T <= D * Q) by (eapply Nat.le_trans; [|exact Left]; rewrite <- Nat.add_assoc; apply Nat.le_add_l).
    assert (sD : s < D).
    { apply (Nat.mul_lt_mono_pos_r Q); [lia|]. assert (0 < c u * T) by (apply Nat.mul_pos_pos; lia). lia. } set (l := D - s) in *.
    assert (Share : count (uses D own) u - count (uses D own) s + c u <= l * Q / T).
    { apply Nat.div_le_lower_bound; [lia|]. unfold l. nia. }
    assert (Us := count_mono (uses D own) s u Ls).
    (* Where it begins behind e, the server waited just before. *)
    assert (Behind : e < s -> d e <= d (s - 1) /\ s <= d (s - 1) /\ d (s - 1) + T <= D).
    { intros E. destruct s as [|g]; [lia|]. replace (S g - 1) with g by lia. simpl in Bo.
      assert (Wg := W g ltac:(lia)).
      assert (Dg := deadline_mono Q T c d wanted b Q_pos Q_le R g (u - g)). replace (g + (u - g)) with u in Dg by lia. fold D in Dg.
      assert (Zg : c g = 0).
      { destruct (Nat.eq_dec (c g) 0) as [|N]; [assumption|]. rewrite (due_own g Wg) in Bo by lia. discriminate. }
      assert (Dw := waits Q T c d wanted b Q_pos Q_le R g Zg).
      destruct (after g (u - g)) as [n [Dn Cn]]; [intros v V; apply W; lia|]. replace (g + (u - g)) with u in * by lia.
      assert (De := deadline_mono Q T c d wanted b Q_pos Q_le R e (g - e)). replace (e + (g - e)) with g in De by lia.
      assert (Mg := count_mono (runs b) g u ltac:(lia)). fold D in Dn.
      destruct n as [|n]; [lia|]. simpl in Dn. set (n * T) in Dn. repeat split; lia. }
    assert (Enough : meets l (if m =? 0 then late else 0)).
    { destruct (Nat.eqb_spec m 0) as [M|M].
      - rewrite M in Du. apply early; [unfold l; lia|]. destruct (Nat.le_gt_cases s e) as [L|L]; [unfold l; simpl in Du; lia|].
        specialize (Behind L). simpl in Du. lia.
      - apply whole. destruct (Nat.le_gt_cases s e) as [L|L]; [|specialize (Behind L); unfold l; lia].
        assert (se : s <= d e).
        { destruct (Nat.eq_dec (c e) 0) as [N|N]; [assert (X := waits Q T c d wanted b Q_pos Q_le R e N); lia|].
          assert (LE := bandwidth_left Q T c d wanted b Q_pos Q_le R D s (e - s) Bo). replace (s + (e - s)) with e in LE by lia.
          assert (De := deadline_mono Q T c d wanted b Q_pos Q_le R e (u - e)). replace (e + (u - e)) with u in De by lia.
          specialize (LE (due_own e (W e ltac:(lia)) ltac:(lia) De)).
          assert (LE' : s * Q + c e * T <= d e * Q) by (eapply Nat.le_trans; [|exact LE]; rewrite <- Nat.add_assoc; apply Nat.le_add_l).
          apply (Nat.mul_le_mono_pos_r s (d e) Q); [lia|]. eapply Nat.le_trans; [|exact LE']. apply Nat.le_add_r. }
        assert (T <= m * T) by (destruct m; [lia|apply Nat.le_add_r]). unfold l. lia. }
    set (k := if m =? 0 then late else 0) in *. unfold meets in Enough.
    assert (Lu' : l * Q / T <= l).
    { apply Nat.div_le_upper_bound; [lia|]. rewrite Nat.mul_comm. apply Nat.mul_le_mono_r, Q_le. }
    assert (Used : count (uses D own) (S u) = count (uses D own) u + (if runs b u then 1 else 0)).
    { rewrite count_S. unfold uses at 2, runs_of, own. simpl. fold D. rewrite Nat.leb_refl, andb_true_r. reflexivity. }
    (* More is supplied than was used. *)
    assert (Too_much : forall x r, s + x <= S u -> x <= l + k -> lev r x -> r <= l * Q / T + rivals l + more (l + k)
      -> count (uses D own) (s + x) + rivals l + more (l + k) < count (uses D own) s + r -> False).
    { intros x r X Xl Rx Rm F.
      assert (A := level_serves r x Rx s (fun v V => due_wants _ _ _ _ _ edf D v (Busy v ltac:(lia)))).
      assert (C := count_three supplied urgent (uses D own) (any (uses D) others) s x).
      assert (C' : forall v, s <= v < s + x -> supplied v = true -> urgent v || uses D own v || any (uses D) others v = true).
      { intros v V I. assert (Y := due_use _ _ _ _ _ edf D v I (Busy v ltac:(lia))). unfold any in *. simpl in Y.
        rewrite <- orb_assoc. exact Y. }
      specialize (C C'). assert (M1 := more_bounds s x Bu). assert (M2 := more_mono x (l + k) Xl).
      assert (M3 := rivals_bound D s x Br). fold l in M3. lia. }
    assert (Tot : lev (l * Q / T + rivals l + more (l + k)) (l + k)) by exact Enough.
    destruct (Nat.le_gt_cases w (c e + m * Q)) as [A|A].
    - set (y := c e + m * Q - w).
      assert (Y : y < l * Q / T) by (unfold y; destruct (runs b u); lia).
      apply (Too_much (l + k - y) (l * Q / T + rivals l + more (l + k) - y)); try lia.
      + apply (less_by lev level_gives y). replace (l * Q / T + rivals l + more (l + k) - y + y)
          with (l * Q / T + rivals l + more (l + k)) by lia. replace (l + k - y + y) with (l + k) by lia. exact Tot.
      + assert (M := count_mono (uses D own) (s + (l + k - y)) (S u) ltac:(unfold y, l in *; lia)).
        unfold y in *. destruct (runs b u); lia.
    - apply (Too_much (l + k) (l * Q / T + rivals l + more (l + k))); try exact Tot; try (unfold l; lia).
      assert (M := count_mono (uses D own) (s + (l + k)) u ltac:(unfold l in *; lia)). lia.
  Qed.

  (* Where the server starts afresh at e. *)
  Lemma from_afresh e k r w : c e = Q -> d e = e + T -> w <= k * Q + r -> 1 <= r <= Q ->
    throughout wanted e (T - Q + k * T + r) -> count (runs b) e + w <= count (runs b) (e + (T - Q + k * T + r)).
  Proof.
    intros C D Lw Lr W. apply by_then with 0; [lia| | |].
    - intros v V. apply W. lia.
    - intros l L E. apply whole. lia.
    - intros m M. rewrite C, D in *. assert (mk : m <= k).
      { destruct (Nat.le_gt_cases m k) as [|N]; [assumption|]. assert ((k + 1) * Q <= m * Q) by (apply Nat.mul_le_mono_r; lia). nia. }
      assert (S1 : m * (T - Q) <= k * (T - Q)) by (apply Nat.mul_le_mono_r, mk).
      assert (E1 : m * T = m * (T - Q) + m * Q) by (rewrite <- Nat.mul_add_distr_l; f_equal; lia).
      assert (E2 : k * T = k * (T - Q) + k * Q) by (rewrite <- Nat.mul_add_distr_l; f_equal; lia).
      destruct (m =? 0); lia.
  Qed.

  Variable late : nat.
  Hypothesis little : late <= T - Q.
  Hypothesis kept : forall l, 1 <= l -> meets l late.

  Theorem reservation k r w : w <= k * Q + r -> 1 <= r <= Q -> receives (runs b) wanted w (2 * (T - Q) + k * T + r).
  Proof.
    intros Lw Lr e W. set (f := e + (2 * (T - Q) + k * T + r)) in *.
    assert (X := left_over Q T c d wanted b Q_pos Q_le R e).
    apply by_then with late; [unfold f; lia| |intros l L _; apply kept, L|].
    - intros v V. apply W. unfold f in *. lia.
    - intros m M. assert (mk : m <= k + 1).
      { destruct (Nat.le_gt_cases m (k + 1)) as [|N]; [assumption|]. assert ((k + 2) * Q <= m * Q) by (apply Nat.mul_le_mono_r; lia). nia. }
      assert (S1 : m * (T - Q) <= (k + 1) * (T - Q)) by (apply Nat.mul_le_mono_r, mk).
      assert (E1 : m * T = m * (T - Q) + m * Q) by (rewrite <- Nat.mul_add_distr_l; f_equal; lia).
      assert (E2 : k * T = k * (T - Q) + k * Q) by (rewrite <- Nat.mul_add_distr_l; f_equal; lia).
      unfold f. set (v := T - Q) in *. assert (V : T = v + Q) by (unfold v; lia). clearbody v.
      destruct (Nat.eqb_spec m 0) as [N|N]; [rewrite N in *|]; lia.
  Qed.
End Server.
