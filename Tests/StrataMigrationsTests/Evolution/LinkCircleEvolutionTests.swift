import StrataMigrations
import StrataModels
import Testing

/// Classes that refer to themselves or to each other.
@Suite("Evolution: circles of relationships") struct LinkCircleEvolutionTests {
    private typealias Models = CircleModels
    private typealias Types = [any PersistentModel.Type]

    private static let two: Types = [Models.Two.Person.self, Models.Two.Team.self, Models.Two.Member.self]
    private static let three: Types = [Models.Three.Person.self, Models.Three.Team.self, Models.Three.Member.self]

    // MARK: Two and three classes

    @Test func `two classes come that refer to each other`() async throws {
        try await Evolution([Models.Alone.Person.self], Self.two).run(
            seed: [Models.people], expecting: "SELECT count(*) FROM person CROSS JOIN team", is: ["0"],
            returning: .whole)
    }

    @Test func `two classes that refer to each other go`() async throws {
        try await Evolution(
            Self.two, [Models.Alone.Person.self],
            changes: [.dropped(Models.Two.Team.self), .dropped(Models.Two.Member.self)]
        ).run(
            seed: [
                Models.people, "INSERT INTO team (pk) VALUES (5)", "INSERT INTO member (pk, team) VALUES (6, 5)",
                "UPDATE team SET leader = 6",
            ],
            expecting: "SELECT to_regclass('team')::text AS t, to_regclass('member')::text AS m, count(*) FROM person",
            is: ["nil|nil|3"], returning: .none(because: "dropped values cannot come back: Member, Team")
        )
    }

    @Test func `two classes that refer to each other go only when both are named`() throws {
        let evolution = try Evolution(
            Self.two, [Models.Alone.Person.self], changes: [.dropped(Models.Two.Team.self)])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(error?.message.contains("Member") == true)
    }

    @Test func `three classes refer to each other, two of them new`() async throws {
        try await Evolution([Models.Alone.Person.self], Self.three).run(
            seed: [Models.people], expecting: "SELECT pk, team FROM person ORDER BY 1",
            is: ["1|nil", "2|nil", "3|nil"], returning: .whole)
    }

    @Test func `a circle of two becomes one of three`() async throws {
        try await Evolution(Self.two, Self.three, changes: [.dropped(\Models.Two.Member.team)]).run(
            seed: [
                Models.people, "INSERT INTO team (pk) VALUES (5)", "INSERT INTO member (pk, team) VALUES (6, 5)",
                "UPDATE team SET leader = 6",
            ], expecting: "SELECT t.pk, t.leader, m.person FROM team t JOIN member m ON m.pk = t.leader",
            is: ["5|6|nil"], returning: .none(because: "dropped values cannot come back: Member.team"))
    }

    // MARK: To itself

    @Test func `a tree is added`() async throws {
        try await Evolution([Models.Alone.Person.self], [Models.Tree.Person.self]).run(
            seed: [Models.people], expecting: "SELECT pk, parent FROM person ORDER BY 1",
            is: ["1|nil", "2|nil", "3|nil"], returning: .whole)
    }

    @Test func `a tree goes`() async throws {
        try await Evolution(
            [Models.Tree.Person.self], [Models.Alone.Person.self], changes: [.dropped(\Models.Tree.Person.parent)]
        ).run(
            seed: [Models.tree], expecting: "SELECT * FROM person ORDER BY 1", is: ["1|a", "2|b", "3|c"],
            returning: .none(because: "dropped values cannot come back: Person.parent"))
    }

    @Test func `a tree is renamed`() async throws {
        try await Evolution([Models.Tree.Person.self], [Models.Renamed.Person.self]).run(
            seed: [Models.tree], expecting: "SELECT pk, teacher FROM person ORDER BY 1", is: ["1|nil", "2|1", "3|1"],
            returning: .whole)
    }

    @Test func `a tree loses its way down`() async throws {
        try await Evolution([Models.Tree.Person.self], [Models.OneWay.Person.self]).run(
            seed: [Models.tree], expecting: "SELECT pk, parent FROM person ORDER BY 1", is: ["1|nil", "2|1", "3|1"],
            returning: .whole)
    }

    @Test func `a reference to itself gets a way back`() async throws {
        try await Evolution([Models.OneWay.Person.self], [Models.Tree.Person.self]).run(
            seed: [Models.tree], expecting: "SELECT pk, parent FROM person ORDER BY 1", is: ["1|nil", "2|1", "3|1"],
            returning: .whole)
    }

    @Test func `a tree becomes friends`() async throws {
        try await Evolution([Models.Tree.Person.self], [Models.Friends.Person.self]).run(
            seed: [Models.tree],
            expecting: "SELECT friend_of_pk AS x, friends_pk AS y FROM person_friend_of ORDER BY 1, 2",
            is: ["1|2", "1|3"], returning: .whole)
    }

    @Test func `friends become a tree`() async throws {
        try await Evolution(
            [Models.Friends.Person.self], [Models.Tree.Person.self],
            changes: [
                .renamed(\Models.Friends.Person.friends, to: \Models.Tree.Person.children),
                .renamed(\Models.Friends.Person.friendOf, to: \Models.Tree.Person.parent),
            ]
        ).run(
            seed: [Models.people, "INSERT INTO person_friend_of (friends_pk, friend_of_pk) VALUES (2, 1), (3, 1)"],
            expecting: "SELECT pk, parent FROM person ORDER BY 1", is: ["1|nil", "2|1", "3|1"], returning: .whole)
    }

    @Test func `friends become a tree only where each has one parent`() async throws {
        try await Evolution(
            [Models.Friends.Person.self], [Models.Tree.Person.self],
            changes: [
                .renamed(\Models.Friends.Person.friends, to: \Models.Tree.Person.children),
                .renamed(\Models.Friends.Person.friendOf, to: \Models.Tree.Person.parent),
            ]
        ).refuse(
            seed: [Models.people, "INSERT INTO person_friend_of (friends_pk, friend_of_pk) VALUES (2, 1), (2, 3)"],
            naming: "Person.")
    }

    @Test func `friends are added`() async throws {
        try await Evolution([Models.Alone.Person.self], [Models.Friends.Person.self]).withoutOriginalNames.run(
            seed: [Models.people], expecting: "SELECT count(*) FROM person_friend_of", is: ["0"], returning: .whole)
    }

    @Test func `friends are renamed`() async throws {
        try await Evolution([Models.Friends.Person.self], [Models.Peers.Person.self]).run(
            seed: [Models.people, "INSERT INTO person_friend_of (friends_pk, friend_of_pk) VALUES (1, 2), (3, 1)"],
            expecting: "SELECT peers_pk AS x, peer_of_pk AS y FROM person_peer_of ORDER BY 1",
            is: ["1|2", "3|1"], returning: .whole)
    }

    @Test func `friends go`() async throws {
        try await Evolution(
            [Models.Friends.Person.self], [Models.Alone.Person.self],
            changes: [.dropped(\Models.Friends.Person.friends)]
        ).run(
            seed: [Models.people, "INSERT INTO person_friend_of (friends_pk, friend_of_pk) VALUES (1, 2)"],
            expecting: "SELECT count(*), to_regclass('person_friend_of')::text AS t FROM person", is: ["3|nil"],
            returning: .none(because: "dropped values cannot come back: Person.friends, Person.friendOf")
        )
    }

    @Test func `friends that go unsaid are refused`() throws {
        let evolution = try Evolution([Models.Friends.Person.self], [Models.Alone.Person.self])
        let error = #expect(throws: MigrationError.self) { try evolution.scripts() }
        #expect(Set(error?.places ?? []) == ["Person.friends", "Person.friendOf"])
    }

    @Test func `spouses are added`() async throws {
        try await Evolution([Models.Alone.Person.self], [Models.Spouses.Person.self]).run(
            seed: [Models.people], expecting: "SELECT count(spouse) FROM person", is: ["0"], returning: .whole)
    }

    @Test func `spouses go`() async throws {
        try await Evolution(
            [Models.Spouses.Person.self], [Models.Alone.Person.self],
            changes: [.dropped(\Models.Spouses.Person.spouse)]
        ).run(
            seed: [Models.people, "UPDATE person SET spouse = 3 - pk WHERE pk < 3"],
            expecting: "SELECT * FROM person ORDER BY 1", is: ["1|a", "2|b", "3|c"],
            returning: .none(because: "dropped values cannot come back: Person.spouse"))
    }
}
