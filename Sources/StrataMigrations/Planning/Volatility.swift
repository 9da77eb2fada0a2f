/// Whether an expression gives every row the same value; one answer for what is planned and for what is reviewed.
package enum Volatility: Hashable {
    case stable
    case volatile(String)
    /// A function nothing is known about.
    case unknown(String)

    /// - Parameter functions: the names of the functions that the expression calls, in lower case.
    package init(calling functions: some Sequence<String>) {
        var unknown: String?
        for function in functions where !Self.harmless.contains(function) {
            if Self.always.contains(function) {
                self = .volatile(function)
                return
            }
            unknown = unknown ?? function
        }
        self = unknown.map(Volatility.unknown) ?? .stable
    }

    private static let always: Set<String> = [
        "random", "gen_random_uuid", "uuid_generate_v1", "uuid_generate_v1mc", "uuid_generate_v4", "uuidv4", "uuidv7",
        "clock_timestamp", "timeofday", "nextval", "random_normal", "setseed", "gen_random_bytes",
    ]

    /// Stable or immutable, or no function at all: `varchar(10)`.
    private static let harmless: Set<String> = [
        "now", "transaction_timestamp", "statement_timestamp", "current_timestamp", "localtimestamp", "current_time",
        "localtime", "lower", "upper", "trim", "btrim", "coalesce", "nullif", "concat", "md5", "length", "to_timestamp",
        "to_date", "make_date", "make_interval", "date_trunc", "jsonb_build_object", "jsonb_build_array", "to_jsonb",
        "current_setting", "array", "varchar", "char", "character", "varying", "numeric", "decimal", "timestamp",
        "timestamptz", "time", "interval", "bit", "cast", "abs", "round", "greatest", "least", "decode", "encode",
        "row", "date_part", "extract", "timezone", "format", "repeat", "in", "and", "or", "not", "float",
    ]
}
