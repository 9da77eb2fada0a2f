import CLibPQ
package import Logging

extension PostgresConnection {
    /// Connects, blocking this thread for at most `connect_timeout` (10 seconds unless set) for each host.
    ///
    /// - Parameter limits: how long the connection waits for answers later.
    /// Throws ``PostgresError``: `authenticationFailed` or `connectionFailed`.
    package static func connect(
        _ configuration: PostgresConfiguration, limits: AnswerLimits = .patient, logger: Logger = .disabled,
        observer: (any PostgresObserver)? = nil
    ) throws -> PostgresConnection {
        let raw = try open(configuration)
        let connection = PostgresConnection(
            raw: raw, configuration: configuration, limits: limits, logger: logger, observer: observer)
        try connection.prepareSession()
        logger.debug(
            "connected", metadata: ["connection": "\(connection.id)", "serverVersion": "\(connection.serverVersion)"])
        return connection
    }

    /// Connects without blocking the caller's thread.
    ///
    /// Looking up a host name blocks even in libpq's asynchronous functions, so the whole attempt runs on a thread of
    /// its own. When the task is cancelled the call throws at once, and the connection is closed when it is made.
    package static func connect(
        _ configuration: PostgresConfiguration, limits: AnswerLimits = .patient, logger: Logger = .disabled,
        observer: (any PostgresObserver)? = nil
    ) async throws -> PostgresConnection {
        try await BlockingThread.valueUnlessCancelled("strata.connect") {
            try connect(configuration, limits: limits, logger: logger, observer: observer)
        }
    }

    private static func open(_ configuration: PostgresConfiguration) throws(PostgresError) -> OpaquePointer {
        var options = configuration.optionsToConnect
        if let source = configuration.password {
            options.removeAll { $0.key == "password" }
            options.append(("password", try source.password()))
        }
        for (key, value) in options where key.utf8.contains(0) || value.utf8.contains(0) {
            throw PostgresError(.invalidConfiguration, "The connection option \(key) holds the character U+0000 (NUL).")
        }
        let connection = withCStrings(options.map(\.key)) { keywords in
            withCStrings(options.map(\.value)) { values in PQconnectdbParams(keywords, values, 0) }
        }
        guard let connection else {
            throw PostgresError(.connectionFailed, "libpq could not connect: out of memory.")
        }
        guard PQstatus(connection) == CONNECTION_OK else {
            defer { PQfinish(connection) }
            throw failure(of: connection)
        }
        guard PQsetnonblocking(connection, 1) == 0 else {
            PQfinish(connection)
            throw PostgresError(.connectionFailed, "The connection could not be set to non-blocking mode.")
        }
        return connection
    }

    private static func failure(of connection: OpaquePointer) -> PostgresError {
        let message = PQerrorMessage(connection).map { ServerReport.trimmed(String(cString: $0)) } ?? "unknown reason"
        // libpq does not give out the SQLSTATE of a refused connection.
        let isAboutUser =
            PQconnectionNeedsPassword(connection) != 0
            || ["authentication failed", "no pg_hba.conf entry", "no password supplied"].contains {
                message.contains($0)
            }
            || (message.contains("role \"") && message.contains("does not exist"))
        if isAboutUser {
            return PostgresError(
                .authenticationFailed, "\(message). Check user, password and the server's pg_hba.conf.")
        }
        return PostgresError(.connectionFailed, message)
    }

    /// What holds for the whole session. Not sent as `options=`, which poolers refuse.
    private func prepareSession() throws {
        // Behind a transaction pooler a session setting would stick to some other client's server; there each
        // transaction is begun READ ONLY instead.
        let isSessionOwn = configuration.preparedStatements != .unnamed
        var batch = PostgresBatch()
        if configuration.readOnly, isSessionOwn { batch.add(PostgresStatement(Self.readOnlySession)) }
        let limits = try configuration.limits.settings(serverVersion: serverVersion)
        guard limits.isEmpty || isSessionOwn else {
            throw PostgresError(
                .invalidConfiguration,
                "The configuration limits statements or transactions, and its statements are unnamed, as behind a pooler that "
                    + "shares sessions: the limits would hold for other clients. Give them to the role (ALTER ROLE … SET "
                    + "\(limits[0].name) = …), or use the context's timeout.")
        }
        for (name, milliseconds) in limits {
            var parameters = PostgresParameters()
            try parameters.append(name)
            try parameters.append("\(milliseconds)")
            batch.add(PostgresStatement(Self.sessionSetting, parameters: parameters))
        }
        try run(batch)
    }

    private static let sessionSetting = PreparedSQL(
        "SELECT pg_catalog.set_config($1, $2, false)", isCached: false)

    private static let readOnlySession = PreparedSQL(
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", isCached: false)
}

extension Logger {
    /// Says nothing.
    package static let disabled = Logger(label: "strata", factory: { _ in SwiftLogNoOpLogHandler() })
}

extension PostgresConfiguration {
    /// The options with the defaults that keep a program from hanging on a dead server.
    var optionsToConnect: [(key: String, value: String)] {
        var all = options
        func setDefault(_ key: String, _ value: String, variable: String? = nil) {
            if let variable, ConnectionString.value(of: variable) != nil { return }
            if all[key] == nil { all[key] = value }
        }
        setDefault("connect_timeout", "10", variable: "PGCONNECT_TIMEOUT")
        setDefault("keepalives", "1")
        setDefault("keepalives_idle", "30")
        setDefault("keepalives_interval", "10")
        setDefault("keepalives_count", "3")
        setDefault("tcp_user_timeout", "30000")
        setDefault("fallback_application_name", "strata")
        // Text is decoded as UTF-8, whatever PGCLIENTENCODING says.
        all["client_encoding"] = "UTF8"
        return all.sorted { $0.key < $1.key }
    }
}

/// Calls `body` with a NULL-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
    let copies = strings.map { string in
        string.utf8CString.withUnsafeBufferPointer { source in
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: source.count)
            _ = copy.initialize(from: source)
            return copy
        }
    }
    defer { for copy in copies { copy.deallocate() } }
    let pointers = copies.map { UnsafePointer($0.baseAddress) } + [nil]
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
}
