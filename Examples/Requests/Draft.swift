import Foundation
import Strata

@Model
final class Draft {
    #Index<Draft>([\.folder]) { $0.deletedAt == nil }

    var title: String
    var folder: String
    @Attribute(.deletionDate) var deletedAt: Date?
    @Relationship(deleteRule: .cascade, inverse: \Remark.draft) var remarks: [Remark] = []

    init(title: String, folder: String) {
        (self.title, self.folder) = (title, folder)
    }
}

@Model
final class Remark {
    var text: String
    @Attribute(.deletionDate) var deletedAt: Date?
    var draft: Draft?

    init(text: String) { self.text = text }
}

/// Objects that are deleted by a date, and come back.
enum Drafts {
    static func delete(_ draft: Draft, in context: ModelContext) async throws {
        context.delete(draft)
        try await context.save()
    }

    static func bin(_ context: ModelContext) async throws -> [Draft] {
        var descriptor = FetchDescriptor<Draft>(predicate: #Predicate { $0.deletedAt != nil })
        descriptor.includeDeleted = true
        return try await context.fetch(descriptor)
    }

    static func restore(_ draft: Draft, in context: ModelContext) async throws {
        let id = draft.persistentModelID
        let date = draft.deletedAt
        draft.deletedAt = nil
        try context.update(
            model: Remark.self, where: #Predicate { $0.draft?.persistentModelID == id && $0.deletedAt == date },
            includeDeleted: true, .set(\.deletedAt, to: nil))
        try await context.save()
    }

    static func emptyBin(before limit: Date, in context: ModelContext) async throws {
        try context.delete(
            model: Draft.self, where: #Predicate { $0.deletedAt.flatMap { $0 < limit } ?? false }, permanently: true)
        try await context.save()
    }
}
