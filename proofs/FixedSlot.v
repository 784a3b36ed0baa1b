(* Page: docs/theory/fixed-slot.md, and residual.md for what service routines take of a slot.
   What it says: a slot of Q at a fixed offset of every period T has w = k Q + r of the core, with 0 < r <= Q, in every
     window of (T - Q) + k T + r, whoever wants it; and its guest has w within x, if the slot has w and all that
     routines take in x.
   Assumptions: 1. The slot never moves, and lies within its period. 2. Routines of the core come before every slot,
     and what they take is bounded in windows that begin when none of them is ready. *)
Require Import Arith Lia Bool.
From Vorrang Require Import Schedule.

(* The instants of a slot. *)
Definition in_slot (offset Q T t : nat) : bool := (offset <=? t mod T) && (t mod T <? offset + Q).

(* While a routine is ready the core is with routines; else it is with whose slot it is, whether or not that wants it. *)
Record slotted (offset Q T : nat) (first_ready first supplied : nat -> bool) : Prop := Slotted {
  first_of_all : forall t, first_ready t = true -> first t = true;
  in_place : forall t, supplied t = in_slot offset Q T t && negb (first t) }.

(* A slot has w of the core in every window of x. *)
Definition slot_gives (Q T w x : nat) : Prop :=
  w = 0 \/ exists k r, w <= k * Q + r /\ 1 <= r <= Q /\ T - Q + k * T + r <= x.

Section Of.
  Variables offset Q T : nat.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis in_period : offset + Q <= T.
  Let slot := in_slot offset Q T.

  Lemma first_period n : n <= T -> count slot n = Nat.min (n - offset) Q.
  Proof.
    induction n as [|n IH]; intros H; [reflexivity|].
    rewrite count_S, IH by lia. unfold slot, in_slot. rewrite Nat.mod_small by lia.
    destruct (Nat.leb_spec offset n), (Nat.ltb_spec n (offset + Q)); cbn [andb]; lia.
  Qed.
  Lemma each_period t : count slot (t + T) = count slot t + Q.
  Proof.
    induction t as [|t IH]; [rewrite first_period by lia; simpl; lia|].
    simpl Nat.add. rewrite !count_S, IH. unfold slot, in_slot.
    replace (t + T) with (t + 1 * T) by lia. rewrite Nat.mod_add by lia. lia.
  Qed.
  Lemma periods t k : count slot (t + k * T) = count slot t + k * Q.
  Proof.
    induction k as [|k IH]; [rewrite !Nat.add_0_r; reflexivity|].
    simpl. replace (t + (T + k * T)) with (t + k * T + T) by lia. rewrite each_period, IH. lia.
  Qed.

  Theorem slot_provides w x t : slot_gives Q T w x -> count slot t + w <= count slot (t + x).
  Proof.
    intros [->|[k [r [W [R X]]]]]; [assert (M := count_mono slot t (t + x) ltac:(lia)); lia|].
    (* What is missing of the last period is at most Q - r. *)
    assert (P := periods t (S k)). assert (L := count_most slot (t + (T - Q + k * T + r)) (Q - r)).
    replace (t + (T - Q + k * T + r) + (Q - r)) with (t + S k * T) in L by (simpl; lia). rewrite P in L.
    assert (M := count_mono slot (t + (T - Q + k * T + r)) (t + x) ltac:(lia)). simpl in L. lia.
  Qed.

  Variables first_ready first supplied wanted : nat -> bool.
  Hypothesis rule : slotted offset Q T first_ready first supplied.
  Variable demand : nat -> nat.
  Hypothesis bounded : forall t x, begins first_ready t -> count first (t + x) <= count first t + demand x.

  Theorem after_routines w x : slot_gives Q T (w + demand x) x -> receives supplied wanted w x.
  Proof.
    intros G t _. destruct (window_of first_ready t) as [s [L [B U]]].
    assert (S' := slot_provides _ _ s G). assert (D := bounded s x B).
    assert (all : count slot (s + x) + count first s + count supplied s
      <= count slot s + count first (s + x) + count supplied (s + x)).
    { clear - rule. induction x as [|x IH]; [rewrite !Nat.add_0_r; lia|]. rewrite Nat.add_succ_r, !count_S.
      rewrite (in_place _ _ _ _ _ _ rule (s + x)). fold slot. unfold slot in *.
      destruct (in_slot offset Q T (s + x)), (first (s + x)); simpl; lia. }
    (* Nothing is left to a slot while routines are ready. *)
    assert (Z : count supplied t = count supplied s).
    { replace t with (s + (t - s)) by lia. apply count_none. intros u V.
      rewrite (in_place _ _ _ _ _ _ rule), (first_of_all _ _ _ _ _ _ rule) by (apply U; lia). apply andb_false_r. }
    assert (M := count_mono supplied (s + x) (t + x) ltac:(lia)). lia.
  Qed.
End Of.
