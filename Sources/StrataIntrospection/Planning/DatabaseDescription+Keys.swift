import StrataRepository

/// By which columns objects are told apart.
extension DatabaseDescription {
    /// The same database with, as the primary key of each table, the columns by which the objects of its class are told apart; what was the primary key is a
    /// unique set then. And with foreign keys that compare more than such a key as foreign keys to the key alone.
    ///
    /// Whatever is unique and never NULL tells rows apart as well as the primary key does. So a table without one may have a class, and a class has the key that
    /// foreign keys lead to, be it the primary key or not. All else that is planned reads what stands here.
    func identified() -> DatabaseDescription {
        var database = self
        let referring = Dictionary(
            grouping: tables.flatMap { table in
                table.definition.foreignKeys.filter { $0.referencedSchema == nil }.map {
                    (table: table.definition, foreignKey: $0)
                }
            },
            by: \.foreignKey.referencedTable)
        for index in tables.indices {
            let foreignKeys = referring[tables[index].name] ?? []
            database.tables[index] = tables[index].identified { key in
                foreignKeys.count {
                    Set($0.foreignKey.referencedColumns) == Set(key)
                        || $0.foreignKey.narrowed(to: key, in: $0.table) != nil
                }
            }
        }
        let keys = Dictionary(
            database.tables.map { ($0.name, $0.definition.primaryKey?.columns ?? []) },
            uniquingKeysWith: { first, _ in first })
        for index in tables.indices { database.tables[index].narrowForeignKeys(to: keys) }
        return database
    }
}

extension DatabaseDescription.Table {
    /// Why no objects can be told apart by these columns; `nil` where they can.
    func obstacle(ofKey key: [String]) -> String? {
        let start =
            "its \(definition.primaryKey?.columns == key ? "primary key" : "unique set") (\(key.joined(separator: ", ")))"
        for name in key {
            guard let column = definition.column(named: name) else { return "\(start) is of an expression" }
            guard column.type.isPart else {
                return key.count > 1
                    ? "\(start) has the column \(name), which is \(column.type), and parts of keys are whole numbers, UUIDs, texts, moments, days and bytes"
                    : "\(start) is \(column.type), and keys are whole numbers, UUIDs, texts, moments, days and bytes"
            }
            if column.isGenerated { return "\(start) has the column \(name), which the server computes" }
            if column.isNullable { return "\(start) has the column \(name), which may be NULL" }
            if notes[name]?.isLoose == true {
                return "\(start) has the column \(name), whose collation takes different texts for the same"
            }
            if key.count > 1 || !column.type.isKey, name == Naming.key {
                return "\(start) has a column \(name), which is what keys of one column are called"
            }
        }
        return nil
    }

    /// Why the rows are no objects; `nil` where they are.
    var keyObstacle: String? {
        definition.primaryKey.map { obstacle(ofKey: $0.columns) }
            ?? "it has no primary key, nor unique columns that are never NULL, and every object needs a key"
    }

    /// The table with the best of its keys as the primary key.
    ///
    /// - Parameter leading: how many foreign keys can lead to a row by these columns.
    fileprivate func identified(_ leading: ([String]) -> Int) -> Self {
        let primary = definition.primaryKey?.columns
        let sets = definition.uniqueSets.filter { !$0.isDeferrable && $0.columns != primary }
        let keys = ([primary].compactMap { $0 } + sets.map(\.columns)).filter { obstacle(ofKey: $0) == nil }
        let links = Set(definition.foreignKeys.flatMap(\.columns))
        func rank(_ key: [String]) -> [Int] {
            let count = leading(key)
            let isPrimary = key == primary
            // One column stays what the database says where anything leads to it, or it is another table's key too: a key is final, and what it is the key of
            // may be a subclass.
            let isSettled =
                isPrimary && key.count == 1 && (count > 0 || definition.foreignKeys.contains { $0.columns == key })
            // So do the columns of a table of pairs, unless something leads to another key of it.
            let isPair = isPrimary && key.count > 1 && links.isSuperset(of: key)
            // A number that the server gives to new rows is the key, rather than several columns.
            let isNumbered = key.count == 1 && definition.column(named: key[0])?.isNumberedBySequence == true
            return [
                isSettled ? 1 : 0, count, isPrimary && key.count == 1 || isPair ? 1 : 0, isNumbered ? 1 : 0,
                isPrimary ? 1 : 0, -key.count,
            ]
        }
        // The first of equals: constraints have the order of their names.
        guard
            let best = keys.reduce(
                nil,
                { (best: [String]?, key) in
                    best.map { rank($0).lexicographicallyPrecedes(rank(key)) } ?? true ? key : best
                }),
            best != primary
        else { return self }
        var table = self
        table.definition.uniques.removeAll { Set($0.columns) == Set(best) }
        table.definition.indexes.removeAll {
            $0.isUnique && $0.predicate == nil && $0.method == "btree" && Set($0.columns) == Set(best)
        }
        if let former = definition.primaryKey {
            table.definition.uniques.append(UniqueDefinition(name: former.name, columns: former.columns))
            table.remarks.append(
                "objects are told apart by \(best.joined(separator: ", ")), which is unique, and not by the primary key (\(former.columns.joined(separator: ", ")))"
            )
        }
        table.definition.primaryKey = PrimaryKeyDefinition(name: definition.primaryKey?.name ?? "", columns: best)
        return table
    }

    /// Lets foreign keys that compare more than the key of the table that they lead to lead there by the key alone. The server goes on comparing the others.
    ///
    /// - Parameter keys: by table.
    fileprivate mutating func narrowForeignKeys(to keys: [String: [String]]) {
        for (index, foreignKey) in definition.foreignKeys.enumerated() where foreignKey.referencedSchema == nil {
            guard let key = keys[foreignKey.referencedTable],
                let narrowed = foreignKey.narrowed(to: key, in: definition)
            else { continue }
            definition.foreignKeys[index] = narrowed
            let others = foreignKey.columns.filter { !narrowed.columns.contains($0) }
            peculiarities.append(
                "foreign key \(name).\(foreignKey.name): that \(others.joined(separator: ", ")) \(others.count == 1 ? "is that" : "are those") of the row in "
                    + "\(foreignKey.referencedTable) too is the server's alone")
        }
    }
}
