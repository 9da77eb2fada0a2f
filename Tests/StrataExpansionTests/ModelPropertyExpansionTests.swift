import Testing

/// What `@_PersistedProperty` makes of properties of every form.
struct ModelPropertyExpansionTests {
    @Test("a property without a value has a marker, so that Swift still demands one")
    func needsAssignment() {
        expectExpansion(
            """
            @_PersistedProperty(0, "Trip", isSubclass: false) var name: String
            """, properties: true,
            """
            var name: String {
                @storageRestrictions(initializes: _$assigned_name, accesses: _name)
                init(initialValue) {
                    _name = StrataModels._stored(initialValue)
                    _$assigned_name = StrataModels._Assigned()
                }
                get {
                    _$state.get(_name, at: 0, of: self, \\Trip.name)
                }
                set {
                    _$state.set(
                        newValue, at: 0, current: _name, of: self, \\Trip.name
                    ) {
                        $0._name = $1
                    }
                }
            }

            @exclusivity(unchecked) private final var _name = StrataModels._storage(of: String.self)

            private final var _$assigned_name: StrataModels._Assigned
            """
        )
    }

    @Test("a property with a value has none")
    func value() {
        expectExpansion(
            """
            @_PersistedProperty(1, "Trip", isSubclass: false) var count: Int = 3
            """, properties: true,
            """
            var count: Int {
                @storageRestrictions(initializes: _count)
                init(initialValue) {
                    _count = StrataModels._stored(initialValue)
                }
                get {
                    _$state.get(_count, at: 1, of: self, \\Trip.count)
                }
                set {
                    _$state.set(
                        newValue, at: 1, current: _count, of: self, \\Trip.count
                    ) {
                        $0._count = $1
                    }
                }
            }

            @exclusivity(unchecked) private final var _count = StrataModels._storage(of: Int.self)
            """
        )
    }

    @Test("an optional has none")
    func optional() {
        expectExpansion(
            """
            @_PersistedProperty(2, "Trip", isSubclass: false) var note: String?
            """, properties: true,
            """
            var note: String? {
                @storageRestrictions(initializes: _note)
                init(initialValue) {
                    _note = StrataModels._stored(initialValue)
                }
                get {
                    _$state.get(_note, at: 2, of: self, \\Trip.note)
                }
                set {
                    _$state.set(
                        newValue, at: 2, current: _note, of: self, \\Trip.note
                    ) {
                        $0._note = $1
                    }
                }
            }

            @exclusivity(unchecked) private final var _note = StrataModels._storage(of: String?.self)
            """
        )
    }

    @Test("without a type the storage is inferred from the value")
    func inferred() {
        expectExpansion(
            """
            @_PersistedProperty(3, "Trip", isSubclass: false) var guests = [Guest]()
            """, properties: true,
            """
            var guests {
                @storageRestrictions(initializes: _guests)
                init(initialValue) {
                    _guests = StrataModels._stored(initialValue)
                }
                get {
                    _$state.get(_guests, at: 3, of: self, \\Trip.guests)
                }
                set {
                    _$state.set(
                        newValue, at: 3, current: _guests, of: self, \\Trip.guests
                    ) {
                        $0._guests = $1
                    }
                }
                _modify {
                    var value = _$state.valueToEdit(_guests, at: 3, of: self, \\Trip.guests)
                    defer {
                        _$state.set(value, at: 3, current: _guests, of: self, \\Trip.guests) {
                            $0._guests = $1
                        }
                    }
                    yield &value
                }
            }

            @exclusivity(unchecked) private final var _guests = StrataModels._storage(inferredFrom: [Guest]())
            """
        )
    }

    @Test("an array can be edited in place, unless somebody observes it")
    func array() {
        expectExpansion(
            """
            @_PersistedProperty(0, "Trip", isSubclass: false) var tags: Array<String>? = nil
            """, properties: true,
            """
            var tags: Array<String>? {
                @storageRestrictions(initializes: _tags)
                init(initialValue) {
                    _tags = StrataModels._stored(initialValue)
                }
                get {
                    _$state.get(_tags, at: 0, of: self, \\Trip.tags)
                }
                set {
                    _$state.set(
                        newValue, at: 0, current: _tags, of: self, \\Trip.tags
                    ) {
                        $0._tags = $1
                    }
                }
                _modify {
                    var value = _$state.valueToEdit(_tags, at: 0, of: self, \\Trip.tags)
                    defer {
                        _$state.set(value, at: 0, current: _tags, of: self, \\Trip.tags) {
                            $0._tags = $1
                        }
                    }
                    yield &value
                }
            }

            @exclusivity(unchecked) private final var _tags = StrataModels._storage(of: Array<String>?.self)
            """
        )
    }

    @Test("the slots of a subclass begin after those of its superclass")
    func subclassProperty() {
        expectExpansion(
            """
            @_PersistedProperty(0, "BusinessTrip", isSubclass: true) public private(set) var perdiem: Double = 0
            """, properties: true,
            """
            public private(set) var perdiem: Double {
                @storageRestrictions(initializes: _perdiem)
                init(initialValue) {
                    _perdiem = StrataModels._stored(initialValue)
                }
                get {
                    _$state.get(_perdiem, at: BusinessTrip._$base + 0, of: self, \\BusinessTrip.perdiem)
                }
                set {
                    _$state.set(
                        newValue, at: BusinessTrip._$base + 0, current: _perdiem, of: self, \\BusinessTrip.perdiem
                    ) {
                        $0._perdiem = $1
                    }
                }
            }

            @exclusivity(unchecked) private final var _perdiem = StrataModels._storage(of: Double.self)
            """
        )
    }

    @Test("'.codable' and '.transformable' choose the storage")
    func codable() {
        expectExpansion(
            """
            @Attribute(.codable) @_PersistedProperty(0, "Trip", isSubclass: false) var notes: [String: String] = [:]
            @Attribute(.transformable(by: PlaceTransformer.self)) @_PersistedProperty(1, "Trip", isSubclass: false) var place: Place?
            """, properties: true,
            """
            @Attribute(.codable) var notes: [String: String] {
                @storageRestrictions(initializes: _notes)
                init(initialValue) {
                    _notes = StrataModels._stored(initialValue)
                }
                get {
                    _$state.get(_notes, at: 0, of: self, \\Trip.notes)
                }
                set {
                    _$state.set(
                        newValue, at: 0, current: _notes, of: self, \\Trip.notes
                    ) {
                        $0._notes = $1
                    }
                }
            }

            @exclusivity(unchecked) private final var _notes = StrataModels._storage(codable: [String: String].self)
            @Attribute(.transformable(by: PlaceTransformer.self)) var place: Place? {
                @storageRestrictions(initializes: _place)
                init(initialValue) {
                    _place = StrataModels._stored(initialValue)
                }
                get {
                    _$state.get(_place, at: 1, of: self, \\Trip.place)
                }
                set {
                    _$state.set(
                        newValue, at: 1, current: _place, of: self, \\Trip.place
                    ) {
                        $0._place = $1
                    }
                }
            }

            @exclusivity(unchecked) private final var _place = StrataModels._storage(transformed: Place?.self, by: PlaceTransformer.self)
            """
        )
    }

    @Test("types and names that need care keep their meaning")
    func spellings() {
        expectExpansion(
            """
            @_PersistedProperty(0, "Trip", isSubclass: false) var `default`: String!
            @_PersistedProperty(1, "Trip", isSubclass: false) var shape: any Shape & Codable
            """, properties: true,
            """
            var `default`: String! {
                @storageRestrictions(initializes: _default)
                init(initialValue) {
                    _default = StrataModels._stored(initialValue)
                }
                get {
                    _$state.get(_default, at: 0, of: self, \\Trip.`default`)
                }
                set {
                    _$state.set(
                        newValue, at: 0, current: _default, of: self, \\Trip.`default`
                    ) {
                        $0._default = $1
                    }
                }
            }

            @exclusivity(unchecked) private final var _default = StrataModels._storage(of: String?.self)
            var shape: any Shape & Codable {
                @storageRestrictions(initializes: _$assigned_shape, accesses: _shape)
                init(initialValue) {
                    _shape = StrataModels._stored(initialValue)
                    _$assigned_shape = StrataModels._Assigned()
                }
                get {
                    _$state.get(_shape, at: 1, of: self, \\Trip.shape)
                }
                set {
                    _$state.set(
                        newValue, at: 1, current: _shape, of: self, \\Trip.shape
                    ) {
                        $0._shape = $1
                    }
                }
            }

            @exclusivity(unchecked) private final var _shape = StrataModels._storage(of: (any Shape & Codable).self)

            private final var _$assigned_shape: StrataModels._Assigned
            """
        )
    }

    @Test("observers are called by the setter, and not by themselves")
    func observers() {
        // How the old accessors and the new ones are put together is the compiler's affair, so only the setter is compared.
        let expansion = ModelMacroExpander(
            """
            @_PersistedProperty(0, "Trip", isSubclass: false)
            var days = 1 { didSet { if days != oldValue { tell() } } willSet(next) { note(next) } }
            """, properties: true
        ).expansion
        let setter = """
                set {
                    guard !_$observing_days else {
                        return _$state.set(newValue, at: 0, current: _days, of: self, \\Trip.days) {
                            $0._days = $1
                        }
                    }
                    _$observing_days = true
                    defer {
                        _$observing_days = false
                    }
                    let oldValue = days
                    let next = newValue
                    func _$willSet() {
                        note(next)
                    }
                    func _$didSet() {
                        if days != oldValue {
                            tell()
                        }
                    }
                    _$willSet()
                    _$state.set(newValue, at: 0, current: _days, of: self, \\Trip.days) {
                        $0._days = $1
                    }
                    _$didSet()
                }
            """
        #expect(expansion.contains(setter), "\(expansion)")
        #expect(expansion.contains("private final var _$observing_days = false"))
    }

    @Test("a constant that initializers assign is stored like a variable")
    func constant() {
        expectExpansion(
            """
            @_PersistedProperty(0, "Trip", isSubclass: false) let code: UUID
            """, properties: true,
            """
            let code: UUID {
                @storageRestrictions(initializes: _$assigned_code, accesses: _code)
                init(initialValue) {
                    _code = StrataModels._stored(initialValue)
                    _$assigned_code = StrataModels._Assigned()
                }
                get {
                    _$state.get(_code, at: 0, of: self, \\Trip.code)
                }
                set {
                    _$state.set(
                        newValue, at: 0, current: _code, of: self, \\Trip.code
                    ) {
                        $0._code = $1
                    }
                }
            }

            @exclusivity(unchecked) private final var _code = StrataModels._storage(of: UUID.self)

            private final var _$assigned_code: StrataModels._Assigned
            """
        )
    }
}
