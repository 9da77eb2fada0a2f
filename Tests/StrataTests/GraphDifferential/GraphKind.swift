import StrataClient

/// A class of the differential run, as the reference model knows it.
enum GraphKind: String, CaseIterable, Sendable {
    case site, job, bill, asset, machine, robot, part, tag, person, badge, skill

    var superkind: GraphKind? {
        switch self {
        case .machine: .asset
        case .robot: .machine
        default: nil
        }
    }

    var root: GraphKind { superkind?.root ?? self }

    func isKind(of other: GraphKind) -> Bool { self == other || superkind?.isKind(of: other) == true }

    var family: [GraphKind] { GraphKind.allCases.filter { $0.isKind(of: self) } }

    /// The attributes that the class itself declares.
    var ownAttributes: [GraphAttribute] {
        switch self {
        case .machine: [.power]
        case .robot: [.motto]
        case .skill: [.name, .size, .note, .code]
        default: [.name, .size, .note]
        }
    }

    var attributes: [GraphAttribute] { (superkind?.attributes ?? []) + ownAttributes }

    /// The keys that an object of this class holds.
    var references: [GraphReference] { GraphReference.allCases.filter { isKind(of: $0.holder) } }

    /// The keys that lead to an object of this class.
    var collections: [GraphReference] { GraphReference.allCases.filter { isKind(of: $0.target) } }

    var slots: [GraphSlot] { attributes.map(GraphSlot.attribute) + references.map(GraphSlot.reference) }
}

enum GraphAttribute: String, CaseIterable, Sendable {
    case name, size, note, power, motto, code

    var isNumber: Bool { self == .size || self == .power }
    var isOptional: Bool { self == .note || self == .motto || self == .code }
}

/// A relationship with a key on one side: to-one there, to-many at the other end (or to-one as well).
enum GraphReference: String, CaseIterable, Sendable {
    case jobSite, billSite, billPayer, assetSite, assetHolder, partMachine, tagAsset, personBoss, badgePerson

    /// What happens to those that hold the key when the target is deleted. With `noAction` it leads to nothing then.
    enum Rule { case nullify, cascade, deny, noAction }

    var holder: GraphKind {
        switch self {
        case .jobSite: .job
        case .billSite, .billPayer: .bill
        case .assetSite, .assetHolder: .asset
        case .partMachine: .part
        case .tagAsset: .tag
        case .personBoss: .person
        case .badgePerson: .badge
        }
    }

    var target: GraphKind {
        switch self {
        case .jobSite, .billSite, .assetSite: .site
        case .assetHolder, .tagAsset: .asset
        case .partMachine: .machine
        case .personBoss, .badgePerson, .billPayer: .person
        }
    }

    var rule: Rule {
        switch self {
        case .jobSite, .assetHolder, .partMachine: .cascade
        case .billSite: .deny
        case .billPayer: .noAction
        default: .nullify
        }
    }

    var isRequired: Bool { self == .partMachine || self == .tagAsset }
    var isOneToOne: Bool { self == .badgePerson }
    /// Whether the order at the other end is stored.
    var isOrdered: Bool { self == .jobSite }

    var column: String {
        switch self {
        case .jobSite, .billSite, .assetSite: "site"
        case .assetHolder: "holder"
        case .partMachine: "machine"
        case .tagAsset: "asset"
        case .personBoss: "boss"
        case .badgePerson: "person"
        case .billPayer: "payer"
        }
    }

    /// The other end's property.
    var inverse: String {
        switch self {
        case .jobSite: "jobs"
        case .billSite: "bills"
        case .assetSite: "assets"
        case .assetHolder: "contents"
        case .partMachine: "parts"
        case .tagAsset: "tags"
        case .personBoss: "reports"
        case .badgePerson: "badge"
        case .billPayer: "bills"
        }
    }
}

/// A property with a column.
enum GraphSlot: Hashable, Sendable {
    case attribute(GraphAttribute)
    case reference(GraphReference)
}

enum GraphValue: Hashable, Sendable {
    case empty
    case text(String)
    case number(Int)
    case key(RowKey)

    var key: RowKey? { if case .key(let key) = self { key } else { nil } }
}

/// A row, or what an object shows of one. The key is its identity, `number` its name in steps.
struct GraphRow: Hashable, Sendable {
    let kind: GraphKind
    var number: Int
    var values: [GraphSlot: GraphValue] = [:]

    subscript(slot: GraphSlot) -> GraphValue {
        get { values[slot] ?? .empty }
        set { values[slot] = newValue == .empty ? nil : newValue }
    }
    subscript(attribute: GraphAttribute) -> GraphValue {
        get { self[.attribute(attribute)] }
        set { self[.attribute(attribute)] = newValue }
    }
    subscript(reference: GraphReference) -> RowKey? {
        get { self[.reference(reference)].key }
        set { self[.reference(reference)] = newValue.map(GraphValue.key) ?? .empty }
    }
}

/// A person and a skill.
struct GraphPair: Hashable, Sendable {
    let person: RowKey
    let skill: RowKey
}
