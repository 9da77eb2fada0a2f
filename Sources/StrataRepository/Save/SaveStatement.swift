import StrataClient
import StrataModels

/// One statement of a save, with what is needed to explain its failure.
struct SaveStatement {
    enum Kind {
        case insert([EntityMapping])
        case update(UpdateGroup)
        case delete(EntityMapping)
        case link(RelationshipMapping)
        case classChange(from: EntityMapping, to: EntityMapping)
        case lookup
        case setting
    }

    let kind: Kind
    let text: String
    var parameters: PostgresParameters
    /// What logs and errors call it: `save: insert trip`.
    let name: String
    /// How many rows it counts for in ``SaveResult``.
    var rows = 0
    /// Whether hierarchy and key of everything that went are returned (``DeletePlan``).
    var returnsKeys = false
    var onRow: ((PostgresRow) throws -> Void)?

    var statement: PostgresStatement { PostgresStatement(text, parameters: parameters, name: name) }
}
