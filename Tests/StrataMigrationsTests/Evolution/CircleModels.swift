import StrataModels

/// Classes that refer to themselves or to each other in a circle.
enum CircleModels {
    enum Alone {
        @Model class Person {
            var name: String = ""
            init() {}
        }
    }
    enum Tree {
        @Model class Person {
            var name: String = ""
            @Relationship(inverse: \Person.children) var parent: Person?
            var children: [Person] = []
            init() {}
        }
    }
    enum Renamed {
        @Model class Person {
            var name: String = ""
            @Relationship(originalName: "parent", inverse: \Person.pupils) var teacher: Person?
            @Relationship(originalName: "children") var pupils: [Person] = []
            init() {}
        }
    }
    enum Friends {
        @Model class Person {
            var name: String = ""
            @Relationship(originalName: "children", inverse: \Person.friendOf) var friends: [Person] = []
            @Relationship(originalName: "parent") var friendOf: [Person] = []
            init() {}
        }
    }
    enum Peers {
        @Model class Person {
            var name: String = ""
            @Relationship(originalName: "friends", inverse: \Person.peerOf) var peers: [Person] = []
            @Relationship(originalName: "friendOf") var peerOf: [Person] = []
            init() {}
        }
    }
    enum Spouses {
        @Model class Person {
            var name: String = ""
            var spouse: Person?
            init() {}
        }
    }
    enum OneWay {
        @Model class Person {
            var name: String = ""
            @Relationship(inverse: nil) var parent: Person?
            init() {}
        }
    }
    enum Two {
        @Model class Person {
            var name: String = ""
            init() {}
        }
        @Model class Team {
            @Relationship(inverse: nil) var leader: Member?
            init() {}
        }
        @Model class Member {
            @Relationship(inverse: nil) var team: Team?
            init() {}
        }
    }
    enum Three {
        @Model class Person {
            var name: String = ""
            @Relationship(inverse: nil) var team: Team?
            init() {}
        }
        @Model class Team {
            @Relationship(inverse: nil) var leader: Member?
            init() {}
        }
        @Model class Member {
            @Relationship(inverse: nil) var person: Person?
            init() {}
        }
    }

    static let people = "INSERT INTO person (pk, name) VALUES (1, 'a'), (2, 'b'), (3, 'c')"
    static let tree = "INSERT INTO person (pk, name, parent) VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', 1)"
}
