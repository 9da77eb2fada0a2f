import Testing

@testable import StrataRepository

@Suite struct SaveOrderTests {
    @Test func referencedTablesComeFirst() {
        let edges = [0: [1], 1: [2], 2: [], 3: [0, 2]]
        #expect(TableOrder.components(of: [3, 0, 1, 2]) { edges[$0] ?? [] } == [[2], [1], [0], [3]])
    }

    @Test func tablesInACircleComeTogetherAfterWhatTheyReferTo() {
        let edges = [0: [1], 1: [2], 2: [0, 3], 3: [3], 4: [1]]
        #expect(TableOrder.components(of: [0, 1, 2, 3, 4]) { edges[$0] ?? [] } == [[3], [0, 1, 2], [4]])
    }

    @Test func tablesWithoutRowsArePassedOver() {
        #expect(TableOrder.components(of: [0]) { _ in [7, 8] } == [[0]])
    }
}
