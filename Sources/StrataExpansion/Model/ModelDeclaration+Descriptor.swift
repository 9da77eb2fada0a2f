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
        let superclass = isSubclass ? "_$superclassDescriptor()" : "nil"
        members.append(
            """
            private static let _$ownDescriptor = StrataModels.ModelDescriptor(\(raw: name).self, superclass: \
            \(raw: superclass))
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
        [
            """
            \(raw: overridingType)var _$slotCount: Swift.Int {
                \(raw: isSubclass ? "super._$slotCount + \(properties.count)" : "\(properties.count)")
            }
            """,
            "private static let _$base: Swift.Int = \(raw: isSubclass ? "_$slotCount - \(properties.count)" : "0")",
        ]
    }
}
