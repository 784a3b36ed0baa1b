(* Pages: docs/model.md, rules V8 and V9; docs/theory/edf-response.md, its column by deadline.
   What it says: in a window from t on before which nothing of the server due by D was ready, it uses at most
     (D - t) Q / T with deadlines up to D; whether or not deadlines are met.
   Assumptions: that rule.
   The proof is about the virtual time d - c T / Q of the pair (c, d), times Q: it grows by T with each unit that is
     used, and never falls; when the guest gets work at t it becomes the larger of itself and t. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Deadlines.

Section Rule.
  Variables Q T : nat.

  (* The guest gets work at t with the pair (c, d): whether it starts afresh. *)
  Definition stale (t c d : nat) : bool := (d <=? t) || ((d - t) * Q <=? c * T).

  Definition paid (b : behaviour) (t c : nat) : nat := c - (if runs b t then 1 else 0).
  (* Nothing is left, and the deadline has come. *)
  Definition renewed (t c d : nat) : bool := (c =? 0) && (d <=? t).

  (* A server: its budget c and its deadline d after the events of an instant, and when its guest has something ready. *)
  Record hard (c d : nat -> nat) (wanted : nat -> bool) (b : behaviour) : Prop := Hard {
    at_first : c 0 = Q /\ d 0 = if wanted 0 then T else 0;
    at_next : forall t,
      let again := renewed (S t) (paid b t (c t)) (d t) in
      let c' := if again then Q else paid b t (c t) in
      let d' := if again then d t + T else d t in
      let afresh := negb (wanted t) && wanted (S t) && stale (S t) c' d' in
      c (S t) = (if afresh then Q else c') /\ d (S t) = (if afresh then S t + T else d');
    when_ready : forall t, ready b t = wanted t && (0 <? c t);
    only_when_ready : forall t, runs b t = true -> ready b t = true }.

  Variables c d : nat -> nat.
  Variable wanted : nat -> bool.
  Variable b : behaviour.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis Q_le : Q <= T.
  Hypothesis R : hard c d wanted b.

  Let run (t : nat) : nat := if runs b t then 1 else 0.

  Lemma runs_on t : runs b t = true -> wanted t = true /\ 0 < c t.
  Proof.
    intros H. apply (only_when_ready _ _ _ _ R) in H. rewrite (when_ready _ _ _ _ R) in H.
    apply andb_true_iff in H. destruct H as [H G]. apply Nat.ltb_lt in G. tauto.
  Qed.
  Lemma run_le t : run t <= c t.
  Proof. unfold run. destruct (runs b t) eqn:E; [|lia]. apply runs_on in E. lia. Qed.
  Lemma stale_is t x y : stale t x y = true <-> y <= t \/ (y - t) * Q <= x * T.
  Proof. unfold stale. rewrite orb_true_iff, !Nat.leb_le. tauto. Qed.

  (* What an instant does to the pair. *)
  Inductive next (t : nat) : Prop :=
    | Keeps : c (S t) + run t = c t -> d (S t) = d t -> (wanted t = true \/ wanted (S t) = false \/
        S t < d (S t) /\ c (S t) * T < (d (S t) - S t) * Q) -> (0 < c (S t) \/ S t < d (S t)) -> next t
    | Renews : run t = c t -> d t <= S t -> c (S t) = Q -> d (S t) = d t + T -> (wanted t = true \/ wanted (S t) = false \/
        S t < d (S t) /\ c (S t) * T < (d (S t) - S t) * Q) -> next t
    | Afresh : wanted t = false -> wanted (S t) = true -> c (S t) = Q -> d (S t) = S t + T ->
        (d t <= S t \/ (d t - S t) * Q <= c t * T) -> run t = 0 -> c t <= Q -> next t.

  Lemma budget_most t : c t <= Q.
  Proof.
    induction t as [|t IH]; [destruct (at_first _ _ _ _ R) as [-> _]; lia|].
    destruct (at_next _ _ _ _ R t) as [-> _]. unfold paid.
    destruct (renewed _ _ _), (negb (wanted t) && wanted (S t) && _), (runs b t); lia.
  Qed.

  Lemma no_wake t : negb (wanted t) && wanted (S t) = false -> wanted t = true \/ wanted (S t) = false.
  Proof. destruct (wanted t), (wanted (S t)); simpl; auto; discriminate. Qed.

  Lemma step t : next t.
  Proof.
    assert (B := budget_most t). assert (RL := run_le t).
    assert (I : wanted t = false -> run t = 0).
    { intros W. unfold run. destruct (runs b t) eqn:E; [apply runs_on in E; destruct E; congruence|reflexivity]. }
    destruct (at_next _ _ _ _ R t) as [C D]. cbv zeta in C, D.
    change (paid b t (c t)) with (c t - run t) in C, D.
    destruct (renewed (S t) (c t - run t) (d t)) eqn:E; unfold renewed in E.
    - apply andb_true_iff in E. destruct E as [E F]. apply Nat.eqb_eq in E. apply Nat.leb_le in F.
      destruct (negb (wanted t) && wanted (S t)) eqn:G; simpl in C, D.
      + apply andb_true_iff in G. destruct G as [G W]. apply negb_true_iff in G. specialize (I G).
        destruct (stale (S t) Q (d t + T)) eqn:Z; [apply Afresh; auto; lia|].
        apply Renews; try assumption; [lia|]. right. right.
        assert (N : ~ (d (S t) <= S t \/ (d (S t) - S t) * Q <= c (S t) * T)).
        { intros N. rewrite C, D in N. apply stale_is in N. congruence. }
        lia.
      + apply Renews; try assumption; [lia|]. apply no_wake in G. tauto.
    - apply andb_false_iff in E. rewrite Nat.eqb_neq, Nat.leb_gt in E.
      destruct (negb (wanted t) && wanted (S t)) eqn:G; simpl in C, D.
      + apply andb_true_iff in G. destruct G as [G W]. apply negb_true_iff in G. specialize (I G).
        rewrite I, Nat.sub_0_r in *.
        destruct (stale (S t) (c t) (d t)) eqn:Z; [apply Afresh; auto; apply stale_is in Z; lia|].
        assert (N : ~ (d (S t) <= S t \/ (d (S t) - S t) * Q <= c (S t) * T)).
        { intros N. rewrite C, D in N. apply stale_is in N. congruence. }
        apply Keeps; try lia; right; right; lia.
      + apply Keeps; try lia. apply no_wake in G. tauto.
  Qed.

  (* The virtual time never falls. *)
  Lemma time_grows t : d t * Q + c (S t) * T + run t * T <= d (S t) * Q + c t * T.
  Proof.
    destruct (step t) as [C D _ _|C D C' D' _|W W' C D S' I Cm].
    - rewrite D. nia.
    - rewrite C', D'. nia.
    - rewrite C, D, I. assert (G : d t * Q <= S t * Q + c t * T) by nia. nia.
  Qed.
  Lemma deadline_mono t x : d t <= d (t + x).
  Proof.
    induction x as [|x IH]; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r.
    destruct (step (t + x)) as [C D _ _|C D C' D' _|W W' C D S' I Cm]; try lia.
    rewrite D. destruct S' as [S'|S']; [lia|]. assert (c (t + x) * T <= Q * T) by nia.
    assert (d (t + x) - S (t + x) <= T) by nia. lia.
  Qed.
  (* After the events of an instant there is budget, or the deadline is to come. *)
  Lemma waits t : c t = 0 -> t < d t.
  Proof.
    destruct t as [|t]; [destruct (at_first _ _ _ _ R); lia|].
    destruct (step t) as [C D _ X|C D C' D' _|W W' C D S' I Cm]; lia.
  Qed.

  (* So much is left of a budget. *)
  Lemma left_over t : d t + Q <= t + T + c t.
  Proof.
    induction t as [|t IH].
    - destruct (at_first _ _ _ _ R) as [-> ->]. destruct (wanted 0); lia.
    - destruct (step t) as [C D _ X|C D C' D' _|W W' C D S' I Cm]; unfold run in *; destruct (runs b t); lia.
  Qed.

  Definition member : dated := Dated b d.

  (* Where it becomes ready with a deadline up to D, its virtual time is no earlier. *)
  Lemma becomes_due D t : begins (due D member) t -> due D member t = true -> t * Q + c t * T <= d t * Q.
  Proof.
    unfold due, is_ready_of. simpl. intros B H. apply andb_true_iff in H. destruct H as [H L]. apply Nat.leb_le in L.
    rewrite (when_ready _ _ _ _ R) in H. apply andb_true_iff in H. destruct H as [W C]. apply Nat.ltb_lt in C.
    destruct t as [|t].
    - destruct (at_first _ _ _ _ R) as [-> ->]. rewrite W. nia.
    - simpl in B. rewrite (when_ready _ _ _ _ R) in B.
      destruct (step t) as [C' D' K _|C' D' C2 D2 K|W' W2 C2 D2 S' I Cm].
      + destruct K as [K|[K|[K1 K2]]]; [|congruence|nia].
        rewrite K in B. simpl in B. rewrite D' in L.
        destruct (Nat.ltb_spec 0 (c t)); simpl in B; [apply Nat.leb_gt in B; lia|]. lia.
      + destruct K as [K|[K|[K1 K2]]]; [|congruence|nia].
        rewrite K in B. simpl in B.
        destruct (Nat.ltb_spec 0 (c t)) as [Z|Z]; simpl in B; [apply Nat.leb_gt in B; lia|].
        assert (Y := waits t ltac:(lia)). rewrite C2, D2. nia.
      + rewrite C2, D2. nia.
  Qed.

  (* In a window that begins there: what it used, and what is left of its budget. *)
  Lemma used_and_left D t x : begins (due D member) t ->
    let used := count (uses D member) (t + x) - count (uses D member) t in
    T * used <= Q * (D - t)
    /\ (used = 0 /\ begins (due D member) (t + x) \/ T * used + t * Q + c (t + x) * T <= d (t + x) * Q).
  Proof.
    intros B. cbv zeta. induction x as [|x [IH1 IH2]]; [rewrite Nat.add_0_r, Nat.sub_diag, Nat.mul_0_r; split; [apply Nat.le_0_l|left; tauto]|].
    set (s := t + x) in *. rewrite Nat.add_succ_r. fold s. assert (M := count_mono (uses D member) t s ltac:(unfold s; lia)).
    assert (U : T * (count (uses D member) s - count (uses D member) t) + t * Q + c s * T <= d s * Q \/ due D member s = false
      /\ count (uses D member) s - count (uses D member) t = 0).
    { destruct IH2 as [[Z N]|G]; [|left; exact G]. destruct (due D member s) eqn:E; [left|right; auto].
      rewrite Z. assert (X := becomes_due D s N E).
      assert (t * Q <= s * Q) by (apply Nat.mul_le_mono_r; unfold s; lia). lia. }
    rewrite count_S. unfold uses at 2 5 8. unfold runs_of. simpl does. simpl deadline.
    assert (V := time_grows s). unfold run in V.
    destruct U as [U|[N Z]].
    - destruct (runs b s) eqn:E; simpl.
      + apply runs_on in E. destruct E as [_ E].
        destruct (Nat.leb_spec (d s) D) as [L|L].
        * split; [|right]; nia.
        * rewrite Nat.add_0_r. split; [exact IH1|right; nia].
      + rewrite Nat.add_0_r. split; [exact IH1|right; nia].
    - assert (F : runs b s && (d s <=? D) = false).
      { destruct (runs b s) eqn:E; [|reflexivity]. simpl. apply (only_when_ready _ _ _ _ R) in E.
        unfold due, is_ready_of in N. simpl in N. rewrite E in N. exact N. }
      rewrite F. rewrite Nat.add_0_r, Z, Nat.mul_0_r. split; [apply Nat.le_0_l|left]. split; [reflexivity|]. exact N.
  Qed.

  Theorem bandwidth_demand D t x : begins (due D member) t ->
    T * count (uses D member) (t + x) <= T * count (uses D member) t + Q * (D - t).
  Proof.
    intros B. destruct (used_and_left D t x B) as [H _].
    assert (M := count_mono (uses D member) t (t + x) ltac:(lia)). nia.
  Qed.
  Lemma bandwidth_left D t x : begins (due D member) t -> due D member (t + x) = true ->
    T * (count (uses D member) (t + x) - count (uses D member) t) + t * Q + c (t + x) * T <= d (t + x) * Q.
  Proof.
    intros B E. destruct (used_and_left D t x B) as [_ [[Z N]|H]]; [|exact H].
    rewrite Z. assert (X := becomes_due D (t + x) N E).
    assert (t * Q <= (t + x) * Q) by (apply Nat.mul_le_mono_r; lia). lia.
  Qed.
End Rule.
