extension LibraryFunction {
    /// Divides the history into partitions by time, or goes on with that: a step, which is told; `NULL` when nothing is left to do.
    package static let historyPartition = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_partition"(every interval)
        RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off AS $function$
        DECLARE
            change regclass;
            tables text[] := '{history_transaction,history_change}';
            -- What is read in the moment that locks are held: so much takes some hundredths of a second.
            small bigint := 16 << 20;
            is_partitioned boolean;
            is_divided boolean;
            accessories text;
            part text;
            place record;
            bound xid8;
            lowest xid8;
            fresh integer;
        BEGIN
            IF every IS NULL OR every <= interval '0' THEN
                RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value',
                    MESSAGE = format('A partition of the history cannot hold what happens in %L.', every),
                    HINT = 'Say a time that is greater than nothing: interval ''7 days''.';
            END IF;
            IF pg_current_xact_id_if_assigned() IS NOT NULL OR current_setting('transaction_isolation') <> 'read committed' THEN
                RAISE EXCEPTION USING ERRCODE = 'active_sql_transaction',
                    MESSAGE = 'The history is partitioned by transactions of its own, under READ COMMITTED, which have not written before.',
                    HINT = 'Call history_partition outside of a transaction, again and again until it returns NULL.';
            END IF;
            -- One at a time; what is the case is looked at behind the other's end.
            PERFORM pg_advisory_xact_lock(1400140400, 0);
            change := to_regclass('strata.history_change');
            is_partitioned := (SELECT c.relkind = 'p' FROM pg_class AS c WHERE c.oid = change);
            is_divided := EXISTS (SELECT FROM pg_inherits AS i WHERE i.inhparent = change);
            IF to_regclass('strata.history_partition') IS NULL THEN
                -- One row a partition: the numbers of its transactions. Number 0 takes what no other one does, and says how long each is meant to last.
                CREATE TABLE IF NOT EXISTS "strata"."history_partition" (
                    "number" integer NOT NULL, "lower" xid8, "upper" xid8, "every" interval NOT NULL,
                    CONSTRAINT "history_partition_pkey" PRIMARY KEY ("number"));
                PERFORM "strata"."history_resemble"('history_transaction', 'history_partition');
            END IF;
            IF NOT is_partitioned AND is_divided THEN
                FOR place IN
                    SELECT c.conrelid::regclass AS leaf, c.conname FROM pg_inherits AS i
                    JOIN pg_constraint AS c ON c.conrelid = i.inhrelid
                    WHERE i.inhparent IN ('strata.history_transaction'::regclass, change) AND c.contype = 'c' AND NOT c.convalidated
                    ORDER BY 1 LIMIT 1
                LOOP
                    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', place.leaf, place.conname);
                    RETURN format('%s was read: its transactions are all below those of the next', place.leaf);
                END LOOP;
            ELSIF is_partitioned THEN
                UPDATE "strata"."history_partition" AS p SET "every" = history_partition.every
                WHERE p."number" = 0 AND p."every" <> history_partition.every;
                -- What nobody made a partition for in time stands in the one that takes everything.
                SELECT min(c."xid") INTO lowest FROM "strata"."history_change_0" AS c;
                IF lowest IS NULL OR lowest < (
                    SELECT max(p."upper") FROM "strata"."history_partition" AS p WHERE p."number" > 0)
                THEN
                    PERFORM "strata"."history_partition_ahead"();
                    RETURN NULL;
                END IF;
            END IF;

            accessories := "strata"."history_accessories"();
            IF accessories IS NOT NULL THEN
                RAISE EXCEPTION USING ERRCODE = 'feature_not_supported',
                    MESSAGE = format('The tables of the history have what their partitions would not have, or what would see the first of them only: %s.', accessories),
                    HINT = 'Drop it, and make it again on strata.history_transaction and strata.history_change when they are partitioned.';
            END IF;
            PERFORM "strata"."history_exclude"();
            -- Numbers that are given out from here on are not smaller. After a restore there may be greater ones.
            SELECT greatest(pg_snapshot_xmax(pg_current_snapshot()), (max(l.xid)::text::bigint + 1)::text::xid8) INTO bound FROM (
                SELECT max(c."xid") AS xid FROM "strata"."history_change" AS c UNION ALL
                SELECT (SELECT max(t."xid") FROM "strata"."history_transaction" AS t WHERE t."store" = s."number" AND t."generation" = g)
                FROM "strata"."store" AS s, generate_series(1, s."generation") AS g) AS l;

            IF is_partitioned THEN
                -- Without a parent that wants to have proved what its partitions hold: then the one that was full is a part like others.
                FOREACH part IN ARRAY tables LOOP
                    FOR place IN SELECT p."number" FROM "strata"."history_partition" AS p LOOP
                        EXECUTE format('ALTER TABLE "strata".%I DETACH PARTITION "strata".%I', part, part || '_' || place."number");
                    END LOOP;
                    PERFORM "strata"."history_stand_in"(part, part || '_former', '');
                    EXECUTE format('DROP TABLE "strata".%I', part || '_former');
                    FOR place IN SELECT p."number" FROM "strata"."history_partition" AS p LOOP
                        EXECUTE format('ALTER TABLE "strata".%I INHERIT "strata".%I', part || '_' || place."number", part);
                    END LOOP;
                END LOOP;
                SELECT max(p."number") + 1, max(p."upper") INTO fresh, lowest FROM "strata"."history_partition" AS p;
                FOREACH part IN ARRAY tables LOOP
                    EXECUTE format('ALTER TABLE "strata".%I RENAME TO %I', part || '_0', part || '_' || fresh);
                    EXECUTE format('ALTER TABLE "strata".%I RENAME CONSTRAINT %I TO %I',
                        part || '_' || fresh, part || '_0_pkey', part || '_' || fresh || '_pkey');
                    PERFORM "strata"."history_enclose"(part, fresh, lowest, bound);
                END LOOP;
                DELETE FROM "strata"."history_partition" AS p WHERE p."number" = 0;
                INSERT INTO "strata"."history_partition" VALUES (fresh, lowest, bound, every);
                RETURN format('history_change_%s holds what stood beside the partitions', fresh);
            END IF;

            PERFORM "strata"."history_gather"() WHERE is_divided;
            SELECT coalesce(max(p."number"), 0) + 1, coalesce(max(p."upper"), '0') INTO fresh, lowest FROM "strata"."history_partition" AS p;

            IF pg_relation_size('strata.history_transaction') + pg_relation_size(change) > small THEN
                -- Too much to be read now: it becomes a part that nobody writes to, which can be read at leisure, and an empty table takes what comes.
                FOREACH part IN ARRAY tables LOOP
                    PERFORM "strata"."history_stand_in"(part, part || '_' || fresh, '');
                    FOR place IN SELECT p."number" FROM "strata"."history_partition" AS p LOOP
                        EXECUTE format('ALTER TABLE "strata".%I NO INHERIT "strata".%I', part || '_' || place."number", part || '_' || fresh);
                        EXECUTE format('ALTER TABLE "strata".%I INHERIT "strata".%I', part || '_' || place."number", part);
                    END LOOP;
                    PERFORM "strata"."history_enclose"(part, fresh, lowest, bound);
                    EXECUTE format('ALTER TABLE "strata".%I INHERIT "strata".%I', part || '_' || fresh, part);
                END LOOP;
                INSERT INTO "strata"."history_partition" VALUES (fresh, lowest, bound, every);
                RETURN format('history_change_%s holds what there was, and an empty table takes what comes', fresh);
            END IF;

            -- What is small enough is the first that lasts as long as it was asked for.
            bound := (bound::text::bigint + "strata"."history_pace"(every))::text::xid8;
            FOREACH part IN ARRAY tables LOOP
                PERFORM "strata"."history_stand_in"(part, part || '_' || fresh, 'PARTITION BY RANGE ("xid")');
                FOR place IN SELECT p."number" FROM "strata"."history_partition" AS p LOOP
                    EXECUTE format('ALTER TABLE "strata".%I NO INHERIT "strata".%I', part || '_' || place."number", part || '_' || fresh);
                END LOOP;
                PERFORM "strata"."history_enclose"(part, fresh, lowest, bound);
                EXECUTE format('ALTER TABLE "strata".%I VALIDATE CONSTRAINT %I', part || '_' || fresh, part || '_' || fresh || '_range');
                FOR place IN
                    SELECT p."number", p."lower", p."upper" FROM "strata"."history_partition" AS p UNION ALL SELECT fresh, lowest, bound
                LOOP
                    EXECUTE format('ALTER TABLE "strata".%I ATTACH PARTITION "strata".%I FOR VALUES FROM (%L) TO (%L)',
                        part, part || '_' || place."number", place."lower", place."upper");
                END LOOP;
                EXECUTE format('CREATE TABLE "strata".%I PARTITION OF "strata".%I DEFAULT', part || '_0', part);
                PERFORM "strata"."history_resemble"(part, part || '_0');
            END LOOP;
            INSERT INTO "strata"."history_partition" VALUES (fresh, lowest, bound, every), (0, NULL, NULL, every);
            RETURN format('history_change is partitioned, %s to begin with', fresh);
        END
        $function$
        """#)
}
