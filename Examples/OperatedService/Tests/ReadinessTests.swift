import Foundation
import OperatedService
import Strata
import StrataLocalServer
import StrataService
import Testing

@Suite struct ReadinessTests {
    @Test func aContainerWhoseTablesFitIsReady() async throws {
        let container = try await memoryContainer()
        let readiness = await container.readiness()
        #expect(readiness.isReady)
        #expect("\(readiness)" == "store default: ready")
        await container.close()
    }

    @Test func tablesThatAnotherProgramHasChangedAreIncompatible() async throws {
        let container = try await memoryContainer()
        let context = ModelContext(container)
        try await context.execute("ALTER TABLE \(Trip.self) DROP COLUMN travellers")
        let readiness = await container.readiness()
        #expect(!readiness.isReady)
        guard case .incompatible(let error) = try #require(readiness.stores.first).state else {
            Issue.record("\(readiness)")
            return
        }
        #expect(error.code == .storeDoesNotFit)
        #expect(error.message.contains("travellers"))
        #expect("\(readiness)" == "store default: incompatible with the models")
        #expect(String(reflecting: readiness).contains("travellers"))
        await container.close()
    }

    @Test func aServerThatIsGoneIsUnreachable() async throws {
        let server = try LocalServer.temporary()
        let configuration = ModelConfiguration(url: try #require(URL(string: server.url)))
        let container = try await ModelContainer(for: Trip.self, configurations: configuration)
        #expect(await container.readiness().isReady)
        server.stop()
        let readiness = await container.readiness()
        guard case .unreachable(let error) = try #require(readiness.stores.first).state else {
            Issue.record("\(readiness)")
            return
        }
        #expect(!readiness.isReady)
        #expect(error.code == .storeFailure)
        // The probe of anybody learns which store it is, and not where it is.
        #expect("\(readiness)" == "store default: unreachable (\(error.underlying?.code.description ?? "-"))")
        #expect(String(reflecting: readiness).contains(server.socketDirectory.path))
        await container.close()
    }

    @Test func aFailedOpeningIsNamedWithoutItsServer() async throws {
        let service = ModelContainerService {
            try await ModelContainer(
                for: Trip.self,
                configurations: ModelConfiguration(
                    url: try #require(URL(string: "postgres://somebody@127.0.0.1:1/hidden"))))
        }
        await #expect(throws: SwiftDataError.loadIssueModelContainer) { _ = try await service.container }
        let readiness = await service.readiness()
        #expect("\(readiness)" == "not opened: loadIssueModelContainer (connectionFailed)")
        #expect(String(reflecting: readiness).contains("127.0.0.1"))
    }

    @Test func theLagOfAConsumerIsTheAgeOfWhatItHasNotHandled() async throws {
        let container = try await memoryContainer()
        let consumer = container.historyConsumer("counts", of: Trip.self)
        #expect(await states(container, consumer, maximumLag: .seconds(3600)) == "new, not ready")
        #expect(await container.readiness(of: [consumer]).isReady)
        let context = ModelContext(container)
        context.insert(Trip(destination: "Lyon"))
        try await context.save()
        _ = try await consumer.catchUp { _, _ in }
        #expect(await states(container, consumer, maximumLag: .zero) == "up to date, ready")
        context.insert(Trip(destination: "Metz"))
        try await context.save()
        let readiness = await container.readiness(of: [consumer], maximumLag: .seconds(3600))
        guard case .behind(let lag) = try #require(readiness.consumers.first).state else {
            Issue.record("\(readiness)")
            return
        }
        #expect(lag >= .zero && lag < .seconds(3600))
        #expect(readiness.isReady)
        #expect(await states(container, consumer, maximumLag: .seconds(-1)).hasSuffix(", not ready"))
        try await container.pruneHistory(olderThan: nil, keepingAtMost: 0)
        #expect(await states(container, consumer, maximumLag: .zero) == "expired: it has to reload, not ready")
        await container.close()
    }

    @Test func aServiceAnswersForItsConsumers() async throws {
        let service = tripStore(ModelConfiguration(isStoredInMemoryOnly: true))
        #expect(await readinessStatus(service).status == 503)
        try await running(group(service)) {
            let context = ModelContext(try await service.container)
            context.insert(Trip(destination: "Lyon"))
            try await context.save()
            while await readinessStatus(service).status != 200 { await Task.yield() }
            #expect(await readinessStatus(service).text.contains("consumer destination-counts: "))
        }
        #expect(await readinessStatus(service) == (503, "shutting down"))
    }

    private func states(_ container: ModelContainer, _ consumer: HistoryConsumer, maximumLag: Duration) async -> String
    {
        let readiness = await container.readiness(of: [consumer], maximumLag: maximumLag)
        return "\(readiness.consumers[0].state), \(readiness.isReady ? "ready" : "not ready")"
    }
}
