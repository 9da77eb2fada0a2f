package import StrataModels

/// The classes for a database, as they will be written, and what of it they do not express. Made without a database; nothing is decided
/// behind it.
package struct ModelPlan: Hashable, Sendable {
    /// By name.
    package var classes: [ModelClass] = []
    /// Of enum types that properties have, by name.
    package var enumerations: [PlannedEnumeration] = []
    /// By table and column.
    package var gaps: [IntrospectionGap] = []
    package var coverage = IntrospectionCoverage()

    package init() {}
}

/// One class.
package struct ModelClass: Hashable, Sendable {
    package var name: String
    package var superclass: String?
    /// The name of the table, which it is written for only where the rule makes another one.
    package var table: String
    package var arguments: [String] = []
    package var isFinal = true
    package var comment: String?
    package var properties: [PlannedProperty] = []
    /// Names of the properties that are the key together; empty for a key of one column.
    package var primaryKey: [String] = []
    /// By which property the table is divided, and how.
    package var partition: Schema.EntityPartition?
    package var uniques: [PlannedUnique] = []
    package var indexes: [PlannedIndex] = []
    package var checks: [PlannedCheck] = []
    /// What the class does not express, in the place of a property.
    package var remarks: [String] = []

    package init(name: String, table: String) {
        self.name = name
        self.table = table
    }
}

/// One set of a `#Unique`.
package struct PlannedUnique: Hashable, Sendable {
    /// Of the properties.
    package var names: [String]
    /// What is said of it behind the lists: `, nulls: .notDistinct`.
    package var suffix = ""
}

/// One rule.
package struct PlannedCheck: Hashable, Sendable {
    /// What Swift calls it.
    package var rule: String
    /// What the database does.
    package var constraint: String
    /// As it stands in the closure.
    package var condition: String
}

/// An enum with the values of an enum type.
package struct PlannedEnumeration: Hashable, Sendable {
    package struct Case: Hashable, Sendable {
        package var name: String
        /// The raw value.
        package var label: String
    }

    package var name: String
    /// The enum type, as the server writes it.
    package var type: String
    /// In the server's order.
    package var cases: [Case]
    /// Whether a property has it.
    var isUsed = false
}

/// One property.
package struct PlannedProperty: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case attribute, toOne, toMany }

    package var name: String
    package var kind: Kind
    /// As it is declared: `String?`, `[Trip]`.
    package var type: String
    /// The value that it begins with; `nil` for none, or for one that Swift cannot say.
    package var initialValue: String?
    /// What an initializer gives it of another property's object: `account.id`.
    package var copied: String?
    /// Of `@Attribute` or `@Relationship`.
    package var arguments: [String] = []
    package var comment: String?
    package var remarks: [String] = []

    package init(name: String, kind: Kind, type: String, initialValue: String? = nil) {
        self.name = name
        self.kind = kind
        self.type = type
        self.initialValue = initialValue
    }

    package var isOptional: Bool { type.hasSuffix("?") }

    /// Whether an object cannot be made without a value for it.
    package var isRequired: Bool { initialValue == nil && copied == nil && !isOptional }
}

/// One index.
package struct PlannedIndex: Hashable, Sendable {
    /// As `#Index` has it: `binary`, `gin`, `fullText`.
    package var kind: String
    /// Names of properties.
    package var properties: [String]
    /// Each property as `.sorted` has it, `.key(\.name, order: .reverse)`; `nil` for properties as they are.
    package var keys: [String]?
    /// What follows the properties: `, language: "english"`.
    package var suffix = ""

    package init(kind: String, properties: [String], keys: [String]? = nil, suffix: String = "") {
        self.kind = kind
        self.properties = properties
        self.keys = keys
        self.suffix = suffix
    }
}

/// Something in the database that the classes do not express.
package struct IntrospectionGap: Hashable, Sendable, Codable {
    package var table: String
    package var column: String?
    package var reason: String

    package init(table: String, column: String? = nil, reason: String) {
        self.table = table
        self.column = column
        self.reason = reason
    }
}

/// How much of a database the classes express.
package struct IntrospectionCoverage: Hashable, Sendable, Codable {
    package struct Share: Hashable, Sendable, Codable {
        package var expressed = 0
        package var total = 0
    }

    package var tables = Share()
    package var columns = Share()
    /// Keys, unique constraints, foreign keys, checks and exclusion constraints.
    package var constraints = Share()
}
