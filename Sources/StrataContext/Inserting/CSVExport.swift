import Foundation
import StrataModels
import StrataRepository

/// Values of objects on their way into a CSV file, page by page.
final class CSVExport<T: PersistentModel, Row> {
    let pages: ValuePages<T, Row>
    /// What was taken of the pages and not written yet, behind the names of the properties.
    var text = CSVText()
    /// Where the next page begins; `nil` for the first, and after the last.
    private(set) var cursor: PageCursor?
    /// How many objects were taken.
    private(set) var count = 0
    private let fields: (Row) -> [String?]

    /// Begins the text with the names of the properties.
    init<each Value: CSVValue & Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting properties: (repeat KeyPath<T, each Value>),
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
        text.append(names)
    }

    private static var pageSize: Int { 2000 }

    /// Takes a page.
    func append(_ page: ValuePage<Row>) {
        for row in page.rows { text.append(fields(row)) }
        count += page.rows.count
        cursor = page.next
    }
}
