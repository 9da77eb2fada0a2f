#include "internal.h"

plain_rows *plain_new_rows(void) { return calloc(1, sizeof(plain_rows)); }

int64_t plain_count(const plain_rows *rows) { return rows == NULL ? -1 : rows->count; }

void plain_release(plain_rows *rows) {
    if (rows == NULL) return;
    free(rows->trips);
    free(rows->items);
    free(rows->accommodations);
    free(rows->values);
    arena_release(&rows->texts);
    free(rows);
}

void plain_add_trip(plain_rows *rows, const PGresult *result, int row) {
    if (rows->count == rows->capacity) {
        rows->capacity = rows->capacity > 0 ? rows->capacity * 2 : 64;
        rows->trips = realloc(rows->trips, (size_t)rows->capacity * sizeof(trip));
    }
    trip *trip = &rows->trips[rows->count++];
    trip->key = get_int64(PQgetvalue(result, row, 0));
    trip->kind = *PQgetvalue(result, row, 1);
    trip->name_length = PQgetlength(result, row, 2);
    trip->name = arena_text(&rows->texts, PQgetvalue(result, row, 2), trip->name_length);
    trip->destination_length = PQgetlength(result, row, 3);
    trip->destination = arena_text(&rows->texts, PQgetvalue(result, row, 3), trip->destination_length);
    trip->start = get_int64(PQgetvalue(result, row, 4));
    trip->end = get_int64(PQgetvalue(result, row, 5));
    trip->perdiem = PQgetisnull(result, row, 6) ? 0 : get_double(PQgetvalue(result, row, 6));
    if (PQgetisnull(result, row, 7)) {
        trip->reason = NULL;
        trip->reason_length = 0;
    } else {
        trip->reason_length = PQgetlength(result, row, 7);
        trip->reason = arena_text(&rows->texts, PQgetvalue(result, row, 7), trip->reason_length);
    }
    trip->items = 0;
    trip->accommodation = -1;
}

plain_rows *plain_stream_trips(
    plain_connection *connection, const char *sql, int parameters, const char *const *values, const int *lengths) {
    const char *name = plain_prepared(connection, sql);
    if (name == NULL) return NULL;
    if (!PQsendQueryPrepared(connection->raw, name, parameters, values, lengths, plain_binary, 1)
        || !PQsetSingleRowMode(connection->raw)) {
        plain_fail(connection->raw, sql);
        return NULL;
    }
    plain_rows *rows = plain_new_rows();
    int outcome = 0;
    PGresult *result;
    while ((result = PQgetResult(connection->raw)) != NULL) {
        if (PQresultStatus(result) == PGRES_SINGLE_TUPLE) {
            plain_add_trip(rows, result, 0);
            PQclear(result);
        } else if (plain_take(connection, result, sql) < 0) {
            outcome = -1;
        }
    }
    if (outcome == 0) return rows;
    plain_release(rows);
    return NULL;
}
