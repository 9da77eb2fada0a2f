/// One thing that is wrong with a schema.
package struct SchemaFinding: Hashable, Sendable, CustomStringConvertible {
    package let entity: String
    /// The property concerned, if it is one.
    package let property: String?
    package let problem: String
    /// What to do now.
    package let remedy: String

    package init(entity: String, property: String?, problem: String, remedy: String) {
        self.entity = entity
        self.property = property
        self.problem = problem
        self.remedy = remedy
    }

    /// `Trip.name: what is wrong. What to do.`
    package var description: String {
        let place = property.map { "\(entity).\($0)" } ?? entity
        return "\(place): \(problem). Remedy: \(remedy)."
    }
}

extension SwiftDataError {
    /// One error from all findings; `nil` when there are none.
    package static func invalidSchema(_ findings: [SchemaFinding]) -> SwiftDataError? {
        guard !findings.isEmpty else { return nil }
        let count = findings.count == 1 ? "one problem" : "\(findings.count) problems"
        return SwiftDataError(
            .invalidSchema, "The schema has \(count):\n" + findings.map { "- \($0)" }.joined(separator: "\n"))
    }
}
