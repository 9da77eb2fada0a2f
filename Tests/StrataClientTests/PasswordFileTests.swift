import Foundation
import StrataTestSupport
import Testing

@testable import StrataClient

/// Passwords from files, judged as libpq judges the file of a private key.
@Suite struct PasswordFileTests {
    private func withFile(_ content: [UInt8], mode: mode_t, _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)").path
        try Data(content).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try #require(chmod(path, mode) == 0)
        try body(path)
    }

    /// `nil` for a file that is refused.
    private func password(_ path: String) -> String? { password(of: .file(path)) }

    private func password(of source: PasswordSource) -> String? { try? source.password() }

    private func refusal(_ path: String) -> String? {
        do {
            _ = try PasswordSource.file(path).password()
            return nil
        } catch {
            #expect(error.code == .authenticationFailed)
            #expect(error.message.contains(path))
            return error.message
        }
    }

    @Test(arguments: ["secret", "secret\n", "secret\r\n"])
    func theEndOfALineIsNoPartOfThePassword(content: String) throws {
        try withFile(Array(content.utf8), mode: 0o600) { path in
            #expect(password(path) == "secret")
        }
        try withFile(Array(" two words \n\n".utf8), mode: 0o400) { path in
            #expect(password(path) == " two words \n")
        }
    }

    @Test func theFileIsReadEachTime() throws {
        try withFile(Array("first".utf8), mode: 0o600) { path in
            let source = PasswordSource.file(path)
            #expect(password(of: source) == "first")
            // As Kubernetes does: another file in its place.
            let next = path + ".next"
            try Data("second".utf8).write(to: URL(fileURLWithPath: next))
            try #require(chmod(next, 0o600) == 0)
            try #require(rename(next, path) == 0)
            #expect(password(of: source) == "second")
            #expect(source == .file(path))
        }
    }

    @Test(arguments: [mode_t(0o604), 0o602, 0o644, 0o620, 0o610])
    func aFileThatOthersMayUseIsRefused(mode: mode_t) throws {
        try withFile(Array("secret".utf8), mode: mode) { path in
            #expect(refusal(path)?.contains("can be used by others") == true)
            #expect(refusal(path)?.contains("secret") == false)
        }
    }

    /// Secrets that are mounted belong to the superuser, and their group is the program's.
    @Test func aFileOfTheSuperuserMayBeReadableForItsGroup() throws {
        try withFile(Array("secret".utf8), mode: 0o640) { path in
            if geteuid() == 0 {
                #expect(password(path) == "secret")
            } else {
                #expect(refusal(path)?.contains("can be used by others") == true)
            }
        }
    }

    @Test func whatHoldsNoPasswordIsRefused() throws {
        try withFile([], mode: 0o600) { #expect(refusal($0)?.contains("is empty") == true) }
        try withFile(Array("\n".utf8), mode: 0o600) { #expect(refusal($0)?.contains("is empty") == true) }
        try withFile([0x61, 0, 0x62], mode: 0o600) { #expect(refusal($0)?.contains("no text") == true) }
        try withFile([0xFF, 0xFE], mode: 0o600) { #expect(refusal($0)?.contains("no text") == true) }
        try withFile(Array(repeating: 0x61, count: 70_000), mode: 0o600) {
            #expect(refusal($0)?.contains("larger than") == true)
        }
        #expect(refusal("/nowhere/at/all")?.contains("cannot be read") == true)
        #expect(refusal(FileManager.default.temporaryDirectory.path)?.contains("no plain file") == true)
    }

    /// Opening a pipe would wait for somebody who writes.
    @Test func aPipeIsRefusedAtOnce() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(refusal(path)?.contains("no plain file") == true)
    }
}
