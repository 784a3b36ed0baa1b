(* Pages: docs/theory/interrupt-level.md, the order "first come", and "of the same priority" in all orders; docs/theory/first-come.md
     where each job is complete when the next one of its task can be released.
   What it says: requests that are served first come, first served are handled R after their arrival, if for some length L and
     for every latest instant A below L there is a window F with
       the sum of ceil((A + 1 + J') / T') C' + B + demand(F) <= what F receives,   F + J <= A + R
     where J' is 0 for the interrupt itself, and the sum for L and demand(L) fit into L. On a core with nothing above it, F is
     the sum and B.
   Assumptions: those of the pages. 1. Requests of one interrupt are T apart, are requested up to J late, and keep their order.
     2. What comes before all of them is bounded in windows that begin when none of it is requested. 3. What is below has the
     supply for at most B while something is requested. Simultaneous requests may be served in any order. *)
Require Import Arith Lia Bool.
From Vorrang Require Import Schedule Loads Residual SharedGuest.

(* All requests in the order in which they are served; [owner] is whose each is. *)
Record first_come (interrupts : nat) (cost period jitter : nat -> nat) (all : jobs) (owner : nat -> nat) (b : behaviour) : Prop := First_come {
  in_order_of_request : forall n t, n < released all t <-> release all n < t;
  is_requested : forall t, ready b t = (count (runs b) t <? first all (released all (S t)));
  only_requested : forall t, runs b t = true -> ready b t = true;
  owner_is_one : forall n, owner n < interrupts;
  each_apart : forall n m, owner n = owner m -> n < m -> arrival all n + period (owner n) <= arrival all m;
  each_in_time : forall n, arrival all n <= release all n <= arrival all n + jitter (owner n);
  each_within : forall n, work all n <= cost (owner n) }.

Section Of.
  Variable interrupts : nat.
  Variables cost period jitter : nat -> nat.
  Variable all : jobs.
  Variable owner : nat -> nat.
  Variable b : behaviour.
  Hypothesis rule : first_come interrupts cost period jitter all owner b.
  Hypothesis P : forall i, 0 < period i.
  (* The interrupt that is looked at. *)
  Variable o : nat.

  (* What is requested in a window of x up to a request of it, that one included. *)
  Definition asks (x i : nat) : nat := ceil (x + (if i =? o then 0 else jitter i)) (period i) * cost i.
  Definition asked (x : nat) : nat := together (asks x) interrupts.

  Lemma asks_parts x y i : asks (x + y) i <= asks x i + asks y i.
  Proof.
    unfold asks. set (J := if i =? o then 0 else jitter i). rewrite <- Nat.mul_add_distr_r. apply Nat.mul_le_mono_r.
    apply ceil_least; [apply P|]. assert (A := ceil_covers (x + J) _ (P i)). assert (B := ceil_covers (y + J) _ (P i)). lia.
  Qed.
  Lemma asked_parts x y : asked (x + y) <= asked x + asked y.
  Proof.
    unfold asked. clear rule. induction interrupts as [|m IH]; [reflexivity|]. cbn [together]. assert (A := asks_parts x y m). lia.
  Qed.
  Lemma asked_times k x y : asked (k * x + y) <= k * asked x + asked y.
  Proof.
    induction k as [|k IH]; [reflexivity|]. assert (A := asked_parts x (k * x + y)).
    replace (S k * x + y) with (x + (k * x + y)) by lia. lia.
  Qed.

  Lemma requested_in_order m n : m <= n -> release all m <= release all n.
  Proof.
    intros L. assert (I := in_order_of_request _ _ _ _ _ _ _ rule). assert (N := proj2 (I n (S (release all n))) ltac:(lia)).
    assert (M := proj1 (I m (S (release all n))) ltac:(lia)). lia.
  Qed.

  (* Whose requests those from [from] on are. *)
  Definition is_of (from i m : nat) : bool := (from <=? m) && (owner m =? i).

  Lemma work_of_each from d :
    first all (from + d) <= first all from + together (fun i => count (is_of from i) (from + d) * cost i) interrupts.
  Proof.
    induction d as [|d IH]; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r. set (n := from + d) in *.
    assert (W := each_within _ _ _ _ _ _ _ rule n).
    assert (T := together_more (fun i => count (is_of from i) n * cost i) (fun i => count (is_of from i) (S n) * cost i) interrupts
      (owner n) (cost (owner n)) (owner_is_one _ _ _ _ _ _ _ rule n)). cbn [first].
    etransitivity; [|apply Nat.add_le_mono_l, T].
    - lia.
    - intros i. apply Nat.mul_le_mono_r. rewrite count_S. lia.
    - assert (Y : is_of from (owner n) n = true) by (apply andb_true_iff; rewrite Nat.leb_le, Nat.eqb_eq; lia).
      rewrite count_S, Y. lia.
  Qed.

  (* Steps 1 and 2 of the page: those before request n that were not there before s. *)
  Lemma few_before s n i : owner n = o -> s <= release all n ->
    count (is_of (released all s) i) (S n) <= ceil (arrival all n + jitter o - s + 1 + (if i =? o then 0 else jitter i)) (period i).
  Proof.
    intros O Sn. set (p := is_of (released all s) i). destruct (count p (S n)) as [|k] eqn:K; [lia|].
    assert (Of : forall m, p m = true -> released all s <= m /\ owner m = i).
    { intros m M. apply andb_true_iff in M. rewrite Nat.leb_le, Nat.eqb_eq in M. exact M. }
    assert (A : forall u v, p u = true -> p v = true -> u < v -> arrival all u + period i <= arrival all v).
    { intros u v U V L. apply Of in U, V. destruct U as [_ U], V as [_ V].
      assert (E := each_apart _ _ _ _ _ _ _ rule u v ltac:(congruence) L). rewrite U in E. exact E. }
    destruct (apart_by p (arrival all) (period i) A (S n) k ltac:(lia)) as [u [v [U [V [L D]]]]].
    apply Of in U, V. destruct U as [U Ui], V as [_ Vi].
    assert (Nu : ~ release all u < s) by (rewrite <- (in_order_of_request _ _ _ _ _ _ _ rule); lia).
    assert (Iu := each_in_time _ _ _ _ _ _ _ rule u). assert (In' := each_in_time _ _ _ _ _ _ _ rule n).
    assert (Iv := each_in_time _ _ _ _ _ _ _ rule v). assert (Ov := requested_in_order v n ltac:(lia)).
    rewrite Ui in Iu. rewrite O in In'. apply ceil_above; [apply P|]. destruct (Nat.eqb_spec i o) as [->|]; [|lia].
    assert (arrival all v <= arrival all n).
    { destruct (Nat.eq_dec v n) as [->|]; [lia|]. assert (E := each_apart _ _ _ _ _ _ _ rule v n ltac:(congruence) ltac:(lia)). lia. }
    lia.
  Qed.

  Lemma ahead s n : owner n = o -> s <= release all n -> released all s <= n ->
    first all (S n) <= first all (released all s) + asked (arrival all n + jitter o - s + 1).
  Proof.
    intros O Sn G. assert (W := work_of_each (released all s) (S n - released all s)).
    replace (released all s + (S n - released all s)) with (S n) in W by lia. etransitivity; [exact W|].
    apply Nat.add_le_mono_l, together_mono. intros i. apply Nat.mul_le_mono_r, few_before; assumption.
  Qed.

  Lemma served_of_requests t : count (runs b) t <= first all (released all t).
  Proof.
    assert (M : forall u, released all u <= released all (S u)).
    { intros u. assert (I := in_order_of_request _ _ _ _ _ _ _ rule). destruct (Nat.le_gt_cases (released all u) (released all (S u))) as [|G]; [assumption|].
      assert (A := proj1 (I _ _) G). assert (B := proj2 (I (released all (S u)) (S u)) ltac:(lia)). lia. }
    induction t as [|t IH]; [simpl; lia|]. assert (F := first_mono all _ _ (M t)). rewrite count_S.
    destruct (runs b t) eqn:E; [|lia]. apply (only_requested _ _ _ _ _ _ _ rule) in E.
    rewrite (is_requested _ _ _ _ _ _ _ rule) in E. apply Nat.ltb_lt in E. lia.
  Qed.
  Lemma none_left t : begins (ready b) t -> first all (released all t) <= count (runs b) t.
  Proof.
    intros B. destruct t as [|t]; simpl in B.
    - destruct (released all 0) as [|n] eqn:E; [simpl; lia|]. exfalso. assert (L : n < released all 0) by lia.
      apply (in_order_of_request _ _ _ _ _ _ _ rule) in L. lia.
    - rewrite (is_requested _ _ _ _ _ _ _ rule) in B. apply Nat.ltb_ge in B. assert (M := count_mono (runs b) t (S t) ltac:(lia)). lia.
  Qed.

  Section On.
    Variables supplied wanted urgent_ready urgent other : nat -> bool.
    Variable blocking : nat.
    Let level_ready t := urgent_ready t || ready b t.
    Hypothesis shares : level supplied wanted urgent_ready urgent (ready b) (runs b) other blocking.
    Variable demand : nat -> nat.
    Hypothesis demand_parts : forall x y, demand (x + y) <= demand x + demand y.
    Hypothesis bounded : forall t x, begins level_ready t -> throughout level_ready t x ->
      count urgent (t + x) <= count urgent t + demand x.
    Variables L R : nat.
    Hypothesis L_pos : 0 < L.
    Hypothesis fits : receives supplied wanted (asked L + demand L) L.
    Hypothesis points : forall A, A < L -> exists F,
      receives supplied wanted (asked (A + 1) + blocking + demand F) F /\ F + jitter o <= A + R.

    Theorem handled_in_order n : owner n = o -> first all (S n) <= count (runs b) (arrival all n + R).
    Proof.
      intros O. set (a := arrival all n). assert (I := each_in_time _ _ _ _ _ _ _ rule n). fold a in I. rewrite O in I.
      (* 1. The window in which it is requested, and how far into it that may be. *)
      destruct (window_of level_ready (release all n)) as [s [Ls [B W]]].
      assert (Bb : begins (ready b) s).
      { destruct s; [constructor|]. simpl in *. unfold level_ready in B. apply orb_false_iff in B. tauto. }
      assert (Q := none_left s Bb). set (A := a + jitter o - s).
      assert (E := Nat.div_mod A L ltac:(lia)). assert (U := Nat.mod_upper_bound A L ltac:(lia)).
      destruct (points _ U) as [F [RF LF]]. set (k := A / L) in *. set (A' := A mod L) in *. rewrite (Nat.mul_comm L) in E.
      set (x := k * L + F). assert (Ex : s + x <= a + R) by (unfold x, A in *; lia).
      assert (M := count_mono (runs b) (s + x) (a + R) Ex).
      destruct (Nat.le_gt_cases (first all (S n)) (count (runs b) (s + x))) as [C|C]; [lia|exfalso].
      (* 2. What is ahead of it. *)
      assert (G : released all s <= n).
      { destruct (Nat.le_gt_cases (released all s) n) as [|G]; [assumption|]. assert (H := first_mono all (S n) _ G).
        assert (M' := count_mono (runs b) s (s + x) ltac:(lia)). lia. }
      assert (H := ahead s n O Ls G). fold a A in H.
      (* 3. The window would go on, and have received more than there is. *)
      assert (busy : throughout level_ready s x).
      { intros u V. destruct (Nat.lt_ge_cases u (release all n)); [apply W; lia|]. unfold level_ready. apply orb_true_iff. right.
        rewrite (is_requested _ _ _ _ _ _ _ rule). apply Nat.ltb_lt. assert (M' := count_mono (runs b) u (s + x) ltac:(lia)).
        assert (RL : n < released all (S u)) by (apply (in_order_of_request _ _ _ _ _ _ _ rule); lia).
        assert (FM := first_mono all (S n) _ RL). lia. }
      assert (RX := receives_then _ _ _ _ _ _ (receives_again _ _ _ _ k fits) RF).
      fold x in RX. specialize (RX s (fun u V => wants _ _ _ _ _ _ _ _ shares u (busy u V))).
      assert (D := bounded s x B busy). assert (Bl := blocked _ _ _ _ _ _ _ _ shares s x busy).
      assert (T := count_three supplied urgent (runs b) other s x
        (fun u V Y => conserves _ _ _ _ _ _ _ _ shares u Y (busy u V))).
      assert (DT : demand x <= k * demand L + demand F).
      { unfold x. clear - demand_parts. induction k as [|k IH]; [reflexivity|].
        replace (S k * L + F) with (L + (k * L + F)) by lia. assert (Y := demand_parts L (k * L + F)). lia. }
      assert (AT := asked_times k L (A' + 1)). replace (k * L + (A' + 1)) with (A + 1) in AT by lia.
      rewrite Nat.mul_add_distr_l in RX. lia.
    Qed.
  End On.

  (* On a core whose routines are served so, with nothing above them: the table of the page. *)
  Corollary on_a_core other blocking L R :
    level (fun _ => true) (ready b) (fun _ => false) (fun _ => false) (ready b) (runs b) other blocking ->
    0 < L -> asked L <= L -> (forall A, A < L -> asked (A + 1) + blocking + jitter o <= A + R) ->
    forall n, owner n = o -> first all (S n) <= count (runs b) (arrival all n + R).
  Proof.
    intros S' Lp F Pt. assert (all_time : forall w x, w <= x -> receives (fun _ => true) (ready b) w x).
    { intros w x H t _. assert (C : forall y, count (fun _ => true) y = y) by (induction y as [|y IH]; [reflexivity|simpl; lia]). rewrite !C. lia. }
    apply (handled_in_order (fun _ => true) (ready b) (fun _ => false) (fun _ => false) other blocking S' (fun _ => 0) (fun _ _ => le_n 0)) with (L := L).
    - intros t x _ _. rewrite (count_none (fun _ => false)) by reflexivity. lia.
    - exact Lp.
    - apply all_time. lia.
    - intros A H. exists (asked (A + 1) + blocking). split; [apply all_time; lia|exact (Pt A H)].
  Qed.
End Of.
