import SwiftSyntax

extension PersistedProperty {
    /// The accessors that put the property over its storage.
    ///
    /// - Parameters:
    ///   - slot: the expression of the property's position in the object.
    ///   - owner: the class's name.
    func accessors(slot: String, owner: String) -> [String] {
        if isGenerated { return [getter(slot: slot, owner: owner)] }
        let accessors = [initializing(), getter(slot: slot, owner: owner), setter(slot: slot, owner: owner)]
        return isEditedInPlace ? accessors + [editor(slot: slot, owner: owner)] : accessors
    }

    /// Whether an `append` is to reach an array that nobody else has: it would copy the one that the getter hands out.
    private var isEditedInPlace: Bool { isWrittenAsArray && observers.isEmpty }

    private var isWrittenAsArray: Bool {
        guard case .inferred = form else { return false }
        return type.map(\.isArray) ?? initialValue?.isArray ?? false
    }

    private func initializing() -> String {
        guard needsAssignment else {
            return """
                @storageRestrictions(initializes: \(storage))
                init(initialValue) {
                    \(storage) = .init(stored: initialValue)
                }
                """
        }
        return """
            @storageRestrictions(initializes: \(marker), accesses: \(storage))
            init(initialValue) {
                \(storage) = .init(stored: initialValue)
                \(marker) = StrataModels._Assigned()
            }
            """
    }

    private func getter(slot: String, owner: String) -> String {
        """
        get {
            \(storage).get(_$state, at: \(slot), of: self, \\\(owner).\(reference))
        }
        """
    }

    /// The getter of a property that memory computes.
    func computingGetter(slot: String, owner: String) -> String {
        """
        get {
            \(storage).computed(by: \(owner).\(expression), _$state, at: \(slot), of: self, \\\(owner).\(reference))
        }
        """
    }

    private func setter(slot: String, owner: String) -> String {
        guard observers.isEmpty else { return observedSetter(slot: slot, owner: owner) }
        return """
            set {
                \(assignment(of: "newValue", slot: slot, owner: owner))
            }
            """
    }

    /// The call that sets the property.
    private func assignment(of value: String, slot: String, owner: String) -> String {
        let place = "of: self, \\\(owner).\(reference)) { $0.\(storage) = $1 }"
        // The storage of a to-many relationship must not be copied for the call: the array in it is edited in place.
        return isWrittenAsArray
            ? "_$state.setArray(\(value), at: \(slot), current: \(storage), \(place)"
            : "\(storage).set\(scalarSuffix)(\(value), _$state, at: \(slot), \(place)"
    }

    private func editor(slot: String, owner: String) -> String {
        """
        _modify {
            var value = _$state.valueToEdit(\(storage), at: \(slot), of: self, \\\(owner).\(reference))
            defer {
                \(assignment(of: "value", slot: slot, owner: owner))
            }
            yield &value
        }
        """
    }

    /// A setter that calls `willSet` and `didSet`; as in Swift, not for what they set themselves.
    private func observedSetter(slot: String, owner: String) -> String {
        let write = assignment(of: "newValue", slot: slot, owner: owner)
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
                guard !\(observing) else {
                    return \(write)
                }
                \(observing) = true
                defer {
                    \(observing) = false
                }
            \((values + functions + before + [write] + after).indented)
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
