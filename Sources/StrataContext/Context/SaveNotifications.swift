import Foundation
import StrataModels
import Synchronization

/// Tells `NotificationCenter` of saves, once somebody may listen.
///
/// Two notifications cost as much as planning a small save, and the center has one lock for all threads: with 16 that save, a
/// third of their time went into it. Whoever observes by one of these names has asked for it first, unless the name is a string
/// of their own; the documentation says what to do then.
enum SaveNotifications {
    private static let asked = Atomic<Bool>(false)
    private static let willSave = Notification.Name("StrataModelContextWillSave")
    private static let didSave = Notification.Name("StrataModelContextDidSave")

    /// Whether anybody ever asked for one of the names.
    static var areWanted: Bool { asked.load(ordering: .relaxed) }

    /// The name that is posted before a save, for somebody who will listen.
    static func nameBefore() -> Notification.Name {
        asked.store(true, ordering: .relaxed)
        return willSave
    }

    /// The name that is posted after a save, for somebody who will listen.
    static func nameAfter() -> Notification.Name {
        asked.store(true, ordering: .relaxed)
        return didSave
    }

    static func postBefore(_ context: ModelContext) {
        if areWanted { NotificationCenter.default.post(name: willSave, object: context) }
    }

    static func postAfter(_ context: ModelContext, _ saves: [PendingSave], _ tokens: [DefaultHistoryToken]) {
        guard areWanted else { return }
        var inserted: [PersistentIdentifier] = []
        var updated: [PersistentIdentifier] = []
        var deleted: [PersistentIdentifier] = []
        for identifiers in saves.map(\.identifiers) {
            inserted += identifiers.inserted
            updated += identifiers.updated
            deleted += identifiers.deleted
        }
        NotificationCenter.default.post(
            name: didSave, object: context,
            userInfo: [
                ModelContext.NotificationKey.insertedIdentifiers.rawValue: inserted,
                ModelContext.NotificationKey.updatedIdentifiers.rawValue: updated,
                ModelContext.NotificationKey.deletedIdentifiers.rawValue: deleted,
                ModelContext.NotificationKey.historyTokens.rawValue: tokens,
            ])
    }
}
