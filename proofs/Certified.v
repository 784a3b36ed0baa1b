(* Why the function of Certificate.v is right.
   What it says: if [check] accepts a certificate, then in every history of the supplies that it describes each
     job of its task is complete within its bound.
   Assumptions: [history] and [task_history] of Certificate.v. *)
Require Import Arith Lia Bool NArith List.
From Coq Require Import ZifyN ZifyNat.
From Vorrang Require Import Schedule Loads Unthrottled Residual BusyWindow FixedPriorityServer Kinds SporadicServer
  Deadlines Bandwidth EdfResponse Reservation Alone Backlog PseudoVcpu LateRuntimes LateDeadlines LateAlone Certificate.
Import ListNotations.

Definition demand (ms : list member) (x : nat) : nat := N.to_nat (needs ms (N.of_nat x)).

Lemma rounded n d : N.to_nat (rounded_up n d) = ceil (N.to_nat n) (N.to_nat d).
Proof. unfold rounded_up, ceil. rewrite N2Nat.inj_div, N2Nat.inj_sub, N2Nat.inj_add. reflexivity. Qed.

(* What a member takes. *)
Definition need_nat (m : member) (x : nat) : nat :=
  match m with
  | Runtime_of q t e => x * N.to_nat q / N.to_nat t + (N.to_nat q + N.to_nat e)
  | _ => ceil (x + N.to_nat (jitter_of m)) (N.to_nat (period_of m)) * N.to_nat (cost_of m) end.

Lemma demand_cons m ms x : demand (m :: ms) x = need_nat m x + demand ms x.
Proof.
  unfold demand. simpl. rewrite N2Nat.inj_add. f_equal. destruct m as [c t j|k q t|q t e]; unfold need, need_nat.
  1, 2: rewrite N2Nat.inj_mul, rounded, N2Nat.inj_add, Nat2N.id; reflexivity.
  simpl. rewrite !N2Nat.inj_add, N2Nat.inj_div, N2Nat.inj_mul, Nat2N.id. reflexivity.
Qed.

Lemma valid_period m : valid m = true -> 0 < N.to_nat (period_of m).
Proof. unfold valid. intros H. apply andb_true_iff in H. destruct H as [H _]. apply N.ltb_lt in H. lia. Qed.
Lemma valid_runtime q t e : valid (Runtime_of q t e) = true ->
  0 < N.to_nat q /\ N.to_nat q <= N.to_nat t /\ N.to_nat e < N.to_nat q.
Proof.
  unfold valid. rewrite !andb_true_iff, !N.ltb_lt, N.leb_le. lia.
Qed.

Lemma ceil_parts_of x y T J : 0 < T -> ceil (x + y + J) T <= ceil (x + J) T + ceil (y + J) T.
Proof.
  intros P. apply ceil_least; [exact P|]. assert (A := ceil_covers (x + J) T P). assert (B := ceil_covers (y + J) T P). nia.
Qed.

Lemma need_mono m x y : valid m = true -> x <= y -> need_nat m x <= need_nat m y.
Proof.
  intros V H. assert (P := valid_period m V). destruct m as [c t j|k q t|q t e]; unfold need_nat.
  1, 2: apply Nat.mul_le_mono_r, ceil_mono; lia.
  apply Nat.add_le_mono_r, Nat.div_le_mono; [simpl in P; lia|]. apply Nat.mul_le_mono_r, H.
Qed.
Lemma need_parts m x y : valid m = true -> need_nat m (x + y) <= need_nat m x + need_nat m y.
Proof.
  intros V. assert (P := valid_period m V). destruct m as [c t j|k q t|q t e]; unfold need_nat.
  1, 2: rewrite <- Nat.mul_add_distr_r; apply Nat.mul_le_mono_r, ceil_parts_of, P.
  destruct (valid_runtime q t e V) as [Q _]. simpl in P. set (Tn := N.to_nat t) in *. set (Qn := N.to_nat q) in *.
  assert (D : (x + y) * Qn / Tn <= x * Qn / Tn + y * Qn / Tn + 1); [|lia].
  assert (A := Nat.mul_succ_div_gt (x * Qn) Tn ltac:(lia)). assert (B := Nat.mul_succ_div_gt (y * Qn) Tn ltac:(lia)).
  apply Nat.lt_succ_r, Nat.div_lt_upper_bound; [lia|]. set (a := x * Qn / Tn) in *. set (b := y * Qn / Tn) in *. nia.
Qed.

Lemma demand_mono ms x y : forallb valid ms = true -> x <= y -> demand ms x <= demand ms y.
Proof.
  intros V H. induction ms as [|m ms IH]; [unfold demand; simpl; lia|].
  simpl in V. apply andb_true_iff in V. destruct V as [V V']. rewrite !demand_cons.
  assert (M := need_mono m x y V H). specialize (IH V'). lia.
Qed.
Lemma demand_parts ms x y : forallb valid ms = true -> demand ms (x + y) <= demand ms x + demand ms y.
Proof.
  intros V. induction ms as [|m ms IH]; [unfold demand; simpl; lia|].
  simpl in V. apply andb_true_iff in V. destruct V as [V V']. rewrite !demand_cons.
  assert (M := need_parts m x y V). specialize (IH V'). lia.
Qed.

Lemma begins_less p q t : (forall u, p u = true -> q u = true) -> begins q t -> begins p t.
Proof.
  intros H B. destruct t as [|t]; [constructor|]. simpl in *.
  destruct (p t) eqn:E; [apply H in E; congruence|reflexivity].
Qed.

Lemma load lv m b t x : valid m = true -> obeys lv m b -> (forall u, ready b u = true -> lv u = true) -> begins lv t ->
  count (runs b) (t + x) <= count (runs b) t + need_nat m x.
Proof.
  intros V O I B. assert (P := valid_period m V). assert (Br := begins_less _ _ t I B).
  destruct m as [c p j|k q p|q p e]; simpl in P, O |- *.
  - destruct O as [[js S]|[asked [left [A S]]]]; [apply (task_load _ _ _ js)|apply (backlog_load _ _ _ asked left)]; assumption.
  - destruct O as [active [wanted [S A]]]. unfold valid in V. simpl in V.
    apply andb_true_iff in V. destruct V as [_ V]. apply andb_true_iff in V. destruct V as [V V'].
    apply N.ltb_lt in V. apply N.leb_le in V'. destruct k as [k|]; simpl in S.
    + destruct S as [phase [budget R]]. destruct k; simpl.
      1, 2: rewrite Nat.add_0_r; eapply other_load with (Q := N.to_nat q); try exact R; try assumption; try lia; discriminate.
      replace (N.to_nat (p - q)) with (N.to_nat p - N.to_nat q) by lia.
      eapply deferrable_load; try exact R; lia.
    + destruct S as [time [which R]]. simpl. rewrite Nat.add_0_r.
      eapply sporadic_load; try exact R; try lia. exact (begins_less _ _ t A B).
  - destruct O as [late [block [left [due [throttled [found [wanted [charged [Le R]]]]]]]]].
    destruct (valid_runtime q p e V) as [Q [T K]].
    assert (K' : late + block < N.to_nat q) by lia. etransitivity; [exact (late_load _ _ _ _ _ _ _ _ _ _ _ Q T K' R t x Br)|].
    apply Nat.add_le_mono_l. rewrite <- Nat.add_assoc. apply Nat.add_le_mono_l. lia.
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

(* Members with deadlines. *)

Definition due_nat (early : nat) (r : rival) (x y : nat) : nat :=
  match r with
  | Dated_jobs c t j d => min (ceil (x + N.to_nat j) (N.to_nat t))
      (if y + N.to_nat j <? early + N.to_nat d then 0 else (y + N.to_nat j - (early + N.to_nat d)) / N.to_nat t + 1) * N.to_nat c
  | Bandwidth_of q t => (y - early) * N.to_nat q / N.to_nat t end.
Fixpoint due_nats (early : nat) (rs : list rival) (x y : nat) : nat :=
  match rs with [] => 0 | r :: rest => due_nat early r x y + due_nats early rest x y end.

Lemma due_is_nat e r x y : N.to_nat (due_by e r x y) = due_nat (N.to_nat e) r (N.to_nat x) (N.to_nat y).
Proof.
  destruct r as [c t j d|q t]; simpl.
  - rewrite N2Nat.inj_mul, N2Nat.inj_min, rounded, N2Nat.inj_add. f_equal. f_equal.
    destruct (N.ltb_spec (y + j) (e + d)) as [H|H], (Nat.ltb_spec (N.to_nat y + N.to_nat j) (N.to_nat e + N.to_nat d)) as [G|G]; lia.
  - rewrite N2Nat.inj_div, N2Nat.inj_mul, N2Nat.inj_sub. reflexivity.
Qed.
Lemma due_are_nats e rs x y : N.to_nat (all_due e rs x y) = due_nats (N.to_nat e) rs (N.to_nat x) (N.to_nat y).
Proof. induction rs as [|r rs IH]; simpl; [reflexivity|]. rewrite N2Nat.inj_add, due_is_nat, IH. reflexivity. Qed.

Lemma valid_rival_period r : valid_rival r = true ->
  match r with Dated_jobs _ t _ _ => 0 < N.to_nat t | Bandwidth_of q t => 0 < N.to_nat q <= N.to_nat t end.
Proof.
  destruct r as [c t j d|q t]; simpl; [rewrite N.ltb_lt; lia|]. rewrite andb_true_iff, N.ltb_lt, N.leb_le. lia.
Qed.

Lemma due_nat_mono e r x y y' : valid_rival r = true -> y <= y' -> due_nat e r x y <= due_nat e r x y'.
Proof.
  intros V H. apply valid_rival_period in V. destruct r as [c t j d|q t]; simpl.
  - apply Nat.mul_le_mono_r. destruct (Nat.ltb_spec (y + N.to_nat j) (e + N.to_nat d)) as [A|A]; [lia|].
    destruct (Nat.ltb_spec (y' + N.to_nat j) (e + N.to_nat d)) as [B|B]; [lia|].
    assert (D := Nat.div_le_mono (y + N.to_nat j - (e + N.to_nat d)) (y' + N.to_nat j - (e + N.to_nat d)) (N.to_nat t) ltac:(lia) ltac:(lia)). lia.
  - apply Nat.div_le_mono; [lia|]. apply Nat.mul_le_mono_r. lia.
Qed.
Lemma due_nats_mono e rs x y y' : forallb valid_rival rs = true -> y <= y' -> due_nats e rs x y <= due_nats e rs x y'.
Proof.
  intros V H. induction rs as [|r rs IH]; [simpl; lia|]. simpl in *. apply andb_true_iff in V. destruct V as [V V'].
  assert (A := due_nat_mono e r x y y' V H). specialize (IH V'). lia.
Qed.

Lemma quotient_parts n m p t : 0 < t -> n <= m + p -> n / t <= m / t + ceil p t.
Proof.
  intros T H. assert (C := ceil_covers p t T). assert (D := Nat.div_mod m t ltac:(lia)). assert (U := Nat.mod_upper_bound m t ltac:(lia)).
  apply Nat.lt_succ_r, Nat.div_lt_upper_bound; [lia|]. nia.
Qed.

Lemma due_nat_parts e r l k x y : valid_rival r = true ->
  due_nat e r (k * l + x) (k * l + y) <= k * N.to_nat (in_length r (N.of_nat l)) + due_nat e r x y.
Proof.
  intros V. apply valid_rival_period in V. destruct r as [c t j d|q t]; simpl.
  - rewrite N2Nat.inj_mul, rounded, Nat2N.id. set (T := N.to_nat t) in *. set (C := N.to_nat c). set (J := N.to_nat j). set (Dl := N.to_nat d).
    rewrite Nat.mul_assoc, <- Nat.mul_add_distr_r. apply Nat.mul_le_mono_r.
    assert (K : ceil (k * l) T <= k * ceil l T).
    { apply ceil_least; [exact V|]. rewrite <- Nat.mul_assoc. apply Nat.mul_le_mono_l, ceil_covers, V. }
    assert (A : ceil (k * l + x + J) T <= k * ceil l T + ceil (x + J) T).
    { apply ceil_least; [exact V|]. assert (A := ceil_covers (x + J) T V). assert (B := ceil_covers (k * l) T V).
      rewrite Nat.mul_add_distr_r. nia. }
    assert (B : (if k * l + y + J <? e + Dl then 0 else (k * l + y + J - (e + Dl)) / T + 1)
      <= k * ceil l T + (if y + J <? e + Dl then 0 else (y + J - (e + Dl)) / T + 1)).
    { destruct (Nat.ltb_spec (k * l + y + J) (e + Dl)) as [G|G]; [lia|]. destruct (Nat.ltb_spec (y + J) (e + Dl)) as [H|H].
      - assert (Z : S ((k * l + y + J - (e + Dl)) / T) <= ceil (k * l) T).
        { apply ceil_above; [exact V|]. assert (D := Nat.mul_div_le (k * l + y + J - (e + Dl)) T ltac:(lia)). lia. }
        lia.
      - assert (Z := quotient_parts (k * l + y + J - (e + Dl)) (y + J - (e + Dl)) (k * l) T V ltac:(lia)). lia. }
    lia.
  - rewrite rounded, N2Nat.inj_mul, Nat2N.id. set (Q := N.to_nat q) in *. set (T := N.to_nat t) in *.
    assert (Z := quotient_parts ((k * l + y - e) * Q) ((y - e) * Q) (k * (l * Q)) T ltac:(lia)).
    assert (Z' : (k * l + y - e) * Q <= (y - e) * Q + k * (l * Q)).
    { rewrite Nat.mul_assoc, <- Nat.mul_add_distr_r. apply Nat.mul_le_mono_r. lia. }
    specialize (Z Z'). assert (K : ceil (k * (l * Q)) T <= k * ceil (l * Q) T).
    { apply ceil_least; [lia|]. rewrite <- Nat.mul_assoc. apply Nat.mul_le_mono_l, ceil_covers. lia. }
    lia.
Qed.
Lemma due_nats_parts e rs l k x y : forallb valid_rival rs = true ->
  due_nats e rs (k * l + x) (k * l + y) <= k * N.to_nat (all_in_length rs (N.of_nat l)) + due_nats e rs x y.
Proof.
  intros V. induction rs as [|r rs IH]; [simpl; lia|]. cbn [due_nats all_in_length forallb] in *.
  apply andb_true_iff in V. destruct V as [V V'].
  assert (A := due_nat_parts e r l k x y V). specialize (IH V'). rewrite N2Nat.inj_add, Nat.mul_add_distr_l. lia.
Qed.

Lemma competes_demand e r m D t x : valid_rival r = true -> competes r m -> begins (due D m) t ->
  count (uses D m) (t + x) <= count (uses D m) t + due_nat e r x (D + e - t).
Proof.
  intros V C B. apply valid_rival_period in V. destruct r as [c p j d|q p]; simpl in *.
  - destruct C as [js S]. destruct (Deadlines.due_by _ _ _ _ _ _ V S D) as [n N].
    assert (A := task_demand _ _ _ _ js m V S D n N t x B). unfold within in A.
    assert (K : (if D + N.to_nat j <? t + N.to_nat d then 0 else (D + N.to_nat j - (t + N.to_nat d)) / N.to_nat p + 1)
      <= (if D + e - t + N.to_nat j <? e + N.to_nat d then 0 else (D + e - t + N.to_nat j - (e + N.to_nat d)) / N.to_nat p + 1)).
    { destruct (Nat.ltb_spec (D + N.to_nat j) (t + N.to_nat d)) as [H|H]; [lia|].
      destruct (Nat.ltb_spec (D + e - t + N.to_nat j) (e + N.to_nat d)) as [G|G]; [lia|].
      assert (M := Nat.div_le_mono (D + N.to_nat j - (t + N.to_nat d)) (D + e - t + N.to_nat j - (e + N.to_nat d)) (N.to_nat p) ltac:(lia) ltac:(lia)). lia. }
    assert (M := Nat.mul_le_mono_r _ _ (N.to_nat c) (Nat.min_le_compat_l _ _ (ceil (x + N.to_nat j) (N.to_nat p)) K)). lia.
  - destruct C as [left [due' [wanted [b [R ->]]]]].
    assert (A := bandwidth_demand _ _ _ _ _ _ (proj1 V) (proj2 V) R D t x B).
    set (T := N.to_nat p) in *. set (Q := N.to_nat q) in *.
    assert (Z : count (uses D (Bandwidth.member due' b)) (t + x) - count (uses D (Bandwidth.member due' b)) t <= (D + e - t - e) * Q / T).
    { apply Nat.div_le_lower_bound; [lia|]. rewrite Nat.mul_sub_distr_l.
      apply Nat.le_trans with (Q * (D - t)); [apply Nat.le_sub_le_add_l; exact A|]. rewrite Nat.mul_comm. apply Nat.mul_le_mono_r. lia. }
    lia.
Qed.
Lemma rivals_demand e rs ms D t x : forallb valid_rival rs = true -> Forall2 competes rs ms -> begins (any (due D) ms) t ->
  count (any (uses D) ms) (t + x) <= count (any (uses D) ms) t + due_nats e rs x (D + e - t).
Proof.
  intros V F B. induction F as [|r m rs ms C F IH].
  - rewrite (count_none (any (uses D) []) t x) by reflexivity. lia.
  - simpl in V. apply andb_true_iff in V. destruct V as [V V'].
    assert (B' : begins (due D m) t /\ begins (any (due D) ms) t).
    { destruct t; simpl in *; [tauto|]. unfold any in B. simpl in B. apply orb_false_iff in B. exact B. }
    destruct B' as [B1 B2]. specialize (IH V' B2). assert (A := competes_demand e r m D t x V C B1).
    assert (O := count_or (uses D m) (any (uses D) ms) t x).
    change (any (uses D) (m :: ms)) with (fun u => uses D m u || any (uses D) ms u). simpl. lia.
Qed.

(* Shares of a processor. *)

Lemma up_covers n t : (0 < t -> n <= rounded_up n t * t /\ rounded_up n t * t < n + t)%N.
Proof.
  intros T. unfold rounded_up. assert (D := N.div_mod (n + t - 1) t ltac:(lia)). assert (U := N.mod_upper_bound (n + t - 1) t ltac:(lia)).
  rewrite (N.mul_comm t) in D. lia.
Qed.
Lemma need_share unit c t j l k : (0 < t ->
  rounded_up (l + k + j) t * c * unit <= share unit c t * (k + j) + c * unit + share unit c t * l)%N.
Proof.
  intros T. unfold share. destruct (up_covers (l + k + j) t T) as [_ A]. destruct (up_covers (c * unit) t T) as [B _].
  set (n := rounded_up (l + k + j) t) in *. set (r := rounded_up (c * unit) t) in *.
  destruct (N.eq_dec n 0) as [->|Z]; [rewrite !N.mul_0_l; apply N.le_0_l|].
  assert (E : (n * c * unit = (n - 1) * (c * unit) + c * unit)%N).
  { replace n with (n - 1 + 1)%N at 1 by lia. rewrite !N.mul_add_distr_r. lia. }
  assert (F : ((n - 1) * (c * unit) <= (n - 1) * (r * t))%N) by (apply N.mul_le_mono_l, B).
  assert (G : ((n - 1) * t <= l + k + j)%N).
  { assert (G' : (n * t = (n - 1) * t + t)%N) by (replace n with (n - 1 + 1)%N at 1 by lia; rewrite N.mul_add_distr_r; lia). lia. }
  assert (H := N.mul_le_mono_l _ _ r G). lia.
Qed.
Lemma runtime_share unit q t x : (0 < t -> x * q / t * unit <= share unit q t * x)%N.
Proof.
  intros T. unfold share. destruct (up_covers (q * unit) t T) as [B _]. set (s := rounded_up (q * unit) t) in *.
  assert (M := N.mul_div_le (x * q) t ltac:(lia)). set (n := (x * q / t)%N) in *.
  apply (N.mul_le_mono_pos_l _ _ t); [lia|].
  assert (F := N.mul_le_mono_r _ _ unit M). assert (G := N.mul_le_mono_l _ _ x B). lia.
Qed.
Lemma needs_share unit us l k : forallb valid us = true ->
  (needs us (l + k) * unit <= bursts unit us k + shares unit us * l)%N.
Proof.
  intros V. induction us as [|m us IH]; [simpl; lia|]. cbn [needs bursts shares forallb] in *.
  apply andb_true_iff in V. destruct V as [V V']. specialize (IH V'). assert (P := valid_period m V).
  assert (A := need_share unit (cost_of m) (period_of m) (jitter_of m) l k ltac:(lia)).
  destruct m as [c t j|kd q t|q t e]; unfold need, at_once in *; simpl in *; [lia|lia|].
  assert (A' := runtime_share unit q t (l + k) ltac:(lia)). lia.
Qed.

(* With deadlines up to l after the begin of a window. *)
Definition dated_in (r : rival) (l : N) : N :=
  match r with
  | Dated_jobs c t j d => (if l + j <? d then 0 else (l + j - d) / t + 1) * c
  | Bandwidth_of q t => l * q / t end%N.
Fixpoint all_dated_in (rs : list rival) (l : N) : N :=
  match rs with [] => 0 | r :: rest => dated_in r l + all_dated_in rest l end%N.

Lemma due_dated rs x l : due_nats 0 rs x l <= N.to_nat (all_dated_in rs (N.of_nat l)).
Proof.
  induction rs as [|r rs IH]; [simpl; lia|]. cbn [due_nats all_dated_in]. rewrite N2Nat.inj_add. apply Nat.add_le_mono; [|exact IH].
  destruct r as [c t j d|q t]; simpl.
  - rewrite N2Nat.inj_mul. apply Nat.mul_le_mono_r. etransitivity; [apply Nat.le_min_r|].
    destruct (N.ltb_spec (N.of_nat l + j) d) as [H|H], (Nat.ltb_spec (l + N.to_nat j) (N.to_nat d)) as [G|G]; lia.
  - rewrite Nat.sub_0_r, N2Nat.inj_div, N2Nat.inj_mul, Nat2N.id. lia.
Qed.
Lemma dated_share unit rs l : forallb valid_rival rs = true ->
  (all_dated_in rs l * unit <= rival_bursts unit rs + rival_shares unit rs * l)%N.
Proof.
  intros V. induction rs as [|r rs IH]; [simpl; lia|]. cbn [all_dated_in rival_bursts rival_shares forallb] in *.
  apply andb_true_iff in V. destruct V as [V V']. specialize (IH V'). apply valid_rival_period in V.
  assert (A : (dated_in r l * unit <= rival_burst unit r + rival_share unit r * l)%N); [|lia].
  destruct r as [c t j d|q t]; simpl; unfold share.
  - destruct (up_covers (c * unit) t ltac:(lia)) as [B _]. set (s := rounded_up (c * unit) t) in *.
    destruct (N.ltb_spec (l + j) d) as [H|H]; [rewrite !N.mul_0_l; apply N.le_0_l|]. set (n := ((l + j - d) / t + 1)%N).
    assert (D : (n * t <= l + j - d + t)%N).
    { unfold n. rewrite N.mul_add_distr_r. assert (M := N.mul_div_le (l + j - d) t ltac:(lia)). lia. }
    assert (F : (n * (c * unit) <= n * (s * t))%N) by (apply N.mul_le_mono_l, B).
    assert (G : (s * (n * t) <= s * (j + t - d + l))%N) by (apply N.mul_le_mono_l; lia). lia.
  - destruct (up_covers (q * unit) t ltac:(lia)) as [B _]. set (s := rounded_up (q * unit) t) in *.
    assert (M := N.mul_div_le (l * q) t ltac:(lia)). set (n := (l * q / t)%N) in *.
    apply (N.mul_le_mono_pos_l _ _ t); [lia|].
    assert (F := N.mul_le_mono_r _ _ unit M). assert (G := N.mul_le_mono_l _ _ l B). lia.
Qed.

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

Fixpoint gives_of (s : supply) : nat -> nat -> Prop :=
  match s with
  | Core => fun w x => w <= x
  | Server k q t blocking us _ parent => fun w x =>
      w = 0 \/ exists y, N.to_nat (wait_of k q t) + y <= x
        /\ fresh (at_level (gives_of parent) (N.to_nat blocking) us) (N.to_nat q) (N.to_nat t) w y
  | Reservation q t _ _ _ _ => fun w x =>
      w = 0 \/ exists k r, w <= k * N.to_nat q + r /\ 1 <= r <= N.to_nat q
        /\ 2 * (N.to_nat t - N.to_nat q) + k * N.to_nat t + r <= x end.

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

Lemma enough_gives s : delivers s = true -> gives (gives_of s) /\
  forall w x below, enough s w x below = true -> gives_of s (N.to_nat w) (N.to_nat x).
Proof.
  induction s as [|k q t blocking us full parent IH|q t us rs unit late]; intros D.
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
  - split; [apply reservation_gives, D|]. destruct (reservation_is _ _ _ _ _ _ D) as [[Q T] _].
    intros w x below H. cbn [enough gives_of] in *. destruct (N.eqb_spec w 0) as [->|W]; [left; reflexivity|right].
    apply N.leb_le in H. destruct (budgets w q ltac:(lia) W) as [B1 B2]. set (n := ((w - 1) / q)%N) in *.
    exists (N.to_nat n), (N.to_nat (w - n * q)).
    rewrite <- !N2Nat.inj_mul. lia.
Qed.

Lemma wait_is k q t : N.to_nat (wait_of k q t) =
  match k with Fixed k => wait (N.to_nat q) (N.to_nat t) k | Sporadic => N.to_nat t - N.to_nat q end.
Proof. unfold wait_of, wait. destruct k as [k|]; [destruct k|]; lia. Qed.

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
  induction s as [|k q t blocking us full parent IH|q t us rs unit late]; intros D supplied wanted H w x G.
  - apply core_is_whole; assumption.
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
Qed.

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
      { unfold ahead, valid_order in *. destruct (ordered c); [lia| |lia|lia|lia|lia]. rewrite !due_are_nats. apply due_nats_mono; [exact V|lia]. }
      assert (C' := Nat.mul_le_mono_r _ _ (N.to_nat (cost c)) C). lia.
    + apply IH with (upto p); [exact P|exact V|exact D|exact H4|lia].
Qed.

Lemma needs_parts us l k x : forallb valid us = true -> demand us (k * l + x) <= k * demand us l + demand us x.
Proof.
  intros V. induction k as [|k IH]; [simpl; lia|]. simpl. assert (A := demand_parts us l (k * l + x) V).
  rewrite Nat.add_assoc in A. lia.
Qed.

Lemma alone_in c supplied wanted js b : delivers (on c) = true -> 0 < N.to_nat (period c) -> by_itself c = true ->
  history (on c) supplied wanted -> stream (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c)) js b ->
  (forall u, wanted u = ready b u) -> (forall u, runs b u = supplied u) ->
  forall i, first js (S i) <= count (runs b) (arrival js i + N.to_nat (bound c)).
Proof.
  intros D P C H St We Ru i. unfold by_itself in C. destruct (on c) as [| |q t us rs unit late] eqn:O; [discriminate|discriminate|].
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
    assert (Dm := Nat.div_mod (w - 1) (N.to_nat q) ltac:(lia)). assert (Um := Nat.mod_upper_bound (w - 1) (N.to_nat q) ltac:(lia)).
    fold k in Dm. rewrite (Nat.mul_comm (N.to_nat q)) in Dm.
    assert (KT : k * N.to_nat t = k * (N.to_nat t - N.to_nat q) + k * N.to_nat q) by (rewrite <- Nat.mul_add_distr_l; f_equal; lia).
    assert (Len : takes (N.to_nat q) (N.to_nat t) w = N.to_nat t - N.to_nat q + k * N.to_nat t + (w - k * N.to_nat q)).
    { unfold takes, parts. fold k. rewrite Nat.mul_add_distr_r, Nat.mul_1_l. lia. }
    rewrite Len in *.
    apply (from_afresh _ _ left due wanted b' Q T Hd above aw _ _ ms E (fun w x => w <= x)) with (more := demand us)
        (rivals := fun l => N.to_nat (all_dated_in rs (N.of_nat l))); try assumption; try lia.
    + apply (proj1 (enough_gives Core eq_refl)).
    + intros. apply core_is_whole; assumption.
    + intros. apply demand_mono; assumption.
    + intros u x B. apply (loads (any ready bs)); auto.
    + intros d u x B. exact (rivals_it _ _ _ _ _ _ D ms d u x F B).
    + intros l H. apply (meets_it _ _ _ _ _ _ D). left. auto.
  - rewrite <- N2Nat.inj_sub, <- !N2Nat.inj_mul. lia.
  - rewrite Tk, Pa, <- N2Nat.inj_mul. destruct C3 as [C3|[C3 C5]]; [left|right]; lia.
Qed.

(* By priority: of a task, or of an interrupt for which its pseudo-VCPU is charged. *)
Lemma in_windows c blocked_by supplied wanted js b bs other : check c = true -> by_windows c = true ->
  (forall x y, ahead c x y = blocked_by) -> (forall l, beside c l = 0%N) -> history (on c) supplied wanted ->
  members (fun u => any ready bs u || ready b u) (urgent c) bs ->
  stream (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c)) js b ->
  level supplied wanted (any ready bs) (any runs bs) (ready b) (runs b) other (N.to_nat blocked_by) ->
  forall i, first js (S i) <= count (runs b) (arrival js i + N.to_nat (bound c)).
Proof.
  intros C W Ah Be H M St Lv i. unfold check in C.
  repeat rewrite andb_true_iff in C. destruct C as [[[[C1 C2] C3] C4] _]. apply N.ltb_lt in C4.
  destruct (enough_gives _ C1) as [_ E]. assert (Pr := provides _ C1 _ _ H). unfold by_windows in W.
  repeat rewrite andb_true_iff in W. destruct W as [[W1 W2] W3]. apply N.ltb_lt in W1. apply E in W2.
  apply (response_time supplied wanted (any ready bs) (any runs bs) other (N.to_nat (cost c)) (N.to_nat (period c))
    (N.to_nat (jitter c)) (N.to_nat blocked_by) js b ltac:(lia) St Lv (demand (urgent c))) with (L := N.to_nat (length c)).
  - intros x y. apply demand_parts, C2.
  - intros t x B. eapply loads; [exact C2|exact M| |exact B]. intros u U. simpl. rewrite U. reflexivity.
  - lia.
  - apply Pr. rewrite Be, N.add_0_r, N2Nat.inj_add, N2Nat.inj_mul, rounded in W2. unfold demand. rewrite N2Nat.id. exact W2.
  - intros A HA. destruct (covered c (points c) 0%N ltac:(lia) C3 C1 W3 A ltac:(lia)) as [F [F1 F2]].
    exists (N.to_nat F). split; [|exact F2]. apply Pr. rewrite Ah in F1. unfold demand. rewrite N2Nat.id. exact F1.
Qed.

Lemma members_more lv lv' ms bs : (forall u, lv u = true -> lv' u = true) -> members lv ms bs -> members lv' ms bs.
Proof.
  intros H M. induction M as [|m b ms bs O M IH]; constructor; [|exact IH].
  destruct m as [c p j|k q p|q p e]; simpl in *; [exact O| |exact O]. destruct O as [active [wanted [S A]]]. exists active, wanted. auto.
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
  intros V P C M St Ru Eq Ch Co i. unfold in_reservation in C. destruct (on c); [|discriminate|discriminate].
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
  destruct V as [V V'], Rt as [Rt Rt']. specialize (IH V' Rt'). destruct m as [c t j|k q t|q t e]; try discriminate.
  assert (P := valid_period _ V). simpl in P. cbn [asked_by excesses excess shares cost_of period_of].
  assert (A := runtime_share unit q t y ltac:(lia)). lia.
Qed.

Lemma late_asks m d D t x : valid m = true -> is_late m d -> begins (due D d) t ->
  count (uses D d) (t + x) <= count (uses D d) t + N.to_nat (asked_by [m] (N.of_nat (D - t))).
Proof.
  intros V H Bg. destruct m as [c p j|k q p|q p e]; try contradiction.
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
    destruct m as [c p j|k q p|q p e]; try contradiction. cbn [asked_by] in *. lia.
Qed.

Lemma late_grows m d : valid m = true -> is_late m d ->
  (forall t u, t <= u -> deadline d t <= deadline d u)
  /\ (forall t, begins (is_ready_of d) t -> is_ready_of d t = true -> t <= deadline d t).
Proof.
  intros V H. destruct m as [c p j|k q p|q p e]; try contradiction.
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
  intros ready_first Vu P C Mf Mb St Le Rt Fc Cr Eq Ot Li i. unfold beside_them in C. destruct (on c); [|discriminate|discriminate].
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
      (N.to_nat (k * every_so o + late_by o + (exceeded_by o + apart_by o))) C3).
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
  repeat rewrite andb_true_iff in C. destruct C as [[[[C1 C2] C3] C4] C5]. apply N.ltb_lt in C4.
  destruct (enough_gives _ C1) as [_ E]. assert (Pr := provides _ C1 _ _ H).
  assert (windows : match ordered c with By_itself | In_reservation _ _ _ _ _ | Beside _ => True | _ => by_windows c = true end).
  { destruct (ordered c); [exact C5|exact C5|exact I|exact C5|exact I|exact I]. }
  unfold task_history in Th. destruct (ordered c) as [blocked_by|relative rs| |blocked_by credit credits back routine|blocked_by after q t x|o] eqn:O.
  - destruct Th as [bs [other [M [St Lv]]]]. intros i. apply (in_windows c blocked_by supplied wanted js b bs other); auto.
    + intros. unfold ahead. rewrite O. reflexivity.
    + intros. unfold beside. rewrite O. reflexivity.
  - destruct Th as [bs [ms [due [M [F [St Ed]]]]]].  unfold by_windows in windows.
    repeat rewrite andb_true_iff in windows. destruct windows as [[W1 W2] W3]. apply N.ltb_lt in W1. apply E in W2. clear C5.
    unfold valid_order in C3. rewrite O in C3.
    apply (edf_response_time supplied wanted _ _ ms (Dated b due) Ed (N.to_nat (cost c)) (N.to_nat (period c))
      (N.to_nat (jitter c)) (N.to_nat relative) js ltac:(lia) St (demand (urgent c)) (due_nats (N.to_nat (jitter c)) rs))
      with (L := N.to_nat (length c)) (whole := N.to_nat (all_in_length rs (length c))).
    + intros t x B. eapply loads; [exact C2|exact M|auto|exact B].
    + intros d t x B. apply rivals_demand; assumption.
    + intros k x. apply needs_parts, C2.
    + intros k x y. assert (A := due_nats_parts (N.to_nat (jitter c)) rs (N.to_nat (length c)) k x y C3). rewrite N2Nat.id in A. exact A.
    + lia.
    + apply Pr. unfold beside in W2. rewrite O, !N2Nat.inj_add, N2Nat.inj_mul, rounded in W2.
      unfold demand. rewrite N2Nat.id. exact W2.
    + intros A HA. destruct (covered c (points c) 0%N ltac:(lia)) with (A := A) as [G [F1 F2]]; try assumption; try lia.
      { unfold valid_order. rewrite O. exact C3. }
      exists (N.to_nat G). split; [|exact F2]. apply Pr. unfold ahead in F1. rewrite O, due_are_nats, N2Nat.inj_add, Nat2N.id in F1.
      unfold demand. rewrite N2Nat.id. replace (ceil (A + 1) (N.to_nat (period c)) * N.to_nat (cost c) + N.to_nat (needs (urgent c) G)
        + due_nats (N.to_nat (jitter c)) rs (N.to_nat G) (A + N.to_nat relative)) with (ceil (A + 1) (N.to_nat (period c)) * N.to_nat (cost c)
        + due_nats (N.to_nat (jitter c)) rs (N.to_nat G) (A + N.to_nat relative) + N.to_nat (needs (urgent c) G)) by lia. exact F1.
  - destruct Th as [St [We Ru]]. eapply alone_in; try eassumption. lia.
  - destruct Th as [bs [other [raised [through [left [pseudo [M [Cr Lv]]]]]]]].
    unfold valid_order in C3. rewrite O in C3. repeat rewrite andb_true_iff in C3. destruct C3 as [[[[V1 V2] V3] V4] V5].
    apply N.leb_le in V1, V3, V4. apply N.ltb_lt in V2.
    assert (Bk : N.to_nat back <= N.to_nat credits * N.to_nat (period c)) by (rewrite <- N2Nat.inj_mul; lia).
    assert (St : stream (N.to_nat (cost c)) (N.to_nat (period c)) (N.to_nat (jitter c) - N.to_nat routine + N.to_nat routine) js b).
    { eapply is_stream; try exact Cr; lia. }
    replace (N.to_nat (jitter c) - N.to_nat routine + N.to_nat routine) with (N.to_nat (jitter c)) in St by lia.
    intros i. apply (in_windows c blocked_by supplied wanted js b bs other); auto.
    + intros. unfold ahead. rewrite O. reflexivity.
    + intros. unfold beside. rewrite O. reflexivity.
    + refine (members_more _ _ _ _ _ M). intros u U. apply orb_true_iff in U. apply orb_true_iff.
      destruct U as [U|U]; [left; exact U|right]. rewrite (pseudo_ready _ _ _ _ _ _ _ _ _ _ _ _ _ Cr) in U.
      apply andb_true_iff in U. tauto.
    + eapply same_level; try exact Cr; try exact Lv; lia.
  - destruct Th as [bs [other [left [due [throttled [charged [server [M [St [Ru [Eq [Cg Co]]]]]]]]]]]].
    eapply in_reservation_in; try eassumption. lia.
  - destruct Th as [first [bs [other [late [block [left [du [throttled [found [charged [server [ms [Mf [Mb [St [Le [Rt [Fc [Cr [Eq [Ot Li]]]]]]]]]]]]]]]]]]]]].
    eapply beside_them_in; try eassumption. lia.
Qed.
