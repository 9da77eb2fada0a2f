import StrataModels

/// Tables whose rows become those of tenants, and one whose rows are everybody's again.
enum TenantModels {
    enum Shared {
        @Model class Item {
            @Attribute(.unique) var name: String
            var labels: [Label] = []
            init(_ name: String) { self.name = name }
        }
        @Model final class Gadget: Item {
            var power: Int
            init(_ name: String, power: Int) {
                self.power = power
                super.init(name)
            }
        }
        @Model final class Label {
            var text: String
            @Relationship(inverse: \Item.labels) var items: [Item] = []
            init(_ text: String) { self.text = text }
        }
        @Model final class Note {
            @Attribute(.tenant) var tenant = ""
            @Attribute(.unique) var text: String
            init(_ text: String) { self.text = text }
        }
    }

    enum Divided {
        @Model class Item {
            @Attribute(.tenant) var tenant = ""
            @Attribute(.unique) var name: String
            var labels: [Label] = []
            init(_ name: String) { self.name = name }
        }
        @Model final class Gadget: Item {
            var power: Int
            init(_ name: String, power: Int) {
                self.power = power
                super.init(name)
            }
        }
        @Model final class Label {
            @Attribute(.tenant) var tenant = ""
            var text: String
            @Relationship(inverse: \Item.labels) var items: [Item] = []
            init(_ text: String) { self.text = text }
        }
        @Model final class Note {
            var tenant = ""
            @Attribute(.unique) var text: String
            init(_ text: String) { self.text = text }
        }
    }

    enum Named {
        @Model class Item {
            @Attribute(.tenant) var tenant = ""
            var name: String
            init(_ name: String) { self.name = name }
        }
        @Model final class Gadget: Item {
            var power: Int
            init(_ name: String, power: Int) {
                self.power = power
                super.init(name)
            }
        }
    }

    enum Numbered {
        @Model class Item {
            @Attribute(.tenant) var tenant = 0
            var name: String
            init(_ name: String) { self.name = name }
        }
        @Model final class Gadget: Item {
            var power: Int
            init(_ name: String, power: Int) {
                self.power = power
                super.init(name)
            }
        }
    }

    enum Nameless {
        @Model class Item {
            var name: String
            init(_ name: String) { self.name = name }
        }
        @Model final class Gadget: Item {
            var power: Int
            init(_ name: String, power: Int) {
                self.power = power
                super.init(name)
            }
        }
    }

    static let named: [any PersistentModel.Type] = [Named.Item.self, Named.Gadget.self]
    static let numbered: [any PersistentModel.Type] = [Numbered.Item.self, Numbered.Gadget.self]
    static let nameless: [any PersistentModel.Type] = [Nameless.Item.self, Nameless.Gadget.self]

    static let shared: [any PersistentModel.Type] = [
        Shared.Item.self, Shared.Gadget.self, Shared.Label.self, Shared.Note.self,
    ]
    static let divided: [any PersistentModel.Type] = [
        Divided.Item.self, Divided.Gadget.self, Divided.Label.self, Divided.Note.self,
    ]

    static let rows = [
        #"INSERT INTO item (pk, class, name) VALUES (1, 'Item', 'a'), (2, 'Gadget', 'b')"#,
        "INSERT INTO gadget (pk, power) VALUES (2, 5)", "INSERT INTO label (pk, text) VALUES (3, 'x')",
        "INSERT INTO item_labels (item_pk, label_pk) VALUES (2, 3)",
        "INSERT INTO note (pk, tenant, text) VALUES (4, 'acme', 'n'), (5, 'beta', 'm')",
    ]
}
