import StrataClient
import StrataModels

/// The statements that make a row one of another class: `class` in the root's table, and the tables of the classes that it
/// leaves and enters.
///
/// What the new class has no place for must not be lost silently: while objects are related to this one by a relationship that
/// only the old class has, the change is refused. The rows of the left tables are locked before that is asked, so that nobody
/// can add such an object meanwhile.
struct ClassChangePlan {
    let model: any PersistentModel
    let old: EntityMapping
    let new: EntityMapping
    /// The classes whose tables lose a row, subclasses first.
    let left: [EntityMapping]
    /// The classes whose tables get one.
    let entered: [EntityMapping]
    private let mapping: StoreMapping

    init(_ change: ClassChange, mapping: StoreMapping) throws {
        guard let old = mapping.entity(for: change.old), let new = mapping.entity(for: type(of: change.model)) else {
            throw SaveError.unknownClass(change.model)
        }
        (model, self.old, self.new, self.mapping) = (change.model, old, new, mapping)
        left = old.chain.filter { entity in !new.chain.contains { $0 === entity } }.reversed()
        entered = new.chain.filter { entity in !old.chain.contains { $0 === entity } }
    }

    var place: RowPlace { RowPlace(model._$state.key, of: new) }

    /// Whether the object's values of this class are part of a new row: there is nothing to update then.
    func inserts(_ entity: EntityMapping, of object: any PersistentModel) -> Bool {
        object === model && entered.contains { $0 === entity }
    }

    /// Everything but the new rows, which go in with those of new objects.
    func statements() throws -> [SaveStatement] {
        var statements = [try changeOfClass()]
        for entity in left {
            let row = "\(entity.table.quoted) WHERE \(entity.key.isEqual(to: "$1", of: ""))"
            statements.append(try statement("SELECT 1 FROM \(row) FOR UPDATE", "lock", entity))
        }
        for relationship in lostRelationships {
            let (from, condition) = relationship.objects(relatedTo: left, key: "$1")
            let text =
                "SELECT (\(ServerRefusal.Rule.leave.text(relationship, key: "$1", number: "c.n")))::bigint"
                + " FROM (SELECT count(*) AS n FROM \(from) WHERE \(condition)) AS c WHERE c.n > 0"
            statements.append(try statement(text, "count \(relationship.property.qualifiedName) of", old))
        }
        for entity in left {
            let row = "\(entity.table.quoted) WHERE \(entity.key.isEqual(to: "$1", of: ""))"
            statements.append(try statement("DELETE FROM \(row)", "leave", entity))
        }
        return statements
    }

    /// Fails, as an update of a row that has changed does, unless the row is of the class that it was.
    private func changeOfClass() throws -> SaveStatement {
        let name = SQLFragment.quoted(old.classColumn)
        let text =
            "WITH written AS (UPDATE \(old.root.table.quoted) SET \(name) = $2"
            + " WHERE \(old.key.isEqual(to: "$1", of: "")) AND \(name) = $3 RETURNING 1)"
            + " SELECT 1 FROM written HAVING 1 / count(*)::int = 0"
        var statement = try statement(text, "change the class of", old)
        try statement.parameters.append(new.discriminator)
        try statement.parameters.append(old.discriminator)
        statement.rows = 1
        return statement
    }

    private func statement(_ text: String, _ verb: String, _ entity: EntityMapping) throws -> SaveStatement {
        var parameters = PostgresParameters()
        try parameters.append(model._$state.key)
        return SaveStatement(
            kind: .classChange(from: old, to: new), text: text, parameters: parameters,
            name: "save: \(verb) \(entity.table.name)")
    }

    /// The relationships by which others can be related to an object of a class that it leaves, from either side.
    ///
    /// A foreign key of the object itself goes as its attributes do, unless its rule is to take the target along.
    private var lostRelationships: [RelationshipMapping] {
        mapping.entities.flatMap { entity in
            entity.relationships[entity.descriptor.ownSlots].compactMap { relationship in
                guard let relationship else { return nil }
                if left.contains(where: { $0 === entity }) {
                    if case .foreignKey = relationship.storage {
                        return relationship.property.deleteRule == .cascade ? relationship : nil
                    }
                    return relationship
                }
                // The other side says the same.
                guard relationship.inverse == nil else { return nil }
                return left.contains { $0 === relationship.destination } ? relationship : nil
            }
        }
    }
}

extension RelationshipMapping {
    /// Where the objects stand that this relationship relates to one of `entities`, and on which condition.
    fileprivate func objects(relatedTo entities: [EntityMapping], key: String) -> (from: String, condition: String) {
        let (from, own, other) = ends
        let isOwner = entities.contains { $0 === owner }
        return (from, isOwner ? "\(own) = \(key) AND \(other) IS NOT NULL" : "\(other) = \(key) AND \(own) IS NOT NULL")
    }
}
