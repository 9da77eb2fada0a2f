import Testing

/// What `@Model` adds to classes of every kind.
struct ModelExpansionTests {
    @Test("a root owns the state and reads its own columns")
    func root() {
        expectExpansion(
            """
            @Model class Trip {
                #PrimaryKey<Trip>([\\.name, \\.startDate])
                #Partition<Trip>(by: \\.startDate, every: .month)
                #Unique<Trip>([\\.name, \\.startDate])
                #Index<Trip>(.binary([\\.startDate]), .rtree([\\.place]))
                @Attribute(.spotlight, originalName: "title") var name: String
                var startDate: Date = .now
                @Relationship(deleteRule: .cascade, inverse: \\Item.trip) var items: [Item] = []
                @Attribute(.ephemeral) var isOpen = false
                @Transient var cache = 1
                init(name: String) { self.name = name }
            }
            """,
            """
            class Trip {
                @_PersistedProperty(0, "Trip", isSubclass: false) var name: String
                @_PersistedProperty(1, "Trip", isSubclass: false)
                var startDate: Date = .now
                @_PersistedProperty(2, "Trip", isSubclass: false) var items: [Item] = []
                @_PersistedProperty(3, "Trip", isSubclass: false) var isOpen = false
                var cache = 1
                init(name: String) { self.name = name }

                final let _$state = StrataModels.ModelState()

                @exclusivity(unchecked) private final var _name = StrataModels._storage(of: String.self)
                private final var _$assigned_name: StrataModels._Assigned
                @exclusivity(unchecked) private final var _startDate = StrataModels._storage(of: Date.self)
                @exclusivity(unchecked) private final var _items = StrataModels._storage(of: [Item].self)
                @exclusivity(unchecked) private final var _isOpen = StrataModels._storage(inferredFrom: false)

                required init(_$blank _: StrataModels._Assigned) {
                    _$assigned_name = StrataModels._Assigned()
                }

                required convenience init(_$decoding row: inout StrataModels.RowReader) {
                    self.init(_$blank: StrataModels._Assigned())
                    _$decode(&row)
                }

                func _$decode(_ row: inout StrataModels.RowReader) {
                    _name.readString(from: &row)
                    _startDate.readDate(from: &row)
                    _items.read(from: &row)
                    row.skip()
                }

                func _$encode(_ row: inout StrataModels.RowWriter) {
                    _name.writeString(to: &row)
                    _startDate.writeDate(to: &row)
                    _items.write(to: &row)
                    row.skip()
                }

                func _$restore(_ originals: inout StrataModels.OriginalsReader) {
                    _name.restore(from: &originals)
                    _startDate.restore(from: &originals)
                    _items.restore(from: &originals)
                    _isOpen.restore(from: &originals)
                }

                final class func _$properties<_$Root: Trip>(rootedAt _: _$Root.Type) -> [StrataModels.Schema.PropertyMetadata] {
                    var _$all: [StrataModels.Schema.PropertyMetadata] = []
                    _$all.append(StrataModels.Schema.PropertyMetadata(name: "name", keypath: \\_$Root.name, storage: \\_$Root._name, metadata: .attribute(.spotlight, originalName: "title")))
                    _$all.append(StrataModels.Schema.PropertyMetadata(name: "startDate", keypath: \\_$Root.startDate, storage: \\_$Root._startDate, defaultValue: { .now }))
                    _$all.append(StrataModels.Schema.PropertyMetadata(name: "items", keypath: \\_$Root.items, storage: \\_$Root._items, metadata: .relationship(deleteRule: .cascade, inverse: \\Item.trip), defaultValue: { [] }))
                    _$all.append(StrataModels.Schema.PropertyMetadata(name: "isOpen", keypath: \\_$Root.isOpen, storage: \\_$Root._isOpen, metadata: .attribute(.ephemeral), defaultValue: { false }))
                    return _$all
                }

                class var schemaMetadata: [StrataModels.Schema.PropertyMetadata] {
                    _$properties(rootedAt: Trip.self)
                }

                class var _$constraints: [StrataModels.Schema.ModelConstraint] {
                    [
                        .primaryKey(StrataModels.Schema.PrimaryKey<Trip>([\\.name, \\.startDate])),
                        .partition(StrataModels.Schema.Partition<Trip>(by: \\.startDate, every: .month)),
                        .unique(StrataModels.Schema.Unique<Trip>([\\.name, \\.startDate])),
                        .index(StrataModels.Schema.Index<Trip>(.binary([\\.startDate]), .rtree([\\.place]))),
                    ]
                }

                private static let _$ownDescriptor = StrataModels.ModelDescriptor(Trip.self, superclass: nil)

                class var _$descriptor: StrataModels.ModelDescriptor {
                    _$ownDescriptor
                }

                class var _$slotCount: Swift.Int {
                    4
                }

                private static let _$base: Swift.Int = 0
            }

            nonisolated extension Trip: StrataModels.PersistentModel {
            }

            @available(*, unavailable, message: "a model stays with its context: send its persistentModelID, or work in a ModelActor")
            extension Trip: Swift.Sendable {
            }
            """
        )
    }

    @Test("a root without an initializer keeps Swift's own")
    func rootWithoutInitializer() {
        expectSignatures(
            """
            @Model class Trip {
                var note: String?
            }
            """,
            """
            class Trip {
                @_PersistedProperty(0, "Trip", isSubclass: false)
                var note: String?
                final let _$state = StrataModels.ModelState()
                @exclusivity(unchecked) private final var _note = StrataModels._storage(of: String?.self)
                init() {
                required init(_$blank _: StrataModels._Assigned) {
                required convenience init(_$decoding row: inout StrataModels.RowReader) {
                func _$decode(_ row: inout StrataModels.RowReader) {
                func _$encode(_ row: inout StrataModels.RowWriter) {
                func _$restore(_ originals: inout StrataModels.OriginalsReader) {
                final class func _$properties<_$Root: Trip>(rootedAt _: _$Root.Type) -> [StrataModels.Schema.PropertyMetadata] {
                class var schemaMetadata: [StrataModels.Schema.PropertyMetadata] {
                class var _$constraints: [StrataModels.Schema.ModelConstraint] {
                private static let _$ownDescriptor = StrataModels.ModelDescriptor(Trip.self, superclass: nil)
                class var _$descriptor: StrataModels.ModelDescriptor {
                class var _$slotCount: Swift.Int {
                private static let _$base: Swift.Int = 0
            nonisolated extension Trip: StrataModels.PersistentModel {
            @available(*, unavailable, message: "a model stays with its context: send its persistentModelID, or work in a ModelActor")
            extension Trip: Swift.Sendable {
            """
        )
    }

    @Test("a root that may have a plain base class gets an initializer that overrides nothing")
    func rootWithInheritanceClause() {
        expectSignatures(
            """
            @Model class Trip: Base {
                var note = ""
            }
            """,
            """
            class Trip: Base {
                @_PersistedProperty(0, "Trip", isSubclass: true)
                var note = ""
                final let _$state = StrataModels.ModelState()
                @exclusivity(unchecked) private final var _note = StrataModels._storage(inferredFrom: "")
                init(_$default _: StrataModels._Assigned = StrataModels._Assigned()) {
                required init(_$blank _: StrataModels._Assigned) {
                required convenience init(_$decoding row: inout StrataModels.RowReader) {
                func _$decode(_ row: inout StrataModels.RowReader) {
                func _$encode(_ row: inout StrataModels.RowWriter) {
                func _$restore(_ originals: inout StrataModels.OriginalsReader) {
                final class func _$properties<_$Root: Trip>(rootedAt _: _$Root.Type) -> [StrataModels.Schema.PropertyMetadata] {
                class var schemaMetadata: [StrataModels.Schema.PropertyMetadata] {
                class var _$constraints: [StrataModels.Schema.ModelConstraint] {
                private static let _$ownDescriptor = StrataModels.ModelDescriptor(Trip.self, superclass: nil)
                class var _$descriptor: StrataModels.ModelDescriptor {
                class var _$slotCount: Swift.Int {
                private static let _$base: Swift.Int = 0
            nonisolated extension Trip: StrataModels.PersistentModel {
            @available(*, unavailable, message: "a model stays with its context: send its persistentModelID, or work in a ModelActor")
            extension Trip: Swift.Sendable {
            """
        )
    }

    @Test("a subclass without an initializer inherits all of them")
    func subclass() {
        expectExpansion(
            """
            @Model class BusinessTrip: Trip {
                var perdiem: Double = 0
            }
            """, isSubclass: true,
            """
            class BusinessTrip: Trip {
                @_PersistedProperty(0, "BusinessTrip", isSubclass: true)
                var perdiem: Double = 0

                @exclusivity(unchecked) private final var _perdiem = StrataModels._storage(of: Double.self)

                override func _$decode(_ row: inout StrataModels.RowReader) {
                    super._$decode(&row)
                    _perdiem.readDouble(from: &row)
                }

                override func _$encode(_ row: inout StrataModels.RowWriter) {
                    super._$encode(&row)
                    _perdiem.writeDouble(to: &row)
                }

                override func _$restore(_ originals: inout StrataModels.OriginalsReader) {
                    super._$restore(&originals)
                    _perdiem.restore(from: &originals)
                }

                final class func _$properties<_$Root: BusinessTrip>(rootedAt _: _$Root.Type) -> [StrataModels.Schema.PropertyMetadata] {
                    var _$all: [StrataModels.Schema.PropertyMetadata] = super._$properties(rootedAt: _$Root.self)
                    _$all.append(StrataModels.Schema.PropertyMetadata(name: "perdiem", keypath: \\_$Root.perdiem, storage: \\_$Root._perdiem, defaultValue: { 0 }))
                    return _$all
                }

                override class var schemaMetadata: [StrataModels.Schema.PropertyMetadata] {
                    _$properties(rootedAt: BusinessTrip.self)
                }

                override class var _$constraints: [StrataModels.Schema.ModelConstraint] {
                    super._$constraints
                }

                private static func _$superclassDescriptor() -> StrataModels.ModelDescriptor {
                    super._$descriptor
                }

                private static let _$ownDescriptor = StrataModels.ModelDescriptor(BusinessTrip.self, superclass: _$superclassDescriptor())

                override class var _$descriptor: StrataModels.ModelDescriptor {
                    _$ownDescriptor
                }

                override class var _$slotCount: Swift.Int {
                    super._$slotCount + 1
                }

                private static let _$base: Swift.Int = _$slotCount - 1
            }
            """
        )
    }

    @Test("a subclass with an initializer declares those that read rows again")
    func subclassWithInitializer() {
        expectExpansion(
            """
            @Model class PersonalTrip: Trip {
                #Index<PersonalTrip>([\\.reason])
                var reason: Reason
                init(name: String, reason: Reason) { self.reason = reason; super.init(name: name) }
            }
            """, isSubclass: true,
            """
            class PersonalTrip: Trip {
                @_PersistedProperty(0, "PersonalTrip", isSubclass: true)
                var reason: Reason
                init(name: String, reason: Reason) { self.reason = reason; super.init(name: name) }

                @exclusivity(unchecked) private final var _reason = StrataModels._storage(of: Reason.self)
                private final var _$assigned_reason: StrataModels._Assigned

                required init(_$blank _: StrataModels._Assigned) {
                    _$assigned_reason = StrataModels._Assigned()
                    super.init(_$blank: StrataModels._Assigned())
                }

                required convenience init(_$decoding row: inout StrataModels.RowReader) {
                    self.init(_$blank: StrataModels._Assigned())
                    _$decode(&row)
                }

                override func _$decode(_ row: inout StrataModels.RowReader) {
                    super._$decode(&row)
                    _reason.read(from: &row)
                }

                override func _$encode(_ row: inout StrataModels.RowWriter) {
                    super._$encode(&row)
                    _reason.write(to: &row)
                }

                override func _$restore(_ originals: inout StrataModels.OriginalsReader) {
                    super._$restore(&originals)
                    _reason.restore(from: &originals)
                }

                final class func _$properties<_$Root: PersonalTrip>(rootedAt _: _$Root.Type) -> [StrataModels.Schema.PropertyMetadata] {
                    var _$all: [StrataModels.Schema.PropertyMetadata] = super._$properties(rootedAt: _$Root.self)
                    _$all.append(StrataModels.Schema.PropertyMetadata(name: "reason", keypath: \\_$Root.reason, storage: \\_$Root._reason))
                    return _$all
                }

                override class var schemaMetadata: [StrataModels.Schema.PropertyMetadata] {
                    _$properties(rootedAt: PersonalTrip.self)
                }

                override class var _$constraints: [StrataModels.Schema.ModelConstraint] {
                    super._$constraints + [
                        .index(StrataModels.Schema.Index<PersonalTrip>([\\.reason])),
                    ]
                }

                private static func _$superclassDescriptor() -> StrataModels.ModelDescriptor {
                    super._$descriptor
                }

                private static let _$ownDescriptor = StrataModels.ModelDescriptor(PersonalTrip.self, superclass: _$superclassDescriptor())

                override class var _$descriptor: StrataModels.ModelDescriptor {
                    _$ownDescriptor
                }

                override class var _$slotCount: Swift.Int {
                    super._$slotCount + 1
                }

                private static let _$base: Swift.Int = _$slotCount - 1
            }
            """
        )
    }

    @Test("a subclass that says something of its history is asked itself: its conformance is the superclass's")
    func historyOfSubclass() {
        let member = "{ static let recordsHistory = false }"
        let subclass = ModelMacroExpander("@Model class Secret: Diary \(member)", isSubclass: true).expansion
        #expect(subclass.contains("superclass: _$superclassDescriptor(), recordsHistory: Secret.recordsHistory)"))
        let root = ModelMacroExpander("@Model class Diary \(member)", isSubclass: false).expansion
        #expect(root.contains("ModelDescriptor(Diary.self, superclass: nil)"))
    }

    @Test("a class that says whether it is abstract is asked, wherever it stands; its subclasses are not")
    func abstractClass() {
        let member = "{ static let isAbstract = true }"
        let root = ModelMacroExpander("@Model class Vehicle \(member)", isSubclass: false).expansion
        #expect(root.contains("ModelDescriptor(Vehicle.self, superclass: nil, isAbstract: Vehicle.isAbstract)"))
        let subclass = ModelMacroExpander("@Model class Car: Vehicle \(member)", isSubclass: true).expansion
        #expect(subclass.contains("superclass: _$superclassDescriptor(), isAbstract: Car.isAbstract)"))
        let other = ModelMacroExpander("@Model class Truck: Vehicle {}", isSubclass: true).expansion
        #expect(!other.contains("isAbstract"))
    }

    @Test("names of tables and columns go to the descriptor and to the metadata as they are written")
    func namesInTheDatabase() {
        let root = ModelMacroExpander(
            """
            @Model(table: "users", keyColumn: "id", keyConstraint: "pk_users") class User {
                #Check<User>("grown", name: "users_grown") { $0.age > 17 }
                @Attribute(.unique, column: "first_name") var name: String?
                @Relationship(table: "membership", column: "user_id", keyConstraint: "pk_members", inverse: \\Group.members) var groups: [Group] = []
            }
            """, isSubclass: false
        ).expansion
        #expect(
            root.contains(
                "ModelDescriptor(User.self, superclass: nil, table: \"users\", keyColumn: \"id\", keyConstraint: \"pk_users\")"
            ))
        #expect(
            root.contains(
                ".check(StrataModels.Schema.Check<User>(\"grown\", name: \"users_grown\", #Predicate<User> { $0.age > 17 }))"
            ))
        #expect(root.contains("metadata: .attribute(.unique, column: \"first_name\")"))
        #expect(
            root.contains(
                "metadata: .relationship(table: \"membership\", column: \"user_id\", keyConstraint: \"pk_members\", inverse: \\Group.members)"
            ))
        let subclass = ModelMacroExpander(
            "@Model(table: \"staff\") class Employee: User { static let isAbstract = true }", isSubclass: true
        ).expansion
        #expect(
            subclass.contains(
                "superclass: _$superclassDescriptor(), isAbstract: Employee.isAbstract, table: \"staff\")"))
        let single = ModelMacroExpander(
            "@Model(classColumn: \"type\", inheritance: .singleTable, discriminator: -1) class User {}",
            isSubclass: false
        )
        #expect(single.report == "")
        #expect(
            single.expansion.contains(
                "superclass: nil, classColumn: \"type\", inheritance: .singleTable, discriminator: -1)"))
    }

    @Test("conditions of what is unique, of indexes and rules become predicates of the class, behind all else")
    func conditions() {
        let expansion = ModelMacroExpander(
            """
            @Model class Trip {
                #Unique<Trip>([\\.name]) { !$0.isOff }
                #Index<Trip>([\\.name], [\\.start]) { !$0.isOff }
                #Index<Trip>(.binary([\\.name], including: [\\.start]), where: { trip in trip.isOff })
                #Check<Trip>("named") { $0.name != "" }
                #Check<Trip>("on", { !$0.isOff })
                var name = ""
                var start = 1
                var isOff = false
                init() {}
            }
            """
        ).expansion
        for constraint in [
            ".unique(StrataModels.Schema.Unique<Trip>([\\.name], where: #Predicate<Trip> { !$0.isOff })),",
            ".index(StrataModels.Schema.Index<Trip>([\\.name], [\\.start], where: #Predicate<Trip> { !$0.isOff })),",
            ".index(StrataModels.Schema.Index<Trip>(.binary([\\.name], including: [\\.start]), where: #Predicate<Trip> { trip in trip.isOff })),",
            ".check(StrataModels.Schema.Check<Trip>(\"named\", #Predicate<Trip> { $0.name != \"\" })),",
            ".check(StrataModels.Schema.Check<Trip>(\"on\", #Predicate<Trip> { !$0.isOff })),",
        ] { #expect(expansion.contains(constraint), "\(expansion)") }
    }

    @Test("what a property is computed by is made once, and nothing of the property is read or written")
    func computed() {
        let expansion = ModelMacroExpander(
            """
            @Model class Line {
                #Generated<Line, Int>(\\.total) { $0.price * $0.count }
                var price = 1
                var count = 1
                @Attribute(.generated) var total: Int
                init() {}
            }
            """
        ).expansion
        for line in [
            "private static func _$makeGenerated_total() -> StrataModels.Schema.Generated<Line, Int> {",
            "StrataModels.Schema.Generated(#Expression<Line, Int> { $0.price * $0.count })",
            "private static let _$generated_total: StrataModels.Schema.Generated<Line, Int> = _$makeGenerated_total()",
            ".generated(\\Line.total, Line._$makeGenerated_total()),",
            "metadata: .computed(.generated)",
            "row.skip()",
            "@_PersistedProperty(2, \"Line\", isSubclass: false, isComputed: true)",
        ] { #expect(expansion.contains(line), "\(line)\n\(expansion)") }
        #expect(!expansion.contains("_$assigned_total"))
    }

    @Test("the types of what computes a property are those of the class and of the property")
    func computedWithoutTypes() {
        let expansion = ModelMacroExpander(
            """
            @Model class Line {
                #Generated(\\Line.total) { $0.price + 1 }
                var price = 1
                @Attribute(.generated) var total: Int
                init() {}
            }
            """
        ).expansion
        #expect(
            expansion.contains("StrataModels.Schema.Generated(#Expression<Line, Int> { $0.price + 1 })"), "\(expansion)"
        )
    }

    @Test("a subclass may add nothing")
    func emptySubclass() {
        expectExpansion(
            """
            @Model final class Weekend: Trip {
            }
            """, isSubclass: true,
            """
            final class Weekend: Trip {

                override func _$decode(_ row: inout StrataModels.RowReader) {
                    super._$decode(&row)
                }

                override func _$encode(_ row: inout StrataModels.RowWriter) {
                    super._$encode(&row)
                }

                override func _$restore(_ originals: inout StrataModels.OriginalsReader) {
                    super._$restore(&originals)
                }

                static func _$properties<_$Root: Weekend>(rootedAt _: _$Root.Type) -> [StrataModels.Schema.PropertyMetadata] {
                    super._$properties(rootedAt: _$Root.self)
                }

                override static var schemaMetadata: [StrataModels.Schema.PropertyMetadata] {
                    _$properties(rootedAt: Weekend.self)
                }

                override static var _$constraints: [StrataModels.Schema.ModelConstraint] {
                    super._$constraints
                }

                private static func _$superclassDescriptor() -> StrataModels.ModelDescriptor {
                    super._$descriptor
                }

                private static let _$ownDescriptor = StrataModels.ModelDescriptor(Weekend.self, superclass: _$superclassDescriptor())

                override static var _$descriptor: StrataModels.ModelDescriptor {
                    _$ownDescriptor
                }

                override static var _$slotCount: Swift.Int {
                    super._$slotCount
                }
            }
            """
        )
    }
}
