import Foundation

/// Everything there is to measure, in order.
struct Suite {
    let options: StrataBenchmarks
    private var trips: Int { options.trips }

    init(options: StrataBenchmarks) {
        self.options = options
    }

    func run(_ report: (Measurement) -> Void) throws {
        let server = try BenchmarkServer(history: options.history, connections: options.connections)
        try runTrips(server, report)
        try runMillion(server, report)
        try runQueries(server, report)
        try runHierarchies(server, report)
        try runKeys(server, report)
        if options.wants("G6") || options.wants("G7") { try LargeSchema.measure(server).forEach(report) }
        try runWithoutDisk(report)
    }

    // MARK: The trips

    private func runTrips(_ server: BenchmarkServer, _ report: (Measurement) -> Void) throws {
        let works = works
        let names = works.map(\.name) + ["W10", "W10s", "W10t", "C1", "C2", "C3", "G3", "G4", "G5"]
        guard names.contains(where: options.wants) else { return }
        let database = try server.trips("trips", count: trips, related: true)
        let relay = try server.relay()
        let relayed = try server.relayed("trips", through: relay)
        for work in works where options.wants(work.name) {
            // What the one before has added would be found by this one.
            try TripData.reset(database)
            var measurement = try Comparison.measure(work, on: database, repetitions: options.repetitions)
            try Comparison.countRoundTrips(work, on: relayed, relay, into: &measurement)
            report(measurement)
        }
        try TripData.reset(database)
        try runLoads(database, report)
        if options.wants("C3") { report(try WaitingTasks.measure(database, count: 1000)) }
        if ["G3", "G4", "G5"].contains(where: options.wants) {
            try LargeRelationship.measure(database, sizes: [1000, 10_000, 100_000]).forEach(report)
        }
    }

    private var works: [any Workload] {
        func each(_ own: Int, _ make: (Int) -> any Workload) -> [any Workload] {
            (options.sizes.isEmpty ? [min(own, trips)] : options.sizes).map(make)
        }
        return each(10_000) { InsertGraph(size: $0) } + each(trips) { DeepFetch(size: $0, total: trips) }
            + [LeafFetch(size: trips / 3)] + each(10_000) { LookUps(size: $0) } + each(2000) { Searches(size: $0) }
            + each(5000) { GraphFetch(size: $0, total: trips) } + each(10_000) { ChangeMany(size: $0, total: trips) }
            + each(10_000) { DeleteMany(size: $0) } + [Projection(size: trips), StructsFromSQL(size: trips)]
    }

    private func runLoads(_ database: Database, _ report: (Measurement) -> Void) throws {
        guard ["W10", "W10s", "W10t", "C1", "C2"].contains(where: options.wants) else { return }
        let loads = try LoadComparison(database, repetitions: options.repetitions)
        func run(_ workers: Int, _ work: WorkerRun.Work, _ form: WorkerRun.Form = .executor) -> WorkerRun {
            WorkerRun(workers: workers, seconds: options.seconds, work: work, form: form)
        }
        func measure(_ name: String, _ title: String, _ form: WorkerRun.Form, share: Double? = nil) throws {
            guard options.wants(name) else { return }
            report(try loads.measure(name, title, run(16, .change, form), share: share))
        }
        try measure("W10", "read, change, save at once", .executor, share: 0.75)
        try measure("W10s", "the same: Swift's threads", .tasks)
        try measure("W10t", "the same: blocking calls", .threads)
        for workers in [1, 2, 4, 16, 64] {
            if options.wants("C1") {
                report(try loads.measure("C1", "look-ups at once: tasks", run(workers, .lookUp)))
            }
            if options.wants("C2") {
                report(try loads.measure("C2", "read, change, save at once: tasks", run(workers, .change)))
            }
        }
    }

    // MARK: The others

    private func runMillion(_ server: BenchmarkServer, _ report: (Measurement) -> Void) throws {
        guard ["W9", "G1", "G2"].contains(where: options.wants) else { return }
        let database = try server.trips("million", count: options.million, related: false)
        if options.wants("W9") {
            let work = StreamAll(size: options.million)
            report(try Comparison.measure(work, on: database, repetitions: options.repetitions))
        }
        if options.wants("G1") || options.wants("G2") {
            let sizes = [1000, 10_000, 100_000, 1_000_000].filter { $0 <= options.million }
            try CleanContext.measure(database, sizes: sizes).forEach(report)
        }
    }

    private func runQueries(_ server: BenchmarkServer, _ report: (Measurement) -> Void) throws {
        func measure(_ work: some Workload, on database: Database) throws {
            report(try Comparison.measure(work, on: database, repetitions: options.repetitions))
        }
        if options.wants("Q2") {
            try measure(
                Grouping(size: options.million), on: try server.sales("many_sales", count: options.million))
        }
        if options.wants("Q3") {
            try measure(UpdateByPredicate(), on: try server.sales("changed_sales", count: 300_000))
        }
        if options.wants("Q6") {
            try measure(InsertRows(size: options.million), on: try server.database("new_sales", [Sale.self]))
        }
        if options.wants("Q4") {
            let database = try server.database("queue", [QueuedJob.self])
            // More than can be done in a run.
            let loads = LoadComparison(
                database, jobs: Int(options.seconds * 60_000), repetitions: options.repetitions)
            let run = WorkerRun(workers: 16, seconds: options.seconds, work: .takeJob)
            report(try loads.measure("Q4", "jobs of a queue, each taken once", run, share: 0.75))
        }
        guard options.wants("Q5") || options.wants("Q5d") else { return }
        let rows = 300_000
        let database = try server.sales("sales", count: rows)
        for order in [DeepPage.Order.required, .descendingOptional] {
            let work = DeepPage(order, size: 500, rows: rows)
            if options.wants(work.name) { try measure(work, on: database) }
        }
    }

    private func runHierarchies(_ server: BenchmarkServer, _ report: (Measurement) -> Void) throws {
        for count in options.classes where options.wants("H\(count)") {
            let size = trips
            func measure(_ hierarchy: Hierarchy, _ make: (Database) throws -> any Workload) throws {
                let database = try server.database(hierarchy.root, hierarchy.types)
                try hierarchy.fill(database, count: size)
                report(
                    try Comparison.measure(try make(database), on: database, repetitions: options.repetitions))
            }
            switch count {
            case 1: try measure(.solo) { try HierarchyFetch<Solo>.best(.solo, size: size, on: $0) }
            case 8: try measure(.eight) { try HierarchyFetch<Eight>.best(.eight, size: size, on: $0) }
            case 20: try measure(.twenty) { try HierarchyFetch<Twenty>.best(.twenty, size: size, on: $0) }
            // Three classes are the trips: W2.
            default: continue
            }
        }
    }

    /// UUIDs beside numbers.
    private func runKeys(_ server: BenchmarkServer, _ report: (Measurement) -> Void) throws {
        let works = KeyKinds.Work.allCases.map { KeyKinds($0, total: trips) }.filter { options.wants($0.name) }
        guard !works.isEmpty else { return }
        let database = try server.database("keys", [NumberedArticle.self, IdentifiedArticle.self])
        try KeyKinds.fill(database, count: trips)
        for work in works {
            report(try Comparison.measure(work, on: database, repetitions: options.repetitions))
        }
    }

    /// W10 on a server that never waits for the disk.
    private func runWithoutDisk(_ report: (Measurement) -> Void) throws {
        guard options.wants("W10f") || options.wants("W10fs") else { return }
        let server = try BenchmarkServer(fsync: false, history: options.history, connections: options.connections)
        let database = try server.trips("trips", count: trips, related: false)
        let loads = try LoadComparison(database, repetitions: options.repetitions)
        func measure(_ name: String, _ title: String, _ form: WorkerRun.Form, share: Double? = nil) throws {
            guard options.wants(name) else { return }
            let run = WorkerRun(workers: 16, seconds: options.seconds, work: .change, form: form)
            report(try loads.measure(name, title, run, share: share))
        }
        try measure("W10f", "as W10, with fsync off", .executor, share: 0.75)
        try measure("W10fs", "the same: Swift's threads", .tasks)
    }
}
