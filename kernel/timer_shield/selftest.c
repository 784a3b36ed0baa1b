// SPDX-License-Identifier: GPL-2.0
/*
 * Whether this kernel's timers are what the module takes them for, tried when it is loaded: a timer that
 * is in a queue of ours must be pending for the kernel, have the time that it has, and be cancelled by it; and once it is
 * given back, too. Cancelled, in both ways, it points to the kernel's base again.
 */
#include <linux/hrtimer.h>
#include "shield.h"

/* So far away that it does not expire meanwhile: an hour. */
#define FAR (3600 * (ktime_t)NSEC_PER_SEC)
#define LEVEL 50

/* In a queue of ours, or, if it is given back, of the kernel. */
static const char *tried(struct hrtimer *timer, bool given_back, bool by_waiting)
{
	struct ts_cpu *cpu;
	struct ts_clock *clock;
	unsigned long flags;
	ktime_t left;

	local_irq_save(flags);
	cpu = this_cpu_read(ts_processor);
	clock = &cpu->clock[0];
	raw_spin_lock(&cpu->base.lock);
	hrtimer_set_expires(timer, ktime_add(hrtimer_cb_get_time(&clock->proxy), FAR));
	WRITE_ONCE(timer->base, &clock->queue.level[LEVEL]);
	ts_set_queued(timer);
	ts_queue_add(&clock->queue, LEVEL, timer);
	if (given_back)
		ts_give_back(clock, LEVEL, timer);
	raw_spin_unlock(&cpu->base.lock);
	local_irq_restore(flags);
	left = hrtimer_get_remaining(timer);
	if (!hrtimer_active(timer) || !hrtimer_is_queued(timer))
		return "is not pending for the kernel";
	if (left <= FAR / 2 || left > FAR)
		return "has another time for the kernel";
	if ((by_waiting ? hrtimer_cancel(timer) : hrtimer_try_to_cancel(timer)) != 1 || hrtimer_active(timer))
		return "cannot be cancelled by the kernel";
	if (READ_ONCE(timer->base)->cpu_base == &cpu->base)
		return "points to the module when it was cancelled";
	raw_spin_lock_irqsave(&cpu->base.lock, flags);
	left = ts_queue_event(&clock->queue, TS_LEAST, 0);
	raw_spin_unlock_irqrestore(&cpu->base.lock, flags);
	return left == KTIME_MAX ? NULL : "stays in the queue after it was cancelled";
}

int ts_selftest(void)
{
	struct hrtimer_sleeper sleeper;
	const char *wrong;

	ts_setup_sleeper(&sleeper);
	wrong = tried(&sleeper.timer, false, false) ?: tried(&sleeper.timer, false, true) ?:
		tried(&sleeper.timer, true, false);
	hrtimer_cancel(&sleeper.timer);
	destroy_hrtimer_on_stack(&sleeper.timer);
	if (!wrong)
		return 0;
	pr_err("timer_shield: the timers of this kernel are others: one that is held %s\n", wrong);
	return -EOPNOTSUPP;
}
