#include <malloc.h>

#include "internal.h"

static _Thread_local char message[1024];

const char *plain_error(void) { return message; }

int plain_fail(PGconn *connection, const char *doing) {
    snprintf(message, sizeof message, "%s: %s", doing, connection ? PQerrorMessage(connection) : "out of memory");
    return -1;
}

plain_connection *plain_open(const char *url) {
    PGconn *raw = PQconnectdb(url);
    if (PQstatus(raw) != CONNECTION_OK) {
        plain_fail(raw, "connect");
        PQfinish(raw);
        return NULL;
    }
    plain_connection *connection = calloc(1, sizeof *connection);
    connection->raw = raw;
    return connection;
}

void plain_close(plain_connection *connection) {
    if (connection == NULL) return;
    PQfinish(connection->raw);
    for (int index = 0; index < connection->prepared_count; index++) free(connection->prepared[index]);
    free(connection);
}

int plain_take(plain_connection *connection, PGresult *result, const char *doing) {
    ExecStatusType status = PQresultStatus(result);
    PQclear(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_PIPELINE_SYNC
        || status == PGRES_SINGLE_TUPLE || status == PGRES_COPY_IN || status == PGRES_EMPTY_QUERY)
        return 0;
    return plain_fail(connection->raw, doing);
}

int plain_execute(plain_connection *connection, const char *sql) {
    return plain_take(connection, PQexec(connection->raw, sql), sql);
}

int64_t plain_number(plain_connection *connection, const char *sql) {
    PGresult *result = PQexec(connection->raw, sql);
    int64_t number = PQntuples(result) > 0 ? atoll(PQgetvalue(result, 0, 0)) : 0;
    return plain_take(connection, result, sql) < 0 ? -1 : number;
}

const char *plain_prepared(plain_connection *connection, const char *sql) {
    static const char *const names[STATEMENTS] = {
        "s0",  "s1",  "s2",  "s3",  "s4",  "s5",  "s6",  "s7",  "s8",  "s9",  "s10", "s11", "s12",
        "s13", "s14", "s15", "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25",
        "s26", "s27", "s28", "s29", "s30", "s31", "s32", "s33", "s34", "s35", "s36", "s37", "s38",
        "s39", "s40", "s41", "s42", "s43", "s44", "s45", "s46", "s47", "s48", "s49", "s50", "s51",
        "s52", "s53", "s54", "s55", "s56", "s57", "s58", "s59", "s60", "s61", "s62", "s63",
    };
    for (int index = 0; index < connection->prepared_count; index++)
        if (strcmp(connection->prepared[index], sql) == 0) return names[index];
    if (connection->prepared_count == STATEMENTS) return NULL;
    const char *name = names[connection->prepared_count];
    if (plain_take(connection, PQprepare(connection->raw, name, sql, 0, NULL), sql) < 0) return NULL;
    connection->prepared[connection->prepared_count++] = strdup(sql);
    return name;
}

int plain_begin_pipeline(plain_connection *connection) {
    return PQenterPipelineMode(connection->raw) ? 0 : plain_fail(connection->raw, "pipeline");
}

int plain_finish_pipeline(plain_connection *connection, const char *doing) {
    int outcome = 0;
    if (!PQpipelineSync(connection->raw)) return plain_fail(connection->raw, doing);
    for (;;) {
        PGresult *result = PQgetResult(connection->raw);
        if (result == NULL) {
            if (PQstatus(connection->raw) != CONNECTION_OK) return plain_fail(connection->raw, doing);
            continue;
        }
        bool is_end = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        // The first error is the reason; those after it only say that nothing more was carried out.
        if (outcome == 0) outcome = plain_take(connection, result, doing);
        else PQclear(result);
        if (is_end) break;
    }
    if (!PQexitPipelineMode(connection->raw)) return plain_fail(connection->raw, doing);
    return outcome;
}

void arena_release(arena *arena) {
    while (arena->first != NULL) {
        chunk *first = arena->first;
        arena->first = first->next;
        free(first);
    }
}

void plain_trim_memory(void) { malloc_trim(0); }

void plain_show_lines_at_once(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

int plain_keep_memory(int mebibytes) {
#ifdef M_TOP_PAD
    return mallopt(M_TOP_PAD, mebibytes << 20);
#else
    return 0;
#endif
}
