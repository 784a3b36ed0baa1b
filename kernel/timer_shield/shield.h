/* SPDX-License-Identifier: GPL-2.0 */
/*
 * TimerShield as a module: timers of threads that are less urgent than what a processor runs do not
 * interrupt it. What it does, what it assumes and what it does not cover: main.c.
 */
#ifndef TIMER_SHIELD_SHIELD_H
#define TIMER_SHIELD_SHIELD_H

#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/sched/rt.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include "queue.h"

/* Of the module, of what its file prints, and of what "vorrang" looks for. */
#define TS_VERSION "2"
/* No level: nothing is expected. */
#define TS_NONE TS_LEVELS
/*
 * How long a thread that was woken may take until it runs, before what was left for it is looked at
 * again: more than an interrupt takes to end, and the sections in which PREEMPT_RT does not switch.
 */
#define TS_SETTLE (50 * NSEC_PER_USEC)
/* From the end of a batch's callbacks to the next batch of its clock, for interrupts and threads that wait. */
#define TS_GAP (10 * NSEC_PER_USEC)
/* So often an interrupt looks at its queues before the kernel takes it for one that does not end. */
#define TS_ROUNDS 3
/* After them, what the rest of the interrupt takes at most. */
#define TS_END (2 * NSEC_PER_USEC)

/* What is held on one clock of a processor. */
struct ts_clock {
	struct ts_queue queue;
	/* The kernel's timer that fires when something has to be done. */
	struct hrtimer proxy;
	/* When it does; KTIME_MAX: it is not armed. */
	ktime_t programmed;
	/* What has expired by then has been held back: something less urgent came to run. */
	ktime_t held_until;
	/* The kernel's number of the interrupt of the last look, the looks in it, and what it has been given. */
	unsigned int interrupt, rounds, given;
	/* The most urgent level of that. */
	int level;
	/* Whether the proxy stands behind what it gave back, to see when its callbacks have ended. */
	bool ends;
	/* Until then (CLOCK_MONOTONIC; 0: not) only what is more urgent than this level fires. */
	ktime_t rests_until;
	int rests_from;
	struct ts_cpu *cpu;
};

/* A thread whose timer was held on this processor, until it exits. */
struct ts_thread {
	struct hlist_node link;
	struct task_struct *task;
	/* Its last one; on its stack. */
	struct hrtimer *timer;
};

struct ts_counters {
	/* Timers that were held, for however long. */
	unsigned long held;
	/* Of those, the ones that had expired while something more urgent ran. */
	unsigned long held_back;
	/* The longest time from the expiry of one of these until it fired. */
	u64 longest;
	/* The ones that fired for they had waited for max_defer. */
	unsigned long overdue;
	/* Interrupts of the module's own timers. */
	unsigned long interrupts;
	/* Timers left to the kernel for there was no room to remember their threads. */
	unsigned long no_room;
	/* Changes of priority or of processors of threads whose timers were held. */
	unsigned long moved;
	/* Timers that no thread sleeps on which were held. */
	unsigned long files;
};

/* A processor. Everything but the lock is changed under the lock. */
struct ts_cpu {
	/* Of this the lock, which is taken to cancel a timer that is held, and the number. */
	struct hrtimer_cpu_base base;
	/* Whether timers are held here. */
	bool on;
	/* The level of what runs. Without timers that are held it is changed without the lock. */
	int running;
	/* The level of a thread that was woken and is expected to run next, or TS_NONE. */
	int expected;
	/* Until when, on which clock. */
	ktime_t expected_until;
	struct ts_clock *expected_on;
	struct ts_clock clock[TS_CLOCKS];
	struct ts_counters count;

	/* Threads by address; room for so many more. */
	struct ts_thread *threads;
	unsigned int room;
	struct hlist_head free, *buckets;
	unsigned int bucket_bits;

	/* For a look from another processor. */
	call_single_data_t look;
	bool look_at_priority;
};

/* Parameters: interface.c. */
extern struct cpumask ts_cpus;
extern u64 ts_max_defer;
extern unsigned int ts_batch, ts_longest, ts_room;
extern bool ts_several, ts_unprivileged, ts_files;

/* processor.c */
DECLARE_PER_CPU(struct ts_cpu *, ts_processor);
int ts_processors_start(void);
void ts_processors_end(void);
void ts_processors_switch(void);
void ts_processors_let_go(void);

/* proxy.c */
enum hrtimer_restart ts_fire(struct hrtimer *proxy);
void ts_program(struct ts_clock *clock);
void ts_program_all(struct ts_cpu *cpu);
void ts_set_running(struct ts_cpu *cpu, int level);
void ts_give_back(struct ts_clock *clock, int level, struct hrtimer *timer);
bool ts_hold(struct ts_cpu *cpu, struct hrtimer *timer, ktime_t at, u64 slack, enum hrtimer_mode mode,
	     bool refuses_the_past, bool *armed);
bool ts_hold_restarted(struct ts_cpu *cpu, struct hrtimer *timer);
void ts_look(void *cpu);
void ts_change_level(struct ts_cpu *cpu, struct task_struct *task, int level);

/* threads.c */
int ts_threads_start(struct ts_cpu *cpu);
void ts_threads_end(struct ts_cpu *cpu);
struct ts_thread *ts_thread_find(struct ts_cpu *cpu, const struct task_struct *task);
struct ts_thread *ts_thread_note(struct ts_cpu *cpu, struct task_struct *task, int level);
void ts_thread_forget(struct ts_cpu *cpu, const struct task_struct *task);

/* files.c */
int ts_files_start(void);
void *ts_function(const char *name);
void *ts_posix_callback(void);
bool ts_is_of_file(const struct hrtimer *timer);
bool ts_is_unprivileged(void);

/* cancel.c */
int ts_cancel_start(void);
void ts_cancel_end(void);

/* hooks.c */
int ts_hooks_start(void);
void ts_hooks_end(void);

/* selftest.c */
int ts_selftest(void);

/* interface.c */
int ts_interface_start(void);
void ts_interface_end(void);

/* The level of a priority as the scheduler has it, with what is inherited. */
static inline int ts_level(int priority)
{
	if (priority < 0)
		return 0;
	return priority < MAX_RT_PRIO - 1 ? priority + 1 : TS_LEAST;
}

/* What held timers must be as urgent as to fire. */
static inline int ts_effective(const struct ts_cpu *cpu)
{
	return min(cpu->running, cpu->expected);
}

/* Which clock holds a timer; NULL: it is not held on this processor. */
static inline struct ts_clock *ts_holder(struct ts_cpu *cpu, const struct hrtimer *timer)
{
	const struct hrtimer_clock_base *base = READ_ONCE(timer->base);
	int c;

	for (c = 0; c < TS_CLOCKS; c++) {
		struct ts_queue *queue = &cpu->clock[c].queue;

		if (base >= queue->level && base < queue->level + TS_LEVELS)
			return ts_is_queued(timer) ? &cpu->clock[c] : NULL;
	}
	return NULL;
}

#endif
