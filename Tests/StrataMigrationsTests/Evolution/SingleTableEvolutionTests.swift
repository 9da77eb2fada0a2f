import StrataModels
import Testing

@testable import StrataMigrations

/// Classes that share a table come, go and change: their rows are told apart by their class.
@Suite("Evolution: one table for a hierarchy") struct SingleTableEvolutionTests {
    enum Alone {
        @Model(table: "people", inheritance: .singleTable) class Person {
            var name: String
            var budget: Int?
            init(name: String) { self.name = name }
        }
    }
    enum Managed {
        @Model(table: "people", inheritance: .singleTable) class Person {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Manager: Person {
            var budget: Int
            init(name: String, budget: Int) {
                self.budget = budget
                super.init(name: name)
            }
        }
    }
    enum Graded {
        @Model(table: "people", inheritance: .singleTable) class Person {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Manager: Person {
            var budget: Int
            var grade: Int = 7
            init(name: String, budget: Int) {
                self.budget = budget
                super.init(name: name)
            }
        }
    }
    enum Badged {
        @Model(table: "people", inheritance: .singleTable) class Person {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Manager: Person {
            #Unique<Manager>([\.badge])
            var budget: Int
            var badge: String
            init(name: String, budget: Int, badge: String) {
                self.budget = budget
                self.badge = badge
                super.init(name: name)
            }
        }
    }
    @Model final class Office {
        var name: String
        init(name: String) { self.name = name }
    }
    enum Housed {
        @Model(table: "people", inheritance: .singleTable) class Person {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Manager: Person {
            var budget: Int
            var office: Office
            var tags: [String] = []
            init(name: String, budget: Int, office: Office) {
                self.budget = budget
                self.office = office
                super.init(name: name)
            }
        }
        @Model final class Office {
            var name: String
            init(name: String) { self.name = name }
        }
    }
    enum Loose {
        @Model(table: "people", inheritance: .singleTable) class Person {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Manager: Person { var grade: Int? }
    }
    enum Strict {
        @Model(table: "people", inheritance: .singleTable) class Person {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Manager: Person { var grade: String = "7" }
    }
    enum Grown {
        @Model(table: "people", inheritance: .singleTable) class Person {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Manager: Person {
            var budget: Int
            var grade: Int = 7
            var office: String?
            init(name: String, budget: Int) {
                self.budget = budget
                super.init(name: name)
            }
        }
        @Model class Engineer: Person {
            var language: String
            init(name: String, language: String) {
                self.language = language
                super.init(name: name)
            }
        }
    }
    enum Unfilled {
        @Model(table: "people", inheritance: .singleTable) class Person {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Manager: Person {
            var budget: Int
            var badge: String
            init(name: String, budget: Int, badge: String) {
                self.budget = budget
                self.badge = badge
                super.init(name: name)
            }
        }
    }
    enum Joined {
        @Model(table: "people") class Person {
            var name: String
            init(name: String) { self.name = name }
        }
        @Model class Manager: Person {
            var budget: Int
            init(name: String, budget: Int) {
                self.budget = budget
                super.init(name: name)
            }
        }
    }

    static let managed = [
        "INSERT INTO people (pk, class, name, budget) VALUES (1, 'Person', 'Ann', NULL), (2, 'Manager', 'Bob', 5)"
    ]

    @Test func `a subclass is new columns, and rows become its own by a rule`() async throws {
        try await Evolution(
            [Alone.Person.self], [Managed.Person.self, Managed.Manager.self],
            changes: [.split(Managed.Manager.self, where: "budget IS NOT NULL")]
        ).run(
            seed: ["INSERT INTO people (pk, name, budget) VALUES (1, 'Ann', NULL), (2, 'Bob', 5)"],
            expecting: "SELECT pk, class, budget FROM people ORDER BY pk", is: ["1|Person|nil", "2|Manager|5"],
            returning: .whole)
    }

    @Test func `a new required property is filled in rows of its class only`() async throws {
        try await Evolution(
            [Managed.Person.self, Managed.Manager.self], [Grown.Person.self, Grown.Manager.self, Grown.Engineer.self]
        ).run(
            seed: Self.managed,
            expecting: "SELECT pk, class, budget, grade, office, language FROM people ORDER BY pk",
            is: ["1|Person|nil|nil|nil|nil", "2|Manager|5|7|nil|nil"], returning: .whole)
    }

    @Test func `a converted property that is required now is filled in rows of its class only`() async throws {
        try await Evolution([Loose.Person.self, Loose.Manager.self], [Strict.Person.self, Strict.Manager.self]).run(
            seed: [
                "INSERT INTO people (pk, class, name, grade) VALUES (1, 'Person', 'Ann', NULL), (2, 'Manager', 'Bob', 5), (3, 'Manager', 'Cy', NULL)"
            ],
            expecting: "SELECT pk, class, grade FROM people ORDER BY pk",
            is: ["1|Person|nil", "2|Manager|5", "3|Manager|7"], returning: .asPlanned)
    }

    @Test func `a new required property without a value is refused where its class has rows`() async throws {
        try await Evolution(
            [Managed.Person.self, Managed.Manager.self], [Unfilled.Person.self, Unfilled.Manager.self]
        ).refuse(seed: Self.managed, naming: "Manager.badge")
    }

    @Test func `a class that is gone takes its rows and columns along`() async throws {
        try await Evolution(
            [Grown.Person.self, Grown.Manager.self, Grown.Engineer.self], [Managed.Person.self, Managed.Manager.self],
            changes: [
                .dropped(Grown.Engineer.self), .dropped(\Grown.Manager.grade), .dropped(\Grown.Manager.office),
            ]
        ).run(
            seed: [
                "INSERT INTO people (pk, class, name, budget, grade, language) VALUES (1, 'Person', 'Ann', NULL, NULL, NULL), "
                    + "(2, 'Manager', 'Bob', 5, 7, NULL), (3, 'Engineer', 'Cy', NULL, NULL, 'C')"
            ],
            expecting: "SELECT pk, class, budget FROM people ORDER BY pk", is: ["1|Person|nil", "2|Manager|5"],
            returning: .none(because: "dropped values cannot come back: Engineer, Manager.grade, Manager.office"))
    }

    @Test func `rows of a class that is gone stay as those of its superclass`() async throws {
        try await Evolution(
            [Managed.Person.self, Managed.Manager.self], [Alone.Person.self],
            changes: [.merged(Managed.Manager.self, into: Alone.Person.self)]
        ).run(
            seed: Self.managed, expecting: "SELECT pk, name, budget FROM people ORDER BY pk",
            is: ["1|Ann|nil", "2|Bob|5"], returning: .asPlanned)
    }

    @Test func `another form of a hierarchy is refused in words`() throws {
        let single = [Managed.Person.self, Managed.Manager.self] as [any PersistentModel.Type]
        let joined = [Joined.Person.self, Joined.Manager.self] as [any PersistentModel.Type]
        let error = #expect(throws: MigrationError.self) { try Evolution(joined, single).scripts() }
        #expect(
            error?.message
                == "The classes of Person have one table (inheritance: .singleTable) in version 2.0.0, and had a table each (inheritance: .joinedTables) in 1.0.0."
        )
        #expect(error?.places == ["Person"])
        #expect(throws: MigrationError.self) { try Evolution(single, joined).scripts() }
    }
}
