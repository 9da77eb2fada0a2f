import Foundation
import HTTPTypes
import Strata
import StrataHummingbird
import Testing

@Suite struct PageTests {
    @Test func linksLeadThroughAListAndBack() async throws {
        try await withTourServer { server in
            try await server.store(["A", "B", "C", "D", "E"].map { ($0, "Riga") })
            var path = "/tours?city=R%C4%ABga&size=2"
            var pages: [[String]] = []
            var paths: [String] = []
            while true {
                let answer = try await server.ask(.get, path)
                #expect(answer.status == 200)
                pages.append(try names(answer.body))
                paths.append(path)
                guard let next = link("next", answer.headers) else { break }
                path = try follow(next, from: path)
            }
            #expect(pages == [["A", "B"], ["C", "D"], ["E"]])
            #expect(path.hasPrefix("/tours?city=R%C4%ABga&size=2&after="))

            let last = try await server.ask(.get, path)
            let back = try follow(try #require(link("prev", last.headers)), from: path)
            #expect(try names(try await server.ask(.get, back).body) == ["C", "D"])
            #expect(link("prev", try await server.ask(.get, paths[0]).headers) == nil)
        }
    }

    @Test func aLinkStaysOnTheServerThatGaveIt() async throws {
        try await withTourServer { server in
            try await server.store(["A", "B", "C"].map { ($0, "Riga") })
            // Two slashes would begin a host's name where a link is resolved, and what a proxy cut off is not known here.
            let next = try #require(link("next", try await server.ask(.get, "//tours?size=2").headers))
            let base = try #require(URL(string: "https://trips.example/api//tours?size=2"))
            let resolved = try #require(URL(string: next, relativeTo: base)).absoluteString
            #expect(resolved.hasPrefix("https://trips.example/api//tours?size=2&after="), "\(resolved)")
        }
    }

    @Test(arguments: [
        "size=0", "size=4", "size=x", "size=", "after=x", "after=", "after=a&before=b", "size=1&size=2",
        "after=a&after=b",
    ])
    func aPlaceThatIsNoneIsABadRequest(_ query: String) async throws {
        try await withTourServer { server in
            let answer = try await server.ask(.get, "/tours?" + query)
            #expect(answer.status == 400)
            #expect(answer.headers[.contentType] == "application/problem+json")
        }
    }

    private func names(_ json: String) throws -> [String] {
        let items = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
        return try #require(items).compactMap { $0["name"] as? String }
    }

    /// As RFC 3986 (5.2) has references resolved.
    private func follow(_ link: String, from path: String) throws -> String {
        let url = try #require(URL(string: link, relativeTo: URL(string: "http://localhost" + path)))
        return String(url.absoluteString.dropFirst("http://localhost".count))
    }

    private func link(_ relation: String, _ headers: HTTPFields) -> String? {
        headers[.init("Link")!]?.components(separatedBy: ", ").first { $0.hasSuffix("rel=\"\(relation)\"") }.map {
            String($0.dropFirst().prefix { $0 != ">" })
        }
    }
}
