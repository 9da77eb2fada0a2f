public import StrataClient
public import StrataModels

/// SQL of one's own, written as text with key paths, classes and values in it.
///
/// ```swift
/// let statement: SQLStatement = "SELECT count(*) FROM \(Trip.self) WHERE \(\Trip.destination) = \(city)"
/// ```
///
/// - `\(Trip.self)` is the table, and for a subclass the join of its tables in parentheses; `\(Trip.self, as: "t")` gives it
///   another name. `\(table: BusinessTrip.self)` is the class's own table alone, as INSERT, UPDATE and DELETE want it.
/// - `\(\Trip.name)` is the column with its table, `"trip"."name"`: of a property that a subclass inherits, the table of the
///   class that declares it. `\(\Trip.name, of: "t")` is the column of that name's table, `\(column: \Trip.name)` the column
///   alone, as SET and INSERT want it. A relationship to one object is the column with its key, and `\(\Trip.persistentModelID)`
///   the key itself.
///   `\(\Trip.address.city)`, a part of a `Codable` value, is that part as a value of its type in PostgreSQL.
/// - A value is a parameter of its own type, a `String` too: nothing a user has typed becomes SQL. `nil` is NULL, an array
///   belongs into `= ANY(\(names))`, a `PersistentIdentifier` is the key, a case of an enumeration its raw value,
///   `\(json: value)` a `jsonb`.
/// - `\(raw: text)` is SQL as it stands there. Never pass it what came from outside.
///
/// A statement is no string: only a literal makes one. Classes and key paths are looked up when it is sent.
public struct SQLStatement: Sendable, ExpressibleByStringInterpolation {
    /// How a column is named.
    enum Naming: Sendable {
        case withTable
        case of(alias: String)
        case alone
    }

    enum Piece: Sendable {
        case sql(SQLFragment)
        case tables(ModelDescriptor, alias: String?)
        case ownTable(ModelDescriptor)
        case column(ModelDescriptor, slot: Int, Naming)
        case key(ModelDescriptor, Naming)
        /// A part of a Codable value.
        case part(ModelDescriptor, AnyAttributeProperty, CodablePart, Naming)
        case link(ModelDescriptor, slot: Int, LinkPart)
        case identifiers([PersistentIdentifier], isArray: Bool)
        /// A key path to nothing that has a place in SQL: what it is, and what to do.
        case refused(String, remedy: String)
    }

    /// What is named of a table of pairs.
    enum LinkPart: Sendable {
        case table
        /// The column with the keys of the class that the key path begins at.
        case ownKey
        /// The column with the keys of the class that it leads to.
        case otherKey
    }

    var pieces: [Piece]

    /// A statement without classes and values.
    public init(stringLiteral text: String) { pieces = [.sql(SQLFragment(text))] }

    /// A statement with classes, key paths and values.
    public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

    /// What stands between the quotation marks of a statement.
    public struct StringInterpolation: StringInterpolationProtocol {
        var pieces: [Piece] = []

        /// As `StringInterpolationProtocol` wants it.
        public init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(interpolationCount * 2 + 1)
        }

        /// SQL as it stands in the source.
        public mutating func appendLiteral(_ text: String) {
            if !text.isEmpty { pieces.append(.sql(SQLFragment(text))) }
        }

        /// SQL as it stands in a variable. Never pass it what came from outside.
        public mutating func appendInterpolation(raw text: String) { pieces.append(.sql(SQLFragment(text))) }

        /// Another statement, with its values.
        public mutating func appendInterpolation(_ statement: SQLStatement) { pieces += statement.pieces }
    }
}

// MARK: Tables and columns

extension SQLStatement.StringInterpolation {
    /// The table of a class; of a subclass the join of its tables, in parentheses. For FROM and JOIN.
    public mutating func appendInterpolation<T: PersistentModel>(_ type: T.Type) {
        pieces.append(.tables(type._$descriptor, alias: nil))
    }

    /// The same under another name.
    public mutating func appendInterpolation<T: PersistentModel>(_ type: T.Type, as alias: String) {
        pieces.append(.tables(type._$descriptor, alias: alias))
    }

    /// The table that holds the properties which the class itself declares. For INSERT, UPDATE and DELETE. Where classes share a table it has the rows
    /// of all of them: the statement says which are meant.
    public mutating func appendInterpolation<T: PersistentModel>(table type: T.Type) {
        pieces.append(.ownTable(type._$descriptor))
    }

    /// The column of a property, with its table.
    public mutating func appendInterpolation<T: PersistentModel, Value>(_ keyPath: KeyPath<T, Value>) {
        append(keyPath, .withTable)
    }

    /// The column of a property, of the table that was given this name.
    public mutating func appendInterpolation<T: PersistentModel, Value>(_ keyPath: KeyPath<T, Value>, of alias: String)
    {
        append(keyPath, .of(alias: alias))
    }

    /// The column of a property without its table. For SET and INSERT.
    public mutating func appendInterpolation<T: PersistentModel, Value>(column keyPath: KeyPath<T, Value>) {
        append(keyPath, .alone)
    }

    /// The table of pairs of a many-to-many relationship. For FROM and JOIN.
    ///
    /// ```swift
    /// JOIN \(joinTable: \Post.tags) ON \(ownKey: \Post.tags) = \(\Post.persistentModelID)
    /// ```
    public mutating func appendInterpolation<T: PersistentModel, Value>(joinTable keyPath: KeyPath<T, Value>) {
        append(keyPath, .table)
    }

    /// The column of a table of pairs with the keys of the class that the key path begins at. A key of several columns is one value there, as it is of
    /// `\(\Post.persistentModelID)`, and no column: name the columns as SQL for SET and INSERT, and where an index is to be searched.
    public mutating func appendInterpolation<T: PersistentModel, Value>(ownKey keyPath: KeyPath<T, Value>) {
        append(keyPath, .ownKey)
    }

    /// The column of a table of pairs with the keys of the class that the key path leads to; of a key of several columns one value, as above.
    public mutating func appendInterpolation<T: PersistentModel, Value>(otherKey keyPath: KeyPath<T, Value>) {
        append(keyPath, .otherKey)
    }

    private mutating func append<T: PersistentModel, Value>(
        _ keyPath: KeyPath<T, Value>, _ part: SQLStatement.LinkPart
    ) {
        let descriptor = T._$descriptor
        if let property = descriptor.property(for: keyPath) {
            pieces.append(.link(descriptor, slot: property.slot, part))
        } else {
            pieces.append(Self.refusal(keyPath))
        }
    }

    private mutating func append<T: PersistentModel, Value>(
        _ keyPath: KeyPath<T, Value>, _ naming: SQLStatement.Naming
    ) {
        let descriptor = T._$descriptor
        if let property = descriptor.property(for: keyPath) {
            pieces.append(.column(descriptor, slot: property.slot, naming))
        } else if descriptor.isIdentifier(keyPath) {
            pieces.append(.key(descriptor, naming))
        } else {
            pieces.append(Self.part(keyPath, naming))
        }
    }

    private static func part<T: PersistentModel, Value>(
        _ keyPath: KeyPath<T, Value>, _ naming: SQLStatement.Naming
    ) -> SQLStatement.Piece {
        do {
            guard let part = try CodablePart.named(by: keyPath, from: T._$descriptor), part.steps.count == 1,
                let property = part.steps[0] as? AnyAttributeProperty
            else { return refusal(keyPath) }
            if case .alone = naming {
                let name = ([property.qualifiedName] + part.keys).joined(separator: ".")
                return .refused(
                    "\(name) as a column, and it is a part of one",
                    remedy: "SET and INSERT take the whole: name \(property.qualifiedName).")
            }
            return .part(T._$descriptor, property, part, naming)
        } catch {
            return .refused("\(keyPath), a part of a Codable value that has no place in SQL", remedy: error.message)
        }
    }

    private static func refusal(_ keyPath: AnyKeyPath) -> SQLStatement.Piece {
        .refused(
            "\(keyPath), which is no stored property of one class",
            remedy: "Join the tables of the classes on the way, and name the last property.")
    }
}

// MARK: Values

extension SQLStatement.StringInterpolation {
    /// A value, as a parameter of its type.
    public mutating func appendInterpolation<Value: PostgresCodable>(_ value: Value) {
        pieces.append(.sql("\(bind: value)"))
    }

    /// A value or NULL, as a parameter of its type.
    public mutating func appendInterpolation<Value: PostgresCodable>(_ value: Value?) {
        var sql = SQLFragment()
        if let value { sql.append(bind: value) } else { sql.appendNull(Value.postgresType) }
        pieces.append(.sql(sql))
    }

    /// A case of an enumeration, as a parameter with its raw value.
    public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
    where Value.RawValue: PostgresCodable {
        appendInterpolation(value.rawValue)
    }

    /// A case of an enumeration or NULL, as a parameter with its raw value.
    public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value?)
    where Value.RawValue: PostgresCodable {
        appendInterpolation(value?.rawValue)
    }

    /// The key of an object, as a parameter.
    public mutating func appendInterpolation(_ identifier: PersistentIdentifier) {
        pieces.append(.identifiers([identifier], isArray: false))
    }

    /// The keys of objects, as one parameter: `= ANY(\(identifiers))`.
    public mutating func appendInterpolation(_ identifiers: [PersistentIdentifier]) {
        pieces.append(.identifiers(identifiers, isArray: true))
    }

    /// A value as `jsonb`, written as Strata stores such properties.
    public mutating func appendInterpolation<Value: Codable & Sendable>(json value: Value) {
        var sql = SQLFragment()
        sql.append(
            SQLFragment.Binding(type: .jsonb) { (parameters: inout PostgresParameters) throws(PostgresError) in
                try JSONCoding<Value>.append(value, to: &parameters)
            })
        pieces.append(.sql(sql))
    }
}
