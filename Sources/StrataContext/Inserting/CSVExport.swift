import Foundation
import StrataModels
import StrataRepository

/// Values of objects on their way into a CSV file, page by page.
final class CSVExport<T: PersistentModel, Row> {
    let pages: ValuePages<T, Row>
    /// Where the next page begins; `nil` for the first.
    var cursor: PageCursor?
    private let writer: CSVWriter
    private let fields: (Row) -> [String?]
    private var count = 0

    /// Begins the file with the names of the properties.
    init<each Value: CSVValue & Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting properties: (repeat KeyPath<T, each Value>), to url: URL,
        in context: ModelContext
    ) throws where Row == (repeat each Value) {
        let entity = try context.unit.place(of: T.self).entity
        var names: [String] = []
        repeat names.append(try entity.csvName(of: each properties))
        pages = context.valuePages(
            descriptor, repeat QueryColumn<T, each Value>.value(each properties), size: Self.pageSize)
        fields = { row in
            var fields: [String?] = []
            repeat fields.append((each row).csvField)
            return fields
        }
        writer = try CSVWriter(url)
        do { try writer.append(names) } catch {
            writer.discard()
            throw error
        }
    }

    private static var pageSize: Int { 2000 }

    /// Writes a page, and says where the next one begins; `nil` after the last.
    func write(_ page: (rows: [Row], next: PageCursor?)) throws -> PageCursor? {
        for row in page.rows { try writer.append(fields(row)) }
        count += page.rows.count
        return page.next
    }

    /// Puts the file in its place, and says how many objects it has.
    func finish() throws -> Int {
        try writer.finish()
        return count
    }

    /// Leaves nothing behind.
    func discard() { writer.discard() }
}
