import StrataMigrations
import StrataRepository
import Testing

@testable import StrataIntrospection

@Suite struct SwiftNameTests {
    @Test(arguments: [
        ("bucket_list_item", "BucketListItem"), ("trips", "Trip"), ("OrderDetails", "OrderDetail"),
        ("order details", "OrderDetail"),
        ("us_states", "UsState"), ("2fa_tokens", "Table2faToken"), ("HTTPLogs", "HttpLog"),
    ])
    func aTableHasTheNameOfAClass(table: String, name: String) {
        #expect(SwiftName.className(ofTable: table) == name)
    }

    @Test(arguments: [
        ("first_name", "firstName"), ("FirstName", "firstName"), ("address_2", "address2"), ("default", "defaultValue"),
        ("id", "idValue"), ("1st", "column1st"), ("is_deleted", "isDeletedValue"), ("URL", "url"),
    ])
    func aColumnHasTheNameOfAProperty(column: String, name: String) {
        #expect(SwiftName.propertyName(ofColumn: column) == name)
    }

    @Test(arguments: [
        ("legacy_*", "legacy_users", true), ("legacy_*", "users", false), ("*_old", "users_old", true),
        ("users", "users", true),
        ("users", "users2", false), ("*", "", true), ("a*b*c", "aXbYc", true), ("a*b*c", "aXbY", false),
    ])
    func patternsCoverNames(pattern: String, name: String, isCovered: Bool) {
        #expect(NamePattern.any(of: [pattern], covers: name) == isCovered)
    }

    @Test(
        arguments: [
            ("0", "integer", "0"), ("'-1'::integer", "integer", "-1"), ("(-1)", "bigint", "-1"),
            ("4.99", "numeric(4,2)", "Decimal(499) / 100"),
            ("0.00", "numeric(4,2)", "0"), ("0.5", "double precision", "0.5"), ("true", "boolean", "true"),
            ("now()", "timestamptz", "Date()"),
            ("CURRENT_TIMESTAMP", "timestamp", "Date()"), ("'new'::text", "text", "\"new\""),
            ("'it''s'::character varying", "varchar(9)", "\"it's\""),
            ("(1)::smallint", "smallint", "1"), ("((1)::smallint + 1)", "integer", nil),
            ("'5'::integer + 1", "integer", nil),
            ("'a::b'::text", "text", "\"a::b\""), ("'a'::character varying(3)", "varchar(3)", "\"a\""),
            ("'it''s::(odd)'::text", "text", "\"it's::(odd)\""), ("CURRENT_USER", "text", nil),
            ("CURRENT_DATE", "date", "CalendarDate.today(in: .gmt)"),
            ("('now'::text)::date", "date", "CalendarDate.today(in: .gmt)"),
            ("'2020-01-01'::date", "date", nil), ("'12:00:00'::time without time zone", "time", nil),
            ("(now() AT TIME ZONE 'utc'::text)", "timestamp", nil), ("uuidv7()", "uuid", "UUID.v7()"),
            ("ARRAY[]::text[]", "text[]", "[]"), ("'{}'::character varying[]", "varchar[]", "[]"),
            ("gen_random_uuid()", "uuid", "UUID()"), ("'{}'::text[]", "text[]", "[]"),
            ("'{}'::jsonb", "jsonb", ".object([:])"),
            ("nextval('a_seq'::regclass)", "bigint", nil), ("lower('A'::text)", "text", nil),
            ("('a'::text || 'b'::text)", "text", nil),
            ("'x\\y'::text", "text", "\"x\\\\y\""), ("(now() - '1 day'::interval)", "timestamptz", nil),
        ] as [(String, String, String?)])
    func aDefaultIsSaidInSwift(expression: String, type: String, value: String?) throws {
        let swift = try #require(SwiftType(ColumnType(written: type)))
        #expect(SwiftDefault.value(of: expression, for: swift) == value)
    }

    @Test(arguments: [
        ("NC-17", "nc17"), ("17", "value17"), ("+", "value"), ("class", "classValue"), ("in progress", "inProgress"),
        ("none", "noneValue"), ("All cases", "allCasesValue"),
    ])
    func aLabelHasTheNameOfACase(label: String, name: String) {
        #expect(SwiftName.caseName(ofLabel: label) == name)
    }

    @Test(arguments: [
        ("Cat", true), ("cat", true), ("Type", false), ("class", false), ("2nd", false), ("a b", false),
        ("String", false),
    ])
    func whatARowSaysMustBeTheNameOfAClass(name: String, isOne: Bool) {
        #expect(SwiftName.isClassName(name) == isOne)
    }
}
