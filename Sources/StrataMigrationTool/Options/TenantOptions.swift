import ArgumentParser
import StrataRepository

/// Which tenants a command works on.
struct TenantOptions: ParsableArguments {
    @OptionGroup var prefix: TenantPrefix

    @Option(
        help: ArgumentHelp(
            "Works on the tables of tenants, each in its own PostgreSQL schema, in place of those of --schema: all, or names with commas between them.",
            valueName: "names"))
    var tenants: TenantSelection?

    @Option(help: ArgumentHelp("How many tenants are worked on at the same time (default: 4).", valueName: "count"))
    var parallel: Int?

    func validate() throws {
        guard parallel.map({ $0 > 0 }) ?? true else { throw ValidationError("--parallel must be 1 or more.") }
        guard tenants != nil || parallel == nil && prefix.tenantPrefix == nil else {
            throw ValidationError("--parallel and --tenant-prefix are for tenants: say which, --tenants all or names.")
        }
    }
}

/// How the PostgreSQL schemas of tenants begin.
struct TenantPrefix: ParsableArguments {
    @Option(
        name: .customLong("tenant-prefix"),
        help: ArgumentHelp(
            "How the PostgreSQL schemas of tenants begin (default: tenant_).", valueName: "prefix"))
    var tenantPrefix: String?

    func validate() throws {
        guard tenantPrefix != "" else { throw ValidationError("--tenant-prefix must not be empty.") }
    }

    func naming(_ common: CommonOptions) -> TenantNaming {
        TenantNaming(prefix: tenantPrefix ?? common.configured.tenantPrefix ?? "tenant_")
    }
}
