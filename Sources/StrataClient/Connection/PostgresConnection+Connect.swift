import CLibPQ
package import Logging

extension PostgresConnection {
    /// Connects, blocking this thread for at most `connect_timeout` (10 seconds unless set) for each host, and for as long again
    /// where a server has refused.
    ///
    /// - Parameter limits: how long the connection waits for answers later.
    /// Throws ``PostgresError``: `authenticationFailed` or `connectionFailed`, with the SQLSTATE where a server has refused.
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
        if PQstatus(connection) != CONNECTION_OK, let refusal = refusal(of: connection) {
            PQfinish(connection)
            throw refusal
        }
        guard PQsetnonblocking(connection, 1) == 0 else {
            PQfinish(connection)
            throw PostgresError(.connectionFailed, "The connection could not be set to non-blocking mode.")
        }
        return connection
    }

    /// Why there is no connection; `nil` where there is one after all.
    ///
    /// libpq gives out no SQLSTATE of a refused connection, and the server's words are in its language. But libpq writes the
    /// SQLSTATE in the place of the words when it is told so before it connects: a server that has refused is asked again.
    private static func refusal(of connection: OpaquePointer) -> PostgresError? {
        let message = message(of: connection)
        if PQconnectionNeedsPassword(connection) != 0 {
            return PostgresError(.authenticationFailed, message + Self.adviceOnUser)
        }
        // libpq writes two blanks behind the severity of a server's report, and nowhere else.
        guard message.contains(":  ") else { return PostgresError(.connectionFailed, message) }
        PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE)
        PQreset(connection)
        PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
        guard PQstatus(connection) != CONNECTION_OK else { return nil }
        guard let state = state(in: Self.message(of: connection)) else {
            return PostgresError(.connectionFailed, message)
        }
        var report = ServerReport(message: message)
        report.sqlState = state
        // Class 28: invalid authorization specification (manual, appendix A).
        let isAboutUser = state.hasPrefix("28")
        return PostgresError(
            PostgresError.Fields(
                code: isAboutUser ? .authenticationFailed : .connectionFailed,
                message: isAboutUser ? message + Self.adviceOnUser : message, server: report))
    }

    private static let adviceOnUser = ". Check user, password and the server's pg_hba.conf."

    /// The SQLSTATE at the end of `… failed: FATAL:  28P01`; of several servers, that of the last one.
    private static func state(in message: String) -> String? {
        let state = message.suffix(5)
        let isState = state.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
        return isState && message.hasSuffix(":  \(state)") ? String(state) : nil
    }

    private static func message(of connection: OpaquePointer) -> String {
        PQerrorMessage(connection).map { ServerReport.trimmed(String(cString: $0)) } ?? "unknown reason"
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
        var settings = limits.map { (name: $0.name, value: "\($0.milliseconds)") }
        if let timeZone = configuration.timeZone, isSessionOwn { settings.append(("TimeZone", timeZone)) }
        for (name, value) in settings {
            var parameters = PostgresParameters()
            try parameters.append(name)
            try parameters.append(value)
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
