(* Page: docs/theory/idle-start.md, of all tasks of a guest together.
   What it says: if windows show of each task of a guest that its jobs are complete in time, supposed that all is that was due
     before, then all jobs of all tasks are.
   Assumptions: those of IdleStart.v, and: 1. Only the tasks of the guest use its budget, by priority, without sections. 2. Tasks
     of equal priority are in any order. *)
Require Import Arith Lia Bool List.
From Vorrang Require Import Schedule Loads Residual FixedPriorityServer Kinds Deadlines IdleStart WorkInServers.
Import ListNotations.

(* A task of the guest, with how urgent it is. *)
Record resident := Resident { rank : nat; is : inside }.
Definition ready_of (m : resident) : nat -> bool := ready (acts (is m)).
Definition runs_of (m : resident) : nat -> bool := runs (acts (is m)).
Definition as_urgent (m : resident) (others : list resident) := filter (fun o => rank m <=? rank o) others.
Definition less_urgent (m : resident) (others : list resident) := filter (fun o => rank o <? rank m) others.

(* What they take in a window that begins when none of them is ready, and in one that begins anywhere. *)
Fixpoint from_idle_work (ms : list resident) (x : nat) : nat :=
  match ms with [] => 0 | m :: rest => ceil (x + jitter (is m)) (period (is m)) * cost (is m) + from_idle_work rest x end.
Definition anywhere_work (ms : list resident) : nat -> nat := work (map is ms).

Lemma any_split m ms u : any runs_of (as_urgent m ms) u || any runs_of (less_urgent m ms) u = any runs_of ms u.
Proof.
  induction ms as [|o ms IH]; [reflexivity|]. unfold as_urgent, less_urgent, any in *. cbn [filter existsb].
  destruct (Nat.leb_spec (rank m) (rank o)), (Nat.ltb_spec (rank o) (rank m)); try lia; cbn [existsb]; rewrite <- IH;
    destruct (runs_of o u); simpl; rewrite ?orb_true_r; reflexivity.
Qed.
Lemma used_runs ms t : any used (map is ms) t = any runs_of ms t.
Proof. induction ms as [|m ms IH]; [reflexivity|]. unfold any in *. cbn [map existsb]. rewrite IH. reflexivity. Qed.

Lemma from_idle_takes ms t x : Forall (fun m => keeps (is m)) ms -> begins (any ready_of ms) t ->
  count (any runs_of ms) (t + x) <= count (any runs_of ms) t + from_idle_work ms x.
Proof.
  intros K B. induction K as [|m ms [P S'] K IH]; [rewrite (count_none (any runs_of []) t x) by reflexivity; simpl; lia|].
  assert (B1 : begins (ready_of m) t) by (destruct t; [constructor|]; simpl in *; apply orb_false_iff in B; tauto).
  assert (B2 : begins (any ready_of ms) t) by (destruct t; [constructor|]; simpl in *; apply orb_false_iff in B; tauto).
  specialize (IH B2). assert (A := task_load _ _ _ _ _ P S' t x B1). assert (C := count_or (runs_of m) (any runs_of ms) t x).
  change (any runs_of (m :: ms)) with (fun u => runs_of m u || any runs_of ms u). cbn [from_idle_work]. unfold runs_of in *. lia.
Qed.

Lemma anywhere_takes ms t x : Forall (fun m => keeps (is m)) ms -> Forall (fun m => on_time t (is m)) ms ->
  count (any runs_of ms) (t + x) <= count (any runs_of ms) t + anywhere_work ms x.
Proof.
  intros K O. rewrite <- !(count_ext (any used (map is ms)) (any runs_of ms)) by (intros; apply used_runs).
  apply guest_takes; apply Forall_map; assumption.
Qed.

Section Guest.
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
  Variable Z : nat.
  Hypothesis Z_le : Z <= T.
  Hypothesis whole : lev Q Z.

  (* Its tasks, by priority. *)
  Variable all : list resident.
  Hypothesis keep : Forall (fun m => keeps (is m)) all.
  Hypothesis shares : forall before m after, all = before ++ m :: after -> let others := before ++ after in
    level (runs b) wanted (any ready_of (as_urgent m others)) (any runs_of (as_urgent m others)) (ready_of m) (runs_of m)
      (any runs_of (less_urgent m others)) 0.
  Hypothesis only_they : forall u, runs b u = true -> any runs_of all u = true.

  (* The windows of one. *)
  Definition shown (m : resident) (others : list resident) : Prop :=
    let own := is m in let demand := from_idle_work (as_urgent m others) in let anywhere := anywhere_work (as_urgent m others) in
    let asked := asked (cost own) (period own) 0 demand in
    let in_all := in_all (cost own) (period own) (jitter own) 0 demand anywhere (anywhere_work (less_urgent m others)) (due_in own) in
    exists L, receives (runs b) wanted (S (ceil (L + jitter own) (period own) * cost own + 0 + demand L)) L
    /\ forall A, A < L + jitter own -> exists x, 0 < x /\ x + jitter own <= A + due_in own
      /\ (asked A x <= Q -> lev (asked A x) x)
      /\ (Q < asked A x -> exists y, fresh lev Q T (asked A x) y /\ Z - Q + y <= x)
      /\ forall p, p < T -> Q < in_all A p x -> exists y, fresh lev Q T (in_all A p x) y /\ y <= p + x.
  Hypothesis each : forall before m after, all = before ++ m :: after -> shown m (before ++ after).

  Theorem guest_from_idle m i : In m all ->
    first (jobs_of (is m)) (S i) <= count (runs_of m) (arrival (jobs_of (is m)) i + due_in (is m)).
  Proof.
    set (due := fun (m : resident) i => arrival (jobs_of (is m)) i + due_in (is m)).
    set (complete := fun m i => In m all -> first (jobs_of (is m)) (S i) <= count (runs_of m) (due m i)).
    apply (all_in_time resident due complete). clear m i. intros m i In' I.
    destruct (in_split _ _ I) as [before [after E]]. destruct (each _ _ _ E) as [L [W Points]].
    assert (Sub : forall p, Forall (fun m => keeps (is m)) (filter p (before ++ after))
      /\ forall t, so_far resident due complete t -> Forall (fun m => on_time t (is m)) (filter p (before ++ after))).
    { assert (I' : forall p o, In o (filter p (before ++ after)) -> In o all).
      { intros p o O. apply filter_In in O. rewrite E. apply in_or_app. destruct O as [O _]. apply in_app_or in O. simpl. tauto. }
      intros p. split; [|intros t F]; apply Forall_forall; intros o O; apply I' in O.
      - exact (proj1 (Forall_forall _ _) keep o O).
      - intros k D. exact (F o k D O). }
    destruct (proj1 (Forall_forall _ _) keep m I) as [P St].
    apply (response_from_idle Q T phase budget wanted b Q_pos Q_le R lev level_gives level_serves Z Z_le whole
      (any ready_of (as_urgent m (before ++ after))) (any runs_of (as_urgent m (before ++ after))) (any runs_of (less_urgent m (before ++ after)))
      _ _ _ 0 (jobs_of (is m)) (acts (is m)) P St (shares _ _ _ E)) with (demand := from_idle_work (as_urgent m (before ++ after)))
      (anywhere := anywhere_work (as_urgent m (before ++ after))) (lower := anywhere_work (less_urgent m (before ++ after)))
      (in_time := so_far resident due complete) (L := L); [| | | | |exact W|exact Points|exact In'].
    - intros t H. apply only_they in H. assert (S' := any_split m (before ++ after) t). unfold any in *. rewrite E, existsb_app in H.
      rewrite existsb_app in S'. cbn [existsb] in H. unfold runs_of in H at 2.
      destruct (existsb _ (as_urgent _ _)), (existsb _ (less_urgent _ _)), (runs (acts (is m)) t), (existsb _ before), (existsb _ after);
        simpl in *; auto.
    - intros t x B _. apply from_idle_takes; [apply Sub|]. destruct t; [constructor|]. simpl in *. apply orb_false_iff in B. tauto.
    - intros t x F. apply anywhere_takes; [apply Sub|apply Sub; exact F].
    - intros t x F. apply anywhere_takes; [apply Sub|apply Sub; exact F].
    - intros t k F D. exact (F m k D I).
  Qed.
End Guest.
