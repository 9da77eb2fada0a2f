import Foundation
import Logging
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Tables and columns with names that the model gives.
@Suite struct NamesTests {
    private typealias User = Legacy.User
    private typealias Customer = Legacy.Customer
    private typealias Admin = Legacy.Admin
    private typealias Order = Legacy.Order
    private typealias Club = Legacy.Club

    private func withUsers(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: Legacy.schema) { store in
            let context = ModelContext(store.container)
            let root = Admin("root@x", "Root")
            root.desk = Legacy.Desk(7)
            root.level = 9
            let ann = Customer("ann@x", "Ann")
            ann.vat = "12"
            ann.address = Legacy.Address(city: "Bern", zip: 3000)
            ann.picture = Data([1, 2, 3])
            ann.boss = root
            ann.notes = "likes red apples"
            ann.orders = [Order(30), Order(10), Order(20)]
            ann.photos = [Legacy.Photo("a"), Legacy.Photo("b")]
            let ben = User("ben@x", "Ben")
            ben.boss = root
            ben.pk = 5
            ben.class = "first"
            let (chess, choir) = (Club("chess"), Club("choir"))
            chess.members = [ann, ben]
            choir.members = [ann]
            for object in [root, ann, ben] { context.insert(object) }
            try await context.save()
            try await body(store, ModelContext(store.container))
        }
    }

    @Test func `tables and columns are called as the model says`() async throws {
        try await withUsers { store, _ in
            let columns = try await store.database.texts(
                """
                SELECT table_name || ': ' || string_agg(column_name, ', ' ORDER BY ordinal_position)
                FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name ORDER BY table_name
                """)
            #expect(
                columns == [
                    "admins: id, user_type",
                    "clubs: id, title",
                    "customers: id, vat no, img, addr",
                    "desks: desk, room, admin_id",
                    "membership: club_id, user_id",
                    "orders: order_no, total, user_id, orders_position",
                    "photo: pk, caption, owner_ref",
                    "users: id, user_type, e-mail, First Name, remarks, pk, class, boss_id",
                ])
            let names = try await store.database.texts(
                """
                SELECT conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n' UNION
                SELECT indexname FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1
                """)
            #expect(
                names == [
                    "admins_id_fkey", "admins_pkey", "clubs_pkey", "customers_id_fkey", "customers_pkey",
                    "desks_admin_id_fkey", "desks_admin_id_key", "desks_pkey", "membership_club_id_fkey",
                    "membership_pkey", "membership_user_id_club_id_idx", "membership_user_id_fkey", "orders_pkey",
                    "orders_user_id_fkey", "orders_user_id_idx", "photo_owner_ref_fkey", "photo_owner_ref_idx",
                    "photo_pkey", "users_First Name_e-mail_key", "users_First Name_pk_idx", "users_boss_id_fkey",
                    "users_boss_id_idx", "users_e-mail_key", "users_pkey", "users_remarks_idx", "users_user_type_check",
                ])
            let rows = try await store.database.texts(
                "SELECT concat_ws('|', \"user_type\", \"e-mail\", \"First Name\", pk, class) FROM users ORDER BY \"e-mail\""
            )
            #expect(rows == ["Customer|ann@x|Ann|0|none", "User|ben@x|Ben|5|first", "Admin|root@x|Root|0|none"])
        }
    }

    @Test func `predicates, sorts and relationships read them`() async throws {
        try await withUsers { _, context in
            func names<T: User>(_ predicate: Predicate<T>, _ sort: SortDescriptor<T>...) async throws -> [String] {
                let found = try await context.fetch(FetchDescriptor<T>(predicate: predicate, sortBy: sort))
                return found.map(\.name)
            }
            #expect(
                try await names(#Predicate<User> { $0.boss?.name == "Root" }, SortDescriptor(\.name, order: .reverse))
                    == ["Ben", "Ann"])
            #expect(try await names(#Predicate<User> { $0.pk == 5 && $0.class == "first" }) == ["Ben"])
            #expect(try await names(#Predicate<User> { $0 is Admin }) == ["Root"])
            #expect(try await names(#Predicate<User> { ($0 as? Customer)?.vat == "12" }) == ["Ann"])
            #expect(try await names(#Predicate<Customer> { $0.address.city == "Bern" && $0.vat == "12" }) == ["Ann"])
            #expect(try await names(#Predicate<Admin> { $0.level == 9 && $0.desk?.room == 7 }) == ["Root"])
            #expect(try await names(#Predicate<User> { $0.clubs.contains { $0.title == "choir" } }) == ["Ann"])
            #expect(try await names(#Predicate<User> { $0.orders.count > 2 && $0.photos.count == 2 }) == ["Ann"])
            #expect(try await names(#Predicate<User> { $0.staff.contains { $0.pk == 5 } }) == ["Root"])
            #expect(try await names(#Predicate<User> { $0.matches("apples") }) == ["Ann"])
            let all = try await context.fetch(FetchDescriptor<User>(sortBy: [SortDescriptor(\.mail)]))
            #expect(all.map { "\(type(of: $0)) \($0.name)" } == ["Customer Ann", "User Ben", "Admin Root"])
            let ann = try #require(all.first as? Customer)
            #expect(ann.picture == Data([1, 2, 3]) && ann.address.zip == 3000)
            #expect(ann.orders.map(\.amount) == [30, 10, 20])
            #expect(Set(ann.clubs.map(\.title)) == ["chess", "choir"])
            #expect(Set(ann.photos.map(\.title)) == ["a", "b"])
            #expect((ann.boss as? Admin)?.desk?.room == 7)
            let totals = try await context.fetch(
                FetchDescriptor<Order>(predicate: #Predicate { $0.buyer?.boss?.name == "Root" }))
            #expect(totals.map(\.amount).sorted() == [10, 20, 30])
        }
    }

    @Test func `objects change, leave and take over rows`() async throws {
        try await withUsers { store, context in
            let users = try await context.fetch(FetchDescriptor<User>(sortBy: [SortDescriptor(\.mail)]))
            let (ann, ben) = (try #require(users[0] as? Customer), users[1])
            ann.name = "Anna"
            ann.vat = nil
            ann.orders = [ann.orders[2], ann.orders[0], ann.orders[1]]
            ben.clubs = try await context.fetch(FetchDescriptor<Club>())
            ben.boss = ann
            // Found before the save, and after it.
            let isUnderAnna = #Predicate<User> { $0.boss?.name == "Anna" && $0.clubs.count == 2 }
            #expect(try await context.fetchCount(FetchDescriptor<User>(predicate: isUnderAnna)) == 1)
            try await context.save()
            let reader = ModelContext(store.container)
            #expect(try await reader.fetchCount(FetchDescriptor<User>(predicate: isUnderAnna)) == 1)
            let same = try #require(
                try await reader.fetch(FetchDescriptor<Customer>(predicate: #Predicate { $0.vat == nil })).first)
            #expect(same.name == "Anna" && same.orders.map(\.amount) == [20, 30, 10])

            // The same unique value updates the row.
            let double = Customer("ann@x", "Annette")
            reader.insert(double)
            try await reader.save()
            #expect(double.persistentModelID == ann.persistentModelID)
            #expect(
                try await store.database.texts("SELECT \"First Name\" FROM users WHERE \"e-mail\" = 'ann@x'") == [
                    "Annette"
                ])

            let last = ModelContext(store.container)
            let leaving = try await last.fetch(FetchDescriptor<Customer>())
            for user in leaving { last.delete(user) }
            try await last.save()
            #expect(
                try await store.database.texts(
                    "SELECT count(*)::text FROM orders UNION ALL SELECT count(*)::text FROM membership") == ["0", "2"])
            #expect(try await store.database.texts("SELECT count(*)::text FROM customers") == ["0"])
        }
    }

    @Test func `someone else's change is a conflict that names the property`() async throws {
        try await withUsers { store, context in
            let ben = try #require(
                try await context.fetch(FetchDescriptor<User>(predicate: #Predicate { $0.name == "Ben" })).first)
            try await store.database.execute(
                "UPDATE users SET \"First Name\" = 'Benno', boss_id = NULL WHERE \"e-mail\" = 'ben@x'")
            ben.name = "Benjamin"
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .conflict && error?.conflicts.map(\.qualifiedName) == ["User.name"])
            context.rollback()
            let third = User("ben@x", "Third")
            context.uniquePolicy = .fail
            context.insert(third)
            let taken = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(taken?.message.contains("User.mail") == true, "\(String(describing: taken))")
        }
    }

    @Test func `updates, deletions and insertions of many rows`() async throws {
        try await withUsers { store, context in
            try context.update(
                model: Customer.self, where: #Predicate { $0.vat == "12" }, .set(\.name, to: "A"),
                .set(\.vat, to: "13"),
                .add(1, to: \.pk))
            // Found before the save, too.
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<Customer>(predicate: #Predicate { $0.vat == "13" && $0.pk == 1 })) == 1)
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT concat_ws('|', \"First Name\", \"vat no\", pk) FROM users JOIN customers USING (id)") == [
                        "A|13|1"
                    ])
            try context.update(model: User.self, where: #Predicate { $0.name == "Ben" }, .set(\.boss, to: nil))
            try await context.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM users WHERE boss_id IS NULL") == ["2"])
            try await context.insert(
                into: Customer.self, \.mail, \.name, \.vat, rows: [("x@x", "X", "1"), ("y@x", "Y", nil)])
            #expect(try await context.fetchCount(FetchDescriptor<Customer>()) == 3)
            try await context.insert(
                into: Customer.self, \.mail, \.name, \.vat, rows: [("x@x", "XX", "2" as String?), ("z@x", "Z", "3")])
            #expect(
                try await store.database.texts(
                    "SELECT \"First Name\" FROM users WHERE \"e-mail\" LIKE '_@x' ORDER BY 1") == ["XX", "Y", "Z"])
            try context.delete(model: Customer.self, where: #Predicate { $0.vat == nil || $0.name == "A" })
            #expect(try await context.fetchCount(FetchDescriptor<Customer>()) == 2)
            try await context.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM customers") == ["2"])
            #expect(try await store.database.texts("SELECT count(*)::text FROM users") == ["4"])
            #expect(try await store.database.texts("SELECT count(*)::text FROM orders") == ["0"])
        }
    }

    @Test func `SQL names them by class and key path`() async throws {
        try await withUsers { store, context in
            let names = try await context.fetch(
                String.self,
                sql: "SELECT \(\User.name) FROM \(User.self) WHERE \(\User.pk) < 5 ORDER BY \(\User.mail)")
            #expect(names == ["Ann", "Root"])
            let ann = try await context.fetch(
                Customer.self,
                sql: "SELECT \(\Customer.persistentModelID) FROM \(Customer.self) WHERE \(\Customer.vat) = \("12")")
            #expect(ann.map(\.name) == ["Ann"])
            let pairs = try await context.fetch(
                Int.self,
                sql:
                    "SELECT count(*) FROM \(joinTable: \User.clubs) WHERE \(ownKey: \User.clubs) = \(ann[0].persistentModelID)"
            )
            #expect(pairs == [2])
            let last = store.recorder.statements.last ?? ""
            #expect(last.contains(#"FROM "public"."membership" WHERE "membership"."user_id" ="#), "\(last)")
        }
    }

    @Test func `the history, JSON and errors speak of properties`() async throws {
        try await withUsers { store, context in
            let ann = try #require(try await context.fetch(FetchDescriptor<Customer>()).first)
            let before = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count
            ann.name = "Anna"
            ann.vat = "99"
            ann.clubs = []
            try await context.save()
            try await store.database.execute("UPDATE users SET class = 'x' WHERE \"First Name\" = 'Anna'")
            context.delete(ann)
            try await context.save()
            let history = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            #expect(
                history.dropFirst(before).map {
                    $0.summary.split(separator: ", ").filter { $0.contains("Customer") }.joined(separator: ", ")
                } == [
                    "update Customer: clubs name vat", "update Customer: class", "delete Customer",
                ])
            let deletion = history.last?.changes.first { $0.summary == "delete Customer" }
            guard case .delete(let left as DefaultHistoryDelete<Legacy.Customer>)? = deletion else {
                Issue.record("no deletion: \(String(describing: deletion))")
                return
            }
            #expect(left.tombstone[\.name] as? String == "Anna")
            let ben = try #require(
                try await context.fetch(FetchDescriptor<User>(predicate: #Predicate { $0.name == "Ben" })).first)
            let json = String(decoding: try JSONEncoder().encode(try ben.snapshot()), as: UTF8.self)
            for key in ["\"name\"", "\"mail\"", "\"pk\"", "\"notes\""] { #expect(json.contains(key), "\(json)") }
            #expect(!json.contains("First Name") && !json.contains("remarks"))
        }
    }

    @Test func `undo and another class`() async throws {
        try await withUsers { store, context in
            let undo = ModelUndoManager()
            context.undoManager = undo
            let ben = try #require(
                try await context.fetch(FetchDescriptor<User>(predicate: #Predicate { $0.name == "Ben" })).first)
            ben.name = "Bob"
            context.delete(ben)
            try await context.save()
            undo.undo()
            try await context.save()
            #expect(try await store.database.texts("SELECT pk::text FROM users WHERE \"e-mail\" = 'ben@x'") == ["5"])
            context.undoManager = nil
            let again = try #require(
                try await context.fetch(FetchDescriptor<User>(predicate: #Predicate { $0.pk == 5 })).first)
            let admin = try await context.convert(again, to: Admin.self) { $0.level = 3 }
            #expect(admin.level == 3 && admin.pk == 5)
            #expect(
                try await store.database.texts(
                    "SELECT u.user_type || a.user_type FROM users AS u JOIN admins AS a USING (id) WHERE u.pk = 5") == [
                        "Admin3"
                    ])
            let plain = try await context.convert(admin, to: Customer.self) { $0.vat = "7" }
            #expect(plain.vat == "7")
            #expect(try await store.database.texts("SELECT count(*)::text FROM admins") == ["1"])
        }
    }

    // MARK: Tables that are there

    @Test func `tables that were made by hand are opened with their names`() async throws {
        try await withTestDatabase { database in
            try await database.execute(
                """
                CREATE TABLE users (
                    id bigserial PRIMARY KEY, email text COLLATE "C" NOT NULL, first_name varchar COLLATE "C" NOT NULL,
                    manager_id bigint REFERENCES users ON DELETE SET NULL, created_at timestamptz NOT NULL DEFAULT now(),
                    CONSTRAINT one_mail UNIQUE (email))
                """,
                "CREATE TABLE roles (role_no bigint PRIMARY KEY, title text NOT NULL)",
                """
                CREATE TABLE user_roles (
                    user_id bigint REFERENCES users ON DELETE CASCADE, role_id bigint REFERENCES roles ON DELETE CASCADE,
                    PRIMARY KEY (user_id, role_id))
                """,
                "INSERT INTO users (email, first_name) VALUES ('a@x', 'Ann'), ('b@x', 'Ben')",
                "UPDATE users SET manager_id = 1 WHERE id = 2", "INSERT INTO roles VALUES (10, 'chief')",
                "INSERT INTO user_roles VALUES (1, 10)")
            let configuration = ModelConfiguration(url: try #require(database.foundationURL))
            let container = try await ModelContainer(
                for: Schema(ByHand.User.self, ByHand.Role.self), configurations: [configuration],
                logger: Logger(label: "test"))
            let context = ModelContext(container)
            let users = try await context.fetch(FetchDescriptor<ByHand.User>(sortBy: [SortDescriptor(\.firstName)]))
            #expect(users.map(\.firstName) == ["Ann", "Ben"])
            #expect(users[1].manager === users[0] && users[0].roles.map(\.title) == ["chief"])
            let new = ByHand.User("Cid", "c@x")
            new.roles = users[0].roles
            new.manager = users[1]
            context.insert(new)
            users[1].firstName = "Bob"
            try await context.save()
            context.delete(users[0])
            try await context.save()
            #expect(
                try await database.texts(
                    "SELECT concat_ws('|', first_name, manager_id IS NULL, (SELECT count(*) FROM user_roles WHERE user_id = id)) FROM users ORDER BY 1"
                ) == ["Bob|t|0", "Cid|f|1"])
            await container.close()
        }
    }
}
