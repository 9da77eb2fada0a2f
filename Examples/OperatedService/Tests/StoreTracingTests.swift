import InMemoryTracing
import OperatedService
import ServiceLifecycle
import Strata
import StrataMetrics
import StrataService
import StrataTracing
import Synchronization
import Testing
import Tracing

@Suite struct StoreTracingTests {
    private final class Texts: StatementObserver {
        let all = Mutex<[String]>([])
        func didComplete(_ statement: ObservedStatement) {
            all.withLock { $0.append(statement.sql) }
        }
    }

    /// What `test` does is in a span `request` of a tracer of its own.
    private func spans(
        _ observers: [any StatementObserver] = [StoreTracing()], of test: (ModelContainer) async throws -> Void
    ) async throws -> [FinishedInMemorySpan] {
        let container = try await ModelContainer(
            for: Schema([Trip.self, DestinationCount.self]),
            configurations: [ModelConfiguration(isStoredInMemoryOnly: true)], observers: observers)
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await withSpan("request") { _ in try await test(container) }
        }
        await container.close()
        return tracer.finishedSpans
    }

    private func lines(_ spans: [FinishedInMemorySpan]) -> [String] {
        let names = Dictionary(uniqueKeysWithValues: spans.map { ($0.spanID, $0.operationName) })
        return spans.map { span in "\(span.parentSpanID.flatMap { names[$0] } ?? "-") > \(span.operationName)" }
    }

    @Test func aFetchIsASpanWithItsStatementWithinTheOneOfTheRequest() async throws {
        let spans = try await spans { container in
            _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
        }
        #expect(lines(spans) == ["fetch Trip > fetch Trip", "request > fetch Trip", "- > request"])
        let statement = spans[0]
        #expect(statement.kind == .client)
        #expect(statement.startInstant.nanosecondsSinceEpoch >= spans[1].startInstant.nanosecondsSinceEpoch)
        #expect(statement.endInstant.nanosecondsSinceEpoch <= spans[1].endInstant.nanosecondsSinceEpoch)
        #expect(statement.attributes.get("db.system.name") == .string("postgresql"))
        #expect(statement.attributes.get("db.operation.name") == .string("SELECT"))
        #expect(statement.attributes.get("db.collection.name") == .string("Trip"))
        #expect(statement.attributes.get("db.query.summary") == .string("fetch Trip"))
        #expect(statement.attributes.get("db.response.returned_rows") == .int64(0))
    }

    @Test func aSaveIsASpanWithItsStatements() async throws {
        let spans = try await spans { container in
            let context = ModelContext(container)
            context.insert(Trip(destination: "a value of mine"))
            try await context.save()
        }
        let lines = lines(spans)
        #expect(lines.suffix(2) == ["request > save", "- > request"])
        #expect(lines.dropLast(2).contains { $0.hasPrefix("save > save: insert ") })
        #expect(lines.dropLast(2).allSatisfy { $0.hasPrefix("save > ") })
        #expect(!"\(spans)".contains("a value of mine"))
    }

    @Test func blockingCallsAndLazyLoadsAreWithinTheSpanOfTheirTask() async throws {
        let spans = try await spans { container in
            func work() throws {
                let context = ModelContext(container)
                context.insert(Trip(destination: "Lyon"))
                try context.save()
                var descriptor = FetchDescriptor<Trip>()
                descriptor.propertiesToFetch = [\.destination]
                let reader = ModelContext(container)
                #expect(try reader.fetch(descriptor).first?.travellers == 1)
            }
            try work()
        }
        let lines = lines(spans)
        for call in ["save", "fetch Trip", "load Trip.travellers"] {
            #expect(lines.contains("request > \(call)"))
        }
        #expect(lines.contains("load Trip.travellers > load properties of Trip"))
    }

    @Test func statementsOfATransactionAreWithinTheCallsThatMadeThem() async throws {
        let spans = try await spans { container in
            let context = ModelContext(container)
            try await context.transaction {
                _ = try await context.fetch(FetchDescriptor<Trip>())
                context.insert(Trip(destination: "Lyon"))
            }
        }
        let lines = lines(spans)
        #expect(lines.contains("fetch Trip > fetch Trip"))
        #expect(lines.contains { $0.hasPrefix("save > save: insert ") })
    }

    @Test func aFailureHasItsSQLStateAndNoValue() async throws {
        let spans = try await spans { container in
            let context = ModelContext(container)
            let text = "a value of mine"
            await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(Int.self, sql: "SELECT \(text)::int")
            }
        }
        let failed = spans.filter { $0.status?.code == .error }
        #expect(failed.count == 2)
        #expect(failed.allSatisfy { $0.attributes.get("db.response.status_code") == .string("22P02") })
        #expect(!"\(spans)".contains("a value of mine"))
    }

    /// Each request has the comment of its own span; without it statements are prepared as always.
    @Test func statementsOfARequestCarryItsTraceOnDemand() async throws {
        let texts = Texts()
        let spans = try await spans([StoreTracing(), texts]) { container in
            _ = try await trips(lookedAtIn: container)
            _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
        }
        let fetches = texts.all.withLock { $0 }.filter { $0.hasPrefix("SELECT") && $0.contains("\"trip\"") }
        #expect(fetches.count == 2)
        let call = try #require(spans.first { $0.operationName == "fetch Trip" && $0.kind == .internal })
        let comment = try #require(fetches.first?.split(separator: "/*").last)
        #expect(fetches.first?.hasSuffix("*/") == true)
        #expect(comment.contains("in-memory-span-id='\(call.spanID)'"))
        #expect(fetches.last?.contains("/*") == false)
    }

    /// A tracer that is an object, as those of backends are.
    private final class ObjectTracer: Tracer {
        let inner = InMemoryTracer()

        func startSpan<Instant: TracerInstant>(
            _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
            at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
        ) -> InMemorySpan {
            inner.startSpan(
                operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID,
                line: line)
        }

        func forceFlush() {}
        func inject<Carrier, Inject: Injector>(
            _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
        ) where Inject.Carrier == Carrier {}
        func extract<Carrier, Extract: Extractor>(
            _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
        ) where Extract.Carrier == Carrier {}
    }

    @Test func eachCallGoesToTheTracerOfItsTime() async throws {
        let container = try await ModelContainer(
            for: Schema([Trip.self, DestinationCount.self]),
            configurations: [ModelConfiguration(isStoredInMemoryOnly: true)], observers: [StoreTracing()])
        let (first, second, value) = (ObjectTracer(), ObjectTracer(), InMemoryTracer())
        func fetch(_ times: Int) async throws {
            for _ in 0..<times { _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>()) }
        }
        try await withTracer(first) { try await fetch(2) }
        try await withTracer(second) { try await fetch(1) }
        try await withTracer(value) { try await fetch(1) }
        try await withTracer(first) { try await fetch(1) }
        await container.close()
        #expect([first.inner, second.inner, value].map(\.finishedSpans.count) == [6, 2, 2])
    }

    @Test func ofACallThatIsNotRecordedNothingElseIsSaid() async throws {
        let texts = Texts()
        let container = try await ModelContainer(
            for: Schema([Trip.self, DestinationCount.self]),
            configurations: [ModelConfiguration(isStoredInMemoryOnly: true)], observers: [StoreTracing(), texts])
        let tracer = SamplingTracer()
        try await withTracer(tracer) {
            _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
            _ = try? await ModelContext(container).fetch(Int.self, sql: "SELECT 1 / \(0)")
            try await StoreTracing.withSQLComments {
                _ = try await ModelContext(container).fetchCount(FetchDescriptor<Trip>())
            }
        }
        await container.close()
        let notes = tracer.notes.withLock { $0 }
        #expect(notes.count == 6)
        #expect(notes.prefix(2) == ["fetch Trip", "/fetch Trip"])
        #expect(notes.allSatisfy { !$0.contains(" of ") })
        // The decision of the tracer travels on.
        let commented = texts.all.withLock { $0 }.filter { $0.contains("traceparent='00-unsampled-00'") }
        #expect(commented.count == 1)
    }

    @Test func theSpanOfAStatementHasTheNumberOfItsRows() async throws {
        let spans = try await spans { container in
            for count in 0...3 {
                if count > 0 {
                    let context = ModelContext(container)
                    context.insert(Trip(destination: "Lyon"))
                    try await context.save()
                }
                _ = try await ModelContext(container).fetch(FetchDescriptor<Trip>())
            }
        }
        let fetches = spans.filter { $0.operationName == "fetch Trip" && $0.kind == .client }
        #expect(fetches.map { $0.attributes.get("db.response.returned_rows") } == (0...3).map { .int64($0) })
    }

    @Test func aServiceRecordsAndTraces() async throws {
        let (store, meters) = observedStore(ModelConfiguration(isStoredInMemoryOnly: true))
        try await running(group(store, meters)) {
            let context = ModelContext(try await store.container)
            #expect(try await context.fetchCount(FetchDescriptor<Trip>()) == 0)
        }
    }
}
