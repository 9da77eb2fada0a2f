/// One column of a table.
package struct ColumnDefinition: Codable, Hashable, Sendable {
    /// The keys an identity column gives to rows of other programs.
    package struct Identity: Codable, Hashable, Sendable {
        package var minimum: Int64
        package var maximum: Int64
        /// `GENERATED ALWAYS`: the server then refuses keys that come with the row.
        package var isAlways: Bool

        package init(minimum: Int64, maximum: Int64, isAlways: Bool = false) {
            self.minimum = minimum
            self.maximum = maximum
            self.isAlways = isAlways
        }
    }

    /// How large values are kept (PostgreSQL manual, 73.2), where it is not the type's own way.
    package enum Storage: String, Codable, Hashable, Sendable {
        case plain, external, main, extended
    }

    package var name: String
    package var type: ColumnType
    package var isNullable: Bool
    /// The collation, where it is not the database's.
    package var collation: String?
    /// An expression as PostgreSQL prints it: `'Trip'::text`.
    package var defaultExpression: String?
    package var identity: Identity?
    /// `GENERATED … STORED`: the server computes it and takes no value.
    package var isGenerated: Bool
    /// What the server computes it by; `nil`, and absent in files, for a column that is written, and in tables of others.
    package var generation: ColumnExpression?
    package var storage: Storage?

    /// Whether a row that comes without a value gets the next one of a sequence, as it is: only then may others take values from there.
    package var isNumberedBySequence: Bool {
        if identity != nil { return true }
        let (beginning, end) = ("nextval('", "'::regclass)")
        guard let expression = defaultExpression, expression.hasPrefix(beginning), expression.hasSuffix(end) else {
            return false
        }
        // Within a name a quote is written twice; a single one ends it, and something is computed.
        return !expression.dropFirst(beginning.count).dropLast(end.count).replacing("''", with: "").contains("'")
    }

    /// What its comment says where the server computes it. It goes by the names of the columns that it is computed of, and not by its own.
    package var mark: DefinitionMark? { generation.map { DefinitionMark(of: $0.sql) } }

    package init(
        name: String, type: ColumnType, isNullable: Bool = false, collation: String? = nil,
        defaultExpression: String? = nil,
        identity: Identity? = nil, isGenerated: Bool = false, generation: ColumnExpression? = nil,
        storage: Storage? = nil
    ) {
        self.name = name
        self.type = type
        self.isNullable = isNullable
        self.collation = collation
        self.defaultExpression = defaultExpression
        self.identity = identity
        self.isGenerated = isGenerated
        self.generation = generation
        self.storage = storage
    }
}
