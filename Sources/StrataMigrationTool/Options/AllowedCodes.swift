import ArgumentParser

/// `M204,M301`: what was found and is accepted, each by its name; never everything.
struct AllowedCodes: Hashable, Sendable, ExpressibleByArgument {
    var codes: Set<String> = []

    init() {}

    /// Nothing: help names no default.
    var defaultValueDescription: String { codes.sorted().joined(separator: ",") }

    init?(argument: String) {
        codes = Set(argument.split(separator: ",").map { $0.filter { $0 != " " } })
        if codes.isEmpty { return nil }
    }
}
