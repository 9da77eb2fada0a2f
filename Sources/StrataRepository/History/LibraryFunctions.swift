/// Everything the database does for the history by itself, beginning with what others call.
///
/// Those that others call to read or fit what is recorded say `plan_cache_mode = force_generic_plan`, which holds for all that they
/// call: most sessions call them once or twice, and PostgreSQL would plan each statement of a loop anew, five times, before it kept
/// a plan. `history_sync` need not have compiled what it writes, either.
package enum LibraryFunctions {
    package static let all: [LibraryFunction] = [
        .historyVersion, .historyWake, .historyBegin, .historyResetEntities, .historySuspended, .historyReset,
        .historyHalt, .historyIdentify,
        .historyAdopt, .historyTryAdopt,
        .historyStatement, .historyKey, .historyComparison, .historyColumns, .historyClassExpression,
        .historyEntityPart,
        .historyLinkPart,
        .historyObjects, .historyExpected, .historyFound, .historyTriggers, .historySync, .historyRegister,
        .historyDescribe,
        .historyChanged, .historyFollow, .historyExpect,
        .historyFindings, .historyContext, .historyDelete, .historyCutoff, .historyPruneBelow, .historyPrune,
        .historyGrant, .historyForget,
    ]

    /// What ``LibraryFunction/historyVersion`` says: a database with a smaller number has functions of an older release.
    package static let version = Int(LibraryFunction.historyVersion.source.filter(\.isNumber)) ?? 0

    /// The statements that create them, or replace those of an earlier version. No table is locked.
    package static let creation: [String] = all.flatMap { [$0.creation, $0.revocation] }
}
