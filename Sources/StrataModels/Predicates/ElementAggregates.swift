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

// MARK: Medians, percentiles and deviations

extension Sequence where Element: PersistentModel {
    /// The median of a value of the objects, `nil` of no objects. In a predicate or an expression the server computes it.
    ///
    /// Of an even number it is halfway between the two in the middle: a `Double`, of `Decimal`s a `Decimal`.
    public func median<Number: QueryNumber>(of value: (Element) throws -> Number) rethrows -> Number.Average? {
        Number._median(of: try map(value))
    }

    /// The median of a value of the objects that have one, `nil` of nothing. In a predicate or an expression the server computes it.
    public func median<Number: QueryNumber>(of value: (Element) throws -> Number?) rethrows -> Number.Average? {
        Number._median(of: try compactMap(value))
    }

    /// The standard deviation of a value of the objects, `nil` of fewer than two. In a predicate or an expression the server computes it.
    ///
    /// The objects are taken for a sample: a `Double`, of `Decimal`s a `Decimal`. In memory its last digits may be others than the server's.
    public func standardDeviation<Number: QueryNumber>(
        of value: (Element) throws -> Number
    ) rethrows -> Number.Average? { Number._standardDeviation(of: try map(value)) }

    /// The standard deviation of a value of the objects that have one, `nil` of fewer than two. In a predicate or an expression the
    /// server computes it.
    public func standardDeviation<Number: QueryNumber>(
        of value: (Element) throws -> Number?
    ) rethrows -> Number.Average? { Number._standardDeviation(of: try compactMap(value)) }

    /// The variance of a value of the objects, `nil` of fewer than two. In a predicate or an expression the server computes it.
    ///
    /// The objects are taken for a sample: a `Double`, of `Decimal`s a `Decimal`. In memory its last digits may be others than the server's.
    public func variance<Number: QueryNumber>(of value: (Element) throws -> Number) rethrows -> Number.Average? {
        Number._variance(of: try map(value))
    }

    /// The variance of a value of the objects that have one, `nil` of fewer than two. In a predicate or an expression the server
    /// computes it.
    public func variance<Number: QueryNumber>(of value: (Element) throws -> Number?) rethrows -> Number.Average? {
        Number._variance(of: try compactMap(value))
    }

    /// The value below which a part of the objects' values is, such as 0.9 of them; `nil` of no objects. In a predicate or an expression the
    /// server computes it.
    ///
    /// Between two values it is as far from both as the part says. A part outside of 0 to 1 is refused in predicates and expressions; elsewhere
    /// there is no such value.
    public func percentile<Number: QueryNumber>(
        _ part: Double, of value: (Element) throws -> Number
    ) rethrows -> Double? { Number._percentile(part, of: try map(value)) }

    /// The value below which a part of the values is that objects have; `nil` of nothing. In a predicate or an expression the server
    /// computes it.
    public func percentile<Number: QueryNumber>(
        _ part: Double, of value: (Element) throws -> Number?
    ) rethrows -> Double? { Number._percentile(part, of: try compactMap(value)) }

    /// The least of the objects' values up to which there is a part of them, such as 0.9; `nil` of no objects. In a predicate or an
    /// expression the server finds it.
    ///
    /// It is one of the values, ordered as a sort descriptor orders: dates and texts have percentiles too. A part outside of 0 to 1 is refused
    /// in predicates and expressions; elsewhere there is no such value.
    public func discretePercentile<Value: Comparable>(
        _ part: Double, of value: (Element) throws -> Value
    ) rethrows -> Value? { SortedOrder.percentile(part, of: try map(value)) }

    /// The least of the values that objects have up to which there is a part of them; `nil` of nothing. In a predicate or an expression
    /// the server finds it.
    public func discretePercentile<Value: Comparable>(
        _ part: Double, of value: (Element) throws -> Value?
    ) rethrows -> Value? { SortedOrder.percentile(part, of: try compactMap(value)) }
}
