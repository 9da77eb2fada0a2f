package import StrataModels

/// An index that belongs to no constraint.
package struct IndexDefinition: Hashable, Sendable {
    package var name: String
    /// PostgreSQL's name of the access method: `btree`, `gin`; for full text `fulltext(english)`, a GIN index on what ``FullText`` makes of
    /// the columns; `trigram`, a GIN index on what ``TrigramIndex`` makes of one; `hnsw(vector_l2_ops)`, a method with an operator class.
    package var method: String
    package var keys: [IndexKeyDefinition]
    /// Columns that it holds beside its keys (`INCLUDE`).
    package var included: [String]
    package var isUnique: Bool
    /// Whether NULL equals NULL, where it is unique.
    package var nullsNotDistinct: Bool
    /// The condition of a partial index.
    package var predicate: ColumnExpression?

    package init(
        name: String, method: Schema.ModelIndex.Method = .btree, columns: [String], isUnique: Bool = false,
        nullsNotDistinct: Bool = false, predicate: ColumnExpression? = nil
    ) {
        self.init(
            name: name, methodName: method.rawValue, keys: columns.map { IndexKeyDefinition($0) }, isUnique: isUnique,
            nullsNotDistinct: nullsNotDistinct, predicate: predicate)
    }

    package init(
        name: String, methodName: String, keys: [IndexKeyDefinition], included: [String] = [], isUnique: Bool = false,
        nullsNotDistinct: Bool = false, predicate: ColumnExpression? = nil
    ) {
        self.name = name
        self.method = methodName
        self.keys = keys
        self.included = included
        self.isUnique = isUnique
        self.nullsNotDistinct = nullsNotDistinct
        self.predicate = predicate
    }

    /// The columns of the keys; of expressions what PostgreSQL prints.
    package var columns: [String] { keys.map(\.column) }

    /// What is unique by it, in no order.
    package var uniqueKeys: Set<IndexKeyDefinition> { Set(keys.map(\.withoutOrder)) }

    /// Whether these columns as they are are unique by it, among all rows.
    package func isUnique(of columns: some Collection<String>) -> Bool {
        isUnique && predicate == nil && uniqueKeys == Set(columns.map { IndexKeyDefinition($0) })
    }

    /// All columns that it needs.
    package var allColumns: [String] { columns + included + (predicate?.columns ?? []) }

    /// Whether it is a B-tree of columns as they are, for all rows.
    package var isPlain: Bool {
        method == Schema.ModelIndex.Method.btree.rawValue && keys.allSatisfy(\.isPlain) && included.isEmpty
            && predicate == nil
    }

    /// Whether rows are found by the values of columns, whichever rows these are.
    func searches(_ columns: [String]) -> Bool {
        method == Schema.ModelIndex.Method.btree.rawValue && predicate == nil
            && keys.map(\.column).starts(with: columns)
            && keys.prefix(columns.count).allSatisfy { $0.fold == nil }
    }

    /// Whether parts of a text are searched.
    var isTrigram: Bool { method == Schema.ModelIndex.Method.trigram.rawValue }

    /// The access method, and the operator class of its keys where that is not the method's own choice.
    var access: (method: String, operatorClass: String?) {
        guard case .named(let name, let operatorClass)? = Schema.ModelIndex.Method(rawValue: method) else {
            return (method, nil)
        }
        return (name, operatorClass)
    }

    /// How full text is searched; `nil` for all other indexes.
    package var fullText: FullText? {
        Schema.ModelIndex.Method(rawValue: method).flatMap { FullText($0) }
    }

    /// The same about columns of other names; `nil` where one has none.
    package func renaming(_ name: (String) -> String?) -> IndexDefinition? {
        var renamed = self
        for place in keys.indices {
            guard let other = name(keys[place].column) else { return nil }
            renamed.keys[place].column = other
        }
        for place in included.indices {
            guard let other = name(included[place]) else { return nil }
            renamed.included[place] = other
        }
        if let predicate {
            guard let other = predicate.renaming(name) else { return nil }
            renamed.predicate = other
        }
        return renamed
    }

    /// Whether both do the same, whatever they are called.
    package func isSame(as other: IndexDefinition) -> Bool {
        var renamed = other
        renamed.name = name
        return self == renamed
    }
}

/// Without columns beside the keys there is no word of them, nor of NULL where it equals nothing: what was written before there were any means the
/// same.
extension IndexDefinition: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, method, columns, included, isUnique, nullsNotDistinct, predicate
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            methodName: try container.decode(String.self, forKey: .method),
            keys: try container.decode([IndexKeyDefinition].self, forKey: .columns),
            included: try container.decodeIfPresent([String].self, forKey: .included) ?? [],
            isUnique: try container.decode(Bool.self, forKey: .isUnique),
            nullsNotDistinct: try container.decodeIfPresent(Bool.self, forKey: .nullsNotDistinct) ?? false,
            predicate: try container.decodeIfPresent(ColumnExpression.self, forKey: .predicate))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(method, forKey: .method)
        try container.encode(keys, forKey: .columns)
        if !included.isEmpty { try container.encode(included, forKey: .included) }
        try container.encode(isUnique, forKey: .isUnique)
        if nullsNotDistinct { try container.encode(true, forKey: .nullsNotDistinct) }
        try container.encodeIfPresent(predicate, forKey: .predicate)
    }
}
