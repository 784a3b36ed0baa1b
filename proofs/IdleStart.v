(* Page: docs/theory/idle-start.md.
   What it says: a deferrable server gives more to a level of its guest in a window that begins when the guest was idle
     there, for the guest finds the budget that it has not used. Let the period of the server that holds the begin of the
     window have begun p before it. A job is complete R after its arrival if all that is asked for in some window x is
     received where budget is there throughout, where a period ends before it is used up, and where it is used up, for every p.
     Response times may rest on each other.
   Assumptions: those of Kinds.v and BusyWindow.v. 1. Only the level, what is more urgent in the guest and what is less
     urgent use the budget. 2. What the others take in windows that begin anywhere is bounded, if all is in time that was
     due by then, as [task_anywhere] shows of tasks. *)
Require Import Arith Lia Bool.
From Vorrang Require Import Schedule Loads Residual FixedPriorityServer Kinds.

(* What the jobs of a task take in a window from t on, if those that were due by t, R after their arrival, are complete then. *)
Section Anywhere.
  Variables cost period jitter R : nat.
  Variable j : jobs.
  Variable b : behaviour.
  Hypothesis P : 0 < period.
  Hypothesis rule : stream cost period jitter j b.

  (* What is not complete at t of the jobs up to one that has to be at [t + y], if those before it are in time. *)
  Lemma not_complete i t y : (forall m, arrival j m + R <= t -> first j (S m) <= count (runs b) (arrival j m + R)) -> arrival j i + R <= t + y ->
    0 < y -> first j (S i) <= count (runs b) t + ceil y period * cost.
  Proof.
    intros In A Y. assert (Co := ceil_covers y period P). set (n := ceil y period) in *.
    assert (F := fun a k => first_most _ _ _ _ _ P rule a k).
    destruct (Nat.lt_ge_cases i n) as [G|G].
    { assert (H := F 0 (S i)). rewrite Nat.add_0_l in H. change (first j 0) with 0 in H.
      assert (H' := Nat.mul_le_mono_r (S i) n cost ltac:(lia)). lia. }
    assert (N : 0 < n) by (destruct n; [simpl in Co; lia|lia]).
    assert (Ap := arrivals_apart _ _ _ _ _ P rule (i - n) n). replace (i - n + n) with i in Ap by lia.
    assert (H := In (i - n) ltac:(lia)). assert (M := count_mono (runs b) (arrival j (i - n) + R) t ltac:(lia)).
    assert (H' := F (S (i - n)) n). replace (S (i - n) + n) with (S i) in H' by lia. lia.
  Qed.

  (* The jobs before one are complete before it is due, and take no more than that time. *)
  Lemma own_earlier i t : (forall m, arrival j m + R < arrival j i + R -> first j (S m) <= count (runs b) (arrival j m + R)) ->
    first j (S i) <= count (runs b) t + (cost + (arrival j i + R - period - t)).
  Proof.
    intros In. assert (F := first_most _ _ _ _ _ P rule i 1). rewrite Nat.add_1_r in F.
    destruct i as [|m]; [change (first j 0) with 0 in F; lia|].
    assert (Ap := arrivals_apart _ _ _ _ _ P rule m 1). rewrite Nat.add_1_r in Ap. set (e := arrival j m + R) in *.
    assert (In' := In m ltac:(lia)). fold e in In'. assert (M := count_most (runs b) t (e - t)).
    assert (M' := count_mono (runs b) e (t + (e - t)) ltac:(lia)). lia.
  Qed.

  Theorem task_anywhere t x : (forall i, arrival j i + R <= t -> first j (S i) <= count (runs b) (arrival j i + R)) ->
    count (runs b) (t + x) <= count (runs b) t + ceil (x + R) period * cost.
  Proof.
    intros In. destruct (Nat.eq_dec (x + R) 0) as [Z|Z]; [replace x with 0 by lia; rewrite Nat.add_0_r; lia|].
    assert (A := nothing_ahead _ _ _ _ _ P rule (t + x)). destruct (released j (t + x)) as [|i] eqn:E.
    { change (first j 0) with 0 in A. lia. }
    assert (I : release j i < t + x) by (apply (in_order _ _ _ _ _ rule); lia).
    assert (T := in_time _ _ _ _ _ rule i).
    assert (H := not_complete i t (x + R) In ltac:(lia) ltac:(lia)). lia.
  Qed.
End Anywhere.

(* Response times that rest on each other: each job is in time if all is that is due before it. *)
Section Together.
  Variable task : Type.
  Variable due : task -> nat -> nat.
  Variable complete : task -> nat -> Prop.
  Definition so_far (t : nat) : Prop := forall n i, due n i <= t -> complete n i.
  Hypothesis each : forall n i, (forall t, t < due n i -> so_far t) -> complete n i.

  Theorem all_in_time n i : complete n i.
  Proof.
    assert (H : forall t, so_far t); [|exact (H (due n i) n i (le_n _))].
    induction t as [t IH] using lt_wf_ind. intros m k D. apply each. intros u U. apply IH. lia.
  Qed.
End Together.

Section Kept.
  Variables Q T phase : nat.
  Variable budget : nat -> nat.
  Variable wanted : nat -> bool.
  Variable b : behaviour.
  Hypothesis Q_pos : 0 < Q.
  Hypothesis Q_le : Q <= T.
  Hypothesis R : rule Q T phase Deferrable budget wanted b.
  Variable lev : nat -> nat -> Prop.
  Hypothesis level_gives : gives lev.
  Hypothesis level_serves : forall r x, lev r x -> receives (runs b) (fun u => ready b u && wanted u) r x.
  (* A whole budget is received within Z. *)
  Variable Z : nat.
  Hypothesis Z_le : Z <= T.
  Hypothesis whole : lev Q Z.
  Let again := again T phase.
  Let own_ready u := ready b u && wanted u.

  Let in_period : lev Q T := later _ level_gives _ _ _ whole Z_le.

  Lemma is_full : budget 0 = Q.
  Proof. exact (at_first _ _ _ _ _ _ _ R). Qed.
  Lemma goes_on t : budget (S t) = if again (S t) then Q else budget t - (if runs b t then 1 else 0).
  Proof. exact (at_next _ _ _ _ _ _ _ R t). Qed.
  Lemma periodic t k : again t = true -> again (t + k * T) = true /\ forall e, 0 < e < T -> again (t + k * T + e) = false.
  Proof. eapply again_again; eassumption. Qed.
  Lemma consumed t : wanted t = true -> wanted (S t) = true -> again (S t) = false ->
    budget t <= budget (S t) + (if runs b t then 1 else 0).
  Proof. intros _ _ E. rewrite goes_on, E. destruct (runs b t); lia. Qed.
  Lemma replenished t : again t = true -> wanted t = true -> Q <= budget t.
  Proof. intros E _. destruct t as [|t]; [rewrite is_full; lia|]. rewrite goes_on, E. lia. Qed.
  Lemma with_budget t : wanted t = true -> 0 < budget t -> own_ready t = true.
  Proof.
    intros V B. unfold own_ready. rewrite (when_ready _ _ _ _ _ _ _ R), V. apply Nat.ltb_lt in B. rewrite B. reflexivity.
  Qed.

  (* What of a budget is not used since the begin of its period is left. *)
  Lemma what_is_left t : forall d, 1 <= d <= T -> again (t + d) = true -> (forall e, 0 < e < d -> again (t + e) = false) ->
    budget t + count (runs b) t = Q + count (runs b) (t - (T - d)).
  Proof.
    induction t as [|t IH]; intros d D A N; [rewrite is_full; simpl; lia|].
    rewrite goes_on. destruct (again (S t)) eqn:E.
    - assert (D' : d = T).
      { destruct (Nat.eq_dec d T) as [|H]; [assumption|]. exfalso. destruct (periodic (S t) 0 E) as [_ F].
        specialize (F d ltac:(lia)). simpl Nat.mul in F. rewrite Nat.add_0_r in F. congruence. }
      subst d. rewrite Nat.sub_diag, Nat.sub_0_r. lia.
    - assert (D' : d < T).
      { destruct (Nat.eq_dec d T) as [->|]; [|lia]. eapply again_before in A; try eassumption. fold again in A. congruence. }
      assert (H := IH (S d) ltac:(lia)). rewrite Nat.add_succ_r in H. specialize (H A).
      assert (H' : forall e, 0 < e < S d -> again (t + e) = false).
      { intros e E'. destruct e as [|e]; [lia|]. destruct e as [|e]; [rewrite Nat.add_1_r; exact E|].
        rewrite Nat.add_succ_r. apply (N (S e)). lia. }
      specialize (H H'). replace (S t - (T - d)) with (t - (T - S d)) by lia. rewrite count_S.
      assert (U := runs_on_budget _ _ _ _ _ _ _ R t). destruct (runs b t); [specialize (U eq_refl)|]; lia.
  Qed.

  (* What the guest is given of a window [a, a + x) throughout which it wants it. The next replenishment comes at [a + d],
     and c is used since the period began. *)
  Section Window.
    Variables a d c w x : nat.
    Hypothesis D : 1 <= d <= T.
    Hypothesis A : again (a + d) = true.
    Hypothesis N : forall e, 0 < e < d -> again (a + e) = false.
    Hypothesis left_over : budget a + c = Q.
    Hypothesis W : throughout wanted a x.

    (* Where budget is there throughout, where its period ends first, and where it is used up. *)
    Hypothesis there : w <= Q -> lev w x.
    Hypothesis ends : Q < w -> exists y, fresh lev Q T w y /\ Z - Q + y <= x.
    Hypothesis used : Q < c + w -> exists y, fresh lev Q T (c + w) y /\ y <= T - d + x.

    (* Two budgets are not used up by so little, unless the first one is. *)
    Lemma never_out : w <= Q -> w <= budget a \/ throughout own_ready a (min d x) ->
      count (runs b) a + w <= count (runs b) (a + x).
    Proof.
      intros WQ H. assert (L := there WQ). assert (Short : exists y, y <= x /\ y <= T /\ lev w y).
      { destruct (Nat.le_gt_cases x T) as [G|G]; [exists x; auto|].
        exists T. repeat split; [lia|lia|]. exact (fewer _ level_gives _ _ _ in_period WQ). }
      destruct Short as [y [Yx [YT Ly]]]. assert (M := count_mono (runs b) (a + y) (a + x) ltac:(lia)).
      destruct (throughout_or_not own_ready a y) as [Y|[u [U E]]]; [assert (G := level_serves _ _ Ly a Y); lia|].
      (* At u nothing is left. *)
      destruct (Nat.lt_ge_cases u (a + d)) as [V|V].
      - destruct H as [H|H]; [|rewrite H in E by lia; discriminate].
        destruct (used_or_ready Q Q_pos budget (runs b) own_ready wanted again consumed with_budget a (u - a + 1)) as [[e [E1 E2]]|E1].
        + intros v V'; apply W; lia.
        + intros e E'. apply N. lia.
        + assert (Me := count_mono (runs b) (a + e) (a + x) ltac:(lia)). assert (Me' := count_mono (runs b) a (a + e) ltac:(lia)). lia.
        + rewrite E1 in E by lia. discriminate.
      - destruct (periodic (a + d) 0 A) as [_ N']. simpl Nat.mul in N'. rewrite Nat.add_0_r in N'.
        assert (F := replenished _ A (W (a + d) ltac:(lia))).
        destruct (used_or_ready Q Q_pos budget (runs b) own_ready wanted again consumed with_budget (a + d) (u - (a + d) + 1)) as [[e [E1 E2]]|E1].
        + intros v V'; apply W; lia.
        + intros e E'. apply N'. lia.
        + assert (Me := count_mono (runs b) (a + d + e) (a + x) ltac:(lia)).
          assert (Me' := count_mono (runs b) (a + d) (a + d + e) ltac:(lia)). assert (Md := count_mono (runs b) a (a + d) ltac:(lia)). lia.
        + rewrite E1 in E by lia. discriminate.
    Qed.

    Theorem from_idle : count (runs b) a + w <= count (runs b) (a + x).
    Proof.
      assert (QZ := no_faster _ level_gives _ _ whole).
      destruct (Nat.le_gt_cases w (budget a)) as [H|H]; [apply never_out; [lia|left; exact H]|].
      assert (onward : forall v y, fresh lev Q T v y -> d + y <= x -> count (runs b) (a + d) + v <= count (runs b) (a + x)).
      { intros v y F Y. assert (W' : throughout wanted (a + d) y) by (intros u U; apply W; lia).
        assert (G := from_replenishment lev level_gives Q T Q_pos in_period budget (runs b) own_ready wanted again
          level_serves periodic consumed replenished with_budget (a + d) v y A F W').
        assert (M := count_mono (runs b) (a + d + y) (a + x) ltac:(lia)). lia. }
      destruct (Nat.le_gt_cases (count (runs b) a + budget a) (count (runs b) (a + d))) as [U|U].
      - (* It is used up before its period ends. *)
        destruct (used ltac:(lia)) as [y [F Y]]. assert (TY : T <= y).
        { destruct F as [_ [F|[k [r [z [F1 [F2 [F3 _]]]]]]]]; [lia|]. destruct k; simpl in *; lia. }
        assert (F' : fresh lev Q T (c + w - Q) (y - T)).
        { apply (fresh_period lev level_gives Q T Q_pos in_period). replace (y - T + T) with y by lia. exact F. }
        assert (G := onward _ _ F' ltac:(lia)). lia.
      - (* Its period ends first. *)
        assert (Rd : throughout own_ready a (min d x)).
        { destruct (used_or_ready Q Q_pos budget (runs b) own_ready wanted again consumed with_budget a (min d x)) as [[e [E1 E2]]|E1];
            [intros v V; apply W; lia|intros e E'; apply N; lia| |exact E1].
          assert (M := count_mono (runs b) (a + e) (a + d) ltac:(lia)). assert (M' := count_mono (runs b) a (a + e) ltac:(lia)). lia. }
        destruct (Nat.le_gt_cases w Q) as [WQ|WQ]; [apply never_out; [exact WQ|right; exact Rd]|].
        destruct (ends WQ) as [y [F Y]]. assert (TY : T <= y).
        { destruct F as [_ [F|[k [r [z [F1 [F2 [F3 _]]]]]]]]; [lia|]. destruct k; simpl in *; lia. }
        replace (min d x) with d in Rd by lia. set (n := count (runs b) (a + d) - count (runs b) a) in *.
        assert (Md := count_mono (runs b) a (a + d) ltac:(lia)). assert (B : budget a <= Q) by lia.
        (* One more would have been received. *)
        assert (G : d <= Z - Q + n).
        { destruct (Nat.le_gt_cases d (Z - Q + n)) as [|G]; [assumption|]. exfalso.
          assert (V : lev (n + 1) (Z - (Q - (n + 1)))).
          { apply (less_by _ level_gives (Q - (n + 1))). replace (n + 1 + (Q - (n + 1))) with Q by lia.
            replace (Z - (Q - (n + 1)) + (Q - (n + 1))) with Z by lia. exact whole. }
          assert (V' := later _ level_gives _ _ d V ltac:(lia)). assert (H' := level_serves _ _ V' a Rd). lia. }
        assert (F' : fresh lev Q T (w - n) (y - n)).
        { apply (fresh_less_by lev level_gives Q T Q_pos in_period). replace (y - n + n) with y by lia. exact F. }
        assert (H' := onward _ _ F' ltac:(lia)). lia.
    Qed.
  End Window.

  (* A task of the guest. *)
  Section Guest.
    Variables urgent_ready urgent other : nat -> bool.
    Variables cost period jitter blocking : nat.
    Variable j : jobs.
    Variable g : behaviour.
    Hypothesis P : 0 < period.
    Hypothesis rule : stream cost period jitter j g.
    Let level_ready t := urgent_ready t || ready g t.
    Hypothesis shares : level (runs b) wanted urgent_ready urgent (ready g) (runs g) other blocking.
    Hypothesis only_they : forall t, runs b t = true -> urgent t || runs g t || other t = true.

    (* What was due is complete. What is more urgent takes in windows that begin when nothing of the level is ready, and in any;
       less urgent work in any. *)
    Variable in_time : nat -> Prop.
    Variables demand anywhere lower : nat -> nat.
    Hypothesis urgent_from_idle : forall t x, begins level_ready t -> throughout level_ready t x ->
      count urgent (t + x) <= count urgent t + demand x.
    Hypothesis urgent_anywhere : forall t x, in_time t -> count urgent (t + x) <= count urgent t + anywhere x.
    Hypothesis other_anywhere : forall t x, in_time t -> count other (t + x) <= count other t + lower x.

    (* Windows end within L; what is asked for in x by a job that may arrive A into one; and the same with what is used in the p
       before it, of which the jobs that are in time take no part. Of its own earlier jobs nothing is used after the last of them
       is due. *)
    Variables L response : nat.
    Definition asked (A x : nat) : nat := ceil (A + 1) period * cost + blocking + demand x.
    Definition own_since (A p : nat) : nat := let y := A + p + response - jitter in min (ceil y period * cost) (cost + (y - period)).
    Definition in_all (A p x : nat) : nat := min (p + asked A x)
      (own_since A p + blocking + lower p + min (anywhere (p + x)) (anywhere p + demand x)).
    Hypothesis own_in_time : forall t i, in_time t -> arrival j i + response <= t ->
      first j (S i) <= count (runs g) (arrival j i + response).
    Hypothesis window_ends : receives (runs b) wanted (S (ceil (L + jitter) period * cost + blocking + demand L)) L.
    Hypothesis points : forall A, A < L + jitter -> exists x, 0 < x /\ x + jitter <= A + response
      /\ (asked A x <= Q -> lev (asked A x) x)
      /\ (Q < asked A x -> exists y, fresh lev Q T (asked A x) y /\ Z - Q + y <= x)
      /\ forall p, p < T -> Q < in_all A p x -> exists y, fresh lev Q T (in_all A p x) y /\ y <= p + x.

    Lemma before q t p n : count q (t - p + p) <= count q (t - p) + n -> count q t <= count q (t - p) + n.
    Proof. intros H. assert (M := count_mono q t (t - p + p) ltac:(lia)). lia. Qed.

    Theorem response_from_idle i : (forall t, t < arrival j i + response -> in_time t) ->
      first j (S i) <= count (runs g) (arrival j i + response).
    Proof.
      intros Due. assert (I := Loads.in_time _ _ _ _ _ rule i).
      (* 1. The window in which the job is released. *)
      destruct (window_of level_ready (release j i)) as [s [Ls [B W]]].
      assert (Bg : begins (ready g) s).
      { destruct s; [constructor|]. simpl in *. unfold level_ready in B. apply orb_false_iff in B. tauto. }
      assert (Left := nothing_left _ _ _ _ _ P rule s Bg).
      assert (wants_it : forall x, throughout level_ready s x -> throughout wanted s x)
        by (intros x H u U; apply (wants _ _ _ _ _ _ _ _ shares), H, U).
      assert (shared : forall t x, count (runs b) (t + x) + count urgent t + count (runs g) t + count other t
        <= count (runs b) t + count urgent (t + x) + count (runs g) (t + x) + count other (t + x))
        by (intros t x; apply count_three; intros u _; apply only_they).
      assert (Short : release j i < s + L).
      { destruct (Nat.lt_ge_cases (release j i) (s + L)) as [|G]; [assumption|]. exfalso.
        assert (busy := throughout_part _ _ _ s L W ltac:(lia) ltac:(lia)). assert (Rc := window_ends s (wants_it _ busy)).
        assert (O := blocked _ _ _ _ _ _ _ _ shares s L busy). assert (D := urgent_from_idle s L B busy).
        assert (Ld := task_load _ _ _ _ _ P rule s L Bg). assert (Sh := shared s L). lia. }
      set (A := arrival j i + jitter - s) in *. destruct (points A ltac:(unfold A; lia)) as [x [X [XR [There [Ends Used]]]]].
      assert (Ex : s + x <= arrival j i + response) by (unfold A in *; lia).
      destruct (Nat.le_gt_cases (released j s) i) as [G|G].
      2: { assert (M := first_mono j (S i) (released j s) ltac:(lia)).
           assert (N := count_mono (runs g) s (arrival j i + response) ltac:(lia)). lia. }
      assert (own : first j (S i) <= count (runs g) s + ceil (A + 1) period * cost).
      { rewrite Left. assert (H := first_most _ _ _ _ _ P rule (released j s) (S i - released j s)).
        replace (released j s + (S i - released j s)) with (S i) in H by lia.
        assert (AP := arrivals_apart _ _ _ _ _ P rule (released j s) (i - released j s)).
        replace (released j s + (i - released j s)) with i in AP by lia.
        assert (NB : ~ release j (released j s) < s) by (rewrite <- (in_order _ _ _ _ _ rule); lia).
        assert (IT := Loads.in_time _ _ _ _ _ rule (released j s)).
        assert (K := ceil_above (A + 1) period (i - released j s) P ltac:(unfold A; lia)).
        assert (Few : S i - released j s <= ceil (A + 1) period) by lia. apply (Nat.mul_le_mono_r _ _ cost) in Few. lia. }
      (* 2. Were it not complete, the window would go on. *)
      destruct (Nat.le_gt_cases (first j (S i)) (count (runs g) (s + x))) as [C|C].
      { assert (M := count_mono (runs g) (s + x) (arrival j i + response) Ex). lia. }
      exfalso.
      assert (busy : throughout level_ready s x).
      { intros u U. destruct (Nat.lt_ge_cases u (release j i)); [apply W; lia|].
        unfold level_ready. apply orb_true_iff. right. rewrite (is_ready _ _ _ _ _ rule).
        apply Nat.ltb_lt. assert (M := count_mono (runs g) u (s + x) ltac:(lia)).
        assert (RL : i < released j (S u)) by (apply (in_order _ _ _ _ _ rule); lia).
        assert (FM := first_mono j (S i) (released j (S u)) ltac:(lia)). lia. }
      assert (O := blocked _ _ _ _ _ _ _ _ shares s x busy). assert (D := urgent_from_idle s x B busy).
      (* 3. What it would have asked for, and what was used of the period before. *)
      destruct (next_again Q T phase Deferrable budget wanted b Q_pos Q_le R s) as [d [Dd [Ad Nd]]].
      set (p := T - d). set (k := s - p). assert (Kept := what_is_left s d Dd Ad Nd). fold p k in Kept.
      assert (pT : p < T) by (clear - Dd; unfold p; lia). assert (ks : k <= s) by (clear; unfold k; lia).
      assert (skp : s <= k + p) by (clear; unfold k; lia). assert (sx : s <= s + x) by (clear; lia).
      destruct (difference _ _ (count_mono (runs b) k s ks)) as [c Ec].
      destruct (difference _ _ (count_mono urgent s (s + x) sx)) as [v Ev].
      destruct (difference _ _ (count_mono other s (s + x) sx)) as [o Eo].
      destruct (difference (count (runs g) s) (first j (S i))) as [n En];
        [assert (M := count_mono (runs g) s (s + x) sx); clear - M C; lia|].
      set (w := n + v + o). assert (Ask : w <= asked A x) by (clear - own O D Ev Eo En; unfold w, asked; lia).
      assert (cp : c <= p).
      { assert (H := count_most (runs b) k p). assert (M := count_mono (runs b) s (k + p) skp). clear - H M Ec. lia. }
      assert (Dk : in_time k) by (apply Due; clear - ks X Ex; lia).
      assert (All : c + w <= in_all A p x).
      { unfold in_all. apply Nat.min_glb; [clear - cp Ask; lia|].
        assert (Sh := shared k (s - k)). replace (k + (s - k)) with s in Sh by (clear - ks; lia).
        assert (As : s + A = arrival j i + jitter) by (clear - Ls I; unfold A; lia).
        assert (Own : first j (S i) <= count (runs g) k + own_since A p).
        { unfold own_since. cbv zeta. rewrite <- Nat.add_min_distr_l. apply Nat.min_glb.
          { apply (not_complete _ _ _ response _ _ P rule i k); [exact (fun m => own_in_time k m Dk)| |]; clear - As skp X XR; lia. }
          etransitivity; [exact (own_earlier _ _ _ response _ _ P rule i k (fun m H => own_in_time _ m (Due _ H) (le_n _)))|].
          clear - As skp. lia. }
        assert (Lo := before other s p _ (other_anywhere k p Dk)). fold k in Lo.
        assert (U1 := before urgent s p _ (urgent_anywhere k p Dk)). fold k in U1.
        assert (U2 : count urgent (s + x) <= count urgent k + anywhere (p + x)).
        { assert (H := urgent_anywhere k (p + x) Dk). assert (M := count_mono urgent (s + x) (k + (p + x)) ltac:(clear - skp; lia)).
          clear - H M. lia. }
        destruct (difference _ _ (count_mono urgent k s ks)) as [e Ee].
        assert (Um : v + e <= min (anywhere (p + x)) (anywhere p + demand x)).
        { apply Nat.min_glb; [clear - U2 Ev Ee; lia|clear - U1 D Ev Ee; lia]. }
        clear - Sh Own Lo Um Ec Ev Eo En Ee O. unfold w. lia. }
      assert (Got : count (runs b) s + w <= count (runs b) (s + x)).
      { apply (from_idle s d c w x); try assumption.
        - clear - Kept Ec. lia.
        - apply wants_it, busy.
        - intros H. destruct (Nat.le_gt_cases (asked A x) Q) as [E|E]; [exact (fewer _ level_gives _ _ _ (There E) Ask)|].
          destruct (Ends E) as [y [F Y]]. assert (QZ := no_faster _ level_gives _ _ whole).
          assert (TY : T <= y).
          { clear - E F Q_pos. destruct F as [_ [F|[m [r [z [F1 [F2 [F3 _]]]]]]]]; [lia|]. destruct m; simpl in *; lia. }
          apply (later _ level_gives _ T); [exact (fewer _ level_gives _ _ _ in_period H)|clear - TY Y QZ; lia].
        - intros H. destruct (Ends ltac:(clear - H Ask; lia)) as [y [F Y]]. exists y. split; [|exact Y].
          exact (fresh_fewer lev Q T Q_pos _ _ _ F Ask).
        - intros H. destruct (Used p pT ltac:(clear - H All; lia)) as [y [F Y]]. exists y.
          split; [exact (fresh_fewer lev Q T Q_pos _ _ _ F All)|exact Y]. }
      assert (Sh := shared s x). clear - Got Sh Ev Eo En O C. unfold w in Got. lia.
    Qed.
  End Guest.
End Kept.
