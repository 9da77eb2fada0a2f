package import StrataClient
package import StrataModels

/// The statement of a query for values, and how its rows are read.
package struct ValueSelection {
    package let statement: PostgresStatement
    /// Where the values of each column of the query stand in a row.
    private let columns: [(argument: ValueArgument, position: Int)]
    private let tables: TableOwnership
    /// New objects that will take over rows, by hierarchy and key of the row.
    private let replacements: [Int: [RowKey: any PersistentModel]]

    /// - Parameter first: where the first column of the query stands in a row.
    init(
        _ statement: PostgresStatement, _ arguments: [ValueArgument], first: Int = 0, tables: TableOwnership,
        replacements: [Int: [RowKey: any PersistentModel]]
    ) {
        self.statement = statement
        self.tables = tables
        self.replacements = replacements
        var position = first
        columns = arguments.map { argument in
            defer { position += argument.expressions.count }
            return (argument, position)
        }
    }

    /// Compares the types that the server announces with those that are read.
    package func check(_ description: PostgresResultDescription) throws {
        for (argument, position) in columns {
            for (offset, expression) in argument.expressions.enumerated() {
                let actual = description.columnType(position + offset)
                guard !TableColumn.fits(actual, expression.type) else { continue }
                if tables == .external, TableColumn.isReadable(actual, as: expression.type) { continue }
                throw SwiftDataError(
                    .storeDoesNotFit,
                    "\(argument.path) is \(PostgresType.named(actual)) in the database, but \(expression.type) is needed. Migrate the table, "
                        + "or change the property's type.")
            }
        }
    }

    /// How one column of the query is read.
    ///
    /// - Parameter identities: of the store's classes.
    package func reader<V>(
        _ index: Int, of type: V.Type, identities: [EntityIdentity]
    ) throws -> PlacedReader<V> {
        let (argument, position) = columns[index]
        switch argument {
        case .identifier(let entity, let key, _):
            let reader = IdentifierReader(
                entity, position: position, identities: identities,
                replacements: replacements[entity.root.index] ?? [:],
                path: key.path)
            if V.self == PersistentIdentifier.self {
                return PlacedReader { row, place in
                    place.initializeMemory(as: PersistentIdentifier.self, to: try reader.identifier(in: row))
                }
            }
            if V.self == PersistentIdentifier?.self {
                return PlacedReader { row, place in
                    place.initializeMemory(as: PersistentIdentifier?.self, to: try reader.optionalIdentifier(in: row))
                }
            }
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(key.path) is an object, which is not read without its context. Select its persistentModelID, or fetch the object."
            )
        case .expression(let expression, let property):
            guard let decoder = property?.decoder(of: type) ?? expression.decoder(of: type) else {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "\(argument.path) is stored as \(expression.type) and cannot be read as \(type). Select the stored property itself, and "
                        + "convert its value in Swift.")
            }
            let path = argument.path
            return PlacedReader(decoder.scalar, of: position) { row, place in
                do throws(PostgresError) { try decoder.decode(row.bytes(position), to: place) } catch {
                    throw unreadable(path, error)
                }
            }
        }
    }
}

private func unreadable(_ path: String, _ error: PostgresError) -> SwiftDataError {
    SwiftDataError(.invalidValue, "\(path) cannot be read from a row: \(error.sentence)", underlying: error)
}

/// Reads identifiers from their key and the name of their class.
private struct IdentifierReader {
    let entity: EntityMapping
    let position: Int
    let identities: [EntityIdentity]
    let replacements: [RowKey: any PersistentModel]
    let path: String
    private let classes: [String: EntityIdentity]

    init(
        _ entity: EntityMapping, position: Int, identities: [EntityIdentity],
        replacements: [RowKey: any PersistentModel], path: String
    ) {
        self.entity = entity
        self.position = position
        self.identities = identities
        self.replacements = replacements
        self.path = path
        classes = Dictionary(
            entity.root.family.map { ($0.name, identities[$0.index]) }, uniquingKeysWith: { first, _ in first }
        )
    }

    func identifier(in row: PostgresRow) throws -> PersistentIdentifier {
        guard let identifier = try optionalIdentifier(in: row) else {
            throw SwiftDataError(
                .invalidValue,
                "\(path) leads to no object in a row. Select it as an optional: \\.relationship?.persistentModelID.")
        }
        return identifier
    }

    func optionalIdentifier(in row: PostgresRow) throws -> PersistentIdentifier? {
        guard !row.isNull(position) else { return nil }
        let key = row.key(position, entity.keyKind)
        if let replacement = replacements[key] { return replacement.persistentModelID }
        guard !entity.children.isEmpty else {
            return PersistentIdentifier(identity: identities[entity.index], key: key)
        }
        let name = row.string(position + 1)
        guard let identity = classes[name] else {
            throw entity.unknownClass(name, key: key)
        }
        return PersistentIdentifier(identity: identity, key: key)
    }
}

extension SQLExpression {
    /// How the value is read as a type, or as an optional of it; `nil` where the type is stored in another way.
    fileprivate func decoder<V>(of type: V.Type) -> ColumnDecoder<V>? {
        func coding<W>(_: W.Type) -> (any AttributeCoding.Type)? {
            switch form {
            case .json: return FittingCoding<W>.document
            case .plain, .interval:
                if let scalar = W.self as? any PostgresCodable.Type {
                    return scalar.canDecode(self.type.oid) ? FittingCoding<W>.scalar : nil
                }
                return FittingCoding<W>.raw.flatMap { $0.columnType == self.type ? $0 : nil }
            case .secondsSince1970, .opaqueText, .transformed, .serverText: return nil
            }
        }
        return coding(unwrappedType(type))?.decoder(of: type)
    }
}
