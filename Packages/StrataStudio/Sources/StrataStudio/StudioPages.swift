import HTTPTypes
import Hummingbird
import Logging
import StrataBrowsing
import StrataHummingbird

/// Answers requests that the gate has let in.
struct StudioPages: Sendable {
    let browser: StoreBrowser
    /// The folder of migration files, where one was named.
    let migrations: String?
    let logger: Logger

    func answer(_ request: Request, _ context: BasicRequestContext) async -> Response {
        guard let route = Route(path: request.uri.path[...]) else {
            return Page("Not found") { element("p") { "The studio has no such page." } }.response(.notFound)
        }
        do {
            return try await answer(request, route, context)
        } catch let error as BrowsingError {
            logger.info("A page could not be made", metadata: ["route": "\(route.path)", "error": "\(error)"])
            return Page(error, schema: route.schema).response(error.code.status)
        } catch let error as HTTPError {
            return Page("It did not work") { element("p") { error.body ?? "The request cannot be read." } }
                .response(error.status)
        } catch {
            logger.error("A page could not be made", metadata: ["route": "\(route.path)", "error": "\(error)"])
            return Page("It did not work") { element("p") { "The studio has written to its log why." } }
                .response(.internalServerError)
        }
    }

    private func answer(_ request: Request, _ route: Route, _ context: BasicRequestContext) async throws -> Response {
        if request.method == .post { return try await answer(try await FormFields(request), to: route) }
        guard request.method == .get || request.method == .head else { throw HTTPError(.methodNotAllowed) }
        switch route {
        case .style: return Page.response(.ok, StudioStyle.text, type: "text/css")
        case .script: return Page.response(.ok, StudioScript.text, type: "text/javascript")
        case .live(let name):
            return try live(name, request).response(from: request, context: context)
        case .home: return try await home().response()
        case .activity: return try await activity().response()
        case .schema(let name): return classes(try await browser.schema(named: name)).response()
        case .picture(let name): return picture(try await browser.schema(named: name)).response()
        case .changes(let name):
            return try await changes(try await browser.schema(named: name), before: nil).response()
        case .migrations(let name): return try await showMigrations(try await browser.schema(named: name)).response()
        case .objects(let name, let className):
            return try await objects(of: className, in: try await browser.schema(named: name), ListRequest()).response()
        case .creation(let name, let className):
            return try creation(of: className, in: try await browser.schema(named: name)).response()
        case .deletion(let name, let className, let key):
            return try await deletion(of: key, of: className, in: try await browser.schema(named: name)).response()
        case .object(let name, let className, let key):
            return try await object(key, of: className, in: try await browser.schema(named: name)).response()
        case .history(let name, let className, let key):
            return try await history(
                of: key, of: className, in: try await browser.schema(named: name), before: nil
            ).response()
        case .related(let name, let className, let key, let relationship):
            return try await related(
                to: key, of: className, by: relationship, in: try await browser.schema(named: name), after: nil
            ).response()
        case .property(let name, let className, let key, let property):
            return try await self.property(property, key, of: className, in: try await browser.schema(named: name))
                .response()
        }
    }

    private func answer(_ form: FormFields, to route: Route) async throws -> Response {
        switch route {
        case .objects(let name, let className):
            return try await objects(
                of: className, in: try await browser.schema(named: name), try ListRequest(form)
            ).response()
        case .related(let name, let className, let key, let relationship):
            return try await related(
                to: key, of: className, by: relationship, in: try await browser.schema(named: name),
                after: try PagePosition(form)
            ).response()
        case .changes(let name):
            return try await changes(try await browser.schema(named: name), before: try HistoryPosition(form))
                .response()
        case .history(let name, let className, let key):
            return try await history(
                of: key, of: className, in: try await browser.schema(named: name), before: try HistoryPosition(form)
            ).response()
        case .creation(let name, let className):
            return try await create(form, of: className, in: try await browser.schema(named: name))
        case .deletion(let name, let className, let key):
            return try await delete(form, key, of: className, in: try await browser.schema(named: name))
        case .property(let name, let className, let key, let property):
            return try await save(form, property, key, of: className, in: try await browser.schema(named: name))
        default: throw HTTPError(.methodNotAllowed)
        }
    }
}

extension Route {
    /// The schema that the page is about.
    var schema: String? {
        switch self {
        case .home, .style, .script, .activity: nil
        case .schema(let name), .picture(let name), .changes(let name), .migrations(let name), .live(let name),
            .objects(let name, _), .creation(let name, _), .object(let name, _, _), .deletion(let name, _, _),
            .history(let name, _, _), .related(let name, _, _, _), .property(let name, _, _, _):
            name
        }
    }
}
