#include "internal.h"

/// Finds trips by their keys: open addressing, filled at most by half.
typedef struct {
    int64_t mask;
    int32_t *places;
} key_map;

static int64_t place_of(int64_t key, int64_t mask) {
    return (int64_t)(((uint64_t)key * 0x9E3779B97F4A7C15) >> 20) & mask;
}

static key_map map_trips(const plain_rows *rows) {
    int64_t size = 64;
    while (size < rows->count * 2) size *= 2;
    key_map map = {size - 1, malloc((size_t)size * sizeof(int32_t))};
    memset(map.places, 0xff, (size_t)size * sizeof(int32_t));
    for (int64_t index = 0; index < rows->count; index++) {
        int64_t place = place_of(rows->trips[index].key, map.mask);
        while (map.places[place] >= 0) place = (place + 1) & map.mask;
        map.places[place] = (int32_t)index;
    }
    return map;
}

static trip *find_trip(const plain_rows *rows, const key_map *map, int64_t key) {
    int64_t place = place_of(key, map->mask);
    while (map->places[place] >= 0) {
        trip *trip = &rows->trips[map->places[place]];
        if (trip->key == key) return trip;
        place = (place + 1) & map->mask;
    }
    return NULL;
}

/// Makes room for one more; `rows` grows by doubling.
static void *grow(void *rows, int count, size_t size) {
    if (count != 0 && (count < 64 || (count & (count - 1)) != 0)) return rows;
    return realloc(rows, (count == 0 ? 64 : (size_t)count * 2) * size);
}

static void take_item(plain_rows *rows, int index, const key_map *map, const PGresult *result) {
    rows->items = grow(rows->items, index, sizeof(item));
    item *item = &rows->items[index];
    item->key = get_int64(PQgetvalue(result, 0, 0));
    item->title = arena_text(&rows->texts, PQgetvalue(result, 0, 1), PQgetlength(result, 0, 1));
    item->has_reservation = *PQgetvalue(result, 0, 2);
    item->trip = get_int64(PQgetvalue(result, 0, 3));
    item->next = -1;
    trip *trip = find_trip(rows, map, item->trip);
    if (trip == NULL) return;
    item->next = trip->items++ == 0 ? -1 : trip->first_item;
    trip->first_item = index;
}

static void take_accommodation(plain_rows *rows, int index, const key_map *map, const PGresult *result) {
    rows->accommodations = grow(rows->accommodations, index, sizeof(accommodation));
    accommodation *place = &rows->accommodations[index];
    place->key = get_int64(PQgetvalue(result, 0, 0));
    place->place = arena_text(&rows->texts, PQgetvalue(result, 0, 1), PQgetlength(result, 0, 1));
    place->address = arena_text(&rows->texts, PQgetvalue(result, 0, 2), PQgetlength(result, 0, 2));
    place->trip = get_int64(PQgetvalue(result, 0, 3));
    trip *trip = find_trip(rows, map, place->trip);
    if (trip != NULL) trip->accommodation = index;
}

static int take_children(
    plain_connection *connection, plain_rows *rows, const key_map *map,
    void (*take)(plain_rows *, int, const key_map *, const PGresult *)) {
    int count = 0, outcome = 0;
    PGresult *result;
    PQsetSingleRowMode(connection->raw);
    while ((result = PQgetResult(connection->raw)) != NULL) {
        if (PQresultStatus(result) == PGRES_SINGLE_TUPLE) {
            take(rows, count++, map, result);
            PQclear(result);
        } else if (plain_take(connection, result, "graph") < 0) {
            outcome = -1;
        }
    }
    return outcome;
}

plain_rows *plain_fetch_graph(plain_connection *connection, int64_t end) {
    const char *items = plain_prepared(
        connection, "SELECT pk, title, has_reservation, trip FROM bucket_list_item WHERE trip = ANY($1::int8[])");
    const char *places = plain_prepared(
        connection, "SELECT pk, place_name, address, trip FROM living_accommodation WHERE trip = ANY($1::int8[])");
    if (items == NULL || places == NULL) return NULL;
    plain_rows *rows = plain_fetch_trips(connection, end);
    if (rows == NULL) return NULL;
    buffer keys = {0};
    array_begin(&keys, INT8, rows->count);
    for (int64_t index = 0; index < rows->count; index++) append_int64(&keys, rows->trips[index].key);
    const char *values[1] = {keys.bytes};
    const int lengths[1] = {(int)keys.used};
    if (plain_begin_pipeline(connection) < 0
        || !PQsendQueryPrepared(connection->raw, items, 1, values, lengths, plain_binary, 1)
        || !PQsendQueryPrepared(connection->raw, places, 1, values, lengths, plain_binary, 1)
        || !PQpipelineSync(connection->raw)) {
        plain_fail(connection->raw, "graph");
        return NULL;
    }
    free(keys.bytes);
    key_map map = map_trips(rows);
    int outcome = take_children(connection, rows, &map, take_item);
    if (take_children(connection, rows, &map, take_accommodation) < 0) outcome = -1;
    PQclear(PQgetResult(connection->raw));
    free(map.places);
    if (outcome == 0 && PQexitPipelineMode(connection->raw)) return rows;
    plain_release(rows);
    return NULL;
}
