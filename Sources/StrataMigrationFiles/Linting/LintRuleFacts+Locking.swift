extension LintRule {
    var lockingFacts: LintRuleFacts {
        switch self {
        case .unreadableSql:
            .init(
                .error,
                "A string, name or comment does not end, or there is a command of psql's.",
                fix: "close what the message names")
        case .indexNotConcurrent:
            .init(
                .error, lock: "SHARE", "Writes wait until the whole index is built.",
                fix: "CREATE INDEX CONCURRENTLY, as a step of its own outside a transaction")
        case .dropIndexNotConcurrent:
            .init(
                .warning, lock: "ACCESS EXCLUSIVE", "Short, but it queues behind readers, and everyone else behind it.",
                fix: "DROP INDEX CONCURRENTLY")
        case .reindexNotConcurrent:
            .init(
                .error, lock: "SHARE on the table, ACCESS EXCLUSIVE on the index", versions: "CONCURRENTLY from 12",
                "Writes, and reads through the index, wait for the whole build.", fix: "REINDEX … CONCURRENTLY")
        case .concurrentInTransaction:
            .init(.error, "The server refuses it with 25001.", fix: "a step of its own outside a transaction")
        case .concurrentIndexServer:
            .init(
                .error, versions: "14.0 to 14.3", "These servers can build a corrupt index concurrently.",
                fix: "update the server to 14.4 or later")
        case .uniqueConstraintDirect:
            .init(
                .error, lock: "ACCESS EXCLUSIVE", "Reads and writes wait until the index is built.",
                fix: "CREATE UNIQUE INDEX CONCURRENTLY, then ADD CONSTRAINT … UNIQUE USING INDEX")
        case .columnUnique:
            .init(
                .error, lock: "ACCESS EXCLUSIVE",
                "The index is built at once, even over nothing but NULLs (2.1 s for 5M rows).",
                fix: "add the column, then CREATE UNIQUE INDEX CONCURRENTLY and ADD CONSTRAINT … UNIQUE USING INDEX")
        case .primaryKeyDirect:
            .init(
                .error, lock: "ACCESS EXCLUSIVE",
                "Builds the index, and scans the table where a column is nullable (0.9 s for 5M rows).",
                fix:
                    "prove and SET NOT NULL, build a unique index concurrently, then ADD PRIMARY KEY USING INDEX"
            )
        case .foreignKeyValidated:
            .init(
                .error, lock: "SHARE ROW EXCLUSIVE on both tables", "Writes to both tables wait for the whole scan.",
                fix: "ADD CONSTRAINT … NOT VALID, and VALIDATE CONSTRAINT in a later transaction")
        case .columnReferencesDefault:
            .init(
                .error, lock: "ACCESS EXCLUSIVE",
                "With a default every row is looked up (1.7 s for 5M rows); without one there is nothing to scan.",
                fix: "add the column without REFERENCES, then the foreign key NOT VALID, then VALIDATE")
        case .checkValidated:
            .init(
                .error, lock: "ACCESS EXCLUSIVE", "Reads and writes wait for the scan.",
                fix: "ADD CONSTRAINT … CHECK (…) NOT VALID, and VALIDATE CONSTRAINT in a later transaction")
        case .columnCheckInline:
            .init(
                .error, lock: "ACCESS EXCLUSIVE",
                "The whole table is scanned although the default is constant (0.9 s for 5M rows).",
                fix: "add the column first, the CHECK NOT VALID in the same transaction, VALIDATE later")
        case .validateInSameTransaction:
            .init(
                .error, "The lock of NOT VALID is kept during the scan of VALIDATE: nothing is gained.",
                fix: "VALIDATE CONSTRAINT in a transaction of its own")
        case .setNotNullUnproven:
            .init(
                .error, lock: "ACCESS EXCLUSIVE",
                versions: "a valid CHECK spares the scan from 12; NOT NULL … NOT VALID from 18",
                "Reads and writes wait for the scan (1.5 s for 5M rows), also when it ends in an error.",
                fix: "CHECK (… IS NOT NULL) NOT VALID, VALIDATE, then SET NOT NULL and drop the CHECK")
        case .typeRewrite:
            .init(
                .error, lock: "ACCESS EXCLUSIVE",
                "The table is rewritten and all its indexes are built again (int to bigint: 18 s for 5M rows).",
                fix: "a new column, a trigger, batches, and a swap; a warning where the old type is not known")
        case .volatileDefault:
            .init(
                .error, lock: "ACCESS EXCLUSIVE", versions: "constant and stable defaults are free from 11",
                "The table is rewritten to compute the default for every row.",
                fix: "add the column nullable, SET DEFAULT, fill in batches, prove, SET NOT NULL")
        case .identityColumn:
            .init(
                .error, lock: "ACCESS EXCLUSIVE", "The table is rewritten to number every row.",
                fix: "add the column nullable, SET DEFAULT nextval(…), fill in batches, prove, SET NOT NULL")
        case .generatedStored:
            .init(
                .error, lock: "ACCESS EXCLUSIVE", versions: "virtual columns are free from 18",
                "The table is rewritten.",
                fix:
                    "a column filled by a trigger and in batches, or #Generated, whose stage asks first, or a VIRTUAL one from 18"
            )
        case .domainColumn:
            .init(
                .error, lock: "ACCESS EXCLUSIVE", versions: "at least to 15",
                "A domain with a constraint rewrites the table even for a constant default (8.5 s for 5M rows).",
                fix: "use the domain's base type and a CHECK NOT VALID")
        case .domainConstraint:
            .init(
                .warning, lock: "SHARE on every table that uses it", "Every table with the domain is scanned.",
                fix: "put the CHECK on the tables")
        case .exclusionConstraint:
            .init(
                .error, lock: "ACCESS EXCLUSIVE", "The index is built at once; there is no form that is NOT VALID.",
                fix: "announce a maintenance window and allow this finding")
        case .validateWhileBlocking:
            .init(
                .error, "The transaction already blocks others, and now does so for the whole scan.",
                fix: "VALIDATE CONSTRAINT in a transaction of its own")
        case .repeatedRewrites:
            .init(
                .warning, lock: "ACCESS EXCLUSIVE",
                "Each statement rewrites the table again (19.9 s instead of 11.9 s for three).",
                fix: "one ALTER TABLE with all the changes")
        case .detachNotConcurrent:
            .init(
                .warning, lock: "ACCESS EXCLUSIVE on the parent", versions: "CONCURRENTLY from 14",
                "Readers of all partitions wait.",
                fix: "DETACH PARTITION … CONCURRENTLY, outside a transaction")
        case .vacuumFull:
            .init(
                .error, lock: "ACCESS EXCLUSIVE", "The table is rewritten while nobody can read it.",
                fix: "plain VACUUM, or a maintenance window")
        case .lockTable:
            .init(
                .error, lock: "as written, ACCESS EXCLUSIVE by default",
                "Held to the end of the transaction, without need.",
                fix: "leave it out: every statement takes the lock it needs")
        case .storageRewrite:
            .init(
                .error, lock: "ACCESS EXCLUSIVE",
                "SET LOGGED, UNLOGGED, TABLESPACE and ACCESS METHOD copy the whole table.", fix: "a maintenance window")
        case .ddlWithBulkChange:
            .init(
                .error, lock: "the DDL's, usually ACCESS EXCLUSIVE",
                "It lasts until the bulk change is committed: 37 s without reads for 5M rows.",
                fix: "two steps: the DDL in one transaction, the change in batches")
        case .createReferencesThenWork:
            .init(
                .error, lock: "SHARE ROW EXCLUSIVE on the referenced table",
                "Held while the rows are copied: 63 s without writes for 5M rows.",
                fix: "create the table without the foreign key, copy, then add it NOT VALID and VALIDATE")
        case .dropReferencesWithWork:
            .init(
                .error, lock: "ACCESS EXCLUSIVE on the referenced table too",
                "Dropping a foreign key or a child table stops readers of the parent.",
                fix: "a short step of its own with a lock_timeout")
        case .unboundedChange:
            .init(
                .error, lock: "ROW EXCLUSIVE and every row's",
                "Writers of the same rows wait for the whole statement, and the table doubles in size.",
                fix: "batches by key")
        case .recordedBulkChange:
            .init(
                .warning,
                "With a history trigger it takes 4 to 6 times as long and stores every row twice (5 GB for 5M rows).",
                fix: "decide: history off for this step, or allow this finding")
        case .lockTimeoutTooShort:
            .init(
                .warning, "Below deadlock_timeout (1 s) a lock is never won from a running autovacuum.",
                fix: "a lock_timeout of 1.5 s or more on the last attempt")
        case .lockTimeoutOnConcurrentIndex:
            .init(
                .error, "The wait for old snapshots counts too: the build is cancelled and leaves an INVALID index.",
                fix: "lock_timeout 0 for this step")
        case .missingLockTimeout:
            .init(
                .warning, "While a statement waits for its lock, every reader queues behind it.",
                fix: "SET lock_timeout and statement_timeout before it")
        default:
            .init(
                .warning, lock: "SHARE ROW EXCLUSIVE",
                "Short by itself, but kept while the rest of the transaction works.",
                fix: "CREATE, ENABLE or DISABLE TRIGGER as a step of its own")
        }
    }
}
