import StrataModels

extension RowLock {
    /// `FOR … OF …`, at the end of a statement that reads the tables with these aliases; all its tables where none is named.
    func clause(of aliases: [SQLFragment]) -> SQLFragment {
        var sql: SQLFragment =
            switch strength {
            case .update: " FOR UPDATE"
            case .noKeyUpdate: " FOR NO KEY UPDATE"
            case .share: " FOR SHARE"
            case .keyShare: " FOR KEY SHARE"
            }
        if !aliases.isEmpty { sql.append(" OF \(aliases.joined(separator: ", "))") }
        switch waiting {
        case .waits: break
        case .noWait: sql.append(" NOWAIT")
        case .skipLocked: sql.append(" SKIP LOCKED")
        }
        return sql
    }
}
