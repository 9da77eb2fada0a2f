import Testing

@testable import StrataMigrations

/// Who changes a row of a range waits for its commit: ranges are as long as nobody waits for more than a moment.
@Suite("The pace of a backfill") struct RangePaceTests {
    @Test func `a range that took long is followed by a shorter one`() {
        var pace = RangePace(most: 10_000)
        #expect(pace.rows == 1000)
        pace.took(.milliseconds(100), for: 1000)
        #expect(pace.rows == 500)
        pace.took(.seconds(5), for: 500)
        #expect(pace.rows == 250)
    }

    @Test func `a quick one by one twice as long, up to what the step says`() {
        var pace = RangePace(most: 10_000)
        var sizes: [Int] = []
        for _ in 0..<6 {
            pace.took(.zero, for: Int64(pace.rows))
            sizes.append(pace.rows)
        }
        #expect(sizes == [2000, 4000, 8000, 10_000, 10_000, 10_000])
        pace.took(.milliseconds(40), for: 4000)
        #expect(pace.rows == 5000)
    }

    @Test func `a size that is small already is kept`() {
        for most in [1, 2, 250] {
            var pace = RangePace(most: most)
            pace.took(.seconds(60), for: Int64(most))
            #expect(pace.rows == most)
            pace.took(.zero, for: 1)
            #expect(pace.rows == most)
        }
        #expect(RangePace(most: 0).rows == 1)
    }
}
