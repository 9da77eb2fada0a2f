import Foundation
import StrataMigrations

/// For programs: one document on the standard output, whether all went well or not.
struct JSONOutput: OutputRendering {
    func result(_ result: any CommandResult, of command: String) -> String {
        encode(Document(code: result.code?.rawValue ?? "ok", command: command, content: result))
    }

    func failure(_ error: MigrationError, of command: String) -> (text: String, isStandardOutput: Bool) {
        let content = Failure(
            message: error.message, places: error.places, fix: error.remedy, sqlState: error.sqlState,
            exit: error.code.exitCode)
        return (encode(Document(code: error.code.rawValue, command: command, content: content)), true)
    }

    func progress(_ line: ProgressLine) -> String? { nil }

    private func encode(_ document: Document) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        do {
            return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
        } catch {
            // Only a number that JSON does not know could come here; the reader still gets a document.
            return "{\"code\":\"unexpected\",\"message\":\"the result cannot be written as JSON\"}\n"
        }
    }

    private struct Failure: Encodable {
        var message: String
        var places: [String]
        var fix: String?
        var sqlState: String?
        var exit: Int32
    }

    /// The content's own keys, and two more beside them.
    private struct Document: Encodable {
        enum Key: String, CodingKey {
            case code, command
        }

        var code: String
        var command: String
        var content: any Encodable

        func encode(to encoder: any Encoder) throws {
            try content.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(code, forKey: .code)
            try container.encode(command, forKey: .command)
        }
    }
}
