import Testing

/// A wrong use of a macro of the `@Model` family, and what must be reported.
struct ModelMisuse: Sendable, CustomTestStringConvertible {
    /// What the row is about.
    let title: String
    let source: String
    let report: String
    var isSubclass = false
    /// The source after the first fix-it.
    var fixed: String?

    var testDescription: String { title }

    static let all: [ModelMisuse] =
        classes + initializers + properties + names + databaseNames + attributes + relationships + places + constraints
        + actors
}
