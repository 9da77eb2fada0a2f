import Strata

/// The classes whose changes are read: two that change often, and one that hardly does.
enum Past {
    @Model final class Note {
        @Attribute(.preserveValueOnDeletion) var text: String
        init(_ text: String) { self.text = text }
    }

    @Model final class Visit {
        @Attribute(.preserveValueOnDeletion) var place: String
        init(_ place: String) { self.place = place }
    }

    @Model final class Audit {
        var title: String
        init(_ title: String) { self.title = title }
    }

    static let models: [any PersistentModel.Type] = [Note.self, Visit.self, Audit.self]
}
