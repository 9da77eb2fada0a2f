package import StrataClient
import StrataModels

extension KeyMaker {
    /// Takes so many keys for new rows of a class's table; each is handed to the closure. None where the column has no sequence any more.
    ///
    /// The batch throws `unsupportedFeature` where a default makes what no key is, or one key more than once.
    package func taking(_ count: Int32, for root: EntityMapping, _ take: @escaping (RowKey) -> Void) throws
        -> PostgresBatch
    {
        guard case .expression(let expression) = self else {
            return try KeySequence.taking(count, for: root) { take(RowKey($0)) }
        }
        let kind = root.keyKind
        // The text is the catalog's own, and runs as the server would run it for a row that comes without a key.
        let statement = PostgresStatement(
            "SELECT (\(expression))::\(ColumnType(of: kind.type)) FROM pg_catalog.generate_series(1, $1::integer)",
            parameters: try PostgresParameters(count), name: "take keys of a default")
        var taken: Set<RowKey> = []
        return PostgresBatch(statement) { row in
            let key = row.key(0, kind)
            guard key.isFinal, !key.isEmpty else {
                throw Self.refusal(
                    of: expression, root, "it makes \(row.isNull(0) ? "NULL" : "\(key)"), which is no key")
            }
            guard taken.insert(key).inserted else {
                throw Self.refusal(of: expression, root, "it makes one key more than once when it is asked for several")
            }
            take(key)
        }
    }

    private static func refusal(of expression: String, _ root: EntityMapping, _ reason: String) -> SwiftDataError {
        let remedy =
            root.descriptor.keyProperty.map { "give \($0.qualifiedName) a value before the object is inserted" }
            ?? "declare the key as a property, @Attribute(.primaryKey), and give it a value before the object is inserted"
        return SwiftDataError(
            .unsupportedFeature,
            "The default of \(root.table.name).\(root.key.first), \(expression), gives no keys to new objects of \(root.name): \(reason). Let the database "
                + "have another one, insert with SQL, or \(remedy).")
    }
}
