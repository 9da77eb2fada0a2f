import StrataClient
import StrataRepository

/// What the library keeps in a database for itself, in the schema `strata`: the tables of the history and of the ledger, and
/// the functions that statements of migration files call.
///
/// No file carries it. A runner installs it before the first step, and `library` of the tool prints it for plain psql. Its
/// version is a number (`strata.history_version()`), which a file names in its first statement: a newer library runs the
/// files of an older one, and replaces its functions; an older one leaves those of a newer one alone.
package enum LibraryInstallation {
    package static let version = LibraryFunctions.version

    /// Safe to repeat, and to run over any older version.
    package static let statements: [String] =
        ["CREATE SCHEMA IF NOT EXISTS " + SQLFragment.quoted(LibrarySchema.name)]
        + LibrarySchema.definition.sequences.map {
            ifMissing($0.creation(in: LibrarySchema.name).text, "CREATE SEQUENCE")
        }
        + (LibrarySchema.definition.tables + MigrationLedger.definition.tables).map {
            ifMissing($0.creation(in: LibrarySchema.name).text, "CREATE TABLE")
        }
        + LibrarySchema.upgrade + [LibrarySchema.indexing(MigrationLedger.definition.tables)]
        + LibraryFunctions.creation + ownFunctions.flatMap { [$0.creation, $0.revocation] }
        + [CastProbe.creation]

    /// The same for psql, in one transaction that a newer library stops.
    package static var script: String {
        let guardian = """
            DO $strata$
            BEGIN
                IF (\(installed)) > \(version) THEN
                    RAISE EXCEPTION 'the database has functions of a newer version of the library than \(version)';
                END IF;
            END
            $strata$
            """
        let all = ["BEGIN", "SET LOCAL client_min_messages = warning", guardian] + statements + ["COMMIT"]
        return "-- Version \(version) of what Strata keeps in a database for itself: psql -v ON_ERROR_STOP=1 -f FILE\n"
            + all.map { $0 + ";\n" }.joined()
    }

    /// Those of migrations alone.
    static let ownFunctions: [LibraryFunction] = [.migrationBegin]

    /// A query of the version that a database has; NULL for none.
    static let installed = """
        SELECT max(substring(p.prosrc FROM '[0-9]+')::integer) FROM pg_catalog.pg_proc AS p \
        JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace \
        WHERE n.nspname = \(SQLFragment.literal(LibrarySchema.name)) \
        AND p.proname = \(SQLFragment.literal(LibraryFunction.historyVersion.name))
        """

    private static func ifMissing(_ text: String, _ command: String) -> String {
        command + " IF NOT EXISTS" + text.dropFirst(command.count)
    }
}

extension RunnerSession {
    /// Looks first: a role that may not create schemas can work with a library that is there.
    func installLibrary() throws {
        // IF NOT EXISTS does not wait for another session that is creating the same: that one wins, this one looks again.
        let lostRaces: Set = ["23505", "42P06", "42P07", "XX000"]
        for attempt in 1...5 {
            if try hasLibrary() {
                try completeIndexes()
                return
            }
            do {
                try transaction { for sql in LibraryInstallation.statements { try execute(sql) } }
                return
            } catch let error as PostgresError where attempt < 5 && lostRaces.contains(error.sqlState ?? "") {
                pause(.milliseconds(50))
            }
        }
    }

    /// Makes indexes that an upgrade has left out, because somebody was in the way or no runner had come yet. Without the right to, all works more slowly.
    private func completeIndexes() throws {
        let tables = LibrarySchema.definition.tables + MigrationLedger.definition.tables
        let areThere = tables.flatMap(\.indexes).map {
            "pg_catalog.to_regclass('\(LibrarySchema.name).\($0.name)') IS NOT NULL"
        }
        guard try !isTrue("SELECT " + areThere.joined(separator: " AND ")) else { return }
        do {
            try execute(LibrarySchema.indexing(tables))
        } catch let error as PostgresError where error.lacksRight {
            return
        }
    }

    /// Whether tables and functions are there, and those of this version of the library or of a newer one.
    private func hasLibrary() throws -> Bool {
        guard try ledger.exists() else { return false }
        let functions = LibraryFunctions.all + LibraryInstallation.ownFunctions
        // By their names: the catalog has no index by schema.
        var query: SQLFragment = """
            SELECT p.proname::text, pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(p.prosrc, 'UTF8')), 'hex'), \
            CASE WHEN p.proname = \(bind: LibraryFunction.historyVersion.name) \
            THEN pg_catalog.substring(p.prosrc, '[0-9]+')::integer END \
            FROM pg_catalog.pg_proc AS p WHERE p.pronamespace = \
            (SELECT n.oid FROM pg_catalog.pg_namespace AS n WHERE n.nspname = \(bind: LibrarySchema.name)) AND p.proname = ANY (
            """
        try query.append(texts: functions.map(\.name))
        query.append(raw: ")")
        let found = try rows(query) { row in
            (
                name: try row.decode(0, as: String.self), digest: try row.decode(1, as: String.self),
                version: try row.decodeIfPresent(2, as: Int32.self)
            )
        }
        if found.contains(where: { $0.version.map { $0 > LibraryInstallation.version } ?? false }) { return true }
        return functions.allSatisfy { function in
            found.contains { $0.name == function.name && $0.digest == function.digest }
        }
    }
}
