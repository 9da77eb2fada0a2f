import StrataModels

/// The places after each transaction of one reading.
struct HistoryPlaces {
    let start: HistoryPosition?
    /// What was visible to the reading.
    let snapshot: HistorySnapshot
    let state: HistoryState
    let isInOrder: Bool
    /// Whether nothing visible is left unread after the last transaction, whatever it is about.
    let endsEverything: Bool
    /// Whether ``snapshot`` is that of a window: more was visible.
    let endsWindow: Bool

    /// The place after one transaction.
    func position(after header: HistoryRows.Header, isLast: Bool) -> HistoryPosition {
        let mark = HistoryPosition.Mark(
            generation: header.generation, transaction: header.transaction, number: header.last)
        var position: HistoryPosition
        if !isInOrder {
            // Everything up to the transaction by number, apart from what still ran: all that comes later is after it.
            position = HistoryPosition(generation: state.generation, base: whole.cut(at: header.transaction + 1))
            if header.generation != state.generation { position = page(header) }
        } else if isLast, endsEverything {
            position = end
        } else {
            position = page(header)
        }
        position.mark = mark
        return position
    }

    /// The place after everything that was read: up to `last` if the limit left something out.
    func end(after last: HistoryRows.Header?) -> HistoryPosition {
        guard let last else { return end }
        return page(last)
    }

    private var end: HistoryPosition {
        var position = HistoryPosition(generation: state.generation, base: whole)
        // The page goes on behind the window.
        if endsWindow, let page = start?.page, whole.end < page.ceiling.end { position.page = page }
        return position
    }

    /// All that is covered when nothing is left.
    private var whole: HistorySnapshot {
        // A token from the primary may cover more than the standby can tell; what a window ends before, it can.
        guard state.isInRecovery, !endsWindow, let base = start?.base else { return snapshot }
        return base.union(below: snapshot.end)
    }

    /// What is delivered of a page that was read to its end: all, but for what the window leaves to later.
    private func covered(_ ceiling: HistorySnapshot) -> HistorySnapshot {
        endsWindow ? HistorySnapshot(end: ceiling.end, running: Set(ceiling.running).union(whole.running)) : ceiling
    }

    /// Transactions of the page that was begun go on with it; the others begin one on top of it.
    private func page(_ header: HistoryRows.Header) -> HistoryPosition {
        if let page = start?.page, !header.isLater {
            return HistoryPosition(
                generation: state.generation, base: start?.base, floor: start?.floor ?? 0,
                page: HistoryPosition.Page(ceiling: page.ceiling, upto: header.last))
        }
        let base = start?.page.map { covered($0.ceiling) } ?? start?.base
        return HistoryPosition(
            generation: state.generation, base: base, floor: state.deletions,
            page: HistoryPosition.Page(ceiling: whole, upto: header.last))
    }
}
