/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels: the fields of timers and of their bases, which public headers declare,
 * and the function that arms the timer of a thread that goes to sleep.
 *
 *                           6.12                      7.2
 *   queue of a base         timerqueue_head           timerqueue_linked_head
 *   "is queued"             state                     is_queued
 *   earliest of a base      the queue's first         kept in expires_next, too
 *   arms a sleeper          hrtimer_start_range_ns    hrtimer_start_range_ns_user, which refuses an
 *                                                     instant that has passed
 *   arms other timers       the same                  the same; setitimer and io_uring by hrtimer_start_range_ns
 *   a POSIX timer whose     restarts itself in its    rests until the signal
 *   signal is ignored       callback                  is not ignored
 *
 * And between those with PREEMPT_RT and without: with it, sleeps of real-time priorities only expire in the interrupt, and all
 * else is soft; without it, whatever does not ask to be soft expires in the interrupt.
 */
#ifndef TIMER_SHIELD_KERNEL_H
#define TIMER_SHIELD_KERNEL_H

#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/timerqueue.h>
#include <linux/version.h>

#if !defined(CONFIG_SMP) || !defined(CONFIG_HIGH_RES_TIMERS) || !defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#error "timer_shield needs SMP, HIGH_RES_TIMERS and DYNAMIC_FTRACE_WITH_ARGS"
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)

#define TS_ARMING_FUNCTION "hrtimer_start_range_ns"
typedef struct timerqueue_node ts_node_t;
typedef struct timerqueue_head ts_head_t;

static inline void ts_head_init(ts_head_t *head)
{
	timerqueue_init_head(head);
}

static inline ts_node_t *ts_head_first(ts_head_t *head)
{
	return timerqueue_getnext(head);
}

static inline ts_node_t *ts_node_next(ts_node_t *node)
{
	return timerqueue_iterate_next(node);
}

/* Whether it is the first now. */
static inline bool ts_head_add(ts_head_t *head, ts_node_t *node)
{
	return timerqueue_add(head, node);
}

static inline void ts_head_remove(ts_head_t *head, ts_node_t *node)
{
	timerqueue_del(head, node);
}

static inline bool ts_is_queued(const struct hrtimer *timer)
{
	return READ_ONCE(timer->state) != HRTIMER_STATE_INACTIVE;
}

static inline void ts_set_queued(struct hrtimer *timer)
{
	WRITE_ONCE(timer->state, HRTIMER_STATE_ENQUEUED);
}

static inline void ts_set_idle(struct hrtimer *timer)
{
	WRITE_ONCE(timer->state, HRTIMER_STATE_INACTIVE);
}

static inline void *ts_callback(const struct hrtimer *timer)
{
	return timer->function;
}

static inline void ts_setup(struct hrtimer *timer, enum hrtimer_restart (*callback)(struct hrtimer *),
			    clockid_t clock)
{
	hrtimer_init(timer, clock, HRTIMER_MODE_ABS_PINNED_HARD);
	timer->function = callback;
}

static inline void ts_setup_sleeper(struct hrtimer_sleeper *sleeper)
{
	hrtimer_init_sleeper_on_stack(sleeper, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
}

/* Makes an own base answer as a base of the kernel does. */
static inline void ts_base_like(struct hrtimer_clock_base *base, const struct hrtimer_clock_base *kernels)
{
	base->index = kernels->index;
	base->clockid = kernels->clockid;
	base->get_time = kernels->get_time;
}

static inline void ts_base_has_first(struct hrtimer_clock_base *base, const struct hrtimer *timer)
{
}

static inline bool ts_arm_by_kernel(struct hrtimer *timer, ktime_t at, u64 slack, enum hrtimer_mode mode)
{
	hrtimer_start_range_ns(timer, at, slack, mode);
	return true;
}

/* Whether a thread that asks to sleep until an instant that has passed does not go to sleep. */
#define TS_REFUSES_THE_PAST false
#define TS_POSIX_RESTARTS_ITSELF 1
#define TS_EXIT_ARGUMENTS struct task_struct *task

#elif LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)

#define TS_ARMING_FUNCTION "hrtimer_start_range_ns_user"
typedef struct timerqueue_linked_node ts_node_t;
typedef struct timerqueue_linked_head ts_head_t;

static inline void ts_head_init(ts_head_t *head)
{
	timerqueue_linked_init_head(head);
}

static inline ts_node_t *ts_head_first(ts_head_t *head)
{
	return timerqueue_linked_first(head);
}

static inline ts_node_t *ts_node_next(ts_node_t *node)
{
	return timerqueue_linked_next(node);
}

static inline bool ts_head_add(ts_head_t *head, ts_node_t *node)
{
	return timerqueue_linked_add(head, node);
}

static inline void ts_head_remove(ts_head_t *head, ts_node_t *node)
{
	timerqueue_linked_del(head, node);
}

static inline bool ts_is_queued(const struct hrtimer *timer)
{
	return READ_ONCE(timer->is_queued);
}

static inline void ts_set_queued(struct hrtimer *timer)
{
	WRITE_ONCE(timer->is_queued, true);
}

static inline void ts_set_idle(struct hrtimer *timer)
{
	WRITE_ONCE(timer->is_queued, false);
}

static inline void *ts_callback(const struct hrtimer *timer)
{
	return ACCESS_PRIVATE(timer, function);
}

static inline void ts_setup(struct hrtimer *timer, enum hrtimer_restart (*callback)(struct hrtimer *),
			    clockid_t clock)
{
	hrtimer_setup(timer, callback, clock, HRTIMER_MODE_ABS_PINNED_HARD);
}

static inline void ts_setup_sleeper(struct hrtimer_sleeper *sleeper)
{
	hrtimer_setup_sleeper_on_stack(sleeper, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
}

static inline void ts_base_like(struct hrtimer_clock_base *base, const struct hrtimer_clock_base *kernels)
{
	/* They are constant where the kernel's own bases are concerned, which are never set up at run time. */
	*(unsigned int *)&base->index = kernels->index;
	*(clockid_t *)&base->clockid = kernels->clockid;
	base->expires_next = KTIME_MAX;
}

static inline void ts_base_has_first(struct hrtimer_clock_base *base, const struct hrtimer *timer)
{
	base->expires_next = hrtimer_get_expires(timer);
}

static inline bool ts_arm_by_kernel(struct hrtimer *timer, ktime_t at, u64 slack, enum hrtimer_mode mode)
{
	return hrtimer_start_range_ns_user(timer, at, slack, mode);
}

#define TS_REFUSES_THE_PAST true
/* Another function that arms timers of programs; it takes the past. */
#define TS_STARTING_FUNCTION "hrtimer_start_range_ns"
#define TS_EXIT_ARGUMENTS struct task_struct *task, bool is_last

#else
#error "timer_shield is for Linux 6.12 and 7.2: other versions arm, queue and cancel timers in other ways"
#endif

#endif
