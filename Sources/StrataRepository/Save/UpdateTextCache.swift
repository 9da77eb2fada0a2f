import StrataClient
import Synchronization

/// The texts of updates, made once for each set of columns and not for every save.
final class UpdateTextCache: Sendable {
    private struct Key: Hashable {
        let shape: UpdateGroup.Shape
        let form: UpdateStatement.Form
        let isSingle: Bool
    }

    private typealias Text = (sql: PreparedSQL, name: String)

    /// Sets of columns that a program writes together are few.
    private static let capacity = 1000

    private let texts = Mutex<[Key: Text]>([:])

    /// The text of a group's update and the name of the statement; `make` is called for what is not known.
    func text(
        of group: UpdateGroup, _ form: UpdateStatement.Form, _ make: () -> String
    ) -> (sql: PreparedSQL, name: String) {
        let key = Key(shape: group.shape, form: form, isSingle: group.models.count == 1)
        if let known = texts.withLock({ $0[key] }) { return known }
        let text = Text(.interned(make()), "save: update \(group.label)")
        texts.withLock { texts in
            if texts.count >= Self.capacity { texts = [:] }
            texts[key] = text
        }
        return text
    }
}
