import Foundation
import Testing

@testable import StrataStudio

@Suite struct AccessTests {
    @Test func theLinkLetsInOnceAndTheCookieFromThenOn() async throws {
        try await withStudio(enters: false) { studio in
            var client = studio.client
            #expect(try await client.get("/").status == 401)
            let path = try #require(URLComponents(string: studio.link)?.path)
            let entrance = try await client.get(path)
            #expect(entrance.status == 200)
            let cookie = try #require(entrance.header("set-cookie"))
            #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
            #expect(!cookie.contains(path.dropFirst("/enter/".count)), "The cookie cannot be made from the link.")
            #expect(try await client.get(path).status == 403)

            client.cookie = String(cookie.prefix { $0 != ";" })
            #expect(try await client.get("/").status == 200)
            client.cookie = "strata-studio-\(client.port)=" + String(repeating: "0", count: 48)
            #expect(try await client.get("/").status == 401)
        }
    }

    @Test func aWrongLinkLetsNobodyInAndDoesNotUseUpTheRightOne() async throws {
        try await withStudio(enters: false) { studio in
            #expect(try await studio.client.get("/enter/" + String(repeating: "0", count: 48)).status == 403)
            #expect(try await studio.client.get("/enter/").status == 403)
            let path = try #require(URLComponents(string: studio.link)?.path)
            #expect(try await studio.client.get(path).status == 200)
        }
    }

    @Test func anotherNameOfThisMachineIsRefused() async throws {
        try await withStudio { studio in
            var client = studio.client
            for host in ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "localhost"] {
                client.host = host
                let answer = try await client.get("/")
                #expect(answer.status == 421, "\(host)")
                #expect(!answer.body.contains(studio.schema))
            }
        }
    }

    @Test func aFormOfAnotherPageIsRefused() async throws {
        try await withStudio(allowsEdits: true) { studio in
            var client = studio.client
            for origin in [nil, "null", "http://evil.example", "http://127.0.0.1:1", "https://127.0.0.1"] {
                client.origin = origin
                let answer = try await client.post(studio.path("/c/Tour"), [("after", "1")])
                #expect(answer.status == 403, "\(origin ?? "none")")
            }
        }
    }

    @Test func everyAnswerKeepsOthersOut() async throws {
        try await withStudio(enters: false) { studio in
            for path in ["/", "/studio.css", "/nothing"] {
                let answer = try await studio.client.get(path)
                let policy = try #require(answer.header("content-security-policy"))
                #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; script-src 'self';"))
                #expect(!policy.contains("unsafe"))
                #expect(answer.header("x-frame-options") == "DENY")
                #expect(answer.header("cache-control") == "no-store")
                #expect(answer.header("referrer-policy") == "same-origin")
                #expect(answer.header("x-content-type-options") == "nosniff")
            }
        }
    }

    @Test func itListensOnTheLoopbackOnly() async throws {
        try await withStudio { studio in
            #expect(studio.link.hasPrefix("http://127.0.0.1:\(studio.client.port)/enter/"))
            // Lines of the kernel's table: number, address:port in hexadecimal, peer, state (0A is listening).
            let hexadecimal = String(studio.client.port, radix: 16, uppercase: true)
            let port = String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
            var addresses: [String] = []
            for line in try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n") {
                let fields = line.split(separator: " ").map { String($0) }
                if fields.count > 3, fields[3] == "0A", fields[1].hasSuffix(":" + port) { addresses.append(fields[1]) }
            }
            #expect(addresses == ["0100007F:" + port])
        }
    }
}
