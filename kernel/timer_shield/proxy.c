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
 * Assumptions. 1. Everything here runs on the processor that it is about, with interrupts off and its
 * lock taken, except where it says otherwise. 2. Locks are taken in this order: of a run queue, of a processor
 * here, of the kernel's timers.
 *
 * Cost. That of the queue for each clock with timers, and of a timer of the kernel where the next event
 * has changed. An interrupt gives back ts_batch timers at most.
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

static ktime_t next_event(struct ts_clock *clock)
{
	struct ts_cpu *cpu = clock->cpu;
	ktime_t event = ts_queue_event(&clock->queue, ts_effective(cpu), READ_ONCE(ts_max_defer));

	if (cpu->expected != TS_NONE && cpu->expected_on == clock)
		event = min(event, cpu->expected_until);
	return event;
}

/* Has the proxy fire when it must. */
void ts_program(struct ts_clock *clock)
{
	ktime_t event = next_event(clock);

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
	bool less_urgent = level > ts_effective(cpu);
	int c;

	cpu->running = level;
	cpu->expected = TS_NONE;
	for (c = 0; c < TS_CLOCKS; c++) {
		struct ts_clock *clock = &cpu->clock[c];
		ktime_t before = clock->programmed;

		if (ts_queue_is_empty(&clock->queue) && before == KTIME_MAX)
			continue;
		ts_program(clock);
		/* Has something come to be due by this? */
		if (less_urgent && clock->programmed < before) {
			ktime_t now = hrtimer_cb_get_time(&clock->proxy);

			if (clock->programmed <= now)
				clock->held_until = now;
		}
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

/* Gives back what is due; whether there may be more. */
static bool give_back_due(struct ts_clock *clock, ktime_t now)
{
	struct ts_cpu *cpu = clock->cpu;
	int first = ts_effective(cpu);
	unsigned int left;

	for (left = max(READ_ONCE(ts_batch), 1U); left; left--) {
		struct ts_due due = ts_queue_due(&clock->queue, first, now, READ_ONCE(ts_max_defer));

		if (!due.timer)
			break;
		if (!due.overdue)
			first = due.level;
		count(clock, due, now);
		ts_give_back(clock, due.level, due.timer);
	}
	if (first < ts_effective(cpu) &&
	    ts_queue_due(&clock->queue, ts_effective(cpu), now, 0).timer) {
		cpu->expected = first;
		cpu->expected_on = clock;
		cpu->expected_until = ktime_add_ns(now, TS_SETTLE);
	}
	return !left;
}

/* The proxy's callback, in the timer interrupt of its processor. */
enum hrtimer_restart ts_fire(struct hrtimer *proxy)
{
	struct ts_clock *clock = container_of(proxy, struct ts_clock, proxy);
	struct ts_cpu *cpu = clock->cpu;
	ktime_t now = hrtimer_cb_get_time(proxy);
	unsigned long flags;
	bool more;

	raw_spin_lock_irqsave(&cpu->base.lock, flags);
	cpu->count.interrupts++;
	clock->programmed = KTIME_MAX;
	if (cpu->expected_on == clock && now >= cpu->expected_until)
		cpu->expected = TS_NONE;
	if (cpu->expected == TS_NONE)
		cpu->running = ts_level(current->prio);
	more = give_back_due(clock, now);
	clock->programmed = next_event(clock);
	if (more && clock->programmed <= now)
		clock->programmed = ktime_add_ns(now, TS_GAP);
	if (clock->programmed != KTIME_MAX)
		hrtimer_set_expires(proxy, clock->programmed);
	raw_spin_unlock_irqrestore(&cpu->base.lock, flags);
	return clock->programmed == KTIME_MAX ? HRTIMER_NORESTART : HRTIMER_RESTART;
}

/*
 * Holds the timer of the calling thread, which goes to sleep; false: the kernel has to arm it. With interrupts off;
 * takes the lock. *armed is false if the instant has passed and the kernel would not arm the timer then.
 */
bool ts_hold(struct ts_cpu *cpu, struct hrtimer *timer, ktime_t at, u64 slack, enum hrtimer_mode mode,
	     bool *armed)
{
	int index = READ_ONCE(timer->base)->index, level = ts_level(current->prio);
	struct ts_clock *clock, *holder;
	struct ts_thread *thread;
	bool held = false;

	if (index >= TS_CLOCKS)
		return false;
	clock = &cpu->clock[index];
	raw_spin_lock(&cpu->base.lock);
	holder = ts_holder(cpu, timer);
	/* What is armed elsewhere or just runs there, the kernel brings to rest. */
	if (!cpu->on || (!holder && (ts_is_queued(timer) || READ_ONCE(timer->base)->running == timer)))
		goto out;
	thread = ts_thread_note(cpu, current);
	if (!thread) {
		cpu->count.no_room++;
		goto out;
	}
	held = true;
	if (holder)
		ts_queue_remove(&holder->queue, timer->base - holder->queue.level, timer);
	if (mode & HRTIMER_MODE_REL)
		at = ktime_add_safe(at, hrtimer_cb_get_time(&clock->proxy));
	hrtimer_set_expires_range_ns(timer, at, slack);
	WRITE_ONCE(timer->base, &clock->queue.level[level]);
	if (TS_REFUSES_THE_PAST && at <= hrtimer_cb_get_time(&clock->proxy)) {
		ts_set_idle(timer);
		*armed = false;
		goto out;
	}
	ts_set_queued(timer);
	thread->timer = timer;
	cpu->count.held++;
	if (ts_queue_add(&clock->queue, level, timer) || holder)
		ts_program(clock);
out:
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
