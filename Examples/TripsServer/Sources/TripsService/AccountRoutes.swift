import HTTPTypes
import Hummingbird
import Strata
import StrataHummingbird

extension TripsService {
    /// `POST /accounts` makes an account, and shows its token this once.
    static func addAccounts(to router: Router<BasicStrataRequestContext>) {
        router.post("accounts") { request, context in
            let wish = try await request.decode(as: NewAccount.self, context: context)
            // As JSON Schema counts, by which the description says it.
            guard (1...100).contains(wish.name.unicodeScalars.count) else {
                throw Problem(.unprocessableContent, errors: [Problem.Place("#/name", "has 1 to 100 characters")])
            }
            let token = Account.newToken()
            try await context.write { models in
                models.uniquePolicy = .fail
                models.insert(Account(name: wish.name, tokenDigest: try await Account.digest(of: token, in: models)))
            }
            return EditedResponse(
                status: .created, headers: [.cacheControl: "no-store"],
                response: AccountToken(name: wish.name, token: token))
        }
    }

    private struct NewAccount: Decodable {
        let name: String
    }

    private struct AccountToken: ResponseEncodable {
        let name, token: String
    }
}
