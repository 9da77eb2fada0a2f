import Foundation
import Strata

/// Thirty classes as a service has them: each with a handful of columns, most related to another one.
enum TenantModelsV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { shared + [Part30.self] }
    /// What the next version takes as it is.
    static var shared: [any PersistentModel.Type] {
        [
            Part01.self, Part02.self, Part03.self, Part04.self, Part05.self, Part06.self, Part07.self,
            Part08.self, Part09.self, Part10.self, Part11.self, Part12.self, Part13.self, Part14.self,
            Part15.self, Part16.self, Part17.self, Part18.self, Part19.self, Part20.self, Part21.self,
            Part22.self, Part23.self, Part24.self, Part25.self, Part26.self, Part27.self, Part28.self,
            Part29.self,
        ]
    }

    @Model final class Part01 {
        #Index<Part01>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        @Relationship(deleteRule: .cascade, inverse: \Part02.owner) var parts: [Part02] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part02 {
        #Index<Part02>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part01?
        @Relationship(deleteRule: .cascade, inverse: \Part03.owner) var parts: [Part03] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part03 {
        #Index<Part03>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part02?
        @Relationship(deleteRule: .cascade, inverse: \Part04.owner) var parts: [Part04] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part04 {
        #Index<Part04>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part03?
        @Relationship(deleteRule: .cascade, inverse: \Part05.owner) var parts: [Part05] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part05 {
        #Index<Part05>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part04?
        @Relationship(deleteRule: .cascade, inverse: \Part06.owner) var parts: [Part06] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part06 {
        #Index<Part06>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part05?
        @Relationship(deleteRule: .cascade, inverse: \Part07.owner) var parts: [Part07] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part07 {
        #Index<Part07>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part06?
        @Relationship(deleteRule: .cascade, inverse: \Part08.owner) var parts: [Part08] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part08 {
        #Index<Part08>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part07?
        @Relationship(deleteRule: .cascade, inverse: \Part09.owner) var parts: [Part09] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part09 {
        #Index<Part09>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part08?
        @Relationship(deleteRule: .cascade, inverse: \Part10.owner) var parts: [Part10] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part10 {
        #Index<Part10>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part09?
        @Relationship(deleteRule: .cascade, inverse: \Part11.owner) var parts: [Part11] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part11 {
        #Index<Part11>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part10?
        @Relationship(deleteRule: .cascade, inverse: \Part12.owner) var parts: [Part12] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part12 {
        #Index<Part12>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part11?
        @Relationship(deleteRule: .cascade, inverse: \Part13.owner) var parts: [Part13] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part13 {
        #Index<Part13>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part12?
        @Relationship(deleteRule: .cascade, inverse: \Part14.owner) var parts: [Part14] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part14 {
        #Index<Part14>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part13?
        @Relationship(deleteRule: .cascade, inverse: \Part15.owner) var parts: [Part15] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part15 {
        #Index<Part15>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part14?
        @Relationship(deleteRule: .cascade, inverse: \Part16.owner) var parts: [Part16] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part16 {
        #Index<Part16>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part15?
        @Relationship(deleteRule: .cascade, inverse: \Part17.owner) var parts: [Part17] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part17 {
        #Index<Part17>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part16?
        @Relationship(deleteRule: .cascade, inverse: \Part18.owner) var parts: [Part18] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part18 {
        #Index<Part18>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part17?
        @Relationship(deleteRule: .cascade, inverse: \Part19.owner) var parts: [Part19] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part19 {
        #Index<Part19>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part18?
        @Relationship(deleteRule: .cascade, inverse: \Part20.owner) var parts: [Part20] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part20 {
        #Index<Part20>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part19?
        @Relationship(deleteRule: .cascade, inverse: \Part21.owner) var parts: [Part21] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part21 {
        #Index<Part21>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part20?
        @Relationship(deleteRule: .cascade, inverse: \Part22.owner) var parts: [Part22] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part22 {
        #Index<Part22>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part21?
        @Relationship(deleteRule: .cascade, inverse: \Part23.owner) var parts: [Part23] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part23 {
        #Index<Part23>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part22?
        @Relationship(deleteRule: .cascade, inverse: \Part24.owner) var parts: [Part24] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part24 {
        #Index<Part24>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part23?
        @Relationship(deleteRule: .cascade, inverse: \Part25.owner) var parts: [Part25] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part25 {
        #Index<Part25>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part24?
        @Relationship(deleteRule: .cascade, inverse: \Part26.owner) var parts: [Part26] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part26 {
        #Index<Part26>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part25?
        @Relationship(deleteRule: .cascade, inverse: \Part27.owner) var parts: [Part27] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part27 {
        #Index<Part27>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part26?
        @Relationship(deleteRule: .cascade, inverse: \Part28.owner) var parts: [Part28] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part28 {
        #Index<Part28>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part27?
        @Relationship(deleteRule: .cascade, inverse: \Part29.owner) var parts: [Part29] = []
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part29 {
        #Index<Part29>([\.created])
        var name: String
        var number: Int
        var amount: Double?
        var created: Date
        var owner: Part28?
        init(_ name: String, number: Int = 0) { (self.name, self.number, created) = (name, number, .now) }
    }

    @Model final class Part30 {
        var name: String
        init(_ name: String) { self.name = name }
    }
}

enum TenantModelsV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { TenantModelsV1.shared + [Part30.self] }

    @Model final class Part30 {
        var name: String
        @Attribute(.unique) var note: String?
        var rank: Int = 0
        init(_ name: String) { self.name = name }
    }
}

enum TenantPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [TenantModelsV1.self, TenantModelsV2.self] }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: TenantModelsV1.self, toVersion: TenantModelsV2.self)]
    }
}

/// What programs of the first version have.
enum FirstTenantPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [TenantModelsV1.self] }
    static var stages: [MigrationStage] { [] }
}
