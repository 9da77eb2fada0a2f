package import StrataClient

/// How far a server has come in the log of its cluster: a primary with writing it, a standby with carrying it out.
package struct ReplicationPlace: Sendable, Equatable {
    package let isStandby: Bool
    /// Names the cluster, and the database in it: a standby has the numbers of its primary.
    package let system: String
    /// As in the names of the log's files. A standby that was promoted begins another one.
    package let timeline: String
    /// The place in the log, in bytes.
    package let position: Int64

    package init(isStandby: Bool, system: String, timeline: String, position: Int64) {
        self.isStandby = isStandby
        self.system = system
        self.timeline = timeline
        self.position = position
    }

    /// That of a server of which nothing is known: no standby of any primary.
    package static let unknown = ReplicationPlace(isStandby: true, system: "", timeline: "", position: 0)

    // A standby says its timeline as of its last restartpoint, or of the last page that it has written: after a failover it goes on naming the old
    // one for a while, and is taken for behind until then. It never names one that it does not follow.
    private static let query = PreparedSQL(
        """
        SELECT r.standby, (SELECT system_identifier FROM pg_control_system()) || '/' || \
        (SELECT oid FROM pg_database WHERE datname = current_database()), \
        CASE WHEN r.standby THEN upper(lpad(to_hex(greatest(c.timeline_id, m.min_recovery_end_timeline)), 8, '0')) \
        ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END, \
        (CASE WHEN r.standby THEN coalesce(pg_last_wal_replay_lsn(), '0/0') ELSE pg_current_wal_insert_lsn() END \
        - '0/0'::pg_lsn)::bigint, current_setting('wal_block_size')::bigint, \
        pg_size_bytes(current_setting('wal_segment_size')) \
        FROM pg_control_checkpoint() AS c, pg_control_recovery() AS m, (SELECT pg_is_in_recovery() AS standby) AS r
        """)

    /// Asks a server, which gives one row.
    package static func asking(_ take: @escaping (ReplicationPlace) -> Void) -> PostgresBatch {
        PostgresBatch(
            PostgresStatement(query, name: "place in the log").storingNothing
        ) { row in
            take(
                ReplicationPlace(
                    isStandby: try row.decode(0), system: try row.decode(1), timeline: try row.decode(2),
                    position: beforeHeader(
                        try row.decode(3), block: try row.decode(4), segment: try row.decode(5))))
        }
    }

    /// Where a record has filled a page, or the rest of a file was left out, a primary names the place behind the next page's header, and a standby
    /// the end of the record. No record ends behind a header: what goes on from the page before takes eight bytes more at least.
    private static func beforeHeader(_ position: Int64, block: Int64, segment: Int64) -> Int64 {
        let header: Int64 = position % segment < block ? longHeader : shortHeader
        return position % block == header ? position - header : position
    }

    /// The bytes of `XLogPageHeaderData`, and of `XLogLongPageHeaderData`, which a file begins with.
    private static let (shortHeader, longHeader): (Int64, Int64) = (24, 40)

    /// Whether a standby here shows everything that was committed when its primary was there.
    package func shows(_ primary: ReplicationPlace) -> Bool {
        isStandby && !primary.isStandby && system == primary.system && timeline == primary.timeline
            && position >= primary.position
    }
}
