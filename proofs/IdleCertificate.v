(* Page: docs/theory/idle-start.md, of certificates.
   What it says: if [idle_guest] accepts the tasks of a guest, the jobs of each are complete in time.
   Assumptions: [history] and [task_history] of Certificate.v. *)
Require Import Arith Lia Bool NArith List.
From Coq Require Import ZifyN ZifyNat.
From Vorrang Require Import Schedule Loads Residual FixedPriorityServer Kinds Deadlines Certificate Needs Supplied.
From Vorrang Require Import IdleStart WorkInServers IdleGuest.
Import ListNotations.

Lemma level_of supplied s wanted ur u r o other k : (forall v, supplied v = s v) ->
  level supplied wanted ur u r o other k -> level s wanted ur u r o other k.
Proof. intros E [A B C]. split; [exact A| |exact C]. intros t. rewrite <- E. apply B. Qed.

Section Of_guest.
  Variables q t blocking whole : N.
  Variable us : list member.
  Variable parent : supply.
  Hypothesis D : delivers parent = true.
  Hypothesis Us : forallb beside_server us = true.
  Hypothesis Q : (0 < q)%N.
  Hypothesis QT : (q <= t)%N.
  Let Qn := N.to_nat q.
  Let Tn := N.to_nat t.
  Let Zn := N.to_nat whole.
  Let lev := at_level (gives_of parent) (N.to_nat blocking) us.
  Hypothesis whole_is : lev Qn Zn.
  Hypothesis in_time : Zn <= Tn.

  Let gives_it : gives lev.
  Proof. apply level_gives; [exact (all_sound _ us beside_server_sound Us)|exact (proj1 (enough_gives _ D))]. Qed.
  Let in_period : lev Qn Tn := later _ gives_it _ _ _ whole_is in_time.

  Lemma in_level_is r x below : in_level blocking us parent r x below = true -> lev (N.to_nat r) (N.to_nat x).
  Proof.
    destruct below as [|z rest]; [discriminate|]. cbn [in_level]. rewrite andb_true_iff, N.leb_le. intros [X E].
    apply (proj2 (enough_gives _ D)) in E. assert (F := no_faster _ (proj1 (enough_gives _ D)) _ _ E).
    split; [lia|right]. exists (N.to_nat z). split; [lia|]. unfold demand. rewrite N2Nat.id.
    replace (N.to_nat r + N.to_nat blocking + N.to_nat (needs us z)) with (N.to_nat (r + blocking + needs us z)) by lia. exact E.
  Qed.

  Lemma afresh_is w y below : (0 < w)%N -> afresh q t blocking us parent w y below = true -> fresh lev Qn Tn (N.to_nat w) (N.to_nat y).
  Proof.
    intros W. unfold afresh. destruct below as [|z rest] eqn:Be; [discriminate|]. cbv zeta. rewrite <- Be. clear Be. repeat rewrite andb_true_iff.
    rewrite !N.leb_le. intros [[ZT Y] L]. apply in_level_is in L. destruct (budgets w q Q ltac:(lia)) as [B1 B2].
    set (n := ((w - 1) / q)%N) in *. assert (F := no_faster _ gives_it _ _ L).
    assert (NT := N.mul_le_mono_l q t n QT). unfold Qn, Tn. split; [lia|right].
    exists (N.to_nat n), (N.to_nat (w - n * q)), (N.to_nat z). rewrite <- !N2Nat.inj_mul.
    split; [lia|]. split; [lia|]. split; [lia|]. split; [exact L|lia].
  Qed.

  (* The work of members, in both terms. *)
  Lemma at_idle_is ns ms x : Forall2 resides ns ms -> N.to_nat (needs (map at_idle ns) x) = from_idle_work ms (N.to_nat x).
  Proof.
    induction 1 as [|n m ns ms [_ [C [P [J _]]]] F IH]; [reflexivity|]. cbn [map needs need at_idle from_idle_work cost_of period_of jitter_of].
    rewrite N2Nat.inj_add, N2Nat.inj_mul, rounded, IH, C, P, J, N2Nat.inj_add. reflexivity.
  Qed.
  Lemma anywhere_is ns ms x : Forall2 resides ns ms -> N.to_nat (needs (map anywhere_of ns) x) = anywhere_work ms (N.to_nat x).
  Proof.
    unfold anywhere_work. induction 1 as [|n m ns ms [_ [C [P [_ [U _]]]]] F IH]; [reflexivity|].
    cbn [map needs need anywhere_of work cost_of period_of jitter_of].
    rewrite N2Nat.inj_add, N2Nat.inj_mul, rounded, IH, C, P, U, N2Nat.inj_add. reflexivity.
  Qed.

  (* More time, no less work. *)
  Lemma needs_grow (ns : list guest_task) (each : guest_task -> member) x y :
    (forall n, In n ns -> valid (each n) = true) -> (x <= y)%N -> (needs (map each ns) x <= needs (map each ns) y)%N.
  Proof.
    intros V L. assert (H : forallb valid (map each ns) = true).
    { apply forallb_forall. intros o I. apply in_map_iff in I. destruct I as [n [<- I]]. exact (V n I). }
    assert (G := demand_mono _ (N.to_nat x) (N.to_nat y) H ltac:(lia)). unfold demand in G. rewrite !N2Nat.id in G. lia.
  Qed.

  Section Of_task.
    Variable n : guest_task.
    Variable m : resident.
    Variables first last : list guest_task.
    Variables first_of last_of : list resident.
    Hypothesis own : resides n m.
    Hypothesis firsts : Forall2 resides first first_of.
    Hypothesis lasts : Forall2 resides last last_of.
    Hypothesis P : (0 < each_after n)%N.
    Hypothesis Pf : forall o, In o first -> (0 < each_after o)%N.
    Hypothesis Pl : forall o, In o last -> (0 < each_after o)%N.
    Let demand_of := from_idle_work first_of.
    Let anywhere := anywhere_work first_of.
    Let lower := anywhere_work last_of.
    Let C := N.to_nat (takes_most n).
    Let T' := N.to_nat (each_after n).
    Let J := N.to_nat (released_within n).
    Let Rn := N.to_nat (due_within n).
    Let asked := IdleStart.asked C T' 0 demand_of.
    Let in_all := IdleStart.in_all C T' J 0 demand_of anywhere lower Rn.

    Lemma asks_is a x : N.to_nat (asks n first a x) = asked (N.to_nat a) (N.to_nat x).
    Proof.
      unfold asks, asked, IdleStart.asked, demand_of. rewrite N2Nat.inj_add, N2Nat.inj_mul, rounded, (at_idle_is _ _ _ firsts), N2Nat.inj_add.
      unfold C, T'. change (N.to_nat 1) with 1. lia.
    Qed.
    Lemma own_work_is a p : N.to_nat (own_work n a p) = IdleStart.own_since C T' J Rn (N.to_nat a) (N.to_nat p).
    Proof.
      unfold own_work, IdleStart.own_since. cbv zeta. rewrite N2Nat.inj_min, N2Nat.inj_mul, rounded, N2Nat.inj_add, !N2Nat.inj_sub, !N2Nat.inj_add.
      reflexivity.
    Qed.
    Lemma all_work_is a p x : N.to_nat (N.min (p + asks n first a x) (all_work n first last a p x)) = in_all (N.to_nat a) (N.to_nat p) (N.to_nat x).
    Proof.
      unfold in_all, IdleStart.in_all. rewrite N2Nat.inj_min, N2Nat.inj_add, asks_is. unfold all_work, lower, anywhere, demand_of.
      rewrite !N2Nat.inj_add, N2Nat.inj_min, !N2Nat.inj_add, !(anywhere_is _ _ _ firsts), (anywhere_is _ _ _ lasts),
        (at_idle_is _ _ _ firsts), own_work_is, !N2Nat.inj_add. unfold C, T', J, Rn, asked. f_equal. lia.
    Qed.

    Lemma asks_grow a a' x : (a <= a')%N -> (asks n first a x <= asks n first a' x)%N.
    Proof.
      intros L. unfold asks. assert (H := ceil_mono (N.to_nat (a + 1)) (N.to_nat (a' + 1)) T' ltac:(lia) ltac:(lia)).
      assert (H' : (rounded_up (a + 1) (each_after n) <= rounded_up (a' + 1) (each_after n))%N) by (unfold T' in H; rewrite <- !rounded in H; lia).
      assert (M := N.mul_le_mono_r _ _ (takes_most n) H'). lia.
    Qed.
    Lemma all_work_grow a a' p p' x : (a <= a')%N -> (p <= p')%N -> (all_work n first last a p x <= all_work n first last a' p' x)%N.
    Proof.
      intros La Lp. unfold all_work, own_work. cbv zeta.
      assert (H := ceil_mono (N.to_nat (a + p + due_within n - released_within n)) (N.to_nat (a' + p' + due_within n - released_within n)) T' ltac:(lia) ltac:(lia)).
      assert (H' : (rounded_up (a + p + due_within n - released_within n) (each_after n)
        <= rounded_up (a' + p' + due_within n - released_within n) (each_after n))%N) by (unfold T' in H; rewrite <- !rounded in H; lia).
      assert (M := N.mul_le_mono_r _ _ (takes_most n) H').
      assert (V : forall ns, (forall o, In o ns -> (0 < each_after o)%N) -> forall o, In o ns -> valid (anywhere_of o) = true).
      { intros ns Ps o I. unfold valid. simpl. apply Ps in I. apply N.ltb_lt in I. rewrite I. reflexivity. }
      assert (G1 := needs_grow last anywhere_of p p' (V _ Pl) Lp). assert (G2 := needs_grow first anywhere_of p p' (V _ Pf) Lp).
      assert (G3 := needs_grow first anywhere_of (p + x) (p' + x) (V _ Pf) ltac:(lia)). lia.
    Qed.

    (* Each instant of a period. *)
    Lemma used_up_is a x : forall ss from, used_up q t blocking us parent n first last a x from ss = true ->
      forall a' p, (a' <= a)%N -> (from <= p < t)%N -> Qn < in_all (N.to_nat a') (N.to_nat p) (N.to_nat x) ->
      exists y, fresh lev Qn Tn (in_all (N.to_nat a') (N.to_nat p) (N.to_nat x)) y /\ y <= N.to_nat p + N.to_nat x.
    Proof.
      induction ss as [|s ss IH]; intros from H a' p A I Over; cbn [used_up] in H; [apply N.leb_le in H; lia|].
      cbv zeta in H. apply andb_true_iff in H. destruct H as [H1 H2].
      destruct (N.lt_ge_cases p (before_upto s)) as [U|U]; [|exact (IH _ H2 a' p A ltac:(lia) Over)].
      set (e := (before_upto s - 1)%N) in *. assert (E : (p <= e)%N) by (unfold e; lia).
      assert (Ga := asks_grow a' a x A). assert (Gw := all_work_grow a' a p e x A E).
      rewrite <- all_work_is in Over. unfold Qn in Over.
      repeat rewrite orb_true_iff in H1. rewrite !N.leb_le in H1. destruct H1 as [[[H1|H1]|H1]|H1]; [lia|lia| |].
      - apply afresh_is in H1; [|lia]. exists (N.to_nat (p + x)). split; [|lia].
        assert (F : fresh lev Qn Tn (N.to_nat (e + asks n first a x) - N.to_nat (e - p)) (N.to_nat (p + x))).
        { apply (fresh_less_by lev gives_it); [unfold Qn; lia|exact in_period|].
          replace (N.to_nat (p + x) + N.to_nat (e - p)) with (N.to_nat (e + x)) by lia. exact H1. }
        refine (fresh_fewer lev Qn Tn _ _ _ _ F _); rewrite <- ?all_work_is; try (unfold Qn); lia.
      - apply afresh_is in H1; [|lia]. exists (N.to_nat (from + x)). split; [|lia].
        refine (fresh_fewer lev Qn Tn _ _ _ _ H1 _); rewrite <- ?all_work_is; try (unfold Qn); lia.
    Qed.

    (* Each offset. *)
    Lemma at_offsets_are : forall os from, at_offsets q t blocking us parent whole n first last from os = true ->
      forall A, N.to_nat from <= A < N.to_nat (ends_within n) + J -> exists x, 0 < x /\ x + J <= A + Rn
      /\ (asked A x <= Qn -> lev (asked A x) x)
      /\ (Qn < asked A x -> exists y, fresh lev Qn Tn (asked A x) y /\ Zn - Qn + y <= x)
      /\ forall p, p < Tn -> Qn < in_all A p x -> exists y, fresh lev Qn Tn (in_all A p x) y /\ y <= p + x.
    Proof.
      induction os as [|o os IH]; intros from H A I; cbn [at_offsets] in H; [apply N.leb_le in H; unfold J in I; lia|].
      cbv zeta in H. repeat rewrite andb_true_iff in H. destruct H as [[[[H1 H2] H3] H4] H5]. apply N.ltb_lt in H1. apply N.leb_le in H2.
      destruct (Nat.lt_ge_cases A (N.to_nat (offset_upto o))) as [U|U]; [|apply (IH _ H5 A); lia].
      set (a := (offset_upto o - 1)%N) in *. set (x := ended_by o) in *.
      assert (La : (N.of_nat A <= a)%N) by (unfold a; lia). assert (G := asks_grow (N.of_nat A) a x La).
      assert (EA : asked A (N.to_nat x) = N.to_nat (asks n first (N.of_nat A) x)) by (rewrite asks_is, Nat2N.id; reflexivity).
      exists (N.to_nat x). unfold J, Rn. split; [lia|]. split; [lia|]. rewrite EA.
      destruct (N.leb_spec (asks n first a x) q) as [W|W].
      - apply in_level_is in H3. split; [intros _; refine (fewer _ gives_it _ _ _ H3 _); lia|]. split; [intros V; unfold Qn in V; lia|].
        intros p Lp Over. assert (Up := used_up_is a x _ _ H4 (N.of_nat A) (N.of_nat p)). rewrite !Nat2N.id in Up.
        apply Up; [lia|unfold Tn in Lp; lia|exact Over].
      - apply afresh_is in H3; [|lia]. assert (QZ := no_faster _ gives_it _ _ whole_is).
        assert (TY : Tn <= N.to_nat (x + q - whole)).
        { destruct H3 as [_ [F|[k [r [z [F1 [F2 [F3 _]]]]]]]]; [lia|]. destruct k; [unfold Qn in *; simpl in *; lia|simpl in *; lia]. }
        split.
        { intros L. apply (later _ gives_it _ Tn); [exact (fewer _ gives_it _ _ _ in_period L)|unfold Qn, Zn in *; lia]. }
        split.
        { intros _. exists (N.to_nat (x + q - whole)). split; [refine (fresh_fewer lev Qn Tn _ _ _ _ H3 _); [unfold Qn|]; lia|].
          unfold Qn, Zn, Tn in *. lia. }
        intros p Lp Over. assert (Up := used_up_is a x _ _ H4 (N.of_nat A) (N.of_nat p)). rewrite !Nat2N.id in Up.
        apply Up; [lia|unfold Tn in Lp; lia|exact Over].
    Qed.
  End Of_task.
End Of_guest.

Lemma filter_resides (p : guest_task -> bool) (p' : resident -> bool) ns ms : (forall n m, resides n m -> p n = p' m) ->
  Forall2 resides ns ms -> Forall2 resides (filter p ns) (filter p' ms).
Proof.
  intros E. induction 1 as [|n m ns ms S' F IH]; [constructor|]. cbn [filter]. rewrite (E n m S'). destruct (p' m); [constructor|]; assumption.
Qed.

Lemma each_of_guest q t k us parent z : forall after before, whole_guest q t k us parent z before after = true ->
  forall nb n na, after = nb ++ n :: na -> in_guest q t k us parent z n ((before ++ nb) ++ na) = true.
Proof.
  induction after as [|a after IH]; intros before W nb n na E; [destruct nb; discriminate|].
  cbn [whole_guest] in W. apply andb_true_iff in W. destruct W as [W1 W2]. destruct nb as [|o nb]; injection E as -> E.
  - rewrite E, app_nil_r in *. exact W1.
  - specialize (IH _ W2 nb n na E). rewrite <- (app_assoc before [o] nb) in IH. exact IH.
Qed.

Lemma place_is : forall ns i n, at_place ns i = Some n -> nth_error ns (N.to_nat i) = Some n.
Proof.
  induction ns as [|o ns IH]; intros i n H; [discriminate|]. cbn [at_place] in H. destruct (N.eqb_spec i 0) as [->|I]; [exact H|].
  apply IH in H. replace (N.to_nat i) with (S (N.to_nat (i - 1))) by lia. exact H.
Qed.
Lemma same_place ns ms n m : forall i, Forall2 resides ns ms -> nth_error ns i = Some n -> nth_error ms i = Some m -> resides n m.
Proof.
  intros i F. revert i. induction F as [|n' m' ns ms S' F IH]; intros i H H'; [destruct i; discriminate|].
  destruct i as [|i]; [injection H as ->; injection H' as ->; exact S'|exact (IH i H H')].
Qed.

Theorem from_idle_in c guest which supplied wanted all m : delivers (on c) = true -> idle_guest c guest which = true ->
  history (on c) supplied wanted -> Forall2 resides guest all -> nth_error all (N.to_nat which) = Some m ->
  (forall before m after, all = before ++ m :: after -> let first := as_urgent m (before ++ after) in
    level supplied wanted (any ready_of first) (any runs_of first) (ready_of m) (runs_of m) (any runs_of (less_urgent m (before ++ after))) 0) ->
  (forall u, supplied u = true -> any runs_of all u = true) ->
  forall i, first (jobs_of (is m)) (S i) <= count (runs (acts (is m))) (arrival (jobs_of (is m)) i + N.to_nat (bound c)).
Proof.
  intros D C H F Nth Lv Only i. unfold idle_guest in C. assert (Pr := provides _ D _ _ H). assert (Eg := enough_gives _ D).
  destruct (on c) as [|k q t blocking us full parent| | |]; try discriminate. destruct k as [[]| |]; try discriminate.
  destruct full as [|z rest]; [discriminate|]. apply andb_true_iff in C. destruct C as [W C].
  assert (D' := D). cbn [delivers] in D'. repeat rewrite andb_true_iff in D'. destruct D' as [[[[[D1 D2] _] D3] D4] [D5 D6]].
  apply N.ltb_lt in D1. apply N.leb_le in D2, D5. apply (proj2 (enough_gives _ D4)) in D6.
  destruct H as [above [aw [bs [b [other [active [H [M [L [Last [[phase [budget R]] Su]]]]]]]]]]].
  set (lev := at_level (gives_of parent) (N.to_nat blocking) us).
  assert (LG : gives lev) by (apply level_gives; [exact (all_sound _ us beside_server_sound D3)|exact (proj1 (enough_gives _ D4))]).
  assert (serves : forall r x, lev r x -> receives (runs b) (fun u => ready b u && wanted u) r x).
  { intros r x [RX [->|[v [V A]]]].
    - intros u U. assert (C' := count_mono (runs b) u (u + x) ltac:(lia)). lia.
    - apply receives_more with r v; [lia|exact V|].
      apply (residual _ _ _ _ _ _ _ _ L Last (fun u => ready b u && wanted u)) with (demand := demand us).
      + intros u U. apply andb_true_iff in U. tauto.
      + intros s u e B Lt Wt As Th. apply (loads_beside_server (any ready bs) (fun v => any ready bs v || ready b v) b wanted us bs s u e); auto.
      + apply (provides parent D4 above aw H). exact A. }
  assert (Whole : lev (N.to_nat q) (N.to_nat z)).
  { assert (V := no_faster _ (proj1 (enough_gives _ D4)) _ _ D6). split; [lia|right]. exists (N.to_nat z). split; [lia|].
    unfold demand. rewrite N2Nat.id. replace (N.to_nat q + N.to_nat blocking + N.to_nat (needs us z))
      with (N.to_nat (q + blocking + needs us z)) by lia. exact D6. }
  assert (Periods : forall n, In n guest -> (0 < each_after n)%N).
  { intros n I. destruct (in_split _ _ I) as [nb [na E]]. assert (G := each_of_guest _ _ _ _ _ _ _ _ W nb n na E).
    unfold in_guest in G. cbv zeta in G. repeat rewrite andb_true_iff in G. destruct G as [[G _] _]. apply N.ltb_lt, G. }
  assert (Keep : Forall (fun m => keeps (is m)) all).
  { clear - F Periods. induction F as [|n o ns ms S' F IH]; [constructor|]. constructor; [|apply IH; intros; apply Periods; right; assumption].
    destruct S' as [_ [C [P [J [_ St]]]]]. split; [|exact St]. specialize (Periods n (or_introl eq_refl)). lia. }
  destruct (at_place guest which) as [n|] eqn:Place; [|discriminate]. apply place_is in Place.
  assert (S' := same_place _ _ _ _ _ F Place Nth). repeat rewrite andb_true_iff in C. destruct C as [[[C1 C2] C3] C4]. apply N.leb_le in C4.
  destruct S' as [_ [_ [_ [_ [Du _]]]]].
  assert (Mo := count_mono (runs (acts (is m))) (arrival (jobs_of (is m)) i + due_in (is m)) (arrival (jobs_of (is m)) i + N.to_nat (bound c)) ltac:(lia)).
  etransitivity; [|exact Mo].
  apply (guest_from_idle (N.to_nat q) (N.to_nat t) phase budget wanted b ltac:(lia) ltac:(lia) R lev LG serves (N.to_nat z) ltac:(lia) Whole all Keep).
  - intros before o after E. apply (level_of supplied); [exact Su|]. exact (Lv before o after E).
  - intros u U. apply Only. rewrite Su. exact U.
  - intros before o after E. rewrite E in F. apply Forall2_app_inv_r in F. destruct F as [nb [rest' [Fb [Fr Eq]]]].
    inversion Fr as [|n' o' na after' S'' Fa]; subst o' after'. subst rest'.
    assert (G := each_of_guest _ _ _ _ _ _ _ _ W nb n' na Eq). cbn [app] in G. unfold in_guest in G. cbv zeta in G.
    repeat rewrite andb_true_iff in G. destruct G as [[G1 G2] G3]. apply N.ltb_lt in G1.
    assert (Fo : Forall2 resides (nb ++ na) (before ++ after)) by (apply Forall2_app; assumption).
    assert (Ff : Forall2 resides (filter (fun o => (guest_urgency n' <=? guest_urgency o)%N) (nb ++ na)) (as_urgent o (before ++ after))).
    { apply filter_resides; [|exact Fo]. intros x y Sx. destruct Sx as [-> _], S'' as [-> _].
      destruct (N.leb_spec (guest_urgency n') (guest_urgency x)), (Nat.leb_spec (N.to_nat (guest_urgency n')) (N.to_nat (guest_urgency x))); lia. }
    assert (Fl : Forall2 resides (filter (fun o => (guest_urgency o <? guest_urgency n')%N) (nb ++ na)) (less_urgent o (before ++ after))).
    { apply filter_resides; [|exact Fo]. intros x y Sx. destruct Sx as [-> _], S'' as [-> _].
      destruct (N.ltb_spec (guest_urgency x) (guest_urgency n')), (Nat.ltb_spec (N.to_nat (guest_urgency x)) (N.to_nat (guest_urgency n'))); lia. }
    assert (In' : forall p x, In x (filter p (nb ++ na)) -> (0 < each_after x)%N).
    { intros p x I. apply filter_In in I. destruct I as [I _]. apply Periods. rewrite Eq. apply in_or_app. apply in_app_or in I. simpl. tauto. }
    assert (Own := S''). destruct S'' as [_ [Oc [Op [Oj [Od _]]]]].
    unfold shown. cbv zeta. rewrite Oc, Op, Oj, Od. exists (N.to_nat (ends_within n')). split.
    + intros s U. rewrite <- !(count_ext supplied (runs b)) by exact Su.
      apply Pr; [|exact U]. refine (fewer _ (proj1 Eg) _ _ _ (proj2 Eg _ _ (ends_below n') G2) _).
      rewrite !N2Nat.inj_add, N2Nat.inj_mul, rounded, N2Nat.inj_add, (at_idle_is _ _ _ Ff). lia.
    + intros A HA. apply (at_offsets_are q t blocking z us parent D4 D3 D1 D2 Whole ltac:(lia) n' _ _ _ _ Ff Fl G1) with (3 := G3);
        [intros x I; exact (In' _ x I)|intros x I; exact (In' _ x I)|lia].
  - exact (nth_error_In _ _ Nth).
Qed.
