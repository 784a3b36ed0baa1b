(* Page: docs/theory/cold-caches.md, without short runs and short jobs.
   What it says: in a window that begins when nothing as urgent as what is looked at is ready, contexts lose at most their
     loss for each ready interval, and for each of a more urgent one the most that a less urgent context loses; a context
     whose guest wants the core throughout a window loses its loss once, and for each start.
   Assumptions: 1. [recovers]: a context loses at most its loss from a start on (C14 of docs/model.md), and another one gets
     the core only if something more urgent is ready, or its ready interval is over (S1). 2. One context has the core. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Deadlines SchedulerCosts.
Import ListNotations.

(* A context of a core: how urgent it is, what it loses at most from a start on, and what begins its ready intervals. *)
Record context := Context { urgency : nat; loss : nat; events : list (nat * nat) }.

(* What it does: when it is ready, and when a ready interval begins, at once after the last one too; when it has the core, or
   had it last; how much it may still lose; and when it has the core and its work does not progress. *)
Record progress := Progress {
  up : nat -> bool; anew : nat -> bool; holds : nat -> bool; left_of : nat -> nat; lost : nat -> bool }.

Record recovers (loss : nat) (above : nat -> bool) (p : progress) : Prop := Recovers {
  begins_anew : forall t, rises (up p) t = true -> anew p t = true;
  at_most_loss : forall t, left_of p t <= loss;
  is_left : forall t, lost p t = true -> 0 < left_of p t;
  has_core : forall t, lost p t = true -> holds p t = true /\ up p t = true /\ above t = false;
  (* It goes on with a cache as warm as that was. *)
  goes_on : forall t, holds p t = true -> holds p (S t) = true -> left_of p (S t) + (if lost p t then 1 else 0) <= left_of p t;
  keeps : forall t, holds p t = true -> up p (S t) = true -> above (S t) = false -> anew p (S t) = false -> holds p (S t) = true }.

(* Something more urgent is ready. *)
Definition above (all : list (context * progress)) (u : nat) : nat -> bool :=
  any (fun m t => (u <? urgency (fst m)) && up (snd m) t) all.

Definition cold_core (cs : list context) (level lost_there : nat -> bool) : Prop := exists all,
  map fst all = cs
  /\ Forall (fun m => at_most (events (fst m)) (anew (snd m))
       /\ recovers (loss (fst m)) (above all (urgency (fst m))) (snd m)) all
  /\ ForallOrdPairs (fun m n => forall t, holds (snd m) t = true -> holds (snd n) t = false) all
  /\ (forall t, any (fun m => up (snd m)) all t = true -> level t = true)
  /\ forall t, lost_there t = any (fun m => lost (snd m)) all t.

(* The supply of a guest, of what its context gets: starts of that are at most so many while the guest wants something. *)
Definition cold_guest (loss : nat) (starts : list (nat * nat)) (gets wanted supplied : nat -> bool) : Prop :=
  exists above p happens, recovers loss above p /\ at_most starts happens
    /\ (forall t, wanted t = true -> wanted (S t) = true -> anew p (S t) || rises above (S t) = true -> happens (S t) = true)
    /\ forall t, supplied t = gets t && negb (lost p t).

(* What one context may lose before it needs another start. *)
Section One.
  Variable loss : nat.
  Variable above : nat -> bool.
  Variable p : progress.
  Hypothesis rule : recovers loss above p.

  Definition owed (t : nat) : nat := if up p t then if holds p t && negb (above t) then left_of p t else loss else 0.
  Definition interrupted (t : nat) : bool := holds p t && rises above (S t).

  Lemma owed_most t : owed t <= loss.
  Proof. assert (A := at_most_loss _ _ _ rule t). unfold owed. destruct (up p t), (holds p t && negb (above t)); lia. Qed.
  Lemma is_owed t : (if lost p t then 1 else 0) <= owed t.
  Proof.
    destruct (lost p t) eqn:E; [|lia]. destruct (has_core _ _ _ rule t E) as [H [U A]].
    unfold owed. rewrite H, U, A. exact (is_left _ _ _ rule t E).
  Qed.

  Lemma step t : (if lost p t then 1 else 0) + owed (S t) <= owed t + (if anew p (S t) || interrupted t then loss else 0).
  Proof.
    assert (O := is_owed t). assert (M := owed_most (S t)). assert (K := keeps _ _ _ rule t). assert (G := goes_on _ _ _ rule t).
    assert (H := has_core _ _ _ rule t). assert (B := begins_anew _ _ _ rule (S t)). simpl in B.
    destruct (anew p (S t)) eqn:N; [simpl; lia|]. unfold owed, interrupted, rises in *.
    destruct (up p (S t)); [|simpl; lia]. destruct (up p t); [|specialize (B eq_refl); discriminate].
    destruct (above t) eqn:A, (above (S t)) eqn:A', (holds p t) eqn:Hd; simpl in *; try lia.
    all: try (destruct (lost p t); [destruct (H eq_refl) as [X [_ Y]]; discriminate|lia]).
    rewrite (K eq_refl eq_refl eq_refl eq_refl) in *. simpl in *. specialize (G eq_refl eq_refl). lia.
  Qed.

  Variable starts : list (nat * nat).
  Variables happens wanted : nat -> bool.
  Hypothesis periods : Forall (fun s => 0 < fst s) starts.
  Hypothesis most : at_most starts happens.
  Hypothesis why : forall t, wanted t = true -> wanted (S t) = true -> anew p (S t) || rises above (S t) = true -> happens (S t) = true.

  Lemma lost_while_wanted t x : throughout wanted t x -> count (lost p) (t + x) <= count (lost p) t + loss * (1 + times starts x).
  Proof.
    destruct x as [|y]; intros W; [rewrite Nat.add_0_r; lia|].
    assert (I : forall z, z <= y -> count (lost p) (t + z) + owed (t + z) + loss * count happens (S t)
      <= count (lost p) t + owed t + loss * count happens (S (t + z))).
    { induction z as [|z IH]; intros Z; [rewrite Nat.add_0_r; lia|]. specialize (IH ltac:(lia)).
      rewrite Nat.add_succ_r, count_S. assert (A := step (t + z)). rewrite (count_S happens (S (t + z))).
      assert (H := why (t + z) (W (t + z) ltac:(lia)) (W (S (t + z)) ltac:(lia))). unfold interrupted in A.
      destruct (happens (S (t + z))).
      - destruct (anew p (S (t + z)) || holds p (t + z) && rises above (S (t + z))); nia.
      - destruct (anew p (S (t + z))); [discriminate (H eq_refl)|]. destruct (rises above (S (t + z))); [discriminate (H eq_refl)|].
        rewrite andb_false_r in A. simpl in A. lia. }
    specialize (I y ltac:(lia)). assert (O := is_owed (t + y)). assert (M := owed_most t).
    assert (A := most (S t) y). assert (T := times_mono starts y (S y) periods ltac:(lia)).
    rewrite Nat.add_succ_r, count_S. replace (S t + y) with (S (t + y)) in A by lia. nia.
  Qed.
End One.

Theorem cold_provides loss starts gets wanted supplied w x : Forall (fun s => 0 < fst s) starts ->
  cold_guest loss starts gets wanted supplied -> receives gets wanted (w + loss * (1 + times starts x)) x -> receives supplied wanted w x.
Proof.
  intros V [above [p [happens [R [M [H E]]]]]] G t W. specialize (G t W).
  assert (L := lost_while_wanted loss above p R starts happens wanted V M H t x W).
  assert (C : count gets (t + x) + count supplied t + count (lost p) t
    <= count gets t + count supplied (t + x) + count (lost p) (t + x)).
  { clear - E. induction x as [|x IH]; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r, !count_S, (E (t + x)).
    destruct (gets (t + x)), (lost p (t + x)); simpl; lia. }
  lia.
Qed.

(* Of several contexts. *)
Fixpoint sum {A : Type} (f : A -> nat) (all : list A) : nat := match all with [] => 0 | a :: rest => f a + sum f rest end.
Fixpoint most_below (cs : list context) (u : nat) : nat :=
  match cs with [] => 0 | c :: rest => Nat.max (if urgency c <? u then loss c else 0) (most_below rest u) end.
Definition charge (cs : list context) (c : context) : nat := loss c + most_below cs (urgency c).
Definition all_lost (cs : list context) (x : nat) : nat := sum (fun c => charge cs c * times (events c) x) cs.

Lemma sum_le {A : Type} (f g : A -> nat) all : (forall a, In a all -> f a <= g a) -> sum f all <= sum g all.
Proof.
  induction all as [|a all IH]; intros H; [simpl; lia|]. simpl. assert (A1 := H a (or_introl eq_refl)).
  specialize (IH (fun b I => H b (or_intror I))). lia.
Qed.
Lemma sum_ext {A : Type} (f g : A -> nat) all : (forall a, f a = g a) -> sum f all = sum g all.
Proof. intros H. induction all as [|a all IH]; [reflexivity|]. simpl. rewrite H, IH. reflexivity. Qed.
Lemma sum_none {A : Type} (f : A -> nat) all : (forall a, f a = 0) -> sum f all = 0.
Proof. intros H. induction all as [|a all IH]; [reflexivity|]. simpl. rewrite H, IH. reflexivity. Qed.
Lemma sum_add {A : Type} (f g : A -> nat) all : sum (fun a => f a + g a) all = sum f all + sum g all.
Proof. induction all as [|a all IH]; simpl; lia. Qed.
Lemma sum_map {A B : Type} (h : A -> B) (f : B -> nat) all : sum f (map h all) = sum (fun a => f (h a)) all.
Proof. induction all as [|a all IH]; simpl; lia. Qed.
Lemma one_of {A : Type} (f : A -> nat) all a : In a all -> f a <= sum f all.
Proof. induction all as [|b all IH]; intros I; [destruct I|]. simpl. destruct I as [->|I]; [lia|]. specialize (IH I). lia. Qed.
(* One at most. *)
Lemma sum_one {A : Type} (h q : A -> bool) (f : A -> nat) most all :
  ForallOrdPairs (fun a b => h a = true -> h b = false) all -> (forall a, In a all -> h a && q a = true -> f a <= most) ->
  sum (fun a => if h a && q a then f a else 0) all <= most.
Proof.
  intros P H. induction P as [|a all F P IH]; [simpl; lia|]. simpl. specialize (IH (fun b I => H b (or_intror I))).
  destruct (h a) eqn:E; [|simpl; exact IH].
  assert (Z : sum (fun b => if h b && q b then f b else 0) all <= sum (fun _ => 0) all).
  { apply sum_le. intros b I. assert (N := proj1 (Forall_forall _ _) F b I eq_refl). rewrite N. simpl. lia. }
  assert (Z' : sum (fun _ : A => 0) all = 0) by (apply sum_none; reflexivity).
  assert (A1 := H a (or_introl eq_refl)). rewrite E in A1. destruct (q a); simpl in *; [specialize (A1 eq_refl)|]; lia.
Qed.

Lemma below_most cs c u : In c cs -> urgency c < u -> loss c <= most_below cs u.
Proof.
  intros I L. induction cs as [|d cs IH]; [destruct I|]. simpl. destruct I as [->|I].
  - apply Nat.ltb_lt in L. rewrite L. lia.
  - specialize (IH I). lia.
Qed.

Section All.
  Variable all : list (context * progress).
  Let cs := map fst all.
  Hypothesis rules : Forall (fun m => at_most (events (fst m)) (anew (snd m))
    /\ recovers (loss (fst m)) (above all (urgency (fst m))) (snd m)) all.
  Hypothesis one : ForallOrdPairs (fun m n => forall t, holds (snd m) t = true -> holds (snd n) t = false) all.

  Let owes (m : context * progress) (t : nat) : nat := owed (loss (fst m)) (above all (urgency (fst m))) (snd m) t.
  Let pays (m : context * progress) : nat := charge cs (fst m).

  Lemma rule_of m : In m all -> recovers (loss (fst m)) (above all (urgency (fst m))) (snd m).
  Proof. intros I. exact (proj2 (proj1 (Forall_forall _ _) rules m I)). Qed.

  (* A ready interval of something more urgent begins where a context is interrupted. *)
  Lemma interrupts m t : In m all -> rises (above all (urgency (fst m))) (S t) = true ->
    loss (fst m) <= sum (fun z => if anew (snd z) (S t) then most_below cs (urgency (fst z)) else 0) all.
  Proof.
    intros I R. simpl in R. apply andb_true_iff in R. destruct R as [N Y]. apply negb_true_iff in N.
    apply any_in in Y. destruct Y as [z [J Y]]. apply andb_true_iff in Y. destruct Y as [L U].
    assert (Z : up (snd z) t = false).
    { destruct (up (snd z) t) eqn:E; [|reflexivity]. rewrite <- N. symmetry. apply any_in. exists z. rewrite L, E. auto. }
    assert (A : anew (snd z) (S t) = true) by (apply (begins_anew _ _ _ (rule_of z J)); simpl; rewrite Z, U; reflexivity).
    apply Nat.ltb_lt in L. assert (B := below_most cs (fst m) (urgency (fst z)) (in_map fst all m I) L).
    assert (O := one_of (fun z => if anew (snd z) (S t) then most_below cs (urgency (fst z)) else 0) all z J). cbv beta in O. rewrite A in O. lia.
  Qed.

  Lemma all_step t : sum (fun m => (if lost (snd m) t then 1 else 0) + owes m (S t)) all
    <= sum (fun m => owes m t) all + sum (fun m => if anew (snd m) (S t) then pays m else 0) all.
  Proof.
    assert (S1 : sum (fun m => (if lost (snd m) t then 1 else 0) + owes m (S t)) all
      <= sum (fun m => owes m t + ((if anew (snd m) (S t) then loss (fst m) else 0)
          + if holds (snd m) t && rises (above all (urgency (fst m))) (S t) then loss (fst m) else 0)) all).
    { apply sum_le. intros m I. assert (A := step _ _ _ (rule_of m I) t). unfold owes, interrupted in *.
      destruct (anew (snd m) (S t)), (holds (snd m) t && rises (above all (urgency (fst m))) (S t)); simpl in *; lia. }
    rewrite !sum_add in S1.
    assert (S2 := sum_one (fun m => holds (snd m) t) (fun m => rises (above all (urgency (fst m))) (S t)) (fun m => loss (fst m))
      (sum (fun z => if anew (snd z) (S t) then most_below cs (urgency (fst z)) else 0) all) all).
    assert (P : ForallOrdPairs (fun a b : context * progress => holds (snd a) t = true -> holds (snd b) t = false) all).
    { clear - one. induction one as [|a l F P IH]; [constructor|]. constructor; [|exact (IH P)].
      apply Forall_forall. intros b I. exact (proj1 (Forall_forall _ _) F b I t). }
    specialize (S2 P). assert (S3 : forall m, In m all -> holds (snd m) t && rises (above all (urgency (fst m))) (S t) = true ->
      loss (fst m) <= sum (fun z => if anew (snd z) (S t) then most_below cs (urgency (fst z)) else 0) all).
    { intros m I H. apply andb_true_iff in H. apply interrupts; tauto. }
    specialize (S2 S3).
    assert (S4 : sum (fun m => if anew (snd m) (S t) then loss (fst m) else 0) all
      + sum (fun z => if anew (snd z) (S t) then most_below cs (urgency (fst z)) else 0) all
      <= sum (fun m => if anew (snd m) (S t) then pays m else 0) all).
    { rewrite <- sum_add. apply sum_le. intros m _. unfold pays, charge. destruct (anew (snd m) (S t)); lia. }
    rewrite !sum_add. lia.
  Qed.

  Lemma all_steps t x : sum (fun m => count (lost (snd m)) (t + x) + owes m (t + x) + pays m * count (anew (snd m)) (S t)) all
    <= sum (fun m => count (lost (snd m)) t + owes m t + pays m * count (anew (snd m)) (S (t + x))) all.
  Proof.
    induction x as [|x IH]; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r. assert (A := all_step (t + x)).
    assert (E : forall m, pays m * count (anew (snd m)) (S (S (t + x)))
      = pays m * count (anew (snd m)) (S (t + x)) + if anew (snd m) (S (t + x)) then pays m else 0).
    { intros m. rewrite count_S. destruct (anew (snd m) (S (t + x))); nia. }
    assert (B : sum (fun m => pays m * count (anew (snd m)) (S (S (t + x)))) all
      = sum (fun m => pays m * count (anew (snd m)) (S (t + x))) all + sum (fun m => if anew (snd m) (S (t + x)) then pays m else 0) all).
    { rewrite <- sum_add. apply sum_ext, E. }
    assert (C : sum (fun m => count (lost (snd m)) (S (t + x))) all
      = sum (fun m => count (lost (snd m)) (t + x)) all + sum (fun m => if lost (snd m) (t + x) then 1 else 0) all).
    { rewrite <- sum_add. reflexivity. }
    rewrite !sum_add in *. lia.
  Qed.

  Theorem lost_most s x : Forall (fun c => Forall (fun e => 0 < fst e) (events c)) cs -> begins (any (fun m => up (snd m)) all) s ->
    count (any (fun m => lost (snd m)) all) (s + x) <= count (any (fun m => lost (snd m)) all) s + all_lost cs x.
  Proof.
    intros V B. destruct x as [|y]; [rewrite Nat.add_0_r; lia|].
    (* Each by itself. *)
    assert (each : count (any (fun m => lost (snd m)) all) (s + S y) + sum (fun m => count (lost (snd m)) s) all
      <= count (any (fun m => lost (snd m)) all) s + sum (fun m => count (lost (snd m)) (s + S y)) all).
    { clear. induction all as [|m l IH]; [rewrite (count_none _ s (S y)) by reflexivity; simpl; lia|].
      assert (C := count_or (lost (snd m)) (any (fun m => lost (snd m)) l) s (S y)). cbn [sum].
      change (any (fun m => lost (snd m)) (m :: l)) with (fun t => lost (snd m) t || any (fun m => lost (snd m)) l t). lia. }
    assert (last : sum (fun m => count (lost (snd m)) (s + S y)) all <= sum (fun m => count (lost (snd m)) (s + y) + owes m (s + y)) all).
    { apply sum_le. intros m I. rewrite Nat.add_succ_r, count_S. assert (A := is_owed _ _ _ (rule_of m I) (s + y)). unfold owes. lia. }
    assert (often : sum (fun m => pays m * count (anew (snd m)) (s + S y)) all
      <= sum (fun m => pays m * count (anew (snd m)) s + pays m * times (events (fst m)) (S y)) all).
    { apply sum_le. intros m I. assert (A := proj1 (proj1 (Forall_forall _ _) rules m I) s (S y)). nia. }
    assert (named : all_lost cs (S y) = sum (fun m => pays m * times (events (fst m)) (S y)) all).
    { unfold all_lost, cs. rewrite sum_map. reflexivity. }
    destruct s as [|t].
    - (* Nothing has begun before the first instant. *)
      assert (A := all_steps 0 y). change (0 + y) with y in *. change (0 + S y) with (S y) in *. rewrite !sum_add in *.
      assert (Z : sum (fun m => owes m 0) all <= sum (fun m => pays m * count (anew (snd m)) 1) all).
      { apply sum_le. intros m I. assert (R := rule_of m I). assert (N := begins_anew _ _ _ R 0). simpl in N.
        unfold owes, owed, pays, charge in *. assert (L := at_most_loss _ _ _ R 0). simpl count.
        destruct (up (snd m) 0); [rewrite (N eq_refl)|lia]. destruct (holds (snd m) 0 && negb (above all (urgency (fst m)) 0)); lia. }
      assert (Z' : sum (fun m => count (lost (snd m)) 0) all = 0) by (apply sum_none; intros; simpl; lia).
      assert (Z'' : sum (fun m => pays m * count (anew (snd m)) 0) all = 0) by (apply sum_none; intros; simpl; lia).
      lia.
    - assert (A := all_steps t (S y)). simpl in B.
      assert (N : forall m, In m all -> up (snd m) t = false).
      { intros m I. destruct (up (snd m) t) eqn:E; [|reflexivity]. rewrite <- B. symmetry. apply any_in. exists m. auto. }
      assert (Z : sum (fun m => owes m t) all <= sum (fun _ => 0) all).
      { apply sum_le. intros m I. unfold owes, owed. rewrite (N m I). lia. }
      assert (Z' : sum (fun _ : context * progress => 0) all = 0) by (apply sum_none; intros; simpl; lia).
      assert (L : sum (fun m => count (lost (snd m)) t) all <= sum (fun m => count (lost (snd m)) (S t)) all).
      { apply sum_le. intros m _. apply count_mono. lia. }
      rewrite !sum_add in *. replace (t + S y) with (S t + y) in A by lia. replace (S (S t + y)) with (S t + S y) in A by lia. lia.
  Qed.
End All.

Theorem cold_loss cs level lost_there s x : Forall (fun c => Forall (fun e => 0 < fst e) (events c)) cs ->
  cold_core cs level lost_there -> begins level s -> count lost_there (s + x) <= count lost_there s + all_lost cs x.
Proof.
  intros V [all [<- [R [O [U E]]]]] B. rewrite !(count_ext lost_there (any (fun m => lost (snd m)) all)) by exact E.
  apply lost_most; [exact R|exact O|exact V|]. destruct s as [|t]; [constructor|]. simpl in *.
  destruct (any (fun m => up (snd m)) all t) eqn:A; [apply U in A; congruence|reflexivity].
Qed.

Definition right_context (c : context) : Prop := Forall (fun e => 0 < fst e) (events c).
Lemma some_lost_mono (f : context -> nat) cs x y : Forall right_context cs -> x <= y ->
  sum (fun c => f c * times (events c) x) cs <= sum (fun c => f c * times (events c) y) cs.
Proof.
  intros V L. apply sum_le. intros c I. apply Nat.mul_le_mono_l, times_mono; [exact (proj1 (Forall_forall _ _) V c I)|exact L].
Qed.
Lemma some_lost_parts (f : context -> nat) cs x y : Forall right_context cs ->
  sum (fun c => f c * times (events c) (x + y)) cs <= sum (fun c => f c * times (events c) x) cs + sum (fun c => f c * times (events c) y) cs.
Proof.
  intros V. rewrite <- sum_add. apply sum_le. intros c I. rewrite <- Nat.mul_add_distr_l.
  apply Nat.mul_le_mono_l, times_parts. exact (proj1 (Forall_forall _ _) V c I).
Qed.
