import ArgumentParser

/// `all`, or `acme,beta`.
enum TenantSelection: Hashable, Sendable, ExpressibleByArgument {
    case all
    case named([String])

    init?(argument: String) {
        let names = argument.split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
        if names.isEmpty { return nil }
        self = names == ["all"] ? .all : .named(Array(Set(names)).sorted())
    }
}
