#if Hummingbird
public import Strata

extension ModelContext {
    /// The object whose `urlPathComponent` a path has. One round trip, unless the object is in memory.
    ///
    /// ```swift
    /// let trip = try await models.model(Trip.self, named: context.parameters.require("id"))
    /// ```
    /// - Parameters:
    ///   - type: the class.
    ///   - component: the component of a path.
    ///   - includeDeleted: whether an object is found that is softly deleted (`@Attribute(.deletionDate)`), so that it can be restored.
    /// - Throws: ``SwiftDataError``: `invalidIdentifier` for another class or any other text, `modelNotFound` for an object that
    ///   is not there; both are answered with 404.
    public func model<T: PersistentModel>(
        _ type: T.Type, named component: String, includeDeleted: Bool = false
    ) async throws -> T {
        let identifier = try PersistentIdentifier(urlPathComponent: component, of: type)
        var found: T?
        do {
            found = try await existingModel(for: identifier)
        } catch SwiftDataError.unknownSchema {
            // A store that is none of ours: the text is a client's word.
        }
        guard let found, includeDeleted || !found.isDeleted else {
            throw SwiftDataError(
                .modelNotFound, "No \(type) has the identifier that the path names.", identifiers: [identifier])
        }
        return found
    }
}
#endif
