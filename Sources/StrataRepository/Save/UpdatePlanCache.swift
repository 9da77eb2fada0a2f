import StrataModels
import Synchronization

/// The plans of updates, made once for each set of properties and not for every save.
final class UpdatePlanCache: Sendable {
    private struct Key: Hashable {
        let entity: Int
        let slots: SlotSet
        let policy: ConflictPolicy
    }

    /// Sets of properties that a program changes together are few.
    private static let capacity = 1000

    private let plans = Mutex<[Key: UpdatePlan]>([:])

    func plan(of entity: EntityMapping, _ slots: SlotSet, _ policy: ConflictPolicy) -> UpdatePlan {
        let key = Key(entity: entity.index, slots: slots, policy: policy)
        if let known = plans.withLock({ $0[key] }) { return known }
        let plan = UpdatePlan(entity, slots, policy)
        plans.withLock { plans in
            if plans.count >= Self.capacity { plans = [:] }
            plans[key] = plan
        }
        return plan
    }
}
