extension LibraryFunction {
    /// Puts what transactions wrote that began before a part was set aside, and wrote afterwards, where their numbers belong.
    package static let historyGather = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_gather"()
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            leaf record;
        BEGIN
            FOR leaf IN SELECT p."number", p."lower", p."upper" FROM "strata"."history_partition" AS p WHERE p."number" > 0 LOOP
                EXECUTE format('WITH strays AS (DELETE FROM ONLY "strata"."history_change" AS c '
                    'WHERE c."xid" >= %L::xid8 AND c."xid" < %L::xid8 RETURNING c.*) INSERT INTO "strata".%I SELECT * FROM strays',
                    leaf."lower", leaf."upper", 'history_change_' || leaf."number");
                EXECUTE format('WITH strays AS (DELETE FROM ONLY "strata"."history_transaction" AS t USING "strata"."store" AS s '
                    'WHERE t."store" = s."number" AND t."generation" <= s."generation" AND t."xid" >= %L::xid8 AND t."xid" < %L::xid8 '
                    'RETURNING t.*) INSERT INTO "strata".%I SELECT * FROM strays',
                    leaf."lower", leaf."upper", 'history_transaction_' || leaf."number");
            END LOOP;
        END
        $function$
        """#)
}
