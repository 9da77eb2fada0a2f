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
                path = next
            }
            #expect(pages == [["A", "B"], ["C", "D"], ["E"]])
            #expect(path.hasPrefix("/tours?city=R%C4%ABga&size=2&after="))

            let last = try await server.ask(.get, path)
            let back = try #require(link("prev", last.headers))
            #expect(try names(try await server.ask(.get, back).body) == ["C", "D"])
            #expect(link("prev", try await server.ask(.get, paths[0]).headers) == nil)
        }
    }

    @Test(arguments: ["size=0", "size=4", "size=x", "after=x", "after=a&before=b"])
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

    private func link(_ relation: String, _ headers: HTTPFields) -> String? {
        headers[.init("Link")!]?.components(separatedBy: ", ").first { $0.hasSuffix("rel=\"\(relation)\"") }.map {
            String($0.dropFirst().prefix { $0 != ">" })
        }
    }
}
