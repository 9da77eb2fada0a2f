extension ModelDeclaration {
    /// The object's state, once per object: in the root.
    func state() -> [String] {
        isSubclass ? [] : ["\(access.member)final let _$state = StrataModels.ModelState()"]
    }

    /// The initializers that make an object from a row.
    ///
    /// They are two because reading the row needs `self`, and Swift gives it only after the superclass's initializer. Only
    /// Swift knows whether there is a superclass (a plain class is no model, but can be a root's base): in `init(_$blank:)`
    /// it adds the call of `super.init()` by itself. A subclass that declares no designated initializer inherits both.
    func decodingInitializers() -> [String] {
        guard !isSubclass || declaresDesignatedInitializer || lacksInitializer else { return [] }
        return [blankInitializer(), decodingInitializer()]
    }

    /// Swift's own `init()`, which the initializers above suppress, for a root in which every property has a value.
    ///
    /// With a plain class as its base it could override that class's `init()`, and must not say so without one; an argument
    /// with a default makes it another initializer that is called the same.
    func defaultInitializer() -> [String] {
        guard !isSubclass, !declaresDesignatedInitializer, !lacksInitializer else { return [] }
        return hasInheritanceClause
            ? ["init(_$default _: StrataModels._Assigned = StrataModels._Assigned()) {\n}"] : ["init() {\n}"]
    }

    /// Whether no initializer can make an object of this class.
    var lacksInitializer: Bool {
        !declaresDesignatedInitializer && properties.contains(where: \.needsAssignment)
    }

    private func blankInitializer() -> String {
        var lines = properties.filter(\.needsAssignment).map { "\($0.marker) = StrataModels._Assigned()" }
        if isSubclass { lines.append("super.init(_$blank: StrataModels._Assigned())") }
        return """
            \(access.member)required init(_$blank _: StrataModels._Assigned) {
            \(lines.indented)
            }
            """
    }

    private func decodingInitializer() -> String {
        """
        \(access.member)required convenience init(_$decoding row: inout StrataModels.RowReader) {
            self.init(_$blank: StrataModels._Assigned())
            _$decode(&row)
        }
        """
    }
}
