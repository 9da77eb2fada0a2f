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
                "2.4 expand keep what old and new code write to business_trip in step (after)",
                "2.5 expand keep what old and new code write to trip in step (before)",
                "2.6 expand keep what old and new code write to trip in step (after)",
                "2.7 backfill copy rows of trip to business_trip, as BusinessTrip",
                "2.8 backfill validate trip_class_check",
                "2.9 backfill add foreign key business_trip_pk_fkey",
                "2.10 backfill validate business_trip_pk_fkey",
                "2.11 contract verify the rows of business_trip",
                "2.12 contract stop keeping business_trip in step (after)",
                "2.13 contract stop keeping trip in step (before)",
                "2.14 contract stop keeping trip in step (after)",
                "2.15 contract drop column trip.perdiem",
                "2.16 contract record version 2.0.0",
            ])
        #expect(
            scripts[1].steps[6].statements == [
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
