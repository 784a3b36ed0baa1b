(* Page: docs/model.md, "Time is an integer count of nanoseconds".
   What it says: how often something holds at the instants of a window, and when a window begins.
   Assumptions: none. An instant is a natural number, and stands for the nanosecond that begins with it. *)
Require Import Arith Lia Bool List.
Import ListNotations.

(* At how many of the instants before t something holds: the time that somebody has had. *)
Fixpoint count (p : nat -> bool) (t : nat) : nat :=
  match t with 0 => 0 | S u => count p u + (if p u then 1 else 0) end.

(* Something holds at every instant of the window [t, t + x). *)
Definition throughout (p : nat -> bool) (t x : nat) : Prop := forall u, t <= u < t + x -> p u = true.

(* Who provides [provided] gives w in every window of length x throughout which it is wanted. *)
Definition receives (provided wanted : nat -> bool) (w x : nat) : Prop :=
  forall t, throughout wanted t x -> count provided t + w <= count provided (t + x).

(* The window of those that are ready may begin at t: nothing was ready just before. *)
Definition begins (ready : nat -> bool) (t : nat) : Prop :=
  match t with 0 => True | S u => ready u = false end.

Lemma count_S p t : count p (S t) = count p t + (if p t then 1 else 0).
Proof. reflexivity. Qed.

Lemma count_mono p t u : t <= u -> count p t <= count p u.
Proof. induction 1; [lia|]. rewrite count_S. destruct (p m); lia. Qed.

(* A number for what lies between: its equation has no case of a difference below zero. *)
Lemma difference a b : a <= b -> exists d, b = a + d.
Proof. intros H. exists (b - a). lia. Qed.

Lemma count_most p t x : count p (t + x) <= count p t + x.
Proof.
  induction x as [|x IH]; [rewrite Nat.add_0_r; lia|].
  rewrite Nat.add_succ_r, count_S. destruct (p (t + x)); lia.
Qed.

Lemma count_none p t x : (forall u, t <= u < t + x -> p u = false) -> count p (t + x) = count p t.
Proof.
  induction x as [|x IH]; intros H; [rewrite Nat.add_0_r; reflexivity|].
  rewrite Nat.add_succ_r, count_S, IH by (intros; apply H; lia). rewrite H by lia. lia.
Qed.

Lemma count_ext p q t : (forall u, p u = q u) -> count p t = count q t.
Proof. intros H. induction t; simpl; [reflexivity|]. rewrite IHt, H. reflexivity. Qed.

(* What goes to nobody but three goes to the three. *)
Lemma count_three p a b c t x :
  (forall u, t <= u < t + x -> p u = true -> a u || b u || c u = true) ->
  count p (t + x) + count a t + count b t + count c t
    <= count p t + count a (t + x) + count b (t + x) + count c (t + x).
Proof.
  induction x as [|x IH]; intros H; [rewrite Nat.add_0_r; lia|].
  rewrite Nat.add_succ_r, !count_S.
  assert (IH' := IH (fun u L => H u ltac:(lia))). assert (G := H (t + x) ltac:(lia)).
  destruct (p (t + x)), (a (t + x)), (b (t + x)), (c (t + x)); simpl in G; try lia.
  all: specialize (G eq_refl); discriminate.
Qed.

Lemma count_or p q t x :
  count (fun u => p u || q u) (t + x) + count p t + count q t
    <= count (fun u => p u || q u) t + count p (t + x) + count q (t + x).
Proof.
  induction x as [|x IH]; [rewrite Nat.add_0_r; lia|].
  rewrite Nat.add_succ_r, !count_S. destruct (p (t + x)), (q (t + x)); simpl; lia.
Qed.

Lemma throughout_part p t x u y : throughout p t x -> t <= u -> u + y <= t + x -> throughout p u y.
Proof. intros H A B v V. apply H. lia. Qed.

Lemma throughout_or_not p t x : throughout p t x \/ exists u, t <= u < t + x /\ p u = false.
Proof.
  induction x as [|x [IH|[u [U E]]]].
  - left. intros u U. lia.
  - destruct (p (t + x)) eqn:E.
    + left. intros u U. destruct (Nat.eq_dec u (t + x)) as [->|]; [exact E|]. apply IH. lia.
    + right. exists (t + x). split; [lia|exact E].
  - right. exists u. split; [lia|exact E].
Qed.

(* Every instant lies in a window: from its begin on something was ready. *)
Lemma window_of ready a : exists t, t <= a /\ begins ready t /\ throughout ready t (a - t).
Proof.
  induction a as [|a [t [L [B T]]]].
  - exists 0. repeat split; [lia|]. intros u U. lia.
  - destruct (ready a) eqn:E.
    + exists t. split; [lia|]. split; [exact B|]. intros u U.
      destruct (Nat.eq_dec u a) as [->|]; [exact E|]. apply T. lia.
    + exists (S a). split; [lia|]. split; [exact E|]. intros u U. lia.
Qed.

(* A part of a window may be taken off both sides. *)
Lemma receives_more provided wanted w v x y : v <= w -> x <= y ->
  receives provided wanted w x -> receives provided wanted v y.
Proof.
  intros V X R t T. assert (A := R t (throughout_part _ _ _ t x T ltac:(lia) ltac:(lia))).
  assert (M := count_mono provided (t + x) (t + y) ltac:(lia)). lia.
Qed.

Lemma receives_then provided wanted w v x y :
  receives provided wanted w x -> receives provided wanted v y -> receives provided wanted (w + v) (x + y).
Proof.
  intros A B t T. assert (A' := A t (throughout_part _ _ _ t x T ltac:(lia) ltac:(lia))).
  assert (B' := B (t + x) (throughout_part _ _ _ (t + x) y T ltac:(lia) ltac:(lia))). replace (t + (x + y)) with (t + x + y) by lia. lia.
Qed.

Lemma receives_again provided wanted w x k :
  receives provided wanted w x -> receives provided wanted (k * w) (k * x).
Proof.
  intros R. induction k as [|k IH]; [intros t T; simpl; rewrite !Nat.add_0_r; lia|].
  simpl. apply receives_then; assumption.
Qed.

(* Rounded up. *)
Definition ceil (n d : nat) : nat := (n + d - 1) / d.

Lemma ceil_least n d k : 0 < d -> n <= k * d -> ceil n d <= k.
Proof.
  intros D H. unfold ceil. apply Nat.lt_succ_r, Nat.div_lt_upper_bound; [lia|]. nia.
Qed.
Lemma ceil_covers n d : 0 < d -> n <= ceil n d * d.
Proof.
  intros D. unfold ceil. assert (E := Nat.div_mod (n + d - 1) d ltac:(lia)).
  assert (U := Nat.mod_upper_bound (n + d - 1) d ltac:(lia)). nia.
Qed.
Lemma ceil_mono n m d : 0 < d -> n <= m -> ceil n d <= ceil m d.
Proof. intros D H. apply Nat.div_le_mono; lia. Qed.
Lemma ceil_above n d k : 0 < d -> k * d < n -> S k <= ceil n d.
Proof. intros D H. assert (C := ceil_covers n d D). nia. Qed.
