/// Everything the database does for the history by itself, beginning with what others call.
///
/// Those that others call to read or fit what is recorded say `plan_cache_mode = force_generic_plan`, which holds for all that they
/// call: most sessions call them once or twice, and PostgreSQL would plan each statement of a loop anew, five times, before it kept
/// a plan. `history_sync` need not have compiled what it writes, either.
package enum LibraryFunctions {
    package static let all: [LibraryFunction] = [
        .historyVersion, .historyWake, .historyBegin, .historyResetEntities, .historySuspended, .historyReset,
        .historyHalt, .historyIdentify,
        .historyAdopt, .historyTryAdopt,
        .historyStatement, .historyKey, .historyRowKey, .historyHasKey, .historyComparison, .historyColumns,
        .historyClassExpression, .historyEntityPart,
        .historyLinkPart,
        .historyObjects, .historyExpected, .historyFound, .historyTriggers, .historySync, .historyRegister,
        .historyDescribe,
        .historyChanged, .historyFollow, .historyExpect,
        .historyFindings, .historyContext, .historyDelete, .historyCutoff, .historyPruneBelow, .historyPrune,
        .historyGrant, .historyForget,
        .historyPartition, .historyExclude, .historyStandIn, .historyResemble, .historyAccessories,
        .historyEnclose, .historyGather,
        .historyPartitionAhead, .historyPace, .historyExpire, .historyPartitionDrop, .historyPartitionSweep,
    ]

    /// What `history_grant(role, 'prune')` gives beside the deletion of rows.
    private static let pruning: [LibraryFunction] = [
        .historyPartitionAhead, .historyExpire, .historyPartitionDrop, .historyPartitionSweep,
    ]

    /// What ``LibraryFunction/historyVersion`` says: a database with a smaller number has functions of an older release.
    package static let version = Int(LibraryFunction.historyVersion.source.filter(\.isNumber)) ?? 0

    /// The statements that create them, or replace those of an earlier version. No table is locked.
    package static let creation: [String] = all.flatMap { [$0.creation, $0.revocation] } + [grants]

    /// A second owner of tables (`history_grant(role, 'own')`) calls what it was given, which calls functions that are new: whoever may fit triggers
    /// gets these, too. Whoever may delete old history gets what drops partitions of it.
    private static let grants = """
        DO $strata$
        DECLARE
            part record;
        BEGIN
            FOR part IN
                SELECT p.oid::pg_catalog.regprocedure::text AS name, a.grantee::pg_catalog.regrole::text AS role
                FROM pg_catalog.pg_proc AS s, pg_catalog.aclexplode(s.proacl) AS a, pg_catalog.pg_proc AS p
                WHERE a.grantee NOT IN (0, s.proowner) AND p.pronamespace = s.pronamespace
                    AND (s.oid = 'strata.history_sync(text)'::pg_catalog.regprocedure
                            AND p.proname = ANY ('{\(all.map(\.name).joined(separator: ","))}')
                        OR s.oid = 'strata.history_prune(text,timestamptz,bigint,integer)'::pg_catalog.regprocedure
                            AND p.proname = ANY ('{\(pruning.map(\.name).joined(separator: ","))}'))
                    AND NOT pg_catalog.has_function_privilege(a.grantee, p.oid, 'EXECUTE')
            LOOP
                EXECUTE 'GRANT EXECUTE ON FUNCTION ' || part.name || ' TO ' || part.role;
            END LOOP;
        END
        $strata$
        """
}
