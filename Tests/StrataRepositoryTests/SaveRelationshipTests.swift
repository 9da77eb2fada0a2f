import StrataClient
import StrataModels
import StrataRepository
import Testing

@Suite struct SaveRelationshipTests {
    typealias M = SaveModels

    @Test func pairsOfAManyToManyRelationshipAreWrittenOnce() async throws {
        try await withSaveStore { store in
            let trip = M.Trip("Rome")
            let ann = M.Guest("Ann")
            let bob = M.Guest("Bob")
            trip.guests = [ann, bob]
            store.insert(trip)
            try await store.save()
            #expect(
                try await store.rows("SELECT g.name FROM guest_trips j JOIN guest g ON g.pk = j.guest_pk ORDER BY 1")
                    == ["Ann", "Bob"])
            let cyd = M.Guest("Cyd")
            trip.guests = [bob, cyd]
            try await store.save()
            #expect(
                store.recorder.statements.filter { $0.contains("guest_trips") } == [
                    #"DELETE FROM "public"."guest_trips" AS t USING unnest($1::bigint[], $2::bigint[]) AS u(a, b) WHERE t."guest_pk" = u.a AND t."trip_pk" = u.b"#,
                    #"INSERT INTO "public"."guest_trips" ("guest_pk", "trip_pk") SELECT u.a, u.b FROM unnest($1::bigint[], $2::bigint[]) AS u(a, b) ON CONFLICT DO NOTHING"#,
                ])
            #expect(
                try await store.rows("SELECT g.name FROM guest_trips j JOIN guest g ON g.pk = j.guest_pk ORDER BY 1")
                    == ["Bob", "Cyd"])
            store.delete(bob)
            try await store.save()
            #expect(
                try await store.rows("SELECT g.name FROM guest_trips j JOIN guest g ON g.pk = j.guest_pk ORDER BY 1")
                    == ["Cyd"])
        }
    }

    @Test func aToManyRelationshipWithoutInverseMovesBetweenOwners() async throws {
        try await withSaveStore { store in
            let rome = M.Trip("Rome")
            let paris = M.Trip("Paris")
            let one = M.Note("one")
            let two = M.Note("two")
            rome.notes = [one, two]
            store.insert(rome, paris)
            try await store.save()
            let query =
                "SELECT n.text || coalesce(t.name, '-') FROM note n LEFT JOIN trip t ON t.pk = n.trip_notes ORDER BY 1"
            #expect(try await store.rows(query) == ["oneRome", "twoRome"])
            paris.notes = [one]
            rome.notes = []
            try await store.save()
            #expect(try await store.rows(query) == ["oneParis", "two-"])
        }
    }

    @Test func partnersOfAOneToOneRelationshipSwap() async throws {
        try await withSaveStore { store in
            let rome = M.Trip("Rome")
            let paris = M.Trip("Paris")
            let tent = M.Lodging("tent")
            let hotel = M.Lodging("hotel")
            rome.lodging = tent
            paris.lodging = hotel
            store.insert(rome, paris)
            try await store.save()
            let query =
                "SELECT l.name || coalesce(t.name, '-') FROM lodging l LEFT JOIN trip t ON t.pk = l.trip ORDER BY 1"
            #expect(try await store.rows(query) == ["hotelParis", "tentRome"])
            tent.trip = paris
            hotel.trip = rome
            tent.name = "tent!"
            try await store.save()
            #expect(try await store.rows(query) == ["hotelRome", "tent!Paris"])
            rome.lodging = M.Lodging("boat")
            try await store.save()
            #expect(try await store.rows(query) == ["boatRome", "hotel-", "tent!Paris"])
            try #require(rome.lodging).name = "ship"
            store.delete(try #require(paris.lodging))
            paris.lodging = M.Lodging("raft")
            try await store.save()
            #expect(try await store.rows(query) == ["hotel-", "raftParis", "shipRome"])
        }
    }

    @Test func childrenThatMoveSurviveTheirFormerParent() async throws {
        try await withSaveStore { store in
            let rome = M.Trip("Rome")
            let stays = M.Item("stays")
            let goes = M.Item("goes")
            rome.items = [stays, goes]
            store.insert(rome)
            try await store.save()
            let paris = M.Trip("Paris")
            store.insert(paris)
            stays.trip = paris
            store.delete(rome)
            try await store.save()
            #expect(
                try await store.rows("SELECT i.title || t.name FROM item i JOIN trip t ON t.pk = i.trip") == [
                    "staysParis"
                ])
        }
    }

    @Test func nullifyIsLeftToTheForeignKeyAndFollowsInMemory() async throws {
        try await withSaveStore { store in
            let rome = M.Trip("Rome")
            let tent = M.Lodging("tent")
            rome.lodging = tent
            store.insert(rome)
            try await store.save()
            store.delete(rome)
            let propagation = try DeletePropagation([rome], mapping: store.mapping, registered: store)
            try await store.save()
            #expect(store.recorder.statements.count == 1)
            #expect(!store.recorder.statements[0].contains("lodging"))
            #expect(try await store.rows("SELECT coalesce(trip::text, 'none') FROM lodging") == ["none"])
            let cleared = propagation.apply()
            #expect(cleared.count == 1)
            #expect(cleared.first?.model === tent)
            #expect(tent.trip == nil)
        }
    }

    @Test func aDeniedDeletionSendsNothing() async throws {
        try await withSaveStore { store in
            let france = M.Country("France")
            let badge = M.Badge(1)
            france.badges = [badge]
            store.insert(france)
            try await store.save()
            store.delete(france)
            store.recorder.reset()
            let error = await store.failure()
            #expect(error?.code == .deleteDenied)
            #expect(error?.message.contains("Country.badges") == true)
            #expect(store.recorder.roundTrips == 0)
            // Together with what is in the way it may go.
            store.delete(badge)
            try await store.save()
            #expect(try await store.rows("SELECT count(*)::text FROM country") == ["0"])
        }
    }

    @Test func whatIsNotInMemoryIsDeniedByTheServer() async throws {
        try await withTwoSaveStores { one, other in
            let france = M.Country("France")
            france.badges = [M.Badge(1)]
            one.insert(france)
            try await one.save()
            let twin = try one.twin(of: france, in: other) { M.Country("France") }
            other.delete(twin)
            let error = await other.failure()
            #expect(error?.code == .deleteDenied)
            #expect(error?.message.contains("Badge.country") == true)
            #expect(error?.identifiers == [twin.persistentModelID])
        }
    }

    @Test func aTargetThatIsGoneIsNamed() async throws {
        try await withTwoSaveStores { one, other in
            let rome = M.Trip("Rome")
            one.insert(rome)
            try await one.save()
            let twin = try one.twin(of: rome, in: other) { M.Trip("Rome") }
            one.delete(rome)
            try await one.save()
            other.insert(M.Item("Forum", trip: twin))
            let error = await other.failure()
            #expect(error?.code == .modelNotFound)
            #expect(error?.message.contains("Item.trip") == true)
            #expect(error?.identifiers == [twin.persistentModelID])
        }
    }

    @Test func limitsAndRequiredTargetsAreCheckedBeforeAnythingIsSent() async throws {
        try await withSaveStore { store in
            let france = M.Country("France")
            france.badges = [M.Badge(1), M.Badge(2), M.Badge(3)]
            store.insert(france)
            store.recorder.reset()
            var error = await store.failure()
            #expect(error?.code == .modelValidationFailure)
            #expect(error?.message == "Country.badges has 3 objects; it must have at most 2.")
            france.badges = nil
            let city = M.City("Paris", country: france)
            store.insert(city)
            try await store.save()
            store.delete(france)
            store.recorder.reset()
            error = await store.failure()
            #expect(error?.code == .deleteDenied)
            #expect(error?.message.contains("City.country") == true)
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func aValueThatCannotBeEncodedIsNamedAndNothingIsSent() async throws {
        try await withSaveStore { store in
            store.insert(M.Note("zero \0"))
            store.recorder.reset()
            let error = await store.failure()
            #expect(error?.code == .invalidValue)
            #expect(error?.message.contains("Note.text") == true)
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func newObjectsOfADeletedParentGoWithIt() async throws {
        try await withSaveStore { store in
            let rome = M.Trip("Rome")
            store.insert(rome)
            try await store.save()
            store.insert(M.Item("late", trip: rome))
            store.delete(rome)
            try await store.save()
            #expect(try await store.rows("SELECT count(*)::text FROM item") == ["0"])
        }
    }
}
