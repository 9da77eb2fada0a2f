import Foundation
import StrataClient
import StrataModels

/// Decodes any Codable type from nothing: every leaf gets a value of its own.
final class SampleDecoder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let state: State

    /// How many booleans were decoded.
    var flags: Int { state.flags }

    /// What the leaves are like.
    enum Leaves {
        /// No two are the same.
        case distinct
        /// Text without characters, zeros, and `nil` where it may be.
        case empty
        /// Numbers below zero, in the value itself: what is inside of others, such as an interval, may not take them.
        case negative
        /// Larger numbers, later dates and longer texts; a product of two numbers still fits into 32 bits.
        case large

        /// What a part is tried with after the first sample: a computed one may give what is stored for that alone.
        static let others: [Leaves] = [.empty, .negative, .large]
    }

    /// - Parameter trueFlag: the boolean that is true, counted in the order of decoding.
    /// - Parameter hasElements: whether collections have one element each, as long as they are not too deep inside.
    convenience init(trueFlag: Int, hasElements: Bool = false, leaves: Leaves = .distinct) {
        self.init(State(trueFlag: trueFlag, hasElements: hasElements, leaves: leaves))
    }

    fileprivate init(_ state: State) { self.state = state }

    /// A value of this type: what it decodes, or a whole one where it reads a text of a form that no made-up text has.
    func value<T: Decodable>(of type: T.Type) -> T? { (try? type.init(from: self)) ?? (try? state.sample(type)) }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed<Key>(state))
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { Unkeyed(state) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(state) }

    /// What the samples have in common.
    fileprivate final class State {
        private let trueFlag: Int
        private(set) var flags = 0
        private var numbers = 100
        private var depth = 0
        private var hasElements: Bool
        let leaves: Leaves

        init(trueFlag: Int, hasElements: Bool, leaves: Leaves) {
            self.trueFlag = trueFlag
            self.hasElements = hasElements
            self.leaves = leaves
        }

        /// Where a type may contain itself, there is an end.
        var isDeep: Bool { depth > 6 }
        /// How many elements a collection has.
        var elements: Int { hasElements && !isDeep ? 1 : 0 }

        func flag() -> Bool {
            defer { flags += 1 }
            return flags == trueFlag
        }

        func number() -> Int {
            // Small and odd, so that they fit into every type and no sum or product of two is another.
            numbers = (numbers + 1) % 127
            return numbers
        }

        /// The number itself, less than it, or nothing of it: as the leaves are to be.
        private func scaled<N: SignedNumeric>(_ number: N) -> N {
            switch leaves {
            case .distinct: number
            case .empty: .zero
            case .negative: depth == 0 ? -number : number
            case .large: number + 30_000
            }
        }

        private func text() -> String {
            switch leaves {
            case .empty: ""
            case .distinct, .negative: " Sample\(number())É "
            case .large: " Sample\(number())É " + String(repeating: "long ", count: 60)
            }
        }

        func sample<T: Decodable>(_ type: T.Type) throws -> T {
            let samples: [Any] = [
                text(), UUID(),
                Date(timeIntervalSince1970: (Double(number()) + (leaves == .large ? 60_000 : 0)) * 86_400 + 0.25),
                scaled(Decimal(number()) + Decimal(1) / 8),
                leaves == .empty ? Data() : Data([UInt8(number())]),
            ]
            if let sample = samples.first(where: { $0 is T }) as? T { return sample }
            if type == Bool.self, let sample = flag() as? T { return sample }
            if type == Double.self, let sample = scaled(Double(number()) + 0.375) as? T { return sample }
            if type == Float.self, let sample = scaled(Float(number()) + 0.375) as? T { return sample }
            if type == URL.self, let sample = URL(string: "https://sample\(number()).test/") as? T { return sample }
            if type == CalendarDate.self {
                let days = number() + (leaves == .large ? 60_000 : 0)
                if let sample = CalendarDate.day.adding(days: leaves == .negative ? -days : days) as? T {
                    return sample
                }
            }
            if type == TimeOfDay.self, let sample = TimeOfDay(microseconds: Int64(number()) * 1_000_250) as? T {
                return sample
            }
            if type == CalendarInterval.self {
                let sample = CalendarInterval(
                    months: Int32(number()), days: Int32(number()), microseconds: Int64(number()))
                if let sample = sample as? T { return sample }
            }
            if let integer = type as? any FixedWidthInteger.Type,
                let sample = integer.init(clamping: scaled(number())) as? T
            {
                return sample
            }
            if let list = type as? any CaseIterable.Type, let sample = Self.one(of: list, number()) as? T {
                return sample
            }
            do { return try decode(type) } catch {
                // An enum whose cases cannot be listed refuses a raw value that was made up.
                guard let sample = StandInValue.rawCase(type) else { throw error }
                return sample
            }
        }

        private func decode<T: Decodable>(_ type: T.Type) throws -> T {
            depth += 1
            defer { depth -= 1 }
            do { return try T(from: SampleDecoder(self)) } catch {
                guard hasElements else { throw error }
                // A collection may refuse an element or a key that was made up.
                hasElements = false
                defer { hasElements = true }
                return try T(from: SampleDecoder(self))
            }
        }

        private static func one<E: CaseIterable>(of _: E.Type, _ number: Int) -> Any? {
            let cases = Array(E.allCases)
            return cases.isEmpty ? nil : cases[number % cases.count]
        }
    }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let codingPath: [any CodingKey] = []
        /// Those of a dictionary; others know theirs.
        let allKeys: [Key]
        private let state: State
        init(_ state: State) {
            self.state = state
            // A number is a key of text and of numbers.
            allKeys = (0..<state.elements).compactMap { _ in Key(stringValue: "\(state.number())") }
        }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) throws -> Bool { state.isDeep || state.leaves == .empty }
        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try state.sample(type) }
        func nestedContainer<Nested: CodingKey>(
            keyedBy: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { KeyedDecodingContainer(Keyed<Nested>(state)) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { Unkeyed(state) }
        func superDecoder() throws -> any Decoder { SampleDecoder(state) }
        func superDecoder(forKey key: Key) throws -> any Decoder { SampleDecoder(state) }
    }

    private struct Single: SingleValueDecodingContainer {
        let codingPath: [any CodingKey] = []
        private let state: State
        init(_ state: State) { self.state = state }

        func decodeNil() -> Bool { false }
        func decode<T: Decodable>(_ type: T.Type) throws -> T { try state.sample(type) }
    }

    /// A list of as many elements as ``State/elements`` says.
    private struct Unkeyed: UnkeyedDecodingContainer {
        let codingPath: [any CodingKey] = []
        let count: Int?
        private(set) var currentIndex = 0
        private let state: State

        init(_ state: State) {
            self.state = state
            count = state.elements
        }

        var isAtEnd: Bool { currentIndex == count }

        mutating func decodeNil() throws -> Bool { false }
        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
            try advance()
            return try state.sample(type)
        }
        mutating func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) throws -> KeyedDecodingContainer<Nested>
        {
            try advance()
            return KeyedDecodingContainer(Keyed<Nested>(state))
        }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try advance()
            return Unkeyed(state)
        }
        mutating func superDecoder() throws -> any Decoder {
            try advance()
            return SampleDecoder(state)
        }

        private mutating func advance() throws {
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    Any.self, .init(codingPath: [], debugDescription: "a sample list has no more elements"))
            }
            currentIndex += 1
        }
    }
}

extension CalendarDate {
    /// What samples are counted from.
    fileprivate static let day = CalendarDate(daysSince2000: 0)
}
