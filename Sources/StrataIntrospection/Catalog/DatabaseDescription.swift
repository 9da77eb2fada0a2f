import StrataMigrations
package import StrataRepository

/// What introspection knows of one PostgreSQL schema: the definition that `drift` compares too, and what people and other tools have added
/// to it that a definition has no words for.
package struct DatabaseDescription: Hashable, Sendable {
    /// One table.
    package struct Table: Hashable, Sendable {
        package var definition: TableDefinition
        package var comment: String?
        /// Of columns that have any.
        package var notes: [String: ColumnNotes]
        /// What else its class has to say of its rows, one sentence each: those of tables that inherit from it are not among them.
        package var remarks: [String]
        /// What neither the definition nor a model can say, one line each: exclusion constraints, `DESC` in an index.
        package var peculiarities: [String]

        package var name: String { definition.name }

        package init(
            _ definition: TableDefinition, comment: String? = nil, notes: [String: ColumnNotes] = [:],
            remarks: [String] = [], peculiarities: [String] = []
        ) {
            self.definition = definition
            self.comment = comment
            self.notes = notes
            self.remarks = remarks
            self.peculiarities = peculiarities
        }
    }

    /// What there is to know of a column beside its definition.
    package struct ColumnNotes: Hashable, Sendable {
        package var comment: String?
        /// The domain that the column has in the place of a type.
        package var domain: String?
        /// Whether its collation takes different texts for the same, so that one key would be several.
        package var isLoose = false

        package init(comment: String? = nil, domain: String? = nil, isLoose: Bool = false) {
            self.comment = comment
            self.domain = domain
            self.isLoose = isLoose
        }
    }

    /// Something with rows that is no table.
    package struct OtherRelation: Hashable, Sendable {
        package var name: String
        /// `a view`.
        package var kind: String

        package init(name: String, kind: String) {
            self.name = name
            self.kind = kind
        }
    }

    /// By name.
    package var tables: [Table]
    /// By name.
    package var others: [OtherRelation]
    /// The values of each enum type, under the name by which columns have it.
    package var enumerations: [String: [String]]

    package init(tables: [Table] = [], others: [OtherRelation] = [], enumerations: [String: [String]] = [:]) {
        self.tables = tables.sorted { $0.name < $1.name }
        self.others = others.sorted { $0.name < $1.name }
        self.enumerations = enumerations
    }

    /// The same with the tables and views that one of these patterns covers; all of them for no pattern. `legacy_*` covers all that begin
    /// so.
    package func limited(to patterns: [String]) -> DatabaseDescription {
        guard !patterns.isEmpty else { return self }
        var limited = self
        limited.tables.removeAll { !NamePattern.any(of: patterns, covers: $0.name) }
        limited.others.removeAll { !NamePattern.any(of: patterns, covers: $0.name) }
        return limited
    }
}
