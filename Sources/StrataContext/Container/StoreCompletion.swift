import StrataClient
import StrataMigrations
import StrataModels
import StrataRepository

/// Makes sure of the tables of a store that is being opened, learns who the store is, and reserves the first keys.
///
/// Tables that migrations have made are theirs to change: a container creates none beside them. Tables that a container has made are
/// changed by nobody until there is a plan.
final class StoreCompletion: StoreOperation {
    private enum Step {
        /// Gives a copy of a template an identity of its own, where that may be.
        case copy(CopiedStore)
        case copied(CopiedStore)
        /// Looks at tables that somebody else makes.
        case external(ExternalStoreVerification, SequenceKeys)
        /// Looks at the tables.
        case look(StorePreparation)
        /// They do not fit, or something is missing: asks whether migrations have made them.
        case record
        /// Makes what Strata keeps for itself, beside tables of migrations.
        case library(StorePreparation)
        /// Makes the tables, or looks at them once more in the light of the migrations.
        case last(StorePreparation)
        case keys
        case done
    }

    private let opening: StoreOpening.Opening
    private let allowsSave: Bool
    private let hasPlan: Bool
    private var migrations: MigrationRecordQuery
    private var step: Step
    private var found: StoreIdentity?
    /// Of tables of others what was found in them is known once the operation was carried out.
    private(set) var mapping: StoreMapping

    /// - Parameter created: the store's identity if its tables were created just now: they need not be looked at again.
    init(
        _ opening: StoreOpening.Opening, created: StoreIdentity?, isCopy: Bool, allowsSave: Bool, hasPlan: Bool
    ) {
        self.opening = opening
        self.allowsSave = allowsSave
        self.hasPlan = hasPlan
        mapping = opening.mapping
        migrations = MigrationRecordQuery(opening.mapping.schemaName)
        found = created
        if case .sequences(let keys) = opening.keys {
            step = .external(ExternalStoreVerification(opening.mapping), keys)
        } else if created != nil {
            step = .keys
        } else if isCopy, allowsSave {
            step = .copy(CopiedStore(opening.mapping))
        } else {
            step = .look(StorePreparation(opening.mapping, mode: .verifyOnly))
        }
    }

    /// Who the store is, once the operation was carried out.
    var identity: StoreIdentity {
        // Nothing a caller or the server does leads there: an operation that was carried out has passed `finish`, and one that failed has thrown.
        guard let found else { preconditionFailure("The identity of a store was asked for before it was completed.") }
        return found
    }

    func next() throws -> PostgresBatch? {
        while true {
            switch step {
            case .copy(let copy):
                step = .copied(copy)
                return try copy.batch()
            case .copied(let copy): finish(try copy.identity())
            case .external(let verification, let keys):
                if let batch = try verification.next() { return batch }
                let verified = try verification.verified()
                (found, mapping) = (verified.identity, verified.mapping)
                keys.learn(verification.numbered)
                step = .done
            case .look(let preparation):
                if let batch = try preparation.next() { return batch }
                let identity = preparation.identity
                if allowsSave, identity.hasOldLibrary || identity.hasOtherHistory {
                    step = .record
                } else {
                    finish(identity)
                }
            case .record:
                if let batch = try migrations.next() { return batch }
                step = afterRecord
            case .library(let preparation):
                if let batch = try preparation.next() { return batch }
                step = .last(lookInTheLightOfMigrations)
            case .last(let preparation):
                if let batch = try preparation.next() { return batch }
                finish(preparation.identity)
            case .keys:
                step = .done
                if allowsSave, case .blocks(let keys) = opening.keys { return try keys.batch(2) }
            case .done: return nil
            }
        }
    }

    func recover(from error: any Error, in transaction: TransactionState) throws {
        switch step {
        case .look where (error as? SwiftDataError)?.code == .storeDoesNotFit:
            // Looked at again below.
            step = .record
        case .record where (error as? PostgresError)?.lacksRight == true && !allowsSave:
            // Whoever may only read need not have the right to read the ledger.
            step = afterRecord
        case .library(let preparation), .last(let preparation):
            do { try preparation.recover(from: error, in: transaction) } catch {
                throw withRemedy(error)
            }
        case .copy, .copied, .external, .look, .record, .keys, .done: throw error
        }
    }

    private func finish(_ identity: StoreIdentity) {
        found = identity
        step = .keys
    }

    private var afterRecord: Step {
        guard allowsSave else { return .last(lookInTheLightOfMigrations) }
        return migrations.hasRecord
            ? .library(StorePreparation(opening.libraryOnly, mode: .createMissing))
            : .last(StorePreparation(opening.mapping, mode: .createMissing))
    }

    private var lookInTheLightOfMigrations: StorePreparation {
        StorePreparation(
            opening.mapping, mode: .verifyOnly, unsettled: migrations.stage?.unsettled ?? [:])
    }

    private func withRemedy(_ error: any Error) -> any Error {
        guard let error = error as? SwiftDataError, error.code == .storeDoesNotFit else { return error }
        let remedy =
            if let stage = migrations.stage, stage.phase == .contract {
                "The stage \(stage.stage) has begun its phase contract: code of the version before must not be started any "
                    + "more, and code of the new one when the migrations are applied."
            } else if migrations.hasRecord {
                "The schema has a record of migrations: apply the migrations"
                    + (hasPlan ? "." : ", or open the container with the migration plan.")
                    + " A class that is in no version of the plan needs one, or a configuration with a postgresSchema of its "
                    + "own."
            } else {
                "A container never changes a table that exists. To keep the data: a migration plan whose first version has the "
                    + "old classes, then generate, baseline and apply. To begin anew: drop the tables, or with a private server "
                    + "stop the program and delete .strata/."
            }
        return SwiftDataError(.storeDoesNotFit, error.message + "\n" + remedy)
    }
}
