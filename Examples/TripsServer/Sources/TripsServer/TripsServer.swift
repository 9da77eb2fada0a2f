import Foundation
import Hummingbird
import Logging
import Strata
import TripsService

/// Serves trips. With `DATABASE_URL` or `PG*` set it uses that server, otherwise a private one with its data in `.strata/`.
@main
struct TripsServer {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let port = environment["PORT"].flatMap(Int.init) ?? 8080
        var configuration = ModelConfiguration("trips")
        configuration.postgresSchema = "trips_server"
        let container = try await TripsService.open(configuration)
        let application = TripsService.application(
            container,
            configuration: ApplicationConfiguration(address: .hostname(environment["HOST"] ?? "127.0.0.1", port: port)),
            onPort: { port in
                print("http://127.0.0.1:\(port)")
                fflush(nil)
            })
        try await application.runService()
        await container.close()
    }
}
