import SwiftSyntax
import SwiftSyntaxBuilder

extension PersistedProperty {
    /// The accessors that put the property over its storage.
    ///
    /// - Parameters:
    ///   - slot: the expression of the property's position in the object.
    ///   - owner: the class's name.
    func accessors(slot: String, owner: String) -> [AccessorDeclSyntax] {
        let accessors = [initializing(), getter(slot: slot, owner: owner), setter(slot: slot, owner: owner)]
        return isEditedInPlace ? accessors + [editor(slot: slot, owner: owner)] : accessors
    }

    /// Whether an `append` is to reach an array that nobody else has: it would copy the one that the getter hands out.
    private var isEditedInPlace: Bool {
        guard case .inferred = form, observers.isEmpty else { return false }
        return type.map(\.isArray) ?? initialValue?.isArray ?? false
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
        guard observers.isEmpty else { return observedSetter(slot: slot, owner: owner) }
        return """
            set {
                _$state.set(
                    newValue, at: \(raw: slot), current: \(raw: storage), of: self, \\\(raw: owner).\(raw: reference)
                ) { $0.\(raw: storage) = $1 }
            }
            """
    }

    private func editor(slot: String, owner: String) -> AccessorDeclSyntax {
        let place = "of: self, \\\(owner).\(reference)"
        return """
            _modify {
                var value = _$state.valueToEdit(\(raw: storage), at: \(raw: slot), \(raw: place))
                defer {
                    _$state.set(value, at: \(raw: slot), current: \(raw: storage), \(raw: place)) { $0.\(raw: storage) = $1 }
                }
                yield &value
            }
            """
    }

    /// A setter that calls `willSet` and `didSet`; as in Swift, not for what they set themselves.
    private func observedSetter(slot: String, owner: String) -> AccessorDeclSyntax {
        let write =
            "_$state.set(newValue, at: \(slot), current: \(storage), of: self, \\\(owner).\(reference)) { $0.\(storage) = $1 }"
        let old = observers.first { !$0.isBefore && $0.usesParameter }
        let new = observers.first { $0.isBefore && $0.parameter != "newValue" }
        let values =
            (old.map { ["let \($0.parameter) = \(reference)"] } ?? [])
            + (new.map { ["let \($0.parameter) = newValue"] } ?? [])
        let functions = observers.map { "func \($0.function)() \($0.body)" }
        let before = observers.filter(\.isBefore).map { "\($0.function)()" }
        let after = observers.filter { !$0.isBefore }.map { "\($0.function)()" }
        return """
            set {
                guard !\(raw: observing) else {
                    return \(raw: write)
                }
                \(raw: observing) = true
                defer {
                    \(raw: observing) = false
                }
                \(raw: (values + functions + before + [write] + after).joined(separator: "\n"))
            }
            """
    }
}

extension TypeSyntax {
    /// Whether the type is written as an array, optional or not.
    fileprivate var isArray: Bool {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isArray }
        if let named = self.as(IdentifierTypeSyntax.self) { return named.name.text == "Array" }
        return self.is(ArrayTypeSyntax.self)
    }
}

extension ExprSyntax {
    /// Whether the value is a call of an array type: `[Item]()`.
    fileprivate var isArray: Bool {
        self.as(FunctionCallExprSyntax.self)?.calledExpression.is(ArrayExprSyntax.self) ?? false
    }
}
