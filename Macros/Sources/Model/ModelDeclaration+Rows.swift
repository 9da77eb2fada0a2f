extension ModelDeclaration {
    /// Reads the columns of a row by position into the storage.
    func decode() -> String {
        rowMethod("_$decode", parameter: "row: inout StrataModels.RowReader", argument: "&row") {
            $0.isEphemeral || computes($0) ? "row.skip()" : "\($0.storage).read\($0.scalarSuffix)(from: &row)"
        }
    }

    /// Writes the storage by position into a row.
    func encode() -> String {
        rowMethod("_$encode", parameter: "row: inout StrataModels.RowWriter", argument: "&row") {
            $0.isEphemeral || computes($0) ? "row.skip()" : "\($0.storage).write\($0.scalarSuffix)(to: &row)"
        }
    }

    /// Puts back the values the properties had before their first change. Ephemeral properties have such values too.
    func restore() -> String {
        rowMethod("_$restore", parameter: "originals: inout StrataModels.OriginalsReader", argument: "&originals") {
            "\($0.storage).restore(from: &originals)"
        }
    }

    /// A method that visits the properties in order, the superclass's first.
    private func rowMethod(
        _ name: String, parameter: String, argument: String, visit: (PersistedProperty) -> String
    ) -> String {
        let inherited = isSubclass ? ["super.\(name)(\(argument))"] : []
        return """
            \(overriding)func \(name)(_ \(parameter)) {
            \((inherited + properties.map(visit)).indented)
            }
            """
    }

    /// The modifiers of a member every class in a chain has.
    var overriding: String { access.overridable + (isSubclass ? "override " : "") }
}
