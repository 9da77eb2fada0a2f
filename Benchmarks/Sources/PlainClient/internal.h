// What the files of this target share.
#ifndef INTERNAL_H
#define INTERNAL_H

#include <endian.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plain.h"

#define STATEMENTS 64

struct plain_connection {
    PGconn *raw;
    char *prepared[STATEMENTS];
    int prepared_count;
};

/// Remembers a message for plain_error. Returns -1.
int plain_fail(PGconn *connection, const char *doing);

/// The name under which a statement is prepared, now or earlier; NULL after an error.
const char *plain_prepared(plain_connection *connection, const char *sql);
/// Checks and clears a result. Returns 0 or -1.
int plain_take(plain_connection *connection, PGresult *result, const char *doing);
/// Reads the results of a pipeline up to its end. Returns 0 or -1.
int plain_finish_pipeline(plain_connection *connection, const char *doing);
int plain_begin_pipeline(plain_connection *connection);

static inline int64_t plain_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Values in network order.

static inline int64_t get_int64(const char *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return (int64_t)be64toh(value);
}

static inline double get_double(const char *bytes) {
    int64_t bits = get_int64(bytes);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void put_int64(char *bytes, int64_t value) {
    uint64_t ordered = htobe64((uint64_t)value);
    memcpy(bytes, &ordered, sizeof ordered);
}

static inline void put_int32(char *bytes, int32_t value) {
    uint32_t ordered = htobe32((uint32_t)value);
    memcpy(bytes, &ordered, sizeof ordered);
}

// Memory that is given back all at once.

typedef struct chunk {
    struct chunk *next;
    size_t used, size;
    char bytes[];
} chunk;

typedef struct {
    chunk *first;
} arena;

static inline char *arena_text(arena *arena, const char *text, int length) {
    size_t need = (size_t)length + 1;
    chunk *first = arena->first;
    if (first == NULL || first->used + need > first->size) {
        size_t size = need > 262144 ? need : 262144;
        first = malloc(sizeof *first + size);
        first->next = arena->first;
        first->used = 0;
        first->size = size;
        arena->first = first;
    }
    char *copy = first->bytes + first->used;
    memcpy(copy, text, (size_t)length);
    copy[length] = 0;
    first->used += need;
    return copy;
}

void arena_release(arena *arena);

// Rows.

typedef struct {
    int64_t key, start, end;
    double perdiem;
    char *name, *destination, *reason;
    int name_length, destination_length, reason_length;
    char kind;
    int first_item, items;
    int accommodation;
} trip;

typedef struct {
    int64_t key, trip;
    char *title;
    bool has_reservation;
    /// Another item of the trip, or -1.
    int next;
} item;

typedef struct {
    int64_t key, trip;
    char *place, *address;
} accommodation;

/// A row of a statement that this target does not know.
typedef union {
    int64_t integer;
    double number;
    char *text;
} value;

struct plain_rows {
    int64_t count, capacity;
    trip *trips;
    item *items;
    accommodation *accommodations;
    value *values;
    size_t values_used, values_capacity;
    arena texts;
};

/// The columns of trips with what their classes add; a condition may follow.
#define TRIPS \
    "SELECT t.pk, t.class, t.name, t.destination, t.start_date, t.end_date, b.perdiem, p.reason FROM trip t " \
    "LEFT JOIN business_trip b ON b.pk = t.pk LEFT JOIN personal_trip p ON p.pk = t.pk"

plain_rows *plain_new_rows(void);
/// Decodes a row of TRIPS to the end of the rows.
void plain_add_trip(plain_rows *rows, const PGresult *result, int row);
/// Runs a statement of TRIPS and takes its rows as they arrive; NULL after an error.
plain_rows *plain_stream_trips(
    plain_connection *connection, const char *sql, int parameters, const char *const *values, const int *lengths);

static const int plain_binary[8] = {1, 1, 1, 1, 1, 1, 1, 1};

// Parameters that are arrays.

typedef struct {
    char *bytes;
    size_t used, size;
} buffer;

static inline char *buffer_room(buffer *buffer, size_t count) {
    if (buffer->used + count > buffer->size) {
        buffer->size = (buffer->used + count) * 2;
        buffer->bytes = realloc(buffer->bytes, buffer->size);
    }
    char *place = buffer->bytes + buffer->used;
    buffer->used += count;
    return place;
}

/// Begins an array of one dimension (PostgreSQL's array_recv).
static inline void array_begin(buffer *buffer, Oid type, int64_t count) {
    buffer->used = 0;
    char *head = buffer_room(buffer, 20);
    put_int32(head, count > 0 ? 1 : 0);
    put_int32(head + 4, 0);
    put_int32(head + 8, (int32_t)type);
    put_int32(head + 12, (int32_t)count);
    put_int32(head + 16, 1);
}

static inline void append_int64(buffer *buffer, int64_t number) {
    char *place = buffer_room(buffer, 12);
    put_int32(place, 8);
    put_int64(place + 4, number);
}

static inline void append_double(buffer *buffer, double number) {
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    append_int64(buffer, bits);
}

static inline void append_bool(buffer *buffer, bool flag) {
    char *place = buffer_room(buffer, 5);
    put_int32(place, 1);
    place[4] = flag;
}

static inline void append_text(buffer *buffer, const char *text, size_t length) {
    char *place = buffer_room(buffer, 4 + length);
    put_int32(place, (int32_t)length);
    memcpy(place + 4, text, length);
}

#define INT8 20
#define TEXT 25
#define FLOAT8 701
#define BOOLEAN 16
#define TIMESTAMPTZ 1184

#endif
