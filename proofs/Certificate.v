(* What a certificate says, and the function that checks it. crates/certificate is the same function in Rust.
   What it says: if [check] accepts a certificate, then in every history of the supplies that it describes each
     job of its task is complete within its bound.
   Assumptions: [history] and [members], in words: every server of the certificate and every more urgent member
     keeps the rule of its kind (Loads.v, Kinds.v, SporadicServer.v), and each supply is shared by fixed priority (Residual.v). *)
Require Import Arith Lia Bool NArith List.
From Coq Require Import ZifyN ZifyNat.
From Vorrang Require Import Schedule Loads Residual BusyWindow FixedPriorityServer Kinds SporadicServer.
Import ListNotations.

(* The rule of a server: one that is replenished at fixed instants, or a sporadic one. *)
Inductive manner := Fixed (k : kind) | Sporadic.

(* Something that takes time of a supply: a task or routine, or a server. *)
Inductive member :=
  | Jobs_of (cost period jitter : N)
  | Budgets_of (k : manner) (budget period : N).

(* A core, or a server on another supply: its kind, budget and period, what blocks it, what is more urgent than
   it, and windows in which it receives its budget. *)
Inductive supply :=
  | Core
  | Server (k : manner) (budget period blocking : N) (urgent : list member) (full : list N) (parent : supply).

(* From one offset to the next: up to [upto], by the window [within], and windows of the supplies below. *)
Record point := Point { upto : N; window : N; below : list N }.

Record certificate := Certificate {
  on : supply; urgent : list member; blocked_by : N;
  cost : N; period : N; jitter : N;
  bound : N;
  length : N; length_below : list N;
  points : list point }.

(* The function. *)
Open Scope N_scope.

Definition rounded_up (n d : N) : N := (n + d - 1) / d.

Definition cost_of (m : member) : N := match m with Jobs_of c _ _ => c | Budgets_of _ q _ => q end.
Definition period_of (m : member) : N := match m with Jobs_of _ t _ => t | Budgets_of _ _ t => t end.
Definition jitter_of (m : member) : N :=
  match m with
  | Jobs_of _ _ j => j
  | Budgets_of (Fixed Deferrable) q t => t - q
  | Budgets_of _ _ _ => 0 end.
Definition need (m : member) (x : N) : N := rounded_up (x + jitter_of m) (period_of m) * cost_of m.
Fixpoint needs (ms : list member) (x : N) : N :=
  match ms with [] => 0 | m :: r => need m x + needs r x end.

Definition wait_of (k : manner) (q t : N) : N := match k with Fixed Polling => t - 1 | _ => t - q end.

(* The supply gives w in every window of length x in which it is wanted throughout. *)
Fixpoint enough (s : supply) (w x : N) (below : list N) : bool :=
  match s with
  | Core => w <=? x
  | Server k q t b us _ parent =>
      if w =? 0 then true else
      match below with
      | [] => false
      | z :: rest =>
          let n := (w - 1) / q in
          let r := w - n * q in
          (wait_of k q t + n * t + z <=? x) && (z <=? t) && enough parent (r + b + needs us z) z rest end end.

Definition valid (m : member) : bool :=
  (0 <? period_of m) && match m with Budgets_of _ q t => (0 <? q) && (q <=? t) | _ => true end.

(* Every server receives its budget in each period. *)
Fixpoint delivers (s : supply) : bool :=
  match s with
  | Core => true
  | Server k q t b us full parent =>
      (0 <? q) && (q <=? t) && forallb valid us && delivers parent &&
      match full with
      | [] => false
      | z :: rest => (z <=? t) && enough parent (q + b + needs us z) z rest end end.

Fixpoint covers (c : certificate) (from : N) (ps : list point) : bool :=
  match ps with
  | [] => length c <=? from
  | p :: rest =>
      let own := rounded_up (from + 1) (period c) in
      (rounded_up (upto p) (period c) <=? own) && (window p + jitter c <=? from + bound c)
      && enough (on c) (own * cost c + blocked_by c + needs (urgent c) (window p)) (window p) (below p)
      && covers c (upto p) rest end.

Definition check (c : certificate) : bool :=
  delivers (on c) && forallb valid (urgent c) && (0 <? period c) && (0 <? length c)
  && enough (on c) (rounded_up (length c) (period c) * cost c + needs (urgent c) (length c)) (length c) (length_below c)
  && covers c 0 (points c).

Close Scope N_scope.

(* What is claimed of it. *)

(* What a server does: its budget is Q every T, and its guest has something ready when it is [wanted]. *)
Definition serves (k : manner) (Q T : nat) (active wanted : nat -> bool) (b : behaviour) : Prop :=
  match k with
  | Fixed k => exists phase budget, rule Q T phase k budget wanted b
  | Sporadic => exists time which, sporadic Q T time which active wanted b end.

(* A member keeps its rule. The level of a sporadic server is active only while something in [level] is ready. *)
Definition obeys (level : nat -> bool) (m : member) (b : behaviour) : Prop :=
  match m with
  | Jobs_of c t j => exists js, stream (N.to_nat c) (N.to_nat t) (N.to_nat j) js b
  | Budgets_of k q t => exists active wanted, serves k (N.to_nat q) (N.to_nat t) active wanted b
      /\ forall u, active u = true -> level u = true end.
Definition members (level : nat -> bool) (ms : list member) (bs : list behaviour) : Prop := Forall2 (obeys level) ms bs.
Definition any (of : behaviour -> nat -> bool) (bs : list behaviour) (t : nat) : bool :=
  existsb (fun b => of b t) bs.

(* The time that a supply has ([supplied]) while its members want it ([wanted]). *)
Fixpoint history (s : supply) (supplied wanted : nat -> bool) : Prop :=
  match s with
  | Core => forall t, supplied t = true
  | Server k q t blocking us _ parent =>
      exists above above_wanted bs b other active,
        history parent above above_wanted /\ members (any ready bs) us bs
        /\ level above above_wanted (any ready bs) (any runs bs) (ready b) (runs b) other (N.to_nat blocking)
        /\ (forall u, runs b u = true -> any ready bs u = false)
        /\ serves k (N.to_nat q) (N.to_nat t) active wanted b
        /\ (forall u, supplied u = runs b u) end.

(* Why. *)

Definition demand (ms : list member) (x : nat) : nat := N.to_nat (needs ms (N.of_nat x)).

Lemma rounded n d : N.to_nat (rounded_up n d) = ceil (N.to_nat n) (N.to_nat d).
Proof. unfold rounded_up, ceil. rewrite N2Nat.inj_div, N2Nat.inj_sub, N2Nat.inj_add. reflexivity. Qed.

Lemma demand_cons m ms x : demand (m :: ms) x =
  ceil (x + N.to_nat (jitter_of m)) (N.to_nat (period_of m)) * N.to_nat (cost_of m) + demand ms x.
Proof.
  unfold demand, need. simpl. unfold need. rewrite N2Nat.inj_add, N2Nat.inj_mul, rounded, N2Nat.inj_add, Nat2N.id. reflexivity.
Qed.

Lemma valid_period m : valid m = true -> 0 < N.to_nat (period_of m).
Proof. unfold valid. intros H. apply andb_true_iff in H. destruct H as [H _]. apply N.ltb_lt in H. lia. Qed.

Lemma demand_mono ms x y : forallb valid ms = true -> x <= y -> demand ms x <= demand ms y.
Proof.
  intros V H. induction ms as [|m ms IH]; [unfold demand; simpl; lia|].
  simpl in V. apply andb_true_iff in V. destruct V as [V V']. rewrite !demand_cons.
  assert (C := ceil_mono (x + N.to_nat (jitter_of m)) (y + N.to_nat (jitter_of m)) _ (valid_period m V) ltac:(lia)).
  specialize (IH V'). nia.
Qed.
Lemma demand_parts ms x y : forallb valid ms = true -> demand ms (x + y) <= demand ms x + demand ms y.
Proof.
  intros V. induction ms as [|m ms IH]; [unfold demand; simpl; lia|].
  simpl in V. apply andb_true_iff in V. destruct V as [V V']. rewrite !demand_cons. specialize (IH V').
  set (J := N.to_nat (jitter_of m)). set (T := N.to_nat (period_of m)). assert (P := valid_period m V). fold T in P.
  assert (C : ceil (x + y + J) T <= ceil (x + J) T + ceil (y + J) T).
  { apply ceil_least; [exact P|]. assert (A := ceil_covers (x + J) T P). assert (B := ceil_covers (y + J) T P). nia. }
  nia.
Qed.

Lemma begins_less p q t : (forall u, p u = true -> q u = true) -> begins q t -> begins p t.
Proof.
  intros H B. destruct t as [|t]; [constructor|]. simpl in *.
  destruct (p t) eqn:E; [apply H in E; congruence|reflexivity].
Qed.

Lemma load lv m b t x : valid m = true -> obeys lv m b -> (forall u, ready b u = true -> lv u = true) -> begins lv t ->
  count (runs b) (t + x) <= count (runs b) t
    + ceil (x + N.to_nat (jitter_of m)) (N.to_nat (period_of m)) * N.to_nat (cost_of m).
Proof.
  intros V O I B. assert (P := valid_period m V). assert (Br := begins_less _ _ t I B). destruct m as [c p j|k q p]; simpl in *.
  - destruct O as [js S]. apply (task_load _ _ _ js); assumption.
  - destruct O as [active [wanted [S A]]]. unfold valid in V. simpl in V.
    apply andb_true_iff in V. destruct V as [_ V]. apply andb_true_iff in V. destruct V as [V V'].
    apply N.ltb_lt in V. apply N.leb_le in V'. destruct k as [k|]; simpl in S.
    + destruct S as [phase [budget R]]. destruct k; simpl.
      1, 2: rewrite Nat.add_0_r; eapply other_load with (Q := N.to_nat q); try exact R; try assumption; try lia; discriminate.
      replace (N.to_nat (p - q)) with (N.to_nat p - N.to_nat q) by lia.
      eapply deferrable_load; try exact R; lia.
    + destruct S as [time [which R]]. simpl. rewrite Nat.add_0_r.
      eapply sporadic_load; try exact R; try lia. exact (begins_less _ _ t A B).
Qed.

Lemma loads lv ms bs t x : forallb valid ms = true -> members lv ms bs -> (forall u, any ready bs u = true -> lv u = true) ->
  begins lv t -> count (any runs bs) (t + x) <= count (any runs bs) t + demand ms x.
Proof.
  intros V M I B. induction M as [|m b ms bs O M IH].
  - unfold any. simpl. rewrite (count_none (fun _ => false) t x) by reflexivity. lia.
  - simpl in V. apply andb_true_iff in V. destruct V as [V V'].
    assert (I' : forall u, ready b u = true \/ any ready bs u = true -> lv u = true).
    { intros u H. apply I. unfold any. simpl. apply orb_true_iff. exact H. }
    specialize (IH V' (fun u H => I' u (or_intror H))). rewrite demand_cons.
    assert (A := load lv m b t x V O (fun u H => I' u (or_introl H)) B).
    assert (C := count_or (runs b) (any runs bs) t x).
    change (any runs (b :: bs)) with (fun u => runs b u || any runs bs u). lia.
Qed.

(* What a level of a supply gives: r within x, by a window z. *)
Definition at_level (above : nat -> nat -> Prop) (blocking : nat) (us : list member) (r x : nat) : Prop :=
  r <= x /\ (r = 0 \/ exists z, z <= x /\ above (r + blocking + demand us z) z).

Fixpoint gives_of (s : supply) : nat -> nat -> Prop :=
  match s with
  | Core => fun w x => w <= x
  | Server k q t blocking us _ parent => fun w x =>
      w = 0 \/ exists y, N.to_nat (wait_of k q t) + y <= x
        /\ fresh (at_level (gives_of parent) (N.to_nat blocking) us) (N.to_nat q) (N.to_nat t) w y end.

Lemma level_gives above blocking us : forallb valid us = true -> gives above -> gives (at_level above blocking us).
Proof.
  intros V G. split.
  - intros r x [H _]. exact H.
  - intros r x [H [Z|[z [Z A]]]]; [discriminate|]. split; [lia|].
    destruct r as [|r]; [left; reflexivity|right].
    assert (L := no_faster _ G _ _ A). destruct z as [|z]; [lia|]. exists z. split; [lia|].
    apply (less _ G). apply (fewer _ G) with (1 := A). assert (M := demand_mono us z (S z) V ltac:(lia)). lia.
  - intros r s x [H [Z|[z [Z A]]]] L; (split; [lia|]); [left; lia|].
    destruct (Nat.eq_dec s 0); [left; assumption|right]. exists z. split; [lia|]. apply (fewer _ G) with (1 := A). lia.
  - intros r x y [H [Z|[z [Z A]]]] L; (split; [lia|]); [left; lia|right; exists z; split; [lia|exact A]].
  - intros x. split; [lia|left; reflexivity].
Qed.

Lemma enough_gives s : delivers s = true -> gives (gives_of s) /\
  forall w x below, enough s w x below = true -> gives_of s (N.to_nat w) (N.to_nat x).
Proof.
  induction s as [|k q t blocking us full parent IH]; intros D.
  - split.
    + split; simpl; intros; lia.
    + intros w x below H. simpl in *. apply N.leb_le in H. lia.
  - simpl in D. repeat rewrite andb_true_iff in D. destruct D as [[[[D1 D2] D3] D4] D5].
    destruct (IH D4) as [G E]. apply N.ltb_lt in D1. apply N.leb_le in D2.
    assert (LG := level_gives (gives_of parent) (N.to_nat blocking) us D3 G).
    assert (full_level : at_level (gives_of parent) (N.to_nat blocking) us (N.to_nat q) (N.to_nat t)).
    { destruct full as [|z rest]; [discriminate|]. apply andb_true_iff in D5. destruct D5 as [D5 D6].
      apply N.leb_le in D5. apply E in D6. split; [lia|]. right. exists (N.to_nat z). split; [lia|].
      unfold demand. rewrite N2Nat.id. replace (N.to_nat q + N.to_nat blocking + N.to_nat (needs us z))
        with (N.to_nat (q + blocking + needs us z)) by lia. exact D6. }
    split.
    + split; simpl.
      * intros w x [->|[y [Y [F _]]]]; lia.
      * intros w x [Z|[y [Y F]]]; [discriminate|]. destruct (Nat.eq_dec w 0); [left; assumption|right].
        assert (F' := F). destruct F' as [F' _]. destruct y as [|y]; [lia|]. exists y. split; [lia|].
        eapply fresh_less; try exact F; try eassumption; lia.
      * intros w v x [Z|[y [Y F]]] L; [left; lia|right]. exists y. split; [exact Y|].
        eapply fresh_fewer; try exact F; try eassumption; lia.
      * intros w x x' [Z|[y [Y F]]] L; [left; exact Z|right]. exists y. split; [lia|exact F].
      * intros x. left. reflexivity.
    + intros w x below H. simpl in *. destruct (N.eqb_spec w 0) as [->|W]; [left; reflexivity|right].
      destruct below as [|z rest]; [discriminate|]. repeat rewrite andb_true_iff in H. destruct H as [[H1 H2] H3].
      apply N.leb_le in H1, H2. apply E in H3.
      set (n := ((w - 1) / q)%N) in *. set (r := (w - n * q)%N) in *.
      assert (B : (n * q <= w - 1 /\ w - 1 < n * q + q)%N).
      { unfold n. assert (A := N.div_mod (w - 1) q ltac:(lia)). assert (U := N.mod_upper_bound (w - 1) q ltac:(lia)). nia. }
      assert (R : (w = n * q + r /\ 1 <= r <= q)%N) by (unfold r; lia).
      assert (V := no_faster _ G _ _ H3).
      assert (NT : (n * q <= n * t)%N) by (apply N.mul_le_mono_l; lia).
      exists (N.to_nat (n * t + z)). split; [lia|]. split; [lia|]. right.
      exists (N.to_nat n), (N.to_nat r), (N.to_nat z).
      rewrite <- !N2Nat.inj_mul. repeat split; try lia. right. exists (N.to_nat z). split; [lia|].
      unfold demand. rewrite N2Nat.id. replace (N.to_nat r + N.to_nat blocking + N.to_nat (needs us z))
        with (N.to_nat (r + blocking + needs us z)) by lia. exact H3.
Qed.

Lemma wait_is k q t : N.to_nat (wait_of k q t) =
  match k with Fixed k => wait (N.to_nat q) (N.to_nat t) k | Sporadic => N.to_nat t - N.to_nat q end.
Proof. unfold wait_of, wait. destruct k as [k|]; [destruct k|]; lia. Qed.

Lemma provides s : delivers s = true -> forall supplied wanted, history s supplied wanted ->
  forall w x, gives_of s w x -> receives supplied wanted w x.
Proof.
  induction s as [|k q t blocking us full parent IH]; intros D supplied wanted H w x G.
  - simpl in *. intros u U. assert (A : count supplied (u + x) = count supplied u + x).
    { clear U. induction x as [|x IH]; [rewrite !Nat.add_0_r; reflexivity|].
      rewrite Nat.add_succ_r, count_S, H. assert (G' : x <= x) by lia.
      destruct (Nat.le_gt_cases w x) as [L|L]; [rewrite IH by exact L; lia|].
      clear IH. assert (E : forall y, count supplied (u + y) = count supplied u + y).
      { induction y as [|y IHy]; [rewrite !Nat.add_0_r; reflexivity|].
        rewrite Nat.add_succ_r, count_S, H, IHy. lia. }
      rewrite E. lia. }
    lia.
  - assert (D' := D). simpl in D'. repeat rewrite andb_true_iff in D'. destruct D' as [[[[D1 D2] D3] D4] D5].
    apply N.ltb_lt in D1. apply N.leb_le in D2.
    simpl in H. destruct H as [above [aw [bs [b [other [active [H [M [Lv [Last [R Su]]]]]]]]]]].
    simpl in G. destruct G as [->|[y [Y F]]].
    { intros u U. assert (C := count_mono supplied u (u + x) ltac:(lia)). lia. }
    destruct (enough_gives parent D4) as [GP E].
    assert (LG := level_gives (gives_of parent) (N.to_nat blocking) us D3 GP).
    assert (serves : forall r z, at_level (gives_of parent) (N.to_nat blocking) us r z -> receives (runs b) (ready b) r z).
    { intros r z [RZ [->|[v [V A]]]].
      - intros u U. assert (C := count_mono (runs b) u (u + z) ltac:(lia)). lia.
      - apply receives_more with r v; [lia|exact V|].
        apply (residual _ _ _ _ _ _ _ _ Lv Last (demand us)).
        + intros u e B. apply (loads (any ready bs)); auto.
        + apply (IH D4 above aw H). exact A. }
    assert (full_level : at_level (gives_of parent) (N.to_nat blocking) us (N.to_nat q) (N.to_nat t)).
    { destruct full as [|z rest]; [discriminate|]. apply andb_true_iff in D5. destruct D5 as [D5 D6].
      apply N.leb_le in D5. apply E in D6. assert (V := no_faster _ GP _ _ D6). split; [lia|]. right.
      exists (N.to_nat z). split; [lia|]. unfold demand. rewrite N2Nat.id.
      replace (N.to_nat q + N.to_nat blocking + N.to_nat (needs us z))
        with (N.to_nat (q + blocking + needs us z)) by lia. exact D6. }
    assert (S' : receives (runs b) wanted w (N.to_nat (wait_of k q t) + y)).
    { rewrite wait_is. destruct k as [k|]; simpl in R.
      - destruct R as [phase [budget R]]. eapply kind_provides; try exact R; try exact F; try eassumption; lia.
      - destruct R as [time [which R]]. eapply sporadic_provides; try exact R; try exact F; try eassumption; lia. }
    intros u U. rewrite !(count_ext supplied (runs b)) by exact Su.
    exact (receives_more _ _ _ _ _ _ (le_n w) Y S' u U).
Qed.

Lemma covered c : forall ps from, 0 < N.to_nat (period c) -> covers c from ps = true ->
  forall A, N.to_nat from <= A < N.to_nat (length c) -> exists F below,
    enough (on c) (N.of_nat (ceil (A + 1) (N.to_nat (period c))) * cost c + blocked_by c + needs (urgent c) F)%N F below = true
    /\ N.to_nat F + N.to_nat (jitter c) <= A + N.to_nat (bound c).
Proof.
  induction ps as [|p ps IH]; intros from P H A I; simpl in H.
  - apply N.leb_le in H. lia.
  - repeat rewrite andb_true_iff in H. destruct H as [[[H1 H2] H3] H4]. apply N.leb_le in H1, H2.
    destruct (Nat.lt_ge_cases A (N.to_nat (upto p))) as [U|U].
    + exists (window p), (below p). split; [|lia].
      assert (E : N.of_nat (ceil (A + 1) (N.to_nat (period c))) = rounded_up (from + 1) (period c)).
      { apply N2Nat.inj. rewrite Nat2N.id, rounded. apply Nat.le_antisymm.
        - transitivity (ceil (N.to_nat (upto p)) (N.to_nat (period c))); [apply ceil_mono; lia|].
          rewrite <- rounded, <- (rounded (from + 1)). lia.
        - apply ceil_mono; lia. }
      rewrite E. exact H3.
    + apply IH with (upto p); [exact P|exact H4|lia].
Qed.

(* The theorem. *)
Theorem certified c : check c = true ->
  forall supplied wanted bs other js b,
    history (on c) supplied wanted ->
    members (fun u => any ready bs u || ready b u) (urgent c) bs ->
    stream (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c)) js b ->
    level supplied wanted (any ready bs) (any runs bs) (ready b) (runs b) other (N.to_nat (blocked_by c)) ->
    forall i, first js (S i) <= count (runs b) (arrival js i + N.to_nat (bound c)).
Proof.
  intros C supplied wanted bs other js b H M St Lv i. unfold check in C.
  repeat rewrite andb_true_iff in C. destruct C as [[[[[C1 C2] C3] C4] C5] C6].
  apply N.ltb_lt in C3, C4. destruct (enough_gives _ C1) as [_ E]. assert (Pr := provides _ C1 _ _ H).
  apply (response_time supplied wanted (any ready bs) (any runs bs) other (N.to_nat (cost c)) (N.to_nat (period c))
    (N.to_nat (jitter c)) (N.to_nat (blocked_by c)) js b ltac:(lia) St Lv (demand (urgent c))) with (L := N.to_nat (length c)).
  - intros x y. apply demand_parts, C2.
  - intros t x B. eapply loads; [exact C2|exact M| |exact B]. intros u U. simpl. rewrite U. reflexivity.
  - lia.
  - apply Pr. apply E in C5. rewrite N2Nat.inj_add, N2Nat.inj_mul, rounded in C5.
    unfold demand. rewrite N2Nat.id. exact C5.
  - intros A HA. destruct (covered c (points c) 0%N ltac:(lia) C6 A ltac:(lia)) as [F [below [F1 F2]]].
    exists (N.to_nat F). split; [|exact F2]. apply Pr. apply E in F1.
    rewrite !N2Nat.inj_add, N2Nat.inj_mul, Nat2N.id in F1. unfold demand. rewrite N2Nat.id. exact F1.
Qed.
