import StrataClient
import StrataTestSupport
import Testing

@Suite struct NotificationTests {
    @Test func notificationsArriveWhetherIdleOrBusy() async throws {
        try await withTestDatabase { database in
            let listener = try await database.connect()
            let sender = try await database.connect()
            defer {
                listener.close()
                sender.close()
            }
            try await listener.listen(#"odd "channel""#)
            try await sender.execute(#"NOTIFY "odd ""channel""", 'one'"#)
            let first = try await listener.waitForNotification(timeout: .seconds(60))
            #expect(first?.payload == "one" && first?.channel == #"odd "channel""#)
            #expect(first?.backendID == sender.backendID)
            // Comes along with the answer to something else.
            try await sender.execute(#"NOTIFY "odd ""channel""", 'two'"#)
            _ = try await listener.column("SELECT 1", as: Int.self)
            #expect(try await listener.waitForNotification(timeout: .seconds(60))?.payload == "two")
            func blocking() throws -> String? {
                try sender.executeBlocking(#"NOTIFY "odd ""channel""", 'three'"#)
                return try listener.waitForNotification(timeout: .seconds(60))?.payload
            }
            #expect(try blocking() == "three")
            try await listener.unlisten(#"odd "channel""#)
            try await sender.execute(#"NOTIFY "odd ""channel""", 'four'"#)
            #expect(try await listener.waitForNotification(timeout: .milliseconds(50)) == nil)
            func blockingAgain() throws -> Bool { try listener.waitForNotification(timeout: .milliseconds(10)) == nil }
            #expect(try blockingAgain())
        }
    }

    @Test func waitingForNotificationsEndsWithItsTask() async throws {
        try await withTestDatabase { database in
            let listener = try await database.connect()
            let sender = try await database.connect()
            defer {
                listener.close()
                sender.close()
            }
            try await listener.listen("news")
            let (seen, report) = AsyncStream.makeStream(of: String.self)
            let task = Task {
                while let notification = try await listener.waitForNotification(timeout: nil) {
                    report.yield(notification.payload)
                }
            }
            for number in 0..<5 { try await sender.execute("NOTIFY news, '\(number)'") }
            var received: [String] = []
            for await payload in seen {
                received.append(payload)
                if received.count == 5 { break }
            }
            #expect(received == ["0", "1", "2", "3", "4"])
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await listener.column("SELECT 1", as: Int.self) == [1])
        }
    }

    @Test func aLostConnectionEndsTheWait() async throws {
        try await withTestDatabase { database in
            let listener = try await database.connect()
            let other = try await database.connect()
            defer {
                listener.close()
                other.close()
            }
            try await listener.listen("news")
            let process = listener.backendID
            let wait = Task { await postgresError { _ = try await listener.waitForNotification(timeout: nil) } }
            _ = try await other.column(
                "SELECT pg_terminate_backend($1, 10000)", PostgresParameters(process), as: Bool.self)
            #expect(await wait.value?.code == .connectionLost)
        }
    }
}
