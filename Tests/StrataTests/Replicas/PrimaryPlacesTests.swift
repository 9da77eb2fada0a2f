import StrataRepository
import Testing

@testable import StrataContext

/// What is kept of where the primary was.
struct PrimaryPlacesTests {
    private let start = ContinuousClock.now

    private func primary(_ position: Int64, timeline: String = "00000001") -> ReplicationPlace {
        ReplicationPlace(isStandby: false, system: "7/5", timeline: timeline, position: position)
    }

    private func standby(_ position: Int64, system: String = "7/5", timeline: String = "00000001") -> ReplicationPlace {
        ReplicationPlace(isStandby: true, system: system, timeline: timeline, position: position)
    }

    @Test func aStandbyShowsTheLatestPlaceThatItHasPassed() {
        var places = PrimaryPlaces(longest: .seconds(20))
        #expect(places.time(shownBy: standby(1)) == nil && !places.isFollowed(by: standby(1)))
        for second in 1...5 { places.note(primary(Int64(second) * 100), at: start + .seconds(second)) }
        #expect(places.time(shownBy: standby(99)) == nil)
        #expect(places.time(shownBy: standby(300)) == start + .seconds(3))
        #expect(places.time(shownBy: standby(399)) == start + .seconds(3))
        #expect(places.time(shownBy: standby(9000)) == start + .seconds(5))
        #expect(places.time(shownBy: primary(9000)) == nil, "it was promoted")
        #expect(!places.isFollowed(by: standby(9000, system: "7/6")), "another database")
        #expect(!places.isFollowed(by: standby(9000, system: "8/5")) && !places.isFollowed(by: primary(9000)))
    }

    @Test func anAnswerThatIsOvertakenAndAStandbyThatAnswersForThePrimaryCountForNothing() {
        var places = PrimaryPlaces(longest: .seconds(20))
        places.note(primary(200), at: start + .seconds(2))
        places.note(primary(100), at: start + .seconds(1))
        places.note(standby(300), at: start + .seconds(3))
        #expect(places.newest == start + .seconds(2))
        #expect(places.time(shownBy: standby(150)) == nil)
    }

    @Test func anotherTimelineBeginsAnew() {
        var places = PrimaryPlaces(longest: .seconds(20))
        places.note(primary(200), at: start + .seconds(2))
        places.note(primary(100, timeline: "00000002"), at: start + .seconds(3))
        #expect(places.time(shownBy: standby(900)) == nil)
        #expect(places.time(shownBy: standby(100, timeline: "00000002")) == start + .seconds(3))
    }

    /// However often the primary is asked, few places are kept, and a standby that is behind finds one of about its age.
    @Test func theOlderAPlaceTheFewerAreKept() throws {
        var places = PrimaryPlaces(longest: .seconds(20))
        let asked = 30_000
        for millisecond in stride(from: 0, through: asked, by: 5) {
            places.note(primary(Int64(millisecond)), at: start + .milliseconds(millisecond))
        }
        #expect(places.count < 300)
        for behind in [0, 5, 50, 500, 5000, 15_000] {
            let shown = try #require(places.time(shownBy: standby(Int64(asked - behind))))
            let age = shown.duration(to: start + .milliseconds(asked))
            #expect(age >= .milliseconds(behind) && age <= .milliseconds(behind + behind / 8 + 5), "\(behind): \(age)")
        }
        #expect(places.time(shownBy: standby(Int64(asked - 21_000))) == nil)
    }
}
