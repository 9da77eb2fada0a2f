#include "internal.h"

plain_rows *plain_fetch_trips(plain_connection *connection, int64_t end) {
    if (end == 0) return plain_stream_trips(connection, TRIPS, 0, NULL, NULL);
    char bytes[8];
    put_int64(bytes, end);
    const char *values[1] = {bytes};
    const int lengths[1] = {8};
    return plain_stream_trips(connection, TRIPS " WHERE t.start_date < $1", 1, values, lengths);
}

plain_rows *plain_fetch_personal_trips(plain_connection *connection) {
    return plain_stream_trips(
        connection,
        "SELECT t.pk, t.class, t.name, t.destination, t.start_date, t.end_date, NULL::float8, p.reason "
        "FROM personal_trip p JOIN trip t ON t.pk = p.pk",
        0, NULL, NULL);
}

int64_t plain_look_up(plain_connection *connection, const int64_t *keys, int64_t count, int64_t *nanoseconds) {
    int64_t found = 0;
    const char *name = plain_prepared(connection, TRIPS " WHERE t.pk = $1");
    if (name == NULL) return -1;
    for (int64_t index = 0; index < count; index++) {
        int64_t start = plain_now();
        char bytes[8];
        put_int64(bytes, keys[index]);
        const char *values[1] = {bytes};
        const int lengths[1] = {8};
        PGresult *result = PQexecPrepared(connection->raw, name, 1, values, lengths, plain_binary, 1);
        plain_rows rows = {0};
        for (int row = 0; row < PQntuples(result); row++) plain_add_trip(&rows, result, row);
        if (plain_take(connection, result, "look-up") < 0) return -1;
        found += rows.count;
        free(rows.trips);
        arena_release(&rows.texts);
        if (nanoseconds != NULL) nanoseconds[index] = plain_now() - start;
    }
    return found;
}

int64_t plain_search(
    plain_connection *connection, const char *const *texts, const int64_t *starts, int64_t count, int64_t *nanoseconds) {
    int64_t found = 0;
    const char *name = plain_prepared(
        connection, TRIPS " WHERE t.name ILIKE '%' || $1::text || '%' AND t.start_date >= $2::timestamptz "
                          "ORDER BY t.start_date LIMIT 50");
    if (name == NULL) return -1;
    for (int64_t index = 0; index < count; index++) {
        int64_t start = plain_now();
        char bytes[8];
        put_int64(bytes, starts[index]);
        const char *values[2] = {texts[index], bytes};
        const int lengths[2] = {(int)strlen(texts[index]), 8};
        PGresult *result = PQexecPrepared(connection->raw, name, 2, values, lengths, plain_binary, 1);
        plain_rows rows = {0};
        for (int row = 0; row < PQntuples(result); row++) plain_add_trip(&rows, result, row);
        if (plain_take(connection, result, "search") < 0) return -1;
        found += rows.count;
        free(rows.trips);
        arena_release(&rows.texts);
        if (nanoseconds != NULL) nanoseconds[index] = plain_now() - start;
    }
    return found;
}

static int64_t stream_rows(plain_connection *connection, int64_t batch) {
    const char *name = plain_prepared(connection, TRIPS);
    if (name == NULL) return -1;
    if (!PQsendQueryPrepared(connection->raw, name, 0, NULL, NULL, plain_binary, 1)
        || !PQsetSingleRowMode(connection->raw))
        return plain_fail(connection->raw, "stream");
    plain_rows rows = {0};
    int64_t total = 0;
    int outcome = 0;
    PGresult *result;
    while ((result = PQgetResult(connection->raw)) != NULL) {
        if (PQresultStatus(result) != PGRES_SINGLE_TUPLE) {
            if (plain_take(connection, result, "stream") < 0) outcome = -1;
            continue;
        }
        plain_add_trip(&rows, result, 0);
        PQclear(result);
        total++;
        if (rows.count == batch) {
            rows.count = 0;
            arena_release(&rows.texts);
        }
    }
    free(rows.trips);
    arena_release(&rows.texts);
    return outcome < 0 ? -1 : total;
}

static int send_fetch(plain_connection *connection, const char *fetch) {
    return PQsendQueryParams(connection->raw, fetch, 0, NULL, NULL, NULL, NULL, 1)
            && PQsendFlushRequest(connection->raw) && PQflush(connection->raw) >= 0
        ? 0
        : plain_fail(connection->raw, fetch);
}

static int64_t stream_cursor(plain_connection *connection, int64_t batch) {
    char fetch[64];
    snprintf(fetch, sizeof fetch, "FETCH %lld FROM plain_cursor", (long long)batch);
    if (plain_execute(connection, "BEGIN") < 0
        || plain_execute(connection, "DECLARE plain_cursor NO SCROLL CURSOR FOR " TRIPS) < 0
        || plain_begin_pipeline(connection) < 0)
        return -1;
    int64_t total = 0;
    int under_way = 2;
    bool is_at_end = false;
    if (send_fetch(connection, fetch) < 0 || send_fetch(connection, fetch) < 0) return -1;
    plain_rows rows = {0};
    while (under_way > 0) {
        PGresult *result = PQgetResult(connection->raw);
        if (result == NULL) continue;
        under_way--;
        int count = PQntuples(result);
        if (count < batch) is_at_end = true;
        if (!is_at_end) {
            if (send_fetch(connection, fetch) < 0) return -1;
            under_way++;
        }
        for (int row = 0; row < count; row++) plain_add_trip(&rows, result, row);
        if (plain_take(connection, result, "fetch") < 0) return -1;
        total += rows.count;
        rows.count = 0;
        arena_release(&rows.texts);
    }
    free(rows.trips);
    if (!PQsendQueryParams(connection->raw, "COMMIT", 0, NULL, NULL, NULL, NULL, 1)) return -1;
    return plain_finish_pipeline(connection, "commit") < 0 ? -1 : total;
}

int64_t plain_stream(plain_connection *connection, int64_t batch, bool by_cursor) {
    return by_cursor ? stream_cursor(connection, batch) : stream_rows(connection, batch);
}
