public import Foundation
public import StrataModels

/// Aggregates of the objects that match a descriptor.
extension ModelContext {
    /// The sum of a property of the objects that match, 0 when there are none; blocks this thread. One round trip.
    ///
    /// The result has the property's type. What does not fit is an error: of the server (SQLSTATE 22003), or `invalidValue`.
    /// Of the objects within the descriptor's limit and offset, with unsaved changes as in a fetch.
    ///
    /// ```swift
    /// let sum = try context.fetchSum(FetchDescriptor<Trip>(), of: \.price)
    /// ```
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`.
    public func fetchSum<T: PersistentModel, Value: QueryNumber>(
        _ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value>
    ) throws -> Value { try aggregate(descriptor, .sum(keyPath)) }

    /// The sum of what an expression gives for the objects that match, 0 when there are none; blocks this thread. One round trip.
    ///
    /// The result has the expression's type. What does not fit is an error: of the server (SQLSTATE 22003), or `invalidValue`.
    public func fetchSum<T: PersistentModel, Value: QueryNumber>(
        _ descriptor: FetchDescriptor<T>, of expression: Expression<T, Value>
    ) throws -> Value { try aggregate(descriptor, .sum(expression)) }

    /// The sum of a property of the objects that match, 0 when there are none; blocks this thread. One round trip.
    ///
    /// `nil` is left out.
    /// The result has the property's type. What does not fit is an error: of the server (SQLSTATE 22003), or `invalidValue`.
    public func fetchSum<T: PersistentModel, Value: QueryNumber>(
        _ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value?>
    ) throws -> Value { try aggregate(descriptor, .sum(keyPath)) }

    /// The sum of what an expression gives for the objects that match, 0 when there are none; blocks this thread. One round trip.
    ///
    /// `nil` is left out.
    /// The result has the expression's type. What does not fit is an error: of the server (SQLSTATE 22003), or `invalidValue`.
    public func fetchSum<T: PersistentModel, Value: QueryNumber>(
        _ descriptor: FetchDescriptor<T>, of expression: Expression<T, Value?>
    ) throws -> Value { try aggregate(descriptor, .sum(expression)) }

    /// The average of a property of the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// A `Double`, of `Decimal`s a `Decimal`.
    /// Of the objects within the descriptor's limit and offset, with unsaved changes as in a fetch.
    ///
    /// ```swift
    /// let average = try context.fetchAverage(FetchDescriptor<Trip>(), of: \.price)
    /// ```
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`.
    public func fetchAverage<T: PersistentModel, Value: QueryNumber>(
        _ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value>
    ) throws -> Value.Average? { try aggregate(descriptor, .average(keyPath)) }

    /// The average of what an expression gives for the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// A `Double`, of `Decimal`s a `Decimal`.
    public func fetchAverage<T: PersistentModel, Value: QueryNumber>(
        _ descriptor: FetchDescriptor<T>, of expression: Expression<T, Value>
    ) throws -> Value.Average? { try aggregate(descriptor, .average(expression)) }

    /// The average of a property of the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// `nil` is left out. A `Double`, of `Decimal`s a `Decimal`.
    public func fetchAverage<T: PersistentModel, Value: QueryNumber>(
        _ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value?>
    ) throws -> Value.Average? { try aggregate(descriptor, .average(keyPath)) }

    /// The average of what an expression gives for the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// `nil` is left out. A `Double`, of `Decimal`s a `Decimal`.
    public func fetchAverage<T: PersistentModel, Value: QueryNumber>(
        _ descriptor: FetchDescriptor<T>, of expression: Expression<T, Value?>
    ) throws -> Value.Average? { try aggregate(descriptor, .average(expression)) }

    /// The least value of a property of the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// In the order in which a sort descriptor sorts: enumerations by raw value.
    /// Of the objects within the descriptor's limit and offset, with unsaved changes as in a fetch.
    ///
    /// ```swift
    /// let minimum = try context.fetchMinimum(FetchDescriptor<Trip>(), of: \.startDate)
    /// ```
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`.
    public func fetchMinimum<T: PersistentModel, Value: Comparable & Sendable>(
        _ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value>
    ) throws -> Value? { try aggregate(descriptor, .minimum(keyPath)) }

    /// The least value of what an expression gives for the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// In the order in which a sort descriptor sorts: enumerations by raw value.
    public func fetchMinimum<T: PersistentModel, Value: Comparable & Sendable>(
        _ descriptor: FetchDescriptor<T>, of expression: Expression<T, Value>
    ) throws -> Value? { try aggregate(descriptor, .minimum(expression)) }

    /// The least value of a property of the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// `nil` is left out. In the order in which a sort descriptor sorts: enumerations by raw value.
    public func fetchMinimum<T: PersistentModel, Value: Comparable & Sendable>(
        _ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value?>
    ) throws -> Value? { try aggregate(descriptor, .minimum(keyPath)) }

    /// The least value of what an expression gives for the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// `nil` is left out. In the order in which a sort descriptor sorts: enumerations by raw value.
    public func fetchMinimum<T: PersistentModel, Value: Comparable & Sendable>(
        _ descriptor: FetchDescriptor<T>, of expression: Expression<T, Value?>
    ) throws -> Value? { try aggregate(descriptor, .minimum(expression)) }

    /// The greatest value of a property of the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// In the order in which a sort descriptor sorts: enumerations by raw value.
    /// Of the objects within the descriptor's limit and offset, with unsaved changes as in a fetch.
    ///
    /// ```swift
    /// let maximum = try context.fetchMaximum(FetchDescriptor<Trip>(), of: \.startDate)
    /// ```
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`.
    public func fetchMaximum<T: PersistentModel, Value: Comparable & Sendable>(
        _ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value>
    ) throws -> Value? { try aggregate(descriptor, .maximum(keyPath)) }

    /// The greatest value of what an expression gives for the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// In the order in which a sort descriptor sorts: enumerations by raw value.
    public func fetchMaximum<T: PersistentModel, Value: Comparable & Sendable>(
        _ descriptor: FetchDescriptor<T>, of expression: Expression<T, Value>
    ) throws -> Value? { try aggregate(descriptor, .maximum(expression)) }

    /// The greatest value of a property of the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// `nil` is left out. In the order in which a sort descriptor sorts: enumerations by raw value.
    public func fetchMaximum<T: PersistentModel, Value: Comparable & Sendable>(
        _ descriptor: FetchDescriptor<T>, of keyPath: KeyPath<T, Value?>
    ) throws -> Value? { try aggregate(descriptor, .maximum(keyPath)) }

    /// The greatest value of what an expression gives for the objects that match, `nil` when there are none; blocks this thread. One round trip.
    ///
    /// `nil` is left out. In the order in which a sort descriptor sorts: enumerations by raw value.
    public func fetchMaximum<T: PersistentModel, Value: Comparable & Sendable>(
        _ descriptor: FetchDescriptor<T>, of expression: Expression<T, Value?>
    ) throws -> Value? { try aggregate(descriptor, .maximum(expression)) }

    // Without a key there is one group, also of no objects.

    private func aggregate<T: PersistentModel, Value>(
        _ descriptor: FetchDescriptor<T>, _ column: QueryColumn<T, Value>
    ) throws -> Value { try fetch(descriptor, selecting: column, into: { $0 })[0] }

    /// What asynchronous callers get as `fetchSum` and its relatives: see the module Strata.
    package func suspendingAggregate<T: PersistentModel, Value>(
        _ descriptor: FetchDescriptor<T>, _ column: QueryColumn<T, Value>
    ) async throws -> Value { try await suspendingValues(descriptor, column)[0] }
}
