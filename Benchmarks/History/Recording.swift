import StrataRepository

/// A way to record the changes of one table: ten columns, two of them preserved.
enum Recording: String {
    case none
    case byHand = "by-hand"
    case strata

    private static let columns = ["name", "note", "qty", "price", "active", "owner", "created", "tags", "meta"]
    private static let preserved = ["name", "created"]

    static let table = """
        CREATE TABLE item (
            pk bigint PRIMARY KEY, name text NOT NULL, note text, qty int NOT NULL, price numeric(10,2) NOT NULL,
            active boolean NOT NULL, owner bigint NOT NULL, created timestamptz NOT NULL, tags text[], meta jsonb)
        """

    static func rows(_ first: Int, _ last: Int) -> String {
        """
        INSERT INTO item SELECT g, 'name ' || g, 'a note of some length for item ' || g, g % 1000, (g % 10000) / 100.0,
            g % 2 = 0, g % 500, now(), ARRAY['a', 'b', 't' || g % 50],
            jsonb_build_object('k', g, 'z', 'some text here')
        FROM generate_series(\(first), \(last)) g
        """
    }

    static let row = """
        INSERT INTO item VALUES ($1, 'name', 'a note of some length', 1, 1.5, true, 5, now(), '{a,b,t1}', '{"k": 1}')
        """

    var changeTable: String { self == .strata ? "strata.history_change" : "recorded.change" }

    var installation: [String] {
        switch self {
        case .none: []
        case .byHand: Self.triggersByHand
        case .strata:
            (TableCreation(LibrarySchema.definition, in: LibrarySchema.name).statements.map(\.text)
                + LibraryFunctions.creation) + ["SELECT strata.history_describe('public', '\(Self.description.json)')"]
        }
    }

    private static var description: HistoryDescription {
        HistoryDescription(
            entities: [
                .init(
                    name: "Item", table: "item", classes: ["Item"],
                    properties: columns.map { .init(name: $0, column: $0, preserved: preserved.contains($0)) })
            ], links: [])
    }

    // MARK: By hand

    /// The plain form: per statement, a mask by static comparison, a header in a
    /// function of its own.
    private static var triggersByHand: [String] {
        let mask = columns.enumerated().map { number, column in
            "CASE WHEN o.\(column) IS DISTINCT FROM n.\(column) THEN \(1 << number) ELSE 0 END"
        }.joined(separator: " + ")
        let tombstone = "jsonb_build_object('name', o.name, 'created', o.created)"
        let inserted = """
            INSERT INTO recorded.change (xid, entity, op, pk, generation)
            SELECT pg_current_xact_id(), 1, 'I', n.pk, s.generation FROM n, recorded.store s ORDER BY n.pk
            """
        let updated = """
            INSERT INTO recorded.change (xid, entity, op, pk, props, tomb, generation)
            SELECT pg_current_xact_id(), 1, k, pk, m, CASE WHEN k = 'D' THEN \(tombstone.replacing("o.", with: "(o).")) END,
                s.generation
            FROM (
                SELECT coalesce(n.pk, o.pk) AS pk, \(mask) AS m, o,
                    CASE WHEN o.pk IS NULL THEN 'I' WHEN n.pk IS NULL THEN 'D' ELSE 'U' END::"char" AS k
                FROM n FULL JOIN o ON n.pk = o.pk) z, recorded.store s
            WHERE m <> 0 OR k <> 'U'
            """
        let deleted = """
            INSERT INTO recorded.change (xid, entity, op, pk, tomb, generation)
            SELECT pg_current_xact_id(), 1, 'D', o.pk, \(tombstone), s.generation FROM o, recorded.store s
            """
        return tables
            + trigger("inserted", "INSERT", "NEW TABLE AS n", inserted)
            + trigger("updated", "UPDATE", "OLD TABLE AS o NEW TABLE AS n", updated)
            + trigger("deleted", "DELETE", "OLD TABLE AS o", deleted)
    }

    static let tables = [
        "CREATE SCHEMA recorded",
        "CREATE TABLE recorded.store (generation smallint NOT NULL DEFAULT 1)",
        "INSERT INTO recorded.store DEFAULT VALUES",
        "CREATE SEQUENCE recorded.change_seq CACHE 1",
        """
        CREATE TABLE recorded.change (
            xid xid8 NOT NULL, seq bigint NOT NULL DEFAULT nextval('recorded.change_seq'), pk bigint, props bigint,
            generation smallint NOT NULL DEFAULT 1, tab smallint NOT NULL DEFAULT 1, entity smallint NOT NULL,
            op "char" NOT NULL, tomb jsonb, PRIMARY KEY (xid, seq))
        """,
        """
        CREATE TABLE recorded.txn (
            xid xid8 NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(), generation smallint NOT NULL DEFAULT 1,
            author text, actor text NOT NULL, role text, app text, PRIMARY KEY (xid, generation))
        """,
        """
        CREATE FUNCTION recorded.head() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp AS $$ BEGIN
            INSERT INTO recorded.txn (xid, author, actor, role, app, generation)
            SELECT pg_current_xact_id(), nullif(current_setting('recorded.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), current_setting('application_name'), generation
            FROM recorded.store ON CONFLICT DO NOTHING;
        END $$
        """,
    ]

    private static func trigger(_ name: String, _ event: String, _ tables: String, _ statement: String) -> [String] {
        [
            """
            CREATE FUNCTION recorded.\(name)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp AS $$ BEGIN
                \(statement);
                IF FOUND THEN PERFORM recorded.head(); END IF;
                RETURN NULL;
            END $$
            """,
            """
            CREATE TRIGGER \(name) AFTER \(event) ON item REFERENCING \(tables)
            FOR EACH STATEMENT EXECUTE FUNCTION recorded.\(name)()
            """,
        ]
    }
}
