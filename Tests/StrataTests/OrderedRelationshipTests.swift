import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// Relationships that keep the order of their arrays.
@Suite struct OrderedRelationshipTests {
    private typealias Route = Ordered.Route
    private typealias Halt = Ordered.Halt
    private typealias Playlist = Ordered.Playlist
    private typealias Song = Ordered.Song

    /// A context and its only route, with saved halts.
    private func route(_ names: [String], in store: ModelStore) async throws -> (context: ModelContext, route: Route) {
        let writer = ModelContext(store.container)
        writer.insert(Route("R", halts: names.map { Halt($0) }))
        try await writer.save()
        store.recorder.reset()
        let context = ModelContext(store.container)
        return (context, try await context.only(Route.self))
    }

    /// The names of the only route's halts, as a fresh context reads them.
    private func stored(_ store: ModelStore) async throws -> [String] {
        let context = ModelContext(store.container)
        return try await context.only(Route.self).halts.map(\.name)
    }

    private func written(_ store: ModelStore) -> [String] {
        store.recorder.statements.filter { text in
            ["INSERT", "UPDATE", "DELETE"].contains { text.hasPrefix($0) }
        }
    }

    // MARK: What is sent

    @Test func `new objects come with their positions, in one round trip`() async throws {
        try await withOrderedStore { store in
            let context = ModelContext(store.container)
            let (b, a) = (Halt("b"), Halt("a"))
            context.insert(a)
            context.insert(Route("R", halts: [b, a]))
            try await context.save()
            #expect(
                written(store).contains(
                    #"INSERT INTO "public"."halt" ("pk", "name", "route", "halts_position") SELECT u.c0, u.c1, u.c2, u.c3"#
                        + " FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) AS u(c0, c1, c2, c3)"))
            #expect(!store.recorder.statements.contains { $0.contains("SELECT t.") || $0.hasPrefix("UPDATE") })
            #expect(
                try await store.texts("SELECT name || ' ' || halts_position FROM halt ORDER BY halts_position")
                    == ["b 4294967296", "a 8589934592"])
            store.recorder.reset()
            #expect(try await stored(store) == ["b", "a"])
            #expect(
                store.recorder.statements.contains {
                    $0.hasSuffix(#"WHERE t0."route" = ANY($1::bigint[]) ORDER BY t0."halts_position", t0."pk""#)
                }, "\(store.recorder.statements)")
        }
    }

    @Test func `one object that moves is one row that is written`() async throws {
        try await withOrderedStore { store in
            let (context, route) = try await route(["a", "b", "c", "d"], in: store)
            let before = try await store.versions("halt")
            route.halts.insert(route.halts.remove(at: 3), at: 1)
            #expect(context.hasChanges && route.hasChanges)
            store.recorder.reset()
            try await context.save()
            #expect(!context.hasChanges)
            #expect(
                store.recorder.statements.filter { $0.contains(#""halts_position""#) } == [
                    #"SELECT t."route", t."pk", t."halts_position" FROM "public"."halt" AS t WHERE t."route" = ANY ($1::bigint[])"#,
                    #"UPDATE "public"."halt" AS t SET "halts_position" = u.position"#
                        + " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u(owner, target, position)"
                        + #" WHERE t."route" = u.owner AND t."pk" = u.target"#,
                ])
            #expect(try await store.versions("halt").count { before[$0] != $1 } == 1)
            #expect(try await stored(store) == ["a", "d", "b", "c"])
        }
    }

    @Test func `an array that is assigned as it was writes no row`() async throws {
        try await withOrderedStore { store in
            let (context, route) = try await route(["a", "b"], in: store)
            let before = try await store.versions("halt")
            route.halts = Array(route.halts)
            store.recorder.reset()
            try await context.save()
            #expect(written(store) == [])
            #expect(try await store.versions("halt") == before)
        }
    }

    // MARK: Any move

    /// The length of a longest part of `places` that ascends.
    private func longestAscent(_ places: [Int]) -> Int {
        var best = [Int](repeating: 1, count: places.count)
        for (index, place) in places.enumerated() {
            for other in 0..<index where places[other] < place { best[index] = max(best[index], best[other] + 1) }
        }
        return best.max() ?? 0
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `after random edits, what is read is what was in memory, and few rows were written`(seed: UInt64) async throws
    {
        try await withOrderedStore("\(seed)") { store in
            var random = SeededGenerator(seed)
            let (context, route) = try await route((0..<9).map { "h\($0)" }, in: store)
            let other = Route("R2")
            context.insert(other)
            try await context.save()
            var count = 9
            for _ in 0..<25 {
                let before = route.halts
                let positions = try await store.positions()
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    route.halts.shuffle(using: &random)
                case 1, 2:
                    guard !route.halts.isEmpty else { continue }
                    let halt = route.halts.remove(at: Int.random(in: 0..<route.halts.count, using: &random))
                    route.halts.insert(halt, at: Int.random(in: 0...route.halts.count, using: &random))
                case 3:
                    count += 1
                    route.halts.insert(
                        Halt("h\(count)"), at: Int.random(in: 0...route.halts.count, using: &random))
                case 4:
                    guard let halt = route.halts.randomElement(using: &random) else { continue }
                    if Bool.random(using: &random) { context.delete(halt) } else { halt.route = other }
                default:
                    count += 1
                    context.insert(Halt("h\(count)", route: route))
                    if let halt = other.halts.randomElement(using: &random) { halt.route = route }
                }
                try await context.save()
                let reader = ModelContext(store.container)
                let routes = try await reader.all(Route.self)
                #expect(routes.first?.halts.map(\.name) == route.halts.map(\.name))
                #expect(routes.last?.halts.map(\.name) == other.halts.map(\.name))
                let places = Dictionary(uniqueKeysWithValues: before.enumerated().map { (ObjectIdentifier($1), $0) })
                let kept = route.halts.compactMap { places[ObjectIdentifier($0)] }
                if kept.count == before.count, route.halts.count == before.count {
                    let changed = try await store.positions().count { positions[$0] != $1 }
                    #expect(changed <= before.count - longestAscent(kept))
                }
            }
        }
    }

    @Test func `what a gap has no room for gets new positions, for its owner only`() async throws {
        try await withOrderedStore { store in
            let (context, route) = try await route(["a", "b"], in: store)
            let other = Route("R2", halts: [Halt("x"), Halt("y")])
            context.insert(other)
            try await context.save()
            let versions = try await store.versions("halt")
            for number in 0..<40 {
                route.halts.insert(Halt("n\(number)"), at: 1)
                try await context.save()
            }
            let reader = ModelContext(store.container)
            let routes = try await reader.all(Route.self)
            #expect(routes.first?.halts.map(\.name) == ["a"] + (0..<40).reversed().map { "n\($0)" } + ["b"])
            #expect(routes.last?.halts.map(\.name) == ["x", "y"])
            for halt in other.halts {
                let key = halt.persistentModelID.key
                #expect(try await store.versions("halt")[key] == versions[key])
            }
            #expect(try await store.texts("SELECT name FROM halt WHERE halts_position IS NULL") == [])
        }
    }

    // MARK: Coming and going

    @Test func `what is given an owner comes last, loaded or not`() async throws {
        try await withOrderedStore { store in
            let (context, route) = try await route(["c", "b"], in: store)
            context.insert(Halt("a", route: route))
            try await context.save()
            #expect(try await stored(store) == ["c", "b", "a"])
            // Pending ones stand at the end when the array is loaded, too.
            context.insert(Halt("0", route: route))
            #expect(route.halts.map(\.name) == ["c", "b", "a", "0"])
            try await context.save()
            #expect(try await stored(store) == ["c", "b", "a", "0"])
            route.halts.removeLast()
            route.halts.append(Halt("z"))
            try await context.save()
            #expect(try await stored(store) == ["c", "b", "a", "z"])
        }
    }

    @Test func `rows of other programs come last, by key, and get positions when something comes behind them`()
        async throws
    {
        try await withOrderedStore { store in
            let (context, route) = try await route(["b", "a"], in: store)
            let key = route.persistentModelID.key
            try await store.database.execute(
                "INSERT INTO halt (pk, name, route) VALUES (9, 'y', \(key)), (8, 'x', \(key))")
            #expect(route.halts.map(\.name) == ["b", "a", "x", "y"])
            route.halts.swapAt(0, 1)
            try await context.save()
            #expect(try await stored(store) == ["a", "b", "x", "y"])
            try await store.database.execute("UPDATE halt SET halts_position = NULL WHERE pk = 8")
            let writer = ModelContext(store.container)
            writer.insert(Halt("z", route: try await writer.only(Route.self)))
            try await writer.save()
            #expect(try await stored(store) == ["a", "b", "y", "x", "z"])
            #expect(try await store.texts("SELECT name FROM halt WHERE halts_position IS NULL") == [])
        }
    }

    @Test func `an object that moves to another owner comes last there`() async throws {
        try await withOrderedStore { store in
            let (context, route) = try await route(["a", "b"], in: store)
            let other = Route("R2", halts: [Halt("x"), Halt("y")])
            context.insert(other)
            try await context.save()
            route.halts[0].route = other
            #expect(other.halts.map(\.name) == ["x", "y", "a"])
            other.halts.insert(other.halts.removeLast(), at: 1)
            try await context.save()
            let reader = ModelContext(store.container)
            #expect(try await reader.all(Route.self).map { $0.halts.map(\.name) } == [["b"], ["x", "a", "y"]])
        }
    }

    @Test func `nobody asks for the order of a list that goes with the save in which something comes to it`()
        async throws
    {
        try await withOrderedStore { store in
            let writer = ModelContext(store.container)
            let list = Playlist("L")
            list.songs = [Song("a")]
            writer.insert(list)
            writer.insert(Song("b"))
            try await writer.save()
            let context = ModelContext(store.container)
            let songs = try await context.fetch(FetchDescriptor<Song>(sortBy: [SortDescriptor(\.title)]))
            let goes = try await context.only(Playlist.self)
            context.delete(goes)
            songs[1].playlists.append(goes)
            store.recorder.reset()
            try await context.save()
            #expect(songs[1].playlists.isEmpty)
            let sent = store.recorder.statements
            #expect(!sent.contains { $0.contains("songs_position") }, "\(sent)")
        }
    }

    // MARK: Other shapes

    @Test func `both sides of a many-to-many relationship have an order`() async throws {
        try await withOrderedStore { store in
            let context = ModelContext(store.container)
            let lists = ["A", "B", "C"].map { Playlist($0) }
            let songs = (0..<4).map { Song("s\($0)") }
            lists[0].songs = [songs[2], songs[0], songs[1]]
            lists[1].songs = [songs[1], songs[0]]
            songs[0].playlists.append(lists[2])
            for list in lists { context.insert(list) }
            songs[0].playlists = [lists[2], lists[0], lists[1]]
            try await context.save()
            func check(_ place: SourceLocation = #_sourceLocation) async throws {
                let reader = ModelContext(store.container)
                var descriptor = FetchDescriptor<Playlist>(sortBy: [SortDescriptor(\.name)])
                descriptor.relationshipKeyPathsForPrefetching = [\.songs]
                #expect(
                    try await reader.fetch(descriptor).map { $0.songs.map(\.title) }
                        == lists.map { $0.songs.map(\.title) }, sourceLocation: place)
                #expect(
                    try await reader.fetch(FetchDescriptor<Song>(sortBy: [SortDescriptor(\.title)])).map {
                        $0.playlists.map(\.name)
                    } == songs.filter { $0.modelContext != nil }.map { $0.playlists.map(\.name) },
                    sourceLocation: place)
            }
            try await check()
            lists[0].songs.swapAt(0, 2)
            try await context.save()
            try await check()
            songs[0].playlists.insert(songs[0].playlists.removeLast(), at: 0)
            lists[0].songs.insert(songs[3], at: 1)
            try await context.save()
            try await check()
            lists[1].songs.removeFirst()
            lists[1].songs.append(songs[1])
            try await context.save()
            try await check()
            #expect(
                try await store.texts(
                    "SELECT column_name FROM information_schema.columns WHERE table_name = 'playlist_songs' ORDER BY 1")
                    == ["playlist_pk", "playlists_position", "song_pk", "songs_position"])
        }
    }

    @Test func `a relationship within a class, without an inverse, and to a subclass keep their orders`() async throws {
        try await withOrderedStore { store in
            let context = ModelContext(store.container)
            let chore = Ordered.Chore("all")
            chore.steps = ["b", "a", "c"].map { Ordered.Chore($0) }
            chore.steps?[1].steps = ["2", "1"].map { Ordered.Chore($0) }
            let deck = Ordered.Deck("D")
            deck.cards = ["K", "A", "Q"].map { Ordered.Card($0) }
            let train = Ordered.Train(1)
            train.sleepers = ["z", "y", "x"].map { Ordered.SleepingCar($0) }
            for model in [chore, deck, train] as [any PersistentModel] { context.insertAny(model) }
            try await context.save()
            func check(_ place: SourceLocation = #_sourceLocation) async throws {
                let reader = ModelContext(store.container)
                let chores = try await reader.fetch(
                    FetchDescriptor<Ordered.Chore>(predicate: #Predicate { $0.name == "all" }))
                #expect(chores[0].steps?.map(\.name) == chore.steps?.map(\.name), sourceLocation: place)
                #expect(
                    chores[0].steps?.map { $0.steps?.map(\.name) } == chore.steps?.map { $0.steps?.map(\.name) },
                    sourceLocation: place)
                let decks = try await reader.only(Ordered.Deck.self)
                #expect(decks.cards.map(\.face) == deck.cards.map(\.face), sourceLocation: place)
                let trains = try await reader.only(Ordered.Train.self)
                #expect(trains.sleepers.map(\.code) == train.sleepers.map(\.code), sourceLocation: place)
            }
            try await check()
            chore.steps?.swapAt(0, 2)
            deck.cards.insert(deck.cards.removeLast(), at: 0)
            train.sleepers.reverse()
            try await context.save()
            try await check()
            deck.cards.insert(Ordered.Card("J"), at: 1)
            train.sleepers.insert(Ordered.SleepingCar("w"), at: 2)
            chore.steps?.insert(Ordered.Chore("d"), at: 0)
            try await context.save()
            try await check()
            // A row that is there takes the place of the new object.
            let upserting = ModelContext(store.container)
            try await upserting.only(Ordered.Deck.self).cards.insert(Ordered.Card("A"), at: 0)
            try await upserting.save()
            let reader = ModelContext(store.container)
            #expect(try await reader.only(Ordered.Deck.self).cards.map(\.face).first == "A")
        }
    }

    // MARK: Taking back

    @Test func `what was to be deleted when the array was loaded comes back to its place`() async throws {
        try await withOrderedStore { store in
            let (context, route) = try await route(["a", "b", "c"], in: store)
            let halts = try await context.fetch(FetchDescriptor<Halt>(sortBy: [SortDescriptor(\.name)]))
            context.delete(halts[1])
            context.delete(halts[0])
            #expect(route.halts.map(\.name) == ["c"])
            context.insert(halts[1])
            #expect(route.halts.map(\.name) == ["b", "c"])
            context.insert(halts[0])
            #expect(route.halts.map(\.name) == ["a", "b", "c"])
            #expect(!context.hasChanges)
            let before = try await store.versions("halt")
            try await context.save()
            #expect(try await store.versions("halt") == before)
        }
    }

    @Test func `rollback, undo and savepoints bring the order back`() async throws {
        try await withOrderedStore { store in
            let (context, route) = try await route(["a", "b", "c"], in: store)
            route.halts.reverse()
            context.rollback()
            #expect(route.halts.map(\.name) == ["a", "b", "c"] && !context.hasChanges)
            let undo = ModelUndoManager()
            context.undoManager = undo
            route.halts.reverse()
            undo.undo()
            #expect(route.halts.map(\.name) == ["a", "b", "c"] && !context.hasChanges)
            undo.redo()
            try await context.save()
            #expect(try await stored(store) == ["c", "b", "a"])
            undo.undo()
            #expect(context.hasChanges)
            try await context.save()
            #expect(try await stored(store) == ["a", "b", "c"])
            context.undoManager = nil
            try await context.transaction {
                route.halts.swapAt(0, 1)
                try await context.save()
                await expectStop {
                    try await context.transaction {
                        route.halts.append(Halt("d"))
                        route.halts.reverse()
                        try await context.save()
                        throw Stop()
                    }
                }
                #expect(route.halts.map(\.name) == ["b", "a", "c"])
            }
            #expect(route.halts.map(\.name) == ["b", "a", "c"])
            #expect(try await stored(store) == ["b", "a", "c"])
        }
    }

    @Test func `a snapshot has the order, and applying it brings the order back`() async throws {
        try await withOrderedStore { store in
            let (context, route) = try await route(["a", "b", "c"], in: store)
            let snapshot = try await context.snapshots(of: [route], including: \.halts)[0]
            route.halts.reverse()
            try await context.save()
            #expect(try await stored(store) == ["c", "b", "a"])
            try await context.apply(snapshot, to: route, allowing: .everything)
            #expect(route.halts.map(\.name) == ["a", "b", "c"])
            try await context.save()
            #expect(try await stored(store) == ["a", "b", "c"])
        }
    }

    // MARK: Several contexts

    @Test func `two contexts that reorder at once both save, and the last has its order`() async throws {
        try await withOrderedStore { store in
            let (first, one) = try await route(["a", "b", "c", "d"], in: store)
            let second = ModelContext(store.container)
            let other = try await second.only(Route.self)
            #expect(one.halts.count == 4 && other.halts.count == 4)
            one.halts.reverse()
            one.halts.insert(Halt("e"), at: 1)
            other.halts.swapAt(1, 2)
            try await first.save()
            try await second.save()
            // What the second did not know stays between its neighbours.
            let names = try await stored(store)
            #expect(names.filter { $0 != "e" } == ["a", "c", "b", "d"])
            #expect(names.contains("e"))
            try await second.refresh([other])
            #expect(other.halts.map(\.name) == names)
        }
    }

    @Test func `many reorders and insertions at once leave one order`() async throws {
        try await withOrderedStore { store in
            _ = try await route((0..<12).map { "h\($0)" }, in: store)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 1...6 {
                    group.addTask {
                        var random = SeededGenerator(UInt64(seed))
                        for round in 0..<4 {
                            let context = ModelContext(store.container)
                            let route = try await context.only(Route.self)
                            route.halts.shuffle(using: &random)
                            route.halts.insert(Halt("n\(seed).\(round)"), at: 3)
                            try await context.save()
                        }
                    }
                }
                try await group.waitForAll()
            }
            let names = try await stored(store)
            #expect(Set(names).count == 36 && names.count == 36)
            #expect(try await stored(store) == names)
        }
    }

    // MARK: History

    @Test func `positions are no changes in the history`() async throws {
        try await withOrderedStore { store in
            let (context, route) = try await route(["a", "b"], in: store)
            func changes() async throws -> Int {
                try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.changes.count)
                    .reduce(0, +)
            }
            let before = try await changes()
            #expect(before == 3)
            route.halts.reverse()
            try await context.save()
            #expect(try await changes() == before)
        }
    }
}

extension ModelStore {
    /// The version of each row of a table, by key.
    fileprivate func versions(_ table: String) async throws -> [RowKey: String] {
        try await valuesByKey("SELECT pk || ' ' || xmin || ' ' || ctid FROM \(table)")
    }

    /// The position of each halt, by key.
    fileprivate func positions() async throws -> [RowKey: String] {
        try await valuesByKey("SELECT pk || ' ' || coalesce(halts_position::text, 'none') FROM halt")
    }

    private func valuesByKey(_ query: String) async throws -> [RowKey: String] {
        var result: [RowKey: String] = [:]
        for text in try await texts(query) {
            let parts = text.split(separator: " ", maxSplits: 1)
            result[RowKey(numberOrUUID: parts[0]) ?? 0] = String(parts[1])
        }
        return result
    }

    fileprivate func texts(_ query: String) async throws -> [String] { try await database.texts(query) }
}

extension ModelContext {
    fileprivate func insertAny(_ model: any PersistentModel) { insert(model) }
}
