import Foundation
import Strata

/// Keys that classes declare.
enum Bank {
    @Model
    final class Account {
        @Attribute(.primaryKey) var id: UUID = UUID.v7()
        var owner: String
        @Relationship(deleteRule: .cascade, inverse: \Transfer.account) var transfers: [Transfer] = []

        init(owner: String) { self.owner = owner }
    }

    @Model
    final class Transfer {
        @Attribute(.primaryKey, column: "transfer_no") var number: Int
        var account: Account?

        init(number: Int) { self.number = number }
    }

    static func owner(_ id: UUID, in context: ModelContext) async throws -> String? {
        let account = try await context.existingModel(Account.self, id: id)
        return account?.owner
    }
}
