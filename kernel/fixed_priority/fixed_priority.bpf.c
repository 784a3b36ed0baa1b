// SPDX-License-Identifier: GPL-2.0
/*
 * A scheduler for the threads of SCHED_EXT: the one with the smallest nice value runs.
 *
 *   ready:  nice -5 | nice 0 | nice 0 | nice 10      one queue for all processors
 *           ^ next                                   first in, first out among equals
 *
 * A thread runs until it waits, or until a thread with a smaller nice value becomes ready that ran last on
 * its processor. One that was preempted, also by a thread of another policy, keeps its place.
 *
 * Assumptions: 1. Linux has sched_ext; the types below are found in it by name. 2. No thread waits for longer
 * than TIMEOUT_MS: otherwise the kernel removes the scheduler and schedules the threads itself. 3. Processors
 * have numbers below CPUS; on others no thread is preempted.
 *
 * Not covered: a thread preempts on its own processor only, not the least urgent one of all; and of two
 * that preempt on one processor before that has taken the first, the second one does not go back
 * into the queue. Of the kernel's functions only those are used that Debian's 7.2.12 lets programs call:
 * its types lack what belongs to scx_bpf_kick_cpu and scx_bpf_select_cpu_dfl.
 *
 * Reference: Documentation/scheduler/sched-ext.rst of the kernel.
 */
typedef int s32;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SEC(name) __attribute__((section(name), used))
#define OF_THE_KERNEL __attribute__((preserve_access_index))

/* What is used of the kernel's types. */
struct scx_exit_info {
	int kind;
} OF_THE_KERNEL;
struct cpumask;
struct sched_ext_entity {
	u64 dsq_vtime;
} OF_THE_KERNEL;
struct task_struct {
	struct sched_ext_entity scx;
	int static_prio;
	const struct cpumask *cpus_ptr;
} OF_THE_KERNEL;
struct sched_ext_ops {
	s32 (*select_cpu)(struct task_struct *thread, s32 previous_cpu, u64 wake_flags);
	void (*enqueue)(struct task_struct *thread, u64 flags);
	void (*dispatch)(s32 cpu, struct task_struct *previous);
	void (*running)(struct task_struct *thread);
	void (*stopping)(struct task_struct *thread, _Bool runnable);
	s32 (*init)(void);
	void (*exit)(struct scx_exit_info *info);
	u64 flags;
	u32 timeout_ms;
	char name[128];
};

extern s32 scx_bpf_create_dsq(u64 queue, s32 node);
extern void scx_bpf_dsq_insert(struct task_struct *thread, u64 queue, u64 slice, u64 flags);
extern void scx_bpf_dsq_insert_vtime(struct task_struct *thread, u64 queue, u64 slice, u64 order,
				     u64 flags);
extern _Bool scx_bpf_dsq_move_to_local(u64 queue);
extern s32 scx_bpf_pick_idle_cpu(const struct cpumask *among, u64 flags);
extern _Bool scx_bpf_test_and_clear_cpu_idle(s32 cpu);
extern s32 scx_bpf_task_cpu(const struct task_struct *thread);
extern _Bool scx_bpf_task_set_dsq_vtime(struct task_struct *thread, u64 order);
extern _Bool scx_bpf_task_set_slice(struct task_struct *thread, u64 slice);

/* Of the kernel's enumerations. */
#define SWITCH_PARTIAL 8 /* threads of other policies stay where they are */
#define SLICE_INFINITE (~0ULL)
#define WAKEUP 1
#define QUEUE_OF_PROCESSOR 0x8000000000000002ULL
#define PREEMPTING (1ULL << 32)
#define ANY_NODE (-1)

#define READY 0
#define CPUS 64
#define TIMEOUT_MS 10000
/* More urgent than every thread: an empty processor is not preempted. */
#define NO_PRIORITY 0

/* In the order of the queue priorities precede the numbers of arrivals. */
#define ARRIVALS 48

/* Read by the program that loads it. */
u64 enqueued, dispatched, preempting, started, stopped, exit_kind;

/* The priority of the thread of SCHED_EXT that runs on each processor, or NO_PRIORITY. */
static s32 running_now[CPUS];
static u64 arrivals;

static inline void note(struct task_struct *thread, s32 priority)
{
	u32 cpu = scx_bpf_task_cpu(thread);

	if (cpu < CPUS)
		running_now[cpu] = priority;
}

/* An idle processor if there is one, so that the queue is looked at there. */
SEC("struct_ops/select_cpu")
s32 select_cpu(u64 *arguments)
{
	struct task_struct *thread = (struct task_struct *)arguments[0];
	s32 previous_cpu = arguments[1];
	s32 cpu;

	if (scx_bpf_test_and_clear_cpu_idle(previous_cpu))
		return previous_cpu;
	cpu = scx_bpf_pick_idle_cpu(thread->cpus_ptr, 0);
	return cpu >= 0 ? cpu : previous_cpu;
}

/* Its place in the queue: the one that it had, unless it arrives or has got another priority. */
static inline u64 place_of(struct task_struct *thread, u64 priority, u64 flags)
{
	u64 before = thread->scx.dsq_vtime;

	if (!(flags & WAKEUP) && before >> ARRIVALS == priority)
		return before;
	return priority << ARRIVALS | __sync_fetch_and_add(&arrivals, 1);
}

SEC("struct_ops/enqueue")
void enqueue(u64 *arguments)
{
	struct task_struct *thread = (struct task_struct *)arguments[0];
	u64 flags = arguments[1];
	s32 priority = thread->static_prio;
	u64 place = place_of(thread, priority, flags);
	u32 cpu = scx_bpf_task_cpu(thread);

	__sync_fetch_and_add(&enqueued, 1);
	if (cpu < CPUS && priority < running_now[cpu]) {
		__sync_fetch_and_add(&preempting, 1);
		running_now[cpu] = priority;
		scx_bpf_task_set_dsq_vtime(thread, place);
		scx_bpf_dsq_insert(thread, QUEUE_OF_PROCESSOR, SLICE_INFINITE, flags | PREEMPTING);
		return;
	}
	scx_bpf_dsq_insert_vtime(thread, READY, SLICE_INFINITE, place, flags);
}

SEC("struct_ops/dispatch")
void dispatch(u64 *arguments)
{
	if (scx_bpf_dsq_move_to_local(READY))
		__sync_fetch_and_add(&dispatched, 1);
}

SEC("struct_ops/running")
void running(u64 *arguments)
{
	struct task_struct *thread = (struct task_struct *)arguments[0];

	note(thread, thread->static_prio);
	__sync_fetch_and_add(&started, 1);
}

/* Without a slice it goes back into the queue, not to the head of its processor's own. */
SEC("struct_ops/stopping")
void stopping(u64 *arguments)
{
	struct task_struct *thread = (struct task_struct *)arguments[0];
	_Bool is_ready = arguments[1];

	note(thread, NO_PRIORITY);
	if (is_ready)
		scx_bpf_task_set_slice(thread, 0);
	__sync_fetch_and_add(&stopped, 1);
}

SEC("struct_ops.s/init")
s32 init(u64 *arguments)
{
	return scx_bpf_create_dsq(READY, ANY_NODE);
}

SEC("struct_ops/exit")
void exit_(u64 *arguments)
{
	struct scx_exit_info *info = (struct scx_exit_info *)arguments[0];

	exit_kind = info->kind;
}

SEC(".struct_ops.link")
struct sched_ext_ops fixed_priority = {
	.select_cpu = (void *)select_cpu,
	.enqueue = (void *)enqueue,
	.dispatch = (void *)dispatch,
	.running = (void *)running,
	.stopping = (void *)stopping,
	.init = (void *)init,
	.exit = (void *)exit_,
	.flags = SWITCH_PARTIAL,
	.timeout_ms = TIMEOUT_MS,
	.name = "fixed_priority",
};

char terms[] SEC("license") = "GPL";
