#if Hummingbird
public import Hummingbird
public import Strata

/// A request context whose routes read and write models, each piece of work in a ``Strata/ModelContext`` of its own.
///
/// ```swift
/// router.get("trips/:id") { request, context in
///     try await context.read { models in
///         let trip = try await models.model(Trip.self, named: context.parameters.require("id"))
///         return try SnapshotResponse(try await models.snapshots(of: [trip], only: \.name, \.destination)[0])
///     }
/// }
/// ```
/// Use ``BasicStrataRequestContext``, or conform a context of your own by storing ``models``.
public protocol StrataRequestContext: RequestContext {
    /// How this request reads and writes models: ``ModelMiddleware`` says. Begins as `nil`.
    var models: ModelAccess? { get set }
}

extension StrataRequestContext {
    /// Runs `work` with a fresh context that only reads, with lazy loading forbidden, and returns what it made of it.
    ///
    /// No thread is blocked. What a getter could not load is thrown in place of the result. Round trips, repetitions and
    /// parameters are those of ``Strata/ModelContainer``'s `read`.
    /// - Throws: what `ModelContainer.read` throws; ``MissingModelAccess`` for a route that no ``ModelMiddleware`` precedes.
    public func read<Result: Sendable>(
        isolation: IsolationLevel? = nil, attempts: Int = 3, _ work: (ModelContext) async throws -> Result
    ) async throws -> Result {
        let access = try access
        return try await access.container.read(
            isolation: isolation, lazyLoading: .forbidden, attempts: attempts
        ) {
            (models) async throws -> Result in
            access.prepare(models)
            return try await work(models)
        }
    }

    /// Runs `work` with a fresh context, with lazy loading forbidden, and saves, in one transaction; again, while the error is
    /// retryable.
    ///
    /// ```swift
    /// let patch = try await request.patch(of: Trip.self, context)
    /// return try await context.write { models in
    ///     let trip = try await models.model(Trip.self, named: name)
    ///     try await models.apply(patch, to: trip, allowing: \.name, \.destination)
    ///     return try SnapshotResponse(try await models.snapshots(of: [trip], only: \.name, \.destination)[0])
    /// }
    /// ```
    /// An answer goes out when everything is committed, and when anything fails nothing is. So it may be made of objects with unsaved
    /// changes; these and `COMMIT` are one round trip then. For new objects set `uniquePolicy = .fail`, or save before the answer is made: by the other policies
    /// an object takes the identifier of a row that is there, and with `.ignore` its values, when it is saved. What `work` reads after a `save()` of its own is part of the transaction as
    /// well. `BEGIN` costs no round trip, `COMMIT` one where `work` ends with something else than changes.
    ///
    /// The history names the request's author and number. Read the body before: `work` may run several times.
    /// Otherwise as ``Strata/ModelContainer``'s `withContext`.
    /// - Throws: what `ModelContainer.withContext` throws; ``MissingModelAccess`` for a route that no ``ModelMiddleware`` precedes.
    public func write<Result: Sendable>(
        isolation: IsolationLevel = .readCommitted, attempts: Int = 3, _ work: (ModelContext) async throws -> Result
    ) async throws -> Result {
        let access = try access
        let result = try await access.container.withContext(
            isolation: isolation, lazyLoading: .forbidden, attempts: attempts
        ) { (models) async throws -> Result in
            access.prepare(models)
            return try await work(models)
        }
        access.commits.make()
        return result
    }

    /// The objects that match, and again whenever that changes, with the request's settings: for an ``EventStream``.
    ///
    /// ```swift
    /// router.get("trips/live") { _, context in
    ///     EventStream(try context.results(of: FetchDescriptor<Trip>())) { trips in
    ///         try ServerSentEvent(json: trips.map { try $0.snapshot(only: \.name) })
    ///     }
    /// }
    /// ```
    /// As `results(of:settings:)` of ``Strata/ModelContainer``.
    /// - Throws: ``MissingModelAccess`` for a route that no ``ModelMiddleware`` precedes.
    public func results<T: PersistentModel>(of descriptor: FetchDescriptor<T>) throws -> ResultSequence<T> {
        let access = try access
        return access.container.results(of: descriptor, settings: access.settings)
    }

    private var access: ModelAccess {
        get throws {
            guard let models else { throw MissingModelAccess(path: endpointPath) }
            return models
        }
    }
}

/// A route reads or writes models, and no middleware has said how: an error of the program, answered with 500.
public struct MissingModelAccess: Error, CustomStringConvertible {
    let path: String?

    /// Which route, and what to do.
    public var description: String {
        "The route \(path ?? "of this request") reads or writes models, and no ModelMiddleware precedes it. Add one to its router."
    }
}

/// A request context with nothing but what Hummingbird and Strata need.
public struct BasicStrataRequestContext: StrataRequestContext {
    /// Hummingbird's part.
    public var coreContext: CoreRequestContextStorage
    /// How this request reads and writes models.
    public var models: ModelAccess?

    /// The context of a request that has arrived.
    public init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}
#endif
