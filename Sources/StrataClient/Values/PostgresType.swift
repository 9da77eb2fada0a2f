/// A data type of the server, by object identifier.
public struct PostgresType: Hashable, Sendable, CustomStringConvertible {
    /// The type's `pg_type.oid`.
    public let oid: UInt32
    /// The `oid` of the array of this type; 0 when there is none.
    public let arrayOID: UInt32

    /// A type by its identifiers, for example one read from `pg_type`.
    public init(oid: UInt32, arrayOID: UInt32 = 0) {
        self.oid = oid
        self.arrayOID = arrayOID
    }

    /// Lets the server find the type out from the statement.
    public static let unspecified = PostgresType(oid: 0)
    /// `boolean`.
    public static let bool = PostgresType(oid: 16, arrayOID: 1000)
    /// `bytea`.
    public static let bytea = PostgresType(oid: 17, arrayOID: 1001)
    /// `bigint`.
    public static let int8 = PostgresType(oid: 20, arrayOID: 1016)
    /// `smallint`.
    public static let int2 = PostgresType(oid: 21, arrayOID: 1005)
    /// `integer`.
    public static let int4 = PostgresType(oid: 23, arrayOID: 1007)
    /// `text`.
    public static let text = PostgresType(oid: 25, arrayOID: 1009)
    /// `oid`.
    public static let oid = PostgresType(oid: 26, arrayOID: 1028)
    /// `real`.
    public static let float4 = PostgresType(oid: 700, arrayOID: 1021)
    /// `double precision`.
    public static let float8 = PostgresType(oid: 701, arrayOID: 1022)
    /// `varchar`.
    public static let varchar = PostgresType(oid: 1043, arrayOID: 1015)
    /// `char(n)`.
    public static let bpchar = PostgresType(oid: 1042, arrayOID: 1014)
    /// `name`, the type of identifiers in the catalogs.
    public static let name = PostgresType(oid: 19, arrayOID: 1003)
    /// `date`.
    public static let date = PostgresType(oid: 1082, arrayOID: 1182)
    /// `time`.
    public static let time = PostgresType(oid: 1083, arrayOID: 1183)
    /// `timestamp` without time zone.
    public static let timestamp = PostgresType(oid: 1114, arrayOID: 1115)
    /// `timestamptz`.
    public static let timestamptz = PostgresType(oid: 1184, arrayOID: 1185)
    /// `interval`.
    public static let interval = PostgresType(oid: 1186, arrayOID: 1187)
    /// `numeric`.
    public static let numeric = PostgresType(oid: 1700, arrayOID: 1231)
    /// `uuid`.
    public static let uuid = PostgresType(oid: 2950, arrayOID: 2951)
    /// `json`.
    public static let json = PostgresType(oid: 114, arrayOID: 199)
    /// `jsonb`.
    public static let jsonb = PostgresType(oid: 3802, arrayOID: 3807)
    /// `xid8`, a transaction's identifier.
    public static let xid8 = PostgresType(oid: 5069, arrayOID: 271)
    /// `pg_snapshot`, which transactions had ended at one moment.
    public static let pgSnapshot = PostgresType(oid: 5038, arrayOID: 5039)
    /// `pg_lsn`, a position in the write-ahead log.
    public static let pgLSN = PostgresType(oid: 3220, arrayOID: 3221)

    /// From here on identifiers are given to types that were created in the database (FirstNormalObjectId).
    public static let firstOfDatabase: UInt32 = 16384

    private static let names: [UInt32: String] = {
        let known: [(PostgresType, String)] = [
            (.bool, "boolean"), (.bytea, "bytea"), (.int8, "bigint"), (.int2, "smallint"), (.int4, "integer"),
            (.text, "text"), (.oid, "oid"), (.float4, "real"), (.float8, "double precision"), (.varchar, "varchar"),
            (.bpchar, "char"), (.name, "name"), (.date, "date"), (.time, "time"), (.timestamp, "timestamp"),
            (.timestamptz, "timestamptz"), (.interval, "interval"), (.numeric, "numeric"), (.uuid, "uuid"),
            (.json, "json"), (.jsonb, "jsonb"), (.xid8, "xid8"), (.pgSnapshot, "pg_snapshot"),
            (.pgLSN, "pg_lsn"),
        ]
        var names: [UInt32: String] = [:]
        for (type, name) in known {
            names[type.oid] = name
            names[type.arrayOID] = name + "[]"
        }
        return names
    }()

    /// The SQL name of the type with this identifier, or `type 12345` for one that is not built in.
    public static func named(_ oid: UInt32) -> String {
        names[oid] ?? (oid == 0 ? "unspecified" : "type \(oid)")
    }

    /// The type's SQL name.
    public var description: String { Self.named(oid) }

    /// The array of this type.
    public var array: PostgresType { PostgresType(oid: arrayOID) }
}
