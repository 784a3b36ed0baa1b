// SPDX-License-Identifier: GPL-2.0
/*
 * Processors come and go: with the module, by hot-plugging, and as the parameter cpus says.
 *
 * What is set up for a processor stays until the module is unloaded.
 * When the shield of a processor ends, all that it holds is given back to the kernel's queues there.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "shield.h"

DEFINE_PER_CPU(struct ts_cpu *, ts_processor);

static const clockid_t clocks[TS_CLOCKS] = { CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI };
static int state;

/* On the processor, with interrupts off. */
static void set_up_clock(struct ts_cpu *cpu, int index)
{
	struct ts_clock *clock = &cpu->clock[index];
	int level;

	clock->cpu = cpu;
	clock->programmed = KTIME_MAX;
	clock->held_until = KTIME_MIN;
	clock->rests_until = 0;
	clock->ends = false;
	ts_setup(&clock->proxy, ts_fire, clocks[index]);
	ts_queue_init(&clock->queue);
	for (level = 0; level < TS_LEVELS; level++) {
		struct hrtimer_clock_base *base = &clock->queue.level[level];

		base->cpu_base = &cpu->base;
		seqcount_raw_spinlock_init(&base->seq, &cpu->base.lock);
		ts_base_like(base, clock->proxy.base);
	}
}

static void turn_on(void *unused)
{
	struct ts_cpu *cpu = this_cpu_read(ts_processor);
	unsigned long flags;

	raw_spin_lock_irqsave(&cpu->base.lock, flags);
	cpu->running = ts_level(current->prio);
	cpu->expected = TS_NONE;
	WRITE_ONCE(cpu->on, true);
	raw_spin_unlock_irqrestore(&cpu->base.lock, flags);
}

static void turn_off(void *unused)
{
	struct ts_cpu *cpu = this_cpu_read(ts_processor);
	unsigned long flags;
	int c, level;

	raw_spin_lock_irqsave(&cpu->base.lock, flags);
	WRITE_ONCE(cpu->on, false);
	cpu->running = TS_LEAST;
	cpu->expected = TS_NONE;
	for (c = 0; c < TS_CLOCKS; c++) {
		struct ts_clock *clock = &cpu->clock[c];
		ts_node_t *node;
		bool any = false;

		for (level = 0; level < TS_LEVELS; level++)
			while ((node = ts_head_first(&clock->queue.level[level].active))) {
				ts_give_back(clock, level, container_of(node, struct hrtimer, node));
				any = true;
			}
		clock->programmed = KTIME_MAX;
		clock->ends = false;
		hrtimer_try_to_cancel(&clock->proxy);
		/* One interrupt, and the kernel looks at its queues again. */
		if (any)
			hrtimer_start(&clock->proxy, 0, HRTIMER_MODE_ABS_PINNED_HARD);
	}
	raw_spin_unlock_irqrestore(&cpu->base.lock, flags);
}

static struct ts_cpu *new_processor(unsigned int number)
{
	struct ts_cpu *cpu = kvzalloc(sizeof(*cpu), GFP_KERNEL);

	if (!cpu)
		return NULL;
	raw_spin_lock_init(&cpu->base.lock);
#ifdef CONFIG_PREEMPT_RT
	spin_lock_init(&cpu->base.softirq_expiry_lock);
#endif
	cpu->base.cpu = number;
	cpu->running = TS_LEAST;
	cpu->expected = TS_NONE;
	INIT_CSD(&cpu->look, ts_look, cpu);
	if (ts_threads_start(cpu)) {
		kvfree(cpu);
		return NULL;
	}
	return cpu;
}

/* On the processor: it has come. */
static int online(unsigned int number)
{
	struct ts_cpu *cpu = per_cpu(ts_processor, number);
	unsigned long flags;
	int c;

	if (!cpu)
		cpu = new_processor(number);
	if (!cpu)
		return -ENOMEM;
	local_irq_save(flags);
	for (c = 0; c < TS_CLOCKS; c++)
		set_up_clock(cpu, c);
	WRITE_ONCE(per_cpu(ts_processor, number), cpu);
	if (cpumask_test_cpu(number, &ts_cpus))
		turn_on(NULL);
	local_irq_restore(flags);
	return 0;
}

/* On the processor: it goes, or the module does. */
static int offline(unsigned int number)
{
	struct ts_cpu *cpu = per_cpu(ts_processor, number);
	int c;

	turn_off(NULL);
	for (c = 0; c < TS_CLOCKS; c++)
		hrtimer_cancel(&cpu->clock[c].proxy);
	return 0;
}

int ts_processors_start(void)
{
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "timer_shield:online", online, offline);
	return min(state, 0);
}

/* After the parameter cpus has changed. */
void ts_processors_switch(void)
{
	int number;

	cpus_read_lock();
	for_each_online_cpu(number) {
		bool wanted = cpumask_test_cpu(number, &ts_cpus);

		if (READ_ONCE(per_cpu(ts_processor, number)->on) != wanted)
			smp_call_function_single(number, wanted ? turn_on : turn_off, NULL, 1);
	}
	cpus_read_unlock();
}

static void nothing(void *unused)
{
}

/* Nothing is held any more. */
void ts_processors_let_go(void)
{
	cpumask_clear(&ts_cpus);
	ts_processors_switch();
}

/* No timer is held any more. */
void ts_processors_end(void)
{
	int number;

	if (state > 0)
		cpuhp_remove_state(state);
	/* Looks that other processors asked for are over. */
	on_each_cpu(nothing, NULL, 1);
	/* A thread that was about to take the lock of a base of the module's has come to rest elsewhere. */
	synchronize_rcu_tasks();
	for_each_possible_cpu(number) {
		struct ts_cpu *cpu = per_cpu(ts_processor, number);

		if (!cpu)
			continue;
		ts_threads_end(cpu);
		kvfree(cpu);
		per_cpu(ts_processor, number) = NULL;
	}
}
