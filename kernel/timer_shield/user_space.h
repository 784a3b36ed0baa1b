/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What queue.c needs of a kernel, for tests in user space: a queue of the kernel is a list that is
 * sorted by expiry, of which equal ones stay in the order in which they came.
 */
#ifndef TIMER_SHIELD_USER_SPACE_H
#define TIMER_SHIELD_USER_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t ktime_t;
typedef uint64_t u64;
#define KTIME_MAX INT64_MAX
#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))
#define min(a, b) ((a) < (b) ? (a) : (b))

typedef struct ts_node {
	struct ts_node *next;
	ktime_t expires;
} ts_node_t;

typedef struct {
	ts_node_t *first;
} ts_head_t;

struct hrtimer_clock_base {
	ts_head_t active;
};

struct hrtimer {
	ts_node_t node;
	struct hrtimer_clock_base *base;
};

static inline ktime_t hrtimer_get_expires(const struct hrtimer *timer)
{
	return timer->node.expires;
}

static inline void ts_head_init(ts_head_t *head)
{
	head->first = NULL;
}

static inline ts_node_t *ts_head_first(ts_head_t *head)
{
	return head->first;
}

static inline bool ts_head_add(ts_head_t *head, ts_node_t *node)
{
	ts_node_t **place = &head->first;

	while (*place && (*place)->expires <= node->expires)
		place = &(*place)->next;
	node->next = *place;
	*place = node;
	return head->first == node;
}

static inline void ts_head_remove(ts_head_t *head, ts_node_t *node)
{
	ts_node_t **place = &head->first;

	while (*place != node)
		place = &(*place)->next;
	*place = node->next;
}

#endif
