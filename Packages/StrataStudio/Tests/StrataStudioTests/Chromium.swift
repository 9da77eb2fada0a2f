import Foundation
import Testing

/// A headless Chromium that a test drives by the DevTools protocol, through two named pipes.
///
/// Debian's package is `chromium`; where there is none, tests that need it are skipped, and with `STRATA_BROWSER=required` they fail.
actor Chromium {
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    /// Whether tests that need a browser are run.
    static let isWanted = path != nil || ProcessInfo.processInfo.environment["STRATA_BROWSER"] == "required"

    /// What the page has complained of: violations of its policy, errors of scripts, failed requests.
    private(set) var complaints: [String] = []
    private let process: Process
    private let folder: URL
    private let commands: FileHandle
    private let answers: FileHandle
    private var unread: [UInt8] = []
    private var lastID = 0
    private var session: String?

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts a browser with a profile of its own, and opens one page.
    init(width: Int = 1280, height: Int = 800, isDark: Bool = false) async throws {
        let path = try #require(Self.path, "Chromium is not installed: apt-get install chromium")
        folder = FileManager.default.temporaryDirectory.appending(path: "studio-chromium-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (input, output) = (folder.appending(path: "in").path, folder.appending(path: "out").path)
        guard mkfifo(input, 0o600) == 0, mkfifo(output, 0o600) == 0 else {
            throw Failure(description: "no named pipes")
        }
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Chromium reads its commands from descriptor 3 and answers on 4.
        process.arguments = [
            "-c", "exec \"$0\" \"$@\" 3<\"$STUDIO_IN\" 4>\"$STUDIO_OUT\"", path, "--headless", "--no-sandbox",
            "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
            "--remote-debugging-pipe",
            "--user-data-dir=\(folder.path)/profile", "--window-size=\(width),\(height)",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(["STUDIO_IN": input, "STUDIO_OUT": output]) {
            $1
        }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Opening for both never waits for the other end.
        guard let commands = FileHandle(forUpdatingAtPath: input), let answers = FileHandle(forUpdatingAtPath: output)
        else {
            throw Failure(description: "no named pipes")
        }
        (self.commands, self.answers) = (commands, answers)
        let target = try await ask("Target.createTarget", ["url": "about:blank"])
        let attached = try await ask(
            "Target.attachToTarget", ["targetId": try #require(target["targetId"] as? String), "flatten": true])
        session = attached["sessionId"] as? String
        for domain in ["Page", "Runtime", "Log", "Network"] { _ = try await ask("\(domain).enable", [:]) }
        _ = try await ask(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600])
        _ = try await ask(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]]])
    }

    /// Ends the browser and removes its profile.
    func quit() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Opens an address, and waits until the page and what it needs are there.
    func open(_ address: String) async throws {
        _ = try await ask("Page.navigate", ["url": address])
        try await wait(for: "document.readyState === 'complete'")
    }

    /// The value of an expression in the page, as text.
    func value(of expression: String) async throws -> String {
        let answer = try await ask(
            "Runtime.evaluate", ["expression": "String(\(expression))", "awaitPromise": true, "returnByValue": true])
        if let failure = answer["exceptionDetails"] { throw Failure(description: "\(expression): \(failure)") }
        return (answer["result"] as? [String: Any])?["value"] as? String ?? ""
    }

    /// Waits until an expression is true. The suite's time limit ends what never comes.
    func wait(for expression: String) async throws {
        while true {
            do {
                if try await value(of: expression) == "true" { return }
            } catch let error as Failure {
                // Between two pages there is no document.
                guard process.isRunning else { throw error }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    func press(_ key: String, code: Int) async throws {
        for type in ["rawKeyDown", "keyUp"] {
            _ = try await ask(
                "Input.dispatchKeyEvent",
                ["type": type, "key": key, "code": key, "windowsVirtualKeyCode": code])
        }
    }

    func screenshot() async throws -> Data {
        let answer = try await ask("Page.captureScreenshot", ["format": "png"])
        return try #require((answer["data"] as? String).flatMap { Data(base64Encoded: $0) })
    }

    /// Leaves a picture of the page in the folder `STRATA_SCREENSHOTS`, where whoever has started the tests names one.
    func keep(_ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["STRATA_SCREENSHOTS"] else { return }
        try await screenshot().write(to: URL(fileURLWithPath: folder).appending(path: name + ".png"))
    }

    // MARK: The protocol

    func ask(_ method: String, _ parameters: [String: Any]) async throws -> [String: Any] {
        lastID += 1
        let id = lastID
        var message: [String: Any] = ["id": id, "method": method, "params": parameters]
        if let session { message["sessionId"] = session }
        try commands.write(contentsOf: try JSONSerialization.data(withJSONObject: message) + [0])
        while true {
            let answer = try await next()
            note(answer)
            guard answer["id"] as? Int == id else { continue }
            if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
            return answer["result"] as? [String: Any] ?? [:]
        }
    }

    private func note(_ message: [String: Any]) {
        let parameters = message["params"] as? [String: Any] ?? [:]
        switch message["method"] as? String {
        case "Log.entryAdded":
            if let entry = parameters["entry"] as? [String: Any], entry["level"] as? String == "error" {
                complaints.append("\(entry["text"] ?? "")  \(entry["url"] ?? "")")
            }
        case "Runtime.exceptionThrown": complaints.append("\(parameters)")
        default: break
        }
    }

    /// Messages end with a NUL.
    private func next() async throws -> [String: Any] {
        while true {
            if let end = unread.firstIndex(of: 0) {
                let data = Data(unread[..<end])
                unread.removeSubrange(...end)
                return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
            }
            guard process.isRunning else { throw Failure(description: "Chromium has ended") }
            unread += try await more()
        }
    }

    private func more() async throws -> [UInt8] {
        let descriptor = answers.fileDescriptor
        return try await withCheckedThrowingContinuation { (done: CheckedContinuation<[UInt8], any Error>) in
            Thread.detachNewThread {
                var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&place, 1, 1000) > 0 else { return done.resume(returning: []) }
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                let count = read(descriptor, &buffer, buffer.count)
                done.resume(returning: Array(buffer.prefix(max(0, count))))
            }
        }
    }
}

/// Runs `body` with a browser.
func withChromium(
    width: Int = 1280, height: Int = 800, isDark: Bool = false, _ body: (Chromium) async throws -> Void
) async throws {
    let browser = try await Chromium(width: width, height: height, isDark: isDark)
    do {
        try await body(browser)
    } catch {
        await browser.quit()
        throw error
    }
    await browser.quit()
}
