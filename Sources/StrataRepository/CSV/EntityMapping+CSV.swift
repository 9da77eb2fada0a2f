import StrataModels

extension EntityMapping {
    /// The names of the properties to which a key path leads, for the first line of a CSV file: `owner.name`.
    package func csvName(of keyPath: AnyKeyPath) throws -> String {
        if descriptor.isIdentifier(keyPath) { return "persistentModelID" }
        let steps =
            SortPath().steps(of: keyPath, from: descriptor) ?? SortPath().relationships(of: keyPath, from: descriptor)
        guard let steps, !steps.isEmpty else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "A key path to \(type(of: keyPath).valueType) leads to no stored property of \(name).")
        }
        return steps.map(\.name).joined(separator: ".")
    }
}
