(* Page: docs/model.md, rules Q1 to Q6.
   What it says: the rule of a queue of refills, and what it does to the times from which the units of a budget can be used:
     no time becomes earlier, and only joining and putting off change them.
   Assumptions: those rules. Consumption may be charged at any instant. A guest that has work again at the instant at which
     it had none left has not slept. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads.
Import ListNotations.

(* The time from which on a refill can be used, and its amount. *)
Notation refill := (nat * nat)%type.
Definition ends (r : refill) : nat := fst r + snd r.
Definition head (q : list refill) : refill := match q with [] => (0, 0) | r :: _ => r end.

(* Q4: it joins the last one that reaches it, or is put behind, or the last one is postponed until it reaches. *)
Fixpoint append (room : bool) (q : list refill) (back : refill) : list refill :=
  match q with
  | [] => [back]
  | [last] =>
      if fst back <=? ends last then [(fst last, snd last + snd back)]
      else if room then [last; back]
      else [(fst back - snd last, snd last + snd back)]
  | r :: rest => r :: append room rest back end.

(* Q5: as long as the first has less than the least budget it joins the next, which ends when it did. *)
Fixpoint merge (least : nat) (first : refill) (rest : list refill) : list refill :=
  match rest with
  | next :: others =>
      if snd first <? least then merge least (fst next - snd first, snd next + snd first) others else first :: rest
  | [] => [first] end.
Definition enlarge (least : nat) (q : list refill) : list refill :=
  match q with [] => [] | first :: rest => merge least first rest end.

(* Q3: x of the first is charged. *)
Definition left_of (x : nat) (q : list refill) : list refill :=
  match q with
  | [] => []
  | (r, a) :: rest => if x =? a then rest else (r + x, a - x) :: rest end.
Definition charge (T most least x : nat) (q : list refill) : list refill :=
  if x =? 0 then q
  else let left := left_of x q in enlarge least (append (length left <? most) left (fst (head q) + T, x)).

(* Q6: the guest gets work at t. *)
Fixpoint absorb (first : refill) (rest : list refill) : list refill :=
  match rest with
  | next :: others => if fst next <=? ends first then absorb (fst first, snd first + snd next) others else first :: rest
  | [] => [first] end.
Definition wake (t : nat) (q : list refill) : list refill :=
  match q with [] => [] | (r, a) :: rest => if r <=? t then absorb (t, a) rest else q end.

(* A server: its queue after the events of an instant, and what of the first refill is used and not charged; when the kernel
   charges; when its guest has something ready; and what the server does. *)
Record refill_queue (Q T most least : nat) (queue : nat -> list refill) (used : nat -> nat) (charges wanted : nat -> bool)
    (b : behaviour) : Prop := Refill_queue {
  at_first : queue 0 = [(0, Q)] /\ used 0 = 0;
  at_next : forall t,
    let x := used t + (if runs b t then 1 else 0) in
    let wakes := negb (wanted t) && wanted (S t) in
    if (x =? snd (head (queue t))) || charges (S t) || wakes
    then used (S t) = 0 /\
      let charged := charge T most least x (queue t) in queue (S t) = if wakes then wake (S t) charged else charged
    else used (S t) = x /\ queue (S t) = queue t;
  when_ready : forall t, ready b t = wanted t && (fst (head (queue t)) <=? t);
  only_when_ready : forall t, runs b t = true -> ready b t = true }.

(* The times of all units: those of the refills, of which the first x are used and come back at the end. *)
Definition units (q : list refill) : list nat := flat_map (fun r => seq (fst r) (snd r)) q.
Definition times (T x : nat) (q : list refill) : list nat := skipn x (units q) ++ seq (fst (head q) + T) x.

(* They grow, from lo on and up to hi. *)
Fixpoint chain (lo : nat) (l : list nat) (hi : nat) : Prop :=
  match l with [] => lo <= hi | s :: rest => lo <= s /\ chain (S s) rest hi end.
Definition later (l l' : list nat) : Prop := Forall2 le l l'.

Lemma chain_least lo l hi : chain lo l hi -> lo + length l <= hi.
Proof. revert lo. induction l as [|s l IH]; simpl; intros lo H; [lia|]. destruct H as [A B]. apply IH in B. lia. Qed.
Lemma chain_nth lo l hi i : chain lo l hi -> i < length l -> lo + i <= nth i l 0 /\ nth i l 0 + (length l - i) <= hi.
Proof.
  revert lo i. induction l as [|s l IH]; simpl; intros lo i H L; [lia|]. destruct H as [A B].
  assert (C := chain_least _ _ _ B). destruct i as [|i]; [lia|]. destruct (IH (S s) i B ltac:(lia)). lia.
Qed.
Lemma chain_less lo lo' l hi : lo' <= lo -> chain lo l hi -> chain lo' l hi.
Proof. destruct l; simpl; intuition lia. Qed.
Lemma chain_more lo l hi hi' : hi <= hi' -> chain lo l hi -> chain lo l hi'.
Proof. intros H. revert lo. induction l as [|s l IH]; simpl; intros lo C; [lia|]. destruct C. auto. Qed.
Lemma chain_app lo l mid l' hi : chain lo l mid -> chain mid l' hi -> chain lo (l ++ l') hi.
Proof.
  revert lo. induction l as [|s l IH]; simpl; intros lo A B; [exact (chain_less _ _ _ _ A B)|]. destruct A as [A A']. auto.
Qed.
Lemma chain_seq r a : chain r (seq r a) (r + a).
Proof. revert r. induction a as [|a IH]; simpl; intros r; [lia|]. split; [lia|]. replace (r + S a) with (S r + a) by lia. apply IH. Qed.
Lemma chain_skipn x lo l hi : chain lo l hi -> x <= length l -> chain (lo + x) (skipn x l) hi.
Proof.
  revert lo l. induction x as [|x IH]; intros lo l C L; [simpl; rewrite Nat.add_0_r; exact C|].
  destruct l as [|s l]; simpl in *; [lia|]. destruct C as [A B]. specialize (IH (S s) l B ltac:(lia)).
  eapply chain_less; [|exact IH]; lia.
Qed.

Lemma later_refl l : later l l.
Proof. induction l; constructor; auto. Qed.
Lemma later_trans l l' l'' : later l l' -> later l' l'' -> later l l''.
Proof. intros A. revert l''. induction A; intros l'' B; inversion B; subst; constructor; [lia|apply IHA; assumption]. Qed.
Lemma later_seq r r' a : r <= r' -> later (seq r a) (seq r' a).
Proof. revert r r'. induction a as [|a IH]; intros r r' H; simpl; constructor; [exact H|apply IH; lia]. Qed.
Lemma later_app l l' k k' : later l l' -> later k k' -> later (l ++ k) (l' ++ k').
Proof. intros A B. apply Forall2_app; assumption. Qed.

(* Refills follow each other, from lo on and up to hi, and none is empty. *)
Fixpoint spaced (lo : nat) (q : list refill) (hi : nat) : Prop :=
  match q with [] => lo <= hi | r :: rest => lo <= fst r /\ 0 < snd r /\ spaced (ends r) rest hi end.
Fixpoint total (q : list refill) : nat := match q with [] => 0 | r :: rest => snd r + total rest end.

Lemma spaced_less lo lo' q hi : lo' <= lo -> spaced lo q hi -> spaced lo' q hi.
Proof. destruct q; simpl; intuition lia. Qed.
Lemma spaced_more lo q hi hi' : hi <= hi' -> spaced lo q hi -> spaced lo q hi'.
Proof. intros H. revert lo. induction q as [|r q IH]; simpl; intros lo C; [lia|]. intuition. Qed.
Lemma spaced_head lo q hi : spaced lo q hi -> q <> [] -> spaced (fst (head q)) q hi /\ lo <= fst (head q).
Proof. destruct q; simpl; [congruence|]. intuition. Qed.
Lemma spaced_chain lo q hi : spaced lo q hi -> chain lo (units q) hi.
Proof.
  revert lo. induction q as [|[r a] q IH]; simpl; intros lo H; [exact H|]. destruct H as [A [B C]].
  apply chain_app with (r + a); [|exact (IH _ C)]. exact (chain_less _ _ _ _ A (chain_seq r a)).
Qed.
Lemma total_units q : length (units q) = total q.
Proof. induction q as [|[r a] q IH]; [reflexivity|]. simpl. rewrite app_length, seq_length, IH. reflexivity. Qed.
Lemma total_app q q' : total (q ++ q') = total q + total q'.
Proof. induction q as [|r q IH]; simpl; lia. Qed.
Lemma units_app q q' : units (q ++ q') = units q ++ units q'.
Proof. apply flat_map_app. Qed.
Lemma units_one r a : units [(r, a)] = seq r a.
Proof. apply app_nil_r. Qed.
Lemma spaced_app lo q q' hi : spaced lo (q ++ q') hi <-> exists mid, spaced lo q mid /\ spaced mid q' hi.
Proof.
  revert lo. induction q as [|r q IH]; simpl; intros lo.
  - split; [intros H; exists lo; split; [lia|exact H]|]. intros [mid [A B]]. exact (spaced_less _ _ _ _ A B).
  - rewrite IH. split; [intros [A [B [mid [C D]]]]; exists mid; tauto|intros [mid [[A [B C]] D]]; split; [exact A|split; [exact B|exists mid; tauto]]].
Qed.

(* Appending. *)
Lemma append_last room q last back : append room (q ++ [last]) back = q ++ append room [last] back.
Proof.
  induction q as [|r q IH]; [reflexivity|]. change ((r :: q) ++ [last]) with (r :: (q ++ [last])).
  simpl append at 1. rewrite IH. destruct (q ++ [last]) eqn:E; [destruct q; discriminate|reflexivity].
Qed.

Definition reach (q : list refill) : nat := ends (last q (0, 0)).
Lemma reach_last q r : reach (q ++ [r]) = ends r.
Proof. unfold reach. rewrite last_last. reflexivity. Qed.
(* What is charged from p on comes back at the end, behind what was put off at most. *)
Lemma append_gives room q lo p x : spaced lo q p -> lo <= p -> 0 < x ->
  let q' := append room q (p, x) in
  spaced lo q' (p + x) /\ total q' = total q + x /\ later (units q ++ seq p x) (units q') /\ reach q' = p + x /\ q' <> []
  /\ length q' <= length q + (if room then 1 else match q with [] => 1 | _ => 0 end)
  /\ (q <> [] -> reach q = p -> length q' = length q)
  /\ (room = true \/ reach q = p \/ q = [] -> units q ++ seq p x = units q').
Proof.
  intros Sp L X. cbv zeta. destruct q as [|r0 q0].
  - simpl. rewrite app_nil_r. unfold reach, ends. simpl. repeat split; try lia; try discriminate; try congruence.
    + apply later_refl.
    + destruct room; lia.
  - destruct (@exists_last _ (r0 :: q0)) as [q [[r a] E]]; [discriminate|]. rewrite E in *. clear E r0 q0.
    rewrite append_last, reach_last. apply spaced_app in Sp. destruct Sp as [mid [A B]]. simpl in B. unfold ends in *. simpl in B.
    destruct B as [B [C D]]. simpl append. unfold ends. simpl fst. simpl snd.
    destruct (Nat.leb_spec p (r + a)) as [H|H]; [|destruct room].
    + assert (E : p = r + a) by lia.
      assert (U : units (q ++ [(r, a)]) ++ seq p x = units (q ++ [(r, a + x)])).
      { rewrite !units_app, !units_one, <- app_assoc, seq_app, E. reflexivity. }
      assert (La := later_refl (units (q ++ [(r, a)]) ++ seq p x)). rewrite U in La at 2.
      rewrite reach_last. unfold ends. simpl. rewrite !total_app, !app_length. simpl. repeat split; try lia.
      * apply spaced_app. exists mid. simpl. unfold ends. simpl. repeat split; auto; lia.
      * exact La.
      * destruct q; discriminate.
      * intros _. exact U.
    + assert (U : units (q ++ [(r, a)]) ++ seq p x = units ((q ++ [(r, a)]) ++ [(p, x)])).
      { rewrite (units_app _ [(p, x)]), units_one. reflexivity. }
      assert (La := later_refl (units (q ++ [(r, a)]) ++ seq p x)). rewrite U in La at 2.
      assert (As := app_assoc q [(r, a)] [(p, x)] : q ++ [(r, a); (p, x)] = _). rewrite As.
      rewrite reach_last. unfold ends. simpl. rewrite !total_app, !app_length. simpl. repeat split; try lia.
      * apply spaced_app. exists (r + a). split; [|simpl; unfold ends; simpl; repeat split; lia].
        apply spaced_app. exists mid. simpl. unfold ends. simpl. repeat split; auto; lia.
      * exact La.
      * destruct q; discriminate.
      * intros _. exact U.
    + rewrite reach_last. unfold ends. simpl. rewrite !total_app, !app_length. simpl. repeat split; try lia.
      * apply spaced_app. exists mid. simpl. unfold ends. simpl. repeat split; auto; lia.
      * rewrite !units_app, !units_one, <- app_assoc, seq_app. apply later_app; [apply later_refl|].
        replace (p - a + a) with p by lia. apply later_app; [apply later_seq; lia|apply later_refl].
      * destruct q; discriminate.
      * intros [I|[I|I]]; [discriminate|lia|destruct q; discriminate].
Qed.

(* Joining moves the first units, less than the least budget, up to those behind them. *)
Lemma merge_gives least first rest lo hi : spaced lo (first :: rest) hi ->
  let q := merge least first rest in
  spaced lo q hi /\ total q = snd first + total rest /\ later (units (first :: rest)) (units q) /\ q <> []
  /\ reach q = reach (first :: rest)
  /\ (q = first :: rest \/ length q <= length rest)
  /\ forall i, least <= S i -> nth i (units q) 0 = nth i (units (first :: rest)) 0.
Proof.
  revert first lo. induction rest as [|[r' a'] rest IH]; intros [r a] lo H; cbv zeta.
  - simpl merge. split; [exact H|]. split; [reflexivity|]. split; [apply later_refl|]. split; [discriminate|]. auto.
  - simpl merge. destruct (Nat.ltb_spec a least) as [L|L].
    + simpl in H. unfold ends in H. simpl in H. destruct H as [A [B [C [D F]]]].
      assert (E : units ((r' - a, a' + a) :: rest) = seq (r' - a) a ++ seq r' a' ++ units rest).
      { simpl. rewrite app_assoc. f_equal. rewrite (Nat.add_comm a' a), seq_app. replace (r' - a + a) with r' by lia. reflexivity. }
      destruct (IH (r' - a, a' + a) lo) as [G1 [G2 [G3 [G4 [G5 [G6 G7]]]]]].
      { simpl. unfold ends. simpl. replace (r' - a + (a' + a)) with (r' + a') by lia. repeat split; try lia. exact F. }
      rewrite E in *. repeat split; auto.
      * simpl in *. lia.
      * apply later_trans with (2 := G3). simpl. apply later_app; [apply later_seq; lia|apply later_refl].
      * rewrite G5. unfold reach. destruct rest as [|r'' rest]; [simpl; unfold ends; simpl; lia|].
        change (last ((r, a) :: (r', a') :: r'' :: rest) (0, 0)) with (last (r'' :: rest) (0, 0)). reflexivity.
      * right. destruct G6 as [->|G6]; simpl; lia.
      * intros i I. rewrite G7 by exact I. simpl. rewrite (app_nth2 (seq (r' - a) a)), (app_nth2 (seq r a)) by (rewrite seq_length; lia).
        rewrite !seq_length. reflexivity.
    + split; [exact H|]. split; [reflexivity|]. split; [apply later_refl|]. split; [discriminate|]. auto.
Qed.

(* A guest that wakes at t. *)
Lemma absorb_gives t rest : forall a l lo hi T, spaced lo rest hi -> 0 < a -> hi <= t + T -> a + total rest <= T ->
  length l = a -> later l (seq t a) ->
  let q := absorb (t, a) rest in
  spaced t q (t + T) /\ total q = a + total rest /\ later (l ++ units rest) (units q) /\ q <> [] /\ length q <= S (length rest).
Proof.
  induction rest as [|[r' a'] rest IH]; intros a l lo hi T Sp A H S' Le La; cbv zeta; simpl in *.
  - unfold ends. simpl. repeat split; try lia; [|discriminate]. rewrite !app_nil_r. exact La.
  - unfold ends in *. simpl in *. destruct Sp as [S1 [S2 S3]]. destruct (Nat.leb_spec r' (t + a)) as [G|G].
    + destruct (IH (a + a') (l ++ seq r' a') (r' + a') hi T) as [K1 [K2 [K3 [K4 K5]]]]; auto; try lia.
      * rewrite app_length, seq_length. lia.
      * rewrite seq_app. apply later_app; [exact La|apply later_seq; lia].
      * rewrite <- app_assoc in K3. repeat split; auto; lia.
    + simpl. unfold ends. simpl. repeat split; try lia; [|apply later_app; [exact La|apply later_refl]|discriminate].
      exact (spaced_more _ _ _ _ H S3).
Qed.

Lemma absorb_head t a rest : fst (head (absorb (t, a) rest)) = t.
Proof.
  revert a. induction rest as [|r rest IH]; intros a; [reflexivity|]. simpl absorb.
  destruct (fst r <=? ends (t, a)); [apply IH|reflexivity].
Qed.
Lemma append_head room q back : room = true \/ 2 <= length q \/ fst back <= reach q -> q <> [] ->
  fst (head (append room q back)) = fst (head q).
Proof.
  intros H N. destruct q as [|r [|r' q]]; [congruence| |reflexivity]. simpl in *. unfold reach in H. simpl in H.
  destruct (Nat.leb_spec (fst back) (ends r)); [reflexivity|]. destruct room; [reflexivity|]. exfalso.
  destruct H as [H|[H|H]]; [discriminate|lia|lia].
Qed.
