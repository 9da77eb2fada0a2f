extension Sequence where Element: PersistentModel {
    /// The sum of a value of each object, 0 of no objects. In a predicate or an expression the server adds up.
    ///
    /// ```swift
    /// #Predicate<Trip> { $0.bills.sum(of: \.amount) > 1000 }
    /// ```
    ///
    /// Elsewhere it adds up in memory, where a whole number that does not fit its type stops the program, as `+` does. A predicate or an
    /// expression throws instead.
    public func sum<Number: QueryNumber>(of value: (Element) throws -> Number) rethrows -> Number {
        try reduce(0) { try $0 + value($1) }
    }

    /// The sum of a value of each object that has one, 0 of nothing. In a predicate or an expression the server adds up.
    public func sum<Number: QueryNumber>(of value: (Element) throws -> Number?) rethrows -> Number {
        try compactMap(value).reduce(0, +)
    }

    /// The average of a value of the objects, `nil` of no objects: a `Double`, of `Decimal`s a `Decimal`. In a predicate or an expression
    /// the server computes it.
    public func average<Number: QueryNumber>(of value: (Element) throws -> Number) rethrows -> Number.Average? {
        Number._average(of: try map(value))
    }

    /// The average of a value of the objects that have one, `nil` of nothing. In a predicate or an expression the server computes it.
    public func average<Number: QueryNumber>(of value: (Element) throws -> Number?) rethrows -> Number.Average? {
        Number._average(of: try compactMap(value))
    }

    /// The least value of the objects, `nil` of no objects. In a predicate or an expression the server finds it.
    ///
    /// Ordered as a sort descriptor orders: text by bytes, enumerations by raw value.
    public func minimum<Value: Comparable>(of value: (Element) throws -> Value) rethrows -> Value? {
        SortedOrder.least(of: try map(value))
    }

    /// The least value of the objects that have one, `nil` of nothing. In a predicate or an expression the server finds it.
    public func minimum<Value: Comparable>(of value: (Element) throws -> Value?) rethrows -> Value? {
        SortedOrder.least(of: try compactMap(value))
    }

    /// The greatest value of the objects, `nil` of no objects. In a predicate or an expression the server finds it.
    ///
    /// Ordered as a sort descriptor orders: text by bytes, enumerations by raw value.
    public func maximum<Value: Comparable>(of value: (Element) throws -> Value) rethrows -> Value? {
        SortedOrder.greatest(of: try map(value))
    }

    /// The greatest value of the objects that have one, `nil` of nothing. In a predicate or an expression the server finds it.
    public func maximum<Value: Comparable>(of value: (Element) throws -> Value?) rethrows -> Value? {
        SortedOrder.greatest(of: try compactMap(value))
    }
}
