import HTTPTypes
import Hummingbird
import StrataHummingbird

extension Request {
    /// What stands behind `Authorization: Bearer`; the scheme in letters of any size (RFC 9110, 11.1).
    var bearerToken: String? {
        let parts = (headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
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
