import HTTPTypes
import Hummingbird
import StrataHummingbird

extension Request {
    /// What stands behind `Authorization: Bearer`.
    var bearerToken: String? {
        guard let value = headers[.authorization], value.hasPrefix("Bearer ") else { return nil }
        return String(value.dropFirst("Bearer ".count))
    }
}

extension BasicStrataRequestContext {
    /// Refuses who has no account.
    func requireAccount() throws {
        guard models?.author == nil else { return }
        throw HTTPError(
            .unauthorized, headers: [.wwwAuthenticate: "Bearer"], message: "This takes the token of an account.")
    }
}
