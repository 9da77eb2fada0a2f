import StrataRepository
import Testing

@testable import StrataMigrations

/// In which order views are replaced so that rows are computed while others read.
@Suite("Rounds in which views are replaced") struct ViewRoundTests {
    /// `*` marks a view with rows of its own.
    private func view(_ name: String, reads names: String...) -> ViewDefinition {
        ViewDefinition(
            name: name.replacing("*", with: ""), columns: [], query: names.map { .relation($0) },
            isMaterialized: name.contains("*"))
    }

    private func rounds(_ older: [ViewDefinition], _ newer: [ViewDefinition]) -> [String] {
        ViewRound.rounds(replacing: older.creationOrder, by: newer.creationOrder).map { round in
            func part(_ word: String, _ views: [ViewDefinition]) -> [String] {
                views.isEmpty ? [] : ["\(word) \(views.map(\.name).joined(separator: " "))"]
            }
            return
                (part("fills", round.filled) + part("drops", round.older) + part("sets aside", round.aside)
                + part("makes", round.newer)).joined(separator: ", ")
        }
    }

    @Test func `views without rows are replaced at once`() {
        let views = [view("a", reads: "t"), view("b", reads: "a")]
        #expect(rounds(views, views) == ["drops a b, makes a b"])
        #expect(rounds([], views + [view("c*", reads: "b")]) == ["fills a b c"])
    }

    @Test func `rows are computed before, with what is read for them`() {
        #expect(
            rounds([view("a*", reads: "t")], [view("a*", reads: "p"), view("p", reads: "t"), view("q", reads: "a")])
                == ["fills p a, drops a, makes q"])
    }

    @Test func `rows of what reads a replaced view are computed when that has its name`() {
        let chain = [view("a*", reads: "t"), view("b*", reads: "a"), view("c*", reads: "b")]
        #expect(
            rounds(chain, chain) == [
                "fills a, sets aside a", "fills b, sets aside b", "fills c, drops a b c",
            ])
        // By way of a view without rows, too.
        let views = [view("a", reads: "t"), view("p", reads: "a"), view("b*", reads: "p"), view("x*", reads: "t")]
        #expect(
            rounds(views, views) == [
                "fills x, drops x, sets aside a p, makes a p", "fills b, drops a p b",
            ])
    }

    @Test func `an older view goes with its last reader`() {
        let older = [
            view("a", reads: "t"), view("b*", reads: "a"), view("c*", reads: "b", "a"), view("d", reads: "t"),
        ]
        let newer = [view("a", reads: "t"), view("b*", reads: "a"), view("c*", reads: "b"), view("d", reads: "c")]
        #expect(
            rounds(older, newer) == [
                "sets aside a, makes a", "fills b, sets aside b", "fills c, drops a d b c, makes d",
            ])
    }
}
