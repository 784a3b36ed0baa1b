(* Pages: docs/theory/sporadic-server.md, docs/theory/loads.md and fixed-priority-server.md, their rows of it.
   What it says: a sporadic server takes at most ceil(x / T) Q in a window that begins when its level is not active,
     and gives its guest what a deferrable one gives.
   Assumptions: the rule of docs/model.md, told of each unit of the budget by itself: it has a time from which on it
     can be used; when it is used, that time grows by T; when the level becomes active, at t, no time is before t. *)
Require Import Arith Lia Bool.
From Vorrang Require Import Schedule Loads FixedPriorityServer.

(* How many of the first n numbers have a property. *)
Fixpoint number (p : nat -> bool) (n : nat) : nat :=
  match n with 0 => 0 | S m => number p m + (if p m then 1 else 0) end.

Lemma number_most p n : number p n <= n.
Proof. induction n as [|n IH]; simpl; [|destruct (p n)]; lia. Qed.
Lemma number_le p q n : (forall i, i < n -> p i = true -> q i = true) -> number p n <= number q n.
Proof.
  induction n as [|n IH]; intros H; simpl; [lia|].
  assert (A : number p n <= number q n) by (apply IH; intros i L; apply H; lia). assert (B := H n ltac:(lia)).
  destruct (p n), (q n); lia.
Qed.
Lemma number_but_one p q n k : (forall i, i < n -> i <> k -> p i = true -> q i = true) -> number p n <= number q n + 1.
Proof.
  induction n as [|n IH]; intros H; simpl; [lia|].
  destruct (Nat.eq_dec n k) as [->|N].
  - assert (A : number p k <= number q k) by (apply number_le; intros i L; apply H; lia).
    destruct (p k), (q k); lia.
  - assert (A : number p n <= number q n + 1) by (apply IH; intros i L; apply H; lia). assert (B := H n ltac:(lia) N).
    destruct (p n), (q n); lia.
Qed.
Lemma number_not p n : number p n + number (fun i => negb (p i)) n = n.
Proof. induction n as [|n IH]; simpl; [|destruct (p n); simpl]; lia. Qed.
Lemma number_none p n : number p n = 0 -> forall i, i < n -> p i = false.
Proof.
  induction n as [|n IH]; intros Z i L; [lia|]. simpl in Z. destruct (p n) eqn:E; [lia|].
  destruct (Nat.eq_dec i n) as [->|]; [exact E|]. apply IH; lia.
Qed.

(* The sum of the first n values. *)
Fixpoint sum (f : nat -> nat) (n : nat) : nat := match n with 0 => 0 | S m => sum f m + f m end.
Lemma sum_le f g n : (forall i, i < n -> f i <= g i) -> sum f n <= sum g n.
Proof. intros H. induction n as [|n IH]; simpl; [lia|]. assert (A : sum f n <= sum g n) by (apply IH; intros i L; apply H; lia). assert (B := H n). lia. Qed.
Lemma sum_const c n : sum (fun _ => c) n = n * c.
Proof. induction n as [|n IH]; simpl; [lia|]. lia. Qed.
Lemma sum_one f g n k : k < n -> (forall i, i < n -> i <> k -> g i = f i) -> g k = S (f k) -> sum g n = S (sum f n).
Proof.
  intros K H E. induction n as [|n IH]; [lia|]. simpl. destruct (Nat.eq_dec n k) as [->|N].
  - assert (A : sum g k = sum f k).
    { clear IH K E. assert (H' : forall i, i < k -> g i = f i) by (intros; apply H; lia). clear H.
      induction k as [|k IH]; [reflexivity|]. simpl. rewrite IH by (intros; apply H'; lia). rewrite H' by lia. lia. }
    lia.
  - rewrite IH by (try lia; intros; apply H; lia). rewrite (H n) by lia. lia.
Qed.
Lemma sum_same f g n : (forall i, i < n -> g i = f i) -> sum g n = sum f n.
Proof. intros H. induction n as [|n IH]; [reflexivity|]. simpl. rewrite IH by (intros; apply H; lia). rewrite H by lia. lia. Qed.
Lemma sum_more f c (p : nat -> bool) n : sum (fun i => f i + (c + (if p i then 1 else 0))) n = sum f n + (n * c + number p n).
Proof. induction n as [|n IH]; simpl; [lia|]. rewrite IH. destruct (p n); lia. Qed.

Section Rule.
  Variables Q T : nat.

  (* The level becomes active at t; then no unit keeps an earlier time. *)
  Definition becomes (active : nat -> bool) (t : nat) : bool :=
    match t with 0 => active 0 | S u => negb (active u) && active t end.
  Definition moved (active : nat -> bool) (t x : nat) : nat := if becomes active t then max x t else x.

  (* A server: the time of each unit of its budget after the events of an instant; which unit is used; when
     something at least as urgent is ready; when its guest has something ready; and what the server does. *)
  Record sporadic (time : nat -> nat -> nat) (which : nat -> nat) (active wanted : nat -> bool) (b : behaviour) : Prop := Sporadic {
    at_first : forall i, i < Q -> time 0 i = 0;
    is_there : forall t, runs b t = true -> which t < Q /\ time t (which t) <= t;
    returns : forall t i, i < Q ->
      time (S t) i = moved active (S t) (time t i + (if runs b t && (which t =? i) then T else 0));
    when_ready : forall t, ready b t = wanted t && (0 <? number (fun i => time t i <=? t) Q);
    only_when_ready : forall t, runs b t = true -> ready b t = true;
    is_active : forall t, ready b t = true -> active t = true }.

  Variable time : nat -> nat -> nat.
  Variable which : nat -> nat.
  Variables active wanted : nat -> bool.
  Variable b : behaviour.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis Q_le : Q <= T.
  Hypothesis R : sporadic time which active wanted b.

  (* How often a unit has been used. *)
  Definition used (t i : nat) : nat := count (fun u => runs b u && (which u =? i)) t.

  Lemma served t : count (runs b) t = sum (used t) Q.
  Proof.
    induction t as [|t IH]; [rewrite (sum_same (fun _ => 0)); [rewrite sum_const; simpl; lia|reflexivity]|].
    rewrite count_S, IH. destruct (runs b t) eqn:E.
    - destruct (is_there _ _ _ _ _ R t E) as [K _].
      rewrite (sum_one (used t) (used (S t)) Q (which t) K); [lia| |].
      + intros i L N. unfold used. rewrite count_S, E. simpl.
        destruct (Nat.eqb_spec (which t) i); [congruence|lia].
      + unfold used. rewrite count_S, E, Nat.eqb_refl. simpl. lia.
    - rewrite (sum_same (used t) (used (S t))); [lia|]. intros i L. unfold used. rewrite count_S, E. simpl. lia.
  Qed.
  Lemma used_mono t x i : used t i <= used (t + x) i.
  Proof. apply count_mono. lia. Qed.
  Lemma used_S t i : used (S t) i = used t i + (if runs b t && (which t =? i) then 1 else 0).
  Proof. reflexivity. Qed.
  Lemma moved_least t x : x <= moved active t x.
  Proof. unfold moved. destruct (becomes active t); lia. Qed.
  Lemma moved_most t x : moved active t x <= max x t.
  Proof. unfold moved. destruct (becomes active t); lia. Qed.
  Lemma activates a i : becomes active a = true -> i < Q -> a <= time a i.
  Proof.
    intros A L. destruct a as [|a]; [lia|]. rewrite (returns _ _ _ _ _ R a i L). unfold moved. rewrite A. lia.
  Qed.

  (* As a load: from an instant a on at which no time is earlier, each use moves a time by T. *)
  Lemma times_grow a x i : (forall k, k < Q -> a <= time a k) -> i < Q ->
    a + (used (a + x) i - used a i) * T <= time (a + x) i
    /\ (used a i < used (a + x) i -> a + (used (a + x) i - used a i - 1) * T < a + x).
  Proof.
    intros A L. induction x as [|x [I J]].
    - rewrite Nat.add_0_r, Nat.sub_diag. split; [simpl; specialize (A i L); lia|lia].
    - assert (M := used_mono a x i). rewrite Nat.add_succ_r, (returns _ _ _ _ _ R _ i L), used_S.
      assert (V := moved_least (S (a + x)) (time (a + x) i + (if runs b (a + x) && (which (a + x) =? i) then T else 0))).
      destruct (runs b (a + x)) eqn:E; simpl in *.
      + destruct (is_there _ _ _ _ _ R _ E) as [K C]. destruct (Nat.eqb_spec (which (a + x)) i) as [Ei|N]; [rewrite Ei in C|].
        * replace (used (a + x) i + 1 - used a i) with (S (used (a + x) i - used a i)) by lia.
          split; [simpl; lia|]. intros _. replace (S (used (a + x) i - used a i) - 1) with (used (a + x) i - used a i) by lia. lia.
        * replace (used (a + x) i + 0) with (used (a + x) i) by lia. split; [lia|]. intros H. specialize (J H). lia.
      + replace (used (a + x) i + 0) with (used (a + x) i) by lia. split; [lia|]. intros H. specialize (J H). lia.
  Qed.

  Lemma load_from a x : (forall k, k < Q -> a <= time a k) ->
    count (runs b) (a + x) <= count (runs b) a + ceil x T * Q.
  Proof.
    intros A. rewrite !served.
    assert (H : sum (used (a + x)) Q <= sum (fun i => used a i + ceil x T) Q).
    { apply sum_le. intros i L. destruct (times_grow a x i A L) as [_ J].
      destruct (Nat.le_gt_cases (used (a + x) i) (used a i)) as [|G]; [lia|]. specialize (J G).
      assert (C := ceil_above x T (used (a + x) i - used a i - 1) ltac:(lia) ltac:(lia)). lia. }
    assert (S' : sum (fun i => used a i + ceil x T) Q = sum (used a) Q + ceil x T * Q).
    { clear. induction Q as [|n IH]; simpl; [lia|]. rewrite IH. lia. }
    lia.
  Qed.

  Theorem sporadic_load t x : begins active t -> count (runs b) (t + x) <= count (runs b) t + ceil x T * Q.
  Proof.
    revert t. induction x as [|x IH]; intros t B; [rewrite Nat.add_0_r; lia|].
    destruct (active t) eqn:E.
    - apply load_from. intros k K. apply activates; [|exact K]. destruct t; simpl in *; [exact E|].
      rewrite B, E. reflexivity.
    - (* Nothing runs before the level is active. *)
      assert (N : runs b t = false).
      { destruct (runs b t) eqn:F; [|reflexivity]. apply (only_when_ready _ _ _ _ _ R) in F.
        apply (is_active _ _ _ _ _ R) in F. congruence. }
      specialize (IH (S t) E). rewrite count_S, N in IH. rewrite Nat.add_succ_r. simpl in IH |- *.
      assert (C := ceil_mono x (S x) T ltac:(lia) ltac:(lia)). nia.
  Qed.

  (* As a supply. *)

  (* Of the times at t, at most m are T - m or more behind t. *)
  Lemma times_near t m : number (fun i => t + T <=? time t i + m) Q <= m.
  Proof.
    revert m. induction t as [|t IH]; intros m.
    - destruct (Nat.le_gt_cases T m) as [H|H]; [assert (N := number_most (fun i => 0 + T <=? time 0 i + m) Q); lia|].
      assert (Z : number (fun i => 0 + T <=? time 0 i + m) Q <= number (fun _ => false) Q).
      { apply number_le. intros i L E. rewrite (at_first _ _ _ _ _ R i L) in E. apply Nat.leb_le in E. lia. }
      assert (Z' : number (fun _ => false) Q = 0) by (clear; induction Q as [|n I]; simpl; lia). lia.
    - destruct (Nat.le_gt_cases T m) as [H|H]; [assert (N := number_most (fun i => S t + T <=? time (S t) i + m) Q); lia|].
      assert (V : forall i, i < Q -> S t + T <= time (S t) i + m ->
        S t + T <= time t i + (if runs b t && (which t =? i) then T else 0) + m).
      { intros i L E. rewrite (returns _ _ _ _ _ R t i L) in E.
        assert (M := moved_most (S t) (time t i + (if runs b t && (which t =? i) then T else 0))). lia. }
      destruct m as [|m].
      + assert (I := IH 0).
        assert (Z : number (fun i => S t + T <=? time (S t) i + 0) Q <= number (fun i => t + T <=? time t i + 0) Q).
        { apply number_le. intros i L E. apply Nat.leb_le in E. apply Nat.leb_le. specialize (V i L E).
          destruct (runs b t) eqn:F; simpl in V; [|lia].
          destruct (is_there _ _ _ _ _ R t F) as [_ C]. destruct (Nat.eqb_spec (which t) i) as [<-|]; lia. }
        lia.
      + assert (I := IH m).
        assert (Z : number (fun i => S t + T <=? time (S t) i + S m) Q <= number (fun i => t + T <=? time t i + m) Q + 1).
        { apply (number_but_one _ _ Q (which t)). intros i L N E. apply Nat.leb_le in E. apply Nat.leb_le.
          specialize (V i L E). destruct (Nat.eqb_spec (which t) i); [congruence|]. rewrite andb_false_r in V. lia. }
        lia.
  Qed.

  (* While the guest has something ready, times move by uses alone. *)
  Lemma times_exact t x i : throughout wanted t x -> i < Q ->
    time (t + x) i = time t i + (used (t + x) i - used t i) * T.
  Proof.
    intros W L. induction x as [|x IH]; [rewrite Nat.add_0_r, Nat.sub_diag; simpl; lia|].
    specialize (IH (throughout_part _ _ _ t x W ltac:(lia) ltac:(lia))). assert (M := used_mono t x i).
    rewrite Nat.add_succ_r, used_S, (returns _ _ _ _ _ R _ i L).
    assert (E : moved active (S (t + x)) (time (t + x) i + (if runs b (t + x) && (which (t + x) =? i) then T else 0))
      = time (t + x) i + (if runs b (t + x) && (which (t + x) =? i) then T else 0)).
    { unfold moved. destruct (becomes active (S (t + x))) eqn:B; [|reflexivity].
      simpl in B. apply andb_true_iff in B. destruct B as [B _]. apply negb_true_iff in B.
      assert (N : ready b (t + x) = false).
      { destruct (ready b (t + x)) eqn:F; [|reflexivity]. apply (is_active _ _ _ _ _ R) in F. congruence. }
      assert (N' := N). rewrite (when_ready _ _ _ _ _ R), (W (t + x)) in N by lia. simpl in N.
      apply Nat.ltb_ge in N. assert (O := number_none _ Q (proj1 (Nat.le_0_r _) N) i L). apply Nat.leb_gt in O.
      destruct (runs b (t + x)) eqn:F; [apply (only_when_ready _ _ _ _ _ R) in F; congruence|]. simpl. lia. }
    rewrite E. destruct (runs b (t + x) && (which (t + x) =? i)); [|lia].
    replace (used (t + x) i + 1 - used t i) with (S (used (t + x) i - used t i)) by lia. simpl. lia.
  Qed.

  Variable lev : nat -> nat -> Prop.
  Hypothesis level_gives : gives lev.
  Hypothesis level_serves : forall r x, lev r x -> receives (runs b) (ready b) r x.
  Hypothesis in_period : lev Q T.

  (* A server that is ready throughout receives what it would from a replenishment on. *)
  Lemma ready_throughout w y : fresh lev Q T w y -> receives (runs b) (ready b) w y.
  Proof.
    intros [L [->|[k [r [z [W [RQ [Y [V ZT]]]]]]]]].
    - intros t _. assert (M := count_mono (runs b) t (t + y) ltac:(lia)). lia.
    - apply receives_more with (k * Q + r) (k * T + z); [exact W|exact Y|].
      apply receives_then; [apply receives_again|]; apply level_serves; assumption.
  Qed.

  (* Less a part that came at full rate: m periods, and o of the next. *)
  Lemma fresh_after m o w y : o <= T -> fresh lev Q T w (y + m * T + o) -> fresh lev Q T (w - m * Q - min o Q) y.
  Proof.
    intros O. revert w y. induction m as [|m IH]; intros w y F.
    - simpl in *. rewrite Nat.sub_0_r, Nat.add_0_r in *. destruct (Nat.le_gt_cases o Q) as [H|H].
      + replace (min o Q) with o by lia. eapply fresh_less_by; try exact F; assumption.
      + replace (min o Q) with Q by lia. eapply fresh_period; try eassumption.
        eapply fresh_later; try exact F; try eassumption; lia.
    - replace (w - S m * Q - min o Q) with (w - Q - m * Q - min o Q) by (simpl; lia). apply IH.
      eapply fresh_period; try eassumption.
      replace (y + m * T + o + T) with (y + S m * T + o) by (simpl; lia). exact F.
  Qed.

  Theorem sporadic_provides w y : fresh lev Q T w y -> receives (runs b) wanted w (T - Q + y).
  Proof.
    intros F t U. set (s := t + (T - Q)). set (f := t + (T - Q + y)).
    destruct (window_of (ready b) f) as [u [Lu [B Ru]]].
    destruct (Nat.le_gt_cases u s) as [H|H].
    { assert (G := ready_throughout w y F s (throughout_part _ _ _ s y Ru ltac:(unfold s, f in *; lia) ltac:(unfold s, f in *; lia))).
      assert (M := count_mono (runs b) t s ltac:(unfold s; lia)). replace (s + y) with f in G by (unfold s, f; lia). lia. }
    (* At u - 1 nothing of the budget could be used. *)
    destruct u as [|g]; [lia|]. simpl in B.
    assert (Wg : throughout wanted t (S g - t)) by (intros v V; apply U; unfold s, f in *; lia).
    assert (N : forall i, i < Q -> S g <= time g i).
    { intros i L. rewrite (when_ready _ _ _ _ _ R), (Wg g) in B by (unfold s in *; lia). simpl in B. apply Nat.ltb_ge in B.
      assert (O := number_none _ Q (proj1 (Nat.le_0_r _) B) i L). apply Nat.leb_gt in O. lia. }
    set (v := S g - s). set (m := v / T). set (o := v mod T).
    assert (E : v = m * T + o) by (unfold m, o; assert (D := Nat.div_mod v T ltac:(lia)); lia).
    assert (OT : o < T) by (apply Nat.mod_upper_bound; lia).
    (* So by then each unit has been used m times, and once more if its time was early enough. *)
    assert (C : count (runs b) t + m * Q + min o Q <= count (runs b) (S g)).
    { rewrite !served.
      assert (P : forall i, i < Q -> used t i + (m + (if time t i <? s + o then 1 else 0)) <= used (S g) i).
      { intros i L. assert (X := times_exact t (g - t) i (throughout_part _ _ _ t (g - t) Wg ltac:(lia) ltac:(lia)) L).
        replace (t + (g - t)) with g in X by (unfold s in *; lia). specialize (N i L).
        assert (MU : used g i <= used (S g) i) by (apply count_mono; lia).
        assert (Near : time t i < t + T).
        { assert (Z := times_near t 0). assert (O := number_none _ Q (proj1 (Nat.le_0_r _) Z) i L). apply Nat.leb_gt in O. lia. }
        set (n := used g i - used t i) in *.
        assert (K : S g = s + m * T + o) by (unfold v in E; lia).
        assert (MG : used t i <= used g i) by (apply count_mono; unfold s in *; lia).
        assert (n_is : used g i = used t i + n) by (unfold n; lia).
        destruct (Nat.ltb_spec (time t i) (s + o)) as [G|G].
        - assert (m < n) by (destruct (Nat.le_gt_cases n m); [assert (n * T <= m * T) by (apply Nat.mul_le_mono_r; lia); lia|lia]). lia.
        - assert (m <= n).
          { destruct (Nat.le_gt_cases m n) as [|J]; [assumption|]. assert (S n * T <= m * T) by (apply Nat.mul_le_mono_r; lia).
            simpl in *. unfold s in *. lia. }
          lia. }
      assert (S1 := sum_le _ _ Q P).
      rewrite (sum_more (used t) m (fun i => time t i <? s + o)) in S1.
      assert (Near : min o Q <= number (fun i => time t i <? s + o) Q).
      { destruct (Nat.le_gt_cases o Q) as [G|G].
        - assert (Z := times_near t (Q - o)). assert (Nn := number_not (fun i => time t i <? s + o) Q).
          assert (number (fun i => negb (time t i <? s + o)) Q <= number (fun i => t + T <=? time t i + (Q - o)) Q).
          { apply number_le. intros i L J. apply negb_true_iff, Nat.ltb_ge in J. apply Nat.leb_le. unfold s in J. lia. }
          lia.
        - assert (Z := times_near t 0). assert (Nn := number_not (fun i => time t i <? s + o) Q).
          assert (number (fun i => negb (time t i <? s + o)) Q <= number (fun i => t + T <=? time t i + 0) Q).
          { apply number_le. intros i L J. apply negb_true_iff, Nat.ltb_ge in J. apply Nat.leb_le. unfold s in J. lia. }
          lia. }
      lia. }
    (* And from u on it is ready. *)
    set (rest := y - v). assert (Fr : fresh lev Q T (w - m * Q - min o Q) rest).
    { apply fresh_after; [lia|]. replace (rest + m * T + o) with y by (unfold rest, v, s, f in *; lia). exact F. }
    assert (G := ready_throughout _ _ Fr (S g) (throughout_part _ _ _ (S g) rest Ru ltac:(lia) ltac:(unfold rest, v, s, f in *; lia))).
    replace (S g + rest) with f in G by (unfold rest, v, s, f in *; lia). lia.
  Qed.
End Rule.
