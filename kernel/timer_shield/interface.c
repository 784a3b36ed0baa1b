// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters, and the file /proc/timer_shield with what is held: a line of each processor, and one of each timer.
 *
 *   timer_shield 2
 *   cpu 1 on held 6460 held-back 3240 longest-ns 18570000 overdue 0 interrupts 4860 no-room 0 moved 0 files 0
 *   timer cpu 1 clock 0 priority 10 expires 2051000000 pid 123 logger
 *
 * Timers that are held are not in /proc/timer_list: the kernel does not know their queues.
 */
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "shield.h"

/* Timers of one level that are shown: they are copied with interrupts off. */
#define SHOWN 64

struct cpumask ts_cpus;
u64 ts_max_defer;
unsigned int ts_batch = 16, ts_longest = 4000, ts_room = 1024;
bool ts_several, ts_unprivileged, ts_files;
static bool started;
static DEFINE_MUTEX(changing);

static int set_cpus(const char *text, const struct kernel_param *param)
{
	cpumask_var_t wanted;
	int error;

	if (!zalloc_cpumask_var(&wanted, GFP_KERNEL))
		return -ENOMEM;
	error = cpulist_parse(text, wanted);
	if (!error) {
		mutex_lock(&changing);
		cpumask_copy(&ts_cpus, wanted);
		if (started)
			ts_processors_switch();
		mutex_unlock(&changing);
	}
	free_cpumask_var(wanted);
	return error;
}

static int get_cpus(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%*pbl\n", cpumask_pr_args(&ts_cpus));
}

static const struct kernel_param_ops cpus_ops = { .set = set_cpus, .get = get_cpus };
module_param_cb(cpus, &cpus_ops, NULL, 0644);
MODULE_PARM_DESC(cpus, "The processors whose timers are shielded, as 1,4-7; none without it");
module_param_named(max_defer, ts_max_defer, ullong, 0644);
MODULE_PARM_DESC(max_defer, "The longest time in ns that a timer waits for, whatever runs; 0: no limit");
module_param_named(batch, ts_batch, uint, 0644);
MODULE_PARM_DESC(batch, "The most timers that fire in one go");
module_param_named(callback, ts_longest, uint, 0644);
MODULE_PARM_DESC(callback, "What firing one timer takes at most, in ns: so many fire as end before a more urgent one; 0: all");
module_param_named(threads, ts_room, uint, 0444);
MODULE_PARM_DESC(threads, "The most threads of a processor whose timers are held");
module_param_named(several, ts_several, bool, 0444);
MODULE_PARM_DESC(several, "Also shield timers of threads that may run on several processors");
module_param_named(unprivileged, ts_unprivileged, bool, 0444);
MODULE_PARM_DESC(unprivileged, "Also hold every timer of programs that may not have a real-time priority, wherever they run");
module_param_named(files, ts_files, bool, 0444);
MODULE_PARM_DESC(files, "Also hold timers of timerfd, timer_create, setitimer and io_uring, by who armed them");

struct shown {
	ktime_t expires;
	pid_t pid;
	char name[TASK_COMM_LEN];
};

/* The first timers of a level, as they are now. */
static int copy_level(struct ts_cpu *cpu, struct hrtimer_clock_base *level, struct shown *to)
{
	ts_node_t *node;
	int number = 0;

	raw_spin_lock_irq(&cpu->base.lock);
	for (node = ts_head_first(&level->active); node && number < SHOWN; node = ts_node_next(node)) {
		struct hrtimer *timer = container_of(node, struct hrtimer, node);
		struct shown *one = &to[number++];
		struct task_struct *task;

		*one = (struct shown){ .expires = hrtimer_get_expires(timer), .name = "(file)" };
		if (ts_is_of_file(timer))
			continue;
		/* It is queued, so its owner sleeps on it. */
		task = container_of(timer, struct hrtimer_sleeper, timer)->task;
		one->pid = task_pid_nr(task);
		strscpy(one->name, task->comm);
	}
	raw_spin_unlock_irq(&cpu->base.lock);
	return number;
}

static void show_level(struct seq_file *file, struct ts_cpu *cpu, int c, int level, struct shown *copy)
{
	int number = copy_level(cpu, &cpu->clock[c].queue.level[level], copy), i;

	for (i = 0; i < number; i++)
		seq_printf(file, "timer cpu %u clock %d priority %d expires %lld pid %d %s\n", cpu->base.cpu, c,
			   TS_LEAST - level, copy[i].expires, copy[i].pid, copy[i].name);
	if (number == SHOWN)
		seq_printf(file, "and perhaps more of this priority\n");
}

static int show(struct seq_file *file, void *unused)
{
	struct shown *copy = kcalloc(SHOWN, sizeof(*copy), GFP_KERNEL);
	int number, c, level;

	if (!copy)
		return -ENOMEM;
	seq_printf(file, "timer_shield %s\n", TS_VERSION);
	for_each_possible_cpu(number) {
		struct ts_cpu *cpu = READ_ONCE(per_cpu(ts_processor, number));
		struct ts_counters *count;

		if (!cpu)
			continue;
		count = &cpu->count;
		seq_printf(file,
			   "cpu %d %s held %lu held-back %lu longest-ns %llu overdue %lu interrupts %lu no-room %lu moved %lu files %lu\n",
			   number, READ_ONCE(cpu->on) ? "on" : "off", count->held, count->held_back, count->longest,
			   count->overdue, count->interrupts, count->no_room, count->moved, count->files);
		for (c = 0; c < TS_CLOCKS; c++)
			for (level = 0; level < TS_LEVELS; level++)
				show_level(file, cpu, c, level, copy);
	}
	kfree(copy);
	return 0;
}

int ts_interface_start(void)
{
	if (!proc_create_single("timer_shield", 0400, NULL, show))
		return -ENOMEM;
	mutex_lock(&changing);
	started = true;
	ts_processors_switch();
	mutex_unlock(&changing);
	return 0;
}

void ts_interface_end(void)
{
	mutex_lock(&changing);
	started = false;
	mutex_unlock(&changing);
	remove_proc_entry("timer_shield", NULL);
}
