/*
 * What it costs to record switches: nothing recorded (0), tracefs (1), tracefs without names by number (2), eBPF (3).
 *
 * Two processes on processor 0 wake each other through pipes; their time of the processor, by a switch, is what recording
 * takes besides. A thread on processor 1 reads what is recorded every 10 ms and looks at none of it.
 */
#define _GNU_SOURCE
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "switches.skel.h"

#define FOLDER "/sys/kernel/tracing/instances/vorrang-recording"
enum { NOTHING, TRACEFS, WITHOUT_NAMES, EBPF };

static int kind;
static volatile int over;
static unsigned long long reading, records;
static struct ring_buffer *ring;

static unsigned long long now(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void pin(int cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static void put(const char *file, const char *text)
{
	char path[256];
	snprintf(path, sizeof path, FOLDER "/%s", file);
	int to = open(path, O_WRONLY | O_TRUNC);
	if (to < 0 || write(to, text, strlen(text)) < 0) {
		perror(path);
		exit(1);
	}
	close(to);
}

static int take(void *context, void *data, size_t size)
{
	(void)context, (void)data, (void)size;
	records++;
	return 0;
}

static void *reader(void *unused)
{
	static char page[4096];
	int from[2] = { -1, -1 };
	pin(1);
	for (int cpu = 0; cpu < 2 && (kind == TRACEFS || kind == WITHOUT_NAMES); cpu++) {
		char path[256];
		snprintf(path, sizeof path, FOLDER "/per_cpu/cpu%d/trace_pipe_raw", cpu);
		from[cpu] = open(path, O_RDONLY | O_NONBLOCK);
	}
	while (!over) {
		for (int cpu = 0; cpu < 2; cpu++)
			while (from[cpu] >= 0 && read(from[cpu], page, sizeof page) > 0)
				records++;
		if (ring)
			ring_buffer__consume(ring);
		usleep(10000);
	}
	reading = now(CLOCK_THREAD_CPUTIME_ID);
	close(from[0]), close(from[1]);
	return unused;
}

static pid_t player(int from, int to, int is_first, long turns, int result)
{
	pid_t child = fork();
	if (child)
		return child;
	char byte = 0;
	pin(0);
	for (long turn = 0; turn < turns; turn++) {
		if (is_first && write(to, &byte, 1) != 1)
			_exit(1);
		if (read(from, &byte, 1) != 1)
			_exit(1);
		if (!is_first && write(to, &byte, 1) != 1)
			_exit(1);
	}
	unsigned long long taken = now(CLOCK_PROCESS_CPUTIME_ID);
	_exit(write(result, &taken, sizeof taken) != sizeof taken);
}

int main(int count, char **words)
{
	int there[2], back[2], result[2];
	struct switches *programs = NULL;
	pthread_t thread;
	if (count < 3 || pipe(there) || pipe(back) || pipe(result))
		return 2;
	kind = atoi(words[1]);
	long turns = atol(words[2]);
	if (kind == TRACEFS || kind == WITHOUT_NAMES) {
		mkdir(FOLDER, 0700);
		put("buffer_size_kb", "8192");
		put("trace_clock", "mono");
		put("trace_options", kind == TRACEFS ? "record-cmd" : "norecord-cmd");
		put("events/sched/sched_switch/enable", "1");
		put("events/sched/sched_waking/enable", "1");
	} else if (kind == EBPF) {
		programs = switches__open_and_load();
		if (!programs || switches__attach(programs))
			return 1;
		ring = ring_buffer__new(bpf_map__fd(programs->maps.records), take, NULL, NULL);
	}
	pthread_create(&thread, NULL, reader, NULL);
	player(back[0], there[1], 1, turns, result[1]);
	player(there[0], back[1], 0, turns, result[1]);
	unsigned long long one = 0, other = 0;
	if (read(result[0], &one, sizeof one) < 0 || read(result[0], &other, sizeof other) < 0)
		return 1;
	while (wait(NULL) > 0)
		;
	over = 1;
	pthread_join(thread, NULL);
	rmdir(FOLDER);
	printf("%d: %llu ns a switch, %llu ns of the reader; %llu %s, %llu lost\n", kind, (one + other) / turns / 2,
	       reading / turns / 2, records, kind == EBPF ? "records" : "pages",
	       programs ? programs->bss->lost : 0);
	return 0;
}
