(* Pages: docs/theory/loads.md, budget-timers.md, held-back-requests.md and pseudo-vcpu-load.md.
   What it says: what is asked for at most ceil((x + J) / T) C in any window of length x is a load of that size, also
     where some of it is dropped. So are, of a periodic, polling or deferrable server (Q, T), the timer interrupts of the
     returns (C, T, 0) and of the ends of its budget (C, T, T - Q); the requests that take one credit of a shaper
     (C, T', 0), where a credit is back T' after it was taken; and what follows each of them by up to J (C, T', J).
   Assumptions: those of the pages. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Kinds.

(* What is asked for before an instant. *)
Fixpoint asked_before (asked : nat -> nat) (t : nat) : nat := match t with 0 => 0 | S u => asked_before asked u + asked u end.

Definition limited (cost period jitter : nat) (asked : nat -> nat) : Prop :=
  forall t x, asked_before asked (t + x) <= asked_before asked t + ceil (x + jitter) period * cost.

(* What is left of what was asked for after the events of an instant. A part may be dropped. *)
Record backlog (asked left : nat -> nat) (b : behaviour) : Prop := Backlog {
  left_first : left 0 <= asked 0;
  left_next : forall t, left (S t) + (if runs b t then 1 else 0) <= left t + asked (S t);
  left_ready : forall t, 0 < left t -> ready b t = true;
  only_left : forall t, runs b t = true -> 0 < left t }.

Section Load.
  Variables cost period jitter : nat.
  Variables asked left : nat -> nat.
  Variable b : behaviour.
  Hypothesis at_most : limited cost period jitter asked.
  Hypothesis rule : backlog asked left b.

  Lemma served_of_asked t x : begins (ready b) t ->
    count (runs b) (t + x) <= count (runs b) t + (asked_before asked (t + x) - asked_before asked t)
    /\ (0 < x -> count (runs b) (t + x) + left (t + x - 1)
      <= count (runs b) t + (asked_before asked (t + x) - asked_before asked t) + (if runs b (t + x - 1) then 1 else 0)).
  Proof.
    intros B. assert (Z : forall u, t = S u -> left u = 0).
    { intros u ->. simpl in B. destruct (left u) eqn:E; [reflexivity|].
      assert (R := left_ready _ _ _ rule u ltac:(lia)). congruence. }
    assert (M : forall y, asked_before asked t <= asked_before asked (t + y)).
    { induction y as [|y IH]; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r. simpl. lia. }
    induction x as [|x [IH1 IH2]]; [rewrite Nat.add_0_r; split; lia|].
    rewrite Nat.add_succ_r, count_S. replace (S (t + x) - 1) with (t + x) by lia. cbn [asked_before].
    assert (My := M x). assert (O := only_left _ _ _ rule (t + x)).
    assert (K : count (runs b) (t + x) + left (t + x) <= count (runs b) t + (asked_before asked (t + x) - asked_before asked t) + asked (t + x)).
    { destruct x as [|x].
      - rewrite Nat.add_0_r in *. destruct t as [|u]; [assert (F := left_first _ _ _ rule); simpl; lia|].
        assert (N := left_next _ _ _ rule u). rewrite (Z u eq_refl) in N. lia.
      - specialize (IH2 ltac:(lia)). rewrite Nat.add_succ_r in *. replace (S (t + x) - 1) with (t + x) in IH2 by lia.
        assert (N := left_next _ _ _ rule (t + x)). destruct (runs b (t + x)); lia. }
    destruct (runs b (t + x)) eqn:E; [specialize (O eq_refl)|]; split; lia.
  Qed.

  Theorem backlog_load t x : begins (ready b) t ->
    count (runs b) (t + x) <= count (runs b) t + ceil (x + jitter) period * cost.
  Proof.
    intros B. destruct (served_of_asked t x B) as [H _]. assert (A := at_most t x). lia.
  Qed.
End Load.

(* Together. *)
Lemma limited_both c c' period jitter asked asked' : limited c period jitter asked -> limited c' period jitter asked' ->
  limited (c + c') period jitter (fun t => asked t + asked' t).
Proof.
  intros A B t x. assert (S : forall u, asked_before (fun t => asked t + asked' t) u = asked_before asked u + asked_before asked' u).
  { induction u as [|u IH]; cbn [asked_before]; lia. }
  rewrite !S, Nat.mul_add_distr_l. specialize (A t x). specialize (B t x). lia.
Qed.

(* Something that costs [cost] each time that it happens. *)
Definition each (cost : nat) (happens : nat -> bool) (t : nat) : nat := if happens t then cost else 0.

Lemma each_before cost happens t : asked_before (each cost happens) t = count happens t * cost.
Proof.
  induction t as [|t IH]; [reflexivity|]. cbn [asked_before]. rewrite count_S, IH. unfold each. destruct (happens t); lia.
Qed.
Lemma limited_each cost period jitter happens :
  (forall t x, count happens (t + x) <= count happens t + ceil (x + jitter) period) -> limited cost period jitter (each cost happens).
Proof.
  intros H t x. rewrite !each_before, <- Nat.mul_add_distr_r. apply Nat.mul_le_mono_r, H.
Qed.

(* What happens at least T apart, J later at most: each time at the least at the instant [origin] of it. *)
Lemma apart_in_windows happens T J : 0 < T ->
  (forall n, exists origin : nat -> nat, forall t, t < n -> happens t = true ->
    origin t <= t <= origin t + J /\ forall u, u < t -> happens u = true -> origin u + T <= origin t) ->
  forall t x, count happens (t + x) <= count happens t + ceil (x + J) T.
Proof.
  intros P H t x. destruct (H (t + x)) as [origin O].
  assert (G : forall y, y <= x -> forall k, count happens (t + y) = count happens t + S k ->
    exists u v, t <= u /\ u <= v /\ v < t + y /\ happens u = true /\ happens v = true /\ origin u + k * T <= origin v).
  { induction y as [|y IH]; intros Y k E; [rewrite Nat.add_0_r in E; lia|].
    rewrite Nat.add_succ_r, count_S in E. destruct (happens (t + y)) eqn:F.
    - destruct k as [|k].
      + exists (t + y), (t + y). repeat split; try lia; exact F.
      + destruct (IH ltac:(lia) k ltac:(lia)) as [u [v [A [B [C [D [D' I]]]]]]]. exists u, (t + y).
        destruct (O (t + y) ltac:(lia) F) as [_ Q]. specialize (Q v ltac:(lia) D'). repeat split; try lia; try assumption.
    - destruct (IH ltac:(lia) k ltac:(lia)) as [u [v I]]. exists u, v. intuition lia. }
  assert (M := count_mono happens t (t + x) ltac:(lia)).
  destruct (count happens (t + x) - count happens t) as [|k] eqn:E; [lia|].
  destruct (G x (le_n x) k ltac:(lia)) as [u [v [A [B [C [D [D' I]]]]]]].
  destruct (O u ltac:(lia) D) as [U _]. destruct (O v ltac:(lia) D') as [V _].
  assert (K := ceil_above (x + J) T k P ltac:(lia)). lia.
Qed.

(* The timers of the budget of a server. *)
Section Timers.
  Variables Q T phase : nat.
  Variable k : kind.
  Variable budget : nat -> nat.
  Variable wanted : nat -> bool.
  Variable b : behaviour.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis Q_le : Q <= T.
  Hypothesis R : rule Q T phase k budget wanted b.

  (* It returns; and it ends when the last of it is used. *)
  Definition returns : nat -> bool := again T phase.
  Definition ends (t : nat) : bool := match t with 0 => false | S u => runs b u && (budget u =? 1) end.

  Lemma between t n : again T phase t = true -> again T phase n = true -> t < n -> t + T <= n.
  Proof.
    intros A B L. destruct (Nat.le_gt_cases (t + T) n) as [|G]; [assumption|exfalso].
    destruct (again_again Q T phase k budget wanted b Q_pos Q_le R t 0 A) as [_ N]. simpl in N.
    specialize (N (n - t) ltac:(lia)). rewrite Nat.add_0_r in N. replace (t + (n - t)) with n in N by lia. congruence.
  Qed.

  Theorem returns_apart cost : limited cost T 0 (each cost returns).
  Proof.
    apply limited_each, apart_in_windows; [lia|]. intros n. exists (fun t => t). intros t _ A. split; [lia|].
    intros u L B. apply between; assumption.
  Qed.

  (* During which instant the last of a budget is used. *)
  Definition lasts (u : nat) : bool := runs b u && (budget u =? 1).

  Lemma used_up t : again T phase (S t) = false -> budget t = 0 \/ lasts t = true -> budget (S t) = 0.
  Proof.
    intros A H. rewrite (at_next _ _ _ _ _ _ _ R), A. cbv zeta. unfold lasts in H. rewrite andb_true_iff, Nat.eqb_eq in H.
    assert (B := runs_on_budget Q T phase k budget wanted b R t).
    destruct H as [H|[H H']]; [|rewrite H, H']; destruct k, (wanted (S t)), (runs b t); lia.
  Qed.

  (* One at most up to the next return. *)
  Lemma one_last t d : (forall e, 0 < e < d -> again T phase (t + e) = false) ->
    forall e, e <= d -> count lasts (t + e) <= count lasts t + 1.
  Proof.
    intros N.
    assert (H : forall e, e < d -> count lasts (t + e) = count lasts t \/ count lasts (t + e) = count lasts t + 1 /\ budget (t + e) = 0).
    { induction e as [|e IH]; intros E; [rewrite Nat.add_0_r; left; reflexivity|].
      specialize (IH ltac:(lia)). assert (A := N (S e) ltac:(lia)). rewrite Nat.add_succ_r in *. rewrite count_S.
      assert (U := used_up (t + e) A). destruct (lasts (t + e)) eqn:L.
      - right. split; [|apply U; right; reflexivity]. destruct IH as [IH|[IH Z]]; [lia|].
        unfold lasts in L. rewrite Z in L. rewrite andb_false_r in L. discriminate.
      - destruct IH as [IH|[IH Z]]; [left|right]; [lia|]. split; [lia|]. apply U. left. exact Z. }
    intros e E. destruct e as [|e]; [rewrite Nat.add_0_r; lia|]. specialize (H e ltac:(lia)).
    rewrite Nat.add_succ_r, count_S. destruct (lasts (t + e)) eqn:L; [|lia].
    destruct H as [H|[H Z]]; [lia|]. unfold lasts in L. rewrite Z, andb_false_r in L. discriminate.
  Qed.

  (* And not before all of it could be used. *)
  Lemma since_return p : again T phase p = true -> forall e, e < T ->
    budget (p + e) = 0 \/ budget (p + e) + count (runs b) (p + e) = Q + count (runs b) p.
  Proof.
    intros A. destruct (again_again Q T phase k budget wanted b Q_pos Q_le R p 0 A) as [_ N]. rewrite Nat.add_0_r in N.
    induction e as [|e IH]; intros E.
    - rewrite Nat.add_0_r. destruct p; [rewrite (at_first _ _ _ _ _ _ _ R)|rewrite (at_next _ _ _ _ _ _ _ R); cbv zeta];
        rewrite A; destruct k; try destruct (wanted _); lia.
    - specialize (IH ltac:(lia)). assert (A' := N (S e) ltac:(lia)). rewrite Nat.add_succ_r in *. rewrite count_S.
      assert (U := used_up (p + e) A'). destruct (Nat.eq_dec (budget (p + e)) 0) as [Z|Z]; [left; apply U; left; exact Z|].
      rewrite (at_next _ _ _ _ _ _ _ R), A'. cbv zeta. destruct k, (wanted (S (p + e))), (runs b (p + e)); lia.
  Qed.
  Lemma last_in_period p y : again T phase p = true -> y <= T ->
    count lasts (p + y) <= count lasts p + (if Q <=? y then 1 else 0).
  Proof.
    intros A Y. destruct (again_again Q T phase k budget wanted b Q_pos Q_le R p 0 A) as [_ N]. rewrite Nat.add_0_r in N.
    destruct (Nat.leb_spec Q y) as [G|G]; [apply (one_last p T N y Y)|].
    rewrite Nat.add_0_r. rewrite (count_none lasts p y); [lia|]. intros u U.
    destruct (lasts u) eqn:L; [|reflexivity]. unfold lasts in L. apply andb_true_iff in L. destruct L as [L1 L2].
    apply Nat.eqb_eq in L2. assert (S' := since_return p A (u - p) ltac:(lia)). replace (p + (u - p)) with u in S' by lia.
    assert (C := count_most (runs b) p (u - p)). replace (p + (u - p)) with u in C by lia. lia.
  Qed.
  Lemma lasts_in_periods p n y : again T phase p = true -> y <= T ->
    count lasts (p + n * T + y) <= count lasts p + n + (if Q <=? y then 1 else 0).
  Proof.
    intros A. revert y. induction n as [|n IH]; intros y Y.
    - rewrite !Nat.add_0_r. apply last_in_period; assumption.
    - destruct (again_again Q T phase k budget wanted b Q_pos Q_le R p (S n) A) as [A' _].
      assert (L := last_in_period (p + S n * T) y A' Y). specialize (IH T (le_n T)).
      destruct (Nat.leb_spec Q T) as [G|G]; [|lia].
      replace (p + n * T + T) with (p + S n * T) in IH by (simpl; lia). lia.
  Qed.
  Lemma lasts_in_window t x : count lasts (t + x) <= count lasts t + ceil (x + (T - Q)) T.
  Proof.
    destruct (Nat.eq_dec x 0) as [->|X]; [rewrite Nat.add_0_r; lia|].
    destruct (next_again Q T phase k budget wanted b Q_pos Q_le R t) as [d [D [A N]]].
    assert (one : 1 <= ceil (x + (T - Q)) T) by (apply (ceil_above _ T 0); lia).
    destruct (Nat.le_gt_cases x d) as [H|H]; [assert (O := one_last t d N x H); lia|].
    set (n := (x - d) / T). set (y := (x - d) mod T).
    assert (E := Nat.div_mod (x - d) T ltac:(lia)). assert (U := Nat.mod_upper_bound (x - d) T ltac:(lia)).
    fold n y in E, U. rewrite (Nat.mul_comm T) in E.
    assert (O := one_last t d N d (le_n d)). assert (P := lasts_in_periods (t + d) n y A ltac:(lia)).
    replace (t + d + n * T + y) with (t + x) in P by lia. destruct (Nat.leb_spec Q y) as [G|G].
    - assert (F := ceil_above (x + (T - Q)) T (S n) ltac:(lia) ltac:(simpl; lia)). lia.
    - assert (F := ceil_above (x + (T - Q)) T n ltac:(lia) ltac:(lia)). lia.
  Qed.

  Theorem ends_apart cost : limited cost T (T - Q) (each cost ends).
  Proof.
    apply limited_each. assert (S' : forall t, count ends (S t) = count lasts t).
    { induction t as [|t IH]; [reflexivity|]. rewrite count_S, IH, count_S. reflexivity. }
    intros t x. destruct t as [|t].
    - destruct x as [|x]; [simpl; lia|]. change (0 + S x) with (S x). rewrite S'. assert (W := lasts_in_window 0 x).
      change (0 + x) with x in W. change (count lasts 0) with 0 in W. change (count ends 0) with 0.
      assert (M := ceil_mono (x + (T - Q)) (S x + (T - Q)) T ltac:(lia) ltac:(lia)). lia.
    - change (S t + x) with (S (t + x)). rewrite !S'. apply lasts_in_window.
  Qed.
End Timers.

(* Requests that take one credit: it is back T' after it was taken. *)
Section Credit.
  Variable T : nat.
  Variable takes : nat -> bool.
  Variable back : nat -> nat.
  Hypothesis T_pos : 0 < T.
  Hypothesis has : forall t, takes t = true -> back t <= t.
  Hypothesis taken : forall t, back (S t) = if takes t then t + T else back t.

  Lemma back_later t x : takes t = true -> t + T <= back (S t + x).
  Proof.
    intros A. induction x as [|x IH].
    - rewrite Nat.add_0_r, taken, A. lia.
    - rewrite Nat.add_succ_r, taken. destruct (takes (S t + x)) eqn:E; [|exact IH]. assert (H := has _ E). lia.
  Qed.
  Lemma takes_apart u t : u < t -> takes u = true -> takes t = true -> u + T <= t.
  Proof.
    intros L A B. assert (H := back_later u (t - S u) A). replace (S u + (t - S u)) with t in H by lia.
    assert (H' := has t B). lia.
  Qed.

  Theorem credit_requests cost : limited cost T 0 (each cost takes).
  Proof.
    apply limited_each, apart_in_windows; [exact T_pos|]. intros n. exists (fun t => t). intros t _ A. split; [lia|].
    intros u L B. apply takes_apart; assumption.
  Qed.

  (* What follows each of them within J, in their order. *)
  Theorem follows_credit cost J follows (origin : nat -> nat) :
    (forall t, follows t = true -> takes (origin t) = true /\ origin t <= t <= origin t + J) ->
    (forall u t, u < t -> follows u = true -> follows t = true -> origin u < origin t) ->
    limited cost T J (each cost follows).
  Proof.
    intros F O. apply limited_each, apart_in_windows; [exact T_pos|]. intros n. exists origin. intros t _ A.
    destruct (F t A) as [B C]. split; [exact C|]. intros u L D. destruct (F u D) as [E _].
    apply takes_apart; [apply O; assumption|exact E|exact B].
  Qed.
End Credit.
