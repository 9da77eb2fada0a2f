import Foundation

/// What a store's triggers record, as the database is told: classes, properties, and where they lie.
///
/// The same schema gives the same text, but for ``Entity/isAbstract``, whether it comes from classes or from a frozen schema. The
/// database gives every class a number and every property a bit by their names, and keeps them as long as there is history.
package struct HistoryDescription: Codable, Hashable, Sendable {
    /// A class that is recorded.
    package struct Entity: Codable, Hashable, Sendable {
        package var name: String
        /// What earlier versions called it.
        package var was: [String]
        package var parent: String?
        package var table: String
        /// The column of the root's table that says which class a row has; `nil` for a subclass and for a root without.
        package var `class`: String?
        /// What stands in that column for this class.
        package var classes: [String]
        /// Its own properties, not the inherited ones.
        package var properties: [Property]
        /// `true` for a class of whose subclasses alone there are objects, and absent otherwise. Nothing of it is recorded: it is for those who know
        /// no classes, and not said in migrations, whose frozen schema has it.
        package var isAbstract: Bool?

        package init(
            name: String, was: [String] = [], parent: String? = nil, table: String, class: String? = nil,
            classes: [String], properties: [Property], isAbstract: Bool = false
        ) {
            self.name = name
            self.was = was
            self.parent = parent
            self.table = table
            self.class = `class`
            self.classes = classes
            self.properties = properties
            self.isAbstract = isAbstract ? true : nil
        }
    }

    /// A property whose changes are recorded: an attribute, a to-one relationship, or one end of links.
    package struct Property: Codable, Hashable, Sendable {
        package var name: String
        /// What earlier versions called it.
        package var was: [String]
        /// `nil` for a property that lies in links, and for one of several columns.
        package var column: String?
        /// The columns of a reference to a key of several; absent otherwise. Where one of them changes, the property does.
        package var columns: [String]?
        /// Stored out of line: compared only when a statement names it.
        package var external: Bool
        /// Kept in the record of a deletion.
        package var preserved: Bool

        package init(
            name: String, was: [String] = [], column: String? = nil, columns: [String]? = nil, external: Bool = false,
            preserved: Bool = false
        ) {
            self.name = name
            self.was = was
            self.column = column
            self.columns = columns
            self.external = external
            self.preserved = preserved
        }
    }

    /// A table whose rows change properties of other tables' objects: the pairs of a many-to-many relationship, or the
    /// rows with the foreign key of a to-many relationship that has no inverse.
    package struct Link: Codable, Hashable, Sendable {
        package var table: String
        package var sides: [Side]

        package init(table: String, sides: [Side]) {
            self.table = table
            self.sides = sides
        }
    }

    /// One end of links: the key in `column` is an object of `entity`, whose `property` the row changes.
    package struct Side: Codable, Hashable, Sendable {
        package var column: String
        /// All columns of a key of several, of which ``column`` is the first; absent otherwise.
        package var columns: [String]?
        package var entity: String
        package var property: String

        package init(column: String, columns: [String]? = nil, entity: String, property: String) {
            self.column = column
            self.columns = columns
            self.entity = entity
            self.property = property
        }
    }

    package let entities: [Entity]
    package let links: [Link]

    /// Brings everything into the one order, joins what is said of one table of links, and leaves out what cannot be
    /// recorded: properties that lie in another table's column, and ends at classes that are not among `entities`.
    package init(entities: [Entity], links: [Link]) {
        let names = Set(entities.map(\.name))
        let sides = Dictionary(grouping: links, by: \.table).mapValues { links in
            Set(links.flatMap(\.sides)).filter { names.contains($0.entity) }
                .sorted { ($0.column, $0.entity, $0.property) < ($1.column, $1.entity, $1.property) }
        }
        self.links = sides.filter { !$0.value.isEmpty }.map { Link(table: $0.key, sides: $0.value) }
            .sorted { $0.table < $1.table }
        let linked = Set(sides.values.flatMap { $0 }.map { [$0.entity, $0.property] })
        self.entities = entities.map { entity in
            var entity = entity
            entity.was = entity.was.filter { $0 != entity.name }.sorted()
            entity.classes.sort()
            entity.properties = entity.properties
                .filter { $0.column != nil || $0.columns != nil || linked.contains([entity.name, $0.name]) }
                .map { property in
                    var property = property
                    property.was = property.was.filter { $0 != property.name }.sorted()
                    return property
                }
                .sorted { $0.name < $1.name }
            return entity
        }.sorted { $0.name < $1.name }
    }

    /// Reads what ``json`` has written.
    package init(json: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    }

    /// Whether nothing is recorded.
    package var isEmpty: Bool { entities.isEmpty }

    /// The description as the database takes it.
    package var json: String { Self.text(self) }
}
