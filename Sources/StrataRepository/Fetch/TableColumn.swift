import StrataClient
import StrataModels

/// A column, with the class whose table it is in.
struct TableColumn: Sendable {
    let owner: EntityMapping
    let column: Column

    init(_ column: Column, of owner: EntityMapping) {
        self.owner = owner
        self.column = column
    }

    private static let texts: Set = [
        PostgresType.text.oid, PostgresType.varchar.oid, PostgresType.bpchar.oid, PostgresType.name.oid,
    ]

    /// Whether values of a type are sent as a property that needs `type` reads them.
    static func fits(_ actual: UInt32, _ type: PostgresType) -> Bool {
        actual == type.oid || type == .text && texts.contains(actual)
    }

    /// What is to be said of a column that has another type in the database.
    func misfit(_ actual: UInt32) -> SwiftDataError {
        SwiftDataError(
            .storeDoesNotFit,
            "Column \(self) is \(PostgresType.named(actual)) in the database, but \(column.propertyName) needs "
                + "\(column.type). Migrate the table, or change the property's type.")
    }
}

extension TableColumn: CustomStringConvertible {
    var description: String { "\(owner.table.name).\(column.name)" }
}
