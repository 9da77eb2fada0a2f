import Strata

/// A hierarchy with children that go with their owner, small enough to be written by hand in SQL.
@Model
class Cargo {
    @Attribute(.preserveValueOnDeletion) var code: Int
    var version: Int
    @Relationship(deleteRule: .cascade, inverse: \CargoTag.cargo) var tags: [CargoTag]

    init(code: Int, version: Int = 0) {
        self.code = code
        self.version = version
        tags = []
    }
}

@Model
final class ColdCargo: Cargo {
    var pages: Int

    init(code: Int, pages: Int) {
        self.pages = pages
        super.init(code: code)
    }
}

@Model
final class CargoTag {
    var value: Int
    var cargo: Cargo?

    init(value: Int, cargo: Cargo?) {
        self.value = value
        self.cargo = cargo
    }
}
