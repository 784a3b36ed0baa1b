// SPDX-License-Identifier: GPL-2.0
/*
 * TimerShield for stock kernels, with PREEMPT_RT or without: timers of less urgent threads do not interrupt a more urgent
 * one. They fire when the processor goes to something that is not more urgent than their owner.
 *
 *   insmod timer_shield.ko cpus=1-3 max_defer=10000000
 *   cat /proc/timer_shield
 *
 * How. The timer of a thread that goes to sleep (and others, files.c) is put into a queue of the module instead of the kernel's
 * (queue.h), one for each level of urgency. The kernel finds a timer by the base that it points to, and takes that base's
 * lock: so it says how long timers that are held still take, as it does with its own, and cancels them (cancel.c). Of
 * each clock and processor the kernel has one timer, the proxy, for the first that may fire while the present thread runs
 * (proxy.c); it is moved when another thread comes to run, or a priority changes (hooks.c). What is due is given to the
 * kernel's own queue, and fires from there.
 *
 * Assumptions, for Linux 6.12 and 7.2; what differs between them is in kernel.h.
 * 1. A timer is known to the kernel by timer->base only: a thread that cancels, queries or arms it takes
 *    base->cpu_base->lock and looks at base->active, base->running and base->seq. Tried when the module is loaded
 *    (selftest.c).
 * 2. A timer that is added to base->active of the kernel, with its bit in active_bases, is seen by the timer
 *    interrupt that is going on, or by the next one.
 * 3. Every thread that sleeps on a timer of its own arms it by the function that kernel.h names, on its own stack,
 *    and cancels it before it goes on.
 * 4. Tracepoint sched_switch is passed with interrupts off, and task->prio is the priority with what is inherited.
 * 5. A timer points to a base of the module's only while it is in its queue: cancelling, and arming by another way, has it
 *    point to the kernel's. Unloading waits for each thread that looks at such a base just then, and does not sleep meanwhile.
 *
 * Not covered: under PREEMPT_RT, timers of timerfd, timer_create, setitimer and of SCHED_OTHER (the kernel itself
 * leaves them to a thread; their interrupt stays, but does no more than wake that); timers of CLOCK_BOOTTIME_ALARM and
 * CLOCK_REALTIME_ALARM, which take a privilege; without a parameter, threads that may run on several
 * processors: another processor could run them at once. They are left to the
 * kernel as they are. The timers of SCHED_DEADLINE are not held: they are of the highest urgency.
 *
 * Reference: P. Patel, M. Vanga, B. Brandenburg: TimerShield: Protecting High-Priority Tasks from Low-Priority
 * Timer Interference, RTAS 2017.
 */
#include <linux/module.h>
#include "shield.h"

static int __init begin(void)
{
	int error = ts_processors_start();

	if (error)
		goto no_processors;
	error = ts_files_start();
	if (error)
		goto no_processors;
	error = ts_cancel_start();
	if (error)
		goto no_processors;
	error = ts_selftest();
	if (error)
		goto no_hooks;
	error = ts_hooks_start();
	if (error)
		goto no_hooks;
	error = ts_interface_start();
	if (!error)
		return 0;
	ts_hooks_end();
no_hooks:
	ts_cancel_end();
no_processors:
	ts_processors_end();
	return error;
}

static void __exit end(void)
{
	ts_interface_end();
	ts_hooks_end();
	ts_cancel_end();
	ts_processors_end();
}

module_init(begin);
module_exit(end);
MODULE_DESCRIPTION("TimerShield: timers of less urgent threads do not interrupt more urgent ones");
MODULE_VERSION(TS_VERSION);
MODULE_LICENSE("GPL");
