extension LibraryFunction {
    /// The transaction with the last of the newest `keep` changes: what is older may go. No row when there are no more.
    ///
    /// Reads as many entries of the index as are kept: to be asked once for any number of slices.
    package static let historyCutoff = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_cutoff"(
            schema_name text, keep bigint, OUT generation smallint, OUT xid xid8)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            store_number integer := (
                SELECT s."number" FROM "strata"."store" AS s WHERE s."schema_name" = history_cutoff.schema_name);
            entities integer[] := ARRAY(SELECT e."id" FROM "strata"."history_entity" AS e WHERE e."store" = store_number);
            place smallint;
            remaining bigint := keep;
            counted bigint;
        BEGIN
            IF keep IS NULL THEN
                RETURN;
            END IF;
            IF keep < 0 THEN
                RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value',
                    MESSAGE = format('The number of changes to keep is %s: it must not be negative.', keep),
                    HINT = '0 keeps none, NULL keeps any number.';
            END IF;
            -- Of nothing that is kept everything is older.
            IF keep = 0 THEN
                generation := 32767; xid := '18446744073709551615';
                RETURN;
            END IF;
            FOR place IN
                SELECT DISTINCT t."generation" FROM "strata"."history_transaction" AS t
                WHERE t."store" = store_number ORDER BY 1 DESC
            LOOP
                SELECT count(*), min(k."xid") INTO counted, xid FROM (
                    SELECT c."xid" FROM "strata"."history_change" AS c
                    WHERE c."generation" = place AND c."entity" = ANY (entities)
                    ORDER BY c."xid" DESC, c."seq" DESC LIMIT remaining) AS k;
                generation := place;
                remaining := remaining - counted;
                IF remaining <= 0 THEN
                    RETURN;
                END IF;
            END LOOP;
            -- There are fewer.
            generation := NULL; xid := NULL;
        END
        $function$
        """#)
}
