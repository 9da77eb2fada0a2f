package import Foundation
package import StrataModels

/// What a unit of work wants to be written, all of it or nothing.
package struct SaveRequest {
    /// New objects in the order of their insertion, each with its final key.
    package var inserted: [any PersistentModel]
    /// Registered objects with changed properties.
    package var changed: [any PersistentModel]
    /// Deleted objects, those that delete rules took along included (``DeletePropagation``).
    package var deleted: [any PersistentModel]
    /// Those of them that the rows must lead to still (``DeletePropagation/followed``); otherwise the save fails.
    package var followed: [ObjectIdentifier: RelationshipMapping] = [:]
    /// The object whose row is to become one of another class.
    package var classChange: ClassChange?
    package var conflictPolicy: ConflictPolicy
    package var uniquePolicy: UniquePolicy
    /// Whether a transaction is open already: the save is then a savepoint in it.
    package var insideTransaction: Bool
    /// Whether the transaction that the save is in is committed with it.
    package var commitsTransaction = false
    /// Whether the transaction that the save is in may have stored something before, by whatever statement.
    package var followsWrites = false
    /// When it is: the date of what the save takes along softly.
    package var date: Date
    /// Who writes, for the history.
    package var authorship: Authorship
    /// Whether the save is to say where in the history it is.
    package var asksForMoment: Bool
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

    /// The same without new and changed objects that are deleted as well, by a rule for example.
    consuming func withoutDeleted() -> SaveRequest {
        guard !deleted.isEmpty, !(inserted.isEmpty && changed.isEmpty) else { return self }
        let objects = Set(deleted.map { ObjectIdentifier($0) })
        inserted.removeAll { objects.contains(ObjectIdentifier($0)) }
        changed.removeAll { objects.contains(ObjectIdentifier($0)) }
        return self
    }

    package var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && deleted.isEmpty && classChange == nil }
}
