import Foundation
import Strata

/// Tables that were there before the program, with names of their own.
enum Association {
    @Model(table: "users", keyColumn: "id", classColumn: "user_type")
    class Member {
        @Attribute(.unique, column: "email") var address: String
        @Attribute(column: "first_name") var name: String
        @Relationship(column: "sponsor_id") var sponsor: Member?
        @Relationship(inverse: \Member.sponsor) var sponsored: [Member] = []
        @Relationship(table: "memberships", column: "user_id", inverseColumn: "club_id", inverse: \Club.members)
        var clubs: [Club] = []

        init(address: String, name: String) {
            self.address = address
            self.name = name
        }
    }

    @Model(table: "staff")
    final class Employee: Member {
        @Attribute(column: "hired_on") var start: Date?
    }

    @Model(table: "clubs", keyColumn: "club_no")
    final class Club {
        @Attribute(column: "name") var title: String
        var members: [Member] = []

        init(title: String) { self.title = title }
    }
}
