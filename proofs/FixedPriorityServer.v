(* Pages: docs/theory/fixed-priority-server.md, and polling-server.md for its wait.
   What it says: a server that is replenished every T to Q, and receives Q within T of being ready throughout,
     gives its guest w = k Q + r within W + k T + z, where z is what its level takes for r.
   Assumptions: those of the page. 1. y(Q) <= T. 2. The guest has work throughout the window. 3. Nothing is known
     about the phase. What is asked of a kind of server is what the section supposes, shown for each in Kinds.v. *)
Require Import Arith Lia Bool.
From Vorrang Require Import Schedule.

(* What a level gives within x to a member that is ready throughout; with each nanosecond that is missing at
   most one unit less. *)
Record gives (lev : nat -> nat -> Prop) : Prop := Gives {
  no_faster : forall r x, lev r x -> r <= x;
  less : forall r x, lev (S r) (S x) -> lev r x;
  fewer : forall r s x, lev r x -> s <= r -> lev s x;
  later : forall r x y, lev r x -> x <= y -> lev r y;
  nothing : forall x, lev 0 x }.

Lemma less_by lev (G : gives lev) m r x : lev (r + m) (x + m) -> lev r x.
Proof.
  induction m as [|m IH]; [rewrite !Nat.add_0_r; auto|].
  rewrite !Nat.add_succ_r. intros H. apply IH, (less _ G), H.
Qed.

Section Budgets.
  Variable lev : nat -> nat -> Prop.
  Hypothesis level_gives : gives lev.
  Variables Q T : nat.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis in_period : lev Q T.

  (* From a replenishment on: k whole periods, and r after them. *)
  Definition fresh (w y : nat) : Prop := w <= y /\
    (w = 0 \/ exists k r z, w <= k * Q + r /\ r <= Q /\ k * T + z <= y /\ lev r z /\ z <= T).

  Lemma Q_le_T : Q <= T.
  Proof. exact (no_faster _ level_gives _ _ in_period). Qed.

  Lemma fresh_less w y : fresh (S w) (S y) -> fresh w y.
  Proof.
    intros [L [Z|[k [r [z [W [RQ [Y [V ZT]]]]]]]]]; [discriminate|]. split; [lia|].
    assert (A := no_faster _ level_gives _ _ V). destruct (Nat.eq_dec w 0) as [|N]; [left; assumption|]. right.
    destruct r as [|r].
    - destruct k as [|k]; [simpl in W; lia|]. assert (QT := Q_le_T).
      exists k, (Q - 1), (T - 1). simpl in *. repeat split; try lia.
      apply (less _ level_gives). replace (S (Q - 1)) with Q by lia. replace (S (T - 1)) with T by lia. exact in_period.
    - destruct z as [|z]; [lia|]. exists k, r, z. repeat split; try lia. apply (less _ level_gives), V.
  Qed.
  Lemma fresh_later w y y' : fresh w y -> y <= y' -> fresh w y'.
  Proof. intros [L [Z|[k [r [z H]]]]] A; (split; [lia|]); [left|right; exists k, r, z]; intuition lia. Qed.
  Lemma fresh_less_by m w y : fresh w (y + m) -> fresh (w - m) y.
  Proof.
    revert w. induction m as [|m IH]; intros w; [rewrite Nat.add_0_r, Nat.sub_0_r; auto|].
    rewrite Nat.add_succ_r. intros H. destruct w as [|w].
    - split; [lia|]. left. lia.
    - simpl. apply IH, fresh_less, H.
  Qed.
  Lemma fresh_fewer w v y : fresh w y -> v <= w -> fresh v y.
  Proof. intros [L [Z|[k [r [z H]]]]] A; (split; [lia|]); [left; lia|right; exists k, r, z]; intuition lia. Qed.
  (* A whole period less. *)
  Lemma fresh_period w y : fresh w (y + T) -> fresh (w - Q) y.
  Proof.
    assert (QT := Q_le_T). intros [L [Z|[k [r [z [W [RQ [Y [V ZT]]]]]]]]]; [split; [lia|]; left; lia|].
    destruct k as [|k].
    - split; [simpl in *; lia|]. left. simpl in W. lia.
    - assert (A := no_faster _ level_gives _ _ V). simpl in *.
      assert (B : k * Q <= k * T) by (apply Nat.mul_le_mono_l; lia).
      split; [lia|]. destruct (Nat.eq_dec (w - Q) 0) as [|N]; [left; assumption|]. right.
      exists k, r, z. repeat split; try lia. exact V.
  Qed.

  (* A server: its budget after the events of an instant, its time, when it is ready, what its guest wants, and
     when it is replenished. *)
  Variables budget : nat -> nat.
  Variables own own_ready wanted again : nat -> bool.
  Hypothesis level_serves : forall r x, lev r x -> receives own own_ready r x.
  Hypothesis next : forall t, exists d, 1 <= d <= T /\ again (t + d) = true /\
    forall e, 0 < e < d -> again (t + e) = false.
  Hypothesis periodic : forall t k, again t = true -> again (t + k * T) = true /\
    forall e, 0 < e < T -> again (t + k * T + e) = false.
  Hypothesis consumed : forall t, wanted t = true -> wanted (S t) = true -> again (S t) = false ->
    budget t <= budget (S t) + (if own t then 1 else 0).
  Hypothesis replenished : forall t, again t = true -> wanted t = true -> Q <= budget t.
  Hypothesis is_ready : forall t, wanted t = true -> 0 < budget t -> own_ready t = true.

  (* Without a replenishment in between, what was there is received, or the server is ready throughout. *)
  Lemma used_or_ready t d : throughout wanted t d -> (forall e, 0 < e < d -> again (t + e) = false) ->
    (exists e, e <= d /\ budget t <= count own (t + e) - count own t) \/ throughout own_ready t d.
  Proof.
    intros W N.
    assert (H : forall e, e < d -> budget t + count own t <= budget (t + e) + count own (t + e)).
    { induction e as [|e IH]; intros E; [rewrite Nat.add_0_r; lia|].
      specialize (IH ltac:(lia)). rewrite Nat.add_succ_r, count_S.
      assert (C := consumed (t + e) (W (t + e) ltac:(lia)) (W (S (t + e)) ltac:(lia))).
      rewrite <- Nat.add_succ_r in *. specialize (C (N (S e) ltac:(lia))). lia. }
    destruct (throughout_or_not own_ready t d) as [A|[u [U E]]]; [right; exact A|left].
    exists (u - t). split; [lia|]. specialize (H (u - t) ltac:(lia)). replace (t + (u - t)) with u in * by lia.
    destruct (Nat.eq_dec (budget u) 0) as [Z|Z]; [lia|].
    assert (I := is_ready u (W u ltac:(lia)) ltac:(lia)). congruence.
  Qed.

  Lemma part r z d t : lev r z -> z <= d -> throughout wanted t d -> (forall e, 0 < e < d -> again (t + e) = false) ->
    r <= budget t -> count own t + r <= count own (t + d).
  Proof.
    intros V Z W N B. destruct (used_or_ready t d W N) as [[e [E U]]|R].
    - assert (M := count_mono own (t + e) (t + d) ltac:(lia)). assert (M' := count_mono own t (t + e) ltac:(lia)). lia.
    - exact (level_serves _ _ (later _ level_gives _ _ _ V Z) t R).
  Qed.

  Lemma periods_bring t k : again t = true -> throughout wanted t (k * T) ->
    count own t + k * Q <= count own (t + k * T).
  Proof.
    intros A. assert (QT := Q_le_T). induction k as [|k IH]; intros W; [simpl; rewrite !Nat.add_0_r; lia|].
    specialize (IH (throughout_part _ _ _ t (k * T) W ltac:(lia) ltac:(simpl; lia))).
    destruct (periodic t k A) as [Ak N].
    assert (P := part Q T T (t + k * T) in_period ltac:(lia)
      (throughout_part _ _ _ (t + k * T) T W ltac:(lia) ltac:(simpl; lia)) N
      (replenished _ Ak (W (t + k * T) ltac:(simpl; lia)))).
    replace (t + S k * T) with (t + k * T + T) by (simpl; lia). simpl. lia.
  Qed.

  Lemma from_replenishment t w y : again t = true -> fresh w y -> throughout wanted t y ->
    count own t + w <= count own (t + y).
  Proof.
    intros A [_ [Z|[k [r [z [W [RQ [Y [V ZT]]]]]]]]] U.
    { assert (M := count_mono own t (t + y) ltac:(lia)). lia. }
    assert (B := periods_bring t k A (throughout_part _ _ _ t (k * T) U ltac:(lia) ltac:(lia))).
    destruct (periodic t k A) as [Ak N].
    assert (C : count own (t + k * T) + r <= count own (t + k * T + z)).
    { destruct (Nat.eq_dec r 0) as [->|NZ]; [assert (M := count_mono own (t + k * T) (t + k * T + z) ltac:(lia)); lia|].
      assert (A' := no_faster _ level_gives _ _ V).
      apply (part r z z); [exact V|lia| |intros e E; apply N; lia|].
      - exact (throughout_part _ _ _ (t + k * T) z U ltac:(lia) ltac:(lia)).
      - assert (R := replenished _ Ak (U (t + k * T) ltac:(lia))). lia. }
    assert (M := count_mono own (t + k * T + z) (t + y) ltac:(lia)). lia.
  Qed.

  (* When the window begins, the next replenishment is near, or enough is left of the budget. *)
  Variable wait : nat.
  Hypothesis at_first : forall t d, wanted t = true -> 1 <= d <= T -> again (t + d) = true ->
    (forall e, 0 < e < d -> again (t + e) = false) ->
    d <= wait \/ T - Q <= wait /\ Q + d <= budget t + T.

  Theorem server w y : fresh w y -> receives own wanted w (wait + y).
  Proof.
    intros F t U. assert (QT := Q_le_T).
    destruct (Nat.eq_dec y 0) as [->|Y].
    { destruct F as [F _]. assert (M := count_mono own t (t + (wait + 0)) ltac:(lia)). lia. }
    destruct (next t) as [d [D [A N]]].
    destruct (at_first t d (U t ltac:(lia)) D A N) as [C|[TW C]].
    - (* The replenishment comes before the wait is over. *)
      assert (G := from_replenishment (t + d) w y A F (throughout_part _ _ _ (t + d) y U ltac:(lia) ltac:(lia))).
      assert (M := count_mono own t (t + d) ltac:(lia)).
      assert (M' := count_mono own (t + d + y) (t + (wait + y)) ltac:(lia)). lia.
    - destruct (Nat.le_gt_cases d (T - Q)) as [H|H].
      { assert (G := from_replenishment (t + d) w y A F (throughout_part _ _ _ (t + d) y U ltac:(lia) ltac:(lia))).
        assert (M := count_mono own t (t + d) ltac:(lia)).
        assert (M' := count_mono own (t + d + y) (t + (wait + y)) ltac:(lia)). lia. }
      (* Of the budget e is left at least, and is received by the end of its period. *)
      set (e := d - (T - Q)). assert (Ve : forall m, m <= e -> lev (e - m) (d - m)).
      { intros m Hm. apply (less_by _ level_gives (T - d + m)).
        replace (e - m + (T - d + m)) with Q by (unfold e in *; lia).
        replace (d - m + (T - d + m)) with T by (unfold e in *; lia). exact in_period. }
      destruct (Nat.le_gt_cases e y) as [K|K].
      + assert (G1 := part e d d t).
        assert (Ve0 := Ve 0 ltac:(lia)). rewrite !Nat.sub_0_r in Ve0.
        specialize (G1 Ve0 ltac:(lia) (throughout_part _ _ _ t d U ltac:(lia) ltac:(unfold e in *; lia)) N ltac:(unfold e in *; lia)).
        assert (F' : fresh (w - e) (y - e)).
        { apply fresh_less_by. replace (y - e + e) with y by lia. exact F. }
        assert (G2 := from_replenishment (t + d) (w - e) (y - e) A F'
          (throughout_part _ _ _ (t + d) (y - e) U ltac:(lia) ltac:(unfold e in *; lia))).
        assert (M := count_mono own (t + d + (y - e)) (t + (wait + y)) ltac:(unfold e in *; lia)). lia.
      + destruct F as [F _]. set (m := e - y).
        assert (V := Ve m ltac:(unfold m; lia)).
        assert (G := part (e - m) (d - m) (d - m) t V ltac:(lia)
          (throughout_part _ _ _ t (d - m) U ltac:(lia) ltac:(unfold m, e in *; lia))
          (fun e' E' => N e' ltac:(lia)) ltac:(unfold m, e in *; lia)).
        assert (M := count_mono own (t + (d - m)) (t + (wait + y)) ltac:(unfold m, e in *; lia)).
        unfold m in *. lia.
  Qed.
End Budgets.
