#include "internal.h"

#define CLASSES 3
static const char *const class_names[CLASSES] = {"Trip", "BusinessTrip", "PersonalTrip"};

/// A new trip as a program would have it in memory.
typedef struct {
    int64_t key, start, end, items[2];
    int kind;
    double perdiem;
    char name[48], destination[48], reason[48], titles[2][48];
} new_trip;

static new_trip *make_trips(const plain_new_trips *given) {
    new_trip *trips = malloc((size_t)given->count * sizeof(new_trip));
    for (int64_t index = 0; index < given->count; index++) {
        new_trip *trip = &trips[index];
        trip->key = given->first_key + index;
        trip->kind = (int)(index % CLASSES);
        trip->start = given->start;
        trip->end = given->end;
        trip->perdiem = (double)(index % 200);
        strcpy(trip->name, given->names[index]);
        strcpy(trip->destination, given->destinations[index]);
        strcpy(trip->reason, given->reasons[index]);
        for (int item = 0; item < 2; item++) {
            trip->items[item] = given->first_key + index * 2 + item;
            strcpy(trip->titles[item], given->titles[index * 2 + item]);
        }
    }
    return trips;
}

// Arrays of parameters: one statement a table, all in one round trip.

static int send(plain_connection *connection, const char *name, int count, buffer *buffers) {
    const char *values[8];
    int lengths[8];
    for (int index = 0; index < count; index++) {
        values[index] = buffers[index].bytes;
        lengths[index] = (int)buffers[index].used;
    }
    return PQsendQueryPrepared(connection->raw, name, count, values, lengths, plain_binary, 1)
        ? 0
        : plain_fail(connection->raw, "send");
}

static int send_text(plain_connection *connection, const char *sql) {
    return PQsendQueryParams(connection->raw, sql, 0, NULL, NULL, NULL, NULL, 1) ? 0 : plain_fail(connection->raw, sql);
}

static int send_rows(
    plain_connection *connection, const char *const names[4], const new_trip *trips, int64_t count, buffer *buffers) {
    array_begin(&buffers[0], INT8, count);
    array_begin(&buffers[1], TEXT, count);
    array_begin(&buffers[2], TEXT, count);
    array_begin(&buffers[3], TEXT, count);
    array_begin(&buffers[4], TIMESTAMPTZ, count);
    array_begin(&buffers[5], TIMESTAMPTZ, count);
    int64_t kinds[CLASSES] = {0};
    for (int64_t index = 0; index < count; index++) {
        const new_trip *trip = &trips[index];
        append_int64(&buffers[0], trip->key);
        append_text(&buffers[1], class_names[trip->kind], strlen(class_names[trip->kind]));
        append_text(&buffers[2], trip->name, strlen(trip->name));
        append_text(&buffers[3], trip->destination, strlen(trip->destination));
        append_int64(&buffers[4], trip->start);
        append_int64(&buffers[5], trip->end);
        kinds[trip->kind]++;
    }
    if (send(connection, names[0], 6, buffers) < 0) return -1;
    array_begin(&buffers[0], INT8, kinds[1]);
    array_begin(&buffers[1], FLOAT8, kinds[1]);
    for (int64_t index = 1; index < count; index += CLASSES) {
        append_int64(&buffers[0], trips[index].key);
        append_double(&buffers[1], trips[index].perdiem);
    }
    if (send(connection, names[1], 2, buffers) < 0) return -1;
    array_begin(&buffers[0], INT8, kinds[2]);
    array_begin(&buffers[1], TEXT, kinds[2]);
    for (int64_t index = 2; index < count; index += CLASSES) {
        append_int64(&buffers[0], trips[index].key);
        append_text(&buffers[1], trips[index].reason, strlen(trips[index].reason));
    }
    if (send(connection, names[2], 2, buffers) < 0) return -1;
    array_begin(&buffers[0], INT8, count * 2);
    array_begin(&buffers[1], TEXT, count * 2);
    array_begin(&buffers[2], BOOLEAN, count * 2);
    array_begin(&buffers[3], INT8, count * 2);
    for (int64_t index = 0; index < count; index++)
        for (int item = 0; item < 2; item++) {
            append_int64(&buffers[0], trips[index].items[item]);
            append_text(&buffers[1], trips[index].titles[item], strlen(trips[index].titles[item]));
            append_bool(&buffers[2], item == 0);
            append_int64(&buffers[3], trips[index].key);
        }
    return send(connection, names[3], 4, buffers);
}

static int insert_arrays(plain_connection *connection, const new_trip *trips, int64_t count) {
    const char *names[4] = {
        plain_prepared(
            connection, "INSERT INTO trip (pk, class, name, destination, start_date, end_date) SELECT * FROM "
                        "unnest($1::int8[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])"),
        plain_prepared(
            connection,
            "INSERT INTO business_trip (pk, perdiem) SELECT * FROM unnest($1::int8[], $2::float8[])"),
        plain_prepared(
            connection, "INSERT INTO personal_trip (pk, reason) SELECT * FROM unnest($1::int8[], $2::text[])"),
        plain_prepared(
            connection, "INSERT INTO bucket_list_item (pk, title, has_reservation, trip) SELECT * FROM "
                        "unnest($1::int8[], $2::text[], $3::bool[], $4::int8[])"),
    };
    for (int index = 0; index < 4; index++)
        if (names[index] == NULL) return -1;
    buffer buffers[6] = {0};
    if (plain_begin_pipeline(connection) < 0) return -1;
    int outcome = send_text(connection, "BEGIN");
    if (outcome == 0) outcome = send_rows(connection, names, trips, count, buffers);
    if (outcome == 0) outcome = send_text(connection, "COMMIT");
    for (int index = 0; index < 6; index++) free(buffers[index].bytes);
    int end = plain_finish_pipeline(connection, "insert");
    return outcome < 0 ? outcome : end;
}

// COPY: one round trip a table and more.

static void copy_begin(buffer *buffer) {
    buffer->used = 0;
    memcpy(buffer_room(buffer, 19), "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
}

static void copy_row(buffer *buffer, int columns) {
    uint16_t ordered = htobe16((uint16_t)columns);
    memcpy(buffer_room(buffer, 2), &ordered, 2);
}

static int copy(plain_connection *connection, const char *sql, buffer *buffer) {
    copy_row(buffer, -1);
    if (plain_execute(connection, sql) < 0) return -1;
    if (PQputCopyData(connection->raw, buffer->bytes, (int)buffer->used) != 1
        || PQputCopyEnd(connection->raw, NULL) != 1)
        return plain_fail(connection->raw, sql);
    int outcome = 0;
    PGresult *result;
    while ((result = PQgetResult(connection->raw)) != NULL)
        if (plain_take(connection, result, sql) < 0) outcome = -1;
    return outcome;
}

static int insert_copies(plain_connection *connection, const new_trip *trips, int64_t count) {
    buffer rows = {0};
    if (plain_execute(connection, "BEGIN") < 0) return -1;
    copy_begin(&rows);
    for (int64_t index = 0; index < count; index++) {
        const new_trip *trip = &trips[index];
        copy_row(&rows, 6);
        append_int64(&rows, trip->key);
        append_text(&rows, class_names[trip->kind], strlen(class_names[trip->kind]));
        append_text(&rows, trip->name, strlen(trip->name));
        append_text(&rows, trip->destination, strlen(trip->destination));
        append_int64(&rows, trip->start);
        append_int64(&rows, trip->end);
    }
    if (copy(connection,
             "COPY trip (pk, class, name, destination, start_date, end_date) FROM STDIN (FORMAT binary)", &rows) < 0)
        return -1;
    copy_begin(&rows);
    for (int64_t index = 1; index < count; index += CLASSES) {
        copy_row(&rows, 2);
        append_int64(&rows, trips[index].key);
        append_double(&rows, trips[index].perdiem);
    }
    if (copy(connection, "COPY business_trip (pk, perdiem) FROM STDIN (FORMAT binary)", &rows) < 0) return -1;
    copy_begin(&rows);
    for (int64_t index = 2; index < count; index += CLASSES) {
        copy_row(&rows, 2);
        append_int64(&rows, trips[index].key);
        append_text(&rows, trips[index].reason, strlen(trips[index].reason));
    }
    if (copy(connection, "COPY personal_trip (pk, reason) FROM STDIN (FORMAT binary)", &rows) < 0) return -1;
    copy_begin(&rows);
    for (int64_t index = 0; index < count; index++)
        for (int item = 0; item < 2; item++) {
            copy_row(&rows, 4);
            append_int64(&rows, trips[index].items[item]);
            append_text(&rows, trips[index].titles[item], strlen(trips[index].titles[item]));
            append_bool(&rows, item == 0);
            append_int64(&rows, trips[index].key);
        }
    int outcome = copy(
        connection, "COPY bucket_list_item (pk, title, has_reservation, trip) FROM STDIN (FORMAT binary)", &rows);
    free(rows.bytes);
    return outcome < 0 ? outcome : plain_execute(connection, "COMMIT");
}

static void append_sale(buffer *rows, int64_t key, const char *city, int64_t index, int64_t start) {
    int64_t sold = start + index * 60000000;
    copy_row(rows, 6);
    append_int64(rows, key);
    append_text(rows, city, strlen(city));
    append_int64(rows, index % 10);
    append_int64(rows, sold);
    if (index % 10 > 0)
        append_int64(rows, sold + 14 * 86400 * INT64_C(1000000));
    else
        put_int32(buffer_room(rows, 4), -1);
    append_double(rows, (double)(index % 1000));
}

int64_t plain_copy_sales(
    plain_connection *connection, int64_t count, int64_t first_key, const char *const *cities, int64_t city_count,
    int64_t start) {
    const char *sql = "COPY sale (pk, city, category, sold_at, due_at, price) FROM STDIN (FORMAT binary)";
    buffer rows = {0};
    if (plain_execute(connection, "BEGIN") < 0 || plain_execute(connection, sql) < 0) return -1;
    copy_begin(&rows);
    int outcome = 0;
    for (int64_t index = 0; index < count && outcome == 0; index++) {
        append_sale(&rows, first_key + index, cities[index % city_count], index, start);
        if (rows.used < 65536) continue;
        if (PQputCopyData(connection->raw, rows.bytes, (int)rows.used) != 1) outcome = -1;
        rows.used = 0;
    }
    copy_row(&rows, -1);
    if (outcome < 0 || PQputCopyData(connection->raw, rows.bytes, (int)rows.used) != 1
        || PQputCopyEnd(connection->raw, NULL) != 1)
        outcome = plain_fail(connection->raw, sql);
    PGresult *result;
    while ((result = PQgetResult(connection->raw)) != NULL)
        if (plain_take(connection, result, sql) < 0) outcome = -1;
    free(rows.bytes);
    if (outcome < 0 || plain_execute(connection, "COMMIT") < 0) return -1;
    return count;
}

int64_t plain_insert(plain_connection *connection, const plain_new_trips *given, bool by_copy) {
    new_trip *trips = make_trips(given);
    int outcome = by_copy ? insert_copies(connection, trips, given->count)
                          : insert_arrays(connection, trips, given->count);
    free(trips);
    return outcome < 0 ? -1 : given->count * 3;
}

int64_t plain_change(plain_connection *connection, int64_t end, const char *const *destinations) {
    const char *fetch = plain_prepared(connection, TRIPS " WHERE t.start_date < $1");
    const char *update = plain_prepared(
        connection, "UPDATE trip t SET destination = u.d FROM unnest($1::int8[], $2::text[]) u (k, d) WHERE t.pk = u.k");
    if (fetch == NULL || update == NULL) return -1;
    char bytes[8];
    put_int64(bytes, end);
    const char *values[1] = {bytes};
    const int lengths[1] = {8};
    if (plain_begin_pipeline(connection) < 0 || send_text(connection, "BEGIN") < 0
        || !PQsendQueryPrepared(connection->raw, fetch, 1, values, lengths, plain_binary, 1)
        || !PQpipelineSync(connection->raw))
        return plain_fail(connection->raw, "change");
    plain_rows rows = {0};
    int statement = 0;
    for (;;) {
        PGresult *result = PQgetResult(connection->raw);
        if (result == NULL) {
            // The trips come next: one by one.
            if (++statement == 1) PQsetSingleRowMode(connection->raw);
            continue;
        }
        ExecStatusType status = PQresultStatus(result);
        if (status == PGRES_SINGLE_TUPLE) {
            plain_add_trip(&rows, result, 0);
            PQclear(result);
        } else if (plain_take(connection, result, "change") < 0) {
            return -1;
        }
        if (status == PGRES_PIPELINE_SYNC) break;
    }
    buffer buffers[2] = {0};
    array_begin(&buffers[0], INT8, rows.count);
    array_begin(&buffers[1], TEXT, rows.count);
    for (int64_t index = 0; index < rows.count; index++) {
        trip *trip = &rows.trips[index];
        trip->destination_length = (int)strlen(destinations[index]);
        trip->destination = arena_text(&rows.texts, destinations[index], trip->destination_length);
        append_int64(&buffers[0], trip->key);
        append_text(&buffers[1], trip->destination, (size_t)trip->destination_length);
    }
    int outcome = send(connection, update, 2, buffers);
    if (outcome == 0) outcome = send_text(connection, "COMMIT");
    for (int index = 0; index < 2; index++) free(buffers[index].bytes);
    if (plain_finish_pipeline(connection, "change") < 0) outcome = -1;
    int64_t count = rows.count;
    free(rows.trips);
    arena_release(&rows.texts);
    return outcome < 0 ? -1 : count;
}

int64_t plain_keys(plain_connection *connection, int64_t lowest, int64_t *keys, int64_t capacity) {
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT pk FROM trip WHERE pk >= %lld ORDER BY pk", (long long)lowest);
    PGresult *result = PQexec(connection->raw, sql);
    int64_t count = PQntuples(result);
    for (int64_t index = 0; index < count && index < capacity; index++)
        keys[index] = atoll(PQgetvalue(result, (int)index, 0));
    return plain_take(connection, result, sql) < 0 ? -1 : count;
}

int64_t plain_delete(plain_connection *connection, const int64_t *keys, int64_t count) {
    const char *name = plain_prepared(connection, "DELETE FROM trip WHERE pk = ANY($1::int8[])");
    if (name == NULL) return -1;
    buffer buffer = {0};
    array_begin(&buffer, INT8, count);
    for (int64_t index = 0; index < count; index++) append_int64(&buffer, keys[index]);
    if (plain_begin_pipeline(connection) < 0) return -1;
    int outcome = send_text(connection, "BEGIN");
    if (outcome == 0) outcome = send(connection, name, 1, &buffer);
    if (outcome == 0) outcome = send_text(connection, "COMMIT");
    free(buffer.bytes);
    if (plain_finish_pipeline(connection, "delete") < 0) outcome = -1;
    return outcome < 0 ? -1 : count;
}
