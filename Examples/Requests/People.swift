import Strata

@Model(table: "people", classColumn: "type", inheritance: .singleTable)
public class Person {
    /// What the person is called.
    public var name: String

    /// A person.
    public init(name: String) { self.name = name }
}

@Model(discriminator: "boss")
public final class Manager: Person {
    /// What the manager may spend, in euros.
    public var budget: Int

    /// A manager.
    public init(name: String, budget: Int) {
        self.budget = budget
        super.init(name: name)
    }
}
