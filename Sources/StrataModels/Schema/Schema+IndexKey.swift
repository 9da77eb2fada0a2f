public import Foundation

extension Schema {
    /// A property in a B-tree whose keys have an order of their own: what ``Schema/Index/Types/sorted(_:including:)`` lists.
    ///
    /// ```swift
    /// #Index<Trip>(.sorted([.key(\.startDate, order: .reverse), .lowercased(\.name)]))
    /// ```
    public struct IndexKey<T: PersistentModel> {
        /// Where `nil` is among the values.
        public enum NilPlace: String, Sendable {
            /// Before all values, along the index.
            case first
            /// After all values, along the index.
            case last
        }

        package let keyPath: PartialKeyPath<T>
        package let form: ModelIndex.KeyForm

        /// A property, in one of both orders.
        ///
        /// - Parameters:
        ///   - order: `.reverse` for the greatest values first.
        ///   - nils: where `nil` is; without it where a fetch sorts it: before all values forward, after all of them in reverse.
        public static func key(
            _ keyPath: PartialKeyPath<T>, order: SortOrder = .forward, nils: NilPlace? = nil
        ) -> IndexKey {
            IndexKey(keyPath: keyPath, form: .init(isLowercased: false, order, nils))
        }

        /// A text in lower case: what a predicate looks for that compares `lowercased()`.
        ///
        /// ```swift
        /// #Predicate<User> { $0.email.lowercased() == "ann@example.com" }
        /// ```
        public static func lowercased(
            _ keyPath: KeyPath<T, String>, order: SortOrder = .forward, nils: NilPlace? = nil
        ) -> IndexKey {
            IndexKey(keyPath: keyPath, form: .init(isLowercased: true, order, nils))
        }

        /// An optional text in lower case.
        public static func lowercased(
            _ keyPath: KeyPath<T, String?>, order: SortOrder = .forward, nils: NilPlace? = nil
        ) -> IndexKey {
            IndexKey(keyPath: keyPath, form: .init(isLowercased: true, order, nils))
        }
    }
}

extension Schema.ModelIndex {
    /// What an index makes of a property, and how it sorts that.
    package struct KeyForm: Codable, Hashable, Sendable {
        package let isLowercased: Bool
        package let isDescending: Bool
        /// `nil` for where a fetch sorts `nil`.
        package let nilsFirst: Bool?

        /// The property as it is, as PostgreSQL sorts.
        static let plain = KeyForm(isLowercased: false, isDescending: false, nilsFirst: false)

        private init(isLowercased: Bool, isDescending: Bool, nilsFirst: Bool?) {
            self.isLowercased = isLowercased
            self.isDescending = isDescending
            self.nilsFirst = nilsFirst
        }

        fileprivate init<T>(isLowercased: Bool, _ order: SortOrder, _ nils: Schema.IndexKey<T>.NilPlace?) {
            self.init(
                isLowercased: isLowercased, isDescending: order == .reverse, nilsFirst: nils.map { $0 == .first })
        }
    }

    /// A property in an index, without the type of its class.
    package struct Key: Sendable {
        package let keyPath: SendableKeyPath
        package let form: KeyForm
    }
}
