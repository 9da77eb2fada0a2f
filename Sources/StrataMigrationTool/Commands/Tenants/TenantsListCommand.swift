import ArgumentParser

/// `tenants list`
struct TenantsListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Names the tenants of a database. Changes nothing.")
    static let fullName = "tenants list"

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var prefix: TenantPrefix

    func perform(in session: ToolSession) throws -> any CommandResult {
        let (address, _) = try session.database(common, connection)
        return TenantListResult(tenants: try address.tenants(prefix.naming(common), without: common.schema))
    }
}

/// The tenants of a database.
struct TenantListResult: CommandResult {
    var tenants: [String]

    func text(_ style: TextStyle) -> [String] { tenants.isEmpty ? ["There are no tenants."] : tenants }
}
