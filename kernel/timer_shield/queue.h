/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The timers that are held on one processor and one clock, by level.
 *
 * Model. A level is how urgent the owner of a timer is; a smaller one is more urgent:
 *
 *   0         SCHED_DEADLINE, and what stops a processor
 *   1 … 99    SCHED_FIFO and SCHED_RR, 100 less the priority
 *   100       everything else; an idle processor
 *
 * Each level is a queue of the kernel, in the order of expiry, and a tree of minima stands over their
 * first expiries:
 *
 *            3                       a node is the lesser of the two below it
 *        3       7
 *      5   3   ∞   7                 the first expiry of each level, the most urgent level first
 *      ├───────┤                     level 2 runs: the next event is the least of these
 *
 * Assumptions.
 * 1. One at a time uses a queue: the caller has the lock.
 * 2. Timers leave a level without being removed here: the kernel cancels them, and knows the
 *    level's own queue only. So a leaf of the tree is never later than the first expiry of its level, but
 *    may be earlier; who finds one that is mends it, and looks again.
 *
 * Cost, with m timers in a level: adding and removing, log m steps in the level and at most 7 in the tree; what is
 * next and what is due, at most 14 steps, and 7 more for each level of which the first timer was cancelled
 * since (at most one each time: 100 levels in the worst case). Nothing allocates.
 *
 * Reference: P. Patel, M. Vanga, B. Brandenburg: TimerShield, RTAS 2017, section IV.
 */
#ifndef TIMER_SHIELD_QUEUE_H
#define TIMER_SHIELD_QUEUE_H

#ifdef __KERNEL__
#include "kernel.h"
#else
#include "user_space.h"
#endif

#define TS_LEVELS 101
/* A power of two that is not less than the number of levels. */
#define TS_LEAVES 128
/* The level of an idle processor: every timer is at least as urgent. */
#define TS_LEAST (TS_LEVELS - 1)
/* As many as a kernel has clocks that timers are set on. */
#define TS_CLOCKS 4

struct ts_queue {
	struct hrtimer_clock_base level[TS_LEVELS];
	/* The tree: the root at 1, below i are 2 i and 2 i + 1, the leaves from TS_LEAVES on. */
	ktime_t earliest[2 * TS_LEAVES];
};

/* A timer that may fire. */
struct ts_due {
	struct hrtimer *timer;
	int level;
	/* Whether it fires for it has waited for as long as it may, whatever runs. */
	bool overdue;
};

void ts_queue_init(struct ts_queue *queue);

/* Whether it is the first of its level now. Its expiry is set. */
bool ts_queue_add(struct ts_queue *queue, int level, struct hrtimer *timer);

void ts_queue_remove(struct ts_queue *queue, int level, struct hrtimer *timer);

/* The earliest timer at least as urgent as a level. */
struct hrtimer *ts_queue_first(struct ts_queue *queue, int running);

/*
 * When something has to be done while a level runs: at the first expiry of what is at least as urgent, or
 * when any timer has waited for max_defer (0: never). KTIME_MAX: nothing has to.
 */
ktime_t ts_queue_event(struct ts_queue *queue, int running, u64 max_defer);

/*
 * The next timer that may fire while a level runs: of those that have expired and are at least as
 * urgent, one of the most urgent level, the earliest of it; without one, the earliest that has waited
 * for max_defer. Without that either, its timer is NULL.
 */
struct ts_due ts_queue_due(struct ts_queue *queue, int running, ktime_t now, u64 max_defer);

/* Whether no timer is held, as far as the tree knows: of levels whose timers were cancelled it may not. */
static inline bool ts_queue_is_empty(const struct ts_queue *queue)
{
	return queue->earliest[1] == KTIME_MAX;
}

#endif
