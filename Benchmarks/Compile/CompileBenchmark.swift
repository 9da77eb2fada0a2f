// What models and predicates cost to type-check in a debug build: processor time of the compiler and of the macros' plug-in, apart.
//
// One file, compiled by itself (`make bench-compile`), for what it measures is the compiler:
//
//     compile-benchmark BIN-PATH LIBPQ-INCLUDE [RUNS]
//
// Processor time and not time on the clock, and the least of several runs: other programs may run beside.

import Foundation

@main
struct CompileBenchmark {
    static func main() throws {
        let name = URL(filePath: CommandLine.arguments[0]).lastPathComponent
        if name == TimedPlugin.name { return try TimedPlugin.run() }
        guard CommandLine.arguments.count >= 3 else {
            FileHandle.standardError.write(Data("usage: compile-benchmark BIN-PATH LIBPQ-INCLUDE [RUNS]\n".utf8))
            exit(2)
        }
        let runs = CommandLine.arguments.count > 3 ? Int(CommandLine.arguments[3]) ?? 5 : 5
        let compiler = try Compiler(products: CommandLine.arguments[1], libpq: CommandLine.arguments[2])
        defer { compiler.removeFiles() }
        print("CPU milliseconds of each, the least of \(runs) runs        compiler   plug-in       sum")
        let nothing = try compiler.time(Sources.imports, runs: runs)
        for workload in Sources.workloads {
            let cost = (try compiler.time(workload.text, runs: runs) - nothing) / Double(workload.count)
            print(workload.title.padding(toLength: 48, withPad: " ", startingAt: 0) + cost.columns)
            fflush(nil)
        }
    }
}

/// Processor time in milliseconds.
struct Cost {
    var compiler: Double
    var plugin: Double

    var sum: Double { compiler + plugin }
    var columns: String { [compiler, plugin, sum].map { String(format: "%10.2f", $0) }.joined() }

    static func - (one: Cost, other: Cost) -> Cost {
        Cost(compiler: max(0, one.compiler - other.compiler), plugin: max(0, one.plugin - other.plugin))
    }
    static func / (cost: Cost, count: Double) -> Cost {
        Cost(compiler: cost.compiler / count, plugin: cost.plugin / count)
    }
}

/// The sources that are type-checked.
enum Sources {
    struct Workload {
        let title: String
        /// How many of what the title names there are.
        let count: Int
        let text: String
    }

    static let imports = "import Foundation\nimport StrataModels\n"

    static var workloads: [Workload] {
        [
            Workload(
                title: "a class of 10 properties without @Model", count: 20, text: classes(20, of: 10, attribute: "")),
            Workload(title: "a model of 10 properties", count: 20, text: classes(20, of: 10)),
            Workload(title: "a model of 40 properties", count: 5, text: classes(5, of: 40)),
            Workload(title: "a predicate of two comparisons", count: 100, text: predicates(100)),
            Workload(title: "a schema of 300 entities, of 5 properties each", count: 1, text: schema(300, of: 5)),
        ]
    }

    private static let types = [
        "String", "Int", "Date", "Double", "Bool", "String?", "Date?", "UUID", "[String]", "Data?",
    ]

    private static func classes(_ count: Int, of properties: Int, attribute: String = "@Model") -> String {
        imports + (0..<count).map { model("Model\($0)", of: properties, attribute: attribute) }.joined()
    }

    private static func model(_ name: String, of properties: Int, attribute: String) -> String {
        let all = (0..<properties).map { (name: "property\($0)", type: types[$0 % types.count]) }
        return """
            \(attribute) final class \(name) {
            \(all.map { "    var \($0.name): \($0.type)" }.joined(separator: "\n"))
                init(\(all.map { "\($0.name): \($0.type)" }.joined(separator: ", "))) {
            \(all.map { "        self.\($0.name) = \($0.name)" }.joined(separator: "\n"))
                }
            }

            """
    }

    private static func predicates(_ count: Int) -> String {
        let all = (0..<count).map {
            "func predicate\($0)(_ name: String) -> Foundation.Predicate<Model0> {\n"
                + "    #Predicate<Model0> { $0.property0 == name && $0.property1 > \($0) }\n}\n"
        }
        return classes(1, of: 10) + all.joined()
    }

    private static func schema(_ count: Int, of properties: Int) -> String {
        let names = (0..<count).map { "Model\($0).self" }.joined(separator: ", ")
        return classes(count, of: properties) + "func schema() -> Schema { Schema([\(names)]) }\n"
    }
}

/// Type-checks sources as a debug build does.
struct Compiler {
    private let arguments: [String]
    private let folder: URL

    init(products: String, libpq: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "strata-compile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let module = "module CLibPQ [system] { header \"\(libpq)/libpq-fe.h\" link \"pq\" export * }\n"
        try module.write(to: folder.appending(path: "module.modulemap"), atomically: true, encoding: .utf8)
        // The plug-in is this program again, under another name: it starts the real one, and sees what that has used.
        let plugin = folder.appending(path: TimedPlugin.name)
        try FileManager.default.copyItem(at: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(), to: plugin)
        try "\(products)/StrataMacros-tool".write(
            to: folder.appending(path: "tool"), atomically: true, encoding: .utf8)
        arguments = [
            "-frontend", "-typecheck", "-module-name", "Benchmark", "-swift-version", "6", "-I", "\(products)/Modules",
            "-I", libpq, "-Xcc", "-fmodule-map-file=\(folder.path())/module.modulemap", "-load-plugin-executable",
            "\(plugin.path())#StrataMacros",
        ]
    }

    func removeFiles() { try? FileManager.default.removeItem(at: folder) }

    /// The least that type-checking a source took.
    func time(_ source: String, runs: Int) throws -> Cost {
        let file = folder.appending(path: "Source.swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        return try (0..<runs).map { _ in try time(file) }.min { $0.sum < $1.sum } ?? Cost(compiler: 0, plugin: 0)
    }

    private func time(_ file: URL) throws -> Cost {
        try? FileManager.default.removeItem(at: TimedPlugin.started(in: folder))
        try? FileManager.default.removeItem(at: TimedPlugin.ended(in: folder))
        let (status, milliseconds) = try TimedProcess.run("swiftc", arguments + [file.path()])
        guard status == 0 else { throw Failure(description: "the compiler refused \(file.path())") }
        return Cost(compiler: milliseconds, plugin: try TimedPlugin.milliseconds(in: folder))
    }
}

/// What the compiler starts in place of the plug-in.
enum TimedPlugin {
    static let name = "timed-plugin"

    static func run() throws {
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let tool = try String(contentsOf: folder.appending(path: "tool"), encoding: .utf8)
        guard CommandLine.arguments.count > 1 else {
            // The compiler ends whoever it has started, if that one does not end at once. Another one waits for the plug-in.
            try Data().write(to: started(in: folder))
            _ = try TimedProcess.start(folder.appending(path: name).path(), ["wait"])
            return
        }
        let (status, milliseconds) = try TimedProcess.run(tool, [])
        try "\(milliseconds)".write(to: ended(in: folder), atomically: true, encoding: .utf8)
        exit(status)
    }

    static func started(in folder: URL) -> URL { folder.appending(path: "started") }
    static func ended(in folder: URL) -> URL { folder.appending(path: "ended") }

    /// What the plug-in has used, if the compiler has started it. It may end after the compiler.
    static func milliseconds(in folder: URL) throws -> Double {
        guard FileManager.default.fileExists(atPath: started(in: folder).path()) else { return 0 }
        for _ in 0..<1_000 {
            if let text = try? String(contentsOf: ended(in: folder), encoding: .utf8), let number = Double(text) {
                return number
            }
            usleep(10_000)
        }
        throw Failure(description: "the plug-in did not end")
    }
}

struct Failure: Error, CustomStringConvertible { let description: String }

/// A process with this one's input and output, and the processor time that it and those it waited for have used.
enum TimedProcess {
    static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, milliseconds: Double) {
        let child = try start(program, arguments)
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(child, &status, 0, &usage) == child else { throw Failure(description: "\(program) was lost") }
        let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        let microseconds = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
        return (status == 0 ? 0 : 1, seconds * 1_000 + microseconds / 1_000)
    }

    static func start(_ program: String, _ arguments: [String]) throws -> pid_t {
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawnp(&child, program, nil, nil, &words, environ)
        guard failure == 0 else { throw Failure(description: "\(program): \(String(cString: strerror(failure)))") }
        return child
    }
}
