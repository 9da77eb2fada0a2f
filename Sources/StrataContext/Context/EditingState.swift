public import Foundation

/// Who edits: one context, and the author it writes under.
public struct EditingState: Hashable, Identifiable, Sendable {
    /// Names the context for as long as it lives; different for every context.
    public let id: UUID
    /// The context's ``ModelContext/author`` at this moment.
    public let author: String?
}

extension ModelContext {
    /// Names this context, for logs and for maps from contexts to something. No I/O.
    public var editingState: EditingState { EditingState(id: editingIdentifier, author: author) }
}
