import StrataModels
import StrataRepository
import Testing

@Suite struct MappingTests {
    private func relationship(_ type: any PersistentModel.Type, _ name: String) throws -> RelationshipMapping {
        let entity = try #require(RuleModels.mapping.entity(for: type))
        let slot = try #require(entity.descriptor.property(named: name)?.slot)
        return try #require(entity.relationships[slot])
    }

    @Test func `A many-to-many relationship has a join table named by one side`() throws {
        guard case .joinTable(let join, let own, let other) = try relationship(RuleModels.Book.self, "tags").storage
        else {
            Issue.record("no join table")
            return
        }
        #expect(join.table.name == "book_tags")
        #expect(own.names + other.names == ["book_pk", "tag_pk"])
        guard case .joinTable(let same, let tag, let book) = try relationship(RuleModels.Tag.self, "books").storage
        else {
            Issue.record("no join table")
            return
        }
        #expect(same.table == join.table)
        #expect(tag.names + book.names == ["tag_pk", "book_pk"])
    }

    @Test func `The columns of a many-to-many relationship within one class are named for its two sides`() throws {
        guard case .joinTable(_, let own, let other) = try relationship(RuleModels.Person.self, "followers").storage
        else {
            Issue.record("no join table")
            return
        }
        #expect(own.names + other.names == ["followed_pk", "followers_pk"])
    }

    @Test func `A to-many relationship without an inverse has a column in the other table`() throws {
        let edition = try #require(RuleModels.mapping.entity(for: RuleModels.Edition.self))
        #expect(edition.hiddenColumns.map(\.name) == ["book_editions"])
    }

    @Test func `The side that is deleted with the other has the column of a one-to-one relationship`() throws {
        let trip = try #require(TripModels.mapping.entity(for: TripModels.Trip.self))
        #expect(trip.ownColumns.map(\.name) == ["name", "start_date"])
    }
}
