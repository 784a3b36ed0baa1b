// SPDX-License-Identifier: GPL-2.0
/*
 * Where the kernel is listened to.
 *
 *   the arming functions     by ftrace, which calls ts_arm instead where the timer is one to hold
 *   posix_timer_fn           by ftrace, until 6.12: a timer whose signal is ignored restarts itself past them
 *   sched_switch             tracepoint: what runs now
 *   sched_pi_setprio         tracepoint: a thread inherits, or inherits no longer
 *   sched_process_exit       tracepoint: a thread is forgotten
 *   __sched_setscheduler     return probe: a thread has another policy or priority
 *   __set_cpus_allowed_ptr   return probe: a thread may run elsewhere now
 *
 * Timers to hold are those on which a thread sleeps (nanosleep, poll, select, epoll, futex and what is made of
 * them), that expire in an interrupt, while the thread may run on this processor only; by parameters also others (files.c).
 * All else is left to the kernel: what expires in the thread ktimers under PREEMPT_RT, and the timers of
 * SCHED_DEADLINE, which are of the highest urgency.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/tracepoint.h>
#include "shield.h"

/* The callback of timers on which threads sleep; the kernel does not say its name to modules, but sets it. */
static void *wakes_a_thread;
/* The timer that this processor is leaving to the kernel. */
static DEFINE_PER_CPU(struct hrtimer *, left);

static bool ts_arm(struct hrtimer *timer, ktime_t at, u64 slack, const enum hrtimer_mode mode)
{
	struct ts_cpu *cpu;
	unsigned long flags;
	bool armed = true;

	local_irq_save(flags);
	cpu = this_cpu_read(ts_processor);
	if (!ts_hold(cpu, timer, at, slack, mode, TS_REFUSES_THE_PAST, &armed)) {
		this_cpu_write(left, timer);
		armed = ts_arm_by_kernel(timer, at, slack, mode);
		this_cpu_write(left, NULL);
	}
	local_irq_restore(flags);
	return armed;
}

/* A thread that cannot run on another processor, and not only for the moment. */
static bool stays(const struct task_struct *task)
{
	return ts_several || (task->nr_cpus_allowed == 1 && !task->migration_disabled);
}

static __always_inline bool is_to_hold(const struct hrtimer *timer)
{
	bool sleeps = ts_callback(timer) == wakes_a_thread;
	struct ts_cpu *cpu;

	if (timer->is_soft || !in_task() || (!sleeps && !ts_is_of_file(timer)))
		return false;
	cpu = raw_cpu_read(ts_processor);
	if (!cpu || !READ_ONCE(cpu->on) || current->prio < 0 || current->flags & PF_EXITING ||
	    raw_cpu_read(left) == timer)
		return false;
	return (sleeps ? stays(current) : ts_files) || (ts_unprivileged && ts_is_unprivileged());
}

static void notrace on_arming(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			      struct ftrace_regs *regs)
{
	if (is_to_hold((struct hrtimer *)ftrace_regs_get_argument(regs, 0)))
		ftrace_regs_set_instruction_pointer(regs, (unsigned long)ts_arm);
}

static struct ftrace_ops arming = { .func = on_arming, .flags = FTRACE_OPS_FL_IPMODIFY };

#ifdef TS_STARTING_FUNCTION
static void ts_start(struct hrtimer *timer, ktime_t at, u64 slack, const enum hrtimer_mode mode)
{
	unsigned long flags;
	bool armed;

	local_irq_save(flags);
	if (!ts_hold(this_cpu_read(ts_processor), timer, at, slack, mode, false, &armed)) {
		this_cpu_write(left, timer);
		hrtimer_start_range_ns(timer, at, slack, mode);
		this_cpu_write(left, NULL);
	}
	local_irq_restore(flags);
}

static void notrace on_starting(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				struct ftrace_regs *regs)
{
	if (is_to_hold((struct hrtimer *)ftrace_regs_get_argument(regs, 0)))
		ftrace_regs_set_instruction_pointer(regs, (unsigned long)ts_start);
}

static struct ftrace_ops starting = { .func = on_starting, .flags = FTRACE_OPS_FL_IPMODIFY };
#endif

#ifdef TS_POSIX_RESTARTS_ITSELF
/* The timer whose callback this processor runs by the kernel's own function. */
static DEFINE_PER_CPU(struct hrtimer *, calling);

static enum hrtimer_restart ts_posix_timer(struct hrtimer *timer)
{
	enum hrtimer_restart (*own)(struct hrtimer *) = ts_posix_callback(), restart;
	struct ts_cpu *cpu = this_cpu_read(ts_processor);
	unsigned long flags;

	this_cpu_write(calling, timer);
	restart = own(timer);
	this_cpu_write(calling, NULL);
	if (restart == HRTIMER_NORESTART)
		return restart;
	local_irq_save(flags);
	if (ts_hold_restarted(cpu, timer))
		restart = HRTIMER_NORESTART;
	local_irq_restore(flags);
	return restart;
}

static void notrace on_posix_timer(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				   struct ftrace_regs *regs)
{
	struct hrtimer *timer = (struct hrtimer *)ftrace_regs_get_argument(regs, 0);
	struct ts_cpu *cpu = raw_cpu_read(ts_processor);

	if (cpu && READ_ONCE(cpu->on) && (ts_unprivileged || ts_files) && !timer->is_soft &&
	    raw_cpu_read(calling) != timer)
		ftrace_regs_set_instruction_pointer(regs, (unsigned long)ts_posix_timer);
}

static struct ftrace_ops restarting = { .func = on_posix_timer, .flags = FTRACE_OPS_FL_IPMODIFY };
#endif

static struct taken_over {
	const char *function;
	struct ftrace_ops *by;
	bool is;
} taken_over[] = {
	{ TS_ARMING_FUNCTION, &arming },
#ifdef TS_STARTING_FUNCTION
	{ TS_STARTING_FUNCTION, &starting },
#endif
#ifdef TS_POSIX_RESTARTS_ITSELF
	{ "posix_timer_fn", &restarting },
#endif
};

/* With the lock of the run queue, interrupts off. */
static void notrace on_switch(void *unused, bool preempted, struct task_struct *before, struct task_struct *next,
			      unsigned int state_before)
{
	struct ts_cpu *cpu = raw_cpu_read(ts_processor);
	int level = ts_level(next->prio), c;

	if (!cpu || !READ_ONCE(cpu->on) || (level == cpu->running && cpu->expected == TS_NONE))
		return;
	for (c = 0; c < TS_CLOCKS; c++)
		if (!ts_queue_is_empty(&cpu->clock[c].queue) || cpu->clock[c].programmed != KTIME_MAX)
			break;
	if (c == TS_CLOCKS) {
		cpu->running = level;
		cpu->expected = TS_NONE;
		return;
	}
	raw_spin_lock(&cpu->base.lock);
	if (cpu->on)
		ts_set_running(cpu, level);
	raw_spin_unlock(&cpu->base.lock);
}

/*
 * A thread is this urgent from now on; with interrupts off. If its priority has been written already, a processor
 * that runs it looks there, for it may have changed once more; if not, the run queue is locked until it has.
 */
static void changed(struct task_struct *task, int level, bool written)
{
	struct ts_cpu *cpu = READ_ONCE(per_cpu(ts_processor, task_cpu(task)));
	bool runs = READ_ONCE(task->on_cpu);

	/* Who is ready but does not run has no timer that matters: it will run, and see. */
	if (!cpu || !READ_ONCE(cpu->on) || (!runs && READ_ONCE(task->on_rq)))
		return;
	raw_spin_lock(&cpu->base.lock);
	if (!cpu->on) {
		raw_spin_unlock(&cpu->base.lock);
		return;
	}
	if (!runs) {
		ts_change_level(cpu, task, level);
	} else if (task == current) {
		ts_set_running(cpu, level);
	} else {
		cpu->running = level;
		cpu->look_at_priority |= written;
		smp_call_function_single_async(cpu->base.cpu, &cpu->look);
	}
	raw_spin_unlock(&cpu->base.lock);
}

/* Before the priority changes; with the lock of the thread's run queue. */
static void notrace on_inheritance(void *unused, struct task_struct *task, struct task_struct *from)
{
	changed(task, ts_level(from ? min(from->prio, task->normal_prio) : task->normal_prio), false);
}

static void notrace on_exit(void *unused, TS_EXIT_ARGUMENTS)
{
	unsigned long flags;
	int number;

	for_each_possible_cpu(number) {
		struct ts_cpu *cpu = READ_ONCE(per_cpu(ts_processor, number));

		if (!cpu)
			continue;
		raw_spin_lock_irqsave(&cpu->base.lock, flags);
		ts_thread_forget(cpu, task);
		raw_spin_unlock_irqrestore(&cpu->base.lock, flags);
	}
}

static int remember_thread(struct kretprobe_instance *call, struct pt_regs *regs)
{
	*(struct task_struct **)call->data = (struct task_struct *)regs_get_kernel_argument(regs, 0);
	return 0;
}

static int after_setscheduler(struct kretprobe_instance *call, struct pt_regs *regs)
{
	struct task_struct *task = *(struct task_struct **)call->data;
	unsigned long flags;

	local_irq_save(flags);
	changed(task, ts_level(READ_ONCE(task->prio)), true);
	local_irq_restore(flags);
	return 0;
}

/* Its timer is where it slept: nothing that runs there holds it back any more. */
static int after_set_cpus(struct kretprobe_instance *call, struct pt_regs *regs)
{
	struct task_struct *task = *(struct task_struct **)call->data;
	unsigned long flags;

	if (READ_ONCE(task->on_cpu) || cpumask_test_cpu(task_cpu(task), task->cpus_ptr))
		return 0;
	local_irq_save(flags);
	changed(task, 0, true);
	local_irq_restore(flags);
	return 0;
}

static struct kretprobe setscheduler = {
	.kp.symbol_name = "__sched_setscheduler",
	.entry_handler = remember_thread,
	.handler = after_setscheduler,
	.data_size = sizeof(struct task_struct *),
};

static struct kretprobe set_cpus = {
	.kp.symbol_name = "__set_cpus_allowed_ptr",
	.entry_handler = remember_thread,
	.handler = after_set_cpus,
	.data_size = sizeof(struct task_struct *),
};

static struct kretprobe *probes[] = { &setscheduler, &set_cpus };

static struct heard {
	const char *name;
	void *probe;
	struct tracepoint *point;
	bool on;
} heard[] = {
	{ "sched_switch", on_switch },
	{ "sched_pi_setprio", on_inheritance },
	{ "sched_process_exit", on_exit },
};

static void note_point(struct tracepoint *point, void *unused)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(heard); i++)
		if (!strcmp(point->name, heard[i].name))
			heard[i].point = point;
}

static int listen(void)
{
	int i, error;

	for_each_kernel_tracepoint(note_point, NULL);
	for (i = 0; i < ARRAY_SIZE(heard); i++) {
		if (!heard[i].point) {
			pr_err("timer_shield: this kernel has no tracepoint %s\n", heard[i].name);
			return -EOPNOTSUPP;
		}
		error = tracepoint_probe_register(heard[i].point, heard[i].probe, NULL);
		if (error)
			return error;
		heard[i].on = true;
	}
	return 0;
}

static void stop_listening(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(heard); i++)
		if (heard[i].on)
			tracepoint_probe_unregister(heard[i].point, heard[i].probe, NULL);
	tracepoint_synchronize_unregister();
}

static void give_up(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(taken_over); i++) {
		if (taken_over[i].is)
			unregister_ftrace_function(taken_over[i].by);
		taken_over[i].is = false;
		ftrace_free_filter(taken_over[i].by);
	}
	/* No thread is in a function of ours any more: they never sleep. */
	synchronize_rcu_tasks();
}

static int take_over(void)
{
	struct hrtimer_sleeper sleeper;
	int i, error;

	ts_setup_sleeper(&sleeper);
	wakes_a_thread = ts_callback(&sleeper.timer);
	destroy_hrtimer_on_stack(&sleeper.timer);
	for (i = 0; i < ARRAY_SIZE(taken_over); i++) {
		struct taken_over *one = &taken_over[i];

		error = ftrace_set_filter(one->by, (unsigned char *)one->function, strlen(one->function), 1);
		if (!error)
			error = register_ftrace_function(one->by);
		if (error) {
			pr_err("timer_shield: %s cannot be taken over (%d): something else may have it, or ftrace is off\n",
			       one->function, error);
			give_up();
			return error;
		}
		one->is = true;
	}
	return 0;
}

int ts_hooks_start(void)
{
	int error = listen();

	if (error)
		goto no_points;
	error = register_kretprobes(probes, ARRAY_SIZE(probes));
	if (error) {
		pr_err("timer_shield: changes of priority or of processors cannot be probed (%d)\n", error);
		goto no_points;
	}
	error = take_over();
	if (!error)
		return 0;
	unregister_kretprobes(probes, ARRAY_SIZE(probes));
no_points:
	stop_listening();
	return error;
}

/* First nothing more is held, then what is is given back. */
void ts_hooks_end(void)
{
	give_up();
	ts_processors_let_go();
	unregister_kretprobes(probes, ARRAY_SIZE(probes));
	stop_listening();
}
