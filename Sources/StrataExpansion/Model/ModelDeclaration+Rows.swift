import SwiftSyntax
import SwiftSyntaxBuilder

extension ModelDeclaration {
    /// Reads the columns of a row by position into the storage.
    func decode() -> DeclSyntax {
        rowMethod("_$decode", parameter: "row: inout StrataModels.RowReader", argument: "&row") {
            $0.isEphemeral ? "row.skip()" : "row.next(&\($0.storage))"
        }
    }

    /// Writes the storage by position into a row.
    func encode() -> DeclSyntax {
        rowMethod("_$encode", parameter: "row: inout StrataModels.RowWriter", argument: "&row") {
            $0.isEphemeral ? "row.skip()" : "row.next(\($0.storage))"
        }
    }

    /// Puts back the values the properties had before their first change. Ephemeral properties have such values too.
    func restore() -> DeclSyntax {
        rowMethod("_$restore", parameter: "originals: inout StrataModels.OriginalsReader", argument: "&originals") {
            "originals.next(&\($0.storage))"
        }
    }

    /// A method that visits the properties in order, the superclass's first.
    private func rowMethod(
        _ name: String, parameter: String, argument: String, visit: (PersistedProperty) -> String
    ) -> DeclSyntax {
        let inherited = isSubclass ? ["super.\(name)(\(argument))"] : []
        return """
            \(raw: overriding)func \(raw: name)(_ \(raw: parameter)) {
            \(raw: (inherited + properties.map(visit)).indented)
            }
            """
    }

    /// The modifiers of a member every class in a chain has.
    var overriding: String { access.overridable + (isSubclass ? "override " : "") }
}
