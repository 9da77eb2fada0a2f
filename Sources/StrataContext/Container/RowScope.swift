import StrataModels
import StrataRepository

/// Whose rows the contexts of a container see, of classes whose rows are of many tenants. It is told to the server with every batch of statements.
enum RowScope: Hashable, Sendable {
    /// Nobody's: such a class cannot be used.
    case none
    case tenant(TenantName)
    /// Everybody's, for administrators and for migrations. The server refuses statements of a role that a policy would hide rows from.
    case all

    /// What the server is told (PostgreSQL manual, 5.8 and 20.11.1).
    var settings: [String: String] {
        switch self {
        case .none: [:]
        case .tenant(let name): [RowPolicyDefinition.setting: name.text]
        case .all: ["row_security": "off"]
        }
    }

    /// The names of settings that say whose rows are seen, in small letters: PostgreSQL does not tell capital ones from them.
    static let settingNames: Set<String> = [
        RowPolicyDefinition.setting, "row_security", "role", "session_authorization",
    ]

    var tenant: TenantName? { if case .tenant(let name) = self { name } else { nil } }

    /// Whether the history of all tenants, with their keys, is nobody's to see in this container.
    var hidesHistory: Bool { if case .tenant = self { true } else { false } }
}
