import Foundation
import StrataClient
import StrataModels
import StrataRepository
import Testing

@Suite struct SaveTests {
    typealias M = SaveModels

    @Test func aGraphWithoutUniqueValuesGoesInOneRoundTripParentsFirst() async throws {
        try await withSaveStore { store in
            let country = M.Country("France")
            let badge = M.Badge(7)
            badge.country = country
            store.insert(badge)
            try await store.save()
            #expect(
                store.recorder.flushes == [
                    [
                        "BEGIN",
                        #"INSERT INTO "public"."country" ("pk", "name", "capital") SELECT u.c0, u.c1, u.c2 FROM (SELECT $1::bigint AS c0, $2::text AS c1, $3::bigint AS c2) AS u"#,
                        #"INSERT INTO "public"."badge" ("pk", "number", "country") SELECT u.c0, u.c1, u.c2 FROM (SELECT $1::bigint AS c0, $2::smallint AS c1, $3::bigint AS c2) AS u"#,
                        "COMMIT",
                    ]
                ])
            #expect(
                try await store.rows("SELECT b.number::text || c.name FROM badge b JOIN country c ON c.pk = b.country")
                    == ["7France"])
        }
    }

    @Test func nothingChangedIsNoRoundTrip() async throws {
        try await withSaveStore { store in
            try await store.save()
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func classesWithUniqueValuesTakeTwoRoundTrips() async throws {
        try await withSaveStore { store in
            let trip = M.BusinessTrip("Paris")
            trip.tags = ["a", "b\"c"]
            trip.items = [M.Item("Louvre"), M.Item("Orsay")]
            store.insert(trip, M.Trip("Rome"))
            let result = try await store.save()
            #expect(store.recorder.roundTrips == 2)
            #expect(result.insertedCount == 4)
            #expect(
                try await store.rows(#"SELECT name || ' ' || class FROM trip ORDER BY pk"#) == [
                    "Paris BusinessTrip", "Rome Trip",
                ])
            #expect(try await store.rows("SELECT array_to_string(tags, '|') FROM business_trip") == [#"a|b"c"#])
            #expect(
                try await store.rows("SELECT i.title FROM item i JOIN trip t ON t.pk = i.trip ORDER BY 1") == [
                    "Louvre", "Orsay",
                ])
        }
    }

    @Test func tablesThatReferToEachOtherGoInOneStatement() async throws {
        try await withSaveStore { store in
            let france = M.Country("France")
            let paris = M.City("Paris", country: france)
            let lyon = M.City("Lyon", country: france)
            france.capital = paris
            paris.twin = lyon
            lyon.twin = paris
            store.insert(paris)
            try await store.save()
            #expect(store.recorder.roundTrips == 1)
            #expect(store.recorder.statements.count == 1)
            #expect(
                try await store.rows(
                    "SELECT c.name || t.name || n.name FROM city c JOIN city t ON t.pk = c.twin JOIN country n ON n.capital IS NOT NULL ORDER BY 1"
                )
                    == ["LyonParisFrance", "ParisLyonFrance"])
        }
    }

    @Test func onlyChangedColumnsAreWrittenAndTheirOldValuesCompared() async throws {
        try await withSaveStore { store in
            let rome = M.Trip("Rome")
            let paris = M.BusinessTrip("Paris")
            store.insert(rome, paris)
            try await store.save()
            rome.days = 3
            paris.days = 4
            paris.perdiem = 20
            try await store.save()
            #expect(
                store.recorder.flushes == [
                    [
                        "BEGIN",
                        #"WITH written AS (UPDATE "public"."business_trip" AS t SET "perdiem" = $2::double precision WHERE t."pk" = $1::bigint AND t."perdiem" IS NOT DISTINCT FROM $3::double precision RETURNING t."pk") SELECT 1 FROM written HAVING 1 / (count(*) = 1)::int = 0"#,
                        #"WITH written AS (UPDATE "public"."trip" AS t SET "days" = u.n0 FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u(pk, n0, o0) WHERE t."pk" = u.pk AND t."days" IS NOT DISTINCT FROM u.o0 RETURNING t."pk") SELECT 1 FROM written HAVING 1 / (count(*) = cardinality($1))::int = 0"#,
                        "COMMIT",
                    ]
                ])
            #expect(try await store.rows("SELECT days::text FROM trip ORDER BY pk") == ["3", "4"])
        }
    }

    @Test func deletionsGoByRootReferencingTablesFirst() async throws {
        try await withSaveStore { store in
            let trip = M.BusinessTrip("Paris")
            let kept = M.Trip("Rome")
            let item = M.Item("Louvre", trip: trip)
            let other = M.Item("Colosseo", trip: kept)
            store.insert(trip, kept, item, other)
            try await store.save()
            store.delete(trip)
            let result = try await store.save()
            // One statement for all that goes, because a trip takes its items along.
            #expect(store.recorder.statements.count == 1)
            #expect(store.recorder.statements[0].hasPrefix("WITH RECURSIVE doomed(root, pk) AS (SELECT "))
            #expect(result.deletedCount == 2)
            #expect(Set(result.doomed.map(\.key)) == [trip._$state.key, item._$state.key])
            #expect(try await store.rows("SELECT title FROM item") == ["Colosseo"])
            #expect(try await store.rows("SELECT count(*)::text FROM business_trip") == ["0"])
        }
    }

    @Test func externalStorageIsWrittenWithoutComparison() async throws {
        try await withSaveStore { store in
            let item = M.Item("a")
            store.insert(item)
            try await store.save()
            item.place = M.Place(latitude: 1.5)
            item.photo = Data([1, 2])
            item.amount = 12.50
            item.isSelected = true
            try await store.save()
            #expect(
                store.recorder.statements[0]
                    == #"UPDATE "public"."item" AS t SET "place" = $2::jsonb, "amount" = $3::numeric, "photo" = $4::bytea WHERE t."pk" = $1::bigint AND t."place" IS NOT DISTINCT FROM $5::jsonb AND t."amount" IS NOT DISTINCT FROM $6::numeric"#
            )
            #expect(
                try await store.rows("SELECT place::text || amount::text || photo::text FROM item") == [
                    #"{"latitude": 1.5}12.5\x0102"#
                ])
            item.isSelected = false
            try await store.save()
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func targetsInASubclassGoWithTheirOwnerAlsoWhenTheyAreNotInMemory() async throws {
        try await withTwoSaveStores { one, other in
            let company = M.Company("ACME")
            let trip = M.BusinessTrip("Paris")
            trip.items = [M.Item("Louvre")]
            company.trips = [trip]
            one.insert(company)
            try await one.save()
            other.delete(try one.twin(of: company, in: other) { M.Company("ACME") })
            try await other.save()
            #expect(other.recorder.flushes.map(\.count) == [1])
            #expect(
                try await one.rows(
                    "SELECT count(*)::text FROM (SELECT pk FROM trip UNION ALL SELECT pk FROM item) AS rest") == ["0"])
        }
    }

    @Test func aLostCommitIsReportedAsUnknown() {
        let mapping = StoreMapping(SaveModels.schema)
        let error = SaveExecution.explain(PostgresError(.outcomeUnknown, "the connection was lost"), mapping: mapping)
        #expect(error.code == .outcomeUnknown)
        #expect(!error.isRetryable)
    }
}
