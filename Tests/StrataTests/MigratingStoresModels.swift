import Strata

// Trips are kept in one store, members in another one.

enum StoresV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Trip.self, Account.self] }

    @Model final class Trip {
        var name: String
        var stops: [Stop] = []
        init(name: String, stops: [Stop] = []) {
            self.name = name
            self.stops = stops
        }
    }

    @Model final class Stop {
        var title: String
        var trip: Trip?
        init(title: String) { self.title = title }
    }

    @Model final class Account {
        var email: String
        init(email: String) { self.email = email }
    }
}

/// Accounts are members now.
enum StoresV2: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Trip.self, Member.self] }

    @Model final class Trip {
        var name: String
        var days: Int = 1
        var stops: [Stop] = []
        init(name: String) { self.name = name }
    }

    @Model final class Stop {
        var title: String
        var trip: Trip?
        init(title: String) { self.title = title }
    }

    @Model final class Member {
        @Attribute(originalName: "email") var mail: String
        init(mail: String) { self.mail = mail }
    }
}

/// Members have invoices, trips have tags.
enum StoresV3: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
    static var models: [any PersistentModel.Type] { [Trip.self, Member.self] }

    @Model final class Trip {
        var name: String
        var days: Int = 1
        var stops: [Stop] = []
        var tags: [Tag] = []
        init(name: String) { self.name = name }
    }

    @Model final class Stop {
        var title: String
        var trip: Trip?
        init(title: String) { self.title = title }
    }

    @Model final class Tag {
        var text: String
        var trip: Trip?
        init(text: String) { self.text = text }
    }

    @Model final class Member {
        var mail: String
        var invoices: [Invoice] = []
        init(mail: String) { self.mail = mail }
    }

    @Model final class Invoice {
        var text: String
        var member: Member?
        init(text: String) { self.text = text }
    }
}

enum StoresPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [StoresV1.self, StoresV2.self, StoresV3.self] }
    static var stages: [MigrationStage] {
        [
            .lightweight(
                fromVersion: StoresV1.self, toVersion: StoresV2.self,
                changes: [.renamed(StoresV1.Account.self, to: StoresV2.Member.self)]),
            .custom(
                fromVersion: StoresV2.self, toVersion: StoresV3.self,
                willMigrate: { context in
                    // Both stores are at version 2.
                    let members = try context.fetchCount(FetchDescriptor<StoresV2.Member>())
                    for trip in try context.fetch(FetchDescriptor<StoresV2.Trip>()) { trip.days += members }
                },
                didMigrate: { context in
                    // Both stores are at version 3.
                    let trips = try context.fetch(FetchDescriptor<StoresV3.Trip>(sortBy: [SortDescriptor(\.name)]))
                    for member in try context.fetch(FetchDescriptor<StoresV3.Member>()) {
                        let text = trips.map { "\($0.name) \($0.days)" }.joined(separator: ", ")
                        let invoice = StoresV3.Invoice(text: text)
                        invoice.member = member
                        context.insert(invoice)
                    }
                }),
        ]
    }
}
