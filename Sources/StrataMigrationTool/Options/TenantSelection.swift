import ArgumentParser

/// `all`, or `acme,beta`.
enum TenantSelection: Hashable, Sendable, ExpressibleByArgument {
    case all
    case named([String])

    init?(argument: String) {
        // What is not a name as it stands is not made one: "ac me" is not acme.
        let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ !$0.isEmpty && !$0.contains(where: \.isWhitespace) }),
            names == ["all"] || !names.contains("all")
        else { return nil }
        self = names == ["all"] ? .all : .named(Array(Set(names)).sorted())
    }
}
