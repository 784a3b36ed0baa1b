(* Pages: docs/theory/refill-queue.md; docs/theory/loads.md, the row of it.
   What it says: a queue of refills takes at most ceil(x / T) Q in a window that begins when it is not ready, and gives its
     guest what the server of FixedPriorityServer.v gives with the budget Q' = Q - m + 1 and the wait 2 (T - Q').
   Assumptions: the rule of Refills.v; Q < T, and two refills at least. For the supply: 1 <= m <= Q, y(Q) <= T, and the
     guest has work throughout. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads FixedPriorityServer SporadicServer Refills.
Import ListNotations.

(* A server whose queue is short, or whose last refill reaches to where the first one returns, puts nothing off. *)
Definition settled (T most : nat) (q : list refill) : Prop := reach q = fst (head q) + T \/ length q < most.

Section Queue.
  Variables Q T most least : nat.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis Q_less : Q < T.
  Hypothesis two : 2 <= most.

  Lemma charge_gives x q : q <> [] -> spaced (fst (head q)) q (fst (head q) + T) -> total q = Q -> length q <= most ->
    0 < x <= snd (head q) ->
    let p := fst (head q) in
    let q' := charge T most least x q in
    spaced (p + x) q' (p + T + x) /\ total q' = Q /\ later (times T x q) (units q') /\ q' <> [] /\ length q' <= most
    /\ let same := forall i, least <= S i -> nth i (units q') 0 = nth i (times T x q) 0 in
       (settled T most q -> settled T most q' /\ same) /\ (same \/ settled T most q').
  Proof.
    destruct q as [|[r a] rest]; [congruence|]. intros _ Sp To Le X. cbv zeta. simpl head in *. simpl fst in *. simpl snd in *.
    unfold charge. destruct (Nat.eqb_spec x 0) as [|_]; [lia|]. simpl head. simpl fst.
    set (left := left_of x ((r, a) :: rest)). set (q1 := append (length left <? most) left (r + T, x)).
    simpl in Sp. unfold ends in Sp. simpl in Sp. destruct Sp as [_ [A Sp]]. simpl in To.
    assert (Sl : spaced (r + x) left (r + T) /\ units left = skipn x (units ((r, a) :: rest)) /\ total left + x = Q
      /\ (x = a /\ left = rest \/ x < a /\ left = (r + x, a - x) :: rest)).
    { unfold left, left_of. simpl units. destruct (Nat.eqb_spec x a) as [->|N].
      - split; [exact Sp|]. split; [|split; [lia|left; auto]].
        rewrite skipn_app, seq_length, Nat.sub_diag, skipn_all2 by (rewrite seq_length; lia). reflexivity.
      - split; [simpl; unfold ends; simpl; replace (r + x + (a - x)) with (r + a) by lia; repeat split; try lia; exact Sp|].
        split; [|split; [simpl; lia|right; split; [lia|reflexivity]]]. simpl units.
        replace (seq r a) with (seq r x ++ seq (r + x) (a - x)) by (rewrite <- seq_app; f_equal; lia).
        rewrite <- app_assoc, skipn_app, seq_length, Nat.sub_diag, skipn_all2 by (rewrite seq_length; lia). reflexivity. }
    destruct Sl as [Sl [Ul [Tl Cases]]].
    assert (Ti : times T x ((r, a) :: rest) = units left ++ seq (r + T) x) by (unfold times; rewrite Ul; reflexivity).
    destruct (append_gives (length left <? most) left (r + x) (r + T) x Sl ltac:(lia) ltac:(lia))
      as [G1 [G2 [G3 [G4 [G5 [G6 [G7 G8]]]]]]].
    fold q1 in G1, G2, G3, G4, G5, G6, G7, G8. rewrite <- Ti in G3, G8. simpl length in *.
    unfold enlarge. destruct q1 as [|first others] eqn:E1; [congruence|].
    destruct (merge_gives least first others (r + x) (r + T + x) G1) as [M1 [M2 [M3 [M4 [M5 [M6 M7]]]]]].
    set (q' := merge least first others) in *.
    assert (L1 : length (first :: others) <= most).
    { clear - Le Cases G6. destruct (Nat.ltb_spec (length left) most) as [K|K];
        destruct Cases as [[_ Ec]|[_ Ec]]; rewrite Ec in *; simpl in *; lia. }
    assert (L2 : length q' <= length (first :: others)) by (destruct M6 as [->|M6]; simpl; lia).
    assert (Lq : length left <= length ((r, a) :: rest)) by (destruct Cases as [[_ ->]|[_ ->]]; simpl; lia).
    split; [exact M1|]. split; [rewrite M2; simpl in G2; lia|]. split; [exact (later_trans _ _ _ G3 M3)|].
    split; [exact M4|]. split; [lia|].
    destruct Cases as [[Xa Ec]|[Xa Ec]].
    - (* As a whole: there is room for it. *)
      assert (R : (length left <? most) = true) by (apply Nat.ltb_lt; rewrite Ec; lia).
      assert (same : forall i, least <= S i -> nth i (units q') 0 = nth i (times T x ((r, a) :: rest)) 0).
      { intros i I. rewrite M7, G8 by auto. reflexivity. }
      split; [|left; exact same]. intros St. split; [|exact same]. right. destruct St as [St|St].
      + assert (N : rest <> []) by (intros ->; unfold reach, ends in St; simpl in St, To; lia).
        rewrite Ec in G7. assert (Er : reach rest = r + T) by (unfold reach in *; destruct rest; [congruence|exact St]).
        specialize (G7 N Er). lia.
      + rewrite R in G6. rewrite Ec in G6. simpl length in *. lia.
    - (* In part: the next part joins it. *)
      assert (Re : reach left = reach ((r, a) :: rest)).
      { rewrite Ec. unfold reach. destruct rest; [unfold ends; simpl; lia|reflexivity]. }
      assert (Nl : left <> []) by (rewrite Ec; discriminate).
      assert (Hd : fst (head (first :: others)) = r + x).
      { rewrite <- E1. unfold q1. rewrite append_head; [rewrite Ec; reflexivity| |exact Nl].
        destruct (Nat.ltb_spec (length left) most); [left; reflexivity|right; left; lia]. }
      assert (St : settled T most q').
      { destruct M6 as [M6|M6]; [left|right; simpl in L1; lia]. rewrite M5, M6, G4, Hd. lia. }
      split; [|right; exact St]. intros Sq. split; [exact St|]. intros i I.
      assert (Rm : (length left <? most) = true \/ reach left = r + T \/ left = []).
      { destruct Sq as [Sq|Sq]; [right; left; rewrite Re; exact Sq|left; apply Nat.ltb_lt; rewrite Ec; exact Sq]. }
      rewrite M7, G8 by assumption. reflexivity.
  Qed.

  (* To use a unit is to take the first time away, and to add one that is T later. *)
  Lemma skipn_seq x r a l : x < a -> skipn x (seq r a ++ l) = (r + x) :: skipn (S x) (seq r a ++ l).
  Proof.
    revert r a. induction x as [|x IH]; intros r [|a] H; try lia; [simpl; rewrite Nat.add_0_r; reflexivity|].
    change (skipn (S x) (seq r (S a) ++ l)) with (skipn x (seq (S r) a ++ l)).
    change (skipn (S (S x)) (seq r (S a) ++ l)) with (skipn (S x) (seq (S r) a ++ l)). rewrite IH by lia. f_equal. lia.
  Qed.
  Lemma use_one x q : q <> [] -> x < snd (head q) ->
    exists l, times T x q = (fst (head q) + x) :: l /\ times T (S x) q = l ++ [fst (head q) + x + T].
  Proof.
    destruct q as [|[r a] rest]; [congruence|]. simpl head. simpl fst. simpl snd. intros _ H.
    exists (skipn (S x) (units ((r, a) :: rest)) ++ seq (r + T) x). unfold times. simpl head. simpl fst. split.
    - simpl units. rewrite skipn_seq by exact H. reflexivity.
    - rewrite seq_S, app_assoc. replace (r + x + T) with (r + T + x) by lia. reflexivity.
  Qed.

  Variable queue : nat -> list refill.
  Variable used : nat -> nat.
  Variables charges wanted : nat -> bool.
  Variable b : behaviour.
  Hypothesis R : refill_queue Q T most least queue used charges wanted b.

  Let first t := fst (head (queue t)).
  Let all t := times T (used t) (queue t).
  Let after t := used t + (if runs b t then 1 else 0).

  Record queued (t : nat) : Prop := Queued {
    some : queue t <> [];
    in_order : spaced (first t) (queue t) (min (first t) t + T);
    whole : total (queue t) = Q;
    held : length (queue t) <= most;
    not_all : used t < snd (head (queue t));
    since : 0 < used t -> first t + used t <= t }.

  Lemma spaced_positive lo q hi : spaced lo q hi -> q <> [] -> 0 < snd (head q).
  Proof. destruct q; simpl; [congruence|tauto]. Qed.

  Lemma step t : queued t ->
    queued (S t) /\ later (times T (after t) (queue t)) (all (S t)) /\
    (wanted t = true ->
      let same := forall i, least <= S i -> nth i (all (S t)) 0 = nth i (times T (after t) (queue t)) 0 in
      (settled T most (queue t) -> settled T most (queue (S t)) /\ same)
      /\ (same \/ settled T most (queue (S t)) /\ chain (first t + after t) (all (S t)) (first t + T + after t) /\ 0 < after t)).
  Proof.
    intros [So In Wh He Na Si]. assert (N := at_next _ _ _ _ _ _ _ _ _ R t). cbv zeta in N. fold (after t) in N.
    assert (Use : runs b t = true -> first t <= t).
    { intros E. apply (only_when_ready _ _ _ _ _ _ _ _ _ R) in E. rewrite (when_ready _ _ _ _ _ _ _ _ _ R) in E.
      apply andb_true_iff in E. destruct E as [_ E]. apply Nat.leb_le in E. exact E. }
    assert (Af : after t <= snd (head (queue t)) /\ (0 < after t -> first t + after t <= S t)).
    { unfold after in *. destruct (runs b t); [specialize (Use eq_refl)|]; split; try lia; intros _; destruct (Nat.eq_dec (used t) 0); lia. }
    destruct Af as [Af As]. set (x := after t) in *. set (wakes := negb (wanted t) && wanted (S t)) in *.
    assert (Sp : spaced (first t) (queue t) (first t + T)) by (eapply spaced_more; [|exact In]; lia).
    destruct ((x =? snd (head (queue t))) || charges (S t) || wakes) eqn:C.
    - destruct N as [U Qu]. set (q := charge T most least x (queue t)) in *.
      (* What is charged. *)
      assert (K : q <> [] /\ spaced (fst (head q)) q (min (fst (head q)) (S t) + T) /\ total q = Q /\ length q <= most
        /\ later (times T x (queue t)) (units q)
        /\ let same := forall i, least <= S i -> nth i (units q) 0 = nth i (times T x (queue t)) 0 in
           (settled T most (queue t) -> settled T most q /\ same)
           /\ (same \/ settled T most q /\ chain (first t + x) (units q) (first t + T + x) /\ 0 < x)).
      { destruct (Nat.eq_dec x 0) as [Z|Z].
        - assert (Eq : q = queue t) by (unfold q, charge; rewrite Z; reflexivity). rewrite Eq, Z.
          assert (Et : times T 0 (queue t) = units (queue t)) by (unfold times; simpl; apply app_nil_r). rewrite Et.
          fold (first t). repeat split; auto; [eapply spaced_more; [|exact In]; lia|apply later_refl].
        - destruct (charge_gives x (queue t) So Sp Wh He ltac:(lia)) as [G1 [G2 [G3 [G4 [G5 [G6 G7]]]]]].
          fold q in G1, G2, G3, G4, G5, G6, G7. fold (first t) in G1. destruct (spaced_head _ _ _ G1 G4) as [H1 H2].
          specialize (As ltac:(lia)). split; [exact G4|]. split; [eapply spaced_more; [|exact H1]; lia|].
          split; [exact G2|]. split; [exact G5|]. split; [exact G3|]. cbv zeta. split; [exact G6|].
          destruct G7 as [G7|G7]; [left; exact G7|right]. split; [exact G7|]. split; [exact (spaced_chain _ _ _ G1)|lia]. }
      destruct K as [K1 [K2 [K3 [K4 [K5 K6]]]]]. unfold all. rewrite U.
      assert (At : times T 0 (queue (S t)) = units (queue (S t))) by (unfold times; simpl; apply app_nil_r). rewrite At.
      destruct wakes eqn:W.
      + (* It wakes. *)
        assert (Wt : wanted t = false).
        { unfold wakes in W. apply andb_true_iff in W. destruct W as [W _]. apply negb_true_iff in W. exact W. }
        destruct q as [|[r a] rest] eqn:Eq; [congruence|]. simpl head in K2. simpl fst in K2. simpl wake in Qu.
        destruct (Nat.leb_spec r (S t)) as [L|L].
        * simpl in K2. unfold ends in K2. simpl in K2. destruct K2 as [_ [A K2]]. simpl in K3.
          destruct (absorb_gives (S t) rest a (seq r a) (r + a) (min r (S t) + T) T K2 A ltac:(lia) ltac:(lia)
            (seq_length _ _) (later_seq _ _ _ L)) as [G1 [G2 [G3 [G4 G5]]]]. rewrite <- Qu in G1, G2, G3, G4, G5.
          assert (F : first (S t) = S t) by (unfold first; rewrite Qu; apply absorb_head).
          split; [|split; [exact (later_trans _ _ _ K5 G3)|congruence]].
          constructor; rewrite ?F, ?U; try lia; try assumption.
          -- rewrite Nat.min_id. exact G1.
          -- simpl in K4. lia.
          -- exact (spaced_positive _ _ _ G1 G4).
        * split; [|split; [rewrite Qu; exact K5|congruence]].
          constructor; unfold first; rewrite ?Qu, ?U; try lia; try assumption. exact (spaced_positive _ _ _ K2 K1).
      + (* It does not. *)
        split; [|split; [rewrite Qu; exact K5|intros _; rewrite Qu; exact K6]].
        constructor; unfold first; rewrite ?Qu, ?U; try lia; try assumption. exact (spaced_positive _ _ _ K2 K1).
    - destruct N as [U Qu]. apply orb_false_iff in C. destruct C as [C _]. apply orb_false_iff in C. destruct C as [C _].
      apply Nat.eqb_neq in C. unfold all. rewrite U, Qu. split; [|split; [apply later_refl|intros _; cbv zeta; auto]].
      constructor; unfold first; rewrite ?Qu, ?U; try assumption; try lia.
      + eapply spaced_more; [|exact In]. fold (first t). lia.
  Qed.

  Lemma always t : queued t.
  Proof.
    induction t as [|t IH]; [|exact (proj1 (step t IH))]. destruct (at_first _ _ _ _ _ _ _ _ _ R) as [E U].
    constructor; unfold first; rewrite ?E, ?U; simpl; try lia; [discriminate|]. unfold ends. simpl. lia.
  Qed.
  Lemma in_chain t : chain (first t + used t) (all t) (t + T) /\ length (all t) = Q.
  Proof.
    destruct (always t) as [So In Wh He Na Si]. fold (first t) in *. unfold all, times. fold (first t).
    assert (C := spaced_chain _ _ _ In). assert (L := total_units (queue t)).
    assert (Le : snd (head (queue t)) <= total (queue t)) by (destruct (queue t); simpl; [congruence|lia]).
    split; [|rewrite app_length, skipn_length, seq_length; lia].
    destruct (Nat.eq_dec (used t) 0) as [->|N].
    - simpl. rewrite app_nil_r, Nat.add_0_r. eapply chain_more; [|exact C]; lia.
    - specialize (Si ltac:(lia)). apply chain_app with (first t + T).
      + apply chain_skipn; [|lia]. eapply chain_more; [|exact C]; lia.
      + apply (chain_more _ _ (first t + T + used t)); [lia|apply chain_seq].
  Qed.

  (* As a load: how often the units can be used before y, all together. *)
  Definition uses_before (y : nat) (l : list nat) : nat := list_sum (map (fun s => ceil (y - s) T) l).

  Lemma uses_later y l l' : later l l' -> uses_before y l' <= uses_before y l.
  Proof.
    unfold uses_before. intros H. induction H as [|s s' l l' A B IH]; simpl; [lia|].
    assert (C := ceil_mono (y - s') (y - s) T ltac:(lia) ltac:(lia)). lia.
  Qed.
  Lemma uses_chain y lo l hi : chain lo l hi -> uses_before y l <= length l * ceil (y - lo) T.
  Proof.
    unfold uses_before. revert lo. induction l as [|s l IH]; simpl; intros lo C; [lia|]. destruct C as [A C].
    assert (I : list_sum (map (fun s => ceil (y - s) T) l) <= length l * ceil (y - lo) T) by (apply IH; eapply chain_less; [|exact C]; lia).
    assert (D := ceil_mono (y - s) (y - lo) T ltac:(lia) ltac:(lia)). lia.
  Qed.
  Lemma one_less y s : s < y -> S (ceil (y - (s + T)) T) <= ceil (y - s) T.
  Proof.
    intros H. destruct (Nat.le_gt_cases (y - s) T) as [G|G].
    - replace (y - (s + T)) with 0 by lia. assert (Z : ceil 0 T = 0) by (apply Nat.div_small; lia). rewrite Z.
      apply (ceil_above _ T 0); lia.
    - unfold ceil. replace (y - s + T - 1) with (y - (s + T) + T - 1 + 1 * T) by lia. rewrite Nat.div_add by lia. lia.
  Qed.
  Lemma uses_app y l l' : uses_before y (l ++ l') = uses_before y l + uses_before y l'.
  Proof. unfold uses_before. rewrite map_app, list_sum_app. reflexivity. Qed.

  Lemma uses_cons y s l : uses_before y (s :: l) = ceil (y - s) T + uses_before y l.
  Proof. reflexivity. Qed.

  Lemma runs_first t : runs b t = true -> wanted t = true /\ first t + used t <= t.
  Proof.
    intros E. apply (only_when_ready _ _ _ _ _ _ _ _ _ R) in E. rewrite (when_ready _ _ _ _ _ _ _ _ _ R) in E.
    apply andb_true_iff in E. destruct E as [W E]. split; [exact W|]. apply Nat.leb_le in E. fold (first t) in E.
    assert (S' := since _ (always t)). destruct (Nat.eq_dec (used t) 0); lia.
  Qed.

  Lemma load_after t x : t <= first t + used t -> count (runs b) (t + x) <= count (runs b) t + ceil x T * Q.
  Proof.
    intros H. assert (G : forall e, e <= x ->
      count (runs b) (t + e) + uses_before (t + x) (all (t + e)) <= count (runs b) t + uses_before (t + x) (all t)).
    { induction e as [|e IH]; intros E; [rewrite Nat.add_0_r; lia|]. specialize (IH ltac:(lia)).
      rewrite Nat.add_succ_r, count_S. destruct (step (t + e) (always _)) as [_ [L _]]. apply (uses_later (t + x)) in L.
      destruct (runs b (t + e)) eqn:Ru; unfold after in L; rewrite Ru in L.
      - destruct (runs_first _ Ru) as [_ F]. destruct (use_one (used (t + e)) (queue (t + e)) (some _ (always _)) (not_all _ (always _))) as [l [E1 E2]].
        rewrite Nat.add_1_r, E2, uses_app in L. change (all (t + e)) with (times T (used (t + e)) (queue (t + e))) in IH.
        rewrite E1 in IH. fold (first (t + e)) in *.
        assert (O := one_less (t + x) (first (t + e) + used (t + e)) ltac:(lia)). 
        rewrite uses_cons in IH, L. change (uses_before (t + x) []) with 0 in L. lia.
      - rewrite Nat.add_0_r in L. fold (all (t + e)) in L. lia. }
    specialize (G x (le_n x)). destruct (in_chain t) as [C Le]. assert (U := uses_chain (t + x) _ _ _ C). rewrite Le in U.
    assert (M := ceil_mono (t + x - (first t + used t)) x T ltac:(lia) ltac:(lia)). nia.
  Qed.

  Lemma load_asleep x : forall t, wanted t = false -> count (runs b) (S t + x) <= count (runs b) (S t) + ceil x T * Q.
  Proof.
    induction x as [|x IH]; intros t W; [rewrite Nat.add_0_r; lia|].
    destruct (wanted (S t)) eqn:W'.
    - apply load_after. assert (N := at_next _ _ _ _ _ _ _ _ _ R t). cbv zeta in N. rewrite W, W', orb_true_r in N. simpl in N.
      destruct N as [U Qu]. rewrite U. unfold first. rewrite Qu. unfold wake.
      assert (So := some _ (always (S t))). rewrite Qu in So.
      destruct (charge T most least (used t + (if runs b t then 1 else 0)) (queue t)) as [|[r a] rest]; [simpl in So; congruence|].
      destruct (Nat.leb_spec r (S t)); [rewrite absorb_head|simpl]; lia.
    - assert (N : runs b (S t) = false).
      { destruct (runs b (S t)) eqn:E; [|reflexivity]. apply runs_first in E. destruct E. congruence. }
      specialize (IH (S t) W'). rewrite count_S, N in IH. replace (S t + S x) with (S (S t) + x) by lia.
      assert (C := ceil_mono x (S x) T ltac:(lia) ltac:(lia)). nia.
  Qed.

  Theorem refills_load t x : begins (ready b) t -> count (runs b) (t + x) <= count (runs b) t + ceil x T * Q.
  Proof.
    destruct t as [|t]; intros B; simpl in B.
    - apply load_after. lia.
    - destruct (wanted t) eqn:W; [|exact (load_asleep x t W)]. apply load_after.
      rewrite (when_ready _ _ _ _ _ _ _ _ _ R), W in B. simpl in B. apply Nat.leb_gt in B. fold (first t) in B.
      assert (N : runs b t = false) by (destruct (runs b t) eqn:E; [apply runs_first in E; lia|reflexivity]).
      assert (Z : used t = 0) by (assert (S' := since _ (always t)); lia).
      assert (A := at_next _ _ _ _ _ _ _ _ _ R t). cbv zeta in A. rewrite N, Z, W in A. unfold charge in A. simpl in A.
      assert (Qu : queue (S t) = queue t) by (match type of A with if ?c then _ else _ => destruct c; tauto end).
      unfold first. rewrite Qu. fold (first t). lia.
  Qed.

  (* As a supply. *)
  Hypothesis least_pos : 0 < least.
  Hypothesis least_most : least <= Q.
  Definition kept : nat := Q - least + 1.

  (* When use n + 1 can be made, from the first one on, where each period brings what is kept. *)
  Definition paced (n : nat) : nat := n / kept * T + n mod kept.
  Lemma paced_is k i : i < kept -> paced (k * kept + i) = k * T + i.
  Proof.
    intros H. unfold paced. rewrite (Nat.add_comm (k * kept)), Nat.mod_add, Nat.mod_small, Nat.div_add, Nat.div_small by lia. lia.
  Qed.
  Lemma in_budgets n : exists k i, n = k * kept + i /\ i < kept /\ paced n = k * T + i.
  Proof.
    exists (n / kept), (n mod kept). assert (P : kept <> 0) by (unfold kept; lia).
    assert (E := Nat.div_mod n kept P). assert (U := Nat.mod_upper_bound n kept P). repeat split; lia.
  Qed.
  Lemma kept_less : 0 < kept <= Q.
  Proof. unfold kept. lia. Qed.
  Lemma paced_period n : paced (n + kept) = paced n + T.
  Proof.
    destruct (in_budgets n) as [k [i [-> [I ->]]]]. replace (k * kept + i + kept) with (S k * kept + i) by (simpl; lia).
    rewrite paced_is by exact I. simpl. lia.
  Qed.
  Lemma paced_least n : n <= paced n.
  Proof.
    destruct (in_budgets n) as [k [i [E [I ->]]]]. assert (K := kept_less). rewrite E at 1. assert (k * kept <= k * T) by (apply Nat.mul_le_mono_l; lia). lia.
  Qed.
  Lemma paced_sum n n' : paced n + paced n' <= paced (n + n').
  Proof.
    destruct (in_budgets n) as [k [i [-> [I ->]]]]. destruct (in_budgets n') as [k' [i' [-> [I' ->]]]]. assert (K := kept_less).
    destruct (Nat.lt_ge_cases (i + i') kept) as [H|H].
    - replace (k * kept + i + (k' * kept + i')) with ((k + k') * kept + (i + i')) by lia. rewrite paced_is by exact H. lia.
    - replace (k * kept + i + (k' * kept + i')) with (S (k + k') * kept + (i + i' - kept)) by (simpl; lia).
      rewrite paced_is by lia. simpl. lia.
  Qed.
  (* So much is used at least, where the next use is not possible yet. *)
  Lemma paced_used c k o : o < T -> k * T + o <= paced c -> k * kept + min o kept <= c.
  Proof.
    intros O H. destruct (in_budgets c) as [k' [i [-> [I E]]]]. rewrite E in H. assert (K := kept_less).
    destruct (Nat.lt_trichotomy k k') as [L|[->|L]].
    - assert (S k * kept <= k' * kept) by (apply Nat.mul_le_mono_r; lia). simpl in *. lia.
    - lia.
    - assert (S k' * T <= k * T) by (apply Nat.mul_le_mono_r; lia). simpl in *. lia.
  Qed.

  (* The last kept units are there as early as on a server that has made n uses, from C on. *)
  Definition early (C n : nat) (l : list nat) : Prop :=
    forall j, j < kept -> nth (least - 1 + j) l 0 <= C + paced (n + j).

  Lemma early_same C n l l' : (forall i, least <= S i -> nth i l' 0 = nth i l 0) -> early C n l -> early C n l'.
  Proof. intros H E j J. rewrite H by lia. exact (E j J). Qed.
  Lemma early_chain C n lo l hi : chain lo l hi -> length l = Q -> hi <= C + kept + n -> early C n l.
  Proof.
    intros H L Le j J. destruct (chain_nth _ _ _ (least - 1 + j) H ltac:(unfold kept in *; lia)) as [_ A].
    assert (P := paced_least (n + j)). unfold kept in *. lia.
  Qed.
  Lemma early_used C n s l hi : chain s (s :: l) hi -> length (s :: l) = Q -> early C n (s :: l) -> early C (S n) (l ++ [s + T]).
  Proof.
    intros H L E j J. simpl in L. destruct (Nat.eq_dec (S j) kept) as [N|N].
    - (* It comes back at the end. *)
      rewrite app_nth2 by (unfold kept in *; lia). replace (least - 1 + j - length l) with 0 by (unfold kept in *; lia). simpl nth.
      assert (A := proj1 (chain_nth _ _ _ (least - 1) H ltac:(simpl; lia))). specialize (E 0 ltac:(lia)). rewrite Nat.add_0_r in E.
      replace (S n + j) with (n + kept) by lia. rewrite paced_period. replace (least - 1 + 0) with (least - 1) in E by lia.
      replace (n + 0) with n in E by lia. lia.
    - rewrite app_nth1 by (unfold kept in *; lia). specialize (E (S j) ltac:(lia)).
      replace (least - 1 + S j) with (S (least - 1 + j)) in E by lia. simpl in E. replace (n + S j) with (S n + j) in E by lia. exact E.
  Qed.
  Lemma early_head C n lo l hi : chain lo l hi -> length l = Q -> early C n l -> lo <= C + paced n.
  Proof.
    intros H L E. assert (A := proj1 (chain_nth _ _ _ (least - 1) H ltac:(lia))). assert (K := kept_less). specialize (E 0 ltac:(lia)).
    rewrite !Nat.add_0_r in E. lia.
  Qed.

  Let gap := T - kept.
  Let uses (t x : nat) : nat := count (runs b) (t + x) - count (runs b) t.

  (* Nothing was put off since t, or that was when the first refill began at C - gap, with J uses before. *)
  Definition on_time (t x : nat) : Prop :=
    let u := t + x in
    early (t + gap) (uses t x) (all u)
      /\ (first u <= t + gap + paced (uses t x - used u)) /\ (uses t x < used u -> first u + (used u - uses t x) <= t)
    \/ settled T most (queue u) /\ exists J C, J <= uses t x /\ C <= t + 2 * gap + paced J /\ early C (uses t x - J) (all u).

  Lemma in_time t x : throughout wanted t x -> on_time t x.
  Proof.
    induction x as [|x IH]; intros W.
    - left. unfold uses. rewrite !Nat.add_0_r, Nat.sub_diag. destruct (in_chain t) as [C L]. assert (K := kept_less).
      assert (E : early (t + gap) 0 (all t)) by (apply (early_chain _ _ _ _ _ C L); unfold gap; lia).
      split; [exact E|]. assert (S' := since _ (always t)). destruct (Nat.eq_dec (used t) 0) as [Z|Z]; [|lia].
      assert (H := early_head _ _ _ _ _ C L E). rewrite Z in *. simpl. lia.
    - specialize (IH (throughout_part _ _ _ t x W ltac:(lia) ltac:(lia))). specialize (W (t + x) ltac:(lia)).
      destruct (in_chain (t + x)) as [Ch Le]. destruct (step (t + x) (always _)) as [_ [_ S']]. specialize (S' W). cbv zeta in S'.
      destruct (in_chain (S (t + x))) as [Ch' Le'].
      assert (M := count_mono (runs b) t (t + x) ltac:(lia)).
      assert (Us : uses t (S x) = uses t x + (if runs b (t + x) then 1 else 0)).
      { unfold uses. rewrite Nat.add_succ_r, count_S. destruct (runs b (t + x)); lia. }
      (* A use. *)
      assert (One : forall C n, early C n (all (t + x)) ->
        early C (n + (if runs b (t + x) then 1 else 0)) (times T (after (t + x)) (queue (t + x)))).
      { intros C n E. unfold after. destruct (runs b (t + x)).
        - destruct (use_one (used (t + x)) (queue (t + x)) (some _ (always _)) (not_all _ (always _))) as [l [E1 E2]].
          rewrite !Nat.add_1_r, E2. unfold all in E, Ch, Le. rewrite E1 in E, Ch, Le. exact (early_used _ _ _ _ _ Ch Le E).
        - rewrite !Nat.add_0_r. exact E. }
      assert (N := at_next _ _ _ _ _ _ _ _ _ R (t + x)). cbv zeta in N. fold (after (t + x)) in N.
      unfold on_time in *. rewrite Us. replace (t + S x) with (S (t + x)) in * by lia. set (n := uses t x) in *. set (u := t + x) in *.
      set (d := if runs b u then 1 else 0) in *.
      destruct IH as [[E [F G]]|[St [J [C [HJ [HC E]]]]]].
      + destruct S' as [S1 [Same|[St [Cl Pos]]]].
        * left. assert (E' : early (t + gap) (n + d) (all (S u))) by (eapply early_same; [exact Same|apply One, E]).
          split; [exact E'|].
          destruct (Nat.eq_dec (used (S u)) 0) as [Z|Z].
          { rewrite Z. split; [|lia]. rewrite Z, Nat.add_0_r in Ch'. rewrite Nat.sub_0_r. exact (early_head _ _ _ _ _ Ch' Le' E'). }
          destruct ((after u =? snd (head (queue u))) || charges (S u) || negb (wanted u) && wanted (S u)); [lia|].
          destruct N as [N1 N2]. unfold first. rewrite N2. fold (first u). rewrite N1. unfold after. fold d.
          replace (n + d - (used u + d)) with (n - used u) by lia. split; [exact F|]. intros H. specialize (G ltac:(lia)). lia.
        * (* It is put off. *)
          right. split; [exact St|]. unfold after in Cl, Pos. fold d in Cl, Pos. assert (K := kept_less).
          destruct (Nat.le_gt_cases (used u) n) as [H|H].
          { exists (n - used u), (first u + gap). split; [lia|]. split; [lia|].
            apply (early_chain _ _ _ _ _ Cl Le'). unfold gap. lia. }
          { exists 0, (t + gap). split; [lia|]. split; [lia|]. specialize (G H).
            apply (early_chain _ _ _ _ _ Cl Le'). unfold gap. lia. }
      + destruct S' as [S1 _]. destruct (S1 St) as [St' Same]. right. split; [exact St'|].
        exists J, C. split; [lia|]. split; [exact HC|]. replace (n + d - J) with (n - J + d) by lia.
        eapply early_same; [exact Same|apply One, E].
  Qed.

  (* So after c uses it is ready from here on. *)
  Lemma is_there t x : throughout wanted t (S x) -> t + 2 * gap + paced (uses t x) <= t + x -> ready b (t + x) = true.
  Proof.
    intros W H. rewrite (when_ready _ _ _ _ _ _ _ _ _ R), (W (t + x)) by lia. simpl. apply Nat.leb_le. fold (first (t + x)).
    destruct (in_chain (t + x)) as [Ch Le].
    assert (Wx : throughout wanted t x) by (intros u Hu; apply W; lia).
    destruct (in_time t x Wx) as [[E _]|[_ [J [C [HJ [HC E]]]]]].
    - assert (A := early_head _ _ _ _ _ Ch Le E). lia.
    - assert (A := early_head _ _ _ _ _ Ch Le E). assert (P := paced_sum J (uses t x - J)).
      replace (J + (uses t x - J)) with (uses t x) in P by lia. lia.
  Qed.

  Variable lev : nat -> nat -> Prop.
  Hypothesis level_gives : gives lev.
  Hypothesis level_serves : forall r x, lev r x -> receives (runs b) (ready b) r x.
  Hypothesis in_period : lev Q T.

  Theorem refills_provide w y : fresh lev kept T w y -> receives (runs b) wanted w (2 * gap + y).
  Proof.
    intros F t U. assert (K := kept_less). assert (full : lev kept T) by (apply (fewer _ level_gives _ _ _ in_period); lia).
    set (s := t + 2 * gap). set (f := t + (2 * gap + y)).
    destruct (window_of (ready b) f) as [v [Lv [B Rv]]].
    destruct (Nat.le_gt_cases v s) as [H|H].
    { assert (G := ready_throughout kept T b ltac:(lia) ltac:(lia) lev level_serves full w y F s
        (throughout_part _ _ _ s y Rv ltac:(unfold s, f in *; lia) ltac:(unfold s, f in *; lia))).
      assert (M := count_mono (runs b) t s ltac:(unfold s; lia)). replace (s + y) with f in G by (unfold s, f; lia). lia. }
    (* Just before v the next use was not possible, so many were made. *)
    destruct v as [|g]; [lia|]. simpl in B. set (e := S g - s). set (m := e / T). set (o := e mod T).
    assert (E : e = m * T + o) by (unfold m, o; assert (D := Nat.div_mod e T ltac:(lia)); lia).
    assert (OT : o < T) by (apply Nat.mod_upper_bound; lia).
    assert (C : m * kept + min o kept <= uses t (g - t)).
    { apply paced_used; [exact OT|]. destruct (Nat.le_gt_cases (m * T + o) (paced (uses t (g - t)))) as [|L]; [assumption|].
      assert (A := is_there t (g - t)). replace (t + (g - t)) with g in A by (unfold s in *; lia).
      rewrite B in A. exfalso. assert (false = true); [|discriminate]. apply A.
      - exact (throughout_part _ _ _ t (S (g - t)) U ltac:(lia) ltac:(unfold s, f in *; lia)).
      - unfold e, s in *. lia. }
    unfold uses in C. replace (t + (g - t)) with g in C by (unfold s in *; lia).
    assert (Ct := count_mono (runs b) t g ltac:(unfold s in *; lia)). assert (Cm := count_mono (runs b) g (S g) ltac:(lia)).
    set (rest := y - e). assert (Fr : fresh lev kept T (w - m * kept - min o kept) rest).
    { apply fresh_after; try assumption; try lia. replace (rest + m * T + o) with y by (unfold rest, e, s, f in *; lia). exact F. }
    assert (G := ready_throughout kept T b ltac:(lia) ltac:(lia) lev level_serves full _ _ Fr (S g)
      (throughout_part _ _ _ (S g) rest Rv ltac:(lia) ltac:(unfold rest, e, s, f in *; lia))).
    replace (S g + rest) with f in G by (unfold rest, e, s, f in *; lia). lia.
  Qed.
End Queue.
