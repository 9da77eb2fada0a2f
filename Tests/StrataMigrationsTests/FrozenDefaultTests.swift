import Foundation
import StrataClient
import StrataMigrations
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@Suite struct FrozenDefaultTests {
    private static let expected: [String: String] = [
        "text": #"E'it''s\\new"# + "\nline'::text",
        "maybe": "'some'::text",
        "yes": "true",
        "small": "-3",
        "medium": "-70000",
        "large": "5000000000",
        "least": "'-9223372036854775808'::bigint",
        "greatest": "'18446744073709551615'::numeric",
        "real": "'0.1'::real",
        "double": "'-1e-09'::double precision",
        "endless": "'Infinity'::double precision",
        "amount": "'12.34'::numeric",
        "identity": "'01020304-0506-0708-090a-0b0c0d0e0fff'::uuid",
        "newIdentity": "gen_random_uuid()",
        "reference": "'2001-01-01 00:00:00.250000+00'::timestamptz",
        "leapDay": "'2000-02-28 23:59:59+00'::timestamptz",
        "antiquity": "'0091-03-27 04:26:40+00 BC'::timestamptz",
        "never": "'infinity'::timestamptz",
        "now": "now()",
        "maybeNow": "now()",
        "data": #"E'\\x00ff10'::bytea"#,
        "level": "-1",
        "hue": "'green'::text",
        "codableHue": #"'"red"'::jsonb"#,
        "place": #"'{"floor":2,"name":"it''s"}'::jsonb"#,
        "transformed": #"E'\\x69742773'::bytea"#,
        "link": "'https://example.org/a?b=c'::text",
        "texts": #"ARRAY['a'::text, 'it''s'::text, '{}'::text, E'x\\y'::text]::text[]"#,
        "noTexts": "'{}'::text[]",
        "numbers": "ARRAY[1, -2]::bigint[]",
        "hues": "ARRAY['red'::text, 'green'::text]::text[]",
        "blobs": #"ARRAY[E'\\x01'::bytea]::bytea[]"#,
        "moments": "ARRAY['2001-01-01 00:00:00+00'::timestamptz]::timestamptz[]",
        "oneOf": #"'["a"]'::jsonb"#,
        "words": #"'{"a":1,"b":2}'::jsonb"#,
    ]

    /// Those that differ from evaluation to evaluation or from process to process, and those that are not there.
    private static let without: Set<String> = ["none", "nothing", "newText", "luck", "today", "someOf"]

    @Test func `Every default is written as SQL, or known not to be constant`() throws {
        let entity = try #require(try FrozenSchema(freezing: DefaultModels.schema).entity(named: "Everything"))
        #expect(Set(entity.attributes.map(\.name)) == Set(Self.expected.keys).union(Self.without))
        for attribute in entity.attributes {
            #expect(attribute.defaultExpression == Self.expected[attribute.name], "\(attribute.name)")
        }
    }

    @Test func `The server reads from the text the value that Swift has`() async throws {
        let frozen = try #require(try FrozenSchema(freezing: DefaultModels.schema).entity(named: "Everything"))
        let descriptor = DefaultModels.Everything._$descriptor
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            for attribute in frozen.attributes {
                guard let expression = attribute.defaultExpression, !expression.hasSuffix("()") else { continue }
                let property = try #require(descriptor.property(named: attribute.name) as? AnyAttributeProperty)
                var parameters = PostgresParameters()
                let value = try #require(property.defaultValue)
                #expect(try property.append(value, to: &parameters))
                var isEqual = false
                try await connection.run(
                    PostgresBatch(
                        PostgresStatement(
                            PreparedSQL("SELECT \(expression) = $1::\(attribute.type)", isCached: false),
                            parameters: parameters, name: "compare"),
                        onRow: { isEqual = try $0.decode(0) }))
                #expect(isEqual, "\(attribute.name): \(expression)")
                try await database.execute(
                    "CREATE TABLE \"\(attribute.column)\" (value \(attribute.type) NOT NULL DEFAULT \(expression))")
            }
        }
    }

    @Test func `Types and cases of attributes`() throws {
        let entity = try #require(try FrozenSchema(freezing: DefaultModels.schema).entity(named: "Everything"))
        func attribute(_ name: String) throws -> FrozenAttribute {
            try #require(entity.attributes.first { $0.name == name })
        }
        #expect(try attribute("level").cases == ["-1", "1"])
        #expect(try attribute("level").type == "bigint")
        #expect(try attribute("hue").cases == ["red", "green"])
        #expect(try attribute("hue").valueType == "Hue")
        #expect(try attribute("hue").isOptional)
        #expect(try attribute("codableHue").cases == nil)
        #expect(try attribute("codableHue").options == [.codable])
        #expect(try attribute("transformed").options == [.transformable])
        #expect(try attribute("texts").valueType == "Array<String>")
        #expect(try attribute("yes").cases == nil)
    }
}
