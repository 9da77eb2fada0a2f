import StrataClient

/// Where a configuration without a URL finds its server: the first that there is of the environment and a private one.
enum ServerSource: Hashable, Sendable, CustomStringConvertible {
    /// The variables that name it.
    case environment([String])
    case privateServer
    /// A private server for one container.
    case throwawayServer

    /// As the environment is now.
    init(_ configuration: ModelConfiguration) {
        let variables = PostgresConfiguration.environmentVariables
        if !variables.isEmpty {
            self = .environment(variables)
        } else {
            self = configuration.isStoredInMemoryOnly ? .throwawayServer : .privateServer
        }
    }

    var description: String {
        switch self {
        case .environment(let variables): variables.joined(separator: ", ")
        case .privateServer: "private server"
        case .throwawayServer: "throw-away server"
        }
    }
}
