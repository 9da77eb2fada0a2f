import SwiftSyntax
import SwiftSyntaxBuilder

extension PersistedProperty {
    /// The accessors that put the property over its storage.
    ///
    /// - Parameters:
    ///   - slot: the expression of the property's position in the object.
    ///   - owner: the class's name.
    func accessors(slot: String, owner: String) -> [AccessorDeclSyntax] {
        [initializing(), getter(slot: slot, owner: owner), setter(slot: slot, owner: owner)]
    }

    private func initializing() -> AccessorDeclSyntax {
        guard needsAssignment else {
            return """
                @storageRestrictions(initializes: \(raw: storage))
                init(initialValue) {
                    \(raw: storage) = StrataModels._stored(initialValue)
                }
                """
        }
        return """
            @storageRestrictions(initializes: \(raw: marker), accesses: \(raw: storage))
            init(initialValue) {
                \(raw: storage) = StrataModels._stored(initialValue)
                \(raw: marker) = StrataModels._Assigned()
            }
            """
    }

    private func getter(slot: String, owner: String) -> AccessorDeclSyntax {
        """
        get {
            _$state.get(\(raw: storage), at: \(raw: slot), of: self, \\\(raw: owner).\(raw: reference))
        }
        """
    }

    private func setter(slot: String, owner: String) -> AccessorDeclSyntax {
        """
        set {
            _$state.set(
                newValue, at: \(raw: slot), current: \(raw: storage), of: self, \\\(raw: owner).\(raw: reference)
            ) { $0.\(raw: storage) = $1 }
        }
        """
    }
}
