#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "internal.h"

typedef struct {
    plain_connection *connection;
    int number, workers;
    int64_t keys, capacity, first, *nanoseconds, operations;
    plain_work work;
    bool failed;
    char message[1024];
    atomic_bool *is_over;
} worker;

static int send_plain(plain_connection *connection, const char *sql) {
    return PQsendQueryPrepared(connection->raw, plain_prepared(connection, sql), 0, NULL, NULL, NULL, 1) ? 0 : -1;
}

/// BEGIN and the row, then the change and COMMIT: two round trips.
static int change(worker *worker, int64_t key, int64_t serial) {
    plain_connection *connection = worker->connection;
    PGconn *raw = connection->raw;
    char bytes[8], destination[48];
    put_int64(bytes, key);
    const char *values[2] = {bytes, destination};
    int lengths[2] = {8, 0};
    if (!PQenterPipelineMode(raw) || send_plain(connection, "BEGIN") < 0
        || !PQsendQueryPrepared(
            raw, plain_prepared(connection, TRIPS " WHERE t.pk = $1"), 1, values, lengths, plain_binary, 1)
        || !PQpipelineSync(raw))
        return plain_fail(raw, "send");
    plain_rows rows = {0};
    for (;;) {
        PGresult *result = PQgetResult(raw);
        if (result == NULL) continue;
        for (int row = 0; row < PQntuples(result); row++) plain_add_trip(&rows, result, row);
        bool is_end = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        if (plain_take(connection, result, "read") < 0) return -1;
        if (is_end) break;
    }
    int64_t found = rows.count;
    free(rows.trips);
    arena_release(&rows.texts);
    if (found != 1) return plain_fail(raw, "the row is missing");
    lengths[1] = snprintf(destination, sizeof destination, "Changed %lld", (long long)serial);
    if (!PQsendQueryPrepared(
            raw, plain_prepared(connection, "UPDATE trip SET destination = $2 WHERE pk = $1"), 2, values, lengths,
            plain_binary, 1)
        || send_plain(connection, "COMMIT") < 0)
        return plain_fail(raw, "send");
    return plain_finish_pipeline(connection, "change");
}

#define NEXT_JOB \
    "SELECT pk, number, payload FROM queued_job WHERE state = 0 ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED"
#define FINISH_JOB "UPDATE queued_job SET state = 1 WHERE pk = $1"

/// BEGIN and the next job, then its end and COMMIT: two round trips.
static int take_job(worker *worker) {
    plain_connection *connection = worker->connection;
    PGconn *raw = connection->raw;
    char bytes[8];
    const char *values[1] = {bytes};
    const int lengths[1] = {8};
    if (!PQenterPipelineMode(raw) || send_plain(connection, "BEGIN") < 0 || send_plain(connection, NEXT_JOB) < 0
        || !PQpipelineSync(raw))
        return plain_fail(raw, "send");
    int found = 0;
    for (;;) {
        PGresult *result = PQgetResult(raw);
        if (result == NULL) continue;
        if (PQntuples(result) == 1) {
            memcpy(bytes, PQgetvalue(result, 0, 0), sizeof bytes);
            found++;
        }
        bool is_end = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        if (plain_take(connection, result, "take a job") < 0) return -1;
        if (is_end) break;
    }
    if (found != 1) return plain_fail(raw, "the queue is empty");
    if (!PQsendQueryPrepared(raw, plain_prepared(connection, FINISH_JOB), 1, values, lengths, plain_binary, 1)
        || send_plain(connection, "COMMIT") < 0)
        return plain_fail(raw, "send");
    return plain_finish_pipeline(connection, "finish a job");
}

static int operate(worker *worker, int64_t key) {
    switch (worker->work) {
    case plain_work_look_up: return plain_look_up(worker->connection, &key, 1, NULL) == 1 ? 0 : -1;
    case plain_work_change: return change(worker, key, worker->first + worker->operations);
    default: return take_job(worker);
    }
}

/// What is prepared once a connection is no part of the work.
static int prepare(worker *worker) {
    static const char *const changing[] = {
        TRIPS " WHERE t.pk = $1", "BEGIN", "COMMIT", "UPDATE trip SET destination = $2 WHERE pk = $1", NULL};
    static const char *const taking[] = {NEXT_JOB, "BEGIN", "COMMIT", FINISH_JOB, NULL};
    for (const char *const *sql = worker->work == plain_work_job ? taking : changing; *sql != NULL; sql++)
        if (plain_prepared(worker->connection, *sql) == NULL) return -1;
    return 0;
}

static void *work(void *argument) {
    worker *worker = argument;
    uint64_t seed = (uint64_t)worker->number * 7919 + 1;
    // None where no row is chosen by its key.
    int64_t own = worker->keys < worker->workers ? 1 : worker->keys / worker->workers;
    while (!atomic_load_explicit(worker->is_over, memory_order_relaxed)) {
        seed = seed * 6364136223846793005 + 1442695040888963407;
        // Every worker has rows of its own.
        int64_t key = (int64_t)(seed >> 33) % own * worker->workers + worker->number + 1;
        int64_t start = plain_now();
        int outcome = operate(worker, key);
        if (outcome < 0) {
            worker->failed = true;
            strncpy(worker->message, plain_error(), sizeof worker->message - 1);
            return NULL;
        }
        if (worker->operations < worker->capacity) worker->nanoseconds[worker->operations] = plain_now() - start;
        worker->operations++;
    }
    return NULL;
}

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int plain_run_load(
    const char *url, int count, double seconds, int64_t keys, plain_work kind, int64_t first, plain_load *load,
    int64_t *nanoseconds, int64_t capacity, int64_t *counts) {
    worker *workers = calloc((size_t)count, sizeof *workers);
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    atomic_bool is_over = false;
    int outcome = 0;
    for (int index = 0; index < count; index++) {
        workers[index] = (worker){
            .connection = plain_open(url), .number = index, .workers = count, .keys = keys, .capacity = capacity,
            .nanoseconds = nanoseconds + index * capacity, .work = kind, .first = first,
            .is_over = &is_over};
        if (workers[index].connection == NULL) outcome = -1;
    }
    for (int index = 0; index < count && outcome == 0; index++) outcome = prepare(&workers[index]);
    if (outcome == 0) {
        double processor = processor_seconds();
        int64_t start = plain_now();
        for (int index = 0; index < count; index++) pthread_create(&threads[index], NULL, work, &workers[index]);
        struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
        nanosleep(&time, NULL);
        atomic_store(&is_over, true);
        for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
        load->seconds = (double)(plain_now() - start) / 1e9;
        load->processor_seconds = processor_seconds() - processor;
        load->operations = 0;
        for (int index = 0; index < count; index++) {
            load->operations += workers[index].operations;
            counts[index] = workers[index].operations < capacity ? workers[index].operations : capacity;
            if (workers[index].failed) outcome = plain_fail(NULL, workers[index].message);
        }
    }
    for (int index = 0; index < count; index++) plain_close(workers[index].connection);
    free(workers);
    free(threads);
    return outcome;
}
