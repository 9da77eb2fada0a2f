import Strata
import StrataModelTestSupport

/// As ``Joined``, with a key of two columns, which the table of each class has.
enum PartedStaff: Staff {
    @Model class Person: StaffMember {
        #PrimaryKey<Person>([\.place, \.name])
        var place: Int = 7
        var name: String
        var age: Int = 30
        var team: Team?
        init(_ name: String) { self.name = name }
        var line: String { "person \(name) \(age) \(team?.name ?? "-")" }
    }
    @Model class Manager: Person {
        var budget: Int
        @Attribute(.preserveValueOnDeletion) var office: String?
        init(_ name: String, budget: Int) {
            self.budget = budget
            super.init(name)
        }
        override var line: String { "manager \(name) \(age) \(team?.name ?? "-") \(budget) \(office ?? "-")" }
    }
    @Model class Engineer: Person {
        var language: String = "Swift"
        var level: Int?
        @Relationship(deleteRule: .cascade, inverse: \Ticket.engineer) var tickets: [Ticket] = []
        override var line: String {
            "engineer \(name) \(age) \(team?.name ?? "-") \(language) \(level ?? -1) \(tickets.map(\.title).sorted())"
        }
    }
    @Model final class Lead: Engineer {
        var reports: Int = 0
        override var line: String { "lead \(name) \(age) \(team?.name ?? "-") \(language) \(level ?? -1) \(reports)" }
    }
    @Model final class Team {
        var name: String
        @Relationship(inverse: \Person.team) var members: [Person] = []
        init(_ name: String) { self.name = name }
    }
    @Model final class Ticket {
        var title: String
        var engineer: Engineer?
        init(_ title: String) { self.title = title }
    }

    static let types: [any PersistentModel.Type] = [
        Person.self, Manager.self, Engineer.self, Lead.self, Team.self, Ticket.self,
    ]
    static func group(_ name: String) -> Team { Team(name) }
    static func person(_ kind: StaffKind, _ name: String, _ number: Int) -> Person {
        switch kind {
        case .person: return Person(name)
        case .manager: return Manager(name, budget: number)
        case .engineer:
            let engineer = Engineer(name)
            engineer.level = number
            engineer.tickets = [Ticket("\(name) a"), Ticket("\(name) b")]
            return engineer
        case .lead:
            let lead = Lead(name)
            lead.reports = number
            return lead
        }
    }
    static func place(_ person: Person, in group: Team?) { person.team = group }
    static func edit(_ person: Person, _ number: Int) {
        if number % 2 == 0 { person.age = number }
        if let manager = person as? Manager { (manager.budget, manager.office) = (number, "room \(number)") }
        if let engineer = person as? Engineer { (engineer.level, engineer.language) = (nil, "C\(number)") }
        if let lead = person as? Lead { lead.reports = number }
    }
    static func convert(_ person: Person, to kind: StaffKind, _ number: Int, in context: ModelContext) async throws {
        if let engineer = person as? Engineer, kind == .person || kind == .manager {
            for ticket in engineer.tickets { context.delete(ticket) }
        }
        switch kind {
        case .person: try await context.convert(person, to: Person.self)
        case .manager: try await context.convert(person, to: Manager.self) { $0.budget = number }
        case .engineer: try await context.convert(person, to: Engineer.self) { $0.level = number }
        case .lead:
            try await context.convert(person, to: Lead.self) { ($0.reports, $0.language) = (number, "L\(number)") }
        }
    }
    static func findings(_ context: ModelContext) async throws -> [String: [String]] {
        func lines<T: Person>(_ predicate: Predicate<T>? = nil, limit: Int? = nil) async throws -> [String] {
            var descriptor = FetchDescriptor<T>(predicate: predicate, sortBy: [SortDescriptor(\.name)])
            descriptor.fetchLimit = limit
            return try await context.fetch(descriptor).map(\.line)
        }
        var prefetched = FetchDescriptor<Team>(sortBy: [SortDescriptor(\.name)])
        prefetched.relationshipKeyPathsForPrefetching = [\.members]
        return [
            "all": try await lines(#Predicate<Person> { _ in true }),
            "managers": try await lines(#Predicate<Manager> { $0.budget > 3 }),
            "engineers": try await lines(#Predicate<Engineer> { $0.language != "x" }, limit: 3),
            "leads": try await lines(#Predicate<Lead> { $0.reports >= 0 }),
            "is": try await lines(#Predicate<Person> { $0 is Engineer }),
            "as": try await lines(
                #Predicate<Person> { person in
                    if let manager = person as? Manager { manager.budget > 2 } else { person.age > 30 }
                }),
            "optional": try await lines(#Predicate<Person> { ($0 as? Engineer)?.level == nil }),
            "deep": try await lines(#Predicate<Person> { ($0 as? Lead)?.language == "Swift" }),
            "not": try await lines(#Predicate<Person> { !($0 is Manager) && $0.team != nil }),
            "owned": try await context.fetch(
                FetchDescriptor<Team>(
                    predicate: #Predicate { $0.members.contains { ($0 as? Manager)?.office != nil } },
                    sortBy: [SortDescriptor(\.name)])
            ).map(\.name),
            "tickets": try await context.fetch(
                FetchDescriptor<Ticket>(
                    predicate: #Predicate { $0.engineer?.language == "Swift" }, sortBy: [SortDescriptor(\.title)])
            ).map { "\($0.title) \($0.engineer?.line ?? "-")" },
            "teams": try await context.fetch(prefetched).map { "\($0.name) \($0.members.map(\.line).sorted())" },
            "counts": [
                "\(try await context.fetchCount(FetchDescriptor<Person>()))",
                "\(try await context.fetchCount(FetchDescriptor<Manager>()))",
                "\(try await context.fetchCount(FetchDescriptor<Engineer>()))",
            ],
            "identifiers": try await context.fetchIdentifiers(FetchDescriptor<Engineer>()).map(\.entityName).sorted(),
        ]
    }
    static func raise(_ context: ModelContext) async throws -> [Int] {
        let updates = [
            try context.update(model: Engineer.self, where: #Predicate { $0.level == nil }, .set(\.level, to: 9)),
            try context.update(model: Manager.self, where: #Predicate { $0.budget < 5 }, .set(\.budget, to: 50)),
        ]
        try await context.save()
        return updates.map { $0.count ?? -1 }
    }
    static func insertRows(_ context: ModelContext) async throws {
        try await context.insert(
            into: Manager.self, \.place, \.name, \.budget, rows: [(7, "row one", 1), (7, "row two", 8)])
        try await context.insert(into: Engineer.self, \.place, \.name, \.level, rows: [(7, "row three", 3)])
    }
}

/// As ``Single``, with a key of two columns.
enum PartedSingleStaff: Staff {
    @Model(table: "people", classColumn: "type", inheritance: .singleTable) class Person: StaffMember {
        #PrimaryKey<Person>([\.place, \.name])
        var place: Int = 7
        var name: String
        var age: Int = 30
        var team: Team?
        init(_ name: String) { self.name = name }
        var line: String { "person \(name) \(age) \(team?.name ?? "-")" }
    }
    @Model(discriminator: "boss") class Manager: Person {
        var budget: Int
        @Attribute(.preserveValueOnDeletion) var office: String?
        init(_ name: String, budget: Int) {
            self.budget = budget
            super.init(name)
        }
        override var line: String { "manager \(name) \(age) \(team?.name ?? "-") \(budget) \(office ?? "-")" }
    }
    @Model class Engineer: Person {
        var language: String = "Swift"
        var level: Int?
        @Relationship(deleteRule: .cascade, inverse: \Ticket.engineer) var tickets: [Ticket] = []
        override var line: String {
            "engineer \(name) \(age) \(team?.name ?? "-") \(language) \(level ?? -1) \(tickets.map(\.title).sorted())"
        }
    }
    @Model final class Lead: Engineer {
        var reports: Int = 0
        override var line: String { "lead \(name) \(age) \(team?.name ?? "-") \(language) \(level ?? -1) \(reports)" }
    }
    @Model final class Team {
        var name: String
        @Relationship(inverse: \Person.team) var members: [Person] = []
        init(_ name: String) { self.name = name }
    }
    @Model final class Ticket {
        var title: String
        var engineer: Engineer?
        init(_ title: String) { self.title = title }
    }

    static let types: [any PersistentModel.Type] = [
        Person.self, Manager.self, Engineer.self, Lead.self, Team.self, Ticket.self,
    ]
    static func group(_ name: String) -> Team { Team(name) }
    static func person(_ kind: StaffKind, _ name: String, _ number: Int) -> Person {
        switch kind {
        case .person: return Person(name)
        case .manager: return Manager(name, budget: number)
        case .engineer:
            let engineer = Engineer(name)
            engineer.level = number
            engineer.tickets = [Ticket("\(name) a"), Ticket("\(name) b")]
            return engineer
        case .lead:
            let lead = Lead(name)
            lead.reports = number
            return lead
        }
    }
    static func place(_ person: Person, in group: Team?) { person.team = group }
    static func edit(_ person: Person, _ number: Int) {
        if number % 2 == 0 { person.age = number }
        if let manager = person as? Manager { (manager.budget, manager.office) = (number, "room \(number)") }
        if let engineer = person as? Engineer { (engineer.level, engineer.language) = (nil, "C\(number)") }
        if let lead = person as? Lead { lead.reports = number }
    }
    static func convert(_ person: Person, to kind: StaffKind, _ number: Int, in context: ModelContext) async throws {
        if let engineer = person as? Engineer, kind == .person || kind == .manager {
            for ticket in engineer.tickets { context.delete(ticket) }
        }
        switch kind {
        case .person: try await context.convert(person, to: Person.self)
        case .manager: try await context.convert(person, to: Manager.self) { $0.budget = number }
        case .engineer: try await context.convert(person, to: Engineer.self) { $0.level = number }
        case .lead:
            try await context.convert(person, to: Lead.self) { ($0.reports, $0.language) = (number, "L\(number)") }
        }
    }
    static func findings(_ context: ModelContext) async throws -> [String: [String]] {
        func lines<T: Person>(_ predicate: Predicate<T>? = nil, limit: Int? = nil) async throws -> [String] {
            var descriptor = FetchDescriptor<T>(predicate: predicate, sortBy: [SortDescriptor(\.name)])
            descriptor.fetchLimit = limit
            return try await context.fetch(descriptor).map(\.line)
        }
        var prefetched = FetchDescriptor<Team>(sortBy: [SortDescriptor(\.name)])
        prefetched.relationshipKeyPathsForPrefetching = [\.members]
        return [
            "all": try await lines(#Predicate<Person> { _ in true }),
            "managers": try await lines(#Predicate<Manager> { $0.budget > 3 }),
            "engineers": try await lines(#Predicate<Engineer> { $0.language != "x" }, limit: 3),
            "leads": try await lines(#Predicate<Lead> { $0.reports >= 0 }),
            "is": try await lines(#Predicate<Person> { $0 is Engineer }),
            "as": try await lines(
                #Predicate<Person> { person in
                    if let manager = person as? Manager { manager.budget > 2 } else { person.age > 30 }
                }),
            "optional": try await lines(#Predicate<Person> { ($0 as? Engineer)?.level == nil }),
            "deep": try await lines(#Predicate<Person> { ($0 as? Lead)?.language == "Swift" }),
            "not": try await lines(#Predicate<Person> { !($0 is Manager) && $0.team != nil }),
            "owned": try await context.fetch(
                FetchDescriptor<Team>(
                    predicate: #Predicate { $0.members.contains { ($0 as? Manager)?.office != nil } },
                    sortBy: [SortDescriptor(\.name)])
            ).map(\.name),
            "tickets": try await context.fetch(
                FetchDescriptor<Ticket>(
                    predicate: #Predicate { $0.engineer?.language == "Swift" }, sortBy: [SortDescriptor(\.title)])
            ).map { "\($0.title) \($0.engineer?.line ?? "-")" },
            "teams": try await context.fetch(prefetched).map { "\($0.name) \($0.members.map(\.line).sorted())" },
            "counts": [
                "\(try await context.fetchCount(FetchDescriptor<Person>()))",
                "\(try await context.fetchCount(FetchDescriptor<Manager>()))",
                "\(try await context.fetchCount(FetchDescriptor<Engineer>()))",
            ],
            "identifiers": try await context.fetchIdentifiers(FetchDescriptor<Engineer>()).map(\.entityName).sorted(),
        ]
    }
    static func raise(_ context: ModelContext) async throws -> [Int] {
        let updates = [
            try context.update(model: Engineer.self, where: #Predicate { $0.level == nil }, .set(\.level, to: 9)),
            try context.update(model: Manager.self, where: #Predicate { $0.budget < 5 }, .set(\.budget, to: 50)),
        ]
        try await context.save()
        return updates.map { $0.count ?? -1 }
    }
    static func insertRows(_ context: ModelContext) async throws {
        try await context.insert(
            into: Manager.self, \.place, \.name, \.budget, rows: [(7, "row one", 1), (7, "row two", 8)])
        try await context.insert(into: Engineer.self, \.place, \.name, \.level, rows: [(7, "row three", 3)])
    }
}

/// As ``KeyedStaff``, with a key of two columns. No foreign key deletes engineers.
enum KeyedPartedStaff: Staff {
    @Model(table: "people", inheritance: .joinedTablesWithoutClassColumn) class Person: StaffMember {
        #PrimaryKey<Person>([\.place, \.name])
        var place: Int = 7
        var name: String
        var age: Int = 30
        var team: Team?
        init(_ name: String) { self.name = name }
        var line: String { "person \(name) \(age) \(team?.name ?? "-")" }
    }
    @Model(table: "managers") class Manager: Person {
        var budget: Int
        @Attribute(.preserveValueOnDeletion) var office: String?
        init(_ name: String, budget: Int) {
            self.budget = budget
            super.init(name)
        }
        override var line: String { "manager \(name) \(age) \(team?.name ?? "-") \(budget) \(office ?? "-")" }
    }
    @Model(table: "engineers") class Engineer: Person {
        var language: String = "Swift"
        var level: Int?
        @Relationship(deleteRule: .cascade, inverse: \Ticket.engineer) var tickets: [Ticket] = []
        override var line: String {
            "engineer \(name) \(age) \(team?.name ?? "-") \(language) \(level ?? -1) \(tickets.map(\.title).sorted())"
        }
    }
    @Model(table: "leads") final class Lead: Engineer {
        var reports: Int = 0
        override var line: String { "lead \(name) \(age) \(team?.name ?? "-") \(language) \(level ?? -1) \(reports)" }
    }
    @Model(table: "teams", keyColumn: "id") final class Team {
        var name: String
        @Relationship(inverse: \Person.team) var members: [Person] = []
        init(_ name: String) { self.name = name }
    }
    @Model(table: "tickets", keyColumn: "id") final class Ticket {
        var title: String
        var engineer: Engineer?
        init(_ title: String) { self.title = title }
    }

    static let tables = [
        "CREATE TABLE teams (id bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY, name text COLLATE \"C\" NOT NULL)",
        """
        CREATE TABLE people (place bigint, name text COLLATE "C", age bigint NOT NULL, team bigint REFERENCES teams ON DELETE SET NULL,
            PRIMARY KEY (place, name))
        """,
        """
        CREATE TABLE managers (place bigint, name text, budget bigint NOT NULL, office text, PRIMARY KEY (place, name),
            FOREIGN KEY (place, name) REFERENCES people ON DELETE CASCADE)
        """,
        """
        CREATE TABLE engineers (place bigint, name text, language text NOT NULL, level bigint, PRIMARY KEY (place, name),
            FOREIGN KEY (place, name) REFERENCES people)
        """,
        """
        CREATE TABLE leads (place bigint, name text, reports bigint NOT NULL, PRIMARY KEY (place, name),
            FOREIGN KEY (place, name) REFERENCES engineers ON DELETE CASCADE)
        """,
        """
        CREATE TABLE tickets (id bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY, title text COLLATE "C" NOT NULL,
            engineer_place bigint, engineer_name text,
            FOREIGN KEY (engineer_place, engineer_name) REFERENCES engineers ON DELETE CASCADE)
        """,
    ]
    static let recordsHistory = false
    static func withStore(_ body: (ModelContainer) async throws -> Void) async throws {
        try await withExternalTables(tables, types) { store in try await body(store.container) }
    }

    static let types: [any PersistentModel.Type] = [
        Person.self, Manager.self, Engineer.self, Lead.self, Team.self, Ticket.self,
    ]
    static func group(_ name: String) -> Team { Team(name) }
    static func person(_ kind: StaffKind, _ name: String, _ number: Int) -> Person {
        switch kind {
        case .person: return Person(name)
        case .manager: return Manager(name, budget: number)
        case .engineer:
            let engineer = Engineer(name)
            engineer.level = number
            engineer.tickets = [Ticket("\(name) a"), Ticket("\(name) b")]
            return engineer
        case .lead:
            let lead = Lead(name)
            lead.reports = number
            return lead
        }
    }
    static func place(_ person: Person, in group: Team?) { person.team = group }
    static func edit(_ person: Person, _ number: Int) {
        if number % 2 == 0 { person.age = number }
        if let manager = person as? Manager { (manager.budget, manager.office) = (number, "room \(number)") }
        if let engineer = person as? Engineer { (engineer.level, engineer.language) = (nil, "C\(number)") }
        if let lead = person as? Lead { lead.reports = number }
    }
    static func convert(_ person: Person, to kind: StaffKind, _ number: Int, in context: ModelContext) async throws {
        if let engineer = person as? Engineer, kind == .person || kind == .manager {
            for ticket in engineer.tickets { context.delete(ticket) }
        }
        switch kind {
        case .person: try await context.convert(person, to: Person.self)
        case .manager: try await context.convert(person, to: Manager.self) { $0.budget = number }
        case .engineer: try await context.convert(person, to: Engineer.self) { $0.level = number }
        case .lead:
            try await context.convert(person, to: Lead.self) { ($0.reports, $0.language) = (number, "L\(number)") }
        }
    }
    static func findings(_ context: ModelContext) async throws -> [String: [String]] {
        func lines<T: Person>(_ predicate: Predicate<T>? = nil, limit: Int? = nil) async throws -> [String] {
            var descriptor = FetchDescriptor<T>(predicate: predicate, sortBy: [SortDescriptor(\.name)])
            descriptor.fetchLimit = limit
            return try await context.fetch(descriptor).map(\.line)
        }
        var prefetched = FetchDescriptor<Team>(sortBy: [SortDescriptor(\.name)])
        prefetched.relationshipKeyPathsForPrefetching = [\.members]
        return [
            "all": try await lines(#Predicate<Person> { _ in true }),
            "managers": try await lines(#Predicate<Manager> { $0.budget > 3 }),
            "engineers": try await lines(#Predicate<Engineer> { $0.language != "x" }, limit: 3),
            "leads": try await lines(#Predicate<Lead> { $0.reports >= 0 }),
            "is": try await lines(#Predicate<Person> { $0 is Engineer }),
            "as": try await lines(
                #Predicate<Person> { person in
                    if let manager = person as? Manager { manager.budget > 2 } else { person.age > 30 }
                }),
            "optional": try await lines(#Predicate<Person> { ($0 as? Engineer)?.level == nil }),
            "deep": try await lines(#Predicate<Person> { ($0 as? Lead)?.language == "Swift" }),
            "not": try await lines(#Predicate<Person> { !($0 is Manager) && $0.team != nil }),
            "owned": try await context.fetch(
                FetchDescriptor<Team>(
                    predicate: #Predicate { $0.members.contains { ($0 as? Manager)?.office != nil } },
                    sortBy: [SortDescriptor(\.name)])
            ).map(\.name),
            "tickets": try await context.fetch(
                FetchDescriptor<Ticket>(
                    predicate: #Predicate { $0.engineer?.language == "Swift" }, sortBy: [SortDescriptor(\.title)])
            ).map { "\($0.title) \($0.engineer?.line ?? "-")" },
            "teams": try await context.fetch(prefetched).map { "\($0.name) \($0.members.map(\.line).sorted())" },
            "counts": [
                "\(try await context.fetchCount(FetchDescriptor<Person>()))",
                "\(try await context.fetchCount(FetchDescriptor<Manager>()))",
                "\(try await context.fetchCount(FetchDescriptor<Engineer>()))",
            ],
            "identifiers": try await context.fetchIdentifiers(FetchDescriptor<Engineer>()).map(\.entityName).sorted(),
        ]
    }
    static func raise(_ context: ModelContext) async throws -> [Int] {
        let updates = [
            try context.update(model: Engineer.self, where: #Predicate { $0.level == nil }, .set(\.level, to: 9)),
            try context.update(model: Manager.self, where: #Predicate { $0.budget < 5 }, .set(\.budget, to: 50)),
        ]
        try await context.save()
        return updates.map { $0.count ?? -1 }
    }
    static func insertRows(_ context: ModelContext) async throws {
        try await context.insert(
            into: Manager.self, \.place, \.name, \.budget, rows: [(7, "row one", 1), (7, "row two", 8)])
        try await context.insert(into: Engineer.self, \.place, \.name, \.level, rows: [(7, "row three", 3)])
    }
}
