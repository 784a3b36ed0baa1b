// SPDX-License-Identifier: GPL-2.0
/*
 * What a processor does with the timers that it holds.
 *
 *   a thread goes to sleep ──▶ ts_hold: into the queue of its level
 *   another thread runs    ──▶ ts_set_running ─┐
 *   a priority changes     ──▶ ts_change_level ┴▶ ts_program: when must the proxy fire?
 *   the proxy fires        ──▶ ts_fire: what is due is given back to the kernel,
 *                              whose interrupt goes on with it: it is due there, too
 *
 * The proxy of a clock is the only timer that the kernel sees of all that are held on it. It is given what is due
 * in the kernel's own queue, so that the kernel runs the callbacks, by its own rules.
 *
 * What is due is given back from the most urgent level on, and only what is as urgent as the first: its owner
 * will run now, and the others come when something less urgent does. Should it not come to run after all, the
 * others are looked at again after TS_SETTLE.
 *
 * An interrupt ends. After ts_batch timers what is no more urgent rests for TS_GAP, which counts from the end of their
 * callbacks: the proxy is queued once more behind them, and reads the clock when they are over.
 *
 *   proxy ── gives back 16 ──▶ [ 16 callbacks ][ proxy ]── TS_GAP ──▶ the next 16
 *                                        expires more urgent: at once ──▶
 *
 * Where something more urgent expires soon, only as many are given back as end before. And what expires while callbacks
 * run is looked at in the same interrupt, but not for ever: after TS_ROUNDS the kernel would take the interrupt
 * for a hang, and put off all timers of the processor. Then the next event is after the end of the interrupt.
 *
 * Assumptions. 1. Everything here runs on the processor that it is about, with interrupts off and its
 * lock taken, except where it says otherwise. 2. Locks are taken in this order: of a run queue, of a processor
 * here, of the kernel's timers.
 *
 * Cost. That of the queue for each clock with timers, and of a timer of the kernel where the next event
 * has changed. An interrupt gives back ts_batch timers of a clock at most, and as many again if those are more
 * urgent; so n timers of one level are given back by n / ts_batch interrupts, rounded up, with TS_GAP between.
 */
#include <linux/sched.h>
#include "shield.h"

/* What the kernel runs by itself after the interrupt's look at its queues: from one clock's base. */
void ts_give_back(struct ts_clock *clock, int level, struct hrtimer *timer)
{
	struct hrtimer_clock_base *base = clock->proxy.base;

	ts_queue_remove(&clock->queue, level, timer);
	raw_spin_lock(&base->cpu_base->lock);
	base->cpu_base->active_bases |= 1U << base->index;
	WRITE_ONCE(timer->base, base);
	if (ts_head_add(&base->active, &timer->node))
		ts_base_has_first(base, timer);
	raw_spin_unlock(&base->cpu_base->lock);
}

/* On this clock, the end of its rest; KTIME_MIN: it does not rest. */
static ktime_t rest_of(struct ts_clock *clock)
{
	ktime_t left;

	if (!clock->rests_until)
		return KTIME_MIN;
	/* Of CLOCK_MONOTONIC, for others are set. */
	left = ktime_sub(clock->rests_until, ktime_get());
	if (left > 0)
		return ktime_add(hrtimer_cb_get_time(&clock->proxy), left);
	clock->rests_until = 0;
	return KTIME_MIN;
}

/* What is as urgent as this, or less, does not fire for a while. */
static void rest(struct ts_clock *clock, int from)
{
	clock->rests_until = ktime_add_ns(ktime_get(), TS_GAP);
	clock->rests_from = from;
}

static ktime_t next_event(struct ts_clock *clock)
{
	struct ts_cpu *cpu = clock->cpu;
	int effective = ts_effective(cpu);
	ktime_t event = ts_queue_event(&clock->queue, effective, READ_ONCE(ts_max_defer));
	ktime_t rested = event == KTIME_MAX ? KTIME_MIN : rest_of(clock);

	if (event < rested) {
		event = rested;
		if (clock->rests_from)
			event = min(event, ts_queue_event(&clock->queue, min(effective, clock->rests_from - 1), 0));
	}
	if (cpu->expected != TS_NONE && cpu->expected_on == clock)
		event = min(event, cpu->expected_until);
	return event;
}

/* Has the proxy fire when it must. */
void ts_program(struct ts_clock *clock)
{
	ktime_t event;

	/* It is about to look by itself. */
	if (clock->ends)
		return;
	event = next_event(clock);
	if (event == clock->programmed)
		return;
	clock->programmed = event;
	if (event == KTIME_MAX)
		hrtimer_try_to_cancel(&clock->proxy);
	else
		hrtimer_start(&clock->proxy, event, HRTIMER_MODE_ABS_PINNED_HARD);
}

void ts_program_all(struct ts_cpu *cpu)
{
	int c;

	for (c = 0; c < TS_CLOCKS; c++)
		if (!ts_queue_is_empty(&cpu->clock[c].queue) || cpu->clock[c].programmed != KTIME_MAX)
			ts_program(&cpu->clock[c]);
}

/* Something of this level runs. */
void ts_set_running(struct ts_cpu *cpu, int level)
{
	int before = ts_effective(cpu);
	int c;

	cpu->running = level;
	cpu->expected = TS_NONE;
	for (c = 0; c < TS_CLOCKS; c++) {
		struct ts_clock *clock = &cpu->clock[c];
		ktime_t now, event;

		if (ts_queue_is_empty(&clock->queue) && clock->programmed == KTIME_MAX)
			continue;
		ts_program(clock);
		if (level <= before)
			continue;
		/* Has something come to be due by this, and not for its interrupt alone is late? */
		now = hrtimer_cb_get_time(&clock->proxy);
		event = ts_queue_event(&clock->queue, level, 0);
		if (event <= now && event < ts_queue_event(&clock->queue, before, 0))
			clock->held_until = now;
	}
}

static void count(struct ts_clock *clock, struct ts_due due, ktime_t now)
{
	struct ts_counters *count = &clock->cpu->count;
	ktime_t at = hrtimer_get_expires(due.timer);

	count->overdue += due.overdue;
	if (!due.overdue && at > clock->held_until)
		return;
	count->held_back++;
	count->longest = max(count->longest, (u64)(now - at));
}

/* How many timers of a level may fire so that they have ended when something more urgent expires, on any clock. */
static unsigned int fitting(struct ts_cpu *cpu, int level)
{
	unsigned int callback = READ_ONCE(ts_longest), fit = UINT_MAX;
	int c, above = min(level - 1, ts_effective(cpu));

	if (!callback || above < 0)
		return fit;
	for (c = 0; c < TS_CLOCKS; c++) {
		struct ts_clock *clock = &cpu->clock[c];
		ktime_t event = ts_queue_event(&clock->queue, above, 0), left;

		if (event == KTIME_MAX)
			continue;
		left = ktime_sub(event, hrtimer_cb_get_time(&clock->proxy));
		fit = min_t(u64, fit, div_u64(max_t(ktime_t, left, 0), callback));
	}
	return fit;
}

/* The next that may fire now, with rest or without. */
static struct ts_due due_now(struct ts_clock *clock, int effective, ktime_t now)
{
	if (rest_of(clock) == KTIME_MIN)
		return ts_queue_due(&clock->queue, effective, now, READ_ONCE(ts_max_defer));
	if (!clock->rests_from)
		return (struct ts_due){ .timer = NULL };
	return ts_queue_due(&clock->queue, min(effective, clock->rests_from - 1), now, 0);
}

/* Gives back what is due; the last of it to fire, behind which the proxy has to look again, or NULL. */
static struct hrtimer *give_back_due(struct ts_clock *clock, ktime_t now)
{
	struct ts_cpu *cpu = clock->cpu;
	int first = ts_effective(cpu);
	unsigned int batch = max(READ_ONCE(ts_batch), 1U), fit;
	struct ts_due due = due_now(clock, first, now);
	struct hrtimer *last = NULL;

	if (due.timer && due.level < clock->level) {
		clock->level = due.level;
		clock->given = 0;
	}
	for (fit = due.timer ? fitting(cpu, due.level) : 0; due.timer; due = due_now(clock, first, now)) {
		if (clock->given >= batch || !fit) {
			rest(clock, clock->level);
			break;
		}
		if (!due.overdue)
			first = due.level;
		count(clock, due, now);
		ts_give_back(clock, due.level, due.timer);
		/* The kernel fires in the order of expiry, whatever has waited for too long before. */
		if (!last || hrtimer_get_expires(due.timer) >= hrtimer_get_expires(last))
			last = due.timer;
		clock->given++;
		fit--;
	}
	if (first < ts_effective(cpu) &&
	    ts_queue_due(&clock->queue, ts_effective(cpu), now, 0).timer) {
		cpu->expected = first;
		cpu->expected_on = clock;
		cpu->expected_until = ktime_add_ns(now, TS_SETTLE);
	}
	if (last && clock->rounds >= TS_ROUNDS)
		rest(clock, clock->level);
	return clock->rests_until ? last : NULL;
}

/* Which look this is in the interrupt that goes on. */
static void note_interrupt(struct ts_clock *clock)
{
	unsigned int number = READ_ONCE(clock->proxy.base->cpu_base->nr_events);

	clock->rounds++;
	if (clock->interrupt == number && clock->rounds > 1)
		return;
	clock->interrupt = number;
	clock->rounds = 1;
	clock->given = 0;
	clock->level = TS_NONE;
}

/* Behind a timer that was given back: when it has fired, by the kernel's order, the proxy does. */
static void stand_behind(struct ts_clock *clock, const struct hrtimer *last)
{
	ktime_t soft = hrtimer_get_softexpires(last);

	clock->ends = true;
	clock->programmed = hrtimer_get_expires(last);
	hrtimer_set_expires_range_ns(&clock->proxy, soft, ktime_to_ns(ktime_sub(clock->programmed, soft)));
}

/* The proxy's callback, in the timer interrupt of its processor. */
enum hrtimer_restart ts_fire(struct hrtimer *proxy)
{
	struct ts_clock *clock = container_of(proxy, struct ts_clock, proxy);
	struct ts_cpu *cpu = clock->cpu;
	ktime_t now = hrtimer_cb_get_time(proxy);
	struct hrtimer *last = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&cpu->base.lock, flags);
	if (clock->ends) {
		/* They have fired. */
		clock->ends = false;
		rest(clock, clock->rests_from);
	} else {
		cpu->count.interrupts++;
		note_interrupt(clock);
		if (cpu->expected_on == clock && now >= cpu->expected_until)
			cpu->expected = TS_NONE;
		if (cpu->expected == TS_NONE)
			cpu->running = ts_level(current->prio);
		last = give_back_due(clock, now);
	}
	if (last) {
		stand_behind(clock, last);
	} else {
		clock->programmed = next_event(clock);
		if (clock->rounds >= TS_ROUNDS)
			clock->programmed = max(clock->programmed, ktime_add_ns(now, TS_END));
		if (clock->programmed != KTIME_MAX)
			hrtimer_set_expires(proxy, clock->programmed);
	}
	raw_spin_unlock_irqrestore(&cpu->base.lock, flags);
	return clock->programmed == KTIME_MAX ? HRTIMER_NORESTART : HRTIMER_RESTART;
}

/* Whether it is the first of its level now. */
static bool enqueue(struct ts_clock *clock, int level, struct hrtimer *timer)
{
	WRITE_ONCE(timer->base, &clock->queue.level[level]);
	ts_set_queued(timer);
	clock->cpu->count.held++;
	return ts_queue_add(&clock->queue, level, timer);
}

/*
 * Holds a timer that the calling thread arms, to sleep or not; false: the kernel has to arm it. With interrupts off;
 * takes the lock. *armed is false if the instant has passed and the kernel would not arm the timer then.
 */
bool ts_hold(struct ts_cpu *cpu, struct hrtimer *timer, ktime_t at, u64 slack, enum hrtimer_mode mode,
	     bool refuses_the_past, bool *armed)
{
	int index = READ_ONCE(timer->base)->index, level = ts_level(current->prio);
	struct ts_clock *clock, *holder;
	bool held = false, of_file = ts_is_of_file(timer);
	struct ts_thread *thread = NULL;

	if (index >= TS_CLOCKS)
		return false;
	clock = &cpu->clock[index];
	raw_spin_lock(&cpu->base.lock);
	holder = ts_holder(cpu, timer);
	/* What is armed elsewhere or just runs there, the kernel brings to rest. */
	if (!cpu->on || (!holder && (ts_is_queued(timer) || READ_ONCE(timer->base)->running == timer)))
		goto out;
	if (of_file)
		cpu->count.files++;
	else
		thread = ts_thread_note(cpu, current, level);
	if (!of_file && !thread) {
		cpu->count.no_room++;
		if (level != TS_LEAST)
			goto out;
	}
	held = true;
	if (holder)
		ts_queue_remove(&holder->queue, timer->base - holder->queue.level, timer);
	if (mode & HRTIMER_MODE_REL)
		at = ktime_add_safe(at, hrtimer_cb_get_time(&clock->proxy));
	hrtimer_set_expires_range_ns(timer, at, slack);
	if (refuses_the_past && at <= hrtimer_cb_get_time(&clock->proxy)) {
		ts_set_idle(timer);
		WRITE_ONCE(timer->base, clock->proxy.base);
		*armed = false;
		goto out;
	}
	if (thread)
		thread->timer = timer;
	if (enqueue(clock, level, timer) || holder)
		ts_program(clock);
out:
	raw_spin_unlock(&cpu->base.lock);
	return held;
}

/*
 * In the callback of a timer that the kernel would queue again by itself; its new time is set. It wakes nobody. With
 * interrupts off; takes the lock.
 */
bool ts_hold_restarted(struct ts_cpu *cpu, struct hrtimer *timer)
{
	int index = READ_ONCE(timer->base)->index;
	bool held = false;

	if (index >= TS_CLOCKS)
		return false;
	raw_spin_lock(&cpu->base.lock);
	if (cpu->on && !ts_is_queued(timer)) {
		cpu->count.files++;
		if (enqueue(&cpu->clock[index], TS_LEAST, timer))
			ts_program(&cpu->clock[index]);
		held = true;
	}
	raw_spin_unlock(&cpu->base.lock);
	return held;
}

/* On behalf of another processor. */
void ts_look(void *data)
{
	struct ts_cpu *cpu = data;

	raw_spin_lock(&cpu->base.lock);
	if (cpu->on) {
		if (cpu->look_at_priority && cpu->expected == TS_NONE)
			ts_set_running(cpu, ts_level(current->prio));
		else
			ts_program_all(cpu);
		cpu->look_at_priority = false;
	}
	raw_spin_unlock(&cpu->base.lock);
}

/*
 * A thread that is asleep has become this urgent. On any processor, with interrupts off and the lock of cpu
 * taken. That the record of the thread is there says that it has not exited, so that its stack, where the timer is,
 * is there as well; that the timer is queued in a level of this processor, for this thread, says that it is still that timer.
 */
void ts_change_level(struct ts_cpu *cpu, struct task_struct *task, int level)
{
	struct ts_thread *thread = ts_thread_find(cpu, task);
	struct hrtimer *timer = thread ? thread->timer : NULL;
	struct ts_clock *clock = timer ? ts_holder(cpu, timer) : NULL;
	int before;

	if (!clock || container_of(timer, struct hrtimer_sleeper, timer)->task != task)
		return;
	before = timer->base - clock->queue.level;
	if (before == level)
		return;
	ts_queue_remove(&clock->queue, before, timer);
	WRITE_ONCE(timer->base, &clock->queue.level[level]);
	ts_queue_add(&clock->queue, level, timer);
	cpu->count.moved++;
	if (cpu->base.cpu == smp_processor_id())
		ts_program(clock);
	else if (cpu_online(cpu->base.cpu))
		smp_call_function_single_async(cpu->base.cpu, &cpu->look);
}
