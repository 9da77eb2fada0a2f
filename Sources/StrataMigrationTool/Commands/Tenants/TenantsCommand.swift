import ArgumentParser

/// `tenants`: a name for the commands below it.
struct TenantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenants",
        abstract: "Lists and creates tenants. apply, status and drift take them with --tenants.",
        subcommands: [TenantsListCommand.self, TenantsCreateCommand.self])
}
