// How far apart two processors of the machine are: what two threads share costs each as much as it takes to hand it over.

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "plain.h"

#ifdef __linux__
enum { ROUNDS = 200000, ROUNDS_IN_A_ROW = 500 };

static _Atomic int ball;
static int places[2];

static void stay_on(int processor) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(processor, &only);
    pthread_setaffinity_np(pthread_self(), sizeof only, &only);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static void *give_back(void *unused) {
    (void)unused;
    stay_on(places[1]);
    for (int round = 0; round < ROUNDS; round++) {
        while (atomic_load(&ball) != 2 * round + 1) {}
        atomic_store(&ball, 2 * round + 2);
    }
    return NULL;
}

static void *hand_over(void *least) {
    double *best = least;
    stay_on(places[0]);
    double start = now();
    for (int round = 0; round < ROUNDS; round++) {
        atomic_store(&ball, 2 * round + 1);
        while (atomic_load(&ball) != 2 * round + 2) {}
        if (round % ROUNDS_IN_A_ROW < ROUNDS_IN_A_ROW - 1) continue;
        double end = now(), time = (end - start) / ROUNDS_IN_A_ROW;
        // Other work takes the processors from most of them.
        if (*best == 0 || time < *best) *best = time;
        start = end;
    }
    return NULL;
}

double plain_processor_distance(void) {
    cpu_set_t allowed;
    int count = 0;
    if (pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed) != 0) return 0;
    for (int processor = 0; processor < CPU_SETSIZE && count < 2; processor++) {
        if (CPU_ISSET(processor, &allowed)) places[count++] = processor;
    }
    double best = 0;
    pthread_t threads[2];
    if (count < 2) return 0;
    atomic_store(&ball, 0);
    if (pthread_create(&threads[1], NULL, give_back, NULL) != 0) return 0;
    // Without the first thread the second would wait for ever: this one takes its place then, for the rest of the program.
    if (pthread_create(&threads[0], NULL, hand_over, &best) == 0) pthread_join(threads[0], NULL);
    else hand_over(&best);
    pthread_join(threads[1], NULL);
    return best;
}
#else
double plain_processor_distance(void) { return 0; }
#endif
