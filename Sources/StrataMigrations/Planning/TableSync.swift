/// What the triggers of one table do while old and new code run side by side.
struct TableSync {
    /// Lines of a BEFORE trigger's body.
    var before: [String] = []
    /// Lines of an AFTER INSERT OR UPDATE trigger's body.
    var after: [String] = []
    /// Lines of an AFTER DELETE trigger's body.
    var deleted: [String] = []
    /// Whether the lines write into a column that new code knows what comes from one that it does not.
    var isOneWay = false

    func lines(_ moment: SyncTrigger.Moment) -> [String] {
        switch moment {
        case .before: before
        case .after: after
        case .deleted: deleted
        }
    }
}
