import Foundation
import Strata
import Testing

/// Every delete rule in every shape of relationship, from a zone to a leaf. The names tell where the key stands: "kept" in the
/// zone's table, "given" in the leaf's.
enum Matrix {
    @Model final class Zone {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: nil) var keptCascade: Leaf?
        @Relationship(deleteRule: .cascade, inverse: \Leaf.givenCascade) var givenCascade: Leaf?
        @Relationship(deleteRule: .cascade, inverse: \Leaf.groupCascade) var memberCascade: Leaf?
        @Relationship(deleteRule: .cascade, inverse: \Leaf.ownerCascade) var manyCascade: [Leaf] = []
        @Relationship(deleteRule: .cascade, inverse: nil) var oneWayCascade: [Leaf] = []
        @Relationship(deleteRule: .cascade, inverse: \Leaf.linksCascade) var linksCascade: [Leaf] = []
        @Relationship(deleteRule: .cascade, inverse: \SpecialLeaf.specialCascade) var specialCascade: [SpecialLeaf] = []
        @Relationship(deleteRule: .nullify, inverse: nil) var keptNullify: Leaf?
        @Relationship(deleteRule: .nullify, inverse: \Leaf.givenNullify) var givenNullify: Leaf?
        @Relationship(deleteRule: .nullify, inverse: \Leaf.groupNullify) var memberNullify: Leaf?
        @Relationship(deleteRule: .nullify, inverse: \Leaf.ownerNullify) var manyNullify: [Leaf] = []
        @Relationship(deleteRule: .nullify, inverse: nil) var oneWayNullify: [Leaf] = []
        @Relationship(deleteRule: .nullify, inverse: \Leaf.linksNullify) var linksNullify: [Leaf] = []
        @Relationship(deleteRule: .nullify, inverse: \SpecialLeaf.specialNullify) var specialNullify: [SpecialLeaf] = []
        @Relationship(deleteRule: .deny, inverse: nil) var keptDeny: Leaf?
        @Relationship(deleteRule: .deny, inverse: \Leaf.givenDeny) var givenDeny: Leaf?
        @Relationship(deleteRule: .deny, inverse: \Leaf.groupDeny) var memberDeny: Leaf?
        @Relationship(deleteRule: .deny, inverse: \Leaf.ownerDeny) var manyDeny: [Leaf] = []
        @Relationship(deleteRule: .deny, inverse: nil) var oneWayDeny: [Leaf] = []
        @Relationship(deleteRule: .deny, inverse: \Leaf.linksDeny) var linksDeny: [Leaf] = []
        @Relationship(deleteRule: .deny, inverse: \SpecialLeaf.specialDeny) var specialDeny: [SpecialLeaf] = []
        @Relationship(deleteRule: .noAction, inverse: nil) var keptNoAction: Leaf?
        @Relationship(deleteRule: .noAction, inverse: \Leaf.givenNoAction) var givenNoAction: Leaf?
        @Relationship(deleteRule: .noAction, inverse: \Leaf.groupNoAction) var memberNoAction: Leaf?
        @Relationship(deleteRule: .noAction, inverse: \Leaf.ownerNoAction) var manyNoAction: [Leaf] = []
        @Relationship(deleteRule: .noAction, inverse: nil) var oneWayNoAction: [Leaf] = []
        @Relationship(deleteRule: .noAction, inverse: \Leaf.linksNoAction) var linksNoAction: [Leaf] = []
        @Relationship(deleteRule: .noAction, inverse: \SpecialLeaf.specialNoAction) var specialNoAction: [SpecialLeaf] =
            []
        init(_ name: String) { self.name = name }
    }

    @Model class Leaf {
        var name: String
        var givenCascade: Zone?
        var groupCascade: [Zone] = []
        var ownerCascade: Zone?
        var linksCascade: [Zone] = []
        var givenNullify: Zone?
        var groupNullify: [Zone] = []
        var ownerNullify: Zone?
        var linksNullify: [Zone] = []
        var givenDeny: Zone?
        var groupDeny: [Zone] = []
        var ownerDeny: Zone?
        var linksDeny: [Zone] = []
        var givenNoAction: Zone?
        var groupNoAction: [Zone] = []
        var ownerNoAction: Zone?
        var linksNoAction: [Zone] = []
        /// What goes with a leaf that goes.
        @Relationship(deleteRule: .cascade, inverse: \Twig.leaf) var twigs: [Twig] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class SpecialLeaf: Leaf {
        var specialCascade: Zone?
        var specialNullify: Zone?
        var specialDeny: Zone?
        var specialNoAction: Zone?
    }

    @Model final class Twig {
        var name: String
        var leaf: Leaf?
        init(_ name: String) { self.name = name }
    }

    enum Rule: String, CaseIterable, Sendable { case cascade, nullify, deny, noAction }

    enum Shape: String, CaseIterable, Sendable {
        case kept, given, member, many, oneWay, links, special

        var isToOne: Bool { self == .kept || self == .given || self == .member }

        func makeLeaf() -> Leaf { self == .special ? SpecialLeaf("L") : Leaf("L") }

        func relate(_ zone: Zone, _ leaf: Leaf, _ rule: Rule) {
            switch (self, rule) {
            case (.kept, .cascade): zone.keptCascade = leaf
            case (.kept, .nullify): zone.keptNullify = leaf
            case (.kept, .deny): zone.keptDeny = leaf
            case (.kept, .noAction): zone.keptNoAction = leaf
            case (.given, .cascade): zone.givenCascade = leaf
            case (.given, .nullify): zone.givenNullify = leaf
            case (.given, .deny): zone.givenDeny = leaf
            case (.given, .noAction): zone.givenNoAction = leaf
            case (.member, .cascade): zone.memberCascade = leaf
            case (.member, .nullify): zone.memberNullify = leaf
            case (.member, .deny): zone.memberDeny = leaf
            case (.member, .noAction): zone.memberNoAction = leaf
            case (.many, .cascade): zone.manyCascade = [leaf]
            case (.many, .nullify): zone.manyNullify = [leaf]
            case (.many, .deny): zone.manyDeny = [leaf]
            case (.many, .noAction): zone.manyNoAction = [leaf]
            case (.oneWay, .cascade): zone.oneWayCascade = [leaf]
            case (.oneWay, .nullify): zone.oneWayNullify = [leaf]
            case (.oneWay, .deny): zone.oneWayDeny = [leaf]
            case (.oneWay, .noAction): zone.oneWayNoAction = [leaf]
            case (.links, .cascade): zone.linksCascade = [leaf]
            case (.links, .nullify): zone.linksNullify = [leaf]
            case (.links, .deny): zone.linksDeny = [leaf]
            case (.links, .noAction): zone.linksNoAction = [leaf]
            case (.special, .cascade): zone.specialCascade = (leaf as? SpecialLeaf).map { [$0] } ?? []
            case (.special, .nullify): zone.specialNullify = (leaf as? SpecialLeaf).map { [$0] } ?? []
            case (.special, .deny): zone.specialDeny = (leaf as? SpecialLeaf).map { [$0] } ?? []
            case (.special, .noAction): zone.specialNoAction = (leaf as? SpecialLeaf).map { [$0] } ?? []
            }
        }

        /// Reads the relationship, so that it is loaded.
        func targets(_ zone: Zone, _ rule: Rule) -> [Leaf] {
            switch (self, rule) {
            case (.kept, .cascade): [zone.keptCascade].compactMap { $0 }
            case (.kept, .nullify): [zone.keptNullify].compactMap { $0 }
            case (.kept, .deny): [zone.keptDeny].compactMap { $0 }
            case (.kept, .noAction): [zone.keptNoAction].compactMap { $0 }
            case (.given, .cascade): [zone.givenCascade].compactMap { $0 }
            case (.given, .nullify): [zone.givenNullify].compactMap { $0 }
            case (.given, .deny): [zone.givenDeny].compactMap { $0 }
            case (.given, .noAction): [zone.givenNoAction].compactMap { $0 }
            case (.member, .cascade): [zone.memberCascade].compactMap { $0 }
            case (.member, .nullify): [zone.memberNullify].compactMap { $0 }
            case (.member, .deny): [zone.memberDeny].compactMap { $0 }
            case (.member, .noAction): [zone.memberNoAction].compactMap { $0 }
            case (.many, .cascade): zone.manyCascade
            case (.many, .nullify): zone.manyNullify
            case (.many, .deny): zone.manyDeny
            case (.many, .noAction): zone.manyNoAction
            case (.oneWay, .cascade): zone.oneWayCascade
            case (.oneWay, .nullify): zone.oneWayNullify
            case (.oneWay, .deny): zone.oneWayDeny
            case (.oneWay, .noAction): zone.oneWayNoAction
            case (.links, .cascade): zone.linksCascade
            case (.links, .nullify): zone.linksNullify
            case (.links, .deny): zone.linksDeny
            case (.links, .noAction): zone.linksNoAction
            case (.special, .cascade): zone.specialCascade
            case (.special, .nullify): zone.specialNullify
            case (.special, .deny): zone.specialDeny
            case (.special, .noAction): zone.specialNoAction
            }
        }
    }

    /// How much of what a rule concerns is in memory.
    enum Memory: String, CaseIterable, Sendable {
        /// The zone alone.
        case nothing
        /// The leaf and its twig as well, but no relationship.
        case objects
        /// All, related.
        case relationships
        /// The zone is not either: it is deleted by a predicate.
        case byPredicate
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let shape: Shape
        let rule: Rule
        let memory: Memory
        var testDescription: String { "\(shape) \(rule) \(memory)" }
    }

    static let cases = Shape.allCases.flatMap { shape in
        Rule.allCases.flatMap { rule in Memory.allCases.map { Case(shape: shape, rule: rule, memory: $0) } }
    }
}
