// SPDX-License-Identifier: GPL-2.0
/*
 * A timer that is held and is cancelled points to the kernel's base afterwards.
 *
 * The kernel cancels a timer that is held by itself, for it takes the base that the timer points to; but it leaves
 * the pointer as it is, and takes that base's lock again whenever it looks at the timer. A sleep ends with
 * the stack that its timer is on. The timer of a file stays as long as the file, which may be longer than the
 * module. So cancelling is taken over for timers that are held, and nothing points to the module's memory that is not
 * in its queues.
 *
 * Where the compiler has split the function, hrtimer_cancel calls the part (.part.0) past the whole: both are taken
 * over. That every way is, is tried when the module is loaded (selftest.c).
 */
#include <linux/ftrace.h>
#include "shield.h"

static const char *const names[] = { "hrtimer_try_to_cancel", "hrtimer_try_to_cancel.part.0" };
/* The timer that this processor cancels by the kernel's own function. */
static DEFINE_PER_CPU(const struct hrtimer *, left);

/* The processor here whose base this is, or NULL. */
static __always_inline struct ts_cpu *owner(const struct hrtimer_clock_base *base)
{
	struct ts_cpu *cpu = READ_ONCE(per_cpu(ts_processor, base->cpu_base->cpu));

	return cpu && base->cpu_base == &cpu->base ? cpu : NULL;
}

/* Instead of the kernel's function, whose answers these are: 1: it was queued; 0: it was not. */
static int ts_cancel(struct hrtimer *timer)
{
	struct ts_clock *clock;
	struct ts_cpu *cpu;
	unsigned long flags;
	int answer;

	while ((cpu = owner(READ_ONCE(timer->base)))) {
		raw_spin_lock_irqsave(&cpu->base.lock, flags);
		if (owner(READ_ONCE(timer->base)) == cpu) {
			clock = &cpu->clock[timer->base->index];
			answer = ts_is_queued(timer);
			if (answer)
				ts_queue_remove(&clock->queue, timer->base - clock->queue.level, timer);
			ts_set_idle(timer);
			WRITE_ONCE(timer->base, clock->proxy.base);
			raw_spin_unlock_irqrestore(&cpu->base.lock, flags);
			return answer;
		}
		raw_spin_unlock_irqrestore(&cpu->base.lock, flags);
	}
	/* It has been given back meanwhile. */
	local_irq_save(flags);
	this_cpu_write(left, timer);
	answer = hrtimer_try_to_cancel(timer);
	this_cpu_write(left, NULL);
	local_irq_restore(flags);
	return answer;
}

static void notrace on_cancelling(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				  struct ftrace_regs *regs)
{
	const struct hrtimer *timer = (const struct hrtimer *)ftrace_regs_get_argument(regs, 0);

	if (owner(READ_ONCE(timer->base)) && raw_cpu_read(left) != timer)
		ftrace_regs_set_instruction_pointer(regs, (unsigned long)ts_cancel);
}

static struct ftrace_ops cancelling = { .func = on_cancelling, .flags = FTRACE_OPS_FL_IPMODIFY };

int ts_cancel_start(void)
{
	int i, error = 0;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		/* The part is there or not. */
		if (i && !ts_function(names[i]))
			continue;
		error = ftrace_set_filter(&cancelling, (unsigned char *)names[i], strlen(names[i]), 0);
		if (error)
			break;
	}
	if (!error)
		error = register_ftrace_function(&cancelling);
	if (error) {
		pr_err("timer_shield: %s cannot be taken over (%d): something else may have it, or ftrace is off\n",
		       names[0], error);
		ftrace_free_filter(&cancelling);
	}
	return error;
}

/* Nothing is held any more; who is in ts_cancel leaves it before this returns. */
void ts_cancel_end(void)
{
	unregister_ftrace_function(&cancelling);
	ftrace_free_filter(&cancelling);
	synchronize_rcu_tasks();
}
