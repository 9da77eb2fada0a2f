package import StrataModels

/// Which owners have claimed objects by to-many relationships without an inverse, in the order in which they did. The tables
/// have room for one owner: it is the last of those that still claim an object when it is saved.
package struct TargetClaims {
    private var owners: [ObjectIdentifier: [ObjectIdentifier]] = [:]

    package init() {}

    package mutating func note(_ targets: [any PersistentModel], by owner: any PersistentModel) {
        let owner = ObjectIdentifier(owner)
        for target in targets {
            owners[ObjectIdentifier(target), default: []].removeAll { $0 == owner }
            owners[ObjectIdentifier(target), default: []].append(owner)
        }
    }

    /// Higher for a later claim; 0 for one of which nothing is known.
    func rank(of owner: any PersistentModel, on target: any PersistentModel) -> Int {
        let place = owners[ObjectIdentifier(target)]?.firstIndex(of: ObjectIdentifier(owner))
        return place.map { $0 + 1 } ?? 0
    }
}
