// The ten workloads on libpq alone: prepared statements, binary values, pipelines, arrays of parameters, rows decoded one by
// one into plain structs. No identity map, no change tracking: what is measured beside it costs at least this much.
//
// Functions that return a number return -1 after an error; plain_error() then says what it was.
#ifndef PLAIN_H
#define PLAIN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct plain_connection plain_connection;
typedef struct plain_rows plain_rows;

/// What the last failed call of this thread met.
const char *plain_error(void);

// Connections.

/// NULL when the server cannot be reached.
plain_connection *plain_open(const char *url);
void plain_close(plain_connection *connection);
/// Runs statements and passes over what they return.
int plain_execute(plain_connection *connection, const char *sql);
/// The first value of the first row, as a number; 0 when there is none.
int64_t plain_number(plain_connection *connection, const char *sql);

// Rows in memory.

int64_t plain_count(const plain_rows *rows);
void plain_release(plain_rows *rows);

// Reading. Rows are taken as they arrive (libpq's single-row mode).

/// W2: all trips with what their classes add; those that start before `end` only, when it is not 0.
plain_rows *plain_fetch_trips(plain_connection *connection, int64_t end);
/// W3: the trips of one subclass.
plain_rows *plain_fetch_personal_trips(plain_connection *connection);
/// W4: one trip a statement. `nanoseconds` receives what each took.
int64_t plain_look_up(plain_connection *connection, const int64_t *keys, int64_t count, int64_t *nanoseconds);
/// W5: the first 50 trips whose name contains a text and that start on a day or later, in order. Returns rows.
int64_t plain_search(
    plain_connection *connection, const char *const *texts, const int64_t *starts, int64_t count, int64_t *nanoseconds);
/// W6: trips that start before `end` with their items and accommodation: two round trips.
plain_rows *plain_fetch_graph(plain_connection *connection, int64_t end);
/// W9: all trips, `batch` in memory at a time. `by_cursor`: a cursor with the next FETCH under way, instead of single rows.
int64_t plain_stream(plain_connection *connection, int64_t batch, bool by_cursor);
/// Rows of any statement. `types` has a letter a column: l, d, t, b for bigint (or timestamptz), double, text, boolean.
plain_rows *plain_fetch(plain_connection *connection, const char *sql, const char *types);
/// The same for several statements in one round trip.
plain_rows *plain_fetch_all(
    plain_connection *connection, const char *const *sql, const char *const *types, int64_t count);

// Writing.

/// What new trips say; texts are the caller's.
typedef struct {
    int64_t count;
    int64_t first_key;
    const char *const *names;
    const char *const *destinations;
    const char *const *reasons;
    const char *const *titles;
    int64_t start;
    int64_t end;
} plain_new_trips;

/// W1: trips of three classes with two items each, in one transaction. `by_copy`: COPY instead of arrays of parameters.
int64_t plain_insert(plain_connection *connection, const plain_new_trips *trips, bool by_copy);
/// Q6: sales by COPY, in one transaction, sent as they are put together.
int64_t plain_copy_sales(
    plain_connection *connection, int64_t count, int64_t first_key, const char *const *cities, int64_t city_count,
    int64_t start);
/// W7: reads trips that start before `end`, gives each another destination and commits: two round trips.
int64_t plain_change(plain_connection *connection, int64_t end, const char *const *destinations);
/// The keys of the trips above `lowest`, for plain_delete.
int64_t plain_keys(plain_connection *connection, int64_t lowest, int64_t *keys, int64_t capacity);
/// W8: deletes trips by their keys, with what refers to them.
int64_t plain_delete(plain_connection *connection, const int64_t *keys, int64_t count);

// Many at once.

/// What many workers did in a time.
typedef struct {
    int64_t operations;
    double seconds;
    double processor_seconds;
} plain_load;

/// What each worker does again and again.
typedef enum {
    /// Reads a trip.
    plain_work_look_up,
    /// W10: reads a trip, changes it and commits.
    plain_work_change,
    /// Q4: takes the first job of a queue that nobody else has, finishes it and commits.
    plain_work_job,
} plain_work;

/// As many threads as workers, each with a connection of its own, do some work. Changes are numbered from `first`. `nanoseconds` has
/// `capacity` places for each worker. Returns 0.
int plain_run_load(
    const char *url, int workers, double seconds, int64_t keys, plain_work work, int64_t first, plain_load *load,
    int64_t *nanoseconds, int64_t capacity, int64_t *counts);

// Counting round trips.

typedef struct plain_relay plain_relay;

/// Listens on a Unix socket and passes everything on to another, counting how often a client spoke after the server did.
plain_relay *plain_relay_start(const char *path, const char *server);
int64_t plain_relay_round_trips(plain_relay *relay);
void plain_relay_reset(plain_relay *relay);
void plain_relay_stop(plain_relay *relay);

// This machine.

/// Nanoseconds that a word takes from the first processor to the second and back, at best. Of a virtual machine it changes while it runs,
/// with the place that the host gives its processors: 70 on one chip, 350 on two. 0 where there is one processor, and elsewhere than on Linux.
double plain_processor_distance(void);

// This process.

/// Gives free memory back to the system, so that what is used next is seen.
void plain_trim_memory(void);
/// Makes what is printed appear line by line, also in a pipe.
void plain_show_lines_at_once(void);

/// Lets the allocator keep so much freed memory instead of giving it back to the system (mallopt(3)). 0 where there is no such allocator.
int plain_keep_memory(int mebibytes);

#endif
