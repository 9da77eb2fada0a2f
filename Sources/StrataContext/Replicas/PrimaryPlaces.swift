import StrataRepository

/// Where the primary was in its log, and when: what a standby is compared with.
struct PrimaryPlaces {
    typealias Instant = ContinuousClock.Instant

    private struct Entry {
        /// By our own clock, before the primary was asked: what was committed by then lies before the place.
        let at: Instant
        let place: ReplicationPlace
    }

    /// The newest last; all of one timeline.
    private var entries: [Entry] = []
    private let longest: Duration

    /// - Parameter longest: older ones are of no use.
    init(longest: Duration) { self.longest = longest }

    /// How many are kept.
    var count: Int { entries.count }

    /// When the primary was asked last.
    var newest: Instant? { entries.last?.at }

    mutating func note(_ place: ReplicationPlace, at asked: Instant) {
        // Before a failover is over, the primary may be a standby.
        guard !place.isStandby, newest.map({ $0 < asked }) ?? true else { return }
        if let last = entries.last?.place, last.timeline != place.timeline || last.system != place.system {
            entries = []
        }
        entries.append(Entry(at: asked, place: place))
        thin(asked)
    }

    /// The older, the fewer: what is kept stands no further apart than a sixteenth of its age. So a standby that is behind, by a millisecond or
    /// by seconds, finds a place that it has passed just now, however often the primary is asked.
    private mutating func thin(_ now: Instant) {
        var kept: [Entry] = []
        for (index, entry) in entries.enumerated() where entry.at >= now - longest {
            if let last = kept.last, index + 1 < entries.count,
                last.at.duration(to: entries[index + 1].at) < entry.at.duration(to: now) / 16
            {
                continue
            }
            kept.append(entry)
        }
        entries = kept
    }

    /// Whether a server is a standby of the primary.
    func isFollowed(by place: ReplicationPlace) -> Bool {
        place.isStandby && place.system == entries.last?.place.system
    }

    /// The time of which a standby at this place shows everything that was committed by then; `nil` where that is not known.
    func time(shownBy standby: ReplicationPlace) -> Instant? {
        entries.last { standby.shows($0.place) }?.at
    }
}
