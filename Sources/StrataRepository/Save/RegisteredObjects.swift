package import StrataClient
package import StrataModels

/// The objects of a context as delete rules see them: what is in memory.
package protocol RegisteredObjects: AnyObject {
    /// The registered object with this key in the hierarchy.
    func state(key: RowKey, root: EntityMapping) -> ModelState?
    /// All registered objects of a class and its subclasses.
    func registeredModels(of entity: EntityMapping) -> [any PersistentModel]
}
