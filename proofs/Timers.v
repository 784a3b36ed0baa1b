(* Page: docs/theory/timers.md, "On the core".
   What it says: the jobs of a task on the core that a timer wakes count from the expiry, as if they were released then, in
     windows that begin when no callback is pending. So do those that a routine wakes, from its request.
   Assumptions: 1. An expiry is a job of a routine of its core (Loads.v). 2. That is ready until its callback has ended, which
     releases the job of the task, and comes before everything: something of the level is ready, and runs. *)
Require Import Arith Lia Bool.
From Vorrang Require Import Schedule Loads Residual.

(* Jobs of a task that count from an instant from which on they are [asked] for, or something else of the level is ready. *)
Definition counted (cost period jitter : nat) (level : nat -> bool) (j : jobs) (b : behaviour) : Prop :=
  exists asked, stream cost period jitter j (Behaviour asked (runs b))
    /\ (forall u, ready b u = true -> asked u = true) /\ forall u, asked u = true -> level u = true.

Lemma counted_more cost period jitter level more j b : (forall u, level u = true -> more u = true) ->
  counted cost period jitter level j b -> counted cost period jitter more j b.
Proof. intros H [asked [S [R A]]]. exists asked. auto. Qed.

Lemma counted_load cost period jitter level j b t x : 0 < period -> counted cost period jitter level j b -> begins level t ->
  count (runs b) (t + x) <= count (runs b) t + ceil (x + jitter) period * cost.
Proof.
  intros P [asked [S [_ A]]] B. apply (task_load _ _ _ j (Behaviour asked (runs b)) P S). simpl.
  destruct t as [|t]; [constructor|]. simpl in *. destruct (asked t) eqn:E; [apply A in E; congruence|reflexivity].
Qed.

(* To who shares a supply it does not matter. *)
Lemma asked_level supplied wanted urgent_ready urgent other blocking b asked :
  (forall u, ready b u = true -> asked u = true) -> (forall u, asked u = true -> urgent_ready u || ready b u = true) ->
  level supplied wanted urgent_ready urgent (ready b) (runs b) other blocking ->
  level supplied wanted urgent_ready urgent asked (runs b) other blocking
  /\ forall u, urgent_ready u || asked u = true -> urgent_ready u || ready b u = true.
Proof.
  intros R A L. assert (E : forall u, urgent_ready u || asked u = true -> urgent_ready u || ready b u = true).
  { intros u H. apply orb_true_iff in H. destruct H as [H|H]; [rewrite H; reflexivity|exact (A u H)]. }
  split; [|exact E]. split.
  - intros t H. apply (wants _ _ _ _ _ _ _ _ L), E, H.
  - intros t S H. apply (conserves _ _ _ _ _ _ _ _ L); [exact S|apply E, H].
  - intros t x H. apply (blocked _ _ _ _ _ _ _ _ L). intros u U. apply E, H, U.
Qed.

Section Woken.
  Variables cost period raised callback : nat.
  (* The requests and the routine, and the task. *)
  Variables requests j : jobs.
  Variables routine task : behaviour.
  Hypothesis asks : stream callback period raised requests routine.
  Variable late : nat.
  Hypothesis rule : stream cost period late j task.
  Hypothesis with_request : forall i, arrival j i = arrival requests i.
  Hypothesis not_before : forall i, release requests i <= release j i.
  Hypothesis until_routine : forall i u, release requests i <= u < release j i -> ready routine u = true.
  Variable level : nat -> bool.
  Hypothesis routine_in_level : forall u, ready routine u = true -> level u = true.
  Hypothesis task_in_level : forall u, ready task u = true -> level u = true.

  Let at_once := Jobs (arrival j) (release requests) (work j) (released requests).

  Lemma same_first n : first at_once n = first j n.
  Proof. induction n as [|n IH]; [reflexivity|]. simpl. rewrite IH. reflexivity. Qed.
  Lemma released_before t : released j t <= released requests t.
  Proof.
    destruct (Nat.le_gt_cases (released j t) (released requests t)) as [|G]; [assumption|].
    apply (in_order _ _ _ _ _ rule) in G. assert (I := not_before (released requests t)).
    assert (L : released requests t < released requests t); [|lia]. apply (in_order _ _ _ _ _ asks). lia.
  Qed.

  Theorem counts_from_request : exists js, arrival js = arrival j /\ work js = work j /\ counted cost period raised level js task.
  Proof.
    exists at_once. split; [reflexivity|]. split; [reflexivity|].
    exists (fun t => count (runs task) t <? first j (released requests (S t))).
    assert (M : forall t, first j (released j (S t)) <= first j (released requests (S t))).
    { intros t. apply first_mono, released_before. }
    assert (R : forall t, ready task t = true -> (count (runs task) t <? first j (released requests (S t))) = true).
    { intros t H. rewrite (is_ready _ _ _ _ _ rule) in H. apply Nat.ltb_lt in H. apply Nat.ltb_lt. specialize (M t). lia. }
    split; [split|split; [exact R|]]; simpl.
    - exact (apart _ _ _ _ _ rule).
    - intros i. rewrite with_request. apply (in_time _ _ _ _ _ asks).
    - intros i t. apply (in_order _ _ _ _ _ asks).
    - exact (within _ _ _ _ _ rule).
    - intros t. rewrite same_first. reflexivity.
    - intros t H. apply R, (is_served _ _ _ _ _ rule), H.
    - intros t H. destruct (Nat.eq_dec (released j (S t)) (released requests (S t))) as [E|N].
      + apply task_in_level. rewrite (is_ready _ _ _ _ _ rule), E. exact H.
      + assert (L := released_before (S t)). set (i := released j (S t)) in *.
        assert (A : release requests i < S t) by (apply (in_order _ _ _ _ _ asks); unfold i in *; lia).
        assert (B : ~ release j i < S t) by (rewrite <- (in_order _ _ _ _ _ rule); unfold i; lia).
        apply routine_in_level, (until_routine i). lia.
  Qed.
End Woken.

(* An expiry is a request without jitter. *)
Corollary counts_from_expiry cost period callback expiries j routine task late level :
  stream callback period 0 expiries routine -> stream cost period late j task -> (forall i, arrival j i = arrival expiries i) ->
  (forall i u, arrival j i <= u < release j i -> ready routine u = true) ->
  (forall u, ready routine u = true -> level u = true) -> (forall u, ready task u = true -> level u = true) ->
  exists js, arrival js = arrival j /\ work js = work j /\ counted cost period 0 level js task.
Proof.
  intros timer rule from_expiry until. assert (E : forall i, release expiries i = arrival j i).
  { intros i. assert (A := in_time _ _ _ _ _ timer i). rewrite from_expiry. lia. }
  apply (counts_from_request _ _ _ _ _ _ _ _ timer _ rule from_expiry).
  - intros i. rewrite E. apply (in_time _ _ _ _ _ rule).
  - intros i u. rewrite E. apply until.
Qed.
