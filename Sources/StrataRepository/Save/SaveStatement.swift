import StrataClient
import StrataModels

/// One statement of a save, with what is needed to explain its failure.
struct SaveStatement {
    enum Kind {
        case insert([EntityMapping])
        case update(UpdateGroup)
        case delete(EntityMapping)
        /// Of what goes with softly deleted objects; hierarchy and key of it are returned (``SoftDeletePlan``).
        case softDelete(EntityMapping)
        case link(RelationshipMapping)
        case classChange(from: EntityMapping, to: EntityMapping)
        case lookup
        case setting
    }

    let kind: Kind
    let sql: PreparedSQL
    var parameters: PostgresParameters
    /// What logs and errors call it: `save: insert trip`.
    let name: String
    /// How many rows it counts for in ``SaveResult``.
    var rows = 0
    /// Whether hierarchy and key of everything that went are returned (``DeletePlan``).
    var returnsKeys = false
    /// Whether it returns the place in the history (``HistoryMoment``).
    var returnsMoment = false
    /// Whether it is in conflict when it has not written one row: it does not fail by itself.
    var isCounted = false
    var onRow: ((PostgresRow) throws -> Void)?

    init(kind: Kind, sql: PreparedSQL, parameters: PostgresParameters, name: String, rows: Int = 0) {
        self.kind = kind
        self.sql = sql
        self.parameters = parameters
        self.name = name
        self.rows = rows
    }

    init(
        kind: Kind, text: String, parameters: PostgresParameters, name: String, rows: Int = 0, returnsKeys: Bool = false
    ) {
        self.init(kind: kind, sql: .interned(text), parameters: parameters, name: name, rows: rows)
        self.returnsKeys = returnsKeys
    }

    var text: String { sql.text }
    var statement: PostgresStatement {
        PostgresStatement(sql, parameters: parameters, name: name, entity: kind.entity)
    }
}

extension SaveStatement.Kind {
    /// The class that is written: of several in one statement the last, which of a hierarchy is the most special.
    fileprivate var entity: String? {
        switch self {
        case .insert(let entities): entities.last?.name
        case .update(let group): group.layout.owner.name
        case .delete(let entity), .softDelete(let entity): entity.name
        case .link(let relationship): relationship.owner.name
        case .classChange(_, let entity): entity.name
        case .lookup, .setting: nil
        }
    }
}
