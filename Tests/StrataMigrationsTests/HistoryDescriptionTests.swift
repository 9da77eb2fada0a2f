import StrataMigrations
import StrataModels
import StrataRepository
import Testing

@Suite("Description of what is recorded") struct HistoryDescriptionTests {
    enum Silent {
        static let schema = Schema(Visit.self, Page.self)

        @Model final class Visit {
            static let recordsHistory = false
            var path = ""
            @Relationship(inverse: \Page.visits) var pages: [Page] = []
            init() {}
        }

        @Model final class Page {
            var visits: [Visit] = []
            var title = ""
            init() {}
        }
    }

    @Test(arguments: [KennelModels.schema, ClubModels.schema, DefaultModels.schema, Silent.schema])
    func `Classes and their frozen form are described alike`(schema: Schema) throws {
        let frozen = try FrozenSchema(freezing: schema)
        #expect(HistoryDescription(frozen) == HistoryDescription(StoreMapping(schema)))
        #expect(HistoryDescription(frozen).json == HistoryDescription(StoreMapping(schema)).json)
    }

    @Test func `A class that is not recorded is frozen as such, and only the other side of its pairs is recorded`()
        throws
    {
        let frozen = try FrozenSchema(freezing: Silent.schema)
        #expect(frozen.canonicalJSON.contains("\"recordsHistory\": false"))
        #expect(frozen.entities.map(\.recordsHistory) == [nil, false])
        #expect(
            HistoryDescription(frozen).readableJSON == """
                {"entities": [
                  {"classes":["Page"],"name":"Page","table":"page","properties":[
                    {"column":"title","name":"title"}, {"name":"visits"}]}
                ], "links": [
                  {"sides":[{"column":"page_pk","entity":"Page","property":"visits"}],"table":"page_visits"}
                ]}
                """)
    }

    enum Abstract {
        static let schema = Schema(Paper.self, Letter.self)

        @Model class Paper {
            class var isAbstract: Bool { true }
            var title = ""
            init() {}
        }

        @Model final class Letter: Paper {
            var receiver = ""
        }
    }

    @Test func `That a class is abstract is said where no frozen form says it, and is no other description`() throws {
        let told = HistoryDescription(StoreMapping(Abstract.schema))
        #expect(told.entities.map(\.isAbstract) == [nil, true])
        #expect(try HistoryDescription(json: told.json) == told)
        #expect(told.readableJSON.contains("\"isAbstract\":true"))
        let frozen = HistoryDescription(try FrozenSchema(freezing: Abstract.schema))
        #expect(!frozen.json.contains("isAbstract"))
        #expect(told != frozen && told.withoutFormerNames == frozen.withoutFormerNames)
    }

    @Test func `The difference of two versions shows what is not recorded any more`() throws {
        var after = try FrozenSchema(freezing: Silent.schema)
        let silent = after
        for index in after.entities.indices { after.entities[index].recordsHistory = nil }
        #expect(FrozenSchemaDifference(from: after, to: silent).lines == ["Visit: recordsHistory none → false"])
        #expect(after.fingerprint != silent.fingerprint)
    }
}
