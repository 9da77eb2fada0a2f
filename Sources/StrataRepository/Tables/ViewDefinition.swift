/// A view: its query, and the columns as which the properties of its class read it.
package struct ViewDefinition: Hashable, Sendable {
    /// A piece of the query. The schema of a table or view is a parameter of rendering, as elsewhere.
    package enum Part: Hashable, Sendable {
        case sql(String)
        /// A table or view of the same schema.
        case relation(String)
    }

    package var name: String
    package var columns: [ColumnDefinition]
    package var query: [Part]
    /// The columns of a key that properties have; `nil` for the first column, which it is where none has.
    private let keyOfProperties: [String]?
    /// Whether the server keeps the rows.
    package var isMaterialized: Bool
    /// Whether it shows what its reader may see, and not what its owner may: where policies say whose rows a table has.
    package var isInvokers: Bool

    /// - Parameter key: the columns of the key; `nil` for the first one.
    package init(
        name: String, columns: [ColumnDefinition], query: [Part], key: [String]? = nil, isMaterialized: Bool = false,
        isInvokers: Bool = false
    ) {
        self.name = name
        self.columns = columns
        self.query = query
        keyOfProperties = key.flatMap { $0 == Self.firstOnly(columns) ? nil : $0 }
        self.isMaterialized = isMaterialized
        self.isInvokers = isInvokers
    }

    /// The tables and views that it reads, as far as it names them by interpolation.
    package var relations: Set<String> {
        Set(query.compactMap { if case .relation(let name) = $0 { name } else { nil } })
    }

    package func column(named name: String) -> ColumnDefinition? { columns.first { $0.name == name } }

    /// The columns of the key, by whose unique index a materialized view is refreshed while others read it.
    package var key: [String] { keyOfProperties ?? Self.firstOnly(columns) }

    private static func firstOnly(_ columns: [ColumnDefinition]) -> [String] { [columns.first?.name ?? Naming.key] }

    /// Whether code that reads another view can read this one in its place.
    package func serves(_ other: ViewDefinition) -> Bool {
        name == other.name
            && other.columns.allSatisfy { column in
                self.column(named: column.name)
                    .map { ($0.type, $0.collation) == (column.type, column.collation) } ?? false
            }
    }

    package var mark: DefinitionMark {
        DefinitionMark(
            of: (isMaterialized ? "MATERIALIZED " : "") + (isInvokers ? "INVOKER " : "")
                + (keyOfProperties.map { "KEY \($0.map(SQLFragment.quoted).joined(separator: ", ")) " } ?? "")
                + body { "\"" + $0 + "\"" })
    }
}

extension ViewDefinition: Codable {
    private enum CodingKeys: String, CodingKey { case name, columns, query, key, isMaterialized, isInvokers }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            columns: try container.decode([ColumnDefinition].self, forKey: .columns),
            query: try container.decode([Part].self, forKey: .query),
            key: try container.decodeIfPresent([String].self, forKey: .key),
            isMaterialized: try container.decodeIfPresent(Bool.self, forKey: .isMaterialized) ?? false,
            isInvokers: try container.decodeIfPresent(Bool.self, forKey: .isInvokers) ?? false)
    }

    /// Of a view that keeps no rows, and of a key that is the first column, there is no word: what was written before there were others means the
    /// same.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(columns, forKey: .columns)
        try container.encode(query, forKey: .query)
        try container.encodeIfPresent(keyOfProperties, forKey: .key)
        if isMaterialized { try container.encode(true, forKey: .isMaterialized) }
        if isInvokers { try container.encode(true, forKey: .isInvokers) }
    }
}

extension ViewDefinition.Part: Codable {
    private enum CodingKeys: String, CodingKey { case relation }

    package init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .sql(text)
        } else {
            self = .relation(try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .relation))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .sql(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .relation(let name):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .relation)
        }
    }
}

// MARK: - SQL

extension ViewDefinition {
    /// What PostgreSQL calls it.
    package var kind: String { isMaterialized ? "MATERIALIZED VIEW" : "VIEW" }

    /// `CREATE VIEW` and the comment that says of which definition; of a materialized one the index too by which it is refreshed while others
    /// read it.
    ///
    /// - Parameter otherName: what the view is called until it is renamed.
    package func creation(in schema: String, named otherName: String? = nil) -> [SQLFragment] {
        let view = TableName(schema: schema, name: otherName ?? name)
        let index: [SQLFragment] =
            isMaterialized
            ? [
                "CREATE UNIQUE INDEX \(identifier: keyIndex(of: view.name)) ON \(view) (\(raw: key.map(SQLFragment.quoted).joined(separator: ", ")))"
            ] : []
        let options = isInvokers ? " WITH (security_invoker = true)" : ""
        return ["CREATE \(raw: kind) \(view)\(raw: options) AS\n\(raw: selection(in: schema))"] + index + [
            "COMMENT ON \(raw: kind) \(view) IS \(raw: SQLFragment.literal(mark.description))"
        ]
    }

    /// Gives the view another name, and its index the one that goes with that.
    package func renaming(from name: String, to newName: String, in schema: String) -> [SQLFragment] {
        let index = TableName(schema: schema, name: keyIndex(of: name))
        return ["ALTER \(raw: kind) \(TableName(schema: schema, name: name)) RENAME TO \(identifier: newName)"]
            + (isMaterialized ? ["ALTER INDEX \(index) RENAME TO \(identifier: keyIndex(of: newName))"] : [])
    }

    /// The index of the key of a materialized view.
    package var keyIndex: String? { isMaterialized ? keyIndex(of: name) : nil }

    private func keyIndex(of name: String) -> String { Naming.joined(name, key.joined(separator: "_"), "idx") }

    /// What the view shows: the query with the types of the properties.
    package func selection(in schema: String) -> String {
        body { SQLFragment.quoted(schema) + "." + SQLFragment.quoted($0) }
    }

    private func body(_ relation: (String) -> String) -> String {
        let results = columns.map { column in
            let name = SQLFragment.quoted(column.name)
            // A list would otherwise have the collation of what it was made of.
            let collation = column.collation ?? (column.type.element == .text ? "default" : nil)
            let suffix = collation.map { " COLLATE " + SQLFragment.quoted($0) } ?? ""
            return "    v.\(name)::\(column.type)\(suffix) AS \(name)"
        }
        let query = query.map { part in
            switch part {
            case .sql(let text): text
            case .relation(let name): relation(name)
            }
        }
        return "SELECT\n\(results.joined(separator: ",\n"))\nFROM (\n\(query.joined())\n) AS v"
    }
}

extension [ViewDefinition] {
    /// `DROP VIEW …`: in one statement as far as they are of one kind, so that none of them is in the way of another; those that read others
    /// first.
    ///
    /// - Parameter name: of a view, as SQL.
    package func dropping(_ name: (String) -> String) -> [String] {
        var statements: [(kind: String, names: [String])] = []
        let isMixed = Set(map(\.kind)).count > 1
        for view in isMixed ? creationOrder.reversed() : self {
            if statements.last?.kind != view.kind { statements.append((view.kind, [])) }
            statements[statements.count - 1].names.append(name(view.name))
        }
        return statements.map { "DROP \($0.kind) " + $0.names.joined(separator: ", ") }
    }

    /// Each after those that it reads.
    package var creationOrder: [ViewDefinition] {
        var ordered: [ViewDefinition] = []
        var pending = sorted { $0.name < $1.name }
        while !pending.isEmpty {
            let names = Set(pending.map(\.name))
            let ready = pending.filter { $0.relations.isDisjoint(with: names) }
            guard !ready.isEmpty else { return ordered + pending }
            ordered += ready
            pending.removeAll { view in ready.contains { $0.name == view.name } }
        }
        return ordered
    }
}
