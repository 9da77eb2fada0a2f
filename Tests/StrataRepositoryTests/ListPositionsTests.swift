import StrataClient
import Testing

@testable import StrataRepository

/// Which positions of a list are written.
@Suite struct ListPositionsTests {
    private typealias Row = ListPositions.Row
    private let step = ListPositions.step

    private func written(_ wanted: [RowKey], _ stored: [(RowKey, Int64?)]) -> [String] {
        ListPositions(wanted, stored: stored.map { Row(key: $0, position: $1) }.sorted(by: ListPositions.precedes))
            .written.map { "\($0)@\($1)" }
    }

    @Test func `new lists are numbered with gaps`() {
        #expect(written([7, 3], []) == ["7@\(step)", "3@\(2 * step)"])
        #expect(written([], []) == [])
        #expect(written([], [(1, 5)]) == [])
    }

    @Test func `what is in order keeps its positions`() {
        #expect(written([1, 2, 3], [(1, 10), (2, 20), (3, 30)]) == [])
        #expect(written([3, 1, 2], [(1, 10), (2, 20), (3, 30)]) == ["3@\(10 - step)"])
        #expect(written([2, 3, 1], [(1, 10), (2, 20), (3, 30)]) == ["1@\(30 + step)"])
        #expect(written([1, 3, 2, 4], [(1, 10), (2, 20), (3, 30), (4, 40)]).count == 1)
        // Equal positions are in order by key.
        #expect(written([1, 2], [(2, 10), (1, 10)]) == [])
    }

    @Test func `what comes between goes to the middle`() {
        #expect(written([1, 9, 2], [(1, 10), (2, 20)]) == ["9@15"])
        #expect(written([1, 8, 9, 2], [(1, 10), (2, 40)]) == ["8@20", "9@30"])
        #expect(written([1, 9, 2], [(1, .min), (2, .max)]) == ["9@-1"])
        #expect(
            written([1, 7, 8, 9, 2], [(1, .min), (2, .max)])
                == ["7@-4611686018427387905", "8@-2", "9@4611686018427387901"])
    }

    @Test func `a gap that is used up numbers the list anew`() {
        #expect(written([1, 9, 2], [(1, 10), (2, 11)]) == ["1@\(step)", "9@\(2 * step)", "2@\(3 * step)"])
        #expect(written([1, 9, 2], [(1, step), (2, step)]) == ["9@\(2 * step)", "2@\(3 * step)"])
        #expect(written([1, 9], [(1, .max - 5)]) == ["1@\(step)", "9@\(2 * step)"])
        #expect(written([9, 1], [(1, .min + 5)]) == ["9@\(step)", "1@\(2 * step)"])
    }

    @Test func `rows that are not wanted keep their place`() {
        #expect(written([1, 9], [(1, 10), (5, 20)]) == ["9@\(20 + step)"])
        #expect(written([9, 1], [(1, 10), (5, 5)]) == ["9@\(5 - step)"])
        #expect(written([1, 9, 2], [(1, 10), (5, 12), (2, 20)]) == ["9@16"])
        #expect(written([9], [(5, 20), (4, 3)]) == ["9@\(20 + step)"])
    }

    @Test func `rows without a position come last, by key, and get one`() {
        #expect(
            written([9], [(5, nil), (4, nil), (7, 20)])
                == ["4@\(20 + step)", "5@\(20 + 2 * step)", "9@\(20 + 3 * step)"])
        #expect(written([2, 1], [(1, nil), (2, nil)]) == ["2@\(step)", "1@\(2 * step)"])
    }
}
