(* Page: docs/theory/propagation.md.
   What it says: 1. What a routine or a task wakes comes as often, and as late as that may be complete; the same where several
     wake it. 2. On the supply on which that runs, and below it, it counts from the request instead. 3. If the settled system has
     a bound for all that wakes a task that is not above the jitter of this there, each history of the system is one of the settled
     system, and every bound holds that holds there: whoever wakes whom, over any number of supplies of any kind.
   Assumptions: 1. A job takes 1 ns at least, and is released when the jobs that wake it are complete. 2. Jobs of a task are
     complete in the order of their arrival. 3. For 3, what is complete at an instant follows from what was released before
     it, and a history may go on from any instant with all later jobs released at the end of their jitter. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Residual BusyWindow Timers.

(* A job is complete when all work up to it is done. *)
Definition complete (w : jobs * behaviour) (k t : nat) : Prop := first (fst w) (S k) <= count (runs (snd w)) t.

(* The k-th job arrives with the k-th of each of its wakers, and is released when the last of these is complete. *)
Record woken (wakers : list (jobs * behaviour)) (j : jobs) : Prop := Woken {
  by_some : wakers <> nil;
  with_source : forall w k, In w wakers -> arrival j k = arrival (fst w) k;
  when_complete : forall k t, release j k <= t <-> forall w, In w wakers -> complete w k t }.

(* A job that takes time is not complete when it is released, nor before. *)
Lemma complete_after cost period jitter j b k t : 0 < period -> stream cost period jitter j b -> 0 < work j k ->
  complete (j, b) k t -> release j k < t.
Proof.
  intros P S' W C. assert (A := nothing_ahead _ _ _ _ _ P S' t). unfold complete in C. cbn [fst snd first] in C.
  apply (in_order _ _ _ _ _ S'). destruct (Nat.lt_ge_cases k (released j t)) as [|G]; [assumption|].
  assert (M := first_mono j _ _ G). lia.
Qed.

(* 1. *)
Section Follows.
  Variable wakers : list (jobs * behaviour).
  Variables T J : nat.
  Hypothesis T_pos : 0 < T.
  Hypothesis bounded : forall w, In w wakers -> exists cost late R, stream cost T late (fst w) (snd w)
    /\ (forall k, 0 < work (fst w) k) /\ R <= J /\ forall k, complete w k (arrival (fst w) k + R).
  Variable j : jobs.
  Hypothesis rule : woken wakers j.

  Lemma woken_apart k : arrival j k + T <= arrival j (S k).
  Proof.
    assert (N := by_some _ _ rule). assert (A := with_source _ _ rule). destruct wakers as [|w ws]; [congruence|].
    rewrite !(A w) by (left; reflexivity). destruct (bounded w ltac:(left; reflexivity)) as [c [l [R [S' _]]]].
    exact (apart _ _ _ _ _ S' k).
  Qed.

  Lemma woken_in_time k : arrival j k <= release j k <= arrival j k + J.
  Proof.
    assert (N := by_some _ _ rule). assert (A := with_source _ _ rule). assert (C := when_complete _ _ rule k). split.
    - destruct wakers as [|w ws]; [congruence|]. destruct (bounded w ltac:(left; reflexivity)) as [c [l [R [S' [W _]]]]].
      assert (D := proj1 (C _) (le_n _) w ltac:(left; reflexivity)). destruct w as [jw bw].
      assert (L := complete_after _ _ _ _ _ k _ T_pos S' (W k) D). assert (I := in_time _ _ _ _ _ S' k).
      assert (E := A (jw, bw) k ltac:(left; reflexivity)). cbn [fst] in *. lia.
    - apply C. intros w I. destruct (bounded w I) as [c [l [R [_ [_ [L D]]]]]]. specialize (D k). unfold complete in *.
      rewrite (A w k I). etransitivity; [exact D|]. apply count_mono. lia.
  Qed.

  (* In the order of arrivals, also where several wake it. *)
  Lemma woken_in_order k : release j k <= release j (S k).
  Proof.
    apply (when_complete _ _ rule). intros w I. assert (D := proj1 (when_complete _ _ rule (S k) _) (le_n _) w I).
    unfold complete in *. assert (M := first_mono (fst w) (S k) (S (S k)) ltac:(lia)). lia.
  Qed.

  (* So it is a task that comes by itself, with the jitter J. *)
  Theorem woken_stream cost b : (forall i t, i < released j t <-> release j i < t) -> (forall i, work j i <= cost) ->
    (forall t, ready b t = (count (runs b) t <? first j (released j (S t)))) -> (forall t, runs b t = true -> ready b t = true) ->
    stream cost T J j b.
  Proof. intros O W D S'. split; auto using woken_apart, woken_in_time. Qed.
End Follows.

(* 2. It has one waker, which is more urgent on the same supply: a routine of the core, or a task. *)
Section Below.
  Variables cost period raised routine late : nat.
  Variables requests j : jobs.
  Variables waker task : behaviour.
  Hypothesis P : 0 < period.
  Hypothesis asks : stream routine period raised requests waker.
  Hypothesis takes_time : forall k, 0 < work requests k.
  Hypothesis wakes : woken ((requests, waker) :: nil) j.
  Hypothesis rule : stream cost period late j task.

  Lemma wakes_at k t : release j k <= t <-> complete (requests, waker) k t.
  Proof.
    rewrite (when_complete _ _ wakes). split; [intros H; apply H; left; reflexivity|].
    intros H w [<-|[]]. exact H.
  Qed.
  Lemma waker_until i u : release requests i <= u < release j i -> ready waker u = true.
  Proof.
    intros [A B]. assert (N : ~ complete (requests, waker) i u) by (rewrite <- wakes_at; lia). unfold complete in N. cbn [fst snd] in N.
    rewrite (is_ready _ _ _ _ _ asks). apply Nat.ltb_lt. assert (I : i < released requests (S u)) by (apply (in_order _ _ _ _ _ asks); lia).
    assert (M := first_mono requests _ _ I). lia.
  Qed.

  Variables supplied wanted urgent_ready urgent other : nat -> bool.
  Variable blocking : nat.
  Hypothesis above : forall u, ready waker u = true -> urgent_ready u = true.
  Hypothesis shares : level supplied wanted urgent_ready urgent (ready task) (runs task) other blocking.
  Variable demand : nat -> nat.
  Hypothesis demand_parts : forall x y, demand (x + y) <= demand x + demand y.
  Let level_ready u := urgent_ready u || ready task u.
  Hypothesis bounded : forall t x, begins level_ready t -> throughout level_ready t x -> count urgent (t + x) <= count urgent t + demand x.
  Variables L R : nat.
  Hypothesis L_pos : 0 < L.
  Hypothesis fits : receives supplied wanted (ceil L period * cost + demand L) L.
  (* The jitter is that of the requests. *)
  Hypothesis points : forall A, A < L -> exists F,
    receives supplied wanted (ceil (A + 1) period * cost + blocking + demand F) F /\ F + raised <= A + R.

  Theorem counts_from_it : exists js, arrival js = arrival j /\ work js = work j
    /\ counted cost period raised level_ready js task.
  Proof.
    apply (counts_from_request cost period raised routine requests j waker task asks late rule).
    - intros i. exact (with_source _ _ wakes (requests, waker) i ltac:(left; reflexivity)).
    - intros i. apply Nat.lt_le_incl, (complete_after _ _ _ _ _ _ _ P asks (takes_time i)), wakes_at, le_n.
    - exact waker_until.
    - intros u H. unfold level_ready. rewrite (above u H). reflexivity.
    - intros u H. unfold level_ready. rewrite H. apply orb_true_r.
  Qed.

  Theorem response_from_request i : first j (S i) <= count (runs task) (arrival j i + R).
  Proof.
    destruct counts_from_it as [js [Ea [Ew [asked [S' [Ready Asked]]]]]].
    destruct (asked_level supplied wanted urgent_ready urgent other blocking task asked Ready Asked shares) as [L' Same].
    assert (E : forall n, first js n = first j n).
    { induction n as [|n IH]; [reflexivity|]. simpl. rewrite IH, Ew. reflexivity. }
    assert (H := response_time supplied wanted urgent_ready urgent other cost period raised blocking js (Behaviour asked (runs task)) P S'
      L' demand demand_parts). rewrite Ea in H. rewrite <- E. apply (H) with (L := L); try assumption.
    intros t x B W. apply bounded.
    - destruct t as [|t]; [constructor|]. cbn in *. unfold level_ready. apply orb_false_iff in B. destruct B as [B N]. rewrite B.
      destruct (ready task t) eqn:Y; [apply Ready in Y; congruence|reflexivity].
    - intros u U. apply Same, W, U.
  Qed.
End Below.

(* 3. The settled system. *)
Section Settled.
  (* Histories of both: when the jobs of each task arrive, are released and are complete. *)
  Variable history : Type.
  Variables arrival release : history -> nat -> nat -> nat.
  Variable done : history -> nat -> nat -> nat -> Prop.
  Variables of_system of_settled : history -> Prop.
  (* The tasks that wake each one, its jitter J in the settled system, and its bound R there. *)
  Variable wakers : nat -> list nat.
  Variables late bound : nat -> nat.
  Hypothesis late_enough : forall m n, In m (wakers n) -> bound m <= late n.
  Hypothesis bounds : forall h n k, of_settled h -> done h n k (arrival h n k + bound n).

  Hypothesis stays : forall h n k t u, done h n k t -> t <= u -> done h n k u.
  Hypothesis arrives_with : forall h m n k, of_system h -> In m (wakers n) -> arrival h n k = arrival h m k.
  Hypothesis last_releases : forall h n k t, of_system h -> wakers n <> nil -> (forall m, In m (wakers n) -> done h m k t) -> release h n k <= t.

  Definition in_time_before (h : history) (t : nat) : Prop :=
    forall n k, wakers n <> nil -> arrival h n k + late n < t -> release h n k <= arrival h n k + late n.
  (* Steps 2 and 3 of the page. *)
  Hypothesis goes_on : forall h t, of_system h -> in_time_before h t -> exists h', of_settled h' /\ forall n k,
    arrival h n k <= t -> arrival h' n k = arrival h n k /\ (forall u, u <= t -> done h' n k u -> done h n k u).

  (* Step 4. *)
  Theorem each_in_time h : of_system h -> forall t, in_time_before h t.
  Proof.
    intros H t. induction t as [|t IH]; intros n k N L; [lia|]. destruct (Nat.eq_dec (arrival h n k + late n) t) as [E|]; [|apply IH; [exact N|lia]].
    destruct (goes_on h t H IH) as [h' [S' G]]. rewrite E. apply (last_releases h n k t H N). intros m M.
    assert (A := arrives_with h m n k H M). destruct (G m k ltac:(lia)) as [A' D]. apply D; [lia|].
    apply (stays _ _ _ _ _ (bounds h' m k S')). assert (B := late_enough m n M). lia.
  Qed.

  (* Step 5. *)
  Theorem bounds_of_settled h n k : of_system h -> done h n k (arrival h n k + bound n).
  Proof.
    intros H. destruct (goes_on h (arrival h n k + bound n) H (each_in_time h H _)) as [h' [S' G]].
    destruct (G n k ltac:(lia)) as [A D]. apply D; [lia|]. rewrite <- A. apply bounds, S'.
  Qed.
End Settled.

(* Where arrivals of sources do not depend on what runs, a history goes on: whatever the supplies are, what is complete at an
   instant follows from what was released before it. *)
Section Releases.
  Variable arrival : nat -> nat -> nat.
  Variable wakers : nat -> list nat.
  Variables late bound : nat -> nat.
  Variable done : (nat -> nat -> nat) -> nat -> nat -> nat -> Prop.
  Hypothesis arrivals : forall n k, arrival n k <= arrival n (S k).
  Hypothesis arrives_with : forall m n k, In m (wakers n) -> arrival n k = arrival m k.
  Hypothesis follows : forall r r' t, (forall n k, r n k < t \/ r' n k < t -> r n k = r' n k) -> forall n k, done r n k t -> done r' n k t.
  Hypothesis stays : forall r n k t u, done r n k t -> t <= u -> done r n k u.
  Hypothesis takes_time : forall r n k t, done r n k t -> r n k < t.
  Hypothesis in_order : forall r n k t, done r n (S k) t -> done r n k t.

  (* Every task comes by itself: within its jitter, in the order of arrivals. *)
  Definition by_itself (r : nat -> nat -> nat) (n : nat) : Prop :=
    forall k, arrival n k <= r n k <= arrival n k + late n /\ r n k <= r n (S k).
  Definition settled (r : nat -> nat -> nat) : Prop := forall n, by_itself r n.
  (* Only the sources do. *)
  Definition system (r : nat -> nat -> nat) : Prop := forall n,
    match wakers n with nil => by_itself r n | _ => forall k t, r n k <= t <-> forall m, In m (wakers n) -> done r m k t end.

  Lemma source r n : system r -> wakers n = nil -> by_itself r n.
  Proof. intros S' E. specialize (S' n). rewrite E in S'. exact S'. Qed.
  Lemma last r n : system r -> wakers n <> nil -> forall k t, r n k <= t <-> forall m, In m (wakers n) -> done r m k t.
  Proof. intros S' E. specialize (S' n). destruct (wakers n); [congruence|exact S']. Qed.

  (* Step 1. *)
  Lemma not_before_arrival r : system r -> forall n k, arrival n k <= r n k.
  Proof.
    intros S'. assert (H : forall t n k, r n k <= t -> arrival n k <= r n k); [|intros n k; exact (H _ n k (le_n _))].
    induction t as [t IH] using lt_wf_ind. intros n k L. destruct (wakers n) as [|m ms] eqn:E; [apply (source r n S' E)|].
    assert (M : In m (wakers n)) by (rewrite E; left; reflexivity).
    assert (D := proj1 (last r n S' ltac:(congruence) k _) (le_n _) m M). apply takes_time in D.
    assert (I := IH (r m k) ltac:(lia) m k (le_n _)). assert (A := arrives_with m n k M). lia.
  Qed.
  Lemma in_their_order r : system r -> forall n k, r n k <= r n (S k).
  Proof.
    intros S' n k. destruct (wakers n) as [|m ms] eqn:E; [apply (source r n S' E)|].
    apply (last r n S' ltac:(congruence)). intros w W. apply in_order.
    exact (proj1 (last r n S' ltac:(congruence) (S k) _) (le_n _) w W).
  Qed.

  (* Later ones are released at the end of their jitter. *)
  Lemma may_go_on r t : system r -> in_time_before _ (fun _ => arrival) (fun r => r) wakers late r t ->
    exists r', settled r' /\ forall n k u, u <= t -> done r' n k u -> done r n k u.
  Proof.
    intros S' I. exists (fun n k => min (r n k) (arrival n k + late n)). split.
    - intros n k. assert (A := not_before_arrival r S' n k). assert (O := in_their_order r S' n k). assert (A' := arrivals n k). lia.
    - intros n k u U. apply follows. clear n k. intros n k H. destruct (Nat.le_gt_cases (r n k) (arrival n k + late n)) as [|G]; [lia|].
      destruct (wakers n) as [|m ms] eqn:E; [assert (B := source r n S' E k); lia|].
      assert (B := I n k ltac:(congruence) ltac:(cbv beta; lia)). cbv beta in B. lia.
  Qed.

  Hypothesis late_enough : forall m n, In m (wakers n) -> bound m <= late n.
  Hypothesis bounds : forall r n k, settled r -> done r n k (arrival n k + bound n).

  Theorem is_settled r : system r -> settled r.
  Proof.
    intros S'. assert (I := each_in_time _ (fun _ => arrival) (fun r => r) done system settled wakers late bound late_enough bounds stays
      (fun _ m n k _ => arrives_with m n k) (fun r n k t S' N => proj2 (last r n S' N k t))).
    assert (G : forall t, in_time_before _ (fun _ => arrival) (fun r => r) wakers late r t).
    { intros t. apply I; [|exact S']. intros h u H B. destruct (may_go_on h u H B) as [h' [A D]]. exists h'. split; [exact A|].
      intros n k _. split; [reflexivity|]. intros v. apply D. }
    intros n k. split; [split|]; [apply not_before_arrival, S'| |apply in_their_order, S'].
    destruct (wakers n) as [|m ms] eqn:E; [apply (source r n S' E)|].
    apply (G (S (arrival n k + late n)) n k); [congruence|cbv beta; lia].
  Qed.
  Corollary bounds_hold r n k : system r -> done r n k (arrival n k + bound n).
  Proof. intros S'. apply bounds, is_settled, S'. Qed.
End Releases.

(* Any supplies that go from instant to instant, by what is released at each, are so. *)
Section Machine.
  Variable state : Type.
  Variable start : state.
  Variable next : nat -> state -> (nat -> nat -> bool) -> state.
  Hypothesis by_what : forall t s e e', (forall n k, e n k = e' n k) -> next t s e = next t s e'.
  Fixpoint state_at (r : nat -> nat -> nat) (t : nat) : state :=
    match t with 0 => start | S u => next u (state_at r u) (fun n k => r n k =? u) end.

  Theorem state_follows r r' t : (forall n k, r n k < t \/ r' n k < t -> r n k = r' n k) -> state_at r t = state_at r' t.
  Proof.
    induction t as [|t IH]; intros H; [reflexivity|]. simpl. rewrite IH by (intros n k L; apply H; lia). apply by_what.
    intros n k. destruct (Nat.eqb_spec (r n k) t), (Nat.eqb_spec (r' n k) t); try reflexivity.
    - assert (E := H n k ltac:(lia)). congruence.
    - assert (E := H n k ltac:(lia)). congruence.
  Qed.
End Machine.
