extension ModelDeclaration {
    /// The class's descriptor, built once, and the way to it from an object whose class is not known.
    func descriptor() -> [String] {
        var members: [String] = []
        if isSubclass {
            // `super` is not available in the initial value of a static property.
            members.append(
                """
                private static func _$superclassDescriptor() -> StrataModels.ModelDescriptor {
                    super._$descriptor
                }
                """
            )
        }
        var arguments = isSubclass ? "_$superclassDescriptor()" : "nil"
        // The conformance is the superclass's, and does not know what the subclass declares.
        if isSubclass, declaresRecordsHistory { arguments += ", recordsHistory: \(name).recordsHistory" }
        if declaresIsAbstract { arguments += ", isAbstract: \(name).isAbstract" }
        if !names.isEmpty { arguments += ", \(names)" }
        members.append(
            """
            private static let _$ownDescriptor = StrataModels.ModelDescriptor(\(name).self, superclass: \
            \(arguments))
            """
        )
        members.append(
            """
            \(overridingType)var _$descriptor: StrataModels.ModelDescriptor {
                _$ownDescriptor
            }
            """
        )
        return members
    }

    /// The number of slots up to this class, and the first slot of the class itself.
    func slots() -> [String] {
        let own = properties.count
        let count = isSubclass ? (own == 0 ? "super._$slotCount" : "super._$slotCount + \(own)") : "\(own)"
        var members: [String] = ["\(overridingType)var _$slotCount: Swift.Int {\n    \(count)\n}"]
        // A class without properties has nobody to ask for it.
        if own > 0 {
            members.append("private static let _$base: Swift.Int = \(isSubclass ? "_$slotCount - \(own)" : "0")")
        }
        return members
    }
}
