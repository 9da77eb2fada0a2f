extension Schema {
    /// How the classes of a hierarchy lie in tables: what `@Model(inheritance:)` of the class at its top says.
    ///
    /// ```swift
    /// @Model(table: "people", classColumn: "type", inheritance: .singleTable) class Person {
    ///     var name: String
    ///     init(name: String) { self.name = name }
    /// }
    /// @Model(discriminator: "Manager") final class Manager: Person { var budget: Double = 0 }
    /// ```
    public enum Inheritance: String, Codable, Hashable, Sendable {
        /// Each class has a table with its own properties, under the keys of its superclass's rows. What a hierarchy has that says nothing.
        case joinedTables
        /// The same in tables of another program that have no class column: an object is of the class whose table has a row with its key.
        ///
        /// ```swift
        /// @Model(table: "people", keyColumn: "id", inheritance: .joinedTablesWithoutClassColumn) class Person { … }
        /// @Model(table: "managers") final class Manager: Person { … }
        /// ```
        ///
        /// A fetch of a class joins the tables of all its subclasses. In tables of Strata's own it is refused when the container is made.
        case joinedTablesWithoutClassColumn
        /// All classes have their properties in one table. Those of subclasses are columns that are NULL in rows of other classes.
        case singleTable

        /// A table for each class that has objects, with the inherited properties in each.
        @available(
            *, unavailable,
            message:
                "a relationship to the superclass would have its keys in several tables, which no foreign key can refer to; use .joinedTables or .singleTable"
        )
        public static var tablePerConcreteClass: Inheritance { .joinedTables }
    }

    /// What stands in the class column of a class's rows: a text, also the label of an enum type, or a number.
    ///
    /// ```swift
    /// @Model(discriminator: "Manager") final class Manager: Person { … }
    /// @Model(discriminator: 2) final class Truck: Vehicle { … }
    /// ```
    public enum Discriminator: Hashable, Sendable {
        /// A text, or the label of an enum type.
        case text(String)
        /// A number.
        case number(Int64)
    }
}

extension Schema.Discriminator: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A text, or the label of an enum type.
    public init(stringLiteral text: String) { self = .text(text) }
    /// A number.
    public init(integerLiteral number: Int64) { self = .number(number) }
}

extension Schema.Discriminator: CustomStringConvertible {
    /// The value as a text, as it is read.
    public var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}

/// A text or a number.
extension Schema.Discriminator: Codable {
    /// Reads a number, or else a text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
            if let number = try? container.decode(Int64.self) {
                .number(number)
            } else {
                .text(try container.decode(String.self))
            }
    }

    /// Writes the value itself.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }
}
