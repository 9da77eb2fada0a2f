extension PostgresError {
    /// Classifies what the server reported.
    ///
    /// - Parameter reason: why the server was asked to stop, if it was.
    init(report: ServerReport, stoppedBecause reason: QueryCancellation.Reason?) {
        let code: Code
        switch report.sqlState {
        case "28000", "28P01":
            code = .authenticationFailed
        case "57014":
            // One SQLSTATE for both: only the text tells a timeout of the server from a request that somebody else made.
            code =
                switch reason {
                case .caller: .cancelled
                case .callLimit, .silence: .timeout
                case nil: report.message.contains("timeout") ? .timeout : .cancelled
                }
        case "26000":
            code = .stalePreparedStatement
        case "0A000" where report.sourceFunction == "RevalidateCachedQuery":
            code = .stalePreparedStatement
        default:
            code = report.isFatal ? .connectionLost : .server
        }
        self.init(Fields(code: code, message: report.messageWithAdvice, server: report, wasSent: true))
    }
}

extension ServerReport {
    /// The primary message without values, and what to do where a pooler has a part in it.
    var messageWithAdvice: String { [publicMessage, adviceAboutPoolers].compactMap(\.self).joined(separator: ". ") }

    /// What to set where a pooler stands before the server, and the error is what comes of it.
    private var adviceAboutPoolers: String? {
        switch sqlState {
        case "26000", "42P05":
            "This connection's prepared statements are another process's, as behind a pooler in transaction mode: set the configuration's "
                + "preparedStatements to .unnamed, or let the pooler follow them (PgBouncer from 1.21 on: max_prepared_statements)"
        case "08P01" where message.contains("statement pooling mode"):
            "Saves and fetches of several statements are transactions: set PgBouncer's pool_mode to transaction"
        default: nil
        }
    }

    /// The primary message without values: errors of SQLSTATE class 22 (data exception) quote the offending value.
    var publicMessage: String {
        guard let sqlState, sqlState.hasPrefix("22") else { return message }
        var result = ""
        var isQuoted = false
        for character in message {
            if character == "\"" {
                if !isQuoted { result += "\"…\"" }
                isQuoted.toggle()
            } else if !isQuoted {
                result.append(character)
            }
        }
        return result
    }
}
