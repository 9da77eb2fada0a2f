extension LibraryFunction {
    /// A description with a change to it: see ``HistoryDifference``.
    ///
    /// Former names are those of the change alone: what an earlier stage has renamed is not renamed again.
    static let historyChanged = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_changed"(description jsonb, change jsonb)
        RETURNS jsonb LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            entities jsonb := (
                SELECT coalesce(jsonb_object_agg(e ->> 'name', (e - 'was') || jsonb_build_object('properties', (
                    SELECT coalesce(jsonb_object_agg(p ->> 'name', p - 'was'), '{}')
                    FROM jsonb_array_elements(e -> 'properties') AS p))), '{}')
                FROM jsonb_array_elements(description -> 'entities') AS e);
            links jsonb := (
                SELECT coalesce(jsonb_object_agg(l ->> 'table', l -> 'sides'), '{}')
                FROM jsonb_array_elements(description -> 'links') AS l);
            place record;
        BEGIN
            FOR place IN SELECT c.key AS name, c.value AS change FROM jsonb_each(change -> 'entities') AS c LOOP
                IF place.change = 'null' THEN
                    entities := entities - place.name;
                    CONTINUE;
                ELSIF NOT entities ? place.name AND NOT place.change ? 'table' THEN
                    RAISE EXCEPTION USING ERRCODE = 'undefined_object',
                        MESSAGE = format('the history does not record %s, which this statement changes', place.name),
                        HINT = 'Let it record what the version of the database says (history sync of the migration tool), then go on.';
                END IF;
                entities := entities || jsonb_build_object(place.name, jsonb_strip_nulls(
                    coalesce(entities -> place.name, '{}') || place.change
                    || jsonb_build_object('name', place.name, 'properties',
                        coalesce(entities -> place.name -> 'properties', '{}') || (
                            SELECT coalesce(jsonb_object_agg(p.key, CASE jsonb_typeof(p.value)
                                WHEN 'object' THEN p.value || jsonb_build_object('name', p.key)
                                WHEN 'string' THEN jsonb_build_object('name', p.key, 'column', p.value) END), '{}')
                            FROM jsonb_each(place.change -> 'properties') AS p))));
            END LOOP;
            links := jsonb_strip_nulls(links || coalesce(change -> 'links', '{}'));
            RETURN jsonb_build_object(
                'entities', (
                    SELECT coalesce(jsonb_agg(e.value || jsonb_build_object('properties', (
                        SELECT coalesce(jsonb_agg(p.value ORDER BY p.key COLLATE "C"), '[]')
                        FROM jsonb_each(e.value -> 'properties') AS p)) ORDER BY e.key COLLATE "C"), '[]')
                    FROM jsonb_each(entities) AS e),
                'links', (
                    SELECT coalesce(jsonb_agg(
                        jsonb_build_object('table', l.key, 'sides', l.value) ORDER BY l.key COLLATE "C"), '[]')
                    FROM jsonb_each(links) AS l));
        END
        $function$
        """#)
}
