import Testing

/// Expects that a piece of source expands to another, without any report.
///
/// - Parameters:
///   - source: what a user wrote, or, with `properties`, what `@Model` made of a property.
///   - isSubclass: whether the compiler would say that the superclass is a model.
///   - properties: whether to expand `@_PersistedProperty` instead of the macros that users write.
///   - expansion: the source after expansion.
func expectExpansion(
    _ source: String, isSubclass: Bool = false, properties: Bool = false, _ expansion: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let expander = ModelMacroExpander(source, isSubclass: isSubclass, properties: properties)
    #expect(expander.report == "", sourceLocation: sourceLocation)
    #expect(expander.expansion == expansion, sourceLocation: sourceLocation)
}

/// Expects what a piece of source declares after expansion, without the bodies: the outer two levels of it.
func expectSignatures(
    _ source: String, isSubclass: Bool = false, _ signatures: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    let expander = ModelMacroExpander(source, isSubclass: isSubclass)
    #expect(expander.report == "", sourceLocation: sourceLocation)
    #expect(expander.signatures == signatures, sourceLocation: sourceLocation)
}

extension ModelMacroExpander {
    /// The lines that begin something in the outer two levels.
    fileprivate var signatures: String {
        expansion.split(separator: "\n").filter { line in
            let text = line.drop { $0 == " " }
            return !text.isEmpty && text.first != "}" && line.count - text.count <= 4
        }.joined(separator: "\n")
    }
}
