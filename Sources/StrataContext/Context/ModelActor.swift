public import StrataModels

/// An actor with a context of its own, whose objects never leave it.
///
/// Write ``ModelActor()`` before an actor instead of conforming by hand. Methods work with ``modelContext``; what goes out
/// and in are identifiers and values. Meaning and names are SwiftData's, with one promise more: the work runs on a thread of
/// the actor's executor, wherever the actor was made, so its synchronous calls never hold up a thread of Swift's pool.
///
/// ```swift
/// @ModelActor
/// actor Importer {
///     func rename(_ id: PersistentIdentifier, to name: String) throws {
///         guard let trip = self[id, as: Trip.self] else { return }
///         trip.name = name
///         try modelContext.save()
///     }
/// }
/// let importer = Importer(modelContainer: container)
/// try await importer.rename(trip.persistentModelID, to: "Winter")
/// ```
///
/// Like every actor it may begin another call where a method waits: save before an `await`, or look again after it.
public protocol ModelActor: Actor {
    /// The container of the context.
    nonisolated var modelContainer: ModelContainer { get }
    /// What runs the actor's work and holds its context.
    nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
    /// The executor of the context, so that the actor's isolation and the context's are the same.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        guard let executor = modelExecutor as? any SerialExecutor else {
            // An actor runs one piece of work at a time; an executor that does not promise that cannot serve one.
            preconditionFailure(
                "The modelExecutor of \(Self.self) is not a SerialModelExecutor. Use DefaultSerialModelExecutor(modelContext:)."
            )
        }
        return executor.asUnownedSerialExecutor()
    }

    /// The actor's context. It stays within the actor: from here the compiler lets nobody else have it, and the default
    /// executor gives it to nobody else.
    public var modelContext: ModelContext { modelExecutor.modelContext }

    /// The object with this identifier, from memory or the database; `nil` when there is none, or it is of another class.
    ///
    /// Blocks the actor's thread for one round trip when the object is not in memory. An error of the database reads as `nil`
    /// and is thrown by the next save; ask `modelContext.existingModel(for:as:)` to have it thrown at once.
    public subscript<T: PersistentModel>(_ id: PersistentIdentifier, as type: T.Type) -> T? {
        do {
            return try modelContext.existingModel(for: id, as: type)
        } catch {
            modelContext.unit.noteUnread(id, error)
            return nil
        }
    }
}

/// Makes an actor a ``ModelActor``: adds its executor with a context of its own, its container, and, unless there is one
/// already, `init(modelContainer:)`.
///
/// ```swift
/// @ModelActor
/// actor Importer {
///     private var count = 0
///
///     func add(_ names: [String]) throws {
///         for name in names { modelContext.insert(Trip(name: name)) }
///         count += names.count
///         try modelContext.save()
///     }
/// }
/// ```
///
/// An actor with an initializer of its own assigns `modelContainer`, and
/// `modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(modelContainer))`.
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "StrataMacros", type: "ModelActorMacro")
