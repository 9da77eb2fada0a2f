import Strata
import StrataClient

/// One step of the differential run. Objects are named by their `number`, contexts by their place: a step without its object
/// is passed over, so that lists can be shortened.
indirect enum GraphStep: Sendable {
    case create(Int, GraphKind, Int, [GraphAttribute: GraphValue], [GraphReference: Int])
    case set(Int, Int, GraphAttribute, GraphValue)
    case point(Int, Int, GraphReference, Int?)
    case append(Int, Int, GraphReference, Int)
    case remove(Int, Int, GraphReference, Int)
    case assign(Int, Int, GraphReference, [Int])
    /// Reads a to-many end, which loads it.
    case read(Int, Int, GraphReference)
    /// Person, skill; from the skill's side.
    case pair(Int, Int, Int, fromSkill: Bool)
    case unpair(Int, Int, Int, fromSkill: Bool)
    case readPairs(Int, Int)
    /// Site, badge: the badge comes to the end of a relationship without an inverse, or leaves it.
    case give(Int, Int, Int)
    case withdraw(Int, Int, Int)
    case readGiven(Int, Int)
    case delete(Int, Int)
    /// `insert` of what is to be deleted.
    case keep(Int, Int)
    case deleteWhere(Int, GraphKind, GraphCondition?)
    case fetch(Int, GraphKind, GraphQuery)
    case count(Int, GraphKind, GraphQuery)
    case save(Int, ConflictPolicy)
    /// What becomes of new objects with the unique values of rows, from now on.
    case unique(Int, UniquePolicy)
    /// Makes an object one of another class, with a save.
    case convert(Int, Int, GraphKind)
    case rollback(Int)
    case refresh(Int)
    case transaction(Int, [GraphStep], fails: Bool)
    /// What comes next is taken back before what was done until now.
    case endGroup(Int)
    /// Edits that are taken back, group by group, and maybe done again.
    case undo(Int, [GraphStep], redoes: Bool)
    /// Edits that are saved, taken back and saved again, and maybe done again. Saves among them end groups too.
    ///
    /// - Parameter reads: whether the ends that are lists, or that the objects there do not know, are read before.
    case undoSaved(Int, [GraphStep], saves: Bool, redoes: Bool, reads: Bool = false)
    /// Another program's UPDATE and DELETE.
    case update(Int, GraphAttribute, GraphValue)
    case move(Int, GraphReference, Int?)
    case erase(Int)
    /// Lets go of the context and its objects, and makes another one.
    case renew(Int)

    /// Whether it changes objects, without any statement of its own.
    var isEdit: Bool {
        switch self {
        case .create, .set, .point, .append, .remove, .assign, .pair, .unpair, .give, .withdraw, .delete,
            .keep:
            true
        default: false
        }
    }

    /// Whether it edits an end that may have to be loaded for that.
    var loadsAnEnd: Bool {
        switch self {
        case .create, .point, .append, .remove, .assign, .pair, .unpair, .give, .withdraw: true
        default: false
        }
    }

    var endsGroup: Bool {
        switch self {
        case .endGroup, .save: true
        default: false
        }
    }

    var context: Int? {
        switch self {
        case .create(let c, _, _, _, _), .set(let c, _, _, _), .point(let c, _, _, _), .append(let c, _, _, _),
            .remove(let c, _, _, _), .assign(let c, _, _, _), .read(let c, _, _), .pair(let c, _, _, _),
            .unpair(let c, _, _, _), .readPairs(let c, _), .give(let c, _, _), .withdraw(let c, _, _),
            .readGiven(let c, _), .delete(let c, _), .keep(let c, _),
            .deleteWhere(let c, _, _), .fetch(let c, _, _),
            .count(let c, _, _), .save(let c, _), .unique(let c, _), .convert(let c, _, _), .rollback(let c),
            .refresh(let c),
            .transaction(let c, _, _), .endGroup(let c), .undo(let c, _, _), .undoSaved(let c, _, _, _, _),
            .renew(let c):
            c
        case .update, .move, .erase: nil
        }
    }
}

/// What a step did, in words that the reference model understands too.
enum GraphOutcome: Equatable {
    case done
    case created(RowKey)
    case keys([RowKey])
    case count(Int)
    case failed(SwiftDataError.Code)
}
