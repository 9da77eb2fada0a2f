package import StrataModels

/// An object that becomes one of another class of its hierarchy and keeps its key.
package struct ClassChange {
    /// The object of the new class; it stands for the row already.
    package let model: any PersistentModel
    /// The class that the row has.
    package let old: ModelDescriptor

    package init(_ model: any PersistentModel, from old: ModelDescriptor) {
        self.model = model
        self.old = old
    }
}
