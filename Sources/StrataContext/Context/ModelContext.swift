public import Foundation
public import Logging
import StrataClient
public import StrataModels
public import StrataRepository

/// The objects of one piece of work: it fetches them, notes what changes, and saves all changes in one transaction.
///
/// Make one a request or task; it costs next to nothing until it is used. A context and its objects stay in the
/// isolation they were made in; the compiler sees to it. One row is one object within a context.
///
/// ```swift
/// let context = ModelContext(container)
/// let trips = try await context.fetch(FetchDescriptor<Trip>())
/// trips[0].destination = "Lyon"
/// try await context.save()
/// ```
public final class ModelContext: Equatable {
    /// Posted before a save writes anything; `object` is the context.
    ///
    /// Notifications are posted from when this name or ``didSave`` was first asked for in the process: an observer of all names,
    /// or of the same name written as a string, reads one of them first.
    public static var willSave: Notification.Name { SaveNotifications.nameBefore() }
    /// Posted after a save; the user info holds the identifiers under ``NotificationKey``.
    ///
    /// Posted from when this name or ``willSave`` was first asked for in the process.
    public static var didSave: Notification.Name { SaveNotifications.nameAfter() }

    /// The keys of a notification's user info; each value is an array, of ``PersistentIdentifier`` unless it says otherwise.
    public enum NotificationKey: String {
        /// SwiftData's key; Strata posts nothing under it.
        case queryGeneration
        /// SwiftData's key; Strata posts nothing under it.
        case invalidatedAllIdentifiers
        /// The objects that were inserted.
        case insertedIdentifiers
        /// The objects that were changed.
        case updatedIdentifiers
        /// The objects that were deleted one by one, those of `delete(model:where:)` not among them.
        case deletedIdentifiers
        /// The place in the history after the save: an array of ``DefaultHistoryToken``, empty within
        /// `transaction(isolation:_:)`, which is not committed yet.
        case historyTokens
    }

    /// What reading a property that was not fetched does.
    public enum LazyLoading: Sendable {
        /// It is loaded, blocking the thread, for all objects of the same fetch at once.
        case allowed
        /// It is an error, thrown by the next `save()` or ``throwUnreportedErrors()``; the getter returns a neutral
        /// value.
        case forbidden
    }

    /// The container whose objects these are.
    public let container: ModelContainer
    let unit: UnitOfWork
    /// Names this context in its ``editingState``.
    private(set) lazy var editingIdentifier = UUID()

    /// Who makes the changes of this context: the `author` of its transactions in the history. Every save tells the server,
    /// for the length of its transaction: triggers read it with `current_setting('strata.author', true)`. Costs no round
    /// trip. At most 1,024 bytes: a save refuses more (``SwiftDataError/invalidValue``).
    public var author: String?
    /// What is to be noted in the history beside the author, such as a request's number: the `context` of this context's
    /// transactions. Costs no round trip. At most 16,384 bytes as JSON: a save refuses more (``SwiftDataError/invalidValue``).
    public var historyContext: [String: String] = [:]
    /// The place in the history after the last transaction that this context committed: fetches after it have everything
    /// that others committed later. `nil` before the first save that wrote something, and where no class records history.
    ///
    /// It says something about the stores only that were written to.
    public internal(set) var historyToken: DefaultHistoryToken?
    /// What a save does when somebody else changed the same property since it was read.
    public var conflictPolicy = ConflictPolicy.throw
    /// What a save does with a new object whose unique value exists already.
    public var uniquePolicy = UniquePolicy.upsert

    /// What reading a property that was not fetched does.
    public var lazyLoading: LazyLoading {
        get { unit.lazyLoading }
        set { unit.lazyLoading = newValue }
    }

    /// The time that each call of this context has: a fetch with its prefetching, a save, the loading of a property, a batch of an
    /// enumeration. `nil`, the default, for any, as long as the server gives a sign within the pool's
    /// ``ModelConfiguration/Pool/answerTimeout``.
    ///
    /// ```swift
    /// context.timeout = .seconds(60)
    /// ```
    ///
    /// The server is told (`statement_timeout`, for the length of the transaction), and told again when the time is over; if it
    /// does not stop within ``ModelConfiguration/Pool/cancellationTimeout``, the connection is closed. The call throws
    /// ``SwiftDataError/storeFailure`` with an ``SwiftDataError/underlying`` error of the code `timeout`, or
    /// ``SwiftDataError/outcomeUnknown`` when COMMIT was sent and not answered. Waiting for a connection of the pool is no part
    /// of it, and neither is the block of a transaction or an enumeration: each call in it has its own time. No round trip.
    public var timeout: Duration? {
        get { unit.terms.limit }
        set { unit.terms.limit = newValue }
    }

    /// Settings of PostgreSQL that the statements of this context find, such as `["app.tenant": "17"]`: what policies of row-level
    /// security read with `current_setting('app.tenant', true)`. None is the default.
    ///
    /// ```swift
    /// context.settings = ["app.tenant": tenant, "role": "tenants"]
    /// ```
    /// Sent with every batch of statements, as parameters of `set_config(name, value, true)`: each ends with its transaction, and nothing of
    /// it stays on a connection, also behind a pooler. They go in the order of their names. A name that is taken out within a
    /// transaction keeps its value to the transaction's end. What the server does not accept fails the call
    /// (``SwiftDataError/storeFailure``). A tenant's context tells the server `strata.tenant` by itself (`ModelContainer.tenant(_:)`): naming it here is
    /// an error, thrown by the next `save()` or ``throwUnreportedErrors()``. No round trip; one for each COPY of `insert(into:rows:)`, which nothing can travel with.
    public var settings: [String: String] {
        get { unit.settings }
        set { unit.settings = newValue }
    }

    /// The longest that one transaction of this context may take, in place of the configuration's
    /// ``ModelConfiguration/Limits/transactionTimeout``; `nil`, the default, for that one.
    ///
    /// Of `transaction(isolation:_:)`, `withContext(isolation:)` and `read(isolation:)`; a save alone is one call, and has ``timeout``. Then the
    /// server ends the connection (SQLSTATE 25P04). From PostgreSQL 17 on; beginning a transaction on an older one is refused. No round trip.
    public var transactionTimeout: Duration? {
        get { unit.transactionLimits.transaction }
        set { unit.transactionLimits.transaction = newValue }
    }

    /// The longest that an open transaction of this context may do nothing, in place of the configuration's
    /// ``ModelConfiguration/Limits/idleInTransactionTimeout``; `nil`, the default, for that one.
    ///
    /// Then the server ends the connection (SQLSTATE 25P03). No round trip.
    public var idleInTransactionTimeout: Duration? {
        get { unit.transactionLimits.idleInTransaction }
        set { unit.transactionLimits.idleInTransaction = newValue }
    }

    /// The most rows that one statement of a fetch may give, in place of the configuration's ``ModelConfiguration/Limits/rows``; `nil`, the
    /// default, for that one. `.max` is no limit. One row more is an error, ``SwiftDataError/rowLimitExceeded``. No round trip.
    ///
    /// At least 1: what is less is taken as 1.
    public var rowLimit: Int? {
        get { unit.rowLimit }
        set { unit.rowLimit = newValue.map { max(1, $0) } }
    }

    /// Where the statements of this context are logged, with the metadata that this logger has, such as a request's number; the container's
    /// logger by default.
    ///
    /// ```swift
    /// context.logger = request.logger
    /// ```
    ///
    /// Its level decides whether they are logged: one request can be looked at with `logLevel = .debug` while all others log nothing.
    public var logger: Logger {
        get { unit.logger }
        set { unit.ownLogger = newValue }
    }

    /// How often reading a property had to load something: an unexpected number is a missing prefetch.
    public var lazyLoadCount: Int { unit.lazyLoads }

    /// Whether changes are saved by themselves, once the work that makes them has let go of the context's isolation.
    ///
    /// As in SwiftData it is on for ``ModelContainer/mainContext`` and off for every other context. It can be on for
    /// contexts that know where their isolation is: the main context, and a ``ModelActor``'s with the default executor.
    /// Setting it for another context is an error, thrown by the next `save()` or ``throwUnreportedErrors()``.
    ///
    /// Such a save is like any other, and blocks the thread of its isolation. What it throws is logged, and the changes stay
    /// unsaved: the next `save()` throws it again. It is tried again after the next edit.
    public var autosaveEnabled: Bool {
        get { unit.autosave != nil }
        set {
            guard newValue != autosaveEnabled else { return }
            guard newValue else {
                unit.autosave = nil
                return
            }
            guard let turns else {
                unit.report(
                    SwiftDataError(
                        .unsupportedFeature,
                        "autosaveEnabled was set for a context that belongs to no actor. Save it explicitly, or use the main "
                            + "context or a @ModelActor."))
                return
            }
            unit.autosave = Autosave(of: self, turns: turns)
            if hasChanges { unit.autosave?.edited() }
        }
    }
    /// How to run something in the context's isolation, where that is known.
    var turns: IsolationTurns? {
        get { unit.turns }
        set { unit.turns = newValue }
    }

    /// A new context. No I/O.
    public init(_ container: ModelContainer) {
        self.container = container
        unit = UnitOfWork(container)
        unit.context = self
    }

    /// Contexts are equal when they are the same instance.
    public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }

    /// Whether `save()` has something to write.
    public var hasChanges: Bool { unit.hasChanges }
    /// Whether an asynchronous save is under way.
    var isSaving: Bool { unit.isSaving }
    /// Objects inserted and not saved, in order.
    public var insertedModelsArray: [any PersistentModel] { unit.unsaved.insertedModels }
    /// Objects with unsaved changes, in the order of their first change.
    public var changedModelsArray: [any PersistentModel] { unit.unsaved.changedModels }
    /// Objects deleted and not saved, in order.
    public var deletedModelsArray: [any PersistentModel] { unit.unsaved.deletedModels }

    /// Makes a new object, and every new object it can reach, part of this context; they are written by the next save.
    ///
    /// No I/O. The object has its final identifier from now on.
    public func insert<T: PersistentModel>(_ model: T) {
        unit.insert(model)
    }

    /// The spelling of the first beta.
    ///
    /// Disfavoured, so that `forEach(context.insert)` means the other.
    @available(*, deprecated, renamed: "insert(_:)")
    @_disfavoredOverload
    public func insert<T: PersistentModel>(object: T) {
        unit.insert(object)
    }

    /// Deletes an object with the next save; delete rules are applied then.
    ///
    /// An object of a class with an `@Attribute(.deletionDate)` gets the date of the save instead, and stays in the context: it is an edit like
    /// any other, and ``PersistentModel/isDeleted``. One that has a date keeps it. What `.cascade` leads to gets the same date with the save. No I/O,
    /// unless the date is not in memory and has to be read: where that fails, nothing is deleted, and the next `save()` throws why.
    public func delete<T: PersistentModel>(_ model: T) {
        unit.delete(model, permanently: false)
    }

    /// Deletes an object with the next save; for good, if it is asked for.
    ///
    /// ```swift
    /// context.delete(trip, permanently: true)
    /// ```
    ///
    /// Delete rules are applied then, and take along for good what they lead to, softly deleted or not. No I/O.
    /// - Parameters:
    ///   - model: the object.
    ///   - permanently: whether its row goes although its class has an `@Attribute(.deletionDate)`. Other classes' rows go always.
    public func delete<T: PersistentModel>(_ model: T, permanently: Bool) {
        unit.delete(model, permanently: permanently)
    }

    /// Deletes all objects of a class that match, with the next save, in one statement, without loading them.
    ///
    /// Goes by the same delete rules, row by row. Objects of this context whose rows are deleted become deleted
    /// after the save. Those of a class with an `@Attribute(.deletionDate)` get the date of the save instead, if they have none.
    /// - Parameters:
    ///   - type: the class.
    ///   - predicate: which objects; `nil` for all of the class.
    ///   - includeSubclasses: whether objects of subclasses that match are deleted too.
    /// - Throws: ``SwiftDataError`` with the code `unsupportedPredicate` for what cannot be translated, at once.
    public func delete<T: PersistentModel>(
        model type: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws {
        try delete(model: type, where: predicate, includeSubclasses: includeSubclasses, permanently: false)
    }

    /// Deletes all objects of a class that match, with the next save, in one statement, without loading them; for good, if it is asked for.
    ///
    /// ```swift
    /// // What was deleted a month ago.
    /// try context.delete(
    ///     model: Trip.self, where: #Predicate { $0.deletedAt.flatMap { $0 < limit } ?? false }, permanently: true)
    /// ```
    /// - Parameters:
    ///   - type: the class.
    ///   - predicate: which objects; `nil` for all of the class.
    ///   - includeSubclasses: whether objects of subclasses that match are deleted too.
    ///   - permanently: whether rows go although the class has an `@Attribute(.deletionDate)`: of all that match, those that are softly
    ///     deleted included, with what delete rules lead to.
    /// - Throws: ``SwiftDataError`` with the code `unsupportedPredicate` for what cannot be translated, at once.
    public func delete<T: PersistentModel>(
        model type: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true, permanently: Bool
    ) throws {
        try unit.requireTurn()
        let (session, entity) = try unit.place(of: type)
        let isSoft = !permanently && entity.descriptor.dates.deletion != nil
        unit.unsaved.bulkChanges.append(
            .deletion(
                try BulkDeletion(
                    type, where: predicate, includeSubclasses: includeSubclasses, permanently: permanently,
                    date: isSoft ? unit.unsaved.timeOfDeletion() : .now, session: session, entity: entity)))
        unit.noteEdit()
    }

    /// Forgets all unsaved changes: new objects leave the context, changed ones have their old values again, deleted
    /// ones are back. What a save is writing just now is not taken back. No I/O.
    public func rollback() {
        unit.rollback()
    }

    /// Throws the first error that a getter or setter met and could not throw, if there was one, and forgets them. The others
    /// are logged.
    public func throwUnreportedErrors() throws {
        let errors = unit.reported
        guard let first = errors.first else { return }
        unit.forgetReported()
        for error in errors.dropFirst() {
            unit.logger.error(
                "A getter or setter met an error; another one was thrown", metadata: ["error": "\(error)"])
        }
        throw first
    }

    /// The object with this identifier if it is in this context's memory. No I/O.
    public func registeredModel<T: PersistentModel>(for identifier: PersistentIdentifier) -> T? {
        unit.registered(identifier) as? T
    }
}

extension PersistentModel {
    /// The context this object belongs to; `nil` before it is inserted and after its deletion was saved.
    public var modelContext: ModelContext? {
        (_$state.context as? UnitOfWork)?.context
    }
}
