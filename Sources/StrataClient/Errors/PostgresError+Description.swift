extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line for logs: code, SQLSTATE, message, place, statement and hint; no stored values, no password.
    public var description: String {
        var text = "PostgreSQL \(code)"
        if let sqlState { text += " \(sqlState)" }
        text += ": \(message)"
        var place: [String] = []
        if let schema, let table {
            place.append("table \(schema).\(table)")
        } else if let table {
            place.append("table \(table)")
        }
        if let column { place.append("column \(column)") }
        if let constraint { place.append("constraint \(constraint)") }
        if let dataType { place.append("type \(dataType)") }
        if let position { place.append("position \(position)") }
        if !place.isEmpty { text += " (\(place.joined(separator: ", ")))" }
        if let statementName { text += " in statement \"\(statementName)\"" }
        if let hint { text += ". Hint: \(hint)" }
        return text
    }

    /// The description with the server's DETAIL, CONTEXT and the SQL text. It may hold values the user stored.
    public var debugDescription: String {
        var text = description
        if let serverMessage, serverMessage != message { text += "\nMESSAGE: \(serverMessage)" }
        if let detail { text += "\nDETAIL: \(detail)" }
        if let serverContext { text += "\nCONTEXT: \(serverContext)" }
        if let statementText { text += "\nSQL: \(statementText)" }
        if let underlyingError { text += "\nCAUSE: \(underlyingError)" }
        return text
    }
}

extension PostgresError {
    /// The message with a full stop, for the end of another text.
    package var sentence: String { message.hasSuffix(".") ? message : message + "." }
}
