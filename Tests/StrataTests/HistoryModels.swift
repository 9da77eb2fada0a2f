import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport

/// What the tests of the history change.
enum Chronicle {
    enum Kind: String, Codable, CaseIterable { case art, science }

    struct Address: Codable, Equatable {
        var street: String
        var number: Int
    }

    @Model class Site {
        @Attribute(.preserveValueOnDeletion) var name: String
        var note: String?
        @Attribute(.preserveValueOnDeletion) var kind: Kind = Kind.art
        @Relationship(deleteRule: .cascade, inverse: \Visit.site) var visits: [Visit] = []
        init(name: String) { self.name = name }
    }

    @Model final class Museum: Site {
        var rooms: Int = 0
        @Attribute(.preserveValueOnDeletion) var opened: Date = Date(timeIntervalSince1970: 0)
        @Attribute(.preserveValueOnDeletion) var address: Address = Address(street: "", number: 0)
        @Attribute(.preserveValueOnDeletion) var tags: [String] = []
        @Attribute(.preserveValueOnDeletion) var price: Decimal = 0
        @Attribute(.preserveValueOnDeletion) var code: UUID?
        @Attribute(.preserveValueOnDeletion) var photo: Data = Data()
        @Attribute(.preserveValueOnDeletion) var isOpen: Bool = true
        @Attribute(.preserveValueOnDeletion) var height: Double = 0
    }

    @Model final class Visit {
        var day: Int
        var site: Site?
        init(day: Int, site: Site? = nil) {
            self.day = day
            self.site = site
        }
    }

    static let schema = Schema(Site.self, Museum.self, Visit.self)
}

/// A container for ``Chronicle``, on a database of its own.
func withChronicle(
    _ label: String = "", file: String = #fileID, line: Int = #line, _ body: (ModelStore) async throws -> Void
) async throws {
    try await withModelStore(
        Chronicle.Site.self, Chronicle.Museum.self, Chronicle.Visit.self, label: label, file: file, line: line, body)
}

extension ModelStore {
    /// What happened after a token, with the place after that.
    func history(after token: DefaultHistoryToken? = nil) async throws -> [DefaultHistoryTransaction] {
        try await ModelContext(container).fetchHistory(after: token).transactions
    }
}

extension DefaultHistoryTransaction {
    /// `insert Museum, update Site: name note`: one line a transaction.
    var summary: String { changes.map(\.summary).joined(separator: ", ") }
}

extension HistoryChange {
    var summary: String {
        let name = changedPersistentIdentifier.entityName
        switch self {
        case .insert: return "insert \(name)"
        case .update(let update):
            return "update \(name): \(update.updatedPropertyNames.sorted().joined(separator: " "))"
        case .delete: return "delete \(name)"
        }
    }
}

typealias Transactions = [DefaultHistoryTransaction]
typealias HistoryPredicate = Predicate<DefaultHistoryTransaction>

/// The code of the error that `body` throws; `nil` if it throws none.
func code(of body: () async throws -> Void) async -> SwiftDataError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? SwiftDataError)?.code
    }
}
