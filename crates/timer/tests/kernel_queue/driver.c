/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The queue of the kernel module in user space: a command a line on standard input, an answer a line on standard
 * output. Timers are slots of one of four clocks; instants are of that clock.
 *
 *   reset                           all clocks are empty
 *   arm CLOCK SLOT AT LEVEL         0 or 1: whether it was pending
 *   cancel CLOCK SLOT               0 or 1, too; as the kernel does it, which knows the level's queue only
 *   rekey CLOCK SLOT LEVEL
 *   expire CLOCK NOW RUNNING DEFER  the slot of the next timer that fires, which is taken out, or -
 *   event CLOCK RUNNING DEFER       when something has to be done, or -
 *   held CLOCK                      the slots of all timers
 *   empty CLOCK                     0 or 1: whether the tree knows of none
 *
 * It ends where it computes for ten seconds: a queue that goes on for ever is wrong, too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "queue.h"

#define SLOTS 1024

static struct ts_queue queues[TS_CLOCKS];
static struct hrtimer timers[TS_CLOCKS][SLOTS];

static bool is_pending(unsigned clock, unsigned slot)
{
	return timers[clock][slot].base != NULL;
}

static void take_out(unsigned clock, unsigned slot)
{
	struct hrtimer *timer = &timers[clock][slot];

	ts_queue_remove(&queues[clock], timer->base - queues[clock].level, timer);
	timer->base = NULL;
}

static void put_in(unsigned clock, unsigned slot, ktime_t at, int level)
{
	struct hrtimer *timer = &timers[clock][slot];

	timer->node.expires = at;
	timer->base = &queues[clock].level[level];
	ts_queue_add(&queues[clock], level, timer);
}

static void cancel_by_kernel(unsigned clock, unsigned slot)
{
	struct hrtimer *timer = &timers[clock][slot];

	ts_head_remove(&timer->base->active, &timer->node);
	timer->base = NULL;
}

static void answer_due(unsigned clock, int running, struct ts_due due)
{
	unsigned slot;

	if (!due.timer) {
		puts("-");
		return;
	}
	slot = due.timer - timers[clock];
	if (due.timer->base != &queues[clock].level[due.level])
		exit(3);
	if (due.overdue != (due.level > running))
		exit(3);
	take_out(clock, slot);
	printf("%u\n", slot);
}

static void answer_held(unsigned clock)
{
	unsigned slot;

	for (slot = 0; slot < SLOTS; slot++)
		if (is_pending(clock, slot))
			printf("%u ", slot);
	puts("");
}

static void reset(void)
{
	unsigned clock;

	memset(timers, 0, sizeof(timers));
	for (clock = 0; clock < TS_CLOCKS; clock++)
		ts_queue_init(&queues[clock]);
}

static void obey(const char *line)
{
	unsigned clock = 0, slot = 0;
	int level = 0;
	int64_t at = 0;
	uint64_t defer = 0;

	if (!strncmp(line, "reset", 5)) {
		reset();
		puts("");
	} else if (sscanf(line, "arm %u %u %" SCNd64 " %d", &clock, &slot, &at, &level) == 4) {
		bool pending = is_pending(clock, slot);

		if (pending)
			take_out(clock, slot);
		put_in(clock, slot, at, level);
		printf("%d\n", pending);
	} else if (sscanf(line, "cancel %u %u", &clock, &slot) == 2) {
		bool pending = is_pending(clock, slot);

		if (pending)
			cancel_by_kernel(clock, slot);
		printf("%d\n", pending);
	} else if (sscanf(line, "rekey %u %u %d", &clock, &slot, &level) == 3) {
		if (is_pending(clock, slot)) {
			at = timers[clock][slot].node.expires;
			take_out(clock, slot);
			put_in(clock, slot, at, level);
		}
		puts("");
	} else if (sscanf(line, "expire %u %" SCNd64 " %d %" SCNu64, &clock, &at, &level, &defer) == 4) {
		answer_due(clock, level, ts_queue_due(&queues[clock], level, at, defer));
	} else if (sscanf(line, "event %u %d %" SCNu64, &clock, &level, &defer) == 3) {
		at = ts_queue_event(&queues[clock], level, defer);
		if (at == KTIME_MAX)
			puts("-");
		else
			printf("%" PRId64 "\n", at);
	} else if (sscanf(line, "held %u", &clock) == 1) {
		answer_held(clock);
	} else if (sscanf(line, "empty %u", &clock) == 1) {
		printf("%d\n", ts_queue_is_empty(&queues[clock]));
	} else {
		exit(2);
	}
}

int main(void)
{
	const struct rlimit seconds = { .rlim_cur = 10, .rlim_max = 10 };
	char line[128];

	if (setrlimit(RLIMIT_CPU, &seconds))
		return 4;
	reset();
	while (fgets(line, sizeof(line), stdin)) {
		obey(line);
		fflush(stdout);
	}
	return 0;
}
