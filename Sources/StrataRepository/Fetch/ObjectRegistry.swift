package import StrataModels

/// Where decoded objects are kept so that one row is one object: the identity map of a context.
package protocol ObjectRegistry: AnyObject {
    /// The state of the registered object with this key in the hierarchy.
    func state(key: Int64, root: EntityMapping) -> ModelState?
    /// Registers an object just made from a row.
    func register(_ model: any PersistentModel, key: Int64, entity: EntityMapping, group: FetchGroup?)
    /// Inserted and changed objects of a class and its subclasses, for merging unsaved changes into what is loaded.
    func pendingModels(of entity: EntityMapping) -> [any PersistentModel]
}
