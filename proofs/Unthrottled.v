(* Page: docs/theory/unthrottled.md.
   What it says: a task (C, T', J) that is alone in a SCHED_DEADLINE server (Q, T) is complete J + G after its arrival,
     and its server is never throttled, if
       C + a + B + demand(G) < G <= T' - J,   T <= T' - J,   C + demand(G) < Q
   Assumptions: 1. The rule of the server in docs/model.md (D1, D2, I4), as long as its runtime is not used up; what
     happens then does not matter. 2. Whatever comes before it is bounded in windows that begin when none of it is
     ready. 3. Less urgent work and the kernel have the core for at most B in such a window, and for a more for each
     job that is released in it. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads.

(* What a server pays for at an instant: its guest, and a routine that is charged to it. *)
Definition spends (b : behaviour) (charged : nat -> bool) (t : nat) : nat :=
  (if runs b t then 1 else 0) + (if charged t then 1 else 0).

(* A server: its runtime, deadline and state after the events of an instant, when its guest has something ready,
   and when routines are charged to it. *)
Record runtime (Q T : nat) (left due : nat -> nat) (throttled wanted charged : nat -> bool) (b : behaviour) : Prop :=
  Runtime {
  at_first : throttled 0 = false /\ left 0 = Q /\ due 0 = if wanted 0 then T else 0;
  (* As long as the runtime is not used up it is kept or, when the guest wakes up, afresh. *)
  at_next : forall t, throttled t = false -> spends b charged t < left t ->
    let rest := left t - spends b charged t in
    let afresh := negb (wanted t) && wanted (S t) && ((due t <? S t) || ((due t - S t) * Q <? rest * T)) in
    throttled (S t) = false /\ left (S t) = (if afresh then Q else rest)
      /\ due (S t) = if afresh then S t + T else due t;
  when_ready : forall t, ready b t = wanted t && negb (throttled t);
  only_when_ready : forall t, runs b t = true -> ready b t = true }.

(* Routines are charged one after the other; the first of them begins while the server is ready, or when it sleeps. *)
Record charges (urgent_ready urgent charged : nat -> bool) (b : behaviour) : Prop := Charges {
  routines : forall t, charged t = true -> urgent_ready t = true /\ urgent t = true;
  first_charge : charged 0 = true -> ready b 0 = true;
  next_charge : forall t, charged (S t) = true -> charged t = true \/ ready b (S t) = true \/ runs b t = true }.

(* A core on which nothing but [urgent] comes before the server. *)
Record before_all (urgent_ready urgent other : nat -> bool) (blocking after : nat) (j : jobs) (b : behaviour) : Prop :=
  Before_all {
  uses_core : forall t, urgent_ready t || ready b t = true -> urgent t || runs b t || other t = true;
  delayed : forall t x, begins (fun u => urgent_ready u || ready b u) t ->
    throughout (fun u => urgent_ready u || ready b u) t x ->
    count other (t + x) <= count other t + blocking + after * (released j (t + x) - released j t) }.

Section Of.
  Variables Q T : nat.
  Variables left due : nat -> nat.
  Variables throttled charged urgent_ready urgent other : nat -> bool.
  Variable b : behaviour.
  Variables cost period jitter blocking after G : nat.
  Variable j : jobs.
  Variable task : behaviour.
  Hypothesis P : 0 < period.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis T_pos : 0 < T.
  Hypothesis rule : stream cost period jitter j task.
  Hypothesis R : runtime Q T left due throttled (ready task) charged b.
  Hypothesis it_runs : forall t, runs task t = runs b t.
  Hypothesis pays : charges urgent_ready urgent charged b.
  Hypothesis core : before_all urgent_ready urgent other blocking after j b.
  Let level (t : nat) : bool := urgent_ready t || ready b t.
  Variable demand : nat -> nat.
  Hypothesis demand_mono : forall x y, x <= y -> demand x <= demand y.
  Hypothesis bounded : forall t x, begins level t -> count urgent (t + x) <= count urgent t + demand x.

  Hypothesis fits : cost + after + blocking + demand G < G.
  Hypothesis rare : G + jitter <= period.
  Hypothesis slow : T + jitter <= period.
  Hypothesis enough : cost + demand G < Q.

  Lemma served t : count (runs task) t = count (runs b) t.
  Proof. apply count_ext, it_runs. Qed.
  Lemma wakes_with t : throttled t = false -> ready b t = ready task t.
  Proof. intros E. rewrite (when_ready _ _ _ _ _ _ _ _ R), E. apply andb_true_r. Qed.
  Lemma not_level t : level t = false -> urgent_ready t = false /\ ready b t = false.
  Proof. unfold level. rewrite orb_false_iff. tauto. Qed.
  Lemma no_charge t : level t = false -> charged t = false /\ runs b t = false.
  Proof.
    intros E. apply not_level in E. destruct E as [E F]. split.
    - destruct (charged t) eqn:C; [apply (routines _ _ _ _ pays) in C; destruct C; congruence|reflexivity].
    - destruct (runs b t) eqn:C; [apply (only_when_ready _ _ _ _ _ _ _ _ R) in C; congruence|reflexivity].
  Qed.

  (* At most one job is released in G. *)
  Lemma one_released s x : x <= G -> released j (s + x) <= released j s + 1.
  Proof.
    intros X. destruct (Nat.le_gt_cases (released j (s + x)) (released j s + 1)) as [|N]; [assumption|].
    set (k := released j s) in *. assert (F : ~ release j k < s) by (rewrite <- (in_order _ _ _ _ _ rule); unfold k; lia).
    assert (L : release j (S k) < s + x) by (apply (in_order _ _ _ _ _ rule); lia).
    assert (A := releases_apart _ _ _ _ _ P rule k (S k) ltac:(lia)). lia.
  Qed.

  (* Nothing is left at the begin of a window, so at most one job is served in G. *)
  Lemma begins_task s : (forall u, u < s -> throttled u = false) -> begins level s -> begins (ready task) s.
  Proof.
    intros U B. destruct s as [|s]; [constructor|]. simpl in *. apply not_level in B.
    rewrite <- wakes_with by (apply U; lia). tauto.
  Qed.
  Lemma one_served s x : (forall u, u < s -> throttled u = false) -> begins level s -> x <= G ->
    count (runs b) (s + x) <= count (runs b) s + cost * (released j (s + x) - released j s).
  Proof.
    intros U B X. assert (N := nothing_left _ _ _ _ _ P rule s (begins_task s U B)).
    assert (A := nothing_ahead _ _ _ _ _ P rule (s + x)). rewrite served in N, A.
    assert (M := released_mono _ _ _ _ _ P rule s (s + x) ltac:(lia)).
    assert (F := first_most _ _ _ _ _ P rule (released j s) (released j (s + x) - released j s)).
    replace (released j s + (released j (s + x) - released j s)) with (released j (s + x)) in F by lia. lia.
  Qed.

  (* No window is as long as G. *)
  Lemma short s : (forall u, u < s -> throttled u = false) -> begins level s -> ~ throughout level s G.
  Proof.
    intros U B W. assert (A := one_served s G U B (Nat.le_refl _)). assert (N := one_released s G (Nat.le_refl _)).
    assert (D := bounded s G B). assert (O := delayed _ _ _ _ _ _ _ core s G B W).
    assert (C : forall u, s <= u < s + G -> (fun _ => true) u = true -> urgent u || runs b u || other u = true)
      by (intros u V _; apply (uses_core _ _ _ _ _ _ _ core), W, V).
    assert (T3 := count_three (fun _ => true) urgent (runs b) other s G C).
    assert (all : forall t, count (fun _ => true) t = t) by (induction t as [|t IH]; [reflexivity|rewrite count_S, IH; lia]).
    rewrite !all in T3. set (n := released j (s + G) - released j s) in *.
    assert (One : n <= 1) by (unfold n; lia). assert (C1 := Nat.mul_le_mono_l _ _ cost One).
    assert (A1 := Nat.mul_le_mono_l _ _ after One). lia.
  Qed.

  (* Deadlines are those of wake-ups, which are releases. *)
  Definition wake_dated (t : nat) : Prop := due t = 0 \/ exists k, k < released j (S t) /\ due t = release j k + T.

  Lemma woken t : ready task t = false -> ready task (S t) = true ->
    release j (released j (S t)) = S t /\ released j (S t) < released j (S (S t)).
  Proof.
    intros W V. rewrite (is_ready _ _ _ _ _ rule) in W, V. apply Nat.ltb_ge in W. apply Nat.ltb_lt in V.
    assert (M := count_mono (runs task) t (S t) ltac:(lia)).
    assert (L : released j (S t) < released j (S (S t))).
    { destruct (Nat.lt_ge_cases (released j (S t)) (released j (S (S t)))) as [|G']; [assumption|].
      assert (F := first_mono j _ _ G'). lia. }
    split; [|exact L]. assert (A := L). apply (in_order _ _ _ _ _ rule) in A.
    assert (B : ~ release j (released j (S t)) < S t) by (rewrite <- (in_order _ _ _ _ _ rule); lia). lia.
  Qed.

  (* An instant at which the runtime is not used up. *)
  Lemma goes_on t : throttled t = false -> spends b charged t < left t -> wake_dated t ->
    throttled (S t) = false /\ wake_dated (S t) /\
    if negb (ready task t) && ready task (S t) then left (S t) = Q else left (S t) + spends b charged t = left t.
  Proof.
    intros Th L D. destruct (at_next _ _ _ _ _ _ _ _ R t Th L) as [A [B C]]. cbv zeta in A, B, C.
    assert (M := released_mono _ _ _ _ _ P rule (S t) (S (S t)) ltac:(lia)). split; [exact A|].
    destruct (negb (ready task t) && ready task (S t)) eqn:W; simpl in B, C.
    - apply andb_true_iff in W. destruct W as [W V]. apply negb_true_iff in W. destruct (woken t W V) as [Re Lt].
      assert (due t <= S t).
      { destruct D as [->|[k [K ->]]]; [lia|]. assert (X := releases_apart _ _ _ _ _ P rule k (released j (S t)) K). lia. }
      assert (F : (due t <? S t) || ((due t - S t) * Q <? (left t - spends b charged t) * T) = true).
      { apply orb_true_iff. right. apply Nat.ltb_lt. replace (due t - S t) with 0 by lia. nia. }
      rewrite F in B, C. split; [|exact B]. right. exists (released j (S t)). rewrite Re. split; [exact Lt|exact C].
    - split; [|lia]. destruct D as [D|[k [K D]]]; [left; congruence|right; exists k; split; [lia|congruence]].
  Qed.

  Definition spent (t : nat) : nat := count (runs b) t + count charged t.
  Lemma spent_S t : spent (S t) = spent t + spends b charged t.
  Proof. unfold spent, spends. rewrite !count_S. lia. Qed.
  Lemma spent_mono t u : t <= u -> spent t <= spent u.
  Proof. intros H. unfold spent. assert (A := count_mono (runs b) t u H). assert (B := count_mono charged t u H). lia. Qed.

  Definition healthy (t : nat) : Prop := throttled t = false /\ 0 < left t /\ wake_dated t.

  (* In a window that begins at s: nothing is spent before the guest wakes up, and then it has a whole runtime. *)
  Lemma since s x : begins level s -> (forall u, u <= s + x -> healthy u) ->
    (forall u, u < s + x -> spends b charged u < left u) ->
    spent (s + x) = spent s /\ ready b (s + x) = false /\ charged (s + x) = false
    \/ Q + spent s <= left (s + x) + spent (s + x).
  Proof.
    intros B. induction x as [|x IH]; intros H L.
    - rewrite Nat.add_0_r in *. destruct (ready b s) eqn:E; [right|left].
      + destruct s as [|s]; [destruct (at_first _ _ _ _ _ _ _ _ R) as [_ [-> _]]; lia|].
        simpl in B. apply not_level in B. destruct (H s ltac:(lia)) as [Th [_ D]].
        destruct (goes_on s Th (L s ltac:(lia)) D) as [Th' [_ A]].
        rewrite wakes_with in E by exact Th'. destruct B as [_ B]. rewrite wakes_with in B by exact Th.
        rewrite B, E in A. simpl in A. lia.
      + split; [reflexivity|]. split; [reflexivity|]. destruct (charged s) eqn:C; [|reflexivity]. destruct s as [|s].
        * apply (first_charge _ _ _ _ pays) in C. congruence.
        * simpl in B. destruct (no_charge s B). apply (next_charge _ _ _ _ pays) in C. destruct C as [C|[C|C]]; congruence.
    - rewrite Nat.add_succ_r in *. specialize (IH (fun u U => H u ltac:(lia)) (fun u U => L u ltac:(lia))).
      set (u := s + x) in *. destruct (H u ltac:(lia)) as [Th [_ D]].
      destruct (goes_on u Th (L u ltac:(lia)) D) as [Th' [_ A]]. rewrite spent_S.
      destruct IH as [[I1 [I2 I3]]|I].
      + assert (Z : runs b u = false).
        { destruct (runs b u) eqn:C; [apply (only_when_ready _ _ _ _ _ _ _ _ R) in C; congruence|reflexivity]. }
        assert (Sp : spends b charged u = 0) by (unfold spends; rewrite Z, I3; reflexivity). rewrite Sp, Nat.add_0_r.
        destruct (ready b (S u)) eqn:E; [right|left].
        * rewrite wakes_with in E by exact Th'. rewrite wakes_with in I2 by exact Th. rewrite I2, E in A. simpl in A. lia.
        * split; [exact I1|]. split; [reflexivity|]. destruct (charged (S u)) eqn:C; [|reflexivity].
          apply (next_charge _ _ _ _ pays) in C. destruct C as [C|[C|C]]; congruence.
      + right. assert (M := spent_mono s u ltac:(unfold u; lia)). destruct (negb (ready task u) && ready task (S u)); lia.
  Qed.

  (* The runtime is never used up. *)
  Lemma spares t : (forall u, u <= t -> healthy u) -> (forall u, u < t -> spends b charged u < left u) ->
    spends b charged t < left t.
  Proof.
    intros H L. destruct (H t ltac:(lia)) as [_ [Pos _]].
    destruct (Nat.eq_dec (spends b charged t) 0) as [Z|Z]; [lia|].
    destruct (window_of level t) as [s [Ls [B W]]].
    assert (U : forall u, u < s -> throttled u = false) by (intros u V; apply H; lia).
    assert (Lt : level t = true).
    { destruct (level t) eqn:E; [reflexivity|]. destruct (no_charge t E) as [E1 E2]. unfold spends in Z. rewrite E1, E2 in Z. lia. }
    assert (X : S t - s <= G).
    { destruct (Nat.le_gt_cases (S t - s) G) as [|N]; [assumption|]. exfalso. apply (short s U B).
      intros u V. destruct (Nat.eq_dec u t) as [->|]; [exact Lt|apply W; lia]. }
    assert (K := since s (t - s) B). replace (s + (t - s)) with t in K by lia. specialize (K H L).
    assert (O := one_served s (S t - s) U B X). assert (N := one_released s (S t - s) X). assert (D := bounded s (S t - s) B).
    replace (s + (S t - s)) with (S t) in * by lia. assert (M := demand_mono _ _ X).
    assert (C : forall u, count charged u + count urgent s <= count charged s + count urgent u \/ u < s).
    { induction u as [|u IH]; [destruct s; [left; simpl; lia|right; lia]|].
      destruct (Nat.lt_ge_cases (S u) s) as [|V]; [right; lia|left].
      destruct (Nat.eq_dec (S u) s) as [->|]; [lia|]. destruct IH as [IH|]; [|lia]. rewrite !count_S.
      destruct (charged u) eqn:E; [|lia]. apply (routines _ _ _ _ pays) in E. destruct E as [_ ->]. lia. }
    destruct (C (S t)) as [C'|]; [|lia].
    assert (cost * (released j (S t) - released j s) <= cost) by nia.
    destruct K as [[K1 [K2 K3]]|K].
    - exfalso. apply Z. unfold spends. rewrite K3.
      destruct (runs b t) eqn:E; [apply (only_when_ready _ _ _ _ _ _ _ _ R) in E; congruence|reflexivity].
    - assert (Y := spent_S t). unfold spent in *. lia.
  Qed.

  Lemma never t : (forall u, u <= t -> healthy u) /\ (forall u, u < t -> spends b charged u < left u).
  Proof.
    induction t as [|t [IH IH']].
    - split; [|lia]. intros u U. replace u with 0 by lia. destruct (at_first _ _ _ _ _ _ _ _ R) as [A [B C]].
      split; [exact A|]. split; [lia|]. unfold wake_dated. rewrite C. destruct (ready task 0) eqn:E; [right|left; reflexivity].
      exists 0. assert (E' := E). rewrite (is_ready _ _ _ _ _ rule) in E'. apply Nat.ltb_lt in E'. simpl in E'.
      destruct (released j 1) as [|n] eqn:N; [simpl in E'; lia|].
      assert (F : 0 < released j 1) by lia. split; [lia|]. apply (in_order _ _ _ _ _ rule) in F. lia.
    - assert (Sp := spares t IH IH'). destruct (IH t ltac:(lia)) as [Th [_ D]].
      destruct (goes_on t Th Sp D) as [A [B C]]. split.
      + intros u U. destruct (Nat.eq_dec u (S t)) as [->|]; [|apply IH; lia]. split; [exact A|]. split; [|exact B].
        destruct (negb (ready task t) && ready task (S t)); lia.
      + intros u U. destruct (Nat.eq_dec u t) as [->|]; [exact Sp|apply IH'; lia].
  Qed.

  Theorem never_throttled t : throttled t = false.
  Proof. destruct (never t) as [H _]. apply H. lia. Qed.

  Theorem unthrottled i : first j (S i) <= count (runs b) (arrival j i + (jitter + G)).
  Proof.
    assert (I := in_time _ _ _ _ _ rule i). set (r := release j i) in *.
    destruct (window_of level r) as [s [Ls [B W]]].
    assert (U : forall u, u < s -> throttled u = false) by (intros; apply never_throttled).
    destruct (Nat.le_gt_cases (first j (S i)) (count (runs b) (s + G))) as [D|D].
    { assert (M := count_mono (runs b) (s + G) (arrival j i + (jitter + G)) ltac:(lia)). lia. }
    exfalso. apply (short s U B). intros u V. destruct (Nat.lt_ge_cases u r) as [|V']; [apply W; lia|].
    unfold level. rewrite wakes_with by apply never_throttled. apply orb_true_iff. right.
    rewrite (is_ready _ _ _ _ _ rule). apply Nat.ltb_lt. rewrite served.
    assert (M := count_mono (runs b) u (s + G) ltac:(lia)).
    assert (L : i < released j (S u)) by (apply (in_order _ _ _ _ _ rule); fold r; lia).
    assert (F := first_mono j (S i) (released j (S u)) ltac:(lia)). lia.
  Qed.
End Of.
