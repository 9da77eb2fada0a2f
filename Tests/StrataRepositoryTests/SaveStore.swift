import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Synchronization
import Testing

/// A database with the tables of ``SaveModels``, and the least of a context: it registers objects and notes what changed.
final class SaveStore: ObjectContext {
    let mapping = StoreMapping(SaveModels.schema)
    let connection: PostgresConnection
    let recorder = StatementRecorder()
    private(set) var models: [any PersistentModel] = []
    private static let keys = Atomic<Int64>(1 << 40)
    var conflictPolicy = ConflictPolicy.throw
    var uniquePolicy = UniquePolicy.upsert
    var isInsideTransaction = false

    static let template = TestTemplate("save") { database in
        let connection = try await database.connect()
        defer { connection.close() }
        _ = try await StorePreparation.prepare(StoreMapping(SaveModels.schema), on: connection, mode: .createMissing)
    }

    init(_ database: TestDatabase) async throws {
        connection = try await database.connect(observer: recorder)
    }

    deinit {
        for model in models { model._$state.unregister() }
        connection.close()
    }

    // MARK: The objects

    func insert(_ new: any PersistentModel...) {
        for model in new {
            guard let entity = mapping.entity(for: type(of: model)), model._$state.phase == .detached else { continue }
            register(model, RowKey(Self.keys.add(1, ordering: .relaxed).newValue), entity, .inserted)
            RelationshipEdit.completeInverses(of: model)
            for property in type(of: model)._$descriptor.relationships {
                for target in property.loadedObjects(of: model) { insert(target) }
            }
        }
    }

    func delete(_ old: any PersistentModel...) {
        for model in old { model._$state.phase = .deleted }
    }

    private func register(
        _ model: any PersistentModel, _ key: RowKey, _ entity: EntityMapping, _ phase: ModelState.Phase
    ) {
        model._$state.register(
            model, key: key, identity: EntityIdentity(store: "test", entityName: entity.name), in: self, phase: phase)
        models.append(model)
    }

    /// A second object for the same row, as another context would have it.
    func twin<M: PersistentModel>(of model: M, in other: SaveStore, _ make: () -> M) throws -> M {
        let twin = make()
        guard let entity = mapping.entity(for: M.self) else { throw SwiftDataError(.missingModelContext, "no entity") }
        other.register(twin, model._$state.key, entity, .registered)
        return twin
    }

    // MARK: Saving

    func request() throws -> SaveRequest {
        let deletion = try DeletePropagation(
            models.filter { $0._$state.phase == .deleted }, mapping: mapping, registered: self)
        return SaveRequest(
            inserted: models.filter { $0._$state.phase == .inserted },
            changed: models.filter { $0._$state.phase == .registered && $0._$state.hasChanges },
            deleted: deletion.deleted,
            conflictPolicy: conflictPolicy, uniquePolicy: uniquePolicy, insideTransaction: isInsideTransaction)
    }

    @discardableResult
    func save() async throws -> SaveResult {
        let request = try request()
        recorder.reset()
        var save = SaveAttempts(request, mapping: mapping)
        try await connection.perform(&save)
        let result = save.result
        for (model, key) in result.rekeyed { model._$state.rekey(to: key) }
        for model in request.inserted + request.changed {
            model._$state.phase = .registered
            model._$state.clearChanges()
        }
        let gone = Set((request.deleted + result.merged.map(\.loser)).map { ObjectIdentifier($0) })
        for model in models where gone.contains(ObjectIdentifier(model)) { model._$state.phase = .gone }
        return result
    }

    /// The error of a save that must fail.
    func failure() async -> SwiftDataError? {
        do {
            try await save()
            Issue.record("the save did not fail")
        } catch {
            return error as? SwiftDataError
        }
        return nil
    }

    /// One value for each row, as text.
    func rows(_ sql: String) async throws -> [String] {
        var rows: [String] = []
        let statement = PostgresStatement(PreparedSQL(sql, isCached: false))
        try await connection.run(
            PostgresBatch(statement) { row in
                rows.append(try row.decodeIfPresent(0, as: String.self) ?? "nil")
            })
        return rows
    }

    // MARK: What objects ask of their context

    func forget(_ state: ModelState) {}
    func modelDidChange(_ state: ModelState) {}
    func insertedModelDidChange(_ state: ModelState) {}
    func insertRelated(_ model: any PersistentModel) { insert(model) }
    func registered(key: RowKey, root: ModelDescriptor) -> (any PersistentModel)? {
        models.first { $0._$state.key == key && type(of: $0)._$descriptor.root === root }
    }
    func loadAttribute(_ property: any ModelProperty, of model: any PersistentModel) {}
    func loadRelationship(_ property: RelationshipProperty, of model: any PersistentModel) {}
    func noteUnfulfilled(_ property: any ModelProperty, of model: any PersistentModel) {}
    func noteForeignObject(_ property: RelationshipProperty, of model: any PersistentModel) {}
}

extension SaveStore: RegisteredObjects {
    func state(key: RowKey, root: EntityMapping) -> ModelState? { registered(key: key, root: root.descriptor)?._$state }
    func registeredModels(of entity: EntityMapping) -> [any PersistentModel] {
        models.filter { $0._$state.phase != .gone && type(of: $0)._$descriptor.inherits(from: entity.descriptor) }
    }
}

func withSaveStore(_ body: (SaveStore) async throws -> Void) async throws {
    try await withTestDatabase("save", template: SaveStore.template) { database in
        try await body(SaveStore(database))
    }
}

func withTwoSaveStores(_ body: (SaveStore, SaveStore) async throws -> Void) async throws {
    try await withTestDatabase("save", template: SaveStore.template) { database in
        try await body(SaveStore(database), SaveStore(database))
    }
}
