/* What tracefs records of a switch and of a wake-up, written into a ring buffer instead. */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual MIT/GPL";
unsigned long long lost;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 26);
} records SEC(".maps");

struct thread {
	char name[16];
	int number, priority;
};

struct switched {
	u64 time;
	int kind, cpu;
	struct thread from, to;
	long state;
};

struct woken {
	u64 time;
	int kind, cpu;
	struct thread thread;
};

static __always_inline void say(struct thread *of, struct task_struct *task)
{
	__builtin_memcpy(of->name, task->comm, sizeof of->name);
	of->number = task->pid;
	of->priority = task->prio;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempted, struct task_struct *from, struct task_struct *to, unsigned int state)
{
	struct switched *record = bpf_ringbuf_reserve(&records, sizeof *record, 0);
	if (!record) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	record->time = bpf_ktime_get_ns();
	record->kind = 0;
	record->cpu = bpf_get_smp_processor_id();
	say(&record->from, from);
	say(&record->to, to);
	record->state = state;
	bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *task)
{
	struct woken *record = bpf_ringbuf_reserve(&records, sizeof *record, 0);
	if (!record) {
		__sync_fetch_and_add(&lost, 1);
		return 0;
	}
	record->time = bpf_ktime_get_ns();
	record->kind = 1;
	record->cpu = bpf_get_smp_processor_id();
	say(&record->thread, task);
	bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
	return 0;
}
