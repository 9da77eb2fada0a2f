/// How many rows the next range of a backfill has.
///
/// Who changes a row of a range waits until the range is committed. How long that takes is known when it has been carried out,
/// not when the stage is planned: it depends on rows, triggers, indexes and the disk.
struct RangePace: Hashable, Sendable {
    /// Rows of the next range.
    private(set) var rows: Int
    private let most: Int
    private let least: Int

    /// What a range may take: half of the tenth of a second that others should wait at most.
    static let longest = Duration.milliseconds(50)

    /// - Parameter most: what the step says, or whoever runs it.
    init(most: Int) {
        self.most = max(1, most)
        // With fewer rows the commit of a range would cost more than its work.
        least = min(self.most, 250)
        rows = min(self.most, 1000)
    }

    /// Takes account of a range: the next one has as many rows as would have taken ``longest``, at most twice as many as this.
    mutating func took(_ duration: Duration, for count: Int64) {
        let fitting = Double(count) * (Self.longest / max(duration, .microseconds(1)))
        rows = Int(max(Double(least), min(fitting, 2 * Double(rows), Double(most))))
    }
}
