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

    /// Whether the server brings values of both types together as `type` (PostgreSQL manual, 10.5).
    static func isWidened(_ actual: UInt32, to type: PostgresType) -> Bool {
        switch type {
        case .int8: actual == PostgresType.int4.oid || actual == PostgresType.int2.oid
        case .int4: actual == PostgresType.int2.oid
        case .float8: actual == PostgresType.float4.oid
        default: false
        }
    }

    /// What is to be said of a column that has another type in the database.
    func misfit(_ actual: UInt32) -> SwiftDataError {
        SwiftDataError(
            .storeDoesNotFit, "\(complaint(actual)) Migrate the table, or change the property's type.")
    }

    /// The same for several columns; `nil` for none.
    static func misfit(
        _ misfits: [(column: TableColumn, actual: UInt32)], underlying: PostgresError?
    ) -> SwiftDataError? {
        guard !misfits.isEmpty else { return nil }
        let complaints = misfits.map { $0.column.complaint($0.actual) }.joined(separator: " ")
        return SwiftDataError(
            .storeDoesNotFit, "\(complaints) Migrate the table, or change the property's type.", underlying: underlying)
    }

    private func complaint(_ actual: UInt32) -> String {
        "Column \(self) is \(PostgresType.named(actual)) in the database, but \(column.propertyName) needs \(column.type)."
    }
}

extension TableColumn: CustomStringConvertible {
    var description: String { "\(owner.table.name).\(column.name)" }
}
