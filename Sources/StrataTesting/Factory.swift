public import StrataContext
import Synchronization

/// Makes objects for tests: a class's usual values, of which a test names those that it is about.
///
/// ```swift
/// enum Sample {
///     static let person = Factory { number in Person(email: "person\(number)@example.com") }
///     static let trip = Factory { number in
///         Trip(name: "Trip \(number)", destination: "Paris", owner: person.make())
///     }
///     static let roman = trip.with { $0.destination = "Rome" }
/// }
///
/// let trip = Sample.trip.insert(into: context) { $0.name = "Visit" }
/// let four = Sample.roman.insert(4, into: context)
/// ```
/// The number is another one for each object of a factory in a process, from 1 on: for unique values. Objects that a factory's object
/// is related to are inserted with it.
public struct Factory<Model: PersistentModel>: Sendable {
    private let build: @Sendable (Int) -> Model
    private let sequence: Sequence

    /// The last number that was given, for a factory and those that were made from it.
    private final class Sequence: Sendable {
        private let last = Atomic<Int>(0)
        func next() -> Int { last.add(1, ordering: .relaxed).newValue }
    }

    /// A factory of objects with these values.
    ///
    /// - Parameter build: makes an object that is in no context. Its number is different each time.
    public init(_ build: @escaping @Sendable (_ number: Int) -> Model) {
        self.build = build
        sequence = Sequence()
    }

    private init(_ build: @escaping @Sendable (Int) -> Model, _ sequence: Sequence) {
        self.build = build
        self.sequence = sequence
    }

    /// A factory of the same objects with some other values; the two share their numbers.
    public func with(_ change: @escaping @Sendable (Model) -> Void) -> Factory {
        Factory(
            { [build] number in
                let model = build(number)
                change(model)
                return model
            }, sequence)
    }

    /// A new object that is in no context.
    ///
    /// - Parameter change: sets what this test is about.
    public func make(_ change: (Model) -> Void = { _ in }) -> Model {
        let model = build(sequence.next())
        change(model)
        return model
    }

    /// A new object, inserted into a context and not saved.
    ///
    /// - Parameter change: sets what this test is about, before the object is inserted.
    @discardableResult public func insert(
        into context: ModelContext, _ change: (Model) -> Void = { _ in }
    ) -> Model {
        let model = make(change)
        context.insert(model)
        return model
    }

    /// So many new objects, inserted into a context and not saved; none for a number below one.
    ///
    /// - Parameter change: sets what this test is about, for each object with its place among them, from 0 on.
    @discardableResult public func insert(
        _ count: Int, into context: ModelContext, _ change: (Model, _ index: Int) -> Void = { _, _ in }
    ) -> [Model] {
        (0..<max(0, count)).map { index in
            insert(into: context) { change($0, index) }
        }
    }
}
