import CLibPQ

/// The fields of a server's ErrorResponse or NoticeResponse (manual, section "Error and Notice Message Fields").
struct ServerReport: Sendable {
    var severity: String?
    var sqlState: String?
    var message: String
    var detail: String?
    var hint: String?
    var position: Int?
    var context: String?
    var schema: String?
    var table: String?
    var column: String?
    var dataType: String?
    var constraint: String?
    var sourceFunction: String?

    init(message: String) {
        self.message = message
    }

    init(_ result: OpaquePointer?) {
        func field(_ code: Character) -> String? {
            guard let ascii = code.asciiValue, let text = PQresultErrorField(result, Int32(ascii)) else { return nil }
            return String(cString: text)
        }
        // The letters are the protocol's own; libpq's PG_DIAG_ macros are the same characters.
        severity = field("V") ?? field("S")
        sqlState = field("C")
        message = field("M") ?? PQresultErrorMessage(result).map { Self.trimmed(String(cString: $0)) } ?? ""
        detail = field("D")
        hint = field("H")
        position = field("P").flatMap { Int($0) }
        context = field("W")
        schema = field("s")
        table = field("t")
        column = field("c")
        dataType = field("d")
        constraint = field("n")
        sourceFunction = field("R")
    }

    var isFatal: Bool { severity == "FATAL" || severity == "PANIC" }

    /// Whether the server ended the session where it looks for interruptions, which it does not within COMMIT: what it had not
    /// answered by then is not stored. Of a PANIC, or of a pooler that lost its server, that cannot be said.
    var isInterruption: Bool { severity == "FATAL" && sourceFunction == "ProcessInterrupts" }

    /// libpq ends its own messages with a line feed.
    static func trimmed(_ text: String) -> String {
        var text = text[...]
        while let last = text.last, last.isNewline || last == " " { text.removeLast() }
        return String(text)
    }
}
