import Foundation
import Strata

/// A hierarchy of which everything has another name in the database.
enum Legacy {
    static let schema = Schema(
        User.self, Customer.self, Admin.self, Order.self, Club.self, Desk.self, Photo.self)

    struct Address: Codable, Hashable {
        var city: String
        var zip: Int
    }

    @Model(table: "users", keyColumn: "id", classColumn: "user_type") class User {
        #Index<User>([\.name, \.pk])
        #Index<User>(.fullText([\.notes]))
        #Unique<User>([\.name, \.mail])
        @Attribute(.unique, column: "e-mail") var mail: String
        @Attribute(.preserveValueOnDeletion, column: "First Name") var name: String
        @Attribute(column: "remarks") var notes: String = ""
        // Names that other hierarchies have for the key and the class.
        var pk: Int = 0
        var `class`: String = "none"
        @Relationship(deleteRule: .nullify, column: "boss_id") var boss: User?
        @Relationship(inverse: \User.boss) var staff: [User] = []
        @Relationship(.ordered, deleteRule: .cascade, inverse: \Order.buyer) var orders: [Order] = []
        @Relationship(table: "membership", column: "user_id", inverseColumn: "club_id", inverse: \Club.members)
        var clubs: [Club] = []
        @Relationship(column: "owner_ref", inverse: nil) var photos: [Photo] = []

        init(_ mail: String, _ name: String) {
            self.mail = mail
            self.name = name
        }
    }

    @Model(table: "customers") final class Customer: User {
        @Attribute(column: "vat no") var vat: String?
        @Attribute(.externalStorage, column: "img") var picture: Data?
        @Attribute(.codable, column: "addr") var address: Address = Address(city: "", zip: 0)
    }

    @Model(table: "admins") final class Admin: User {
        // The class of a row is in the root's table.
        @Attribute(column: "user_type") var level: Int = 1
        @Relationship(inverse: \Desk.admin) var desk: Desk?
    }

    @Model(table: "orders", keyColumn: "order_no") final class Order {
        @Attribute(column: "total") var amount: Int
        @Relationship(column: "user_id") var buyer: User?
        init(_ amount: Int) { self.amount = amount }
    }

    @Model(table: "clubs", keyColumn: "id") final class Club {
        var title: String
        var members: [User] = []
        init(_ title: String) { self.title = title }
    }

    @Model(table: "desks", keyColumn: "desk") final class Desk {
        var room: Int
        @Relationship(column: "admin_id") var admin: Admin?
        init(_ room: Int) { self.room = room }
    }

    @Model final class Photo {
        @Attribute(column: "caption") var title: String
        init(_ title: String) { self.title = title }
    }
}

/// As `users` was made by hand, long before.
enum ByHand {
    @Model(table: "users", keyColumn: "id") final class User {
        @Attribute(column: "first_name") var firstName: String
        @Attribute(.unique, column: "email") var mail: String
        @Relationship(column: "manager_id", inverse: nil) var manager: User?
        @Relationship(table: "user_roles", column: "user_id", inverseColumn: "role_id", inverse: \Role.users)
        var roles: [Role] = []
        init(_ firstName: String, _ mail: String) {
            self.firstName = firstName
            self.mail = mail
        }
    }

    @Model(table: "roles", keyColumn: "role_no") final class Role {
        var title: String
        var users: [User] = []
        init(_ title: String) { self.title = title }
    }
}
