(* Page: docs/theory/scheduler-costs.md, "Fixed priority".
   What it says: in a window throughout which a member of a core, or something as urgent, is ready, calls and switches take
     at most c + s, 2 (c + s) for each scheduling event of what is as urgent, and c for each return of a less urgent server
     and once for each less urgent member; for a server that is looked at, c ceil(x / T) + c + 2 s more.
   Assumptions: 1. [kernel]: how calls and switches begin and end (C7, C9 of docs/model.md), and that a decision is the same
     as the last one where nothing as urgent got ready since, or ceased to be. 2. [above], [below] and [itself]: what calls.
   A window of a task begins when nothing as urgent is ready; that of a server when nothing more urgent is. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Deadlines.
Import ListNotations.

Definition rises (r : nat -> bool) (t : nat) : bool := match t with 0 => r 0 | S u => negb (r u) && r (S u) end.
Definition falls (r : nat -> bool) (t : nat) : bool := match t with 0 => false | S u => r u && negb (r (S u)) end.

(* How often something happens: each source at least T apart, J later at most. *)
Fixpoint times (sources : list (nat * nat)) (x : nat) : nat :=
  match sources with [] => 0 | (T, J) :: rest => ceil (x + J) T + times rest x end.
Definition at_most (sources : list (nat * nat)) (happens : nat -> bool) : Prop :=
  forall t x, count happens (t + x) <= count happens t + times sources x.

(* A member of a core: when it calls the scheduler, when that may change what is chosen, and when it is ready. *)
Record caller := Caller { calls : nat -> bool; changes : nat -> bool; is_up : nat -> bool }.

(* One that is as urgent: it gets ready when its budget returns, or something wakes its guest, and calls then, when it is
   ready no more, and, if it idles its budget away, when its guest sleeps. A task is its own guest, and wakes with each
   release. *)
Record above (returns_from wakes_from : list (nat * nat)) (idles : bool) (returns wakes wanted : nat -> bool) (d : caller) : Prop :=
  Above_rule {
  returns_most : at_most returns_from returns;
  wakes_most : at_most wakes_from wakes;
  gets_work : forall t, rises wanted t = true -> wakes t = true;
  gets_up : forall t, rises (is_up d) t = true -> returns t || (wakes t && negb idles) = true;
  why_it_calls : forall t, calls d t = true -> returns t || wakes t || falls (is_up d) t || (idles && falls wanted t) = true;
  changes_call : forall t, changes d t = true -> calls d t = true;
  above_seen : forall t, rises (is_up d) t || falls (is_up d) t = true -> changes d t = true }.

(* One that is less urgent: it waits, and neither sleeps nor uses budget then. *)
Record below (returns_from : list (nat * nat)) (level returns wanted ran : nat -> bool) (d : caller) : Prop := Below_rule {
  below_returns : at_most returns_from returns;
  why_below : forall u, calls d (S u) = true -> returns (S u) || rises wanted (S u) || ran u = true;
  sleeps_after : forall u, falls wanted (S u) = true -> ran u = true;
  it_waits : forall u, ran u = true -> level u = false;
  not_up : forall t, is_up d t = false /\ changes d t = false }.

(* A server that is looked at. *)
Record itself (T : nat) (returns wanted : nat -> bool) (b : behaviour) (d : caller) : Prop := Itself_rule {
  own_returns : at_most [(T, 0)] returns;
  why_itself : forall t, calls d t = true -> returns t || rises wanted t || falls wanted t || falls (ready b) t = true;
  own_sleeps : forall u, falls wanted (S u) = true -> runs b u = true;
  own_stops : forall u, falls (ready b) (S u) = true -> runs b u = true;
  own_up : forall t, is_up d t = ready b t;
  own_changes : forall t, changes d t = rises (ready b) t || falls (ready b) t }.

(* The kernel of a core. Of a call, and of a switch, so much is [due] and [going]; a decision after a call [switches]. *)
Record kernel (call switch : nat) (level calls changes up : nat -> bool) (due going : nat -> nat)
    (switches calling switching : nat -> bool) : Prop := Kernel_rule {
  due_next : forall t, due (S t) + (if calling t then 1 else 0) <= due t + (if calls (S t) then call else 0);
  one_due : forall t, due t <= call;
  is_due : forall t, calling t = true -> 0 < due t;
  going_first : going 0 <= if switches 0 then switch else 0;
  going_next : forall t, going (S t) + (if switching t then 1 else 0) <= going t + (if switches (S t) then switch else 0);
  one_going : forall t, going t <= switch;
  is_going : forall t, switching t = true -> 0 < going t;
  (* Where something as urgent is ready, a decision is another than the last one because that changed. *)
  anew : forall u v, u < v -> switches u = true -> switches v = true -> up v = true -> exists w, u < w <= v /\ changes w = true;
  (* Where nothing is, its call began when nothing was, and no routine was requested; and after the switch before. *)
  lower : forall v, switches v = true -> up v = false -> exists b, b <= v /\ level b = false
    /\ forall u, b <= u < v -> switches u = false /\ going u = 0 }.

Lemma count_more p q t x : (forall u, t <= u < t + x -> p u = true -> q u = true) ->
  count p (t + x) + count q t <= count p t + count q (t + x).
Proof.
  induction x as [|x IH]; intros H; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r, !count_S.
  specialize (IH (fun u U => H u ltac:(lia))). specialize (H (t + x) ltac:(lia)).
  destruct (p (t + x)), (q (t + x)); try lia; discriminate (H eq_refl).
Qed.

(* What gets ready ceases to be no more often. *)
Lemma falls_rises r n : count (falls r) (S n) + (if r n then 1 else 0) = count (rises r) (S n).
Proof.
  induction n as [|n IH]; [simpl; destruct (r 0); reflexivity|].
  rewrite (count_S (falls r)), (count_S (rises r)), <- IH. simpl falls. simpl rises. destruct (r n), (r (S n)); simpl; lia.
Qed.
Lemma falls_most r t x : begins r t -> count (falls r) (t + x) + count (rises r) t <= count (falls r) t + count (rises r) (t + x).
Proof.
  intros B. destruct (t + x) as [|n] eqn:E; [replace t with 0 by lia; lia|]. assert (A := falls_rises r n).
  destruct t as [|t]; [change (count (falls r) 0) with 0; change (count (rises r) 0) with 0; lia|].
  assert (A' := falls_rises r t). simpl in B. rewrite B in A'. lia.
Qed.
Lemma falls_anywhere r t x : count (falls r) (t + x) + count (rises r) t <= count (falls r) t + count (rises r) (t + x) + 1.
Proof.
  destruct (t + x) as [|n] eqn:E; [replace t with 0 by lia; lia|]. assert (A := falls_rises r n).
  destruct t as [|t]; [change (count (falls r) 0) with 0; change (count (rises r) 0) with 0; lia|].
  assert (A' := falls_rises r t). destruct (r n), (r t); lia.
Qed.
Lemma changed r t v : begins r t -> t <= v -> r v = true -> exists w, t <= w <= v /\ rises r w = true.
Proof.
  intros B L H. induction v as [|v IH].
  - exists 0. split; [lia|]. exact H.
  - destruct (Nat.eq_dec t (S v)) as [->|N].
    + exists (S v). split; [lia|]. simpl in *. rewrite B, H. reflexivity.
    + destruct (r v) eqn:E; [destruct (IH ltac:(lia) eq_refl) as [w [W R]]; exists w; split; [lia|exact R]|].
      exists (S v). split; [lia|]. simpl. rewrite E, H. reflexivity.
Qed.

Lemma times_mono ss x y : Forall (fun s => 0 < fst s) ss -> x <= y -> times ss x <= times ss y.
Proof.
  intros V L. induction V as [|[T J] ss P V IH]; [simpl; lia|]. simpl in *. assert (C := ceil_mono (x + J) (y + J) T P ltac:(lia)). lia.
Qed.
Lemma times_parts ss x y : Forall (fun s => 0 < fst s) ss -> times ss (x + y) <= times ss x + times ss y.
Proof.
  intros V. induction V as [|[T J] ss P V IH]; [simpl; lia|]. simpl in *.
  assert (C : ceil (x + y + J) T <= ceil (x + J) T + ceil (y + J) T); [|lia].
  apply ceil_least; [exact P|]. assert (A := ceil_covers (x + J) T P). assert (B := ceil_covers (y + J) T P). nia.
Qed.

(* What each calls and changes. *)
Section Above.
  Variables rs ws : list (nat * nat).
  Variable idles : bool.
  Variables returns wakes wanted : nat -> bool.
  Variable d : caller.
  Hypothesis rule : above rs ws idles returns wakes wanted d.

  Lemma above_calls t x : begins (is_up d) t ->
    count (calls d) (t + x) <= count (calls d) t + (2 * (times rs x + times ws x) + (if idles then 1 else 0)).
  Proof.
    intros B. assert (R := returns_most _ _ _ _ _ _ _ rule t x). assert (W := wakes_most _ _ _ _ _ _ _ rule t x).
    assert (F := falls_most (is_up d) t x B). assert (C := count_more (calls d) _ t x (fun u _ => why_it_calls _ _ _ _ _ _ _ rule u)).
    assert (C1 := count_or (fun u => returns u || wakes u || falls (is_up d) u) (fun u => idles && falls wanted u) t x).
    assert (C2 := count_or (fun u => returns u || wakes u) (falls (is_up d)) t x). assert (C3 := count_or returns wakes t x).
    assert (G := count_more (rises (is_up d)) _ t x (fun u _ => gets_up _ _ _ _ _ _ _ rule u)). cbv beta in *. destruct idles.
    - assert (K := count_more (rises wanted) wakes t x (fun u _ => gets_work _ _ _ _ _ _ _ rule u)).
      assert (F' := falls_anywhere wanted t x).
      assert (E : forall u, count (fun u => true && falls wanted u) u = count (falls wanted) u) by (intros; apply count_ext; reflexivity).
      assert (E' : forall u, count (fun u => returns u || wakes u && negb true) u = count returns u).
      { intros v. apply count_ext. intros u. rewrite andb_false_r, orb_false_r. reflexivity. }
      rewrite (E t), (E (t + x)) in C1. rewrite (E' t), (E' (t + x)) in G. lia.
    - assert (E : forall u, count (fun u => false && falls wanted u) u = 0).
      { intros u. apply (count_none _ 0 u). reflexivity. }
      assert (E' : forall u, count (fun u => returns u || wakes u && negb false) u = count (fun u => returns u || wakes u) u).
      { intros v. apply count_ext. intros u. rewrite andb_true_r. reflexivity. }
      rewrite (E t), (E (t + x)) in C1. rewrite (E' t), (E' (t + x)) in G. lia.
  Qed.
End Above.

Lemma below_calls rs level returns wanted ran d t x : below rs level returns wanted ran d -> throughout level t (S x) ->
  Forall (fun s => 0 < fst s) rs -> count (calls d) (t + S x) <= count (calls d) (S t) + (times rs (S x) + 1).
Proof.
  intros R L V.
  assert (N : forall u, t <= u < t + S x -> ran u = false).
  { intros u U. destruct (ran u) eqn:E; [|reflexivity]. apply (it_waits _ _ _ _ _ _ R) in E. rewrite L in E by exact U. discriminate. }
  assert (K := below_returns _ _ _ _ _ _ R (S t) x). assert (M := times_mono rs x (S x) V ltac:(lia)).
  assert (C : count (calls d) (S t + x) + count (fun u => returns u || rises wanted u) (S t)
    <= count (calls d) (S t) + count (fun u => returns u || rises wanted u) (S t + x)).
  { apply count_more. intros [|u] U H; [lia|]. apply (why_below _ _ _ _ _ _ R) in H. rewrite N, orb_false_r in H by lia. exact H. }
  assert (O := count_or returns (rises wanted) (S t) x).
  assert (one : count (rises wanted) (S t + x) <= count (rises wanted) (S t) + 1); [|replace (t + S x) with (S t + x) by lia; lia].
  (* Once it is awake it stays so. *)
  assert (H : count (rises wanted) (S t + x) = count (rises wanted) (S t)
    \/ count (rises wanted) (S t + x) = count (rises wanted) (S t) + 1 /\ wanted (t + x) = true).
  { clear - N R. induction x as [|x IH]; [left; rewrite Nat.add_0_r; reflexivity|]. rewrite Nat.add_succ_r, count_S.
    specialize (IH (fun u U => N u ltac:(lia))). destruct (rises wanted (S t + x)) eqn:E.
    - right. simpl in E. apply andb_true_iff in E. destruct E as [E E']. apply negb_true_iff in E.
      split; [|rewrite Nat.add_succ_r; exact E']. destruct IH as [IH|[_ IH]]; [lia|congruence].
    - rewrite Nat.add_0_r. destruct IH as [IH|[IH I]]; [left; exact IH|right]. split; [exact IH|].
      destruct (wanted (t + S x)) eqn:W; [reflexivity|exfalso].
      assert (F : falls wanted (S (t + x)) = true) by (simpl; rewrite I, <- Nat.add_succ_r, W; reflexivity).
      apply (sleeps_after _ _ _ _ _ _ R) in F. rewrite N in F by lia. discriminate. }
  lia.
Qed.

(* From s on it has nothing, and from t on it is ready with work for its guest. *)
Section Itself.
  Variable T : nat.
  Variables returns wanted : nat -> bool.
  Variable b : behaviour.
  Variable d : caller.
  Hypothesis rule : itself T returns wanted b d.
  Variables s t x : nat.
  Hypothesis order : s <= t.
  Hypothesis waits : forall u, s <= u < t -> runs b u = false.
  Hypothesis asks : throughout (fun u => ready b u && wanted u) t (S x).

  Lemma no_falls r : (forall u, falls r (S u) = true -> runs b u = true) -> throughout r t (S x) ->
    forall u, S s <= u < s + S x -> falls r u = false.
  Proof.
    intros H A [|u] U; [lia|]. destruct (falls r (S u)) eqn:F; [|reflexivity]. destruct (Nat.lt_ge_cases u t) as [L|L].
    - apply H in F. rewrite waits in F by lia. discriminate.
    - simpl in F. rewrite (A (S u)) in F by lia. rewrite andb_false_r in F. discriminate.
  Qed.
  Lemma one_rise r : (forall u, falls r (S u) = true -> runs b u = true) -> throughout r t (S x) ->
    count (rises r) (s + S x) <= count (rises r) (S s) + 1.
  Proof.
    intros H A. assert (N := no_falls r H A). assert (E := falls_rises r s). replace (s + S x) with (S (s + x)) by lia.
    assert (E' := falls_rises r (s + x)). assert (Z := count_none (falls r) (S s) x ltac:(intros u U; apply N; lia)).
    replace (S s + x) with (S (s + x)) in Z by lia. destruct (r s), (r (s + x)); lia.
  Qed.
  Let up_throughout : throughout (ready b) t (S x).
  Proof. intros u U. specialize (asks u U). apply andb_true_iff in asks. tauto. Qed.
  Let wanted_throughout : throughout wanted t (S x).
  Proof. intros u U. specialize (asks u U). apply andb_true_iff in asks. tauto. Qed.

  Lemma itself_calls : 0 < T -> count (calls d) (s + S x) <= count (calls d) (S s) + (ceil (S x) T + 1).
  Proof.
    intros P. assert (R := own_returns _ _ _ _ _ rule (S s) x). simpl in R. rewrite !Nat.add_0_r in R.
    assert (M := ceil_mono x (S x) T P ltac:(lia)).
    assert (O := one_rise wanted (own_sleeps _ _ _ _ _ rule) wanted_throughout).
    assert (N := no_falls wanted (own_sleeps _ _ _ _ _ rule) wanted_throughout).
    assert (N' := no_falls (ready b) (own_stops _ _ _ _ _ rule) up_throughout).
    assert (C : count (calls d) (S s + x) + count (fun u => returns u || rises wanted u) (S s)
      <= count (calls d) (S s) + count (fun u => returns u || rises wanted u) (S s + x)).
    { apply count_more. intros u U H. apply (why_itself _ _ _ _ _ rule) in H. rewrite N, N', !orb_false_r in H by lia. exact H. }
    assert (O' := count_or returns (rises wanted) (S s) x). replace (s + S x) with (S s + x) in * by lia. simpl in *. lia.
  Qed.
  Lemma itself_changes : count (changes d) (s + S x) <= count (changes d) (S s) + 1.
  Proof.
    assert (O := one_rise (ready b) (own_stops _ _ _ _ _ rule) up_throughout).
    assert (N := no_falls (ready b) (own_stops _ _ _ _ _ rule) up_throughout).
    assert (C : count (changes d) (S s + x) + count (rises (ready b)) (S s) <= count (changes d) (S s) + count (rises (ready b)) (S s + x)).
    { apply count_more. intros u U H. rewrite (own_changes _ _ _ _ _ rule), N, orb_false_r in H by lia. exact H. }
    replace (s + S x) with (S s + x) in * by lia. lia.
  Qed.
End Itself.

(* What calls and switches take. *)
Section Kernel.
  Variables call switch : nat.
  Variables level calls changes up : nat -> bool.
  Variables due going : nat -> nat.
  Variables switches calling switching : nat -> bool.
  Hypothesis rule : kernel call switch level calls changes up due going switches calling switching.

  Lemma spent (left : nat -> nat) (on ev : nat -> bool) c t x :
    (forall t, left (S t) + (if on t then 1 else 0) <= left t + (if ev (S t) then c else 0)) -> (forall t, on t = true -> 0 < left t) ->
    count on (t + S x) + count ev (S t) * c <= count on t + left t + count ev (t + S x) * c.
  Proof.
    intros H P.
    assert (K : count on (t + x) + left (t + x) + count ev (S t) * c <= count on t + left t + count ev (S (t + x)) * c).
    { induction x as [|x IH]; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r, (count_S on), (count_S ev (S (t + x))).
      specialize (H (t + x)). destruct (ev (S (t + x))); lia. }
    rewrite Nat.add_succ_r, (count_S on). specialize (P (t + x)). destruct (on (t + x)); [specialize (P eq_refl)|]; lia.
  Qed.

  Lemma calling_most t x : count calling (t + S x) + count calls (S t) * call <= count calling t + call + count calls (t + S x) * call.
  Proof.
    assert (K := spent due calling calls call t x (due_next _ _ _ _ _ _ _ _ _ _ _ rule) (is_due _ _ _ _ _ _ _ _ _ _ _ rule)).
    assert (O := one_due _ _ _ _ _ _ _ _ _ _ _ rule t). lia.
  Qed.

  (* Switches after the first one have a change before them. *)
  Lemma switches_most s x base extra : throughout level s x -> base <= extra + count changes (s + x) ->
    (forall v, s <= v < s + x -> switches v = true -> base + 1 <= extra + count changes (S v)) ->
    count switches (s + x) + base <= count switches s + extra + count changes (s + x).
  Proof.
    intros L Z F.
    assert (H : count switches (s + x) = count switches s \/ exists u, s <= u < s + x /\ switches u = true
      /\ count switches (s + x) + base <= count switches s + extra + count changes (S u)).
    { clear Z. induction x as [|x IH]; [left; rewrite Nat.add_0_r; reflexivity|].
      specialize (IH (throughout_part _ _ _ s x L ltac:(lia) ltac:(lia)) (fun v V => F v ltac:(lia))).
      rewrite Nat.add_succ_r, count_S. set (v := s + x) in *. destruct (switches v) eqn:E.
      - right. exists v. split; [unfold v; lia|]. split; [exact E|]. assert (F' := F v ltac:(unfold v; lia) E).
        destruct IH as [IH|[u [U [Eu IH]]]]; [lia|]. destruct (up v) eqn:Up.
        + destruct (anew _ _ _ _ _ _ _ _ _ _ _ rule u v ltac:(lia) Eu E Up) as [w [W C]].
          assert (M := count_mono changes (S u) w ltac:(lia)). assert (M' := count_mono changes (S w) (S v) ltac:(lia)).
          rewrite (count_S changes w), C in M'. lia.
        + destruct (lower _ _ _ _ _ _ _ _ _ _ _ rule v E Up) as [b [Lb [B N]]]. exfalso.
          assert (b < s) by (destruct (Nat.lt_ge_cases b s); [assumption|rewrite L in B by (unfold v in *; lia); discriminate]).
          destruct (N u ltac:(lia)). congruence.
      - rewrite Nat.add_0_r. destruct IH as [IH|[u [U [Eu IH]]]]; [left; exact IH|right]. exists u. repeat split; try lia. exact Eu. }
    destruct H as [->|[u [U [Eu H]]]]; [lia|]. assert (M := count_mono changes (S u) (s + x) ltac:(lia)). lia.
  Qed.

  Lemma switching_anywhere s x : throughout level s (S x) ->
    count switching (s + S x) + count changes (S s) * switch <= count switching s + 2 * switch + count changes (s + S x) * switch.
  Proof.
    intros L. assert (K := spent going switching switches switch s x (going_next _ _ _ _ _ _ _ _ _ _ _ rule) (is_going _ _ _ _ _ _ _ _ _ _ _ rule)).
    assert (O := one_going _ _ _ _ _ _ _ _ _ _ _ rule s). assert (Mc := count_mono changes (S s) (s + S x) ltac:(lia)).
    assert (N := switches_most s (S x) (count changes (S s)) 1 L ltac:(lia)
      ltac:(intros v V _; assert (M := count_mono changes (S s) (S v) ltac:(lia)); lia)).
    assert (Ms := count_mono switches s (S s) ltac:(lia)). nia.
  Qed.

  Hypothesis seen : forall t, rises up t = true -> changes t = true.

  Lemma switching_at_begin s x : begins up s -> throughout level s (S x) ->
    count switching (s + S x) + count changes s * switch <= count switching s + switch + count changes (s + S x) * switch.
  Proof.
    intros B L. assert (K := spent going switching switches switch s x (going_next _ _ _ _ _ _ _ _ _ _ _ rule) (is_going _ _ _ _ _ _ _ _ _ _ _ rule)).
    assert (O := one_going _ _ _ _ _ _ _ _ _ _ _ rule s). assert (Ms := count_mono switches s (S s) ltac:(lia)).
    assert (Mc := count_mono changes s (s + S x) ltac:(lia)).
    destruct (Nat.eq_dec (match s with 0 => 0 | S m => going m end) 0) as [Z|Z].
    - (* No switch is under way. *)
      assert (G : going s <= if switches s then switch else 0).
      { destruct s as [|m]; [exact (going_first _ _ _ _ _ _ _ _ _ _ _ rule)|].
        assert (G := going_next _ _ _ _ _ _ _ _ _ _ _ rule m). destruct (switches (S m)); lia. }
      assert (N := switches_most s (S x) (count changes s) 1 L ltac:(lia)
        ltac:(intros v V _; assert (M := count_mono changes s (S v) ltac:(lia)); lia)).
      rewrite (count_S switches s) in *. destruct (switches s); nia.
    - (* The first one in the window has a change before it. *)
      destruct s as [|m]; [lia|].
      assert (N := switches_most (S m) (S x) (count changes (S m)) 0 L ltac:(lia)).
      assert (F : forall v, S m <= v < S m + S x -> switches v = true -> count changes (S m) + 1 <= 0 + count changes (S v)).
      { intros v V E. destruct (up v) eqn:Up.
        - destruct (changed up (S m) v B ltac:(lia) Up) as [w [W R]]. apply seen in R.
          assert (M := count_mono changes (S m) w ltac:(lia)). assert (M' := count_mono changes (S w) (S v) ltac:(lia)).
          rewrite (count_S changes w), R in M'. lia.
        - destruct (lower _ _ _ _ _ _ _ _ _ _ _ rule v E Up) as [b [Lb [Bl Nb]]].
          assert (b < S m) by (destruct (Nat.lt_ge_cases b (S m)); [assumption|rewrite L in Bl by lia; discriminate]).
          destruct (Nb m ltac:(lia)). congruence. }
      specialize (N F). nia.
  Qed.
End Kernel.

(* Together. *)
Inductive who :=
  | Over (returns wakes : list (nat * nat)) (idles : bool)
  | Under (returns : list (nat * nat))
  | Looked_at (T : nat).

(* When something at least as urgent as all callers but the one that is looked at is ready ([most]); the level; the member
   that is looked at, and, of a server, when its guest wants it. *)
Definition does (most level : nat -> bool) (own : behaviour) (wanted : nat -> bool) (w : who) (d : caller) : Prop :=
  match w with
  | Over rs ws idles => exists returns wakes guest, above rs ws idles returns wakes guest d
      /\ forall u, is_up d u = true -> most u = true
  | Under rs => exists returns guest ran, below rs level returns guest ran d
  | Looked_at T => exists returns, itself T returns wanted own d end.

Definition takes (call switch x : nat) (w : who) : nat :=
  match w with
  | Over rs ws idles => (call + switch) * (2 * (times rs x + times ws x) + (if idles then 1 else 0))
  | Under rs => call * (times rs x + 1)
  | Looked_at T => call * (ceil x T + 1) + 2 * switch end.
Fixpoint all_take (call switch x : nat) (ws : list who) : nat :=
  match ws with [] => 0 | w :: rest => takes call switch x w + all_take call switch x rest end.
Definition sources (w : who) : list (nat * nat) :=
  match w with Over rs ws _ => rs ++ ws | Under rs => rs | Looked_at T => [(T, 0)] end.
Definition right (w : who) : Prop := Forall (fun s => 0 < fst s) (sources w).
Definition is_other (w : who) : bool := match w with Looked_at _ => false | _ => true end.

Definition kernel_history (call switch : nat) (most level : nat -> bool) (own : behaviour) (wanted : nat -> bool) (ws : list who)
    (takes_core : nat -> bool) : Prop :=
  exists ds due going switches calling switching,
    Forall2 (does most level own wanted) ws ds
    /\ kernel call switch level (any calls ds) (any changes ds) (any is_up ds) due going switches calling switching
    /\ (forall u, any is_up ds u = true -> level u = true)
    /\ (forall u, takes_core u = calling u || switching u).

Lemma any_count {A : Type} (p : A -> nat -> bool) f (ws : list who) ds o t : o <= t ->
  Forall2 (fun w d => count (p d) t <= count (p d) o + f w) ws ds ->
  count (any p ds) t <= count (any p ds) o + fold_right (fun w n => f w + n) 0 ws.
Proof.
  intros L F. induction F as [|w d ws ds H F IH].
  - replace t with (o + (t - o)) by lia. rewrite (count_none (any p []) o) by reflexivity. lia.
  - assert (O := count_or (p d) (any p ds) o (t - o)). replace (o + (t - o)) with t in O by lia.
    change (any p (d :: ds)) with (fun u => p d u || any p ds u). cbn [fold_right]. lia.
Qed.

(* How often each calls, and changes what is chosen. *)
Definition n_calls (x : nat) (w : who) : nat :=
  match w with
  | Over rs ws idles => 2 * (times rs x + times ws x) + (if idles then 1 else 0)
  | Under rs => times rs x + 1
  | Looked_at T => ceil x T + 1 end.
Definition n_changes (x : nat) (w : who) : nat :=
  match w with
  | Over rs ws idles => 2 * (times rs x + times ws x) + (if idles then 1 else 0)
  | Under rs => 0
  | Looked_at T => 1 end.

Section Of.
  Variables call switch : nat.
  Variables most level : nat -> bool.
  Variable own : behaviour.
  Variable wanted : nat -> bool.
  Variable takes_core : nat -> bool.

  Lemma any_seen ws ds : Forall2 (does most level own wanted) ws ds -> forall t, rises (any is_up ds) t = true -> any changes ds t = true.
  Proof.
    intros F t H.
    assert (E : exists d, In d ds /\ rises (is_up d) t = true).
    { destruct t as [|t]; simpl in H.
      - apply any_in in H. destruct H as [d [I H]]. exists d. split; [exact I|exact H].
      - apply andb_true_iff in H. destruct H as [N H]. apply negb_true_iff in N. apply any_in in H. destruct H as [d [I H]].
        exists d. split; [exact I|]. simpl. rewrite H, andb_true_r. apply negb_true_iff. destruct (is_up d t) eqn:E; [|reflexivity].
        assert (any is_up ds t = true) by (apply any_in; exists d; split; assumption). congruence. }
    destruct E as [d [I R]]. apply any_in. exists d. split; [exact I|]. clear H.
    assert (W : exists w, does most level own wanted w d).
    { clear R. induction F as [|w d' ws ds D F IH]; [destruct I|]. destruct I as [->|I]; [exists w; exact D|exact (IH I)]. }
    destruct W as [[rs ws' idles|rs|T] D].
    - destruct D as [returns [wakes [guest [D _]]]]. apply (above_seen _ _ _ _ _ _ _ D). rewrite R. reflexivity.
    - destruct D as [returns [guest [ran D]]]. destruct t as [|t]; simpl in R; rewrite !(proj1 (not_up _ _ _ _ _ _ D _)) in R; discriminate.
    - destruct D as [returns D]. rewrite (own_changes _ _ _ _ _ D). apply orb_true_iff. left.
      destruct t as [|t]; simpl in *; rewrite !(own_up _ _ _ _ _ D) in R; exact R.
  Qed.

  Lemma weaken {A B : Type} (P Q : A -> B -> Prop) l m : (forall a b, In a l -> P a b -> Q a b) -> Forall2 P l m -> Forall2 Q l m.
  Proof.
    intros H F. induction F as [|a b l m Hab F IH]; constructor; [apply H; [left; reflexivity|exact Hab]|].
    apply IH. intros. apply H; [right|]; assumption.
  Qed.

  (* Of those that are not looked at. *)
  Lemma other_calls w d s x : does most level own wanted w d -> right w -> is_other w = true -> begins most s -> throughout level s (S x) ->
    count (calls d) (s + S x) <= count (calls d) (S s) + n_calls (S x) w
    /\ count (changes d) (s + S x) <= count (changes d) s + n_changes (S x) w.
  Proof.
    intros D V O B L. destruct w as [rs ws idles|rs|T]; [| |discriminate].
    - destruct D as [returns [wakes [guest [D Up]]]].
      assert (Bd : begins (is_up d) s).
      { destruct s as [|m]; [constructor|]. simpl in *. destruct (is_up d m) eqn:E; [apply Up in E; congruence|reflexivity]. }
      assert (A := above_calls _ _ _ _ _ _ _ D s (S x) Bd). assert (M := count_mono (calls d) s (S s) ltac:(lia)).
      assert (M' := count_more (changes d) (calls d) s (S x) (fun u _ => changes_call _ _ _ _ _ _ _ D u)). unfold n_calls, n_changes. lia.
    - destruct D as [returns [guest [ran D]]]. split; [exact (below_calls _ _ _ _ _ _ s x D L V)|].
      rewrite (count_none (changes d) s); [lia|]. intros u _. apply (not_up _ _ _ _ _ _ D).
  Qed.

  Lemma all_is ws x : forallb is_other ws = true -> all_take call switch x ws
    = fold_right (fun w n => n_calls x w + n) 0 ws * call + fold_right (fun w n => n_changes x w + n) 0 ws * switch.
  Proof.
    intros O. induction ws as [|w ws IH]; [reflexivity|]. cbn [forallb] in O. apply andb_true_iff in O. destruct O as [O O'].
    cbn [all_take fold_right]. rewrite (IH O'). destruct w as [rs ws' idles|rs|T]; [| |discriminate]; unfold takes, n_calls, n_changes; lia.
  Qed.

  (* Beside a task. *)
  Theorem kernel_beside_task ws s x : kernel_history call switch most level own wanted ws takes_core -> Forall right ws -> forallb is_other ws = true ->
    begins most s -> begins level s -> throughout level s x ->
    count takes_core (s + x) <= count takes_core s + (call + switch + all_take call switch x ws).
  Proof.
    intros [ds [due [going [switches [calling [switching [F [K [Up E]]]]]]]]] V O Bm B L.
    destruct x as [|x]; [rewrite Nat.add_0_r; lia|].
    assert (Bu : begins (any is_up ds) s).
    { destruct s as [|m]; [constructor|]. simpl in *. destruct (any is_up ds m) eqn:A; [apply Up in A; congruence|reflexivity]. }
    assert (all : forall w d, In w ws -> does most level own wanted w d ->
      count (calls d) (s + S x) <= count (calls d) (S s) + n_calls (S x) w
      /\ count (changes d) (s + S x) <= count (changes d) s + n_changes (S x) w).
    { intros w d I D. apply other_calls; try assumption; [exact (proj1 (Forall_forall _ _) V w I)|exact (proj1 (forallb_forall _ _) O w I)]. }
    assert (C := any_count calls (n_calls (S x)) ws ds (S s) (s + S x) ltac:(lia)
      (weaken _ _ _ _ (fun w d I D => proj1 (all w d I D)) F)).
    assert (H := any_count changes (n_changes (S x)) ws ds s (s + S x) ltac:(lia)
      (weaken _ _ _ _ (fun w d I D => proj2 (all w d I D)) F)).
    assert (K1 := calling_most _ _ _ _ _ _ _ _ _ _ _ K s x).
    assert (K2 := switching_at_begin _ _ _ _ _ _ _ _ _ _ _ K (any_seen ws ds F) s x Bu L).
    assert (T := count_or calling switching s (S x)).
    assert (E' : forall u, count takes_core u = count (fun u => calling u || switching u) u) by (intros; apply count_ext, E).
    rewrite (E' s), (E' (s + S x)), (all_is ws (S x) O). clear - C H K1 K2 T. nia.
  Qed.

  (* Beside a server that is looked at, which waits from s to t, and then asks for x. *)
  Theorem kernel_beside_server T others s t x : kernel_history call switch most level own wanted (Looked_at T :: others) takes_core ->
    Forall right (Looked_at T :: others) -> forallb is_other others = true -> begins most s -> s <= t ->
    (forall u, s <= u < t -> runs own u = false) -> throughout (fun u => ready own u && wanted u) t x -> throughout level s x ->
    count takes_core (s + x) <= count takes_core s + (call + switch + all_take call switch x (Looked_at T :: others)).
  Proof.
    intros [ds [due [going [switches [calling [switching [F [K [Up E]]]]]]]]] V O Bm Lt N A L.
    destruct x as [|x]; [rewrite Nat.add_0_r; lia|]. set (ws := Looked_at T :: others) in *.
    assert (P : 0 < T) by (assert (V1 := proj1 (Forall_forall _ _) V (Looked_at T) ltac:(left; reflexivity)); inversion V1; assumption).
    assert (all : forall w d, In w ws -> does most level own wanted w d ->
      count (calls d) (s + S x) <= count (calls d) (S s) + n_calls (S x) w
      /\ count (changes d) (s + S x) <= count (changes d) (S s) + n_changes (S x) w).
    { intros w d I D. destruct I as [<-|I].
      - destruct D as [returns D]. split; [exact (itself_calls _ _ _ _ _ D s t x Lt N A P)|exact (itself_changes _ _ _ _ _ D s t x Lt N A)].
      - destruct (other_calls w d s x D) as [C1 C2]; try assumption; [apply (proj1 (Forall_forall _ _) V w); right; exact I|
          exact (proj1 (forallb_forall _ _) O w I)|].
        assert (M := count_mono (changes d) s (S s) ltac:(lia)). split; [exact C1|lia]. }
    assert (C := any_count calls (n_calls (S x)) ws ds (S s) (s + S x) ltac:(lia)
      (weaken _ _ _ _ (fun w d I D => proj1 (all w d I D)) F)).
    assert (H := any_count changes (n_changes (S x)) ws ds (S s) (s + S x) ltac:(lia)
      (weaken _ _ _ _ (fun w d I D => proj2 (all w d I D)) F)).
    assert (K1 := calling_most _ _ _ _ _ _ _ _ _ _ _ K s x).
    assert (K2 := switching_anywhere _ _ _ _ _ _ _ _ _ _ _ K s x L).
    assert (O' := count_or calling switching s (S x)).
    assert (E' : forall u, count takes_core u = count (fun u => calling u || switching u) u) by (intros; apply count_ext, E).
    rewrite (E' s), (E' (s + S x)). unfold ws in *. cbn [all_take fold_right] in *. rewrite (all_is others (S x) O).
    unfold takes. cbn [n_calls n_changes] in C, H. clear - C H K1 K2 O'. nia.
  Qed.
End Of.

Lemma all_take_mono call switch ws x y : Forall right ws -> x <= y -> all_take call switch x ws <= all_take call switch y ws.
Proof.
  intros V L. induction V as [|w ws R V IH]; [simpl; lia|]. cbn [all_take]. destruct w as [rs ws' idles|rs|T]; unfold right, sources in R; unfold takes.
  - apply Forall_app in R. destruct R as [R R']. assert (A := times_mono rs x y R L). assert (B := times_mono ws' x y R' L). nia.
  - assert (A := times_mono rs x y R L). nia.
  - assert (P : 0 < T) by (inversion R; assumption). assert (A := ceil_mono x y T P L). nia.
Qed.
Lemma all_take_parts call switch ws x y : Forall right ws -> all_take call switch (x + y) ws <= all_take call switch x ws + all_take call switch y ws.
Proof.
  intros V. induction V as [|w ws R V IH]; [simpl; lia|]. cbn [all_take]. destruct w as [rs ws' idles|rs|T]; unfold right, sources in R; unfold takes.
  - apply Forall_app in R. destruct R as [R R']. assert (A := times_parts rs x y R). assert (B := times_parts ws' x y R'). destruct idles; nia.
  - assert (A := times_parts rs x y R). nia.
  - assert (A := times_parts [(T, 0)] x y R). simpl in A. rewrite !Nat.add_0_r in A. nia.
Qed.
