import StrataClient
package import StrataModels

/// How rows without objects are inserted into a class: which columns of which tables get what.
///
/// The columns of all tables stand side by side in one row of buffers. The key is not among them: it is known when it is known which
/// rows are new.
package final class RowInsertPlan {
    package let entity: EntityMapping
    /// The properties that the rows have values of.
    package let slots: SlotSet
    /// From the root down to the class.
    let tables: [Table]
    /// The types of the buffers.
    let types: [PostgresType]
    /// The buffers with the keys that rows bring, one for each column; none where they are given keys.
    let keyBuffers: [Int]
    /// What a buffer gets in each row that no value of the row is for.
    let constants: [Constant]
    /// The values of the rows, in their order.
    let values: [RowValue]
    /// The sets by which rows are compared with what is stored; none where equal rows are an error.
    let uniqueSets: [ComparedSet]
    /// The properties whose numbers have a precision, each with its buffer.
    let preciseBuffers: [(property: AnyAttributeProperty, precision: NumericPrecision, buffer: Int)]
    /// The columns that two properties have in common.
    let sharedBuffers: [SharedColumn]
    let policy: UniquePolicy
    /// What is written of a row whose unique values a stored one has.
    let updates: [Update]
    /// The properties that are written then.
    package let updatedSlots: SlotSet
    /// The buffer with the tenants that rows name; `nil` where they name none.
    let tenantBuffer: Int?
    package let mapping: StoreMapping

    /// How a value of a row is named.
    package enum NamedValue {
        case keyPath(AnyKeyPath, Any.Type)
        /// By the property's name; the type is not known of `nil`.
        case key(String, Any.Type?)
    }

    struct Table {
        let entity: EntityMapping
        /// After the key, where that has one column; otherwise its parts are among them.
        let columns: [Column]

        /// A column with the buffer that has its values, and the one that has them in the form of array parameters.
        struct Column {
            let name: String
            let buffer: Int
            let transported: Int
            /// The type to which array parameters are cast; `nil` where they are of it.
            let cast: PostgresType?
        }

        /// Whether the key comes first, which the rows do not have among their values.
        var hasKey: Bool { entity.key.isSingle }

        /// The statement that takes its rows.
        var copy: String {
            let names = ((hasKey ? entity.key.names : []) + columns.map(\.name)).map(SQLFragment.quoted).joined(
                separator: ", ")
            return "COPY \(entity.table.target) (\(names)) FROM STDIN (FORMAT binary)"
        }
    }

    /// Whether rows go by INSERT: a table under row-level security takes no COPY (PostgreSQL manual, COPY), and COPY in binary form converts
    /// nothing.
    var insertsArrays: Bool {
        entity.descriptor.tenant != nil || entity.chain.contains { !$0.declaredConversions.isEmpty }
    }

    struct Constant {
        let buffer: Int
        let property: String
        let write: (inout PostgresArray) throws(PostgresError) -> Void
    }

    /// The columns of one table that a row writes that is there already.
    struct Update {
        let entity: EntityMapping
        let columns: [(column: Column, buffer: Int)]
    }

    /// A column of a foreign key of several that another property writes.
    struct SharedColumn {
        let name: String
        /// The relationship, and the property that writes the column.
        let property: any ModelProperty
        let other: any ModelProperty
        /// What each says.
        let buffers: (own: Int, other: Int)
    }

    struct ComparedSet {
        let set: UniqueSet
        /// Of each column that decides about the values, in the form of array parameters.
        let buffers: [Int]
    }

    /// - Parameters:
    ///   - properties: how the values of a row are named.
    ///   - isPolicyGiven: whether the policy was given for this call: then it names nothing that the rows do not have.
    ///   - store: the store's identifier.
    ///   - tenant: whose rows they are; `nil` where they say so themselves, if they are of a tenant.
    ///
    /// Throws ``SwiftDataError`` for what has no column of its own, is named twice, or is missing.
    package init(
        into entity: EntityMapping, _ properties: [NamedValue], policy: UniquePolicy,
        isPolicyGiven: Bool, mapping: StoreMapping, store: String, tenant: TenantName? = nil
    ) throws {
        self.entity = entity
        self.mapping = mapping
        self.policy = policy
        try policy.requireColumns(in: mapping)
        for owner in entity.layers {
            let found = owner.found
            // COPY in binary form converts nothing.
            if let (name, types) = found.converted.min(by: { $0.key < $1.key }) {
                throw SwiftDataError(
                    .unsupportedFeature,
                    "Rows cannot be inserted into \(entity.name) without objects: \(owner.table.name).\(name) is \(types.written) in the "
                        + "external table, and rows are sent with values of \(types.read). Insert objects and save.")
            }
            let referring = owner.composedColumns.compactMap { $0.foreignKey?.key }
            if let part = ([owner.key] + referring).flatMap(\.parts).first(where: { $0.columnType != nil }) {
                throw SwiftDataError(
                    .unsupportedFeature,
                    "Rows cannot be inserted into \(entity.name) without objects: \(owner.table.name).\(part.name) is \(part.typeName) and holds "
                        + "parts of keys, which are sent as texts. Insert objects and save.")
            }
            guard let (name, type) = found.narrow else { continue }
            // It takes numbers of exactly the column's width.
            throw SwiftDataError(
                .unsupportedFeature,
                "Rows cannot be inserted into \(entity.name) without objects: \(owner.table.name).\(name) is \(type) in the external table, and "
                    + "rows are sent with keys of bigint. Insert objects and save.")
        }
        var builder = RowInsertBuilder(entity, mapping: mapping, store: store, tenant: tenant)
        try builder.addValues(properties)
        try builder.addConstants()
        if policy != .fail { builder.addUniqueSets() }
        slots = builder.slots
        updatedSlots = try builder.updatedSlots(policy, isGiven: isPolicyGiven)
        updates = builder.updates(of: updatedSlots)
        tables = builder.tables
        types = builder.types
        constants = builder.constants
        keyBuffers = builder.keyBuffers
        values = builder.values
        uniqueSets = builder.uniqueSets
        preciseBuffers = builder.preciseBuffers
        sharedBuffers = builder.sharedBuffers
        tenantBuffer = tenant == nil ? builder.tenantBuffer : nil
    }

    /// What the properties are called, in the order of the values.
    package var propertyNames: [String] { values.map(\.property.name) }

    /// Whether a relationship is among the values.
    package var setsRelationship: Bool { slots.slots.contains { entity.relationships[$0] != nil } }

    /// How rows of one value are written.
    package func encoder<Value>(ofOnly type: Value.Type) -> RowEncoder {
        RowEncoder(values.map { (0, $0) }, self)
    }

    /// What writes rows that name their values by the keys of which the plan was made.
    package func writerByKeys() -> KeyedRowWriter { KeyedRowWriter(self) }

    /// How what is the same in all rows is written, behind values that were written otherwise: for rows without bytes.
    package func encoderOfConstants() -> RowEncoder { RowEncoder([], self) }

    /// How rows are written that are tuples of values.
    package func encoder<each Value>(of types: repeat (each Value).Type) -> RowEncoder {
        var (places, layout): ([Int], TupleLayout) = ([], TupleLayout())
        repeat places.append(layout.place((each Value).self))
        // Once a call.
        layout.requireLayout(of: (repeat each Value).self)
        return RowEncoder(Array(zip(places, values)), self)
    }
}

/// One value of each row: where it goes, and how.
struct RowValue {
    let property: any ModelProperty
    /// What it is in memory.
    let type: Any.Type
    let destinations: [RowDestination]
}

/// A buffer that takes a value of each row.
struct RowDestination {
    let buffer: Int
    /// What the value is where it is written without a call to `encode`.
    var common: CommonValue?
    let encode: RowValueEncoder
}

typealias RowValueEncoder = (UnsafeRawPointer, inout PostgresArray) throws -> Void
