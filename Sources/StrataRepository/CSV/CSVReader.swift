package import Foundation
import StrataClient
import StrataModels

/// The records of a CSV file, one after the other, whatever the length of the file. Each function blocks, or reads on a thread of its own.
package struct CSVReader {
    /// The file's first record.
    package let header: CSVHeader
    private let file: FileHandle
    private var parser: CSVParser

    /// The file's name, for errors.
    package var name: String { parser.name }

    /// Whether an empty line is a record: that of one field without text, where a file has one column that may be without a value.
    package var keepsEmptyLines: Bool {
        get { parser.keepsEmptyLines }
        set { parser.keepsEmptyLines = newValue }
    }

    /// Opens the file and reads its first record; blocks this thread.
    ///
    /// Throws ``SwiftDataError`` with the code `invalidValue` for a file that cannot be read, or has no record.
    package init(_ url: URL) throws {
        parser = CSVParser(url.lastPathComponent)
        file = try Self.open(url)
        header = try CSVHeader(Self.next(&parser, of: file), of: parser.name)
    }

    /// Opens the file and reads its first record. As the blocking form.
    package init(_ url: URL) async throws {
        parser = CSVParser(url.lastPathComponent)
        file = try await BlockingThread.valueUnlessCancelled("strata.csv") { try Self.open(url) }
        header = try await CSVHeader(Self.next(&parser, of: file), of: parser.name)
    }

    /// The next record; `nil` at the end. Blocks this thread.
    ///
    /// Throws ``SwiftDataError`` with the code `invalidValue`, and the line for what is no CSV.
    package mutating func next() throws -> CSVRecord? { try Self.next(&parser, of: file) }

    /// The next record; `nil` at the end. As the blocking form.
    package mutating func next() async throws -> CSVRecord? { try await Self.next(&parser, of: file) }

    private static func next(_ parser: inout CSVParser, of file: FileHandle) throws -> CSVRecord? {
        while true {
            switch try parser.next() {
            case .record(let record): return record
            case .end: return nil
            case .incomplete: parser.append(try read(file, parser.wanted, parser.name))
            }
        }
    }

    private static func next(_ parser: inout CSVParser, of file: FileHandle) async throws -> CSVRecord? {
        while true {
            switch try parser.next() {
            case .record(let record): return record
            case .end: return nil
            case .incomplete:
                let (count, name) = (parser.wanted, parser.name)
                parser.append(
                    try await BlockingThread.valueUnlessCancelled("strata.csv") { try read(file, count, name) })
            }
        }
    }

    // MARK: Blocking

    private static func open(_ url: URL) throws -> FileHandle {
        do { return try FileHandle(forReadingFrom: url) } catch { throw unreadable(url.lastPathComponent, error) }
    }

    private static func read(_ file: FileHandle, _ count: Int, _ name: String) throws -> [UInt8] {
        do { return Array(try file.read(upToCount: count) ?? Data()) } catch { throw unreadable(name, error) }
    }

    private static func unreadable(_ name: String, _ error: any Error) -> SwiftDataError {
        SwiftDataError(.invalidValue, "\(name) cannot be read: \(error.localizedDescription)")
    }
}
