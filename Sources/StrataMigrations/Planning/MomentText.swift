/// Moments as texts, as ISO 8601 has them; never as the session's DateStyle and time zone have them.
struct MomentText {
    private let column: String

    init(_ column: String) { self.column = column }

    /// A `timestamptz` as text.
    var written: String {
        """
        CASE WHEN isfinite(\(column)) THEN to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') \
        ELSE \(column)::text END
        """
    }

    /// Years before Christ have no ISO text that PostgreSQL reads.
    var isUnwritable: String { "(isfinite(\(column)) AND \(column) < '0001-01-01 00:00:00+00')" }

    /// A text as `timestamptz`; in UTC where it names no zone.
    var read: String {
        """
        CASE WHEN \(column) ~ ':[0-9.]+ *([Zz]|[-+][0-9:]+) *$' THEN \(column)::timestamptz \
        ELSE \(column)::timestamp AT TIME ZONE 'UTC' END
        """
    }

    /// Words such as `today`, and days whose order of day and month is the session's.
    var isUnreadable: String {
        let time = "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)? *([Zz]|[-+][0-9]{2}(:?[0-9]{2})?)?"
        return "\(column) !~ '^ *([0-9]{4,}-[0-9]{2}-[0-9]{2}([Tt ]\(time))?|-?infinity) *$'"
    }
}
