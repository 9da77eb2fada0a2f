import StrataModels

/// A table as queries over unsaved changes name it.
enum OverlaidTable: Hashable {
    /// The table of a class, by the index of its entity.
    case entity(Int)
    case join(TableName)
}

/// What a query asks of one table that unsaved changes touch.
///
/// Columns are asked for to compare with, or to be shown. A value that is compared is the unsaved one. A value that is shown
/// is the stored one: objects with unsaved changes keep theirs, and others are to hold what their rows hold.
final class TableRequest {
    let table: OverlaidTable
    /// What the query calls the table.
    let name: String
    private(set) var compared: [String] = []
    private(set) var shown: [String] = []
    private let reserved: Set<String>
    /// The key's columns, in the table of a class.
    private let key: [String]

    init(_ table: OverlaidTable, name: String, mapping: StoreMapping) {
        self.table = table
        self.name = name
        switch table {
        case .entity(let index):
            let entity = mapping.entities[index]
            key = entity.key.names
            let columns = entity.tableColumns + entity.propertyColumns + entity.hiddenColumns
            reserved = Set(columns.map(\.name) + key).union(entity.classColumn.map { [$0] } ?? [])
        case .join: (reserved, key) = ([], [])
        }
    }

    func compare(_ column: String) { if !compared.contains(column) { compared.append(column) } }
    func show(_ column: String) { if !shown.contains(column) { shown.append(column) } }

    /// The name under which a column is shown.
    func shownName(_ column: String) -> String {
        var name = "stored_" + String(shown.firstIndex(of: column) ?? shown.count)
        while reserved.contains(name) { name += "_" }
        return name
    }

    /// `saved0("pk", "name", "stored_0")`.
    var header: String {
        let columns = key + compared + shown.map(shownName)
        return "\(name)(\(columns.map(SQLFragment.quoted).joined(separator: ", ")))"
    }
}
