import SwiftSyntax
import SwiftSyntaxBuilder

extension ModelDeclaration {
    /// The class's descriptor, built once, and the way to it from an object whose class is not known.
    func descriptor() -> [DeclSyntax] {
        var members: [DeclSyntax] = []
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
        members.append(
            """
            private static let _$ownDescriptor = StrataModels.ModelDescriptor(\(raw: name).self, superclass: \
            \(raw: arguments))
            """
        )
        members.append(
            """
            \(raw: overridingType)var _$descriptor: StrataModels.ModelDescriptor {
                _$ownDescriptor
            }
            """
        )
        return members
    }

    /// The number of slots up to this class, and the first slot of the class itself.
    func slots() -> [DeclSyntax] {
        let own = properties.count
        let count = isSubclass ? (own == 0 ? "super._$slotCount" : "super._$slotCount + \(own)") : "\(own)"
        var members: [DeclSyntax] = ["\(raw: overridingType)var _$slotCount: Swift.Int {\n    \(raw: count)\n}"]
        // A class without properties has nobody to ask for it.
        if own > 0 {
            members.append("private static let _$base: Swift.Int = \(raw: isSubclass ? "_$slotCount - \(own)" : "0")")
        }
        return members
    }
}
