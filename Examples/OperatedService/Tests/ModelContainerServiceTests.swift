import Logging
import OperatedService
import ServiceLifecycle
import Strata
import StrataService
import Synchronization
import Testing

@Suite struct ModelContainerServiceTests {
    @Test func aServiceOpensItsContainerOnceAndClosesItAtAGracefulShutdown() async throws {
        let opened = Mutex(0)
        let service = ModelContainerService {
            opened.withLock { $0 += 1 }
            return try await memoryContainer()
        }
        let container = try await service.container
        try await running(group(service)) {
            let context = ModelContext(try await service.container)
            context.insert(Trip(destination: "Lyon"))
            try await context.save()
        }
        #expect(opened.withLock { $0 } == 1)
        await #expect(throws: SwiftDataError.storeFailure) { _ = try await container.ping() }
    }

    @Test func aShutdownBeforeTheContainerIsOpenIsNoFailure() async throws {
        let begun = Moment()
        let service = ModelContainerService {
            begun.come()
            while true { try await Task.sleep(for: .seconds(60)) }
        }
        let states = await service.readiness()
        #expect("\(states)" == "opening")
        try await running(group(service)) { await begun.wait() }
        #expect("\(await service.readiness())" == "shutting down")
    }

    @Test func whatOpeningThrowsEndsTheGroup() async throws {
        struct Refusal: Error {}
        let service = ModelContainerService { throw Refusal() }
        await #expect(throws: Refusal.self) { try await group(service).run() }
        await #expect(throws: Refusal.self) { _ = try await service.container }
        #expect(!(await service.readiness().isReady))
    }

    /// A group ends its services from the last to the first: one that waited for an opening which goes on would keep all from ending.
    @Test func whoWaitsForTheContainerLeavesAtAGracefulShutdown() async throws {
        let (begun, mayOpen) = (Moment(), Moment())
        let service = ModelContainerService(finishing: .milliseconds(50)) {
            begun.come()
            // As a migration does: it does not ask whether it was cancelled.
            await mayOpen.wait()
            return try await memoryContainer()
        }
        let (hasLeft, isWaiting) = (Moment(), Moment())
        let waiting = ClosureService {
            isWaiting.come()
            do { _ = try await service.container } catch is CancellationError {}
            hasLeft.come()
        }
        try await running(group(service, waiting)) {
            await begun.wait()
            await isWaiting.wait()
        }
        #expect(hasLeft.hasCome)
        #expect("\(await service.readiness())" == "shutting down")
        mayOpen.come()
    }

    /// A group takes what a service throws at a shutdown for a failure.
    @Test func aServiceThatNeverGotItsContainerIsNoFailure() async throws {
        let (begun, mayOpen) = (Moment(), Moment())
        let service = ModelContainerService(finishing: .milliseconds(50)) {
            begun.come()
            await mayOpen.wait()
            return try await memoryContainer()
        }
        let meters = ClosureService {
            try await service.withContainer { _ in Issue.record("There is no container.") }
        }
        try await running(group(service, meters)) { await begun.wait() }
        mayOpen.come()
    }

    @Test func whoWaitsForTheContainerLeavesWhenItIsCancelled() async throws {
        let (begun, mayOpen) = (Moment(), Moment())
        let service = ModelContainerService {
            begun.come()
            await mayOpen.wait()
            return try await memoryContainer()
        }
        let waiting = Task { try await service.container }
        await begun.wait()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        // The opening is everybody's: it goes on.
        mayOpen.come()
        await (try service.container).close()
    }

    /// Whoever asks first has nothing to do with the opening: its shutdown is not the container's.
    @Test func theOpeningDoesNotEndWithWhoAskedFirst() async throws {
        let (begun, mayOpen) = (Moment(), Moment())
        let isShuttingDown = Mutex<Bool?>(nil)
        let service = ModelContainerService {
            begun.come()
            await mayOpen.wait()
            isShuttingDown.withLock { $0 = Task.isShuttingDownGracefully }
            return try await memoryContainer()
        }
        let first = group(
            ClosureService {
                do { _ = try await service.container } catch is CancellationError {}
            })
        let run = Task { try await first.run() }
        await begun.wait()
        await first.triggerGracefulShutdown()
        try await run.value
        mayOpen.come()
        let container = try await service.container
        #expect(isShuttingDown.withLock { $0 } == false)
        await container.close()
    }

    @Test func whatIsOpenedAfterTheEndIsClosedAtOnce() async throws {
        let (begun, mayOpen) = (Moment(), Moment())
        let opened = Mutex<ModelContainer?>(nil)
        let service = ModelContainerService(finishing: .milliseconds(50)) {
            begun.come()
            await mayOpen.wait()
            // It does not ask whether it was cancelled.
            let container = try await Task { try await memoryContainer() }.value
            opened.withLock { $0 = container }
            return container
        }
        try await running(group(service)) { await begun.wait() }
        mayOpen.come()
        while true {
            guard let container = opened.withLock({ $0 }) else {
                await Task.yield()
                continue
            }
            do { _ = try await container.ping() } catch SwiftDataError.storeFailure { break }
        }
    }

    @Test func aServiceOfAnOpenContainerIsReadyAtOnce() async throws {
        let container = try await memoryContainer()
        let service = ModelContainerService(container)
        #expect(await service.readiness().isReady)
        await container.close()
    }

    /// The handler waits in the middle of its transaction; the shutdown is asked for; then the handler goes on.
    @Test func aConsumerEndsTheTransactionThatItHandlesAndBeginsNoOther() async throws {
        let container = try await memoryContainer()
        let (isHandling, mayGoOn) = (Moment(), Moment())
        let handled = Mutex<[Int]>([])
        var service = ModelContainerService(container)
        service.consumeHistory("slow", of: Trip.self, limit: 1) { transactions, context in
            handled.withLock { $0.append(transactions.count) }
            context.insert(DestinationCount(destination: "handled", trips: transactions.count))
            isHandling.come()
            await mayGoOn.wait()
        }
        let context = ModelContext(container)
        for destination in ["Lyon", "Metz", "Nice"] {
            context.insert(Trip(destination: destination))
            try await context.save()
        }
        let witness = Mutex<Int?>(nil)
        let group = group(service, Witness { witness.withLock { $0 = 1 } })
        let run = Task { try await group.run() }
        await isHandling.wait()
        await group.triggerGracefulShutdown()
        // The services behind the container's have ended before it begins to.
        while case .open = await service.readiness() { await Task.yield() }
        #expect(witness.withLock { $0 } == 1)
        mayGoOn.come()
        try await run.value
        #expect(handled.withLock { $0 } == [1])
    }

    @Test func whatAConsumerHasHandledAtAShutdownIsStored() async throws {
        try await withNamedStore { configuration in
            let (isHandling, mayGoOn) = (Moment(), Moment())
            let container = try await ModelContainer(
                for: Trip.self, DestinationCount.self, configurations: configuration)
            var service = ModelContainerService(container)
            service.consumeHistory("slow", of: Trip.self, limit: 1) { transactions, context in
                context.insert(DestinationCount(destination: "handled", trips: transactions.count))
                isHandling.come()
                await mayGoOn.wait()
            }
            let context = ModelContext(container)
            context.insert(Trip(destination: "Lyon"))
            try await context.save()
            let group = group(service)
            let run = Task { try await group.run() }
            await isHandling.wait()
            await group.triggerGracefulShutdown()
            mayGoOn.come()
            try await run.value

            let again = try await ModelContainer(
                for: Trip.self, DestinationCount.self, configurations: configuration)
            let counts = try await ModelContext(again).fetch(FetchDescriptor<DestinationCount>())
            #expect(counts.map(\.trips) == [1])
            #expect(await again.readiness(of: [again.historyConsumer("slow", of: Trip.self)]).isReady)
            await again.close()
        }
    }

    @Test func aTransactionUnderWayAtAShutdownIsCommitted() async throws {
        try await withNamedStore { configuration in
            let (isInside, mayGoOn) = (Moment(), Moment())
            let container = try await ModelContainer(
                for: Trip.self, DestinationCount.self, configurations: configuration)
            let service = ModelContainerService(container)
            let group = group(service)
            let run = Task { try await group.run() }
            let job = Task {
                let context = ModelContext(container)
                try await context.transaction {
                    context.insert(Trip(destination: "Lyon"))
                    try await context.save()
                    isInside.come()
                    await mayGoOn.wait()
                    context.insert(Trip(destination: "Metz"))
                }
            }
            await isInside.wait()
            await group.triggerGracefulShutdown()
            while case .open = await service.readiness() { await Task.yield() }
            mayGoOn.come()
            try await job.value
            try await run.value

            let again = try await ModelContainer(
                for: Trip.self, DestinationCount.self, configurations: configuration)
            #expect(try await ModelContext(again).fetchCount(FetchDescriptor<Trip>()) == 2)
            await again.close()
            // Nothing of the service has stayed on the server.
            #expect(try await backends(of: configuration, do: .count) == 0)
        }
    }

    @Test func whatDoesNotEndInTimeIsBrokenOffAndRolledBack() async throws {
        try await withNamedStore { configuration in
            let isHandling = Moment()
            let container = try await ModelContainer(
                for: Trip.self, DestinationCount.self, configurations: configuration)
            var service = ModelContainerService(container, finishing: .milliseconds(50))
            service.consumeHistory("stuck", of: Trip.self) { _, context in
                context.insert(DestinationCount(destination: "handled", trips: 1))
                try await context.save()
                isHandling.come()
                try await Task.sleep(for: .seconds(3600))
            }
            let context = ModelContext(container)
            context.insert(Trip(destination: "Lyon"))
            try await context.save()
            let group = group(service)
            let run = Task { try await group.run() }
            await isHandling.wait()
            await group.triggerGracefulShutdown()
            try await run.value

            let again = try await ModelContainer(
                for: Trip.self, DestinationCount.self, configurations: configuration)
            #expect(try await ModelContext(again).fetchCount(FetchDescriptor<DestinationCount>()) == 0)
            await again.close()
        }
    }

    @Test func whatAHandlerThrowsEndsTheGroupAndClosesTheContainer() async throws {
        struct Refusal: Error {}
        let container = try await memoryContainer()
        var service = ModelContainerService(container)
        service.consumeHistory("failing", of: Trip.self) { _, _ in throw Refusal() }
        let context = ModelContext(container)
        context.insert(Trip(destination: "Lyon"))
        try await context.save()
        await #expect(throws: Refusal.self) { try await group(service).run() }
        await #expect(throws: SwiftDataError.storeFailure) { _ = try await container.ping() }
    }

    /// Other services of the group may have something under way, and end after this one.
    @Test func whatOthersHaveUnderWayMayEndWhenAHandlerThrows() async throws {
        struct Refusal: Error {}
        try await withNamedStore { configuration in
            let (isInside, mayGoOn) = (Moment(), Moment())
            let container = try await ModelContainer(
                for: Trip.self, DestinationCount.self, configurations: configuration)
            var service = ModelContainerService(container)
            service.consumeHistory("failing", of: Trip.self) { _, _ in throw Refusal() }
            let context = ModelContext(container)
            let job = Task {
                let context = ModelContext(container)
                try await context.transaction {
                    context.insert(DestinationCount(destination: "Lyon", trips: 1))
                    try await context.save()
                    isInside.come()
                    await mayGoOn.wait()
                }
            }
            await isInside.wait()
            context.insert(Trip(destination: "Lyon"))
            try await context.save()
            let group = group(service)
            let run = Task { try await group.run() }
            while case .open = await service.readiness() { await Task.yield() }
            mayGoOn.come()
            try await job.value
            await #expect(throws: Refusal.self) { try await run.value }
        }
    }

    /// A restart of the server, as clients see it, while the service works.
    @Test func endedConnectionsOnlyMakeAServiceWait() async throws {
        try await withNamedStore { configuration in
            let service = tripStore(configuration)
            try await running(group(service)) {
                let container = try await service.container
                let context = ModelContext(container)
                context.insert(Trip(destination: "Lyon"))
                try await context.save()
                #expect(try await backends(of: configuration, do: .end) > 0)
                let other = ModelContext(container)
                try await container.withContext(attempts: 5) { $0.insert(Trip(destination: "Metz")) }
                var count = 0
                while count < 2 {
                    count = (try? await other.fetchCount(FetchDescriptor<DestinationCount>())) ?? 0
                    await Task.yield()
                }
            }
        }
    }
}

/// Notes when a group ends it.
struct Witness: Service {
    let ended: @Sendable () -> Void

    func run() async throws {
        try await gracefulShutdown()
        ended()
    }
}
