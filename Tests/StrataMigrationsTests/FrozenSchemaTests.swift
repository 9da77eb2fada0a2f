import Foundation
import StrataMigrations
import StrataModels
import StrataRepository
import Testing

@Suite struct FrozenSchemaTests {
    @Test func `Canonical JSON is this text, for ever`() throws {
        let json = try FrozenSchema(freezing: KennelModels.schema).canonicalJSON
        #expect(json == FrozenText.kennel, "The text is:\n\(json)")
        #expect(
            try FrozenSchema(freezing: KennelModels.schema).fingerprint
                == "5bd464b6dc43e9dd6004fb3392f526f58f3bec2e9dc081824c948226cbcef4a6")
    }

    @Test(arguments: [KennelModels.schema, ClubModels.schema, DefaultModels.schema])
    func `What is written is what is read`(schema: Schema) throws {
        let frozen = try FrozenSchema(freezing: schema)
        let read = try FrozenSchema(canonicalJSON: frozen.canonicalJSON, file: "V1.json")
        #expect(read == frozen)
        #expect(read.canonicalJSON == frozen.canonicalJSON)
        #expect(read.fingerprint == frozen.fingerprint)
        let again = try FrozenSchema(freezing: schema)
        #expect(again == frozen)
    }

    @Test func `Pairs and hidden columns are frozen where they lie`() throws {
        let club = try #require(try FrozenSchema(freezing: ClubModels.schema).entity(named: "Club"))
        #expect(
            club.relationships.map(\.storage) == [
                .joinTable(table: "club_members", own: "club_pk", other: "member_pk"),
                .inverseForeignKey(table: "badge", column: "club_badges"),
            ])
        #expect(club.relationships.map(\.inverse) == ["clubs", nil])
    }

    @Test func `A schema that cannot be used cannot be frozen`() throws {
        let error = #expect(throws: MigrationError.self) {
            try FrozenSchema(freezing: Schema(KennelModels.Dog.self, OtherModels.Dog.self))
        }
        #expect(error?.code == .usage)
        #expect(error?.places.isEmpty == false)
    }

    enum OtherModels {
        @Model final class Dog {
            init() {}
        }
    }

    @Test(
        arguments: [
            (#""version": "1.2.0""#, #""version": "1.2""#, "V1.json: version"),
            (#""version": "1.2.0""#, #""version": 1"#, "V1.json: version"),
            (#""column": "born","#, "", "V1.json: entities[0].attributes[1].column"),
            (#""column": "born""#, #""column": "borne""#, "V1.json: entities[0].attributes[1].column"),
            (#""isOptional": true"#, #""isOptional": "yes""#, "V1.json: entities[0].attributes[1].isOptional"),
            (#""name": "born","#, #""name": "born", "colour": "red","#, "V1.json: entities[0].attributes[1].colour"),
            (#""type": "text""#, #""type": 3"#, "V1.json: entities[0].attributes[0].type"),
            (#""options": ["unique"]"#, #""options": ["uniqe"]"#, "V1.json: entities[2].attributes[0].options[0]"),
            (#""parent": "Dog""#, #""parent": "Cat""#, "V1.json: entities[1].parent"),
            (#""parent": "Dog""#, #""parent": "Puppy""#, "V1.json: entities[1].parent"),
            (#""table": "toy""#, #""table": "game""#, "V1.json: entities[2].table"),
            (#""destination": "Toy""#, #""destination": "Ball""#, "V1.json: entities[0].relationships[0].destination"),
            ("{\n  \"database\"", "<<<<<<< ours\n{\n  \"database\"", "V1.json"),
            ("{\n  \"database\"", "\n  \"database\"", "V1.json"),
        ])
    func `A file that was changed says where`(original: String, change: String, place: String) throws {
        let text = FrozenText.kennel
        #expect(text.contains(original))
        let changed =
            change.contains("game") ? text.replacing(original, with: change) : replacingFirst(text, original, change)
        let error = #expect(throws: MigrationError.self) { try FrozenSchema(canonicalJSON: changed, file: "V1.json") }
        #expect(error?.code == .integrity)
        #expect(error?.places == [place], "\(error?.message ?? "")")
        #expect(error?.message.contains("V1.json") == true)
    }

    private func replacingFirst(_ text: String, _ old: String, _ new: String) -> String {
        guard let entities = text.range(of: "\"entities\""),
            let range = text.range(of: old, range: entities.lowerBound..<text.endIndex) ?? text.range(of: old)
        else { return text }
        return text.replacingCharacters(in: range, with: new)
    }
}
