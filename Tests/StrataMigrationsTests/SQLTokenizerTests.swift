import StrataMigrations
import Testing

@Suite("Taking SQL apart")
struct SQLTokenizerTests {
    @Test("Every kind of token is told apart")
    func kinds() throws {
        let tokens = try SQLTokenizer.tokens(
            of: #"SELECT "Odd ""x""", o.name, E'it\'s', $1::int, 1.5e-3 <> -2 -- end"#)
        #expect(
            tokens.map(\.text) == [
                "SELECT", #""Odd ""x""""#, ",", "o", ".", "name", ",", #"E'it\'s'"#, ",", "$1", "::", "int", ",",
                "1.5e-3", "<>", "-", "2", "-- end",
            ])
        #expect(
            tokens.map(\.kind) == [
                .keyword, .quotedIdentifier, .punctuation, .identifier, .punctuation, .keyword, .punctuation, .string,
                .punctuation, .parameter, .punctuation, .keyword, .punctuation, .number, .operator, .operator, .number,
                .comment,
            ])
        #expect(tokens[1].name == #"Odd "x""#)
        #expect(tokens[5].name == "name")
    }

    @Test(
        "What looks like an end inside quotes or comments is none",
        arguments: [
            "SELECT ';'", #"SELECT E'\';'"#, "SELECT 'it''s; x'", #"SELECT "a;""b""#, "SELECT $$a;b$$",
            "SELECT $x$ $$ ; $y$ $x$", "SELECT 1 /* ; /* nested; */ ; */ + 1", "SELECT 1 -- ; '\n + 1",
            "SELECT 'a\\' || ';'", "SELECT E'a'\n  '\\';'", "SELECT U&'d;\\0061', U&\"x;\", B'01', X'ff', N';'",
            "SELECT a$b$ || ';' || c$b$ FROM t", "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)",
            "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END",
            "SELECT größe FROM 東京 WHERE \"✓;\" = '🙂;'",
        ])
    func oneStatement(sql: String) throws {
        let statements = try SQLTokenizer.statements(of: "  \(sql) ;\n\n;; ")
        #expect(statements.map(\.text) == [sql])
    }

    @Test("On one line, strings keep what they hold")
    func oneLine() {
        #expect(
            SQLTokenizer.onOneLine(" SELECT t.city,\n    count(*)  AS trips\n   FROM trip t\n  WHERE city <> 'a  b';")
                == "SELECT t.city, count(*) AS trips FROM trip t WHERE city <> 'a  b';")
        #expect(SQLTokenizer.onOneLine("SELECT 'a\n  b") == "SELECT 'a\n  b")
    }

    @Test("Statements have their lines, and comments before them stay apart")
    func lines() throws {
        let statements = try SQLTokenizer.statements(
            of: "-- first\n/* a\nb */\nSELECT 1 -- x\r\n  , 2 -- y\n;\nBEGIN; SELECT\n3")
        #expect(statements.map(\.text) == ["SELECT 1 -- x\r\n  , 2", "BEGIN", "SELECT\n3"])
        #expect(statements.map(\.line) == [4, 7, 7])
        #expect(statements[0].comments.map(\.text) == ["-- first", "/* a\nb */"])
        #expect(statements[0].comments.map(\.line) == [1, 2])
        #expect(statements[0].begins(with: "select"))
        #expect(!statements[1].begins(with: "begin", "work"))
    }

    @Test(
        "What does not end is refused where it begins",
        arguments: ["'abc", "E'abc\\'", "\"abc", "$x$ abc $$", "/* /* */", "U&'a", "\\set x 1"])
    func unterminated(sql: String) throws {
        let error = try #require(throws: MigrationError.self) {
            try SQLTokenizer.tokens(of: "SELECT 1;\n\n" + sql + "\n", file: "0001_v1.sql")
        }
        #expect(error.code == .usage)
        #expect(error.places == ["0001_v1.sql:3"])
    }

    @Test("Operators end where a comment begins; dots of ranges are no decimal points")
    func operators() throws {
        #expect(try SQLTokenizer.tokens(of: "a<>-b+--c").map(\.text) == ["a", "<>-", "b", "+", "--c"])
        #expect(try SQLTokenizer.tokens(of: "a*/*x*/b").map(\.text) == ["a", "*", "/*x*/", "b"])
        #expect(try SQLTokenizer.tokens(of: "x := 1..10").map(\.text) == ["x", ":=", "1", ".", ".10"])
        #expect(try SQLTokenizer.tokens(of: "a[1:2]").map(\.text) == ["a", "[", "1", ":", "2", "]"])
    }
}
