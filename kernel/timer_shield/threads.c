// SPDX-License-Identifier: GPL-2.0
/*
 * Which timer a thread sleeps on: for changes of its priority while it does.
 *
 * A hash table for each processor, with room for a number of threads that is fixed when the module is
 * loaded, so that arming a timer allocates nothing. A thread stays in it until it exits; whose timer finds no
 * room is left to the kernel. Threads without a real-time priority, of which anybody may have many, take half of it at
 * most; the timers of others of them are held, too, but their level stays, whatever becomes of their priority.
 * Cost: constant as long as the hash spreads the addresses.
 */
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include "shield.h"

int ts_threads_start(struct ts_cpu *cpu)
{
	unsigned int room = max(ts_room, 1U), number;

	cpu->bucket_bits = ilog2(roundup_pow_of_two(room)) + 1;
	cpu->threads = kvcalloc(room, sizeof(*cpu->threads), GFP_KERNEL);
	cpu->buckets = kvcalloc(1UL << cpu->bucket_bits, sizeof(*cpu->buckets), GFP_KERNEL);
	if (!cpu->threads || !cpu->buckets) {
		ts_threads_end(cpu);
		return -ENOMEM;
	}
	for (number = 0; number < room; number++)
		hlist_add_head(&cpu->threads[number].link, &cpu->free);
	cpu->room = room;
	return 0;
}

void ts_threads_end(struct ts_cpu *cpu)
{
	kvfree(cpu->threads);
	kvfree(cpu->buckets);
	cpu->threads = NULL;
	cpu->buckets = NULL;
}

static struct hlist_head *bucket(struct ts_cpu *cpu, const struct task_struct *task)
{
	return &cpu->buckets[hash_ptr(task, cpu->bucket_bits)];
}

struct ts_thread *ts_thread_find(struct ts_cpu *cpu, const struct task_struct *task)
{
	struct ts_thread *thread;

	hlist_for_each_entry(thread, bucket(cpu, task), link)
		if (thread->task == task)
			return thread;
	return NULL;
}

/* The record of a thread, which may be new; NULL: there is no room for one of this level. */
struct ts_thread *ts_thread_note(struct ts_cpu *cpu, struct task_struct *task, int level)
{
	struct ts_thread *thread = ts_thread_find(cpu, task);

	if (thread || cpu->room <= (level == TS_LEAST ? max(ts_room, 1U) / 2 : 0))
		return thread;
	cpu->room--;
	thread = hlist_entry(cpu->free.first, struct ts_thread, link);
	hlist_del(&thread->link);
	thread->task = task;
	thread->timer = NULL;
	hlist_add_head(&thread->link, bucket(cpu, task));
	return thread;
}

void ts_thread_forget(struct ts_cpu *cpu, const struct task_struct *task)
{
	struct ts_thread *thread = ts_thread_find(cpu, task);

	if (!thread)
		return;
	hlist_del(&thread->link);
	thread->timer = NULL;
	cpu->room++;
	hlist_add_head(&thread->link, &cpu->free);
}
