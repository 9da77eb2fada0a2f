#if Hummingbird
import HTTPTypes
public import Hummingbird
public import Strata

extension Request {
    /// Refuses a patch to properties that changed since the client saw them: `If-Match` with an ``EntityTag``.
    ///
    /// ```swift
    /// let patch = try await request.patch(of: Trip.self, context)
    /// try request.requireMatch(of: snapshot(of: trip), patch)
    /// try await models.apply(patch, to: trip, allowing: \.name, \.destination)
    /// ```
    /// What counts are the properties that the patch names: somebody else's change of another property is no reason to refuse. This is
    /// wider than RFC 9110 (13.1.1) asks for, where any change of the representation is; a whole answer is what PUT needs, and
    /// `requireMatch(of:)` compares it. A property that the client's tag does not have counts as changed: the client has not seen it.
    /// One that the snapshot does not have is not compared. Whoever changes the same property between this check and `save()` is found by the save,
    /// as a conflict, which ``ProblemMiddleware`` answers with 412 as well. No round trip.
    /// - Parameters:
    ///   - snapshot: the object as it is now, taken as for the answer that had the tag.
    ///   - patch: what the request is about to change.
    ///   - isRequired: whether a request without `If-Match` is refused.
    /// - Throws: ``Problem``: 412 that names the properties; 428 without a condition, where one is required.
    public func requireMatch<T: PersistentModel>(
        of snapshot: ModelSnapshot<T>, _ patch: ModelPatch<T>, isRequired: Bool = false
    ) throws {
        try requireMatch(of: snapshot, isRequired: isRequired) { Set(patch.keys).intersection($0) }
    }

    /// Refuses a change of an object that is not as the client saw it: `If-Match` with an ``EntityTag``, for PUT and DELETE.
    ///
    /// - Throws: as the form with a patch; any difference counts.
    public func requireMatch<T: PersistentModel>(of snapshot: ModelSnapshot<T>, isRequired: Bool = false) throws {
        try requireMatch(of: snapshot, isRequired: isRequired) { $0 }
    }

    /// - Parameter relevant: those among the properties that have changed that are a reason to refuse.
    private func requireMatch<T: PersistentModel>(
        of snapshot: ModelSnapshot<T>, isRequired: Bool, _ relevant: (Set<String>) -> Set<String>
    ) throws {
        guard let condition = headers[.ifMatch] else {
            guard !isRequired else {
                throw Problem(
                    .preconditionRequired,
                    detail: "Say with If-Match, and the ETag of what was read, what is to be changed.")
            }
            return
        }
        guard condition.trimmingOWS() != "*" else { return }
        let current = try EntityTag(snapshot)
        let known = condition.split(separator: ",").compactMap { EntityTag($0.trimmingOWS()) }
        guard !known.isEmpty else { throw Problem(.preconditionFailed, detail: Problem.changed) }
        // Any of several tags may be the right one; the one with the fewest differences is.
        let changed = known.map { relevant(current.differences(from: $0)) }.min { $0.count < $1.count } ?? []
        guard changed.isEmpty else {
            throw Problem(
                .preconditionFailed, detail: Problem.changed, code: SwiftDataError.conflict.code.description,
                errors: changed.sorted().map {
                    Problem.Place("#/" + JSONPointer.escaped($0), "was changed by somebody else")
                })
        }
    }
}

extension StringProtocol {
    /// Without the blanks that HTTP allows around parts of a header (RFC 9110, 5.6.3).
    func trimmingOWS() -> SubSequence {
        guard let first = firstIndex(where: { $0 != " " && $0 != "\t" }),
            let last = lastIndex(where: { $0 != " " && $0 != "\t" })
        else { return self[startIndex..<startIndex] }
        return self[first...last]
    }
}
#endif
