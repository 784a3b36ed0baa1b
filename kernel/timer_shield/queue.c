// SPDX-License-Identifier: GPL-2.0
/* The model, what is assumed and what it costs: queue.h. */
#include "queue.h"

void ts_queue_init(struct ts_queue *queue)
{
	int level, node;

	for (level = 0; level < TS_LEVELS; level++)
		ts_head_init(&queue->level[level].active);
	for (node = 0; node < 2 * TS_LEAVES; node++)
		queue->earliest[node] = KTIME_MAX;
}

static struct hrtimer *first_of(struct ts_queue *queue, int level)
{
	ts_node_t *node = ts_head_first(&queue->level[level].active);

	return node ? container_of(node, struct hrtimer, node) : NULL;
}

/* Writes the first expiry of a level into the tree, as far up as it changes a minimum. */
static void update(struct ts_queue *queue, int level)
{
	struct hrtimer *first = first_of(queue, level);
	int node = TS_LEAVES + level;

	queue->earliest[node] = first ? hrtimer_get_expires(first) : KTIME_MAX;
	for (node /= 2; node >= 1; node /= 2) {
		ktime_t least = min(queue->earliest[2 * node], queue->earliest[2 * node + 1]);

		if (queue->earliest[node] == least)
			break;
		queue->earliest[node] = least;
	}
}

bool ts_queue_add(struct ts_queue *queue, int level, struct hrtimer *timer)
{
	bool first = ts_head_add(&queue->level[level].active, &timer->node);

	if (first)
		update(queue, level);
	return first;
}

void ts_queue_remove(struct ts_queue *queue, int level, struct hrtimer *timer)
{
	ts_head_remove(&queue->level[level].active, &timer->node);
	update(queue, level);
}

/* The first timer of a level, if the tree is right about it; if it is not, it is mended. */
static struct hrtimer *confirmed(struct ts_queue *queue, int level)
{
	struct hrtimer *first = first_of(queue, level);

	if (first && hrtimer_get_expires(first) == queue->earliest[TS_LEAVES + level])
		return first;
	update(queue, level);
	return NULL;
}

struct hrtimer *ts_queue_first(struct ts_queue *queue, int running)
{
	for (;;) {
		int least = TS_LEAVES + running, node;
		struct hrtimer *first;

		/* All levels up to this one: its leaf, and what is to the left of the way up from it. */
		for (node = least; node > 1; node /= 2)
			if (node % 2 == 1 && queue->earliest[node - 1] <= queue->earliest[least])
				least = node - 1;
		if (queue->earliest[least] == KTIME_MAX)
			return NULL;
		while (least < TS_LEAVES) {
			least *= 2;
			if (queue->earliest[least] > queue->earliest[least + 1])
				least++;
		}
		first = confirmed(queue, least - TS_LEAVES);
		if (first)
			return first;
	}
}

/* When a timer has waited for as long as it may. */
static ktime_t last_instant(const struct hrtimer *timer, u64 max_defer)
{
	ktime_t at = hrtimer_get_expires(timer);

	return max_defer < (u64)(KTIME_MAX - at) ? at + (ktime_t)max_defer : KTIME_MAX;
}

ktime_t ts_queue_event(struct ts_queue *queue, int running, u64 max_defer)
{
	struct hrtimer *first = ts_queue_first(queue, running);
	ktime_t event = first ? hrtimer_get_expires(first) : KTIME_MAX;

	if (max_defer && running < TS_LEAST) {
		first = ts_queue_first(queue, TS_LEAST);
		if (first)
			event = min(event, last_instant(first, max_defer));
	}
	return event;
}

/* The most urgent level with a timer that has expired, or -1. */
static int expired_level(struct ts_queue *queue, ktime_t now)
{
	while (queue->earliest[1] <= now) {
		int node = 1;

		while (node < TS_LEAVES) {
			node *= 2;
			if (queue->earliest[node] > now)
				node++;
		}
		if (confirmed(queue, node - TS_LEAVES))
			return node - TS_LEAVES;
	}
	return -1;
}

struct ts_due ts_queue_due(struct ts_queue *queue, int running, ktime_t now, u64 max_defer)
{
	struct ts_due due = { .timer = NULL, .level = expired_level(queue, now), .overdue = false };
	struct hrtimer *first;

	if (due.level < 0)
		return due;
	if (due.level <= running) {
		due.timer = first_of(queue, due.level);
		return due;
	}
	if (!max_defer)
		return due;
	first = ts_queue_first(queue, TS_LEAST);
	if (!first || last_instant(first, max_defer) > now)
		return due;
	return (struct ts_due){ .timer = first, .level = first->base - queue->level, .overdue = true };
}
