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
                    _name = .init(stored: initialValue)
                    _$assigned_name = StrataModels._Assigned()
                }
                get {
                    _name.get(_$state, at: 0, of: self, \\Trip.name)
                }
                set {
                    _name.setString(newValue, _$state, at: 0, of: self, \\Trip.name) { $0._name = $1 }
                }
            }
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
                    _count = .init(stored: initialValue)
                }
                get {
                    _count.get(_$state, at: 1, of: self, \\Trip.count)
                }
                set {
                    _count.setInt(newValue, _$state, at: 1, of: self, \\Trip.count) { $0._count = $1 }
                }
            }
            """
        )
    }

    @Test("what the database computes has no setter")
    func generated() {
        expectExpansion(
            """
            @_PersistedProperty(2, "Line", isSubclass: false) @Attribute(.generated) var total: Decimal?
            """, properties: true,
            """
            @Attribute(.generated) var total: Decimal? {
                get {
                    _total.get(_$state, at: 2, of: self, \\Line.total)
                }
            }
            """
        )
    }

    @Test("what memory computes is evaluated")
    func computed() {
        expectExpansion(
            """
            @_PersistedProperty(2, "Line", isSubclass: true, isComputed: true) @Attribute(.generated) var total: Int
            """, properties: true,
            """
            @Attribute(.generated) var total: Int {
                get {
                    _total.computed(by: Line._$generated_total, _$state, at: Line._$base + 2, of: self, \\Line.total)
                }
            }
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
                    _note = .init(stored: initialValue)
                }
                get {
                    _note.get(_$state, at: 2, of: self, \\Trip.note)
                }
                set {
                    _note.setOptionalString(newValue, _$state, at: 2, of: self, \\Trip.note) { $0._note = $1 }
                }
            }
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
                    _guests = .init(stored: initialValue)
                }
                get {
                    _guests.get(_$state, at: 3, of: self, \\Trip.guests)
                }
                set {
                    _$state.setArray(newValue, at: 3, current: _guests, of: self, \\Trip.guests) { $0._guests = $1 }
                }
                _modify {
                    var value = _$state.valueToEdit(_guests, at: 3, of: self, \\Trip.guests)
                    defer {
                        _$state.setArray(value, at: 3, current: _guests, of: self, \\Trip.guests) { $0._guests = $1 }
                    }
                    yield &value
                }
            }
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
                    _tags = .init(stored: initialValue)
                }
                get {
                    _tags.get(_$state, at: 0, of: self, \\Trip.tags)
                }
                set {
                    _$state.setArray(newValue, at: 0, current: _tags, of: self, \\Trip.tags) { $0._tags = $1 }
                }
                _modify {
                    var value = _$state.valueToEdit(_tags, at: 0, of: self, \\Trip.tags)
                    defer {
                        _$state.setArray(value, at: 0, current: _tags, of: self, \\Trip.tags) { $0._tags = $1 }
                    }
                    yield &value
                }
            }
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
                    _perdiem = .init(stored: initialValue)
                }
                get {
                    _perdiem.get(_$state, at: BusinessTrip._$base + 0, of: self, \\BusinessTrip.perdiem)
                }
                set {
                    _perdiem.setDouble(newValue, _$state, at: BusinessTrip._$base + 0, of: self, \\BusinessTrip.perdiem) { $0._perdiem = $1 }
                }
            }
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
                    _notes = .init(stored: initialValue)
                }
                get {
                    _notes.get(_$state, at: 0, of: self, \\Trip.notes)
                }
                set {
                    _notes.set(newValue, _$state, at: 0, of: self, \\Trip.notes) { $0._notes = $1 }
                }
            }
            @Attribute(.transformable(by: PlaceTransformer.self)) var place: Place? {
                @storageRestrictions(initializes: _place)
                init(initialValue) {
                    _place = .init(stored: initialValue)
                }
                get {
                    _place.get(_$state, at: 1, of: self, \\Trip.place)
                }
                set {
                    _place.set(newValue, _$state, at: 1, of: self, \\Trip.place) { $0._place = $1 }
                }
            }
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
                    _default = .init(stored: initialValue)
                }
                get {
                    _default.get(_$state, at: 0, of: self, \\Trip.`default`)
                }
                set {
                    _default.set(newValue, _$state, at: 0, of: self, \\Trip.`default`) { $0._default = $1 }
                }
            }
            var shape: any Shape & Codable {
                @storageRestrictions(initializes: _$assigned_shape, accesses: _shape)
                init(initialValue) {
                    _shape = .init(stored: initialValue)
                    _$assigned_shape = StrataModels._Assigned()
                }
                get {
                    _shape.get(_$state, at: 1, of: self, \\Trip.shape)
                }
                set {
                    _shape.set(newValue, _$state, at: 1, of: self, \\Trip.shape) { $0._shape = $1 }
                }
            }
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
                            return _days.setInt(newValue, _$state, at: 0, of: self, \\Trip.days) { $0._days = $1 }
                        }
                        _$observing_days = true
                        defer {
                            _$observing_days = false
                        }
                        let oldValue = days
                        let next = newValue
                        func _$willSet() { note(next) }
                        func _$didSet() { if days != oldValue { tell() } }
                        _$willSet()
                        _days.setInt(newValue, _$state, at: 0, of: self, \\Trip.days) { $0._days = $1 }
                        _$didSet()
                    }
            """
        #expect(expansion.contains(setter), "\(expansion)")
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
                    _code = .init(stored: initialValue)
                    _$assigned_code = StrataModels._Assigned()
                }
                get {
                    _code.get(_$state, at: 0, of: self, \\Trip.code)
                }
                set {
                    _code.set(newValue, _$state, at: 0, of: self, \\Trip.code) { $0._code = $1 }
                }
            }
            """
        )
    }
}
