package import StrataClient
package import StrataModels

/// Where decoded objects are kept so that one row is one object: the identity map of a context.
package protocol ObjectRegistry: AnyObject {
    /// The registered objects of the hierarchy of `root`, by key.
    func identities(of root: EntityMapping) -> IdentityTable
    /// Where objects just made from rows belong.
    var registration: ObjectRegistration { get }
    /// Takes an object out whose row has become one of another class.
    func leave(_ model: any PersistentModel)
    /// Lets the relationships of registered objects lead to `new` that led to `old`, which has left.
    func replace(_ old: any PersistentModel, by new: any PersistentModel)
    /// Keeps objects in memory for a while that nothing else may hold any more.
    func keepForNow(_ models: [any PersistentModel])
    /// Inserted and changed objects of a class and its subclasses, for merging unsaved changes into what is loaded.
    func pendingModels(of entity: EntityMapping) -> [any PersistentModel]
    /// What is noted in objects whose values are read now.
    var readStamp: UInt32 { get }
    /// Counts the saves, so that rows asked for before one can be told from rows asked for after it.
    var saveStamp: UInt32 { get }
}

extension ObjectRegistry {
    package var readStamp: UInt32 { 0 }
    package var saveStamp: UInt32 { 0 }

    /// The state of the registered object with this key in the hierarchy.
    package func state(key: RowKey, root: EntityMapping) -> ModelState? { identities(of: root).state(of: key) }
}

/// What an object is given when it is made from a row: asked for once a result, not once a row.
package struct ObjectRegistration {
    let context: any ObjectContext
    let storeIndex: Int16
    /// By the index of the entity.
    let identities: [EntityIdentity]

    package init(context: any ObjectContext, storeIndex: Int16, identities: [EntityIdentity]) {
        self.context = context
        self.storeIndex = storeIndex
        self.identities = identities
    }
}
