import Foundation
import StrataClient
import StrataRepository
import Testing

/// A column's type is read once, and asked as a value from then on.
@Suite struct ColumnTypeTests {
    @Test(arguments: [
        "text", "bigint", "double precision", "text[]", "double precision[]", "numeric(10,2)", "varchar(20)",
        "timestamptz(3)[]", "interval day to second(3)", "geometry(Point,4326)", #"public."Odd (type)""#, "type 12345",
        "f()", "",
    ])
    func `what is read is written again`(text: String) {
        #expect(ColumnType(written: text).description == text)
    }

    @Test func `base, list and parameters are told apart`() {
        let type: ColumnType = "numeric(10,2)[]"
        #expect(type.base == .numeric)
        #expect(type.parameters == ["10", "2"])
        #expect(type.element == "numeric(10,2)")
        #expect(type.element?.element == nil)
        #expect(ColumnType(.double, isList: true) == "double precision[]")
        #expect(("citext" as ColumnType).base == .other("citext"))
        #expect(ColumnType.bigint.isInteger && !ColumnType(.bigint, isList: true).isInteger)
    }

    @Test(arguments: [
        ("character varying(20)", "varchar(20)"), ("character varying[]", "varchar[]"),
        ("timestamp with time zone", "timestamptz"), ("timestamp(3) with time zone[]", "timestamptz(3)[]"),
        ("timestamp without time zone", "timestamp"), ("timestamp(0) without time zone", "timestamp(0)"),
        ("time with time zone", "timetz"), ("time(6) without time zone", "time(6)"), ("bigint", "bigint"),
        ("numeric(10,2)", "numeric(10,2)"), ("interval(3)", "interval(3)"), ("bit varying(4)", "bit varying(4)"),
    ])
    func `what the catalogs print is what everybody writes`(printed: String, text: String) {
        #expect(ColumnType(printed: printed) == ColumnType(written: text))
        #expect(ColumnType(printed: printed).description == text)
    }

    @Test(arguments: [
        (PostgresType.int2, ColumnType.Base.smallint), (.int4, .integer), (.int8, .bigint), (.numeric, .numeric),
        (.float4, .real), (.float8, .double), (.bool, .boolean), (.text, .text), (.bytea, .bytea), (.uuid, .uuid),
        (.timestamptz, .timestamptz), (.jsonb, .jsonb), (.date, .date), (.time, .time), (.interval, .interval),
    ])
    func `a property's type is one of these`(type: PostgresType, base: ColumnType.Base) {
        #expect(ColumnType(of: type) == ColumnType(base))
        #expect(ColumnType(of: type.array) == ColumnType(base, isList: true))
    }

    @Test func `in files it is a text`() throws {
        let text = #"["bigint[]","numeric(10,2)"]"#
        let types = try JSONDecoder().decode([ColumnType].self, from: Data(text.utf8))
        #expect(types == [ColumnType(.bigint, isList: true), "numeric(10,2)"])
        #expect(String(decoding: try JSONEncoder().encode(types), as: UTF8.self) == text)
    }
}
