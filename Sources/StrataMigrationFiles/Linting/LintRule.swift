/// Everything the linter looks for. The code is stable and never given to another rule; the word is the case's name.
///
/// L1: locks and rewrites. L2: data, and old code that still runs. L3: hygiene. L4: what clients may notice; off unless
/// a project asks for it.
package enum LintRule: String, CaseIterable, Codable, Hashable, Sendable {
    case unreadableSql = "L100"
    case indexNotConcurrent = "L101"
    case dropIndexNotConcurrent = "L102"
    case reindexNotConcurrent = "L103"
    case concurrentInTransaction = "L104"
    case concurrentIndexServer = "L105"
    case uniqueConstraintDirect = "L106"
    case columnUnique = "L107"
    case primaryKeyDirect = "L108"
    case foreignKeyValidated = "L109"
    case columnReferencesDefault = "L110"
    case checkValidated = "L111"
    case columnCheckInline = "L112"
    case validateInSameTransaction = "L113"
    case setNotNullUnproven = "L114"
    case typeRewrite = "L115"
    case volatileDefault = "L116"
    case identityColumn = "L117"
    case generatedStored = "L118"
    case domainColumn = "L119"
    case domainConstraint = "L120"
    case exclusionConstraint = "L121"
    case validateWhileBlocking = "L122"
    case repeatedRewrites = "L123"
    case detachNotConcurrent = "L124"
    case vacuumFull = "L125"
    case lockTable = "L126"
    case storageRewrite = "L127"
    case ddlWithBulkChange = "L128"
    case createReferencesThenWork = "L129"
    case dropReferencesWithWork = "L130"
    case unboundedChange = "L131"
    case recordedBulkChange = "L132"
    case lockTimeoutTooShort = "L133"
    case lockTimeoutOnConcurrentIndex = "L134"
    case missingLockTimeout = "L135"
    case triggerWithWork = "L136"

    case notNullWithoutDefault = "L201"
    case uncheckedNarrowing = "L202"
    case uncheckedCast = "L203"
    case dropBeforeContract = "L204"
    case dropUnacknowledged = "L205"
    case renameBreaksClients = "L206"
    case enumValueRemoved = "L207"
    case enumValueUsedInTransaction = "L208"
    case enumValueWithoutPlace = "L209"
    case uniqueProtectionGap = "L210"
    case checkBeforeBackfill = "L211"
    case concurrentIndexIfNotExists = "L212"
    case droppedColumnInTriggerFunction = "L213"
    case selectStar = "L214"
    case identifierTooLong = "L215"

    case preferJsonb = "L301"
    case preferTextOverChar = "L302"
    case preferTextOverVarchar = "L303"
    case preferTimestamptz = "L304"
    case preferBigintKey = "L305"
    case preferIdentity = "L306"
    case wideIndex = "L307"
    case foreignKeyWithoutIndex = "L308"
    case notRerunnable = "L309"
    case nestedTransaction = "L310"
    case uncommittedTransaction = "L311"
    case truncateCascade = "L312"
    case duplicateAssignment = "L313"
    case dropDatabase = "L314"
    case unusedAllow = "L315"

    case dropObject = "L401"
    case changedDefault = "L402"
    case disabledTrigger = "L403"
    case replicaIdentity = "L404"
    case revoke = "L405"
    case replacedObject = "L406"
    case alteredObject = "L407"
    case alteredIdentity = "L408"
    case newWriteRestriction = "L409"
    case addedEnumValue = "L410"
    case addedCompositeAttribute = "L411"
    case addedColumn = "L412"
    case detachedInheritance = "L413"
    case tableWithoutSchema = "L414"

    package var code: String { rawValue }

    /// `index-not-concurrent`.
    package var word: String {
        String(describing: self).reduce(into: "") { word, character in
            word += character.isUppercase ? "-" + character.lowercased() : String(character)
        }
    }

    package var family: Family {
        switch code.prefix(2) {
        case "L1": .locking
        case "L2": .data
        case "L3": .hygiene
        default: .clients
        }
    }

    /// By code or by word, as people write it.
    package init?(named name: String) {
        guard let rule = LintRule.allCases.first(where: { $0.code == name.uppercased() || $0.word == name }) else {
            return nil
        }
        self = rule
    }

    package enum Family: String, CaseIterable, Sendable {
        case locking, data, hygiene, clients

        package var title: String {
            switch self {
            case .locking: "Locks and rewrites"
            case .data: "Data, and old code that still runs"
            case .hygiene: "Hygiene"
            case .clients: "What clients may notice (off unless asked for)"
            }
        }
    }
}

/// How much a finding weighs.
package enum LintLevel: String, CaseIterable, Codable, Comparable, Sendable {
    /// Only for projects that ask for the rule.
    case off
    case warning
    case error

    package static func < (lhs: LintLevel, rhs: LintLevel) -> Bool { lhs.weight < rhs.weight }

    private var weight: Int {
        switch self {
        case .off: 0
        case .warning: 1
        case .error: 2
        }
    }
}
