(* What the supplies of a certificate give.
   What it says: if each server receives its budget, by [delivers], a supply gives w in every window of length x for which
     [enough] holds.
   Assumptions: [history] of Certificate.v. *)
Require Import Arith Lia Bool NArith List.
From Coq Require Import ZifyN ZifyNat.
From Vorrang Require Import Refills RefillQueue Schedule Loads Residual FixedPriorityServer Kinds SporadicServer Deadlines Bandwidth Reservation
  FixedSlot SchedulerCosts ColdCaches Certificate Needs.
Import ListNotations.

Section Shares.
  Variables q t unit late : N.
  Variable us : list member.
  Variable rs : list rival.
  Hypothesis D : delivers (Reservation q t us rs unit late) = true.

  Lemma reservation_is : 0 < N.to_nat q <= N.to_nat t /\ forallb valid us = true /\ forallb valid_rival rs = true
    /\ N.to_nat late <= N.to_nat t - N.to_nat q.
  Proof.
    simpl in D. repeat rewrite andb_true_iff in D. rewrite N.ltb_lt, !N.leb_le in D.
    destruct D as [[[[[[[[D1 D2] D3] D4] D5] D6] D7] D8] D9]. repeat split; try assumption; lia.
  Qed.

  Lemma it_fits l k : (t <= l /\ k = 0 \/ k = late ->
    l * q / t + all_dated_in rs l + needs us (l + k) <= l + k)%N.
  Proof.
    intros H. simpl in D. repeat rewrite andb_true_iff in D. rewrite !N.ltb_lt, !N.leb_le in D.
    destruct D as [[[[[[[[D1 D2] D3] D4] D5] D6] D7] D8] D9].
    assert (A := needs_share unit us l k D3). assert (B := dated_share unit rs l D4).
    assert (C : (l * q / t * unit <= share unit q t * l)%N).
    { assert (Z := dated_share unit [Bandwidth_of q t] l). cbn [all_dated_in dated_in rival_bursts rival_burst rival_shares rival_share] in Z.
      rewrite !N.add_0_r, N.add_0_l in Z. apply Z. simpl. rewrite andb_true_r, andb_true_iff, N.ltb_lt, N.leb_le. lia. }
    apply (N.mul_le_mono_pos_r _ _ unit D5). rewrite !N.mul_add_distr_r.
    destruct H as [[H ->]| ->].
    - (* From t on all shares together are one at most. *)
      assert (S1 : (shares unit us * l = shares unit us * t + shares unit us * (l - t))%N)
        by (rewrite <- N.mul_add_distr_l; f_equal; lia).
      assert (A' := needs_share unit us (l - t) t D3). replace (l - t + t)%N with l in A' by lia. rewrite N.add_0_r in *.
      assert (S2 : forall a, (a * l = a * t + a * (l - t))%N) by (intros a; rewrite <- N.mul_add_distr_l; f_equal; lia).
      assert (S3 := N.mul_le_mono_r _ _ (l - t) D7). rewrite !N.mul_add_distr_r in S3. rewrite N.mul_add_distr_r in D8.
      rewrite (S2 (share unit q t)) in C. rewrite (S2 (rival_shares unit rs)) in B. assert (S4 := S2 unit). lia.
    - assert (S3 := N.mul_le_mono_r _ _ l D7). rewrite !N.mul_add_distr_r in S3. lia.
  Qed.
End Shares.

(* What a level of a supply gives: r within x, by a window z. *)
Definition at_level (above : nat -> nat -> Prop) (blocking : nat) (us : list member) (r x : nat) : Prop :=
  r <= x /\ (r = 0 \/ exists z, z <= x /\ above (r + blocking + demand us z) z).

(* What each of these starts loses, as members. *)
Definition starting (l : N) (ss : list (N * N)) : list member := map (fun s => Jobs_of l (fst s) (snd s)) ss.
Lemma starting_sound l ss : all_periods ss = true -> Forall sound (starting l ss).
Proof.
  intros V. apply Forall_forall. intros m I. apply in_map_iff in I. destruct I as [s [<- I]].
  assert (P := proj1 (forallb_forall _ _) V s I). simpl. unfold valid. simpl. rewrite P. reflexivity.
Qed.
Lemma starting_is l ss x : demand (starting l ss) x = N.to_nat l * times (natural ss) x.
Proof.
  induction ss as [|[t j] ss IH]; [unfold demand; simpl; lia|]. cbn [starting map]. rewrite demand_cons. unfold starting in IH.
  rewrite IH. simpl. lia.
Qed.

Fixpoint gives_of (s : supply) : nat -> nat -> Prop :=
  match s with
  | Core => fun w x => w <= x
  | Server k q t blocking us _ parent => fun w x =>
      w = 0 \/ exists y, N.to_nat (wait_of k q t) + y <= x
        /\ fresh (at_level (gives_of parent) (N.to_nat blocking) us) (N.to_nat (kept_of k q)) (N.to_nat t) w y
  | Reservation q t _ _ _ _ => fun w x =>
      w = 0 \/ exists k r, w <= k * N.to_nat q + r /\ 1 <= r <= N.to_nat q
        /\ 2 * (N.to_nat t - N.to_nat q) + k * N.to_nat t + r <= x
  | Slot _ q t us => at_level (slot_gives (N.to_nat q) (N.to_nat t)) 0 us
  | Cold l ss parent => at_level (gives_of parent) (N.to_nat l) (starting l ss) end.

Lemma level_gives above blocking us : Forall sound us -> gives above -> gives (at_level above blocking us).
Proof.
  intros V G. split.
  - intros r x [H _]. exact H.
  - intros r x [H [Z|[z [Z A]]]]; [discriminate|]. split; [lia|].
    destruct r as [|r]; [left; reflexivity|right].
    assert (L := no_faster _ G _ _ A). destruct z as [|z]; [lia|]. exists z. split; [lia|].
    apply (less _ G). apply (fewer _ G) with (1 := A). assert (M := demand_grows us z (S z) V ltac:(lia)). lia.
  - intros r s x [H [Z|[z [Z A]]]] L; (split; [lia|]); [left; lia|].
    destruct (Nat.eq_dec s 0); [left; assumption|right]. exists z. split; [lia|]. apply (fewer _ G) with (1 := A). lia.
  - intros r x y [H [Z|[z [Z A]]]] L; (split; [lia|]); [left; lia|right; exists z; split; [lia|exact A]].
  - intros x. split; [lia|left; reflexivity].
Qed.

(* The last of the budgets that are needed, and what is needed of it. *)
Lemma budgets w q : (0 < q -> w <> 0 -> let n := (w - 1) / q in w = n * q + (w - n * q) /\ 1 <= w - n * q <= q)%N.
Proof.
  intros Q W. cbv zeta. assert (A := N.div_mod (w - 1) q ltac:(lia)). assert (U := N.mod_upper_bound (w - 1) q ltac:(lia)).
  rewrite (N.mul_comm q) in A. lia.
Qed.

Lemma reservation_gives q t us rs unit late : delivers (Reservation q t us rs unit late) = true ->
  gives (gives_of (Reservation q t us rs unit late)).
Proof.
  intros D. destruct (reservation_is _ _ _ _ _ _ D) as [[Q T] _]. simpl.
  set (b := N.to_nat q) in *. set (p := N.to_nat t) in *. split.
  - intros w x [->|[k [r [W [R X]]]]]; [lia|]. assert (k * b <= k * p) by (apply Nat.mul_le_mono_l, T). lia.
  - intros w x [Z|[k [r [W [R X]]]]]; [discriminate|]. destruct (Nat.eq_dec w 0) as [|N]; [left; assumption|right].
    destruct (Nat.eq_dec r 1) as [->|O]; [|exists k, (r - 1); lia].
    destruct k as [|k]; [simpl in W; lia|]. exists k, b. simpl in *. lia.
  - intros w v x [Z|[k [r [W [R X]]]]] L; [left; lia|right]. exists k, r. lia.
  - intros w x y [Z|[k [r [W [R X]]]]] L; [left; exact Z|right]. exists k, r. lia.
  - intros x. left. reflexivity.
Qed.

Lemma slots_give q t : 0 < q <= t -> gives (slot_gives q t).
Proof.
  intros [Q T]. split.
  - intros w x [->|[k [r [W [R X]]]]]; [lia|]. assert (k * q <= k * t) by (apply Nat.mul_le_mono_l, T). lia.
  - intros w x [Z|[k [r [W [R X]]]]]; [discriminate|]. destruct (Nat.eq_dec w 0) as [|N]; [left; assumption|right].
    destruct (Nat.eq_dec r 1) as [->|O]; [|exists k, (r - 1); lia].
    destruct k as [|k]; [simpl in W; lia|]. exists k, q. simpl in *. lia.
  - intros w v x [Z|[k [r [W [R X]]]]] L; [left; lia|right]. exists k, r. lia.
  - intros w x y [Z|[k [r [W [R X]]]]] L; [left; exact Z|right]. exists k, r. lia.
  - intros x. left. reflexivity.
Qed.
Lemma slot_is o q t us : delivers (Slot o q t us) = true ->
  0 < N.to_nat q /\ N.to_nat o + N.to_nat q <= N.to_nat t /\ forallb valid us = true.
Proof.
  cbn [delivers]. rewrite !andb_true_iff, N.ltb_lt, N.leb_le. intros [[Q T] V]. repeat split; [lia|lia|exact V].
Qed.

Lemma kept_is k q t : (0 < q)%N -> valid_manner k q t = true ->
  (0 < kept_of k q <= q)%N.
Proof.
  intros Q V. destruct k as [k| |n l]; simpl; [lia|lia|]. apply valid_refills in V. lia.
Qed.

Lemma enough_gives s : delivers s = true -> gives (gives_of s) /\
  forall w x below, enough s w x below = true -> gives_of s (N.to_nat w) (N.to_nat x).
Proof.
  induction s as [|k q t blocking us full parent IH|q t us rs unit late|o q t us|l ss parent IH]; intros D.
  - split.
    + split; simpl; intros; lia.
    + intros w x below H. simpl in *. apply N.leb_le in H. lia.
  - simpl in D. repeat rewrite andb_true_iff in D. destruct D as [[[[[D1 D2] DV] D3] D4] D5].
    destruct (IH D4) as [G E]. apply N.ltb_lt in D1. apply N.leb_le in D2.
    destruct (kept_is k q t D1 DV) as [K1 K2]. clear DV. set (q' := kept_of k q) in *.
    assert (LG := level_gives (gives_of parent) (N.to_nat blocking) us (all_sound _ us beside_server_sound D3) G).
    assert (full_level : at_level (gives_of parent) (N.to_nat blocking) us (N.to_nat q) (N.to_nat t)).
    { destruct full as [|z rest]; [discriminate|]. apply andb_true_iff in D5. destruct D5 as [D5 D6].
      apply N.leb_le in D5. apply E in D6. split; [lia|]. right. exists (N.to_nat z). split; [lia|].
      unfold demand. rewrite N2Nat.id. replace (N.to_nat q + N.to_nat blocking + N.to_nat (needs us z))
        with (N.to_nat (q + blocking + needs us z)) by lia. exact D6. }
    apply (fewer _ LG) with (s := N.to_nat q') in full_level; [|lia].
    split.
    + split; simpl; fold q'.
      * intros w x [->|[y [Y [F _]]]]; lia.
      * intros w x [Z|[y [Y F]]]; [discriminate|]. destruct (Nat.eq_dec w 0); [left; assumption|right].
        assert (F' := F). destruct F' as [F' _]. destruct y as [|y]; [lia|]. exists y. split; [lia|].
        eapply fresh_less; try exact F; try eassumption; lia.
      * intros w v x [Z|[y [Y F]]] L; [left; lia|right]. exists y. split; [exact Y|].
        eapply fresh_fewer; try exact F; try eassumption; lia.
      * intros w x x' [Z|[y [Y F]]] L; [left; exact Z|right]. exists y. split; [lia|exact F].
      * intros x. left. reflexivity.
    + intros w x below H. simpl in *. fold q' in H |- *. destruct (N.eqb_spec w 0) as [->|W]; [left; reflexivity|right].
      destruct below as [|z rest]; [discriminate|]. repeat rewrite andb_true_iff in H. destruct H as [[H1 H2] H3].
      apply N.leb_le in H1, H2. apply E in H3.
      set (n := ((w - 1) / q')%N) in *. set (r := (w - n * q')%N) in *.
      assert (B : (n * q' <= w - 1 /\ w - 1 < n * q' + q')%N).
      { unfold n. assert (A := N.div_mod (w - 1) q' ltac:(lia)). assert (U := N.mod_upper_bound (w - 1) q' ltac:(lia)). nia. }
      assert (R : (w = n * q' + r /\ 1 <= r <= q')%N) by (unfold r; lia).
      assert (V := no_faster _ G _ _ H3).
      assert (NT : (n * q' <= n * t)%N) by (apply N.mul_le_mono_l; lia).
      exists (N.to_nat (n * t + z)). split; [lia|]. split; [lia|]. right.
      exists (N.to_nat n), (N.to_nat r), (N.to_nat z).
      rewrite <- !N2Nat.inj_mul. repeat split; try lia. right. exists (N.to_nat z). split; [lia|].
      unfold demand. rewrite N2Nat.id. replace (N.to_nat r + N.to_nat blocking + N.to_nat (needs us z))
        with (N.to_nat (r + blocking + needs us z)) by lia. exact H3.
  - split; [apply reservation_gives, D|]. destruct (reservation_is _ _ _ _ _ _ D) as [[Q T] _].
    intros w x below H. cbn [enough gives_of] in *. destruct (N.eqb_spec w 0) as [->|W]; [left; reflexivity|right].
    apply N.leb_le in H. destruct (budgets w q ltac:(lia) W) as [B1 B2]. set (n := ((w - 1) / q)%N) in *.
    exists (N.to_nat n), (N.to_nat (w - n * q)).
    rewrite <- !N2Nat.inj_mul. lia.
  - destruct (slot_is _ _ _ _ D) as [Q [T V]]. cbn [gives_of].
    assert (G := slots_give (N.to_nat q) (N.to_nat t) ltac:(lia)). split; [apply level_gives; [exact (all_sound _ us valid_sound V)|exact G]|].
    intros w x below H. cbn [enough] in H. destruct (N.eqb_spec w 0) as [->|W]; [split; [lia|left; reflexivity]|].
    destruct below as [|z rest]; [discriminate|]. cbv zeta in H. apply andb_true_iff in H. destruct H as [H1 H2].
    apply N.leb_le in H1, H2. set (all := (w + needs us z)%N) in *.
    destruct (budgets all q ltac:(lia) ltac:(lia)) as [B1 B2]. set (n := ((all - 1) / q)%N) in *.
    assert (A : slot_gives (N.to_nat q) (N.to_nat t) (N.to_nat w + 0 + demand us (N.to_nat z)) (N.to_nat z)).
    { right. exists (N.to_nat n), (N.to_nat (all - n * q)). unfold demand. rewrite N2Nat.id, <- !N2Nat.inj_mul. lia. }
    assert (F := no_faster _ G _ _ A). split; [lia|right]. exists (N.to_nat z). split; [lia|exact A].
  - cbn [delivers] in D. apply andb_true_iff in D. destruct D as [V D]. destruct (IH D) as [G E]. cbn [gives_of].
    split; [apply level_gives; [apply starting_sound, V|exact G]|].
    intros w x below H. cbn [enough] in H. destruct (N.eqb_spec w 0) as [->|W]; [split; [lia|left; reflexivity]|].
    destruct below as [|z rest]; [discriminate|]. apply andb_true_iff in H. destruct H as [H1 H2]. apply N.leb_le in H1. apply E in H2.
    assert (A : gives_of parent (N.to_nat w + N.to_nat l + demand (starting l ss) (N.to_nat z)) (N.to_nat z)).
    { rewrite starting_is, <- often_is. replace (N.to_nat w + N.to_nat l + N.to_nat l * N.to_nat (often ss z))
        with (N.to_nat (w + l * (1 + often ss z))) by lia. exact H2. }
    assert (F := no_faster _ G _ _ A). split; [lia|right]. exists (N.to_nat z). split; [lia|exact A].
Qed.

Lemma wait_is k q t : N.to_nat (wait_of k q t) =
  match k with
  | Fixed k => wait (N.to_nat q) (N.to_nat t) k
  | Sporadic => N.to_nat t - N.to_nat q
  | Refills _ l => 2 * (N.to_nat t - kept (N.to_nat q) (N.to_nat l)) end.
Proof. unfold wait_of, wait, kept_of, kept. destruct k as [k| |n l]; [destruct k| |]; lia. Qed.

Lemma core_is_whole supplied wanted : (forall t, supplied t = true) -> forall w x, w <= x -> receives supplied wanted w x.
Proof.
  intros H w x L t _. assert (E : count supplied (t + x) = count supplied t + x); [|lia].
  clear L. induction x as [|x IH]; [rewrite !Nat.add_0_r; reflexivity|]. rewrite Nat.add_succ_r, count_S, H, IH. lia.
Qed.

(* What a reservation on a core may rely on. *)
Section Reserved.
  Variables q t unit late : N.
  Variable us : list member.
  Variable rs : list rival.
  Hypothesis D : delivers (Reservation q t us rs unit late) = true.
  Let more := demand us.
  Let rivals l := N.to_nat (all_dated_in rs (N.of_nat l)).

  Lemma meets_it l k : N.to_nat t <= l /\ k = 0 \/ k = N.to_nat late ->
    meets (N.to_nat q) (N.to_nat t) (fun w x => w <= x) more rivals l k.
  Proof.
    intros H. unfold meets, more, rivals, demand.
    assert (H' : (t <= N.of_nat l /\ N.of_nat k = 0 \/ N.of_nat k = late)%N) by (destruct H as [[H ->]| ->]; [left; split; [clear - H; lia|reflexivity]|right; apply N2Nat.id]).
    assert (A := it_fits _ _ _ _ _ _ D (N.of_nat l) (N.of_nat k) H'). clear D.
    rewrite Nat2N.inj_add. assert (E : N.to_nat (N.of_nat l * q / t) = l * N.to_nat q / N.to_nat t).
    { rewrite N2Nat.inj_div, N2Nat.inj_mul, Nat2N.id. reflexivity. }
    lia.
  Qed.
  Lemma rivals_it ms d t' x : Forall2 competes rs ms -> begins (any (due d) ms) t' ->
    count (any (uses d) ms) (t' + x) <= count (any (uses d) ms) t' + rivals (d - t').
  Proof.
    intros F B. destruct (reservation_is _ _ _ _ _ _ D) as [_ [_ [V _]]].
    assert (A := rivals_demand 0 rs ms d t' x V F B). rewrite Nat.add_0_r in A.
    assert (Z := due_dated rs x (d - t')). unfold rivals. lia.
  Qed.
End Reserved.

Lemma provides s : delivers s = true -> forall supplied wanted, history s supplied wanted ->
  forall w x, gives_of s w x -> receives supplied wanted w x.
Proof.
  induction s as [|k q t blocking us full parent IH|q t us rs unit late|o q t us|l ss parent IH]; intros D supplied wanted H w x G.
  - apply core_is_whole; assumption.
  - assert (D' := D). simpl in D'. repeat rewrite andb_true_iff in D'. destruct D' as [[[[[D1 D2] DV] D3] D4] D5].
    apply N.ltb_lt in D1. apply N.leb_le in D2.
    simpl in H. destruct H as [above [aw [bs [b [other [active [H [M [Lv [Last [R Su]]]]]]]]]]].
    simpl in G. destruct G as [->|[y [Y F]]].
    { intros u U. assert (C := count_mono supplied u (u + x) ltac:(lia)). lia. }
    destruct (enough_gives parent D4) as [GP E].
    assert (LG := level_gives (gives_of parent) (N.to_nat blocking) us (all_sound _ us beside_server_sound D3) GP).
    assert (serves : forall r z, at_level (gives_of parent) (N.to_nat blocking) us r z -> receives (runs b) (fun u => ready b u && wanted u) r z).
    { intros r z [RZ [->|[v [V A]]]].
      - intros u U. assert (C := count_mono (runs b) u (u + z) ltac:(lia)). lia.
      - apply receives_more with r v; [lia|exact V|].
        apply (residual _ _ _ _ _ _ _ _ Lv Last (fun u => ready b u && wanted u)) with (demand := demand us).
        + intros u U. apply andb_true_iff in U. tauto.
        + intros s u e B Lt W As Th. apply (loads_beside_server (any ready bs) (fun v => any ready bs v || ready b v) b wanted us bs s u e); auto.
        + apply (IH D4 above aw H). exact A. }
    assert (full_level : at_level (gives_of parent) (N.to_nat blocking) us (N.to_nat q) (N.to_nat t)).
    { destruct full as [|z rest]; [discriminate|]. apply andb_true_iff in D5. destruct D5 as [D5 D6].
      apply N.leb_le in D5. apply E in D6. assert (V := no_faster _ GP _ _ D6). split; [lia|]. right.
      exists (N.to_nat z). split; [lia|]. unfold demand. rewrite N2Nat.id.
      replace (N.to_nat q + N.to_nat blocking + N.to_nat (needs us z))
        with (N.to_nat (q + blocking + needs us z)) by lia. exact D6. }
    assert (S' : receives (runs b) wanted w (N.to_nat (wait_of k q t) + y)).
    { rewrite wait_is. destruct k as [k| |n l]; simpl in R, F.
      - destruct R as [phase [budget R]]. eapply kind_provides; try exact R; try exact F; try eassumption; lia.
      - destruct R as [time [which R]].
        assert (serves' : forall r z, at_level (gives_of parent) (N.to_nat blocking) us r z -> receives (runs b) (ready b) r z).
        { intros r z A u U. apply (serves r z A u). intros v V'. specialize (U v V'). rewrite U. rewrite (SporadicServer.when_ready _ _ _ _ _ _ _ R) in U.
          apply andb_true_iff in U. destruct U as [-> _]. reflexivity. }
        eapply sporadic_provides; try exact R; try exact F; try eassumption; lia.
      - destruct R as [queue [used [charges R]]]. destruct (valid_refills _ _ _ _ DV) as [V1 [[V2 V3] V4]].
        assert (serves' : forall r z, at_level (gives_of parent) (N.to_nat blocking) us r z -> receives (runs b) (ready b) r z).
        { intros r z A u U. apply (serves r z A u). intros v V'. specialize (U v V'). rewrite U. rewrite (Refills.when_ready _ _ _ _ _ _ _ _ _ R) in U.
          apply andb_true_iff in U. destruct U as [-> _]. reflexivity. }
        assert (Kn : N.to_nat (q - l + 1) = kept (N.to_nat q) (N.to_nat l)) by (unfold kept; lia). rewrite Kn in F.
        eapply refills_provide; try exact R; try exact F; try eassumption; lia. }
    intros u U. rewrite !(count_ext supplied (runs b)) by exact Su.
    exact (receives_more _ _ _ _ _ _ (le_n w) Y S' u U).
  - destruct (reservation_is _ _ _ _ _ _ D) as [[Q T] [Vu [_ L]]]. simpl in G.
    destruct G as [->|[k [r [W [R X]]]]].
    { intros u U. assert (C := count_mono supplied u (u + x) ltac:(lia)). lia. }
    destruct H as [above [aw [bs [ms [left [due [b [Ab [M [F [E [Hd Su]]]]]]]]]]]].
    assert (S' : receives (runs b) wanted w (2 * (N.to_nat t - N.to_nat q) + k * N.to_nat t + r)).
    { apply (reservation _ _ left due wanted b Q T Hd above aw _ _ ms E (fun w x => w <= x)) with (more := demand us)
        (rivals := fun l => N.to_nat (all_dated_in rs (N.of_nat l))) (late := N.to_nat late); try assumption.
      - apply (proj1 (enough_gives Core eq_refl)).
      - intros. apply core_is_whole; assumption.
      - intros. apply demand_mono; assumption.
      - intros u e B. apply (loads (any ready bs)); auto.
      - intros d u e B. exact (rivals_it _ _ _ _ _ _ D ms d u e F B).
      - intros l H. apply (meets_it _ _ _ _ _ _ D). left. auto.
      - intros l H. apply (meets_it _ _ _ _ _ _ D). right. reflexivity. }
    intros u U. rewrite !(count_ext supplied (runs b)) by exact Su.
    exact (receives_more _ _ _ _ _ _ (le_n w) X S' u U).
  - destruct (slot_is _ _ _ _ D) as [Q [T V]]. destruct H as [bs [M Sl]]. destruct G as [_ [->|[z [Z A]]]].
    { intros u U. assert (C := count_mono supplied u (u + x) ltac:(lia)). lia. }
    apply receives_more with w z; [lia|exact Z|]. rewrite Nat.add_0_r in A.
    eapply after_routines; try exact Sl; try exact A; try assumption.
    intros u y B. apply (loads (any ready bs)); auto.
  - cbn [delivers] in D. apply andb_true_iff in D. destruct D as [V D]. destruct H as [gets [H C]]. cbn [gives_of] in G.
    destruct G as [_ [->|[z [Z A]]]].
    { intros u U. assert (M := count_mono supplied u (u + x) ltac:(lia)). lia. }
    apply receives_more with w z; [lia|exact Z|]. apply (cold_provides _ _ gets wanted supplied _ _ (periods_natural _ V) C).
    apply (IH D gets wanted H). rewrite starting_is in A.
    replace (w + N.to_nat l * (1 + times (natural ss) z)) with (w + N.to_nat l + N.to_nat l * times (natural ss) z) by lia. exact A.
Qed.
