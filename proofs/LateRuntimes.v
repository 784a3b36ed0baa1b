(* Pages: docs/theory/late-runtimes.md and scheduler-costs.md.
   What it says: a SCHED_DEADLINE server (Q, T) with D = T that does not reclaim takes at most x Q / T + Q + K in a window
     of length x before which it was not ready, if its runtimes end up to X late, routines that are charged to it run one
     after the other for at most B, and K = X + B < Q. Its replenishments are at most ceil((x + T) / T) in any window, the
     instants at which it is throttled ceil((x + 2T) / T).
   Assumptions: 1. The rule of the server in docs/model.md (D1 to D5, I4, I5). It does not matter whether deadlines are
     met, what the guest does, or who else is on the core.
   The proof is about the virtual time d - q T / Q, times Q, of the runtime q, which may be negative, and the deadline d.
   It never falls, also where D4 forgets an overrun; and it is at least t when the server becomes ready at t. *)
Require Import Arith ZArith Lia Bool List.
From Coq Require Import ZifyNat.
From Vorrang Require Import Schedule Loads Unthrottled Backlog.

Section Rule.
  Variables Q T X B : nat.

  (* D4: a runtime that is used up by -r comes back at t: Q more, due T later, until something is left; afresh, where
     that is due already. *)
  Definition comes_back (t : nat) (r : Z) (d : nat) (q' : Z) (d' : nat) : Prop :=
    exists k, (r + (Z.of_nat k - 1) * Z.of_nat Q <= 0)%Z /\ (0 < r + Z.of_nat k * Z.of_nat Q)%Z /\
      if d + k * T <? t then q' = Z.of_nat Q /\ d' = t + T
      else q' = (r + Z.of_nat k * Z.of_nat Q)%Z /\ d' = d + k * T.

  (* D2: the guest gets work at t with the pair (q, d), and starts afresh. *)
  Definition outdated (t : nat) (q : Z) (d : nat) : Prop :=
    d < t \/ ((Z.of_nat d - Z.of_nat t) * Z.of_nat Q < q * Z.of_nat T)%Z.

  (* A server: its runtime, deadline and state after the events of an instant, whether its runtime is found to be used up
     then ([found]), when its guest has something ready, and when routines are charged to it. *)
  Record late_runtime (q : nat -> Z) (d : nat -> nat) (throttled found wanted charged : nat -> bool) (b : behaviour) : Prop :=
    Late_runtime {
    at_first : throttled 0 = false /\ q 0 = Z.of_nat Q /\ d 0 = if wanted 0 then T else 0;
    (* It is found only where it is used up; up to X late, and at once when the guest sleeps. *)
    only_used_up : forall t, found t = true -> (q t - Z.of_nat (spends b charged t) <= 0)%Z;
    found_by : forall t, found t = false -> (- Z.of_nat X < q t - Z.of_nat (spends b charged t))%Z
      /\ (wanted (S t) = false -> (0 < q t - Z.of_nat (spends b charged t))%Z);
    at_next : forall t, exists q' d',
      let rest := (q t - Z.of_nat (spends b charged t))%Z in
      (if throttled t || found t
       then if d t <=? S t then throttled (S t) = false /\ comes_back (S t) rest (d t) q' d'
            else throttled (S t) = true /\ q' = rest /\ d' = d t
       else throttled (S t) = false /\ q' = rest /\ d' = d t)
      /\ if negb (throttled (S t)) && negb (wanted t) && wanted (S t)
         then outdated (S t) q' d' /\ q (S t) = Z.of_nat Q /\ d (S t) = S t + T
           \/ ~ outdated (S t) q' d' /\ q (S t) = q' /\ d (S t) = d'
         else q (S t) = q' /\ d (S t) = d';
    when_ready : forall t, ready b t = wanted t && negb (throttled t);
    only_when_ready : forall t, runs b t = true -> ready b t = true;
    (* A core does one thing. *)
    one_of_both : forall t, runs b t = true -> charged t = false;
    (* Routines are charged one after the other, the first of them while the server is ready, or has just run. *)
    is_charged : forall t, charged (S t) = true -> charged t = true \/ ready b (S t) = true \/ runs b t = true;
    block : forall t x, throughout charged t x -> x <= B }.

  Variable q : nat -> Z.
  Variable d : nat -> nat.
  Variables throttled found wanted charged : nat -> bool.
  Variable b : behaviour.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis Q_le : Q <= T.
  Hypothesis K_less : X + B < Q.
  Hypothesis R : late_runtime q d throttled found wanted charged b.

  Let rest (t : nat) : Z := (q t - Z.of_nat (spends b charged t))%Z.

  Lemma spends_one t : spends b charged t <= 1.
  Proof.
    unfold spends. assert (O := one_of_both _ _ _ _ _ _ _ R t). destruct (runs b t); [rewrite O by reflexivity; lia|].
    destruct (charged t); lia.
  Qed.
  Lemma throttled_idle t : throttled t = true -> ready b t = false /\ runs b t = false.
  Proof.
    intros H. assert (E : ready b t = false) by (rewrite (when_ready _ _ _ _ _ _ _ R), H; apply andb_false_r).
    split; [exact E|]. destruct (runs b t) eqn:N; [apply (only_when_ready _ _ _ _ _ _ _ R) in N; congruence|reflexivity].
  Qed.

  (* While it is throttled, nothing is left and the deadline is to come. *)
  Lemma waits t : throttled t = true -> (q t <= 0)%Z /\ t < d t.
  Proof.
    induction t as [|t IH]; intros H; [destruct (at_first _ _ _ _ _ _ _ R) as [A _]; congruence|].
    destruct (at_next _ _ _ _ _ _ _ R t) as [q' [d' [A C]]]. cbv zeta in A. rewrite H in C. simpl in C. destruct C as [C1 C2].
    destruct (throttled t || found t) eqn:E; [|destruct A; congruence].
    destruct (Nat.leb_spec (d t) (S t)) as [L|L]; [destruct A; congruence|]. destruct A as [_ [A1 A2]]. split; [|lia].
    rewrite C1, A1. destruct (found t) eqn:F; [exact (only_used_up _ _ _ _ _ _ _ R t F)|].
    rewrite orb_false_r in E. specialize (IH E). lia.
  Qed.

  (* By how much it is used up. *)
  Lemma exceeded t : (throttled t = false -> (- Z.of_nat X < q t)%Z)
    /\ (throttled t = true -> (exists s, s <= t /\ throughout charged s (t - s) /\ (- Z.of_nat X <= q t + Z.of_nat (t - s))%Z)
        \/ charged t = false /\ (- Z.of_nat (X + B) <= q t)%Z).
  Proof.
    induction t as [|t [IH1 IH2]].
    - destruct (at_first _ _ _ _ _ _ _ R) as [A [C _]]. split; intros H; [lia|congruence].
    - destruct (at_next _ _ _ _ _ _ _ R t) as [q' [d' [A C]]]. cbv zeta in A. assert (Sp := spends_one t).
      split; intros H; rewrite H in A, C; simpl in C.
      + assert (Q' : (- Z.of_nat X < q')%Z).
        { destruct (throttled t || found t) eqn:E.
          - destruct (d t <=? S t); [|destruct A; congruence]. destruct A as [_ [k [K1 [K2 K3]]]].
            destruct (d t + k * T <? S t); destruct K3 as [-> _]; lia.
          - destruct A as [_ [-> _]]. apply orb_false_iff in E. destruct E as [_ F].
            apply (found_by _ _ _ _ _ _ _ R t F). }
        destruct (negb (wanted t) && wanted (S t)); [|destruct C as [-> _]; exact Q'].
        destruct C as [[_ [-> _]]|[_ [-> _]]]; [lia|exact Q'].
      + destruct C as [C1 C2]. destruct (throttled t || found t) eqn:E; [|destruct A; congruence].
        destruct (d t <=? S t); [destruct A; congruence|]. destruct A as [_ [A1 _]]. rewrite C1, A1.
        destruct (throttled t) eqn:Th.
        * destruct (throttled_idle t Th) as [N1 N2]. destruct (throttled_idle (S t) H) as [N3 _].
          assert (Ne : charged (S t) = true -> charged t = true).
          { intros Y. apply (is_charged _ _ _ _ _ _ _ R) in Y. destruct Y as [Y|[Y|Y]]; congruence. }
          unfold spends. rewrite N2. destruct (charged t) eqn:Ch.
          -- left. destruct (IH2 eq_refl) as [[s [S1 [S2 S3]]]|[Z _]]; [|congruence].
             exists s. split; [lia|]. split; [|lia]. intros u U. destruct (Nat.eq_dec u t) as [->|]; [exact Ch|apply S2; lia].
          -- right. split; [apply not_true_is_false; intros Y; apply Ne in Y; discriminate|].
             destruct (IH2 eq_refl) as [[s [S1 [S2 S3]]]|[_ Z]]; [|lia].
             assert (Bl := block _ _ _ _ _ _ _ R s (t - s) S2). lia.
        * left. specialize (IH1 eq_refl). unfold spends in *. destruct (charged t) eqn:Ch.
          -- exists t. split; [lia|]. split; [|destruct (runs b t); lia].
             intros u U. replace u with t by lia. exact Ch.
          -- exists (S t). split; [lia|]. split; [intros u U; lia|]. destruct (runs b t); lia.
  Qed.
  Lemma rest_least t : (- Z.of_nat (X + B) <= q t)%Z /\ (throttled t || found t = true -> (- Z.of_nat (X + B) <= rest t)%Z).
  Proof.
    destruct (exceeded t) as [A C]. unfold rest, spends. destruct (throttled t) eqn:E.
    - destruct (throttled_idle t E) as [_ ->]. destruct (C eq_refl) as [[s [S1 [S2 S3]]]|[Ch Z]].
      + assert (Bl := block _ _ _ _ _ _ _ R s (t - s) S2). split; [lia|intros _]. destruct (charged t) eqn:Ch; [|lia].
        assert (S4 : throughout charged s (S t - s)).
        { intros u U. destruct (Nat.eq_dec u t) as [->|]; [exact Ch|apply S2; lia]. }
        assert (Bl' := block _ _ _ _ _ _ _ R s (S t - s) S4). lia.
      + rewrite Ch. lia.
    - specialize (A eq_refl). split; [lia|intros _]. assert (O := one_of_both _ _ _ _ _ _ _ R t).
      destruct (runs b t); [rewrite O by reflexivity; lia|]. destruct (charged t) eqn:Ch; [|lia].
      assert (S4 : throughout charged t 1) by (intros u U; replace u with t by lia; exact Ch).
      assert (Bl' := block _ _ _ _ _ _ _ R t 1 S4). lia.
  Qed.

  (* A runtime that is used up comes back in one part, for it is exceeded by less than Q. *)
  Lemma back_is t q' d' : throttled t || found t = true -> comes_back (S t) (rest t) (d t) q' d' ->
    d t + T < S t /\ q' = Z.of_nat Q /\ d' = S t + T \/ S t <= d t + T /\ q' = (rest t + Z.of_nat Q)%Z /\ d' = d t + T.
  Proof.
    intros E [k [K1 [K2 K3]]]. destruct (rest_least t) as [_ L]. specialize (L E).
    assert (U : (rest t <= 0)%Z).
    { destruct (found t) eqn:F; [exact (only_used_up _ _ _ _ _ _ _ R t F)|]. rewrite orb_false_r in E.
      assert (W := waits t E). unfold rest. lia. }
    assert (k = 1) by nia. subst k. rewrite Nat.mul_1_l in K3. replace (Z.of_nat 1 * Z.of_nat Q)%Z with (Z.of_nat Q) in K3 by lia.
    destruct (Nat.ltb_spec (d t + T) (S t)) as [N|N]; [left|right]; (split; [lia|exact K3]).
  Qed.

  (* While its guest sleeps and it is not throttled, something is left. *)
  Lemma asleep t : wanted t = false -> throttled t = false -> (0 < q t)%Z.
  Proof.
    destruct t as [|t]; [destruct (at_first _ _ _ _ _ _ _ R) as [_ [-> _]]; lia|]. intros W Th.
    destruct (at_next _ _ _ _ _ _ _ R t) as [q' [d' [A C]]]. cbv zeta in A. fold (rest t) in A.
    rewrite W, andb_false_r in C. destruct C as [-> _]. destruct (throttled t || found t) eqn:E.
    - destruct (d t <=? S t); [|destruct A; congruence]. destruct A as [_ A]. assert (L := proj2 (rest_least t) E).
      destruct (back_is t q' d' E A) as [[_ [-> _]]|[_ [-> _]]]; lia.
    - destruct A as [_ [-> _]]. apply orb_false_iff in E. destruct E as [_ F]. exact (proj2 (found_by _ _ _ _ _ _ _ R t F) W).
  Qed.

  Definition time (t : nat) : Z := (Z.of_nat (d t) * Z.of_nat Q - q t * Z.of_nat T)%Z.

  (* What an instant does. *)
  Lemma step t :
    (time t + Z.of_nat (spends b charged t) * Z.of_nat T <= time (S t))%Z
    /\ (d t <= t + T -> d t <= d (S t) <= S t + T)
    /\ (ready b t = false -> ready b (S t) = true -> (Z.of_nat (S t) * Z.of_nat Q <= time (S t))%Z).
  Proof.
    destruct (at_next _ _ _ _ _ _ _ R t) as [q' [d' [A C]]]. cbv zeta in A. fold (rest t) in A.
    assert (W : ready b t = false -> ready b (S t) = true -> throttled t = true \/ negb (throttled (S t)) && negb (wanted t) && wanted (S t) = true).
    { rewrite !(when_ready _ _ _ _ _ _ _ R). destruct (throttled t), (throttled (S t)), (wanted t), (wanted (S t)); simpl; auto; discriminate. }
    (* Before the guest gets work. *)
    assert (V : (Z.of_nat (d t) * Z.of_nat Q - rest t * Z.of_nat T <= Z.of_nat d' * Z.of_nat Q - q' * Z.of_nat T)%Z
      /\ d t <= d' /\ (d t <= t + T -> d' <= S t + T)
      /\ (throttled t = true -> throttled (S t) = false -> (Z.of_nat (S t) * Z.of_nat Q <= Z.of_nat d' * Z.of_nat Q - q' * Z.of_nat T)%Z)).
    { destruct (throttled t || found t) eqn:E.
      - assert (U : (rest t <= 0)%Z).
        { destruct (found t) eqn:F; [exact (only_used_up _ _ _ _ _ _ _ R t F)|]. rewrite orb_false_r in E.
          assert (Wt := waits t E). unfold rest. lia. }
        assert (L := proj2 (rest_least t) E).
        destruct (Nat.leb_spec (d t) (S t)) as [Ld|Ld].
        + destruct A as [_ A]. destruct (back_is t q' d' E A) as [[N [-> ->]]|[N [-> ->]]].
          * assert (G : (0 <= (Z.of_nat (S t) - Z.of_nat (d t) - Z.of_nat T) * Z.of_nat Q)%Z) by nia.
            assert (G2 : ((- Z.of_nat Q) * Z.of_nat T <= rest t * Z.of_nat T)%Z) by nia.
            repeat split; try lia; try nia.
          * repeat split; try lia; try nia. intros Th _. assert (Wt := proj2 (waits t Th)).
            assert (Z.of_nat (S t) <= Z.of_nat (d t))%Z by lia. nia.
        + destruct A as [A0 [-> ->]]. repeat split; try lia. intros; congruence.
      - destruct A as [_ [-> ->]]. apply orb_false_iff in E. destruct E as [E _]. repeat split; try lia. intros; congruence. }
    destruct V as [V1 [V2 [V3 V4]]].
    assert (V0 : (time t + Z.of_nat (spends b charged t) * Z.of_nat T = Z.of_nat (d t) * Z.of_nat Q - rest t * Z.of_nat T)%Z)
      by (unfold time, rest; lia).
    rewrite V0. destruct (negb (throttled (S t)) && negb (wanted t) && wanted (S t)) eqn:G.
    - assert (Th : throttled (S t) = false) by (destruct (throttled (S t)); [discriminate|reflexivity]).
      destruct C as [[O [C1 C2]]|[O [C1 C2]]]; unfold time; rewrite C1, C2.
      + assert (O' : (Z.of_nat d' * Z.of_nat Q - q' * Z.of_nat T <= Z.of_nat (S t) * Z.of_nat Q)%Z).
        { destruct O as [O|O]; [|lia].
          assert (Pq : (- Z.of_nat (X + B) <= q')%Z).
          { destruct (throttled t || found t) eqn:E.
            - assert (L := proj2 (rest_least t) E). destruct (Nat.leb_spec (d t) (S t)); destruct A as [_ A].
              + destruct (back_is t q' d' E A) as [[_ [-> _]]|[_ [-> _]]]; lia.
              + destruct A as [-> _]. exact L.
            - destruct A as [_ [-> _]]. apply orb_false_iff in E. destruct E as [E F].
              assert (Z := proj1 (found_by _ _ _ _ _ _ _ R t F)). unfold rest. lia. }
          assert (Pos : (0 <= q')%Z).
          { destruct (throttled t || found t) eqn:E.
            - assert (L := proj2 (rest_least t) E). destruct (Nat.leb_spec (d t) (S t)); destruct A as [A0 A]; [|congruence].
              destruct (back_is t q' d' E A) as [[_ [-> _]]|[_ [-> _]]]; lia.
            - destruct A as [_ [-> _]]. apply orb_false_iff in E. destruct E as [E F]. assert (Wt : wanted t = false).
              { destruct (throttled (S t)), (wanted t); simpl in G; congruence. }
              assert (P := asleep t Wt E). assert (Sp := spends_one t). unfold rest. lia. }
          nia. }
        split; [lia|]. split; [lia|]. intros _ _. lia.
      + split; [exact V1|]. split; [lia|]. intros _ _. unfold outdated in O. lia.
    - destruct C as [C1 C2]. unfold time. rewrite C1, C2. split; [exact V1|]. split; [lia|].
      intros H1 H2. destruct (W H1 H2) as [Th|]; [|discriminate]. apply V4; [exact Th|].
      rewrite (when_ready _ _ _ _ _ _ _ R) in H2. destruct (throttled (S t)); [|reflexivity]. rewrite andb_false_r in H2. discriminate.
  Qed.

  Lemma due_soon t : d t <= t + T.
  Proof.
    induction t as [|t IH]; [destruct (at_first _ _ _ _ _ _ _ R) as [_ [_ ->]]; destruct (wanted 0); lia|].
    apply (step t), IH.
  Qed.
  Lemma time_most t : (time t <= Z.of_nat ((t + T) * Q + (X + B) * T))%Z.
  Proof. unfold time. assert (D := due_soon t). assert (L := proj1 (rest_least t)). nia. Qed.

  (* In a window before which it was not ready. *)
  Lemma since t x : begins (ready b) t ->
    count (runs b) (t + x) = count (runs b) t /\ begins (ready b) (t + x)
    \/ (Z.of_nat (t * Q + T * (count (runs b) (t + x) - count (runs b) t)) <= time (t + x))%Z.
  Proof.
    intros Bt. induction x as [|x IH]; [left; rewrite Nat.add_0_r; split; [reflexivity|exact Bt]|].
    rewrite Nat.add_succ_r. set (u := t + x) in *. assert (M := count_mono (runs b) t u ltac:(unfold u; lia)).
    assert (U : count (runs b) u = count (runs b) t /\ ready b u = false
      \/ (Z.of_nat (t * Q + T * (count (runs b) u - count (runs b) t)) <= time u)%Z).
    { destruct IH as [[E N]|G]; [|right; exact G]. destruct (ready b u) eqn:Ru; [right|left; auto].
      rewrite E, Nat.sub_diag, Nat.mul_0_r, Nat.add_0_r. destruct u as [|v] eqn:Eu.
      - replace t with 0 by lia. unfold time. destruct (at_first _ _ _ _ _ _ _ R) as [Th [-> ->]].
        rewrite (when_ready _ _ _ _ _ _ _ R), Th in Ru. destruct (wanted 0); [lia|discriminate].
      - simpl in N. assert (Z := proj2 (proj2 (step v)) N Ru).
        assert (t * Q <= S v * Q) by (apply Nat.mul_le_mono_r; lia). lia. }
    rewrite count_S. assert (G := proj1 (step u)). unfold spends in G. destruct U as [[E N]|U].
    - left. destruct (runs b u) eqn:Y; [apply (only_when_ready _ _ _ _ _ _ _ R) in Y; congruence|].
      rewrite Nat.add_0_r. split; [exact E|exact N].
    - right. set (n := count (runs b) u - count (runs b) t) in *.
      replace (count (runs b) u + (if runs b u then 1 else 0) - count (runs b) t) with (n + (if runs b u then 1 else 0)) by lia.
      rewrite Nat.mul_add_distr_l. destruct (runs b u), (charged u); cbn [Nat.add] in G; lia.
  Qed.

  Theorem late_load t x : begins (ready b) t -> count (runs b) (t + x) <= count (runs b) t + (x * Q / T + Q + (X + B)).
  Proof.
    intros Bt. destruct (since t x Bt) as [[-> _]|G]; [apply Nat.le_add_r|]. assert (M := time_most (t + x)).
    set (n := count (runs b) (t + x) - count (runs b) t) in *.
    assert (H : t * Q + T * n <= (t + x + T) * Q + (X + B) * T) by lia.
    assert (N : n - (Q + (X + B)) <= x * Q / T); [|set (x * Q / T) in *; lia].
    apply Nat.div_le_lower_bound; [lia|]. rewrite Nat.mul_sub_distr_l, Nat.mul_add_distr_l. rewrite !Nat.mul_add_distr_r in H. lia.
  Qed.

  (* How often it calls the scheduler: when it is replenished, and when it is throttled. *)
  Definition returned (t : nat) : bool := match t with 0 => false | S u => (throttled u || found u) && (d u <=? S u) end.
  Definition halted (t : nat) : bool := match t with 0 => false | S u => negb (throttled u) && found u end.

  Lemma returned_due u : returned (S u) = true -> d u <= S u /\ S u <= d (S u) /\ d u + T <= d (S u).
  Proof.
    simpl. intros H. apply andb_true_iff in H. destruct H as [E L]. apply Nat.leb_le in L.
    destruct (at_next _ _ _ _ _ _ _ R u) as [q' [d' [A C]]]. cbv zeta in A. fold (rest u) in A. rewrite E in A.
    assert (L' := L). apply Nat.leb_le in L'. rewrite L' in A. destruct A as [_ A].
    assert (D : S u <= d' /\ d u + T <= d') by (destruct (back_is u q' d' E A) as [[N [_ ->]]|[N [_ ->]]]; lia).
    split; [exact L|]. destruct (negb (throttled (S u)) && negb (wanted u) && wanted (S u)).
    - destruct C as [[_ [_ ->]]|[_ [_ ->]]]; lia.
    - destruct C as [_ ->]. lia.
  Qed.

  Lemma returns_in t x : let n := count returned (t + x) - count returned t in
    n = 0 \/ 0 < x /\ t + (n - 1) * T <= d (t + x - 1) /\ (n - 1) * T < x + T.
  Proof.
    cbv zeta. induction x as [|x IH]; [left; rewrite Nat.add_0_r; lia|].
    assert (M := count_mono returned t (t + x) ltac:(lia)).
    rewrite Nat.add_succ_r, count_S. replace (S (t + x) - 1) with (t + x) by lia. destruct (returned (t + x)) eqn:E.
    - right. split; [lia|]. destruct (t + x) as [|u] eqn:Eu; [discriminate|]. destruct (returned_due u E) as [D1 [D2 D3]].
      replace (S u - 1) with u in IH by lia. set (n := count returned (S u) - count returned t) in *.
      replace (count returned (S u) + 1 - count returned t - 1) with n by lia.
      destruct IH as [->|[X0 [I1 I2]]]; [lia|]. destruct n as [|n]; [lia|]. replace (S n - 1) with n in * by lia. simpl. lia.
    - rewrite Nat.add_0_r. destruct IH as [IH|[X0 [I1 I2]]]; [left; exact IH|right].
      split; [lia|]. destruct (t + x) as [|u] eqn:Eu; [lia|]. replace (S u - 1) with u in I1 by lia.
      assert (D := proj1 (proj2 (step u)) (due_soon u)). lia.
  Qed.

  Lemma count_returned t x : count returned (t + x) <= count returned t + ceil (x + T) T.
  Proof.
    assert (M := count_mono returned t (t + x) ltac:(lia)). destruct (returns_in t x) as [E|[_ [_ E]]]; [lia|].
    assert (C := ceil_above (x + T) T _ ltac:(lia) E). lia.
  Qed.
  Lemma halted_returned n : count halted (S n) = count returned (S n) + (if throttled n then 1 else 0).
  Proof.
    induction n as [|n IH]; [destruct (at_first _ _ _ _ _ _ _ R) as [-> _]; reflexivity|].
    rewrite (count_S halted), (count_S returned), IH. simpl halted. simpl returned.
    destruct (at_next _ _ _ _ _ _ _ R n) as [q' [d' [A _]]]. cbv zeta in A.
    destruct (throttled n) eqn:Th, (found n) eqn:F; simpl in *; destruct (d n <=? S n) eqn:L; destruct A as [-> _]; lia.
  Qed.
  Lemma count_halted t x : count halted (t + x) <= count halted t + ceil (x + 2 * T) T.
  Proof.
    assert (Rt := count_returned t x). assert (K : ceil (x + T) T + 1 <= ceil (x + 2 * T) T).
    { destruct (ceil (x + T) T) as [|k] eqn:E; [assert (Z := ceil_covers (x + T) T ltac:(lia)); rewrite E in Z; lia|].
      rewrite Nat.add_1_r. apply ceil_above; [lia|]. destruct (Nat.lt_ge_cases (S k * T) (x + 2 * T)) as [|G]; [assumption|].
      assert (Y := ceil_least (x + T) T k ltac:(lia) ltac:(simpl in G; lia)). lia. }
    destruct t as [|t].
    - destruct x as [|x]; [apply Nat.le_0_l|]. change (0 + S x) with (S x) in Rt |- *. change (count returned 0) with 0 in Rt.
      change (count halted 0) with 0. rewrite halted_returned. destruct (throttled x); lia.
    - change (S t + x) with (S (t + x)) in Rt |- *. rewrite !halted_returned. destruct (throttled (t + x)), (throttled t); lia.
  Qed.

  Theorem return_calls cost : limited cost T T (each cost returned).
  Proof. apply limited_each, count_returned. Qed.
  Theorem halt_calls cost : limited cost T (2 * T) (each cost halted).
  Proof. apply limited_each, count_halted. Qed.
End Rule.

(* How often its guest does: when a task that is alone in it gets ready, and when it has nothing ready any more. *)
Section Guest.
  Variables cost period jitter : nat.
  Variable j : jobs.
  Variable task : behaviour.
  Hypothesis P : 0 < period.
  Hypothesis rule : stream cost period jitter j task.

  Definition awakes (t : nat) : bool := match t with 0 => ready task 0 | S u => negb (ready task u) && ready task (S u) end.
  Definition sleeps (t : nat) : bool := match t with 0 => false | S u => ready task u && negb (ready task (S u)) end.

  Lemma awakes_release t : awakes t = true -> release j (released j t) = t.
  Proof.
    destruct t as [|t]; simpl; intros H.
    - assert (A := is_ready _ _ _ _ _ rule 0). rewrite H in A. symmetry in A. apply Nat.ltb_lt in A. simpl in A.
      assert (N : released j 0 = 0).
      { destruct (released j 0) as [|n] eqn:E; [reflexivity|]. assert (L : 0 < released j 0) by lia.
        apply (in_order _ _ _ _ _ rule) in L. lia. }
      destruct (released j 1) as [|n] eqn:E; [simpl in A; lia|]. assert (L : 0 < released j 1) by lia.
      apply (in_order _ _ _ _ _ rule) in L. rewrite N. lia.
    - apply andb_true_iff in H. destruct H as [W V]. apply negb_true_iff in W.
      rewrite (is_ready _ _ _ _ _ rule) in W, V. apply Nat.ltb_ge in W. apply Nat.ltb_lt in V.
      assert (M := count_mono (runs task) t (S t) ltac:(lia)).
      assert (L : released j (S t) < released j (S (S t))).
      { destruct (Nat.lt_ge_cases (released j (S t)) (released j (S (S t)))) as [|G']; [assumption|].
        assert (F := first_mono j _ _ G'). lia. }
      apply (in_order _ _ _ _ _ rule) in L.
      assert (B : ~ release j (released j (S t)) < S t) by (rewrite <- (in_order _ _ _ _ _ rule); lia). lia.
  Qed.
  Lemma count_awakes t x : count awakes (t + x) <= count awakes t + ceil (x + jitter) period.
  Proof.
    apply apart_in_windows; [exact P|]. intros n. exists (fun t => arrival j (released j t)). intros v _ A.
    assert (Rv := awakes_release v A). assert (I := in_time _ _ _ _ _ rule (released j v)). split; [lia|].
    intros u L E. assert (Ru := awakes_release u E).
    assert (Lt : released j u < released j v).
    { apply (in_order _ _ _ _ _ rule). lia. }
    assert (Ap := arrivals_apart _ _ _ _ _ P rule (released j u) (released j v - released j u)).
    replace (released j u + (released j v - released j u)) with (released j v) in Ap by lia.
    assert (period <= (released j v - released j u) * period) by nia. lia.
  Qed.
  Lemma sleeps_awakes n : count sleeps (S n) + (if ready task n then 1 else 0) = count awakes (S n).
  Proof.
    induction n as [|n IH]; [simpl; destruct (ready task 0); reflexivity|].
    rewrite (count_S sleeps), (count_S awakes), <- IH. simpl sleeps. simpl awakes.
    destruct (ready task n), (ready task (S n)); simpl; lia.
  Qed.
  Lemma count_sleeps t x : count sleeps (t + x) <= count sleeps t + ceil (x + (jitter + period)) period.
  Proof.
    assert (A := count_awakes t x).
    destruct (Nat.eq_dec (x + jitter) 0) as [Z|Z]; [replace x with 0 by lia; rewrite Nat.add_0_r; lia|].
    assert (K : ceil (x + jitter) period + 1 <= ceil (x + (jitter + period)) period).
    { destruct (ceil (x + jitter) period) as [|k] eqn:E; [assert (Y := ceil_covers (x + jitter) period P); rewrite E in Y; lia|].
      rewrite Nat.add_1_r. apply ceil_above; [lia|].
      destruct (Nat.lt_ge_cases (S k * period) (x + (jitter + period))) as [|G]; [assumption|].
      assert (Y := ceil_least (x + jitter) period k P ltac:(simpl in G; lia)). lia. }
    destruct t as [|t].
    - destruct x as [|x]; [apply Nat.le_0_l|]. change (0 + S x) with (S x) in A |- *. change (count awakes 0) with 0 in A.
      change (count sleeps 0) with 0. assert (S1 := sleeps_awakes x). destruct (ready task x); lia.
    - change (S t + x) with (S (t + x)) in A |- *. assert (S1 := sleeps_awakes (t + x)). assert (S2 := sleeps_awakes t).
      destruct (ready task (t + x)), (ready task t); lia.
  Qed.

  Theorem wake_calls call : limited call period jitter (each call awakes).
  Proof. apply limited_each, count_awakes. Qed.
  Theorem sleep_calls call : limited call period (jitter + period) (each call sleeps).
  Proof. apply limited_each, count_sleeps. Qed.
End Guest.
