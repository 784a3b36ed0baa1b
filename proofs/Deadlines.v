(* Page: docs/theory/edf-response.md, its rule and the columns of its table.
   What it says: what of a supply under EDF goes to work that is due by an instant D; and what a task asks for of it:
     at most ceil((x + J) / T) C by release, and floor((D - t + J - deadline) / T + 1) C by deadline, in a window
     [t, t + x) that begins when nothing of it that is due by D is ready.
   Assumptions: 1. The deadline of a job counts from its arrival. 2. Nobody is blocked. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Residual.
Import ListNotations.

(* A member with an absolute deadline, which is asked for while it is ready. *)
Record dated := Dated { does : behaviour; deadline : nat -> nat }.

Definition any {A : Type} (p : A -> nat -> bool) (all : list A) (t : nat) : bool := existsb (fun a => p a t) all.

Definition is_ready_of (m : dated) : nat -> bool := ready (does m).
Definition runs_of (m : dated) : nat -> bool := runs (does m).

(* EDF among the members of a supply, below what is more urgent than all of them. *)
Record earliest_first (supplied wanted urgent_ready urgent : nat -> bool) (all : list dated) : Prop := Earliest_first {
  (* Who is ready wants the supply. *)
  all_want : forall t, urgent_ready t || any is_ready_of all t = true -> wanted t = true;
  (* What is supplied while something is ready is used. *)
  all_use : forall t, supplied t = true -> urgent_ready t || any is_ready_of all t = true ->
    urgent t || any runs_of all t = true;
  (* No member has it while something more urgent is ready, or a member with an earlier deadline. *)
  urgent_first : forall t, any runs_of all t = true -> urgent_ready t = false;
  earliest : forall t m other, In m all -> In other all -> runs_of m t = true -> is_ready_of other t = true ->
    deadline m t <= deadline other t;
  only_ready : forall t m, In m all -> runs_of m t = true -> is_ready_of m t = true }.

(* Ready, and served, with a deadline up to D. *)
Definition due (D : nat) (m : dated) (t : nat) : bool := is_ready_of m t && (deadline m t <=? D).
Definition uses (D : nat) (m : dated) (t : nat) : bool := runs_of m t && (deadline m t <=? D).

Lemma any_in {A : Type} (p : A -> nat -> bool) all t : any p all t = true <-> exists a, In a all /\ p a t = true.
Proof. unfold any. apply existsb_exists. Qed.

Section Due.
  Variables supplied wanted urgent_ready urgent : nat -> bool.
  Variable all : list dated.
  Hypothesis rule : earliest_first supplied wanted urgent_ready urgent all.

  Definition due_level (D t : nat) : bool := urgent_ready t || any (due D) all t.

  Lemma due_ready D t : any (due D) all t = true -> any is_ready_of all t = true.
  Proof.
    rewrite !any_in. intros [m [I U]]. exists m. split; [exact I|]. unfold due in U. apply andb_true_iff in U. tauto.
  Qed.
  Lemma due_wants D t : due_level D t = true -> wanted t = true.
  Proof.
    intros H. apply (all_want _ _ _ _ _ rule). unfold due_level in H. apply orb_true_iff in H. apply orb_true_iff.
    destruct H as [H|H]; [left; exact H|right; exact (due_ready D t H)].
  Qed.
  Lemma due_use D t : supplied t = true -> due_level D t = true -> urgent t || any (uses D) all t = true.
  Proof.
    intros S H.
    assert (R : urgent_ready t || any is_ready_of all t = true).
    { unfold due_level in H. apply orb_true_iff in H. apply orb_true_iff.
      destruct H as [H|H]; [left; exact H|right; exact (due_ready D t H)]. }
    assert (U := all_use _ _ _ _ _ rule t S R). apply orb_true_iff in U. apply orb_true_iff.
    destruct U as [U|U]; [left; exact U|right].
    assert (N := urgent_first _ _ _ _ _ rule t U). unfold due_level in H. rewrite N in H. simpl in H.
    apply any_in in U. destruct U as [m [I E]]. apply any_in in H. destruct H as [o [J F]].
    unfold due in F. apply andb_true_iff in F. destruct F as [F G]. apply Nat.leb_le in G.
    assert (L := earliest _ _ _ _ _ rule t m o I J E F).
    apply any_in. exists m. split; [exact I|]. unfold uses. rewrite E. simpl. apply Nat.leb_le. lia.
  Qed.
End Due.

(* A list of members takes what they take one by one. *)
Fixpoint total (f : dated -> nat) (all : list dated) : nat :=
  match all with [] => 0 | m :: rest => f m + total f rest end.

Lemma total_uses D all t x :
  count (any (uses D) all) (t + x) + total (fun m => count (uses D m) t) all
    <= count (any (uses D) all) t + total (fun m => count (uses D m) (t + x)) all.
Proof.
  induction all as [|m all IH]; simpl.
  - rewrite (count_none (any (uses D) []) t x) by reflexivity. lia.
  - assert (C := count_or (uses D m) (any (uses D) all) t x).
    change (any (uses D) (m :: all)) with (fun u => uses D m u || any (uses D) all u). lia.
Qed.

(* The jobs of a task, one after the other, and the deadline of the first that is not complete. *)
Record dated_stream (cost period jitter relative : nat) (j : jobs) (m : dated) : Prop := Dated_stream {
  is_stream : stream cost period jitter j (does m);
  is_due : forall t i, first j i <= count (runs (does m)) t < first j (S i) -> deadline m t = arrival j i + relative }.

Section Task.
  Variables cost period jitter relative : nat.
  Variable j : jobs.
  Variable m : dated.
  Hypothesis P : 0 < period.
  Hypothesis rule : dated_stream cost period jitter relative j m.
  Let S0 := is_stream _ _ _ _ _ _ rule.

  (* So many jobs are due by D. *)
  Lemma due_by D : exists n, forall i, i < n <-> arrival j i + relative <= D.
  Proof.
    assert (H : forall k, exists n, n <= k /\ forall i, i < k -> (i < n <-> arrival j i + relative <= D)).
    { induction k as [|k [n [N IH]]]; [exists 0; split; [lia|]; intros; lia|].
      destruct (Nat.eq_dec n k) as [->|E].
      - destruct (Nat.le_gt_cases (arrival j k + relative) D) as [L|L].
        + exists (S k). split; [lia|]. intros i I. destruct (Nat.eq_dec i k) as [->|]; [lia|]. rewrite <- IH by lia. lia.
        + exists k. split; [lia|]. intros i I. destruct (Nat.eq_dec i k) as [->|]; [lia|]. apply IH. lia.
      - exists n. split; [lia|]. intros i I. destruct (Nat.eq_dec i k) as [->|]; [|apply IH; lia].
        assert (Z := IH n ltac:(lia)). assert (A := arrivals_apart _ _ _ _ _ P S0 n (k - n)).
        replace (n + (k - n)) with k in A by lia. split; [lia|]. intros L. exfalso.
        assert (E' : arrival j n + relative <= D) by (set ((k - n) * period) in A; lia).
        apply Z in E'. lia. }
    destruct (H (S D)) as [n [N Hn]]. exists n. intros i. destruct (Nat.lt_ge_cases i (S D)) as [L|L]; [apply Hn, L|].
    split; [lia|]. intros A. exfalso. assert (B := arrivals_apart _ _ _ _ _ P S0 0 i). simpl in B. nia.
  Qed.

  Lemma current t k : count (runs (does m)) t < first j k ->
    exists i, i < k /\ first j i <= count (runs (does m)) t < first j (S i).
  Proof.
    induction k as [|k IH]; [simpl; lia|]. intros H.
    destruct (Nat.le_gt_cases (first j k) (count (runs (does m)) t)) as [L|L]; [exists k; lia|].
    destruct (IH L) as [i [I E]]. exists i. split; [lia|exact E].
  Qed.

  Variable D n : nat.
  Hypothesis counts : forall i, i < n <-> arrival j i + relative <= D.

  Lemma due_is t : due D m t = (count (runs (does m)) t <? first j (min (released j (S t)) n)).
  Proof.
    unfold due, is_ready_of. rewrite (is_ready _ _ _ _ _ S0).
    destruct (Nat.ltb_spec (count (runs (does m)) t) (first j (released j (S t)))) as [L|L]; simpl.
    - destruct (current t _ L) as [i [I E]]. rewrite (is_due _ _ _ _ _ _ rule t i E).
      destruct (Nat.leb_spec (arrival j i + relative) D) as [G|G]; symmetry.
      + apply Nat.ltb_lt. apply counts in G. assert (M := first_mono j (S i) (min (released j (S t)) n) ltac:(lia)). lia.
      + apply Nat.ltb_ge. assert (N : n <= i) by (destruct (Nat.le_gt_cases n i) as [|K]; [lia|apply counts in K; lia]).
        assert (M := first_mono j (min (released j (S t)) n) i ltac:(lia)). lia.
    - symmetry. apply Nat.ltb_ge. assert (M := first_mono j (min (released j (S t)) n) (released j (S t)) ltac:(lia)). lia.
  Qed.

  (* What is served of these jobs. *)
  Lemma used_is t : count (uses D m) t = min (count (runs (does m)) t) (first j n).
  Proof.
    induction t as [|t IH]; [reflexivity|]. rewrite !count_S, IH. unfold uses, runs_of.
    destruct (runs (does m) t) eqn:E; simpl; [|lia].
    assert (R := is_served _ _ _ _ _ S0 t E). rewrite (is_ready _ _ _ _ _ S0) in R. apply Nat.ltb_lt in R.
    destruct (current t _ R) as [i [I F]]. rewrite (is_due _ _ _ _ _ _ rule t i F).
    destruct (Nat.leb_spec (arrival j i + relative) D) as [G|G].
    - apply counts in G. assert (M := first_mono j (S i) n ltac:(lia)). lia.
    - assert (N : n <= i) by (destruct (Nat.le_gt_cases n i) as [|K]; [lia|apply counts in K; lia]).
      assert (M := first_mono j n i ltac:(lia)). lia.
  Qed.

  Lemma used_before t : begins (due D m) t -> first j (min (released j t) n) <= count (uses D m) t.
  Proof.
    intros B. rewrite used_is.
    assert (H : first j (min (released j t) n) <= count (runs (does m)) t).
    { destruct t as [|t].
      - assert (Z := nothing_left _ _ _ _ _ P S0 0 I). simpl in Z |- *.
        assert (M := first_mono j (min (released j 0) n) (released j 0) ltac:(lia)). lia.
      - simpl in B. rewrite due_is in B. apply Nat.ltb_ge in B. rewrite count_S. lia. }
    assert (M := first_mono j (min (released j t) n) n ltac:(lia)). lia.
  Qed.
  Lemma used_by t : count (uses D m) t <= first j (min (released j t) n).
  Proof.
    rewrite used_is. assert (A := nothing_ahead _ _ _ _ _ P S0 t).
    destruct (Nat.le_gt_cases (released j t) n) as [H|H].
    - rewrite (Nat.min_l (released j t)) by lia. lia.
    - rewrite (Nat.min_r (released j t)) by lia. lia.
  Qed.

  (* How many of them are released in a window, in which the last has its deadline. *)
  Definition within (x t : nat) : nat :=
    min (ceil (x + jitter) period) (if D + jitter <? t + relative then 0 else (D + jitter - (t + relative)) / period + 1).

  Lemma released_due t x : min (released j (t + x)) n <= min (released j t) n + within x t.
  Proof.
    assert (R := released_in _ _ _ _ _ P S0 t x). assert (M := released_mono _ _ _ _ _ P S0 t (t + x) ltac:(lia)).
    destruct (Nat.le_gt_cases n (released j t)) as [H|H]; [lia|].
    set (a := released j t) in *. set (k := min (released j (t + x)) n - a).
    destruct (Nat.eq_dec k 0) as [Z|Z]; [unfold k in Z; lia|].
    assert (L : arrival j (a + (k - 1)) + relative <= D) by (apply counts; unfold k in *; lia).
    assert (A := arrivals_apart _ _ _ _ _ P S0 a (k - 1)).
    assert (NB : ~ release j a < t) by (rewrite <- (in_order _ _ _ _ _ S0); unfold a; lia).
    assert (IT := in_time _ _ _ _ _ S0 a). unfold within.
    destruct (Nat.ltb_spec (D + jitter) (t + relative)) as [G|G]; [nia|].
    assert (Q : k - 1 <= (D + jitter - (t + relative)) / period).
    { apply Nat.div_le_lower_bound; [lia|]. rewrite Nat.mul_comm. lia. }
    unfold k in *. lia.
  Qed.

  Theorem task_demand t x : begins (due D m) t ->
    count (uses D m) (t + x) <= count (uses D m) t + within x t * cost.
  Proof.
    intros B. assert (U := used_before t B). assert (V := used_by (t + x)). assert (R := released_due t x).
    set (a := min (released j t) n) in *. set (b := min (released j (t + x)) n) in *.
    assert (M := first_mono j b (a + within x t) R). assert (F := first_most _ _ _ _ _ P S0 a (within x t)). lia.
  Qed.

  (* Less what is not complete. *)
  Theorem task_left t x : begins (due D m) t -> count (runs (does m)) (t + x) < first j (min (released j (t + x)) n) ->
    count (uses D m) (t + x) < count (uses D m) t + within x t * cost.
  Proof.
    intros B L. assert (U := used_before t B). assert (V := used_is (t + x)). assert (R := released_due t x).
    set (a := min (released j t) n) in *. set (b := min (released j (t + x)) n) in *.
    assert (M := first_mono j b (a + within x t) R). assert (F := first_most _ _ _ _ _ P S0 a (within x t)). lia.
  Qed.
End Task.
