(* Page: docs/theory/several-reservations.md, how late servers are; and lateness.md, late-runtimes.md there.
   What it says: on a core of Linux, SCHED_DEADLINE servers whose runtimes end up to X late ask for at most
     (D - t) Q / T + X by a deadline D, in a window from t on before which nothing of it due by D was ready; whether or not
     deadlines are met. So no server is ready later than L after its deadline, if for all y
       demand(y + L + 1) + B + sum over servers of (y Q / T + X) <= y + L
   Assumptions: 1. The rule of the servers in docs/model.md (D1 to D5, I4, I5). 2. What comes before them, routines and calls,
     is bounded in windows that begin when none of it is ready. 3. Less urgent work and the kernel have the core for at
     most B in a window in which something is ready that is due. *)
Require Import Arith ZArith Lia Bool List.
From Coq Require Import ZifyNat.
From Vorrang Require Import Schedule Loads Deadlines Unthrottled LateRuntimes.
Import ListNotations.

Section Server.
  Variables Q T X B : nat.
  Variable q : nat -> Z.
  Variable d : nat -> nat.
  Variables throttled found wanted charged : nat -> bool.
  Variable b : behaviour.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis Q_le : Q <= T.
  Hypothesis K_less : X + B < Q.
  Hypothesis R : late_runtime Q T X B q d throttled found wanted charged b.

  Definition server : dated := Dated b d.
  Let value (t : nat) : Z := time Q T q d t.
  Let does_step := step Q T X B q d throttled found wanted charged b Q_pos Q_le K_less R.
  Let soon := due_soon Q T X B q d throttled found wanted charged b Q_pos Q_le K_less R.

  Lemma deadline_grows t u : t <= u -> d t <= d u.
  Proof. induction 1 as [|u H IH]; [lia|]. assert (S1 := proj1 (proj2 (does_step u)) (soon u)). lia. Qed.

  (* When it becomes ready, its deadline is to come. *)
  Lemma due_later t : begins (ready b) t -> ready b t = true -> t <= d t.
  Proof.
    destruct t as [|t]; [lia|]. simpl. intros N Y.
    rewrite (LateRuntimes.when_ready _ _ _ _ _ _ _ _ _ _ _ R) in N, Y.
    apply andb_true_iff in Y. destruct Y as [Y1 Y2]. apply negb_true_iff in Y2.
    destruct (throttled t) eqn:Th.
    - assert (Rt : returned d throttled found (S t) = true).
      { simpl. rewrite Th. simpl. destruct (d t <=? S t) eqn:E; [reflexivity|]. exfalso.
        destruct (LateRuntimes.at_next _ _ _ _ _ _ _ _ _ _ _ R t) as [q' [d' [A _]]]. cbv zeta in A.
        rewrite Th, E in A. simpl in A. destruct A. congruence. }
      apply (returned_due Q T X B q d throttled found wanted charged b Q_pos Q_le K_less R) in Rt. lia.
    - rewrite andb_true_r in N.
      destruct (LateRuntimes.at_next _ _ _ _ _ _ _ _ _ _ _ R t) as [q' [d' [_ A]]]. rewrite N, Y1, Y2 in A. simpl in A.
      destruct A as [[_ [_ ->]]|[O [_ ->]]]; [lia|]. unfold outdated in O. lia.
  Qed.

  (* When it becomes due, its virtual time is no earlier. *)
  Lemma becomes_due D t : begins (due D server) t -> due D server t = true -> (Z.of_nat (t * Q) <= value t)%Z.
  Proof.
    unfold due, is_ready_of. simpl. intros N Y. apply andb_true_iff in Y. destruct Y as [Y L]. apply Nat.leb_le in L.
    destruct t as [|t].
    - unfold value, time. destruct (LateRuntimes.at_first _ _ _ _ _ _ _ _ _ _ _ R) as [_ [-> E]].
      rewrite (LateRuntimes.when_ready _ _ _ _ _ _ _ _ _ _ _ R) in Y. apply andb_true_iff in Y. destruct Y as [Y _].
      rewrite E, Y. lia.
    - simpl in N. assert (G := deadline_grows t (S t) ltac:(lia)).
      assert (E : ready b t = false).
      { destruct (ready b t); [|reflexivity]. simpl in N. apply Nat.leb_gt in N. lia. }
      assert (S3 := proj2 (proj2 (does_step t)) E Y). unfold value. lia.
  Qed.

  Lemma used_due D t x : begins (due D server) t ->
    let used := count (uses D server) (t + x) - count (uses D server) t in
    T * used <= Q * (D - t) + X * T
    /\ (used = 0 /\ begins (due D server) (t + x) \/ (Z.of_nat (t * Q + T * used) <= value (t + x))%Z).
  Proof.
    intros Bg. cbv zeta. induction x as [|x [IH1 IH2]].
    { rewrite Nat.add_0_r, Nat.sub_diag. split; [rewrite Nat.mul_0_r; apply Nat.le_0_l|]. left. split; [reflexivity|exact Bg]. }
    rewrite Nat.add_succ_r. set (s := t + x) in *. assert (M := count_mono (uses D server) t s ltac:(unfold s; lia)).
    assert (U : (Z.of_nat (t * Q + T * (count (uses D server) s - count (uses D server) t)) <= value s)%Z
      \/ due D server s = false /\ count (uses D server) s - count (uses D server) t = 0).
    { destruct IH2 as [[Z0 N]|G]; [|left; exact G]. destruct (due D server s) eqn:E; [left|right; auto].
      rewrite Z0, Nat.mul_0_r, Nat.add_0_r. assert (V := becomes_due D s N E).
      assert (t * Q <= s * Q) by (apply Nat.mul_le_mono_r; unfold s; lia). lia. }
    assert (G := proj1 (does_step s)). fold (value s) (value (S s)) in G.
    rewrite count_S. set (n := count (uses D server) s - count (uses D server) t) in *.
    assert (Y : runs b s = true -> (- Z.of_nat X < q s)%Z).
    { intros Y. apply (LateRuntimes.only_when_ready _ _ _ _ _ _ _ _ _ _ _ R) in Y.
      rewrite (LateRuntimes.when_ready _ _ _ _ _ _ _ _ _ _ _ R) in Y. apply andb_true_iff in Y. destruct Y as [_ Y].
      apply negb_true_iff in Y. exact (proj1 (exceeded Q T X B q d throttled found wanted charged b Q_pos Q_le K_less R s) Y). }
    destruct U as [U|[N Z0]].
    - assert (E : uses D server s = runs b s && (d s <=? D)) by reflexivity. rewrite E.
      destruct (runs b s) eqn:Rs; simpl.
      + specialize (Y eq_refl). unfold spends in G. rewrite Rs in G.
        destruct (Nat.leb_spec (d s) D) as [L|L].
        * replace (count (uses D server) s + 1 - count (uses D server) t) with (n + 1) by lia.
          assert (V : (value s = Z.of_nat (d s) * Z.of_nat Q - q s * Z.of_nat T)%Z) by reflexivity.
          assert (P1 : (Z.of_nat (d s) * Z.of_nat Q <= Z.of_nat D * Z.of_nat Q)%Z) by (apply Z.mul_le_mono_nonneg_r; lia).
          assert (P2 : ((1 - Z.of_nat X) * Z.of_nat T <= q s * Z.of_nat T)%Z) by (apply Z.mul_le_mono_nonneg_r; lia).
          split; [|right; destruct (charged s); cbn [Nat.add] in G; lia].
          destruct (Nat.le_gt_cases t D) as [H|H].
          -- assert (P3 : Q * (D - t) + t * Q = D * Q) by (rewrite (Nat.mul_comm t), <- Nat.mul_add_distr_l, Nat.mul_comm; f_equal; lia).
             lia.
          -- assert (P3 : D * Q <= t * Q) by (apply Nat.mul_le_mono_r; lia). lia.
        * rewrite Nat.add_0_r. split; [exact IH1|right]. destruct (charged s); cbn [Nat.add] in G; lia.
      + rewrite Nat.add_0_r. split; [exact IH1|right]. unfold spends in G. rewrite Rs in G. destruct (charged s); cbn [Nat.add] in G; lia.
    - assert (F : uses D server s = false).
      { unfold uses, runs_of. simpl. destruct (runs b s) eqn:E; [|reflexivity]. simpl.
        apply (LateRuntimes.only_when_ready _ _ _ _ _ _ _ _ _ _ _ R) in E. unfold due, is_ready_of in N. simpl in N.
        rewrite E in N. exact N. }
      rewrite F, Nat.add_0_r. fold n. split; [exact IH1|left]. split; [exact Z0|exact N].
  Qed.

  Theorem late_demand D t x : begins (due D server) t ->
    count (uses D server) (t + x) <= count (uses D server) t + ((D - t) * Q / T + X).
  Proof.
    intros Bg. destruct (used_due D t x Bg) as [H _].
    assert (M := count_mono (uses D server) t (t + x) ltac:(lia)).
    set (n := count (uses D server) (t + x) - count (uses D server) t) in *.
    assert (N : n - X <= (D - t) * Q / T); [|set ((D - t) * Q / T) in *; lia].
    apply Nat.div_le_lower_bound; [lia|]. rewrite Nat.mul_sub_distr_l, (Nat.mul_comm (D - t)). set (Q * (D - t)) in *. lia.
  Qed.
End Server.

(* A core of Linux: routines and calls, then servers by deadline; the kernel may go on with what it is at. *)
Record linux (urgent_ready urgent other : nat -> bool) (blocking : nat) (all : list dated) : Prop := Linux {
  uses_core : forall t, urgent_ready t || any is_ready_of all t = true -> urgent t || any runs_of all t || other t = true;
  (* No server has the core while something urgent is ready, or a server with an earlier deadline. *)
  urgent_before : forall t, any runs_of all t = true -> urgent_ready t = false;
  earlier_first : forall t m o, In m all -> In o all -> runs_of m t = true -> is_ready_of o t = true -> deadline m t <= deadline o t;
  goes_on : forall D t x, throughout (due_level urgent_ready all D) t x -> count other (t + x) <= count other t + blocking }.

Section Core.
  Variables urgent_ready urgent other : nat -> bool.
  Variable blocking : nat.
  Variable all : list dated.
  Hypothesis core : linux urgent_ready urgent other blocking all.
  Variable demand : nat -> nat.
  Hypothesis bounded : forall t x, begins urgent_ready t -> count urgent (t + x) <= count urgent t + demand x.

  Lemma all_instants t x : count (fun _ => true) (t + x) = count (fun _ => true) t + x.
  Proof. induction x as [|x IH]; [rewrite !Nat.add_0_r; reflexivity|]. rewrite !Nat.add_succ_r, count_S, IH. lia. Qed.

  Lemma due_used D t : due_level urgent_ready all D t = true -> urgent t || any (uses D) all t || other t = true.
  Proof.
    intros H. assert (N : urgent_ready t || any is_ready_of all t = true).
    { unfold due_level in H. apply orb_true_iff in H. apply orb_true_iff.
      destruct H as [H|H]; [left; exact H|right]. apply any_in in H. destruct H as [m [I U]]. apply any_in. exists m.
      split; [exact I|]. unfold due in U. apply andb_true_iff in U. tauto. }
    assert (U := uses_core _ _ _ _ _ core t N). rewrite !orb_true_iff in U. rewrite !orb_true_iff.
    destruct U as [[U|U]|U]; [tauto| |tauto]. left. right.
    assert (F := urgent_before _ _ _ _ _ core t U). unfold due_level in H. rewrite F in H. simpl in H.
    apply any_in in U. destruct U as [m [I E]]. apply any_in in H. destruct H as [o [J G]].
    unfold due in G. apply andb_true_iff in G. destruct G as [G L]. apply Nat.leb_le in L.
    assert (A := earlier_first _ _ _ _ _ core t m o I J E G).
    apply any_in. exists m. split; [exact I|]. unfold uses. rewrite E. simpl. apply Nat.leb_le. lia.
  Qed.

  Section Lateness.
    Variable asked : nat -> nat.
    Hypothesis asks : forall D t x, begins (any (due D) all) t ->
      count (any (uses D) all) (t + x) <= count (any (uses D) all) t + asked (D - t).
    Hypothesis grows : forall m t u, In m all -> t <= u -> deadline m t <= deadline m u.
    Hypothesis comes : forall m t, In m all -> begins (is_ready_of m) t -> is_ready_of m t = true -> t <= deadline m t.
    Variable L : nat.
    Hypothesis fits : forall y, demand (y + L + 1) + blocking + asked y <= y + L.

    Theorem lateness m u : In m all -> is_ready_of m u = true -> u < deadline m u + L.
    Proof.
      intros I Y. set (D := deadline m u). destruct (Nat.lt_ge_cases u (D + L)) as [|N]; [assumption|exfalso].
      destruct (window_of (due_level urgent_ready all D) u) as [s [Ls [Bg W]]].
      assert (B0 : begins urgent_ready s /\ begins (any (due D) all) s).
      { destruct s; simpl in *; [tauto|]. unfold due_level in Bg. apply orb_false_iff in Bg. exact Bg. }
      destruct B0 as [Bu Ba].
      assert (Le : s <= D).
      { destruct (window_of (is_ready_of m) u) as [v [Lv [Bv Wv]]].
        assert (Yv : is_ready_of m v = true).
        { destruct (Nat.eq_dec v u) as [->|]; [exact Y|apply Wv; lia]. }
        assert (C := comes m v I Bv Yv). assert (G := grows m v u I Lv). fold D in G.
        destruct (Nat.le_gt_cases s v) as [|H]; [lia|]. exfalso. destruct s as [|s]; [lia|]. simpl in Ba.
        assert (E : any (due D) all s = true); [|congruence]. apply any_in. exists m. split; [exact I|].
        unfold due. rewrite Wv by lia. simpl. apply Nat.leb_le. apply (grows m s u I). lia. }
      set (z := (D - s) + L + 1). assert (busy : throughout (due_level urgent_ready all D) s z).
      { intros v V. destruct (Nat.lt_ge_cases v u) as [H|H]; [apply W; lia|]. replace v with u by (unfold z in *; lia).
        unfold due_level. apply orb_true_iff. right. apply any_in. exists m. split; [exact I|]. unfold due. rewrite Y. simpl.
        apply Nat.leb_le. unfold D. lia. }
      assert (C := count_three (fun _ => true) urgent (any (uses D) all) other s z (fun v V _ => due_used D v (busy v V))).
      rewrite all_instants in C. assert (M1 := bounded s z Bu). assert (M2 := asks D s z Ba).
      assert (M3 := goes_on _ _ _ _ _ core D s z busy). assert (F := fits (D - s)). fold z in F. unfold z in *. lia.
    Qed.
  End Lateness.

  (* Routines, in a window that begins anywhere. *)
  Variable routine : nat -> bool.
  Variable taken : nat -> nat.
  Hypothesis taken_mono : forall x y, x <= y -> taken x <= taken y.
  Hypothesis routines : forall t x, begins urgent_ready t -> count routine (t + x) <= count routine t + taken x.
  Variable G : nat.
  Hypothesis ends : blocking + demand G < G.

  Theorem anywhere t x : count routine (t + x) <= count routine t + taken (x + G).
  Proof.
    destruct (window_of urgent_ready t) as [s [Ls [Bg W]]].
    assert (Le : t - s <= G).
    { destruct (Nat.le_gt_cases (t - s) G) as [|N]; [assumption|exfalso].
      assert (busy : throughout (due_level urgent_ready all 0) s G).
      { intros v V. unfold due_level. rewrite W by lia. reflexivity. }
      assert (C := count_three (fun _ => true) urgent (fun _ => false) other s G).
      assert (C' : forall v, s <= v < s + G -> true = true -> urgent v || false || other v = true).
      { intros v V _. assert (Wv := W v ltac:(lia)). assert (U := uses_core _ _ _ _ _ core v).
        rewrite Wv in U. specialize (U eq_refl). destruct (any runs_of all v) eqn:E; [|exact U].
        apply (urgent_before _ _ _ _ _ core) in E. congruence. }
      specialize (C C'). rewrite all_instants in C. assert (Z : forall n, count (fun _ => false) n = 0) by (induction n as [|n IH]; simpl; lia).
      rewrite !Z in C. assert (M1 := bounded s G Bg). assert (M3 := goes_on _ _ _ _ _ core 0 s G busy). lia. }
    assert (A := routines s (t - s + x) Bg). replace (s + (t - s + x)) with (t + x) in A by lia.
    assert (M := count_mono routine s t Ls). assert (M2 := taken_mono (t - s + x) (x + G) ltac:(lia)). lia.
  Qed.
End Core.
