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

    /// Whether values of a type can be read from this column. In tables of somebody else keys may be smaller numbers, and moments may have no
    /// time zone: the sessions of such a store are in UTC.
    func takes(_ actual: UInt32) -> Bool {
        if let kind = column.slot.flatMap({ owner.referredKind($0) }), kind.isRead(of: actual) { return true }
        if column.slot.flatMap({ owner.referredKind($0) }) != .text, Self.fits(actual, column.type) { return true }
        guard owner.tables == .external else { return false }
        // Of numbers only keys are read in any width.
        let isKey = column.slot.map { owner.relationships[$0] != nil || owner.isKey($0) } ?? true
        return (column.type != .int8 || isKey) && Self.isReadable(actual, as: column.type)
    }

    /// Whether values of a type in a table of somebody else's are read as those of the type of a model.
    static func isReadable(_ actual: UInt32, as type: PostgresType) -> Bool {
        switch type {
        case .timestamptz: actual == PostgresType.timestamp.oid
        case .int8: isWidened(actual, to: .int8)
        default: false
        }
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
