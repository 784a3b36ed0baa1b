// SPDX-License-Identifier: GPL-2.0
/*
 * Timers that no thread sleeps on: of timerfd, timer_create, setitimer and io_uring, and whom they are held for.
 *
 * Model. On a kernel without PREEMPT_RT their callbacks run in the timer interrupt, as those of sleeps do; with it they are
 * soft, and left to the kernel. Who waits for such a timer is not known to the kernel's timers: it has the urgency
 * of the thread that armed it. If something more urgent waits for it, that is an inversion, which lasts as long as what
 * runs meanwhile, or max_defer. So what is held is a choice:
 *
 *   neither parameter   no timers of these, and sleeps of threads that stay on their processor
 *   unprivileged        also every timer of programs that may not have a real-time priority, wherever they may run: their
 *                       own threads cannot be the urgent ones
 *   files               also these timers of all other programs
 *
 * Assumption. The callbacks have the names that Linux 6.12 and 7.2 give them. Those of io_uring may not be there.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/kprobes.h>
#include <linux/sched/signal.h>
#include <linux/user_namespace.h>
#include "shield.h"

static const struct {
	const char *name;
	bool needed;
} names[] = {
	{ "timerfd_tmrproc", true },
	{ "posix_timer_fn", true },
	{ "it_real_fn", true },
	{ "io_timeout_fn", false },
	{ "io_link_timeout_fn", false },
};
static void *callbacks[ARRAY_SIZE(names)];

/* Where a function begins, its landing pad (endbr64) included: that is what a pointer to it has. NULL: there is none. */
void *ts_function(const char *name)
{
	struct kprobe probe = { .symbol_name = name };
	void *at;

	if (register_kprobe(&probe))
		return NULL;
	at = probe.addr;
	unregister_kprobe(&probe);
#ifdef CONFIG_X86_KERNEL_IBT
	if (((unsigned long)at & 15) == 4)
		at -= 4;
#endif
	return at;
}

int ts_files_start(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		callbacks[i] = ts_function(names[i].name);
		if (!callbacks[i] && names[i].needed) {
			pr_err("timer_shield: this kernel has no function %s\n", names[i].name);
			return -EOPNOTSUPP;
		}
	}
	return 0;
}

/* The callback of a POSIX timer. */
void *ts_posix_callback(void)
{
	return callbacks[1];
}

bool notrace ts_is_of_file(const struct hrtimer *timer)
{
	void *callback = ts_callback(timer);
	int i;

	for (i = 0; i < ARRAY_SIZE(callbacks); i++)
		if (callback && callback == callbacks[i])
			return true;
	return false;
}

/* Whether no thread of this program may have a real-time priority, unless another program gives it one. */
bool notrace ts_is_unprivileged(void)
{
	const struct cred *cred = current_cred();

	return current->prio >= MAX_RT_PRIO && !rlimit(RLIMIT_RTPRIO) &&
	       !(cred->user_ns == &init_user_ns && cap_raised(cred->cap_effective, CAP_SYS_NICE));
}
