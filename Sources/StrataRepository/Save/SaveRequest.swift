package import Foundation
package import StrataModels

/// What a unit of work wants to be written, all of it or nothing.
///
/// One object for all that deal with the save: the unit of work completes it until the objects are planned, and from then on it is only read,
/// but for what a failed attempt has learned.
package final class SaveRequest {
    /// New objects in the order of their insertion, each with its final key.
    package let inserted: [any PersistentModel]
    /// Registered objects with changed properties.
    package let changed: [any PersistentModel]
    /// Deleted objects, those that delete rules took along included (``DeletePropagation``).
    package let deleted: [any PersistentModel]
    /// Those of them that the rows must lead to still (``DeletePropagation/followed``); otherwise the save fails.
    package var followed: [ObjectIdentifier: RelationshipMapping] = [:]
    /// The object whose row is to become one of another class.
    package var classChange: ClassChange?
    package let conflictPolicy: ConflictPolicy
    package let uniquePolicy: UniquePolicy
    /// Whether a transaction is open already: the save is then a savepoint in it.
    package var insideTransaction: Bool
    /// Whether the transaction that the save is in is committed with it.
    package var commitsTransaction = false
    /// Whether the transaction that the save is in may have stored something before, by whatever statement.
    package var followsWrites = false
    /// When it is: the date of what the save takes along softly.
    package let date: Date
    /// Who writes, for the history.
    package let authorship: Authorship
    /// Whether the save is to say where in the history it is.
    package let asksForMoment: Bool
    /// Who is to have objects that several owners claim.
    package var claims = TargetClaims()
    /// The hierarchies of which the context has objects, by the index of their root; `nil` when nobody says so.
    package var registeredRoots: Set<Int>?
    /// Stored forms of old values that were found to mean what the objects had, by object and slot: they are compared with
    /// instead of what the objects would make of their values.
    var storedForms: [ObjectIdentifier: [Int: [UInt8]?]] = [:]
    /// Properties of changed objects whose old value is not compared: an update by predicate has set them in the same transaction,
    /// before the objects are written.
    package var overwritten: [ObjectIdentifier: SlotSet] = [:]
    /// Shows the objects as they are to be written, when they can be edited while the save is under way.
    package var beginning: (any SaveMoment)?

    package init(
        inserted: [any PersistentModel] = [], changed: [any PersistentModel] = [], deleted: [any PersistentModel] = [],
        conflictPolicy: ConflictPolicy = .throw, uniquePolicy: UniquePolicy = .upsert, insideTransaction: Bool = false,
        date: Date = .now, authorship: Authorship = Authorship(), asksForMoment: Bool = false
    ) {
        self.date = date
        self.inserted = inserted
        self.changed = changed
        self.deleted = deleted
        self.conflictPolicy = conflictPolicy
        self.uniquePolicy = uniquePolicy
        self.insideTransaction = insideTransaction
        self.authorship = authorship
        self.asksForMoment = asksForMoment
    }

    /// The new and the changed objects that are not deleted as well, by a rule for example.
    var staying: (inserted: [any PersistentModel], changed: [any PersistentModel]) {
        guard !deleted.isEmpty, !(inserted.isEmpty && changed.isEmpty) else { return (inserted, changed) }
        let objects = Set(deleted.map { ObjectIdentifier($0) })
        func stays(_ model: any PersistentModel) -> Bool { !objects.contains(ObjectIdentifier(model)) }
        return (inserted.filter(stays), changed.filter(stays))
    }

    package var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && deleted.isEmpty && classChange == nil }
}
