import Foundation
import Strata
import StrataStudio
import TicketModels

/// As an application writes it.
@main struct TicketStudio: StudioProgram {
    static var schema: Schema { Schema([Ticket.self, Journey.self]) }
    static var postgresSchema: String { ProcessInfo.processInfo.environment["TICKET_SCHEMA"] ?? "public" }
}
