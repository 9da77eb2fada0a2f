import Logging
import StrataClient
import StrataModels
import StrataRepository

/// Opens the stores of a container: one for each configuration that keeps entities of its schema.
///
/// The servers of all are found first, then all are migrated, then the tables of each are looked at.
struct ContainerOpening {
    private let openings: [StoreOpening]

    init(
        _ schema: Schema, plan: (any SchemaMigrationPlan.Type)?, policy: MigrationPolicy,
        _ configurations: [ModelConfiguration], _ logger: Logger, _ observers: [any StatementObserver],
        _ recorder: (any PostgresObserver)?
    ) throws {
        if let invalid = SwiftDataError.invalidSchema(SchemaValidation.objectFindings(schema)) { throw invalid }
        let parts = try SchemaDivision(schema, among: configurations).parts
        var migrations: [StoreMigration?] = parts.map { _ in nil }
        if let plan {
            let contents = try PlanContents(plan)
            let target = try contents.position(of: schema)
            migrations = try PlanDivision(contents, target: target, among: parts).parts.map {
                try StoreMigration($0, target: target, policy: policy)
            }
        }
        let withTenants = parts.map(\.configuration).filter { $0.tenants != nil }
        if withTenants.count > 1 {
            throw SwiftDataError(
                .unsupportedFeature,
                "Several configurations have tenants: \(withTenants.map { "\($0)" }.joined(separator: ", ")). A tenant's tables are made and deleted "
                    + "in one transaction: keep the classes of tenants in one configuration, or open a container for each."
            )
        }
        openings = zip(parts, migrations).map { part, migration in
            StoreOpening(
                configuration: part.configuration, schema: part.schema, logger: logger, observers: observers,
                recorder: recorder, migration: migration)
        }
    }

    /// The configurations at work.
    var configurations: Set<ModelConfiguration> { Set(openings.map(\.configuration)) }

    /// Opens the stores; blocks this thread.
    func open() throws -> [Store] {
        let begun = try begin()
        var stores: [Store] = []
        do {
            let created = try migrate(begun)
            for (index, opening) in openings.enumerated() {
                stores.append(try opening.complete(begun[index], created: created[index]))
            }
            return stores
        } catch {
            for store in stores { store.close() }
            for opening in begun.dropFirst(stores.count) { opening.pool.close() }
            throw error
        }
    }

    /// Opens the stores without blocking a thread, but for starting private servers and for migrations, which happen on a
    /// thread of their own.
    func open() async throws -> [Store] {
        let begun = try await BlockingThread.value("strata.open") { try begin() }
        var stores: [Store] = []
        do {
            let created =
                openings.contains { $0.migration != nil }
                ? try await BlockingThread.value("strata.open") { try migrate(begun) } : begun.map { _ in nil }
            for (index, opening) in openings.enumerated() {
                stores.append(try await opening.complete(begun[index], created: created[index]))
            }
            return stores
        } catch {
            for store in stores { store.close() }
            for opening in begun.dropFirst(stores.count) { await opening.pool.close() }
            throw error
        }
    }

    private func begin() throws -> [StoreOpening.Opening] {
        var begun: [StoreOpening.Opening] = []
        do {
            for opening in openings { begun.append(try opening.begin()) }
            return begun
        } catch {
            for opening in begun { opening.pool.close() }
            throw error
        }
    }

    /// Returns, store by store, the identity of those whose tables were created here.
    private func migrate(_ begun: [StoreOpening.Opening]) throws -> [StoreIdentity?] {
        var identities: [StoreIdentity?] = begun.map { _ in nil }
        var indices: [Int] = []
        var stores: [(migration: StoreMigration, place: StoreMigration.Place)] = []
        for (index, opening) in openings.enumerated() {
            guard let migration = opening.migration, let place = opening.migrationPlace(begun[index]) else { continue }
            indices.append(index)
            stores.append((migration, place))
        }
        for (index, identity) in zip(indices, try ContainerMigration(stores: stores).run()) {
            identities[index] = identity
        }
        return identities
    }
}
