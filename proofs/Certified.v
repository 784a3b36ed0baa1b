(* Why the function of Certificate.v is right.
   What it says: if [check] accepts a certificate, then in every history of the supplies that it describes each
     job of its task is complete within its bound.
   Assumptions: [history] and [task_history] of Certificate.v. *)
Require Import Arith Lia Bool NArith List.
From Coq Require Import ZifyN ZifyNat.
From Vorrang Require Import Schedule Loads Unthrottled Residual BusyWindow FixedPriorityServer Kinds SporadicServer
  Deadlines Bandwidth EdfResponse Reservation Alone Backlog PseudoVcpu SharedGuest LateRuntimes LateDeadlines LateAlone Timers Certificate Needs Supplied IdleCertificate.
Import ListNotations.

Lemma covered c : forall ps from, 0 < N.to_nat (period c) -> valid_order c = true -> delivers (on c) = true ->
  covers c from ps = true -> forall A, N.to_nat from <= A < N.to_nat (length c) -> exists F,
    gives_of (on c) (ceil (A + 1) (N.to_nat (period c)) * N.to_nat (cost c) + N.to_nat (ahead c F (N.of_nat A))
      + N.to_nat (needs (urgent c) F)) (N.to_nat F)
    /\ N.to_nat F + N.to_nat (jitter c) <= A + N.to_nat (bound c).
Proof.
  induction ps as [|p ps IH]; intros from P V D H A I; simpl in H.
  - apply N.leb_le in H. lia.
  - repeat rewrite andb_true_iff in H. destruct H as [[[H1 H2] H3] H4]. apply N.leb_le in H1, H2.
    destruct (Nat.lt_ge_cases A (N.to_nat (upto p))) as [U|U].
    + exists (window p). split; [|lia]. destruct (enough_gives _ D) as [G E]. apply E in H3.
      apply (fewer _ G) with (1 := H3).
      assert (C : ceil (A + 1) (N.to_nat (period c)) <= N.to_nat (rounded_up (from + 1) (period c))).
      { transitivity (ceil (N.to_nat (upto p)) (N.to_nat (period c))); [apply ceil_mono; lia|].
        rewrite <- rounded. lia. }
      assert (Y : N.to_nat (ahead c (window p) (N.of_nat A)) <= N.to_nat (ahead c (window p) (upto p - 1))).
      { unfold ahead, valid_order in *. destruct (ordered c); [lia| |lia|lia|lia|lia|lia|lia]. rewrite !due_are_nats. apply due_nats_mono; [exact (proj2 (andb_prop _ _ V))|lia]. }
      assert (C' := Nat.mul_le_mono_r _ _ (N.to_nat (cost c)) C). lia.
    + apply IH with (upto p); [exact P|exact V|exact D|exact H4|lia].
Qed.

Lemma needs_parts us l k x : Forall sound us -> demand us (k * l + x) <= k * demand us l + demand us x.
Proof.
  intros V. induction k as [|k IH]; [simpl; lia|]. simpl. assert (A := demand_in_parts us l (k * l + x) V).
  rewrite Nat.add_assoc in A. lia.
Qed.

Lemma alone_in c supplied wanted js b : delivers (on c) = true -> 0 < N.to_nat (period c) -> by_itself c = true ->
  history (on c) supplied wanted -> stream (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c)) js b ->
  (forall u, wanted u = ready b u) -> (forall u, runs b u = supplied u) ->
  forall i, first js (S i) <= count (runs b) (arrival js i + N.to_nat (bound c)).
Proof.
  intros D P C H St We Ru i. unfold by_itself in C. destruct (on c) as [| |q t us rs unit late| |] eqn:O; [discriminate|discriminate| |discriminate|discriminate].
  cbv zeta in C. repeat rewrite andb_true_iff in C. destruct C as [[[C1 C2] C3] C4].
  rewrite orb_true_iff, andb_true_iff, N.ltb_lt, !N.eqb_eq in C3. apply N.ltb_lt in C1. apply N.leb_le in C2, C4.
  destruct (reservation_is _ _ _ _ _ _ D) as [[Q T] [Vu [_ L]]].
  destruct H as [above [aw [bs [ms [left [due [b' [Ab [M [F [E [Hd Su]]]]]]]]]]]].
  assert (Pa : parts (N.to_nat q) (N.to_nat (cost c)) = N.to_nat ((cost c - 1) / q + 1)).
  { unfold parts. rewrite N2Nat.inj_add, N2Nat.inj_div, N2Nat.inj_sub. reflexivity. }
  set (n := ((cost c - 1) / q + 1)%N) in *.
  assert (Tk : takes (N.to_nat q) (N.to_nat t) (N.to_nat (cost c)) = N.to_nat (cost c + n * (t - q))).
  { unfold takes. rewrite Pa, N2Nat.inj_add, N2Nat.inj_mul, N2Nat.inj_sub. reflexivity. }
  assert (A := alone (N.to_nat q) (N.to_nat t) left due wanted b' Q T Hd (N.to_nat (cost c)) (N.to_nat (period c))
    (N.to_nat (jitter c)) js b P ltac:(lia) St We).
  assert (R : forall u, runs b u = runs b' u) by (intros u; rewrite Ru; apply Su).
  specialize (A R). rewrite !(count_ext (runs b) (runs b')) by exact R.
  assert (M' := count_mono (runs b') (arrival js i + (N.to_nat (jitter c) + takes (N.to_nat q) (N.to_nat t) (N.to_nat (cost c))))
    (arrival js i + N.to_nat (bound c)) ltac:(rewrite Tk; lia)).
  etransitivity; [|exact M']. apply A.
  - intros e w [Ce De] W Th. set (k := (w - 1) / N.to_nat q).
    assert (Qn : N.to_nat q <> 0) by (clear - Q; lia).
    assert (Dm := Nat.div_mod (w - 1) _ Qn). assert (Um := Nat.mod_upper_bound (w - 1) _ Qn).
    fold k in Dm. rewrite (Nat.mul_comm (N.to_nat q)) in Dm.
    assert (KT : k * N.to_nat t = k * (N.to_nat t - N.to_nat q) + k * N.to_nat q)
      by (rewrite <- Nat.mul_add_distr_l; f_equal; clear - T; lia).
    assert (Len : takes (N.to_nat q) (N.to_nat t) w = N.to_nat t - N.to_nat q + k * N.to_nat t + (w - k * N.to_nat q)).
    { unfold takes, parts. fold k. rewrite Nat.mul_add_distr_r, Nat.mul_1_l. clear - KT Dm Um T W. lia. }
    rewrite Len in *.
    apply (from_afresh _ _ left due wanted b' Q T Hd above aw _ _ ms E (fun w x => w <= x)) with (more := demand us)
        (rivals := fun l => N.to_nat (all_dated_in rs (N.of_nat l))); try assumption.
    + apply (proj1 (enough_gives Core eq_refl)).
    + intros. apply core_is_whole; assumption.
    + intros. apply demand_mono; assumption.
    + intros u x B. apply (loads (any ready bs)); auto.
    + intros d u x B. exact (rivals_it _ _ _ _ _ _ D ms d u x F B).
    + intros l H. apply (meets_it _ _ _ _ _ _ D). left. auto.
    + clear. lia.
    + clear - Dm Um W Q. lia.
  - rewrite <- N2Nat.inj_sub, <- !N2Nat.inj_mul. lia.
  - rewrite Tk, Pa, <- N2Nat.inj_mul. destruct C3 as [C3|[C3 C5]]; [left|right]; lia.
Qed.

Lemma valid_beside_task m : valid m = true -> beside_task m = true.
Proof. destruct m; try (intros V; exact V); unfold valid; rewrite andb_false_r; discriminate. Qed.

(* By priority: of a task, or of an interrupt for which its pseudo-VCPU is charged. *)
Lemma in_windows c blocked_by supplied wanted js b bs other : check c = true -> by_windows c = true ->
  (forall x y, ahead c x y = blocked_by) -> (forall l, beside c l = 0%N) -> history (on c) supplied wanted ->
  forallb beside_task (urgent c) = true ->
  members_beside (fun u => any ready bs u || ready b u) (fun u => any ready bs u || ready b u) b (fun _ => false) (urgent c) bs ->
  counted (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c)) (fun u => any ready bs u || ready b u) js b ->
  level supplied wanted (any ready bs) (any runs bs) (ready b) (runs b) other (N.to_nat blocked_by) ->
  forall i, first js (S i) <= count (runs b) (arrival js i + N.to_nat (bound c)).
Proof.
  intros C W Ah Be H C2 M [asked [St [As Al]]] Lv i. unfold check in C. destruct (asked_level _ _ _ _ _ _ _ _ As Al Lv) as [Lv' Sm].
  repeat rewrite andb_true_iff in C. destruct C as [[[C1 C3] C4] _]. apply N.ltb_lt in C4.
  destruct (enough_gives _ C1) as [_ E]. assert (Pr := provides _ C1 _ _ H). unfold by_windows in W.
  repeat rewrite andb_true_iff in W. destruct W as [[W1 W2] W3]. apply N.ltb_lt in W1. apply E in W2.
  apply (response_time supplied wanted (any ready bs) (any runs bs) other (N.to_nat (cost c)) (N.to_nat (period c))
    (N.to_nat (jitter c)) (N.to_nat blocked_by) js (Behaviour asked (runs b)) ltac:(lia) St Lv' (demand (urgent c))) with (L := N.to_nat (length c)).
  - intros x y. apply demand_in_parts. exact (all_sound _ _ beside_task_sound C2).
  - intros t x B Th. eapply loads_beside_task; [exact C2|exact M| | |].
    + intros u U. cbv beta. rewrite U. reflexivity.
    + refine (begins_less _ _ t _ B). intros u U. simpl. apply orb_true_iff in U. destruct U as [U|U]; [rewrite U; reflexivity|].
      rewrite (As u U). apply orb_true_r.
    + intros u U. apply Sm, Th, U.
  - lia.
  - apply Pr. rewrite Be, N.add_0_r, N2Nat.inj_add, N2Nat.inj_mul, rounded in W2. unfold demand. rewrite N2Nat.id. exact W2.
  - intros A HA. destruct (covered c (points c) 0%N ltac:(lia) C3 C1 W3 A ltac:(lia)) as [F [F1 F2]].
    exists (N.to_nat F). split; [|exact F2]. apply Pr. rewrite Ah in F1. unfold demand. rewrite N2Nat.id. exact F1.
Qed.

Lemma members_more lv lv' whole own wants ms bs : forallb valid ms = true -> (forall u, lv u = true -> lv' u = true) ->
  members lv ms bs -> members_beside lv' whole own wants ms bs.
Proof.
  intros V H M. induction M as [|m b ms bs O M IH]; [constructor|]. cbn [forallb] in V. apply andb_true_iff in V.
  destruct V as [V V']. constructor; [|exact (IH V')].
  destruct m as [c p j|k q p|q p e|c s cs|cs|tp td ty ts tf tm tw]; simpl in *; [|  |exact O| | |]; try (unfold valid in V; rewrite andb_false_r in V; discriminate).
  - destruct O as [[js O]|O]; [left; exists js; exact (counted_more _ _ _ _ _ _ _ H O)|right; exact O].
  - destruct O as [active [wanted [S A]]]. exists active, wanted. auto.
Qed.

(* What a pseudo-VCPU pays for. *)
Lemma with_credit c blocked_by credit credits back routine supplied wanted js b bs other raised through left pseudo :
  check c = true -> by_windows c = true -> (forall x y, ahead c x y = blocked_by) -> (forall l, beside c l = 0%N) ->
  history (on c) supplied wanted -> forallb valid (urgent c) = true ->
  (cost c <= credit)%N -> (0 < credits)%N -> (back <= credits * period c)%N -> (routine <= jitter c)%N -> (0 < period c)%N ->
  members (fun u => any ready bs u || ready pseudo u) (urgent c) bs ->
  credited (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c) - N.to_nat routine) (N.to_nat routine)
    (N.to_nat credit) (N.to_nat credits) (N.to_nat back) raised through left js b pseudo ->
  level supplied wanted (any ready bs) (any runs bs) (ready pseudo) (runs pseudo) other (N.to_nat blocked_by) ->
  forall i, first js (S i) <= count (runs b) (arrival js i + N.to_nat (bound c)).
Proof.
  intros Ch W Ah Be H C2 V1 V2 V3 V4 C4 M Cr Lv i.
  assert (Bk : N.to_nat back <= N.to_nat credits * N.to_nat (period c)) by (rewrite <- N2Nat.inj_mul; lia).
  assert (St : stream (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c) - N.to_nat routine + N.to_nat routine) js b).
  { eapply is_stream; try exact Cr; lia. }
  replace (N.to_nat (jitter c) - N.to_nat routine + N.to_nat routine) with (N.to_nat (jitter c)) in St by lia.
  apply (in_windows c blocked_by supplied wanted js b bs other); auto.
  - apply forallb_forall. intros m I. apply valid_beside_task. exact (proj1 (forallb_forall _ _) C2 m I).
  - refine (members_more _ _ _ _ _ _ _ C2 _ M). intros u U. apply orb_true_iff in U. apply orb_true_iff.
    destruct U as [U|U]; [left; exact U|right]. rewrite (pseudo_ready _ _ _ _ _ _ _ _ _ _ _ _ _ Cr) in U.
    apply andb_true_iff in U. tauto.
  - exists (ready b). split; [destruct b; exact St|]. split; [auto|]. intros u U. rewrite U. apply orb_true_r.
  - eapply same_level; try exact Cr; try exact Lv; lia.
Qed.

Lemma together_first f m : together f (S m) = f 0 + together (fun i => f (S i)) m.
Proof. induction m as [|m IH]; [simpl; lia|]. change (together f (S (S m))) with (together f (S m) + f (S m)). rewrite IH. simpl. lia. Qed.
Lemma covering_is os : N.to_nat (covering os)
  = together (fun i => ceil (bound_at os i) (every_at os i) * isr_at os i) (List.length os).
Proof.
  induction os as [|[[r t] d] os IH]; [reflexivity|]. cbn [covering List.length]. rewrite together_first, N2Nat.inj_add, N2Nat.inj_mul, rounded, IH.
  reflexivity.
Qed.
Lemma every_at_pos os : forallb (fun o : N * N * N => (0 <? snd (fst o))%N) os = true -> forall i, 0 < every_at os i.
Proof.
  unfold every_at. induction os as [|o os IH]; intros V i; [destruct i; simpl; lia|]. cbn [forallb] in V. apply andb_true_iff in V.
  destruct V as [V V']. apply N.ltb_lt in V. destruct i as [|i]; simpl; [lia|exact (IH V' i)].
Qed.

Lemma in_reservation_in c blocked_by after q t x js b bs other left due throttled charged server :
  forallb valid (urgent c) = true -> 0 < N.to_nat (period c) -> in_reservation c blocked_by after q t x = true ->
  members (fun u => any ready bs u || ready server u) (urgent c) bs ->
  stream (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c)) js b ->
  runtime (N.to_nat q) (N.to_nat t) left due throttled (ready b) charged server ->
  (forall u, runs b u = runs server u) -> charges (any ready bs) (any runs bs) charged server ->
  before_all (any ready bs) (any runs bs) other (N.to_nat blocked_by) (N.to_nat after) js server ->
  forall i, first js (S i) <= count (runs b) (arrival js i + N.to_nat (bound c)).
Proof.
  intros V P C M St Ru Eq Ch Co i. unfold in_reservation in C. destruct (on c); [|discriminate|discriminate|discriminate|discriminate].
  repeat rewrite andb_true_iff in C. rewrite !N.ltb_lt, !N.leb_le in C. destruct C as [[[[[C1 C2] C3] C4] C5] C6].
  assert (D : demand (urgent c) (N.to_nat x) = N.to_nat (needs (urgent c) x)) by (unfold demand; rewrite N2Nat.id; reflexivity).
  rewrite (count_ext (runs b) (runs server)) by exact Eq.
  assert (L := count_mono (runs server) (arrival js i + (N.to_nat (jitter c) + N.to_nat x)) (arrival js i + N.to_nat (bound c)) ltac:(lia)).
  etransitivity; [|exact L].
  apply (unthrottled (N.to_nat q) (N.to_nat t) left due throttled charged (any ready bs) (any runs bs) other server (N.to_nat (cost c))
    (N.to_nat (period c)) (N.to_nat (jitter c)) (N.to_nat blocked_by) (N.to_nat after) (N.to_nat x) js b) with (demand := demand (urgent c));
    try assumption; try lia.
  - intros y z H. apply demand_mono; assumption.
  - intros u y B. eapply loads; [exact V|exact M| |exact B]. intros w W. simpl. rewrite W. reflexivity.
Qed.

(* Servers of Linux that are late. *)

Fixpoint asked_by (ms : list member) (y : N) : N :=
  match ms with
  | [] => 0
  | Runtime_of q t e :: r => y * q / t + e + asked_by r y
  | _ :: r => asked_by r y end%N.

Lemma asked_share unit ms y : forallb valid ms = true -> forallb is_runtime ms = true ->
  (asked_by ms y * unit <= excesses ms * unit + shares unit ms * y)%N.
Proof.
  intros V Rt. induction ms as [|m ms IH]; [simpl; lia|]. cbn [forallb] in V, Rt. apply andb_true_iff in V, Rt.
  destruct V as [V V'], Rt as [Rt Rt']. specialize (IH V' Rt'). destruct m as [c t j|k q t|q t e|c s cs|cs|tp td ty ts tf tm tw]; try discriminate.
  assert (P := valid_period _ V). simpl in P. cbn [asked_by excesses excess shares cost_of period_of].
  assert (A := runtime_share unit q t y ltac:(lia)). lia.
Qed.

Lemma late_asks m d D t x : valid m = true -> is_late m d -> begins (due D d) t ->
  count (uses D d) (t + x) <= count (uses D d) t + N.to_nat (asked_by [m] (N.of_nat (D - t))).
Proof.
  intros V H Bg. destruct m as [c p j|k q p|q p e|c s cs|cs|tp td ty ts tf tm tw]; try contradiction.
  destruct H as [late [block [left [du [throttled [found [wanted [charged [b [Le [R ->]]]]]]]]]]].
  destruct (valid_runtime q p e V) as [Q [T K]]. assert (K' : late + block < N.to_nat q) by lia.
  assert (A := late_demand _ _ _ _ _ _ _ _ _ _ _ Q T K' R D t x Bg). unfold server in A.
  cbn [asked_by]. rewrite N.add_0_r, N2Nat.inj_add, N2Nat.inj_div, N2Nat.inj_mul, Nat2N.id. lia.
Qed.

Lemma all_ask ms ds D t x : forallb valid ms = true -> Forall2 is_late ms ds -> begins (any (due D) ds) t ->
  count (any (uses D) ds) (t + x) <= count (any (uses D) ds) t + N.to_nat (asked_by ms (N.of_nat (D - t))).
Proof.
  intros V F Bg. induction F as [|m d ms ds H F IH].
  - rewrite (count_none (any (uses D) []) t x) by reflexivity. lia.
  - cbn [forallb] in V. apply andb_true_iff in V. destruct V as [V V'].
    assert (B' : begins (due D d) t /\ begins (any (due D) ds) t).
    { destruct t; simpl in *; [tauto|]. unfold any in Bg. simpl in Bg. apply orb_false_iff in Bg. exact Bg. }
    destruct B' as [B1 B2]. specialize (IH V' B2). assert (A := late_asks m d D t x V H B1).
    assert (O := count_or (uses D d) (any (uses D) ds) t x).
    change (any (uses D) (d :: ds)) with (fun u => uses D d u || any (uses D) ds u).
    destruct m as [c p j|k q p|q p e|c s cs|cs|tp td ty ts tf tm tw]; try contradiction. cbn [asked_by] in *. lia.
Qed.

Lemma late_grows m d : valid m = true -> is_late m d ->
  (forall t u, t <= u -> deadline d t <= deadline d u)
  /\ (forall t, begins (is_ready_of d) t -> is_ready_of d t = true -> t <= deadline d t).
Proof.
  intros V H. destruct m as [c p j|k q p|q p e|c s cs|cs|tp td ty ts tf tm tw]; try contradiction.
  destruct H as [late [block [left [du [throttled [found [wanted [charged [b [Le [R ->]]]]]]]]]]].
  destruct (valid_runtime q p e V) as [Q [T K]]. assert (K' : late + block < N.to_nat q) by lia. split.
  - intros t u. exact (deadline_grows _ _ _ _ _ _ _ _ _ _ _ Q T K' R t u).
  - intros t. exact (due_later _ _ _ _ _ _ _ _ _ _ _ Q T K' R t).
Qed.
Lemma all_late ms ds d : forallb valid ms = true -> Forall2 is_late ms ds -> In d ds ->
  exists m, valid m = true /\ is_late m d.
Proof.
  intros V F I. induction F as [|m d' ms ds H F IH]; [destruct I|]. cbn [forallb] in V. apply andb_true_iff in V.
  destruct V as [V V'], I as [->|I]; [exists m; auto|exact (IH V' I)].
Qed.

(* The budgets of all jobs, from those of the first. *)
Lemma budgeted_at c o ks : forall place n, budgeted c o place ks = true -> n < List.length ks -> exists k,
  ((place + N.of_nat n + 1) * cost c + needs (routines o) (k * every_so o + late_by o + (exceeded_by o + apart_by o)) <= k * runtime_is o
   /\ k * every_so o + late_by o + jitter c <= bound c + (place + N.of_nat n) * period c)%N.
Proof.
  induction ks as [|k ks IH]; intros place n H L; [simpl in L; lia|]. cbn [budgeted] in H. cbv zeta in H.
  repeat rewrite andb_true_iff in H. destruct H as [[H1 H2] H3]. apply N.leb_le in H1, H2. destruct n as [|n].
  - exists k. rewrite N.add_0_r. split; assumption.
  - simpl in L. destruct (IH (place + 1)%N n H3 ltac:(lia)) as [k' K]. exists k'.
    replace (place + N.of_nat (S n))%N with (place + 1 + N.of_nat n)%N by lia. exact K.
Qed.

Lemma beside_them_in c o js b first bs other late block left du throttled found charged server ms :
  let ready_first := any ready (first ++ bs) in
  forallb valid (urgent c) = true -> 0 < N.to_nat (period c) -> beside_them c o = true ->
  members ready_first (routines o) first -> members ready_first (urgent c) bs ->
  stream (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c)) js b ->
  late + block <= N.to_nat (exceeded_by o) ->
  late_runtime (N.to_nat (runtime_is o)) (N.to_nat (every_so o)) late block left du throttled found (ready b) charged server ->
  (charged 0 = true -> ready server 0 = true) -> (forall u, charged u = true -> any runs first u = true) ->
  (forall u, runs b u = runs server u) -> Forall2 is_late (others o) ms ->
  linux ready_first (any runs (first ++ bs)) other (N.to_nat (goes_on_for o)) (Dated server du :: ms) ->
  forall i, Loads.first js (S i) <= count (runs b) (arrival js i + N.to_nat (bound c)).
Proof.
  intros ready_first Vu P C Mf Mb St Le Rt Fc Cr Eq Ot Li i. unfold beside_them in C. destruct (on c); [|discriminate|discriminate|discriminate|discriminate].
  cbv zeta in C. repeat rewrite andb_true_iff in C. destruct C as [[[[[[[C1 C2] C3] C4] C5] C6] C7] C8].
  apply N.ltb_lt in C6. apply N.leb_le in C7, C8.
  assert (V0 := C2). cbn [forallb] in V0. apply andb_true_iff in V0. destruct V0 as [V0 _].
  destruct (valid_runtime _ _ _ V0) as [Q [T K]]. assert (K' : late + block < N.to_nat (runtime_is o)) by lia.
  unfold late_at_most in C4. cbv zeta in C4. repeat rewrite andb_true_iff in C4. rewrite !N.ltb_lt, !N.leb_le in C4.
  destruct C4 as [[[[L0 L1] L2] L3] L4].
  set (all := own_server o :: others o) in *. set (u1 := before_servers c o) in *.
  assert (V1 : forallb valid u1 = true) by (unfold u1, before_servers; rewrite forallb_app, C3, Vu; reflexivity).
  assert (M1 : members ready_first u1 (first ++ bs)) by (apply Forall2_app; assumption).
  assert (Fa : Forall2 is_late all (Dated server du :: ms)).
  { constructor; [|exact Ot]. exists late, block, left, du, throttled, found, (ready b), charged, server. auto. }
  assert (Ra : forallb is_runtime all = true) by exact C1.
  assert (Lv : forall t x, begins ready_first t -> count (any runs (first ++ bs)) (t + x) <= count (any runs (first ++ bs)) t + demand u1 x).
  { intros t x Bg. apply (loads ready_first); auto. }
  rewrite (count_ext (runs b) (runs server)) by exact Eq.
  apply (late_alone (N.to_nat (runtime_is o)) (N.to_nat (every_so o)) late block left du throttled found charged server b Q T K' Rt Fc
    (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c)) js P St Eq (N.to_nat (late_by o)))
    with (taken := fun x => demand (routines o) (x + N.to_nat (apart_by o))).
  - (* How late it is. *)
    intros t Y. apply (lateness ready_first (any runs (first ++ bs)) other (N.to_nat (goes_on_for o)) (Dated server du :: ms) Li (demand u1) Lv
      (fun y => N.to_nat (asked_by all (N.of_nat y)))) with (m := Dated server du) (u := t); try assumption; try (left; reflexivity).
    + intros D s x Bg. apply all_ask; assumption.
    + intros m s v I. destruct (all_late _ _ _ C2 Fa I) as [m' [Vm Hm]]. apply (late_grows m' m Vm Hm).
    + intros m s I. destruct (all_late _ _ _ C2 Fa I) as [m' [Vm Hm]]. apply (late_grows m' m Vm Hm).
    + intros y. unfold demand.
      assert (A := needs_share (in_parts o) u1 (N.of_nat y) (late_by o + 1) V1).
      assert (B := asked_share (in_parts o) all (N.of_nat y) C2 Ra).
      assert (G := N.mul_le_mono_r _ _ (N.of_nat y) L1).
      assert (H : ((needs u1 (N.of_nat y + (late_by o + 1)) + goes_on_for o + asked_by all (N.of_nat y)) * in_parts o
        <= (N.of_nat y + late_by o) * in_parts o)%N) by lia.
      apply N.mul_le_mono_pos_r in H; [|exact L0].
      replace (N.of_nat (y + N.to_nat (late_by o) + 1)) with (N.of_nat y + (late_by o + 1))%N by lia. lia.
  - lia.
  - intros x y H. apply demand_mono; [exact C3|lia].
  - (* What is charged. *)
    intros t x. assert (A := anywhere ready_first (any runs (first ++ bs)) other (N.to_nat (goes_on_for o)) (Dated server du :: ms) Li
      (demand u1) Lv (any runs first) (demand (routines o))).
    assert (A1 : forall y z, y <= z -> demand (routines o) y <= demand (routines o) z) by (intros; apply demand_mono; assumption).
    assert (A2 : forall s y, begins ready_first s -> count (any runs first) (s + y) <= count (any runs first) s + demand (routines o) y).
    { intros s y Bg. apply (loads ready_first); try assumption. intros v Hv. unfold ready_first, any in *. rewrite existsb_app, Hv. reflexivity. }
    assert (A3 : N.to_nat (goes_on_for o) + demand u1 (N.to_nat (apart_by o)) < N.to_nat (apart_by o)).
    { unfold demand. rewrite N2Nat.id. lia. }
    specialize (A A1 A2 (N.to_nat (apart_by o)) A3 t x).
    assert (Part : count charged (t + x) + count (any runs first) t <= count charged t + count (any runs first) (t + x)).
    { clear - Cr. induction x as [|x IH]; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r, !count_S.
      destruct (charged (t + x)) eqn:E; [apply Cr in E; rewrite E|destruct (any runs first (t + x))]; lia. }
    lia.
  - (* The budgets of each job. *)
    intros m. set (p := List.length (in_budgets o)) in *. assert (Pp : p <> 0) by lia.
    assert (Dm := Nat.div_mod m p Pp). assert (Um := Nat.mod_upper_bound m p Pp). set (a := m / p) in *. set (n := m mod p) in *.
    destruct (budgeted_at c o (in_budgets o) 0%N n C5 Um) as [k [K1 K2]].
    exists (N.to_nat k + a * N.to_nat (again o)).
    assert (D1 := needs_parts (routines o) (N.to_nat (again o * every_so o)) a
      (N.to_nat (k * every_so o + late_by o + (exceeded_by o + apart_by o))) (all_sound _ _ valid_sound C3)).
    unfold demand in D1. rewrite !N2Nat.id in D1.
    set (w := N.to_nat (needs (routines o) (k * every_so o + late_by o + (exceeded_by o + apart_by o)))) in *.
    set (v := N.to_nat (needs (routines o) (again o * every_so o))) in *.
    assert (E1 : (n + 1) * N.to_nat (cost c) + w <= N.to_nat k * N.to_nat (runtime_is o)) by (unfold w; lia).
    assert (E2 : N.to_nat k * N.to_nat (every_so o) + N.to_nat (late_by o) + N.to_nat (jitter c)
      <= N.to_nat (bound c) + n * N.to_nat (period c)) by lia.
    assert (E3 : N.to_nat (again o) * N.to_nat (every_so o) <= p * N.to_nat (period c)) by lia.
    assert (E4 : p * N.to_nat (cost c) + v <= N.to_nat (again o) * N.to_nat (runtime_is o)) by (unfold v; lia).
    assert (F3 := Nat.mul_le_mono_l _ _ a E3). assert (F4 := Nat.mul_le_mono_l _ _ a E4).
    assert (H1 : demand (routines o) ((N.to_nat k + a * N.to_nat (again o)) * N.to_nat (every_so o) + N.to_nat (late_by o) + block + N.to_nat (apart_by o)) <= a * v + w).
    { etransitivity; [|exact D1]. apply (demand_mono (routines o)); [exact C3|]. lia. }
    rewrite Dm. split; [|lia]. lia.
Qed.

(* The theorem. *)
Theorem certified c : check c = true ->
  forall supplied wanted js b, history (on c) supplied wanted -> task_history c supplied wanted js b ->
  forall i, first js (S i) <= count (runs b) (arrival js i + N.to_nat (bound c)).
Proof.
  intros C supplied wanted js b H Th. assert (Ch := C). unfold check in C.
  repeat rewrite andb_true_iff in C. destruct C as [[[C1 C3] C4] C5]. apply N.ltb_lt in C4.
  destruct (enough_gives _ C1) as [_ E]. assert (Pr := provides _ C1 _ _ H).
  assert (C3' := C3). unfold valid_order in C3'. apply andb_true_iff in C3'. destruct C3' as [C2 _].
  assert (windows : match ordered c with By_itself | In_reservation _ _ _ _ _ | Beside _ | From_idle _ _ => True | _ => by_windows c = true end).
  { destruct (ordered c); [exact C5|exact C5|exact I|exact C5|exact C5|exact I|exact I|exact I]. }
  unfold task_history in Th. destruct (ordered c) as [blocked_by|relative rs| |blocked_by credit credits back routine|blocked_by own credit credits back routine os|blocked_by after q t x|o|guest which] eqn:O.
  - destruct Th as [bs [other [M [St Lv]]]]. intros i. apply (in_windows c blocked_by supplied wanted js b bs other); auto.
    + intros. unfold ahead. rewrite O. reflexivity.
    + intros. unfold beside. rewrite O. reflexivity.
  - destruct Th as [bs [ms [due [M [F [St Ed]]]]]].  unfold by_windows in windows.
    repeat rewrite andb_true_iff in windows. destruct windows as [[W1 W2] W3]. apply N.ltb_lt in W1. apply E in W2. clear C5.
    unfold valid_order in C3. rewrite O in C3. apply andb_true_iff in C3. destruct C3 as [_ C3].
    apply (edf_response_time supplied wanted _ _ ms (Dated b due) Ed (N.to_nat (cost c)) (N.to_nat (period c))
      (N.to_nat (jitter c)) (N.to_nat relative) js ltac:(lia) St (demand (urgent c)) (due_nats (N.to_nat (jitter c)) rs))
      with (L := N.to_nat (length c)) (whole := N.to_nat (all_in_length rs (length c))).
    + intros t x B. eapply loads; [exact C2|exact M|auto|exact B].
    + intros d t x B. apply rivals_demand; assumption.
    + intros k x. apply needs_parts. exact (all_sound _ _ valid_sound C2).
    + intros k x y. assert (A := due_nats_parts (N.to_nat (jitter c)) rs (N.to_nat (length c)) k x y C3). rewrite N2Nat.id in A. exact A.
    + lia.
    + apply Pr. unfold beside in W2. rewrite O, !N2Nat.inj_add, N2Nat.inj_mul, rounded in W2.
      unfold demand. rewrite N2Nat.id. exact W2.
    + intros A HA. destruct (covered c (points c) 0%N ltac:(lia)) with (A := A) as [G [F1 F2]]; try assumption; try lia.
      { unfold valid_order. rewrite O, C2. exact C3. }
      exists (N.to_nat G). split; [|exact F2]. apply Pr. unfold ahead in F1. rewrite O, due_are_nats, N2Nat.inj_add, Nat2N.id in F1.
      unfold demand. rewrite N2Nat.id. replace (ceil (A + 1) (N.to_nat (period c)) * N.to_nat (cost c) + N.to_nat (needs (urgent c) G)
        + due_nats (N.to_nat (jitter c)) rs (N.to_nat G) (A + N.to_nat relative)) with (ceil (A + 1) (N.to_nat (period c)) * N.to_nat (cost c)
        + due_nats (N.to_nat (jitter c)) rs (N.to_nat G) (A + N.to_nat relative) + N.to_nat (needs (urgent c) G)) by lia. exact F1.
  - destruct Th as [St [We Ru]]. eapply alone_in; try eassumption. lia.
  - destruct Th as [bs [other [raised [through [left [pseudo [M [Cr Lv]]]]]]]].
    unfold valid_order in C3. rewrite O in C3. repeat rewrite andb_true_iff in C3. destruct C3 as [_ [[[[V1 V2] V3] V4] V5]].
    apply N.leb_le in V1, V3, V4. apply N.ltb_lt in V2.
    eapply with_credit; try exact M; try exact Cr; try exact Lv; try assumption.
    + intros. unfold ahead. rewrite O. reflexivity.
    + intros. unfold beside. rewrite O. reflexivity.
  - destruct Th as [bs [other [raised [through [left [all [owner [place [entered [pseudo [M [Sh [-> Lv]]]]]]]]]]]]].
    unfold valid_order in C3. rewrite O in C3. repeat rewrite andb_true_iff in C3.
    destruct C3 as [_ [[[[[[V0 V1] V2] V3] V4] V5] V6]]. apply N.leb_le in V0, V1, V3, V4. apply N.ltb_lt in V2, V5.
    assert (Ev : forall i, 0 < every_at os i) by (intros; apply every_at_pos, V6).
    assert (Cr : credited (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c) - N.to_nat routine) (N.to_nat routine)
      (N.to_nat credit) (N.to_nat credits) (N.to_nat back) raised through left (own_jobs all place entered b)
      (for_it all place entered b) pseudo).
    { eapply as_alone; [exact Sh|]. intros k. etransitivity; [eapply covered_by; [exact Sh|exact Ev]|].
      rewrite <- covering_is. lia. }
    intros i. erewrite guest_first by exact Sh.
    change (arrival (guest_jobs all place entered) i) with (arrival (own_jobs all place entered b) i). eapply handled_with; [exact Sh| |].
    + eapply (with_credit c blocked_by); try exact M; try exact Cr; try exact Lv; try assumption.
      * intros. unfold ahead. rewrite O. reflexivity.
      * intros. unfold beside. rewrite O. reflexivity.
    + apply (own_entered _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Sh).
      assert (Bk : N.to_nat back <= N.to_nat credits * N.to_nat (period c)) by (rewrite <- N2Nat.inj_mul; lia).
      assert (T : arrival (own_jobs all place entered b) i <= through i
        <= arrival (own_jobs all place entered b) i + (N.to_nat (jitter c) - N.to_nat routine))
        by (eapply through_in_time; [exact Cr|lia|lia|lia|exact Bk]). cbn [arrival own_jobs guest_jobs] in *.
      assert (R := own_routine _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Sh i). lia.
  - destruct Th as [bs [other [left [due [throttled [charged [server [M [St [Ru [Eq [Cg Co]]]]]]]]]]]].
    eapply in_reservation_in; try eassumption. lia.
  - destruct Th as [first [bs [other [late [block [left [du [throttled [found [charged [server [ms [Mf [Mb [St [Le [Rt [Fc [Cr [Eq [Ot Li]]]]]]]]]]]]]]]]]]]]].
    eapply beside_them_in; try eassumption. lia.
  - destruct Th as [all [m [F [Nth [-> [-> [Lv Only]]]]]]]. intros i. eapply from_idle_in; eassumption.
Qed.
