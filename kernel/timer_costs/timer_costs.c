// SPDX-License-Identifier: GPL-2.0
/*
 * The costs of timers on which threads sleep, with 1 to 10,000 pending ones: in instructions where the
 * emulator counts them as time (docs/timer-shield.md).
 *
 *   insmod timer_costs.ko        # takes some seconds
 *   cat /proc/timer_costs        # what, pending, number, mean, 99.9 %, largest
 *
 * Two threads on processor 0: "urgent" of SCHED_FIFO 50, which measures, and "low" of SCHED_FIFO 1.
 *
 *   arm      a sleeper, as clock_nanosleep does before it gives the processor away
 *   cancel   the same, as when something else has woken the thread
 *   expire   all interruptions of the thread from an instant on at which this many of its timers expire, for
 *   each of them
 *   switch   from the urgent thread, which goes to sleep, to the low one, which is ready; both have timers
 *
 * Each number contains the time of reading the clock (line "nothing"). Assumption: the clock is the cycle
 * counter; interrupts
 * are off while one is measured, except for expiries.
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/version.h>
#include <linux/vmalloc.h>
#include <asm/tsc.h>

/* Repetitions of each operation. */
#define TIMES 1000
#define MOST 10000
/* A longer gap between two readings of the clock is an interrupt. */
#define GAP 200
/* Timers of the urgent thread expire from this on, but for those that are to. */
#define FAR (1000 * (u64)NSEC_PER_SEC)

static const unsigned int pendings[] = { 1, 10, 100, 1000, 10000 };
static const unsigned int togethers[] = { 1, 16, 100, 1000 };

struct line {
	const char *what;
	unsigned int pending, number;
	u64 mean, permille999, most;
};

static struct line lines[64];
static unsigned int used;
static struct hrtimer_sleeper *sleepers;
static u64 took[MOST];
static struct task_struct *urgent, *low;
static DECLARE_COMPLETION(done);
static u64 left_at;
static bool ended;

static int by_size(const void *one, const void *other)
{
	u64 a = *(const u64 *)one, b = *(const u64 *)other;

	return a < b ? -1 : a > b;
}

static void note(const char *what, unsigned int pending, unsigned int number)
{
	u64 sum = 0;
	unsigned int i;

	if (used == ARRAY_SIZE(lines))
		return;
	for (i = 0; i < number; i++)
		sum += took[i];
	sort(took, number, sizeof(took[0]), by_size, NULL);
	lines[used++] = (struct line){ .what = what, .pending = pending, .number = number,
				       .mean = div_u64(sum, number),
				       .permille999 = took[div_u64((u64)(number - 1) * 999, 1000)],
				       .most = took[number - 1] };
}

static void set_up(struct hrtimer_sleeper *sleeper)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	hrtimer_init_sleeper_on_stack(sleeper, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
#else
	hrtimer_setup_sleeper_on_stack(sleeper, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
#endif
}

/* Any instant that is far away; the same in every run. */
static u64 far_away(void)
{
	static u64 state = 1;

	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return FAR + (state >> 33);
}

static void arm(struct hrtimer_sleeper *sleeper, u64 at)
{
	hrtimer_set_expires(&sleeper->timer, ns_to_ktime(at));
	hrtimer_sleeper_start_expires(sleeper, HRTIMER_MODE_ABS);
}

static void measure_arming(unsigned int pending)
{
	static u64 cancelled[TIMES];
	unsigned int i;

	for (i = 0; i < TIMES; i++) {
		struct hrtimer_sleeper *own = &sleepers[MOST];
		u64 from, armed, to;

		set_up(own);
		hrtimer_set_expires(&own->timer, ns_to_ktime(far_away()));
		local_irq_disable();
		from = rdtsc_ordered();
		hrtimer_sleeper_start_expires(own, HRTIMER_MODE_ABS);
		armed = rdtsc_ordered();
		hrtimer_cancel(&own->timer);
		to = rdtsc_ordered();
		local_irq_enable();
		took[i] = armed - from;
		cancelled[i] = to - armed;
	}
	note("arm", pending, TIMES);
	memcpy(took, cancelled, sizeof(cancelled));
	note("cancel", pending, TIMES);
}

/* The interruptions of the thread from arming its first timers until all of them have fired. */
static u64 interrupted_by(unsigned int together)
{
	u64 at, before, now, sum = 0;
	unsigned int i;

	for (i = 0; i < together; i++)
		set_up(&sleepers[i]);
	at = ktime_get_ns() + 20 * NSEC_PER_USEC + together * 10 * NSEC_PER_USEC;
	for (i = 0; i < together; i++)
		arm(&sleepers[i], at);
	before = rdtsc_ordered();
	for (i = 0; i < together;) {
		now = rdtsc_ordered();
		if (now - before > GAP)
			sum += now - before;
		before = now;
		if (!READ_ONCE(sleepers[i].task))
			i++;
	}
	/* The last interrupt may have come between the two looks. */
	now = rdtsc_ordered();
	return now - before > GAP ? sum + now - before : sum;
}

static void measure_expiry(unsigned int together)
{
	unsigned int i, times = min(TIMES, 4 * MOST / together);

	for (i = 0; i < times; i++)
		took[i] = div_u64(interrupted_by(together), together);
	note("expire", together, times);
}

static void measure_switch(unsigned int pending)
{
	unsigned int i;

	for (i = 0; i < TIMES; i++) {
		u64 from;

		local_irq_disable();
		set_current_state(TASK_INTERRUPTIBLE);
		from = rdtsc_ordered();
		local_irq_enable();
		schedule();
		took[i] = READ_ONCE(left_at) - from;
	}
	note("switch", pending, TIMES);
}

/* Always ready: whenever it has the processor it reports that, and yields. */
static int be_low(void *unused)
{
	struct hrtimer_sleeper own;

	set_up(&own);
	arm(&own, FAR / 2);
	while (!READ_ONCE(ended)) {
		WRITE_ONCE(left_at, rdtsc_ordered());
		wake_up_process(urgent);
	}
	hrtimer_cancel(&own.timer);
	destroy_hrtimer_on_stack(&own.timer);
	complete(&done);
	return 0;
}

static int be_urgent(void *unused)
{
	unsigned int i, p, armed = 0;

	for (i = 0; i < TIMES; i++) {
		u64 from = rdtsc_ordered();

		took[i] = rdtsc_ordered() - from;
	}
	note("nothing", 0, TIMES);
	for (i = 0; i < ARRAY_SIZE(togethers); i++)
		measure_expiry(togethers[i]);
	wake_up_process(low);
	set_current_state(TASK_INTERRUPTIBLE);
	schedule();
	measure_switch(0);
	for (p = 0; p < ARRAY_SIZE(pendings); p++) {
		for (; armed < pendings[p]; armed++) {
			set_up(&sleepers[armed]);
			arm(&sleepers[armed], far_away());
		}
		measure_arming(pendings[p]);
		measure_switch(pendings[p]);
	}
	for (i = 0; i < armed; i++)
		hrtimer_cancel(&sleepers[i].timer);
	WRITE_ONCE(ended, true);
	complete(&done);
	return 0;
}

static int show(struct seq_file *file, void *unused)
{
	unsigned int i;

	for (i = 0; i < used; i++)
		seq_printf(file, "%s %u %u %llu %llu %llu\n", lines[i].what, lines[i].pending, lines[i].number,
			   lines[i].mean, lines[i].permille999, lines[i].most);
	return 0;
}

static int __init begin(void)
{
	sleepers = vzalloc((MOST + 1) * sizeof(*sleepers));
	if (!sleepers)
		return -ENOMEM;
	urgent = kthread_create(be_urgent, NULL, "urgent");
	low = kthread_create(be_low, NULL, "low");
	if (IS_ERR(urgent) || IS_ERR(low) || !proc_create_single("timer_costs", 0400, NULL, show)) {
		if (!IS_ERR(urgent))
			kthread_stop(urgent);
		if (!IS_ERR(low))
			kthread_stop(low);
		vfree(sleepers);
		return -ENOMEM;
	}
	kthread_bind(urgent, 0);
	kthread_bind(low, 0);
	sched_set_fifo(urgent);
	sched_set_fifo_low(low);
	get_task_struct(urgent);
	get_task_struct(low);
	wake_up_process(urgent);
	wait_for_completion(&done);
	wait_for_completion(&done);
	put_task_struct(urgent);
	put_task_struct(low);
	return 0;
}

static void __exit end(void)
{
	remove_proc_entry("timer_costs", NULL);
	vfree(sleepers);
}

module_init(begin);
module_exit(end);
MODULE_DESCRIPTION("What timers of threads cost a processor");
MODULE_LICENSE("GPL");
