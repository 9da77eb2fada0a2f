import Strata
import StrataTestSupport
import Testing

/// What the differential run has found, as the few steps that showed it: one after the other on one store, which each run empties.
@Suite(.serialized, .onOneStore) struct GraphFindingTests {
    @Test func `what a deletion by predicate takes is in no other deletion's way`() async throws {
        try await expectAgreement(
            .create(0, .robot, 2, [:], [:]), .create(0, .tag, 3, [.size: .number(2)], [.tagAsset: 2]), .save(0, .throw),
            .deleteWhere(0, .tag, .number(.size, isMore: true, 1)), .delete(0, 2), .save(0, .throw))
    }

    @Test func `a new object that a rule takes along is new again after a failed transaction`() async throws {
        try await expectAgreement(
            .create(2, .machine, 8, [:], [:]), .save(2, .throw), .create(2, .part, 56, [:], [.partMachine: 8]),
            .delete(2, 8),
            .transaction(2, [.save(2, .throw)], fails: true), .keep(2, 8), .save(2, .throw))
    }

    @Test func `a reference to what a deletion by predicate takes is nil afterwards`() async throws {
        try await expectAgreement(
            .create(0, .site, 43, [.name: .text("a")], [:]), .create(0, .robot, 73, [:], [.assetSite: 43]),
            .save(0, .throw),
            .fetch(1, .robot, GraphQuery()), .deleteWhere(1, .site, .text(.name, .text("a"))), .save(1, .throw))
    }

    @Test func `an end that was loaded in a failed transaction shows what is unsaved before it`() async throws {
        try await expectAgreement(
            .create(2, .asset, 73, [:], [:]), .save(2, .throw), .fetch(0, .asset, GraphQuery()),
            .create(0, .robot, 37, [:], [.assetHolder: 73]), .create(0, .robot, 22, [:], [:]),
            .transaction(0, [.assign(0, 73, .assetHolder, [22])], fails: true), .read(0, 73, .assetHolder))
    }

    @Test func `an end loses what others have deleted when the save keeps what the store has`() async throws {
        try await expectAgreement(
            .create(2, .bill, 36, [:], [:]), .create(2, .bill, 43, [:], [:]), .save(2, .throw),
            .fetch(0, .bill, GraphQuery()), .erase(36), .create(0, .site, 62, [:], [:]),
            .assign(0, 62, .billSite, [36, 43]),
            .save(0, .keepStore))
    }

    @Test func `a partner that others have deleted is nil when the save keeps what the store has`() async throws {
        try await expectAgreement(
            .create(1, .badge, 7, [:], [:]), .save(1, .throw), .create(1, .person, 8, [:], [:]),
            .point(1, 7, .badgePerson, 8),
            .erase(7), .save(1, .keepStore))
    }

    @Test func `an end that was loaded meanwhile shows an object again whose deletion is taken back`() async throws {
        try await expectAgreement(
            .create(1, .robot, 9, [:], [:]), .create(1, .robot, 21, [:], [.assetHolder: 9]), .save(1, .throw),
            .fetch(0, .asset, GraphQuery()), .delete(0, 21), .read(0, 9, .assetHolder), .keep(0, 21),
            .read(0, 9, .assetHolder))
    }

    @Test func `a new object may refer to what is deleted in its save, also where deletions come first`() async throws {
        try await expectAgreement(
            .create(0, .person, 57, [:], [:]), .create(0, .badge, 42, [:], [:]), .save(0, .throw),
            .create(0, .badge, 118, [:], [:]), .point(0, 118, .badgePerson, 57), .delete(0, 42), .delete(0, 57),
            .save(0, .throw))
    }

    @Test func `pairs that were loaded meanwhile show an object again whose deletion is taken back`() async throws {
        try await expectAgreement(
            .create(0, .person, 95, [:], [:]), .create(0, .person, 117, [:], [:]), .create(0, .skill, 86, [:], [:]),
            .pair(0, 95, 86, fromSkill: false), .save(0, .throw), .renew(0), .fetch(0, .person, GraphQuery()),
            .fetch(0, .skill, GraphQuery()), .delete(0, 86), .readPairs(0, 95), .keep(0, 86), .readPairs(0, 95),
            .save(0, .throw), .readPairs(0, 95))
    }

    @Test func `a partner that was loaded meanwhile is there again when its deletion is taken back`() async throws {
        try await expectAgreement(
            .create(0, .person, 8, [:], [:]), .create(0, .badge, 7, [:], [.badgePerson: 8]), .save(0, .throw),
            .fetch(1, .person, GraphQuery()), .fetch(1, .badge, GraphQuery()), .delete(1, 7),
            .read(1, 8, .badgePerson), .keep(1, 7), .read(1, 8, .badgePerson), .save(1, .throw))
    }

    @Test func `what forbids a deletion in memory is seen before a conflict`() async throws {
        try await expectAgreement(
            .create(0, .asset, 1, [:], [:]), .create(0, .asset, 2, [:], [:]), .create(0, .tag, 3, [:], [.tagAsset: 1]),
            .save(0, .throw), .point(0, 3, .tagAsset, 1), .delete(0, 1), .move(3, .tagAsset, 2), .save(0, .throw))
    }

    @Test func `taking a deletion back is no edit of a partner that has another one in the store`() async throws {
        try await expectAgreement(
            .create(0, .person, 39, [:], [:]), .create(0, .badge, 31, [:], [.badgePerson: 39]), .save(0, .throw),
            .create(1, .person, 74, [:], [:]), .fetch(1, .badge, GraphQuery()), .point(1, 31, .badgePerson, 74),
            .erase(39),
            .save(1, .keepStore), .delete(1, 74), .keep(1, 74), .save(1, .throw))
    }

    @Test func `an object leaves the array that it was in although it was not known where it was`() async throws {
        var prefetching = GraphQuery()
        prefetching.reading = .prefetching
        try await expectAgreement(
            .create(1, .asset, 58, [:], [:]), .save(1, .throw), .create(2, .asset, 29, [:], [:]),
            .create(2, .asset, 39, [:], [:]), .create(2, .tag, 30, [:], [.tagAsset: 29]), .save(2, .throw),
            .move(30, .tagAsset, 58), .point(2, 30, .tagAsset, 39), .save(2, .keepStore), .delete(2, 30),
            .fetch(2, .asset, prefetching), .rollback(2), .create(2, .asset, 77, [:], [:]),
            .append(2, 77, .tagAsset, 30), .save(2, .throw))
    }

    @Test func `what others have deleted is missed by a new object, whatever else the save deletes`() async throws {
        try await expectAgreement(
            .create(0, .site, 7, [:], [:]), .create(0, .site, 16, [:], [:]), .save(0, .throw),
            .fetch(2, .site, GraphQuery()), .delete(2, 16), .create(2, .machine, 93, [:], [.assetSite: 7]), .erase(7),
            .refresh(2), .save(2, .throw))
    }

    @Test(arguments: [GraphKind.asset, .machine, .robot])
    func `an object that was fetched in part becomes one of another class`(kind: GraphKind) async throws {
        var part = GraphQuery()
        part.reading = .partial
        try await expectAgreement(
            .create(0, kind == .machine ? .robot : .machine, 1, [.size: .number(3)], [:]), .save(0, .throw),
            .fetch(1, .asset, part), .convert(1, 1, kind), .fetch(1, .asset, GraphQuery()))
    }

    @Test func `a deletion that is done again keeps the pairs of what it deletes`() async throws {
        try await expectAgreement(
            .create(0, .skill, 56, [:], [:]), .create(0, .person, 76, [:], [:]), .save(0, .throw),
            .fetch(1, .skill, GraphQuery()), .create(1, .skill, 60, [:], [:]), .fetch(1, .person, GraphQuery()),
            .pair(1, 76, 56, fromSkill: true),
            .undo(1, [.delete(1, 56), .pair(1, 76, 60, fromSkill: false)], redoes: true), .keep(1, 56), .save(1, .throw)
        )
    }

    @Test func `a partner that was loaded after an edit follows when the edit is taken back`() async throws {
        try await expectAgreement(
            .create(0, .person, 7, [:], [:]), .create(0, .person, 9, [:], [:]),
            .create(0, .badge, 46, [:], [.badgePerson: 7]), .save(0, .throw), .fetch(1, .person, GraphQuery()),
            .fetch(1, .badge, GraphQuery()),
            .undo(1, [.point(1, 46, .badgePerson, nil), .point(1, 46, .badgePerson, 9)], redoes: true), .save(1, .throw)
        )
    }

    @Test func `what comes back with an undo is at the ends that were loaded without it, and stays there`() async throws
    {
        try await expectAgreement(
            .create(0, .skill, 56, [:], [:]), .save(0, .throw), .fetch(1, .skill, GraphQuery()),
            .create(1, .skill, 60, [:], [:]), .create(0, .person, 76, [:], [:]), .save(0, .throw),
            .fetch(1, .person, GraphQuery()), .pair(1, 76, 56, fromSkill: true), .save(1, .throw), .refresh(1),
            .undo(1, [.delete(1, 56), .pair(1, 76, 60, fromSkill: false)], redoes: true), .keep(1, 56), .save(1, .throw)
        )
    }

    @Test func `a conversion that fails within a transaction leaves unsaved what was unsaved before`() async throws {
        try await expectAgreement(
            .create(0, .robot, 10, [:], [:]), .save(0, .throw), .create(0, .part, 19, [:], [.partMachine: 10]),
            .transaction(
                0, [.create(0, .site, 23, [:], [:]), .convert(0, 10, .asset), .delete(0, 19), .save(0, .throw)],
                fails: false))
    }

    @Test func `an object that a fetch met twice has all its own ends, beside unsaved changes`() async throws {
        try await expectAgreement(
            .create(1, .skill, 48, [:], [:]), .create(1, .skill, 83, [:], [:]), .create(1, .skill, 96, [:], [:]),
            .create(1, .person, 84, [:], [:]), .pair(1, 84, 48, fromSkill: true), .pair(1, 84, 96, fromSkill: true),
            .save(1, .throw), .fetch(2, .skill, GraphQuery()), .fetch(2, .person, GraphQuery()),
            .pair(2, 84, 96, fromSkill: true), .unpair(2, 84, 83, fromSkill: false))
    }

    @Test func `what is written unread to a row that is gone goes with it if the store has its way`() async throws {
        var part = GraphQuery()
        part.reading = .partial
        try await expectAgreement(
            .create(0, .machine, 1, [:], [:]), .save(0, .throw), .fetch(2, .asset, part), .erase(1),
            .set(2, 1, .power, .number(3)), .save(2, .keepStore))
    }

    @Test func `an end does not show what others took apart, whatever is unsaved at the other`() async throws {
        try await expectAgreement(
            .create(0, .skill, 23, [:], [:]), .create(0, .person, 123, [:], [:]), .create(0, .person, 100, [:], [:]),
            .pair(0, 123, 23, fromSkill: true), .save(0, .throw), .fetch(1, .skill, GraphQuery()),
            .fetch(1, .person, GraphQuery()), .pair(1, 100, 23, fromSkill: true), .unpair(0, 123, 23, fromSkill: true),
            .save(0, .throw), .fetch(1, .robot, GraphQuery()), .readPairs(1, 123), .save(1, .throw))
    }

    @Test func `what came to an end that was loaded within a group leaves it when the group is taken back`()
        async throws
    {
        try await expectAgreement(
            .create(0, .site, 9, [:], [:]), .create(0, .site, 92, [:], [:]), .create(0, .bill, 140, [:], [:]),
            .save(0, .throw), .fetch(1, .site, GraphQuery()), .fetch(1, .bill, GraphQuery()),
            .undo(1, [.point(1, 140, .billSite, 9), .assign(1, 92, .billSite, [140])], redoes: true), .save(1, .throw))
        try await expectAgreement(
            .create(0, .person, 9, [:], [:]), .create(0, .skill, 92, [:], [:]), .create(0, .skill, 93, [:], [:]),
            .save(0, .throw), .fetch(1, .person, GraphQuery()), .fetch(1, .skill, GraphQuery()),
            .undo(
                1,
                [
                    .pair(1, 9, 92, fromSkill: true), .unpair(1, 9, 92, fromSkill: false),
                    .pair(1, 9, 93, fromSkill: true),
                ],
                redoes: false), .save(1, .throw))
    }

    @Test func `a new object leaves the ends that were loaded after it came to them`() async throws {
        try await expectAgreement(
            .create(0, .site, 32, [:], [:]), .create(0, .site, 173, [:], [:]), .create(0, .asset, 5, [:], [:]),
            .create(0, .machine, 74, [:], [:]), .save(0, .throw), .fetch(1, .site, GraphQuery()),
            .fetch(1, .asset, GraphQuery()),
            .undo(
                1,
                [
                    .create(1, .asset, 183, [:], [.assetHolder: 5, .assetSite: 173]), .append(1, 32, .assetSite, 74),
                ], redoes: true), .save(1, .throw))
    }

    @Test func `an object that was fetched in part and changed leaves an array`() async throws {
        var part = GraphQuery()
        part.reading = .partial
        try await expectAgreement(
            .create(0, .site, 1, [:], [:]), .create(0, .job, 2, [:], [.jobSite: 1]), .save(0, .throw),
            .fetch(1, .job, part), .set(1, 2, .size, .number(3)), .fetch(1, .site, GraphQuery()),
            .remove(1, 1, .jobSite, 2), .save(1, .throw), .create(0, .site, 3, [:], [:]), .save(0, .throw),
            .move(2, .jobSite, 1), .renew(1), .fetch(1, .job, part), .set(1, 2, .size, .number(4)),
            .fetch(1, .site, GraphQuery()), .append(1, 3, .jobSite, 2), .save(1, .throw))
    }

    @Test func `where a reference led is read before it leads elsewhere, and compared`() async throws {
        var part = GraphQuery()
        part.reading = .partial
        try await expectAgreement(
            .create(0, .site, 7, [:], [:]), .create(0, .robot, 16, [:], [.assetSite: 7]),
            .create(0, .site, 52, [:], [:]),
            .save(0, .throw), .fetch(1, .robot, part), .fetch(1, .site, GraphQuery()), .point(1, 16, .assetSite, 52),
            .deleteWhere(1, .site, .number(.size, isMore: false, 0)), .save(1, .throw))
    }

    @Test func `a badge that was fetched in part and changed loses its person to another`() async throws {
        var part = GraphQuery()
        part.reading = .partial
        try await expectAgreement(
            .create(0, .person, 1, [:], [:]), .create(0, .badge, 2, [:], [.badgePerson: 1]),
            .create(0, .badge, 3, [:], [:]),
            .save(0, .throw), .fetch(1, .badge, part), .set(1, 2, .size, .number(3)), .fetch(1, .person, GraphQuery()),
            .append(1, 1, .badgePerson, 3), .save(1, .throw))
    }

    @Test func `what a deletion takes along in memory goes, also over what others have deleted`() async throws {
        try await expectAgreement(
            .create(0, .asset, 12, [:], [:]), .create(0, .asset, 65, [:], [:]), .save(0, .throw),
            .fetch(1, .asset, GraphQuery()), .point(0, 65, .assetHolder, 12), .delete(0, 12),
            .create(0, .machine, 191, [:], [.assetHolder: 65]), .delete(1, 65), .save(1, .throw),
            .count(0, .asset, GraphQuery()), .save(0, .throw))
    }

    @Test func `an object of another class that is read for an edit is edited`() async throws {
        try await expectAgreement(
            .create(0, .site, 20, [:], [:]), .create(0, .asset, 97, [:], [.assetSite: 20]), .save(0, .throw),
            .fetch(1, .site, GraphQuery()), .fetch(1, .asset, GraphQuery()), .convert(0, 97, .robot),
            .assign(1, 20, .assetSite, []), .save(1, .throw))
    }

    @Test func `an object may refer to what is deleted in its save, also where deletions come first`() async throws {
        try await expectAgreement(
            .create(0, .asset, 57, [:], [:]), .create(0, .site, 98, [:], [:]), .create(0, .person, 1, [:], [:]),
            .create(0, .badge, 2, [:], [.badgePerson: 1]), .create(0, .badge, 3, [:], [:]),
            .create(0, .skill, 100, [.code: .text("x")], [:]), .save(0, .throw), .point(0, 57, .assetSite, 98),
            .delete(0, 98), .point(0, 3, .badgePerson, 1), .delete(0, 2), .delete(0, 1), .delete(0, 100),
            .set(0, 57, .size, .number(4)), .create(0, .skill, 101, [.code: .text("x")], [:]), .save(0, .throw))
    }

    @Test func `an object that a refresh finds gone leaves the ends with unsaved changes`() async throws {
        var prefetching = GraphQuery()
        prefetching.reading = .prefetching
        try await expectAgreement(
            .create(0, .site, 6, [:], [:]), .create(0, .machine, 17, [:], [.assetSite: 6]), .save(0, .throw),
            .fetch(2, .asset, GraphQuery()), .delete(2, 17), .erase(17), .fetch(2, .site, prefetching), .keep(2, 17),
            .refresh(2))
    }

    @Test func `an end that has read otherwise gets an object back that is set to lead there`() async throws {
        var prefetching = GraphQuery()
        prefetching.reading = .prefetching
        try await expectAgreement(
            .create(0, .site, 1, [:], [:]), .create(0, .site, 2, [:], [:]), .create(0, .asset, 3, [:], [.assetSite: 1]),
            .save(0, .throw), .fetch(1, .asset, GraphQuery()), .set(1, 3, .size, .number(3)), .move(3, .assetSite, 2),
            .fetch(1, .robot, GraphQuery()), .fetch(1, .site, prefetching), .point(1, 3, .assetSite, 1),
            .save(1, .overwrite))
    }

    @Test func `an object whose deletion is taken back does not come to where others have moved it from`() async throws
    {
        var prefetching = GraphQuery()
        prefetching.reading = .prefetching
        try await expectAgreement(
            .create(0, .asset, 1, [:], [:]), .create(0, .asset, 2, [:], [:]),
            .create(0, .machine, 3, [:], [.assetHolder: 1]), .save(0, .throw), .fetch(2, .asset, GraphQuery()),
            .move(3, .assetHolder, 2), .set(2, 3, .size, .number(4)), .fetch(2, .asset, prefetching), .rollback(2),
            .undo(2, [.delete(2, 3)], redoes: false), .fetch(2, .machine, GraphQuery()))
    }

    @Test func `an object may refer to what is deleted in its save, also where others have deleted it`() async throws {
        try await expectAgreement(
            .create(2, .asset, 73, [:], [:]), .save(2, .throw), .create(1, .site, 84, [:], [:]), .save(1, .throw),
            .fetch(2, .site, GraphQuery()), .erase(84), .point(2, 73, .assetSite, 84), .delete(2, 84),
            .save(2, .overwrite))
    }

    @Test(arguments: [ConflictPolicy.throw, .keepStore])
    func `what others have deleted cannot come to an array that it knows nothing of`(policy: ConflictPolicy)
        async throws
    {
        try await expectAgreement(
            .create(0, .badge, 19, [:], [:]), .create(0, .site, 118, [:], [:]), .save(0, .throw),
            .fetch(2, .badge, GraphQuery()), .fetch(2, .site, GraphQuery()), .give(2, 118, 19), .erase(19),
            .save(2, policy))
    }

    @Test func `what is back after an undo does not show a new object that went with it`() async throws {
        try await expectAgreement(
            .create(2, .asset, 12, [:], [:]),
            .undoSaved(
                2, [.create(2, .asset, 46, [:], [.assetHolder: 12]), .delete(2, 12)], saves: true, redoes: true))
    }

    @Test func `what left an object before it was deleted stays when the deletion is done again`() async throws {
        try await expectAgreement(
            .create(0, .machine, 1, [:], [:]), .create(0, .machine, 2, [:], [:]),
            .create(0, .part, 3, [:], [.partMachine: 1]), .save(0, .throw),
            .undoSaved(1, [.point(1, 3, .partMachine, 2), .delete(1, 1)], saves: true, redoes: true))
    }

    @Test func `what left an object that a rule takes along stays when the deletion is done again`() async throws {
        try await expectAgreement(
            .create(0, .asset, 1, [:], [:]), .create(0, .machine, 2, [:], [.assetHolder: 1]),
            .create(0, .machine, 4, [:], [:]), .create(0, .part, 3, [:], [.partMachine: 2]), .save(0, .throw),
            .undoSaved(1, [.point(1, 3, .partMachine, 4), .delete(1, 1)], saves: true, redoes: true))
    }

    @Test func `of several owners that claim an object the last has it, also where that is new`() async throws {
        try await expectAgreement(
            .create(0, .site, 1, [:], [:]), .create(0, .badge, 2, [:], [:]), .save(0, .throw), .give(0, 1, 2),
            .create(0, .site, 3, [:], [:]), .give(0, 3, 2), .save(0, .throw), .readGiven(0, 1), .readGiven(0, 3))
        try await expectAgreement(
            .create(0, .site, 1, [:], [:]), .create(0, .site, 3, [:], [:]), .create(0, .badge, 2, [:], [:]),
            .save(0, .throw), .give(0, 3, 2), .set(0, 1, .size, .number(2)), .give(0, 1, 2), .withdraw(0, 3, 2),
            .give(0, 3, 2), .save(0, .throw), .readGiven(0, 1), .readGiven(0, 3))
    }

    @Test func `an undo gives back what a save took from another owner`() async throws {
        for (saves, redoes) in [(false, false), (true, false), (false, true), (true, true)] {
            try await expectAgreement(
                .create(0, .site, 1, [:], [:]), .create(0, .site, 3, [:], [:]), .create(0, .badge, 2, [:], [:]),
                .give(0, 1, 2), .save(0, .throw),
                .undoSaved(1, [.give(1, 3, 2)], saves: saves, redoes: redoes, reads: true), .save(1, .throw),
                .readGiven(1, 1), .readGiven(1, 3))
        }
    }

    @Test func `new objects of a group that are one row were not there before the group`() async throws {
        for (saves, redoes) in [(false, false), (true, false), (false, true), (true, true)] {
            try await expectAgreement(
                .undoSaved(
                    0,
                    [
                        .create(0, .skill, 30, [.code: .text("x"), .size: .number(1)], [:]),
                        .create(0, .skill, 33, [.code: .text("x"), .size: .number(2)], [:]),
                    ], saves: saves, redoes: redoes))
        }
    }

    @Test func `what left an object that goes anyway is in no conflict with a deletion by predicate of it`()
        async throws
    {
        for policy in [ConflictPolicy.throw, .keepStore, .overwrite] {
            try await expectAgreement(
                .create(0, .person, 31, [:], [:]), .create(0, .badge, 5, [:], [.badgePerson: 31]), .save(0, .throw),
                .create(0, .badge, 6, [:], [.badgePerson: 31]), .deleteWhere(0, .person, nil), .delete(0, 31),
                .save(0, policy))
        }
    }

    @Test func `what the group changed of an object before a new one took its row is taken back there`() async throws {
        for (saves, redoes) in [(false, false), (true, false), (false, true), (true, true)] {
            try await expectAgreement(
                .create(2, .skill, 111, [.code: .text("x"), .note: .text("b"), .size: .number(1)], [:]),
                .undoSaved(
                    2,
                    [
                        .create(2, .skill, 114, [.code: .text("x"), .note: .text("é"), .size: .number(4)], [:]),
                        .set(2, 114, .size, .number(5)), .set(2, 111, .note, .empty),
                    ], saves: saves, redoes: redoes))
        }
    }

    @Test func `who came to an object that the group deletes is not there when it is back`() async throws {
        for (saves, redoes) in [(false, false), (true, false), (false, true), (true, true)] {
            try await expectAgreement(
                .transaction(0, [.create(0, .skill, 11, [:], [:])], fails: false), .create(0, .person, 175, [:], [:]),
                .undoSaved(0, [.pair(0, 175, 11, fromSkill: false), .delete(0, 11)], saves: saves, redoes: redoes),
                .readPairs(0, 11), .readPairs(0, 175))
            try await expectAgreement(
                .create(0, .site, 1, [:], [:]), .create(0, .asset, 3, [:], [:]), .save(0, .throw), .renew(0),
                .fetch(0, .site, GraphQuery()), .fetch(0, .asset, GraphQuery()),
                .undoSaved(0, [.point(0, 3, .assetSite, 1), .delete(0, 1)], saves: saves, redoes: redoes),
                .read(0, 1, .assetSite))
            try await expectAgreement(
                .create(0, .person, 1, [:], [:]), .create(0, .badge, 3, [:], [:]), .save(0, .throw), .renew(0),
                .fetch(0, .person, GraphQuery()), .fetch(0, .badge, GraphQuery()),
                .undoSaved(0, [.point(0, 3, .badgePerson, 1), .delete(0, 1)], saves: saves, redoes: redoes),
                .read(0, 1, .badgePerson))
        }
    }

    @Test func `what was read in a failed transaction stands for its row in what is unsaved`() async throws {
        try await expectAgreement(
            .create(0, .robot, 5, [:], [:]), .create(0, .machine, 6, [:], [:]), .save(0, .throw),
            .fetch(2, .asset, GraphQuery()), .create(2, .part, 43, [:], [.partMachine: 6]),
            .point(2, 43, .partMachine, 5), .convert(0, 5, .machine), .transaction(2, [.refresh(2)], fails: true),
            .save(2, .overwrite))
    }

    @Test func `what others have moved away does not go with its former owner once that is known`() async throws {
        try await expectAgreement(
            .create(0, .machine, 20, [:], [:]), .create(0, .machine, 24, [:], [.assetHolder: 20]), .save(0, .throw),
            .fetch(1, .asset, GraphQuery()), .read(0, 20, .assetHolder), .set(0, 20, .size, .number(1)),
            .point(1, 24, .assetHolder, 24), .save(1, .throw), .delete(1, 20), .save(1, .throw), .refresh(0),
            .delete(0, 20), .fetch(0, .asset, GraphQuery()), .save(0, .throw))
    }

    @Test func `an array that is loaded for the deletion of its owner has those again that went with it`() async throws
    {
        for (saves, redoes) in [(false, false), (true, false), (false, true), (true, true)] {
            try await expectAgreement(
                .create(2, .site, 244, [:], [:]), .create(2, .badge, 245, [:], [:]), .give(2, 244, 245),
                .undoSaved(2, [.delete(2, 245), .delete(2, 244)], saves: saves, redoes: redoes))
        }
    }

    @Test func `a pair of an object whose row the group gave to another one goes with an undo`() async throws {
        for (saves, redoes) in [(false, false), (true, false), (false, true), (true, true)] {
            try await expectAgreement(
                .create(2, .person, 6, [:], [:]), .create(2, .skill, 42, [.code: .text("z")], [:]), .save(2, .throw),
                .undoSaved(
                    2, [.pair(2, 6, 42, fromSkill: true), .create(2, .skill, 48, [.code: .text("z")], [:])],
                    saves: saves, redoes: redoes, reads: true),
                .save(2, .throw))
            try await expectAgreement(
                .create(0, .person, 12, [:], [:]), .save(0, .throw),
                .undoSaved(2, [.create(2, .skill, 148, [.code: .text("x")], [:])], saves: true, redoes: true),
                .undoSaved(
                    2, [.pair(2, 12, 148, fromSkill: true), .create(2, .skill, 154, [.code: .text("x")], [:])],
                    saves: saves, redoes: redoes, reads: true),
                .save(2, .throw))
        }
    }

    @Test func `a rollback leads to what stands for a row that has become one of another class`() async throws {
        try await expectAgreement(
            .create(0, .site, 3, [:], [:]), .save(0, .throw), .create(2, .machine, 10, [.size: .number(3)], [:]),
            .fetch(1, .site, GraphQuery()), .create(2, .robot, 34, [.note: .text("c")], [:]), .save(2, .throw),
            .create(2, .part, 36, [:], [.partMachine: 34]), .fetch(1, .asset, GraphQuery()),
            .convert(2, 34, .machine), .fetch(1, .part, GraphQuery(reading: .partial)),
            .create(1, .robot, 86, [:], [.assetSite: 3]), .append(1, 86, .partMachine, 36),
            .fetch(1, .machine, GraphQuery()), .rollback(1),
            .transaction(1, [.append(1, 10, .partMachine, 36)], fails: false))
    }

    @Test func `an undo leaves an array that was read after its member as the rows have it`() async throws {
        try await expectAgreement(
            .create(2, .bill, 38, [:], [:]), .save(2, .throw), .create(0, .person, 81, [:], [:]),
            .create(0, .person, 82, [:], [.personBoss: 81]), .undoSaved(1, [], saves: false, redoes: false),
            .transaction(0, [], fails: false), .fetch(1, .person, GraphQuery()), .fetch(2, .person, GraphQuery()),
            .append(2, 82, .billPayer, 38), .save(2, .overwrite), .point(1, 38, .billPayer, nil),
            .read(1, 82, .billPayer), .rollback(1), .undo(1, [.point(1, 38, .billPayer, 82)], redoes: false),
            .refresh(1))
    }

    @Test func `a partner that was left out for its deletion is back, though others had given it`() async throws {
        func first(_ limit: Int, by attribute: GraphAttribute, isAscending: Bool) -> GraphQuery {
            GraphQuery(
                order: [.init(attribute: attribute, isAscending: isAscending)], limit: limit, reading: .prefetching)
        }
        try await expectAgreement(
            .create(1, .person, 63, [.size: .number(1)], [:]), .create(0, .badge, 103, [:], [:]), .save(0, .throw),
            .transaction(1, [.fetch(1, .badge, GraphQuery())], fails: true), .save(1, .throw),
            .fetch(0, .person, GraphQuery()), .create(0, .person, 140, [:], [.personBoss: 63]), .delete(1, 103),
            .undoSaved(0, [.point(0, 103, .badgePerson, 140)], saves: true, redoes: true, reads: true),
            .fetch(1, .tag, first(1, by: .note, isAscending: true)),
            .fetch(1, .person, first(4, by: .size, isAscending: false)), .keep(1, 103), .refresh(1))
    }

    @Test func `what was found gone is in no deletion's way`() async throws {
        try await expectAgreement(
            .create(1, .asset, 5, [.size: .number(5)], [:]), .create(1, .tag, 6, [:], [.tagAsset: 5]),
            .save(1, .overwrite),
            .deleteWhere(2, .tag, .not(.target(.tagAsset, 4))), .transaction(2, [], fails: false), .delete(1, 5),
            .undoSaved(1, [], saves: false, redoes: false, reads: true), .erase(5), .transaction(1, [], fails: true),
            .save(1, .keepStore))
    }

    @Test func `who others have moved to an owner may come to the end there`() async throws {
        try await expectAgreement(
            .create(2, .job, 32, [:], [:]), .create(2, .job, 45, [:], [:]), .create(2, .site, 90, [:], [:]),
            .save(2, .throw), .fetch(0, .job, GraphQuery()), .fetch(0, .site, GraphQuery()),
            .fetch(1, .job, GraphQuery()), .fetch(1, .site, GraphQuery()), .assign(1, 90, .jobSite, [32, 45]),
            .save(1, .throw), .point(0, 32, .jobSite, 90), .save(0, .keepStore))
    }

    @Test func `a new object is found although a row that is to be deleted has its unique value`() async throws {
        try await expectAgreement(
            .create(2, .site, 43, [:], [:]), .save(2, .throw), .undoSaved(1, [], saves: true, redoes: false),
            .unique(1, .ignore), .transaction(1, [.create(1, .machine, 126, [:], [.assetSite: 43])], fails: false),
            .erase(126), .deleteWhere(1, .skill, .number(.size, isMore: true, 0)),
            .create(1, .skill, 139, [.code: .text("y"), .size: .number(2)], [:]),
            .create(0, .skill, 151, [.code: .text("y"), .size: .number(1)], [:]), .save(0, .keepStore),
            .undoSaved(1, [], saves: false, redoes: true))
    }

    @Test func `a row that was inserted and taken over in groups of their own is taken back`() async throws {
        for (saves, redoes) in [(false, false), (true, false), (false, true), (true, true)] {
            try await expectAgreement(
                .undoSaved(
                    2,
                    [
                        .create(2, .skill, 78, [.code: .text("y"), .size: .number(5)], [:]), .save(2, .throw),
                        .create(2, .skill, 80, [.code: .text("y"), .size: .number(3)], [:]),
                    ], saves: saves, redoes: redoes))
        }
    }

    private func expectAgreement(_ steps: GraphStep..., at place: SourceLocation = #_sourceLocation) async throws {
        let store = try #require(GraphStoreTrait.store)
        let heard = store.warnings.count
        if let difference = try await store.trial().difference(of: steps) {
            Issue.record("\(difference)", sourceLocation: place)
        }
        #expect(store.warnings.dropFirst(heard) == [], "the server warns of nothing", sourceLocation: place)
    }
}
