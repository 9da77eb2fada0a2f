import Foundation
import Strata

@Model
final class Member {
    #Unique<Member>([\.email]) { $0.deletedAt == nil }

    var email: String
    @Attribute(.deletionDate) var deletedAt: Date?

    init(email: String) { self.email = email }
}
