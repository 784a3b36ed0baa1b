// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the calls of one function of the kernel, from when the module is loaded until it is unloaded.
 *
 *   insmod call_count.ko function=hrtimer_interrupt
 *   cat /sys/module/call_count/parameters/calls
 *
 * Assumptions: the function is traceable (/sys/kernel/tracing/available_filter_functions has it: it
 * is not inlined, and not marked notrace). Cost: a call of ftrace and one addition for each call.
 * Reference: Documentation/trace/ftrace-uses.rst of the kernel.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/percpu.h>

static char *function = "hrtimer_interrupt";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "The function whose calls are counted");

/* One for each processor, so that counting needs no lock. */
static DEFINE_PER_CPU(unsigned long, counted);

static int get_calls(char *buffer, const struct kernel_param *param)
{
	unsigned long calls = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		calls += READ_ONCE(*per_cpu_ptr(&counted, cpu));
	return sysfs_emit(buffer, "%lu\n", calls);
}

static const struct kernel_param_ops calls_ops = { .get = get_calls };
module_param_cb(calls, &calls_ops, NULL, 0444);
MODULE_PARM_DESC(calls, "Its calls since the module was loaded");

/*
 * Runs with preemption disabled, in whatever context the function is called. It calls nothing that
 * could be traced, so it cannot be called by itself, and needs none of ftrace's protection from that.
 */
static void notrace count(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	this_cpu_inc(counted);
}

static struct ftrace_ops counting = { .func = count };

static int __init begin(void)
{
	int error = ftrace_set_filter(&counting, function, strlen(function), 0);

	if (error)
		return error;
	error = register_ftrace_function(&counting);
	if (error)
		ftrace_free_filter(&counting);
	return error;
}

/* When this returns, no processor runs count() any more: unregistering waits for that. */
static void __exit end(void)
{
	unregister_ftrace_function(&counting);
	ftrace_free_filter(&counting);
}

module_init(begin);
module_exit(end);
MODULE_DESCRIPTION("Counts the calls of one function of the kernel");
MODULE_LICENSE("GPL");
