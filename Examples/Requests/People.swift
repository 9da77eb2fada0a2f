import Strata

@Model(table: "people", classColumn: "type", inheritance: .singleTable)
class Person {
    /// What the person is called.
    var name: String

    /// A person.
    init(name: String) { self.name = name }
}

@Model(discriminator: "boss")
final class Manager: Person {
    /// What the manager may spend, in euros.
    var budget: Int

    /// A manager.
    init(name: String, budget: Int) {
        self.budget = budget
        super.init(name: name)
    }
}
