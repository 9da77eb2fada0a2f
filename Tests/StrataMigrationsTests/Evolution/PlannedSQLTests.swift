import StrataMigrations
import StrataModels
import Testing

/// What the planner writes, as text.
@Suite("Planned SQL") struct PlannedSQLTests {
    @Test func `rows are split into a new subclass`() throws {
        let scripts = try Evolution(
            [HierarchyEvolutionTests.Flat.Trip.self],
            [HierarchyEvolutionTests.Split.Trip.self, HierarchyEvolutionTests.Split.BusinessTrip.self],
            changes: [.split(HierarchyEvolutionTests.Split.BusinessTrip.self, where: "perdiem IS NOT NULL")]
        ).scripts()
        #expect(
            scripts[1].steps.map { "\($0.id) \($0.phase) \($0.title)" } == [
                "2.1 expand create table business_trip",
                "2.2 expand add column trip.class",
                "2.3 expand allow trip.class the values Trip, BusinessTrip",
                "2.4 expand keep what old and new code write to business_trip in step (before)",
                "2.5 expand keep what old and new code write to business_trip in step (after)",
                "2.6 expand keep what old and new code write to trip in step (before)",
                "2.7 expand keep what old and new code write to trip in step (after)",
                "2.8 expand keep what old and new code write to trip in step (deleted)",
                "2.9 backfill copy rows of trip to business_trip, as BusinessTrip",
                "2.10 backfill validate trip_class_check",
                "2.11 backfill add foreign key business_trip_pk_fkey",
                "2.12 backfill validate business_trip_pk_fkey",
                "2.13 contract verify once more: Trip.perdiem: rows of Trip would lose their value",
                "2.14 contract verify the rows of business_trip",
                "2.15 contract stop keeping trip, business_trip in step",
                "2.16 contract record history by version 2.0.0",
                "2.17 contract drop column trip.perdiem",
                "2.18 contract record version 2.0.0",
            ])
        #expect(
            scripts[1].steps[8].statements == [
                """
                UPDATE "public"."trip" AS t SET "class" = 'BusinessTrip'
                WHERE t."pk" BETWEEN current_setting('strata.batch_first')::bigint \
                AND current_setting('strata.batch_last')::bigint AND t."class" IN ('Trip', 'BusinessTrip') \
                AND (perdiem IS NOT NULL)
                """,
                """
                INSERT INTO "public"."business_trip" ("pk", "perdiem")
                SELECT s."pk", "perdiem" FROM "public"."trip" AS s
                WHERE s."pk" BETWEEN current_setting('strata.batch_first')::bigint \
                AND current_setting('strata.batch_last')::bigint AND (perdiem IS NOT NULL)
                ON CONFLICT ("pk") DO NOTHING
                """,
            ])
    }
}
