package import StrataClient
package import StrataModels

extension KeyMaker {
    /// Makes so many keys for new rows of a class's table, and hands them over together. None where the column has no sequence any more.
    ///
    /// The batch throws `unsupportedFeature` where a default makes what no key is, or one key more than once; ``failure(_:of:)`` says what other errors mean.
    package func taking(_ count: Int32, for root: EntityMapping, _ take: @escaping ([RowKey]) -> Void) throws
        -> PostgresBatch
    {
        var made: [RowKey] = []
        guard case .expression(let expression) = self else {
            var batch = PostgresBatch()
            batch.add(
                try KeySequence.statement(count, for: root), onResult: { _ in made = [] },
                onRow: { row in made.append(RowKey(try row.decode(0, as: Int64.self))) },
                onComplete: { _ in take(made) })
            return batch
        }
        let kind = root.keyKind
        // A function may wait for a row that a transaction has locked, and that transaction for this thread.
        let limit =
            isTakenAhead ? "" : "(SELECT pg_catalog.set_config('lock_timeout', '3s', true) OFFSET 0) AS s CROSS JOIN "
        // The text is the catalog's own.
        let statement = PostgresStatement(
            "SELECT (\(expression))::\(ColumnType(of: kind.type)) FROM \(limit)pg_catalog.generate_series(1, $1::integer)",
            parameters: try PostgresParameters(count), name: "take keys of a default")
        var batch = PostgresBatch()
        batch.add(
            statement, onResult: { _ in made = [] },
            onRow: { row in
                let key = row.key(0, kind)
                guard key.isFinal, !key.isEmpty else {
                    throw refusal(root, "it makes \(row.isNull(0) ? "NULL" : "\(key)"), which is no key")
                }
                guard !made.contains(key) else {
                    throw refusal(root, "it makes one key more than once when it is asked for several")
                }
                made.append(key)
            }, onComplete: { _ in take(made) })
        return batch
    }

    /// What an error of the server means, where an expression made it; any other error as it is.
    package func failure(_ error: any Error, of root: EntityMapping) -> any Error {
        guard case .expression = self, let error = error as? PostgresError, !error.isConnectionLoss else {
            return error
        }
        return refusal(root, "it failed: \(error.serverMessage ?? error.message)", underlying: error)
    }

    /// Why rows without objects cannot have keys that are not made ahead.
    package func refusalOfRows(_ root: EntityMapping) -> SwiftDataError {
        refusal(
            root,
            "it is asked for each object when it is inserted, and rows without objects are written in a transaction, in which a function may lock what others wait for; "
                + "insert objects")
    }

    private func refusal(_ root: EntityMapping, _ reason: String, underlying: PostgresError? = nil) -> SwiftDataError {
        let expression: String = if case .expression(let text) = self { text } else { "" }
        let remedy =
            root.descriptor.keyProperty.map { "give \($0.qualifiedName) a value before the object is inserted" }
            ?? "declare the key as a property, @Attribute(.primaryKey), and give it a value before the object is inserted"
        return SwiftDataError(
            .unsupportedFeature,
            "The default of \(root.table.name).\(root.key.first), \(expression), gives no keys to new objects of \(root.name): \(reason). Let the database "
                + "have another one, insert with SQL, or \(remedy).", underlying: underlying)
    }
}
