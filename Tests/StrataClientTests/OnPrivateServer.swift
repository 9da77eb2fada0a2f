import StrataTestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests that need the server's own directory.
    static var onPrivateServer: Self {
        .enabled(if: try TestServer.shared().localServer != nil, "needs a private server")
    }
}
