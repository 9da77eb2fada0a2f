#include "internal.h"

/// Decodes a row whose columns are described by letters.
static void add_row(plain_rows *rows, const PGresult *result, const char *types, size_t width) {
    if (rows->values_used + width > rows->values_capacity) {
        rows->values_capacity = (rows->values_used + width + 512) * 2;
        rows->values = realloc(rows->values, rows->values_capacity * sizeof(value));
    }
    value *values = &rows->values[rows->values_used];
    rows->values_used += width;
    rows->count++;
    for (size_t column = 0; column < width; column++) {
        if (PQgetisnull(result, 0, (int)column)) {
            values[column].integer = 0;
            continue;
        }
        const char *bytes = PQgetvalue(result, 0, (int)column);
        switch (types[column]) {
        case 'l': values[column].integer = get_int64(bytes); break;
        case 'd': values[column].number = get_double(bytes); break;
        case 'b': values[column].integer = *bytes; break;
        default: values[column].text = arena_text(&rows->texts, bytes, PQgetlength(result, 0, (int)column));
        }
    }
}

plain_rows *plain_fetch(plain_connection *connection, const char *sql, const char *types) {
    return plain_fetch_all(connection, &sql, &types, 1);
}

plain_rows *plain_fetch_all(
    plain_connection *connection, const char *const *sql, const char *const *types, int64_t count) {
    const char *names[STATEMENTS];
    for (int64_t index = 0; index < count; index++)
        if ((names[index] = plain_prepared(connection, sql[index])) == NULL) return NULL;
    if (plain_begin_pipeline(connection) < 0) return NULL;
    for (int64_t index = 0; index < count; index++)
        if (!PQsendQueryPrepared(connection->raw, names[index], 0, NULL, NULL, NULL, 1)) return NULL;
    if (!PQpipelineSync(connection->raw)) return NULL;
    plain_rows *rows = plain_new_rows();
    int outcome = 0;
    for (int64_t index = 0; index < count; index++) {
        PQsetSingleRowMode(connection->raw);
        PGresult *result;
        size_t columns = strlen(types[index]);
        while ((result = PQgetResult(connection->raw)) != NULL) {
            if (PQresultStatus(result) == PGRES_SINGLE_TUPLE) {
                add_row(rows, result, types[index], columns);
                PQclear(result);
            } else if (plain_take(connection, result, sql[index]) < 0) {
                outcome = -1;
            }
        }
    }
    PGresult *end = PQgetResult(connection->raw);
    PQclear(end);
    PQexitPipelineMode(connection->raw);
    if (outcome == 0) return rows;
    plain_release(rows);
    return NULL;
}
