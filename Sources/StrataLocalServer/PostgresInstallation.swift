import Foundation

/// A folder with the programs of one PostgreSQL version.
struct PostgresInstallation: Hashable {
    /// The folder that holds `postgres`, `initdb` and `pg_ctl`.
    let binaries: String
    /// The major version, such as 17.
    let majorVersion: Int

    /// The variable with which a user names the folder.
    static let variable = "STRATA_POSTGRES_BIN"
    private static let programs = ["postgres", "initdb", "pg_ctl"]

    /// Finds the programs: the folder given, else `STRATA_POSTGRES_BIN`, else the usual places.
    ///
    /// A `majorVersion` is asked for when data of that version exist already.
    static func find(
        binaries: String? = nil,
        majorVersion: Int? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        usualPlaces: [String]? = nil
    ) throws(LocalServerError) -> PostgresInstallation {
        let named = binaries ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        let candidates = named.map { [$0] } ?? usualPlaces ?? Self.usualPlaces(environment: environment)
        var found: [PostgresInstallation] = []
        for folder in candidates where hasPrograms(folder) {
            guard let version = try version(of: folder) else { continue }
            let installation = PostgresInstallation(binaries: folder, majorVersion: version)
            if majorVersion == nil || version == majorVersion { return installation }
            found.append(installation)
        }
        if let majorVersion, !found.isEmpty {
            throw versionMismatch(wanted: majorVersion, found: found)
        }
        throw notFound(named: named, candidates: candidates)
    }

    /// Where packages put the programs, best first.
    private static func usualPlaces(environment: [String: String]) -> [String] {
        var places: [String] = []
        let configuration = try? ChildProcess.run(["pg_config", "--bindir"], until: Deadline(in: .seconds(5)))
        if let configuration, configuration.status == 0 {
            places.append(configuration.output.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        places += versionedFolders(in: "/usr/lib/postgresql", prefix: "")
        places += versionedFolders(in: "/usr", prefix: "pgsql-")
        places += versionedFolders(in: "/opt/homebrew/opt", prefix: "postgresql")
        places += versionedFolders(in: "/usr/local/opt", prefix: "postgresql")
        places += (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        var seen: Set<String> = []
        return places.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// The `bin` folders of `parent/prefix*`, newest version first.
    private static func versionedFolders(in parent: String, prefix: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return
            names
            .filter { $0.hasPrefix(prefix) && (prefix != "" || Int($0) != nil) }
            .sorted { (Int($0.filter(\.isNumber)) ?? 0) > (Int($1.filter(\.isNumber)) ?? 0) }
            .map { "\(parent)/\($0)/bin" }
    }

    private static func hasPrograms(_ folder: String) -> Bool {
        programs.allSatisfy { access("\(folder)/\($0)", X_OK) == 0 }
    }

    /// Reads `postgres (PostgreSQL) 15.20 (Debian …)`.
    private static func version(of folder: String) throws(LocalServerError) -> Int? {
        let outcome = try ChildProcess.run(["\(folder)/postgres", "--version"], until: Deadline(in: .seconds(10)))
        guard let text = outcome.output.split(separator: " ").first(where: { $0.first?.isNumber == true }) else {
            return nil
        }
        return Int(text.prefix(while: \.isNumber))
    }

    private static func versionMismatch(wanted: Int, found: [PostgresInstallation]) -> LocalServerError {
        let list = found.map { "\($0.majorVersion) in \($0.binaries)" }.joined(separator: ", ")
        return LocalServerError(
            .versionMismatch,
            """
            the data directory was written by PostgreSQL \(wanted), but only \(list) was found. Install PostgreSQL \
            \(wanted), name its programs with \(variable)=/path/to/bin, or delete the data directory to start afresh.
            """
        )
    }

    private static func notFound(named: String?, candidates: [String]) -> LocalServerError {
        let place =
            named.map { "in \($0), the folder named by the caller or by \(variable)" }
            ?? "in any of \(candidates.joined(separator: ", "))"
        return LocalServerError(
            .postgresNotFound,
            """
            PostgreSQL's programs (\(programs.joined(separator: ", "))) were not found \(place). Install them \
            (Debian, Ubuntu: apt-get install postgresql; macOS: brew install postgresql@17), name their folder with \
            \(variable)=/path/to/bin, or name a server with DATABASE_URL or the PG* variables.
            """
        )
    }
}
