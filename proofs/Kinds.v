(* Pages: docs/model.md, rules V1, V2 and V4, and the first three rows of their table; docs/theory/loads.md, the rows of
   the same; docs/theory/polling-server.md.
   What it says: what these servers take from others and provide to their guests, from their rules.
     Load: ceil(x / T) Q in a window that begins when the server is not ready; deferrable, in any window,
     ceil((x + T - Q) / T) Q. Supply: that of FixedPriorityServer.v with the wait T - Q; polling, T - 1.
   Assumptions: those rules. The replenishments of a server come at the instants t with t mod T = phase. *)
Require Import Arith Lia Bool.
From Vorrang Require Import Schedule Loads FixedPriorityServer.

Inductive kind := Periodic | Polling | Deferrable.

Section Rule.
  Variables Q T phase : nat.
  Definition again (t : nat) : bool := t mod T =? phase.

  (* A server: its budget after the events of an instant, when its guest has something ready, and what it does. *)
  Record rule (k : kind) (budget : nat -> nat) (wanted : nat -> bool) (b : behaviour) : Prop := Rule {
    has_phase : phase < T;
    at_first : budget 0 =
      match k with
      | Deferrable => Q
      | Periodic => if again 0 then Q else 0
      | Polling => if wanted 0 then (if again 0 then Q else 0) else 0 end;
    at_next : forall t, budget (S t) =
      let left := if again (S t) then Q else budget t - (if runs b t then 1 else 0) in
      match k with Polling => if wanted (S t) then left else 0 | _ => left end;
    when_ready : forall t, ready b t =
      (0 <? budget t) && match k with Periodic => true | _ => wanted t end;
    only_when_ready : forall t, runs b t = true -> ready b t = true;
    (* A periodic server has its first budget when its guest is started. *)
    starts : forall t, wanted t = true -> match k with Periodic => phase <= t | _ => True end }.

  Variable k : kind.
  Variable budget : nat -> nat.
  Variable wanted : nat -> bool.
  Variable b : behaviour.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis Q_le : Q <= T.
  Hypothesis R : rule k budget wanted b.

  Lemma next_again t : exists d, 1 <= d <= T /\ again (t + d) = true /\
    forall e, 0 < e < d -> again (t + e) = false.
  Proof.
    assert (P := has_phase _ _ _ _ R). assert (E := Nat.div_mod t T ltac:(lia)).
    assert (U := Nat.mod_upper_bound t T ltac:(lia)). set (r := t mod T) in *. set (n := t / T) in *.
    exists (if r <? phase then phase - r else T + phase - r).
    destruct (Nat.ltb_spec r phase) as [H|H]; (split; [lia|]); split; unfold again.
    - replace (t + (phase - r)) with (phase + n * T) by lia. rewrite Nat.mod_add, Nat.mod_small by lia.
      apply Nat.eqb_refl.
    - intros e E'. replace (t + e) with ((r + e) + n * T) by lia. rewrite Nat.mod_add, Nat.mod_small by lia.
      apply Nat.eqb_neq. lia.
    - replace (t + (T + phase - r)) with (phase + S n * T) by lia. rewrite Nat.mod_add, Nat.mod_small by lia.
      apply Nat.eqb_refl.
    - intros e E'. apply Nat.eqb_neq. destruct (Nat.lt_ge_cases (r + e) T) as [L|L].
      + replace (t + e) with ((r + e) + n * T) by lia. rewrite Nat.mod_add, Nat.mod_small by lia. lia.
      + replace (t + e) with ((r + e - T) + S n * T) by lia. rewrite Nat.mod_add, Nat.mod_small by lia. lia.
  Qed.

  Lemma again_again t n : again t = true -> again (t + n * T) = true /\
    forall e, 0 < e < T -> again (t + n * T + e) = false.
  Proof.
    intros A. assert (P := has_phase _ _ _ _ R). unfold again in *. apply Nat.eqb_eq in A.
    assert (E := Nat.div_mod t T ltac:(lia)). rewrite A in E. split.
    - rewrite Nat.mod_add by lia. apply Nat.eqb_eq, A.
    - intros e E'. apply Nat.eqb_neq. destruct (Nat.lt_ge_cases (phase + e) T) as [L|L].
      + replace (t + n * T + e) with ((phase + e) + (t / T + n) * T) by nia.
        rewrite Nat.mod_add, Nat.mod_small by lia. lia.
      + replace (t + n * T + e) with ((phase + e - T) + S (t / T + n) * T) by nia.
        rewrite Nat.mod_add, Nat.mod_small by lia. lia.
  Qed.

  Lemma budget_most t : budget t <= Q.
  Proof.
    induction t as [|t IH].
    - rewrite (at_first _ _ _ _ R). destruct k, (again 0), (wanted 0); lia.
    - rewrite (at_next _ _ _ _ R). cbv zeta. destruct k, (again (S t)), (wanted (S t)), (runs b t); lia.
  Qed.

  (* As a load. *)

  Lemma runs_on_budget t : runs b t = true -> 0 < budget t.
  Proof.
    intros H. apply (only_when_ready _ _ _ _ R) in H. rewrite (when_ready _ _ _ _ R) in H.
    apply andb_true_iff in H. destruct H as [H _]. apply Nat.ltb_lt in H. exact H.
  Qed.
  (* Until the next replenishment no more than the budget is used. *)
  Lemma uses_budget t d : (forall e, 0 < e < d -> again (t + e) = false) ->
    forall e, e <= d -> count (runs b) (t + e) <= count (runs b) t + budget t.
  Proof.
    intros N.
    assert (H : forall e, e < d -> count (runs b) (t + e) + budget (t + e) <= count (runs b) t + budget t).
    { induction e as [|e IH]; intros E; [rewrite Nat.add_0_r; lia|].
      specialize (IH ltac:(lia)). assert (A := N (S e) ltac:(lia)). rewrite Nat.add_succ_r in *.
      rewrite count_S, (at_next _ _ _ _ R), A. assert (B := runs_on_budget (t + e)).
      cbv zeta. destruct (runs b (t + e)); [specialize (B eq_refl)|]; destruct k, (wanted (S (t + e))); lia. }
    intros e E. destruct e as [|e]; [rewrite Nat.add_0_r; lia|].
    specialize (H e ltac:(lia)). rewrite Nat.add_succ_r, count_S.
    assert (B := runs_on_budget (t + e)). destruct (runs b (t + e)); [specialize (B eq_refl)|]; lia.
  Qed.
  Lemma uses_periods t n y : again t = true -> y <= T ->
    count (runs b) (t + n * T + y) <= count (runs b) t + n * Q + min Q y.
  Proof.
    intros A. revert y.
    assert (one : forall m y, y <= T ->
      count (runs b) (t + m * T + y) <= count (runs b) (t + m * T) + min Q y).
    { intros m y Y. destruct (again_again t m A) as [_ N].
      assert (U := uses_budget (t + m * T) T N y Y). assert (B := budget_most (t + m * T)).
      assert (M := count_most (runs b) (t + m * T) y). lia. }
    induction n as [|n IH]; intros y Y.
    - assert (O := one 0 y Y). simpl in *. rewrite !Nat.add_0_r in *. exact O.
    - specialize (IH T ltac:(lia)). assert (O := one (S n) y Y).
      replace (t + n * T + T) with (t + S n * T) in IH by (simpl; lia). simpl in *. lia.
  Qed.
  (* With [d] to the next replenishment, and [c] used before it. *)
  Lemma uses_from t d x c : again (t + d) = true -> d <= x ->
    count (runs b) (t + d) <= count (runs b) t + c ->
    exists n y, x = d + n * T + y /\ y < T /\ count (runs b) (t + x) <= count (runs b) t + c + n * Q + min Q y.
  Proof.
    intros A D C. exists ((x - d) / T), ((x - d) mod T).
    assert (E := Nat.div_mod (x - d) T ltac:(lia)). assert (U := Nat.mod_upper_bound (x - d) T ltac:(lia)).
    assert (P := uses_periods (t + d) ((x - d) / T) ((x - d) mod T) A ltac:(lia)).
    replace (t + d + (x - d) / T * T + (x - d) mod T) with (t + x) in P by lia. repeat split; lia.
  Qed.

  Theorem deferrable_load t x : count (runs b) (t + x) <= count (runs b) t + ceil (x + (T - Q)) T * Q.
  Proof.
    destruct (Nat.eq_dec x 0) as [->|X]; [rewrite Nat.add_0_r; lia|].
    assert (one : 1 <= ceil (x + (T - Q)) T) by (apply (ceil_above _ T 0); lia).
    destruct (next_again t) as [d [D [A N]]]. assert (B := budget_most t).
    destruct (Nat.le_gt_cases x d) as [H|H].
    { assert (U := uses_budget t d N x H). apply (Nat.mul_le_mono_r _ _ Q) in one. lia. }
    assert (U := uses_budget t d N d ltac:(lia)). assert (M := count_most (runs b) t d).
    destruct (uses_from t d x (min Q d) A ltac:(lia) ltac:(lia)) as [n [y [E [Y C]]]].
    assert (Full : forall m, m * T < x + (T - Q) -> S m * Q <= ceil (x + (T - Q)) T * Q)
      by (intros m L; apply Nat.mul_le_mono_r, ceil_above; lia).
    destruct (Nat.le_gt_cases (d + y) Q) as [H'|H'].
    - assert (F := Full n ltac:(lia)). clear - F C H'. lia.
    - destruct (Nat.le_gt_cases Q d) as [G|G].
      + destruct y as [|y].
        * assert (F := Full n ltac:(lia)). clear - F C. lia.
        * assert (F := Full (S n) ltac:(simpl; lia)). clear - F C. lia.
      + assert (F := Full (S n) ltac:(simpl; lia)). clear - F C. lia.
  Qed.

  Theorem other_load t x : k <> Deferrable -> begins (ready b) t ->
    count (runs b) (t + x) <= count (runs b) t + ceil x T * Q.
  Proof.
    intros K B.
    (* Nothing is left just before, so nothing is used up to the next replenishment. *)
    assert (H : exists d, d <= T /\ again (t + d) = true /\
      forall e, e <= d -> count (runs b) (t + e) <= count (runs b) t).
    { destruct (again t) eqn:A.
      - exists 0. rewrite Nat.add_0_r. repeat split; [lia|exact A|]. intros e E.
        replace (t + e) with t by lia. lia.
      - destruct (next_again t) as [d [D [A' N]]]. exists d. repeat split; [lia|exact A'|].
        assert (Z : budget t = 0).
        { destruct t as [|t].
          - rewrite (at_first _ _ _ _ R), A. destruct k, (wanted 0); congruence.
          - simpl in B. assert (S' := at_next _ _ _ _ R t). rewrite A in S'. cbv zeta in S'.
            rewrite (when_ready _ _ _ _ R) in B.
            assert (Z : k = Polling /\ wanted t = false -> budget t = 0).
            { intros [-> W]. destruct t; [rewrite (at_first _ _ _ _ R)|rewrite (at_next _ _ _ _ R)]; rewrite W; reflexivity. }
            destruct (Nat.ltb_spec 0 (budget t)) as [L|L]; simpl in B.
            + destruct k; [discriminate|rewrite Z in L by auto; lia|congruence].
            + destruct k, (wanted (S t)), (runs b t); lia. }
        intros e E. assert (U := uses_budget t d N e E). lia. }
    destruct H as [d [D [A N]]]. destruct (Nat.le_gt_cases x d) as [H|H]; [specialize (N x H); lia|].
    destruct (uses_from t d x 0 A ltac:(lia) ltac:(specialize (N d ltac:(lia)); lia)) as [n [y [E [Y C]]]].
    destruct y as [|y].
    - destruct (Nat.eq_dec n 0) as [->|Z]; [lia|].
      assert (F := ceil_above x T (n - 1) ltac:(lia) ltac:(nia)). nia.
    - assert (F := ceil_above x T n ltac:(lia) ltac:(lia)). nia.
  Qed.

  (* As a supply. *)

  Definition wait : nat := match k with Polling => T - 1 | _ => T - Q end.

  Lemma again_before t : again (t + T) = true -> again t = true.
  Proof.
    assert (P := has_phase _ _ _ _ R). unfold again. replace (t + T) with (t + 1 * T) by lia.
    rewrite Nat.mod_add by lia. auto.
  Qed.

  (* What is not used since a replenishment is left, but of a polling server. *)
  Lemma unused t : k <> Polling -> forall d, 1 <= d <= T -> again (t + d) = true ->
    (forall e, 0 < e < d -> again (t + e) = false) -> Q + d <= budget t + T \/ k = Periodic /\ t < phase.
  Proof.
    assert (P := has_phase _ _ _ _ R). intros K. induction t as [|t IH]; intros d D A N.
    - assert (B := at_first _ _ _ _ R). destruct k; [|congruence|left; lia].
      destruct (again 0) eqn:E; [left; lia|]. right. split; [reflexivity|].
      unfold again in E. apply Nat.eqb_neq in E. rewrite Nat.mod_0_l in E by lia. lia.
    - assert (B := at_next _ _ _ _ R t). cbv zeta in B. destruct (again (S t)) eqn:E.
      { left. destruct k; [lia|congruence|lia]. }
      assert (D' : d < T).
      { destruct (Nat.eq_dec d T) as [->|]; [|lia]. apply again_before in A. congruence. }
      destruct (IH (S d) ltac:(lia)) as [H|[H H']].
      { rewrite Nat.add_succ_r. exact A. }
      { intros e E'. destruct e as [|e]; [lia|]. destruct e as [|e]; [rewrite Nat.add_1_r; exact E|].
        rewrite Nat.add_succ_r. apply (N (S e)). lia. }
      { left. destruct k; [|congruence|]; destruct (runs b t); lia. }
      right. split; [exact H|]. destruct (Nat.eq_dec (S t) phase) as [F|]; [|lia].
      exfalso. unfold again in E. rewrite Nat.mod_small in E by lia. apply Nat.eqb_neq in E. lia.
  Qed.

  (* So much is left d before a replenishment. *)
  Lemma left_over t d : wanted t = true -> 1 <= d <= T -> again (t + d) = true ->
    (forall e, 0 < e < d -> again (t + e) = false) -> d <= wait \/ T - Q <= wait /\ Q + d <= budget t + T.
  Proof.
    intros W D A N. assert (U := fun K => unused t K d D A N). assert (S' := starts _ _ _ _ R t W).
    assert (B : again t = true -> k = Polling -> budget t = Q).
    { intros A' ->. destruct t; [rewrite (at_first _ _ _ _ R)|rewrite (at_next _ _ _ _ R)]; rewrite W, A'; reflexivity. }
    assert (F := again_before t). unfold wait. destruct k.
    - destruct (U ltac:(congruence)) as [H|[_ H]]; lia.
    - destruct (Nat.eq_dec d T) as [->|]; [|left; lia]. right. rewrite (B (F A) eq_refl). lia.
    - destruct (U ltac:(congruence)) as [H|[H _]]; [right; lia|discriminate].
  Qed.

  Variable lev : nat -> nat -> Prop.
  Hypothesis level_gives : gives lev.
  Hypothesis level_serves : forall r x, lev r x -> receives (runs b) (fun u => ready b u && wanted u) r x.
  Hypothesis in_period : lev Q T.

  Theorem kind_provides w y : fresh lev Q T w y -> receives (runs b) wanted w (wait + y).
  Proof.
    apply server with (budget := budget) (own_ready := fun u => ready b u && wanted u) (again := again); auto.
    - apply next_again.
    - intros t n A. apply again_again, A.
    - intros t V V' A. rewrite (at_next _ _ _ _ R), A, V'. cbv zeta. destruct k, (runs b t); lia.
    - intros t A V. destruct t; [rewrite (at_first _ _ _ _ R)|rewrite (at_next _ _ _ _ R); cbv zeta]; rewrite ?V, ?A; destruct k; lia.
    - intros t V B. cbv beta. rewrite (when_ready _ _ _ _ R), V. apply Nat.ltb_lt in B. rewrite B. destruct k; reflexivity.
    - apply left_over.
  Qed.
End Rule.
