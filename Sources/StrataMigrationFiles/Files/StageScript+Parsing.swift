package import StrataMigrations

extension StageScript {
    /// Reads the files of one stage.
    ///
    /// Throws ``MigrationError`` with file and line: `usage` for what cannot be read, `integrity` for files that do not
    /// belong together.
    ///
    /// - Parameter stem: `0004_v3_v4`.
    package init(upText: String, downText: String?, checksText: String?, stem: String) throws(MigrationError) {
        let file = stem + ".sql"
        guard let (number, name) = Self.parts(ofStem: stem) else {
            throw MigrationError(
                .integrity, "\(file) is no name of a migration file.", places: [file], remedy: "0004_v3_v4.sql is one")
        }
        let (header, sections) = try FileSection.parts(of: upText, file: file)
        let head = FileHeader(directives: header, file: file)
        let downFile = stem + ".down.sql"
        let checksFile = stem + ".checks.sql"
        self.init(
            number: number, name: name, from: try head.version(.from), to: try head.newVersion,
            schemaName: try head.schemaName, steps: try Self.steps(sections, file: file), down: try head.down,
            notes: head.entries(.note))
        generation = head.entries(.generated).first.flatMap {
            StageGeneration(entry: $0, up: upText, down: downText, checks: checksText)
        }

        var downSections: [FileSection] = []
        switch (down, downText) {
        case (.steps, let text?):
            downSections = try FileSection.sections(of: text, file: downFile)
            down = .steps(try Self.steps(downSections, file: downFile), checks: [])
        case (.steps, nil): throw Self.missing(downFile, named: file, head.line(.down))
        case (.none, .some): throw Self.unnamed(downFile, in: file, head.line(.down))
        case (.none, nil): break
        }
        switch (try head.hasChecks, checksText) {
        case (true, let text?): try addChecks(ChecksText.sections(of: text, file: checksFile), file: checksFile)
        case (true, nil): throw Self.missing(checksFile, named: file, head.line(.checks))
        case (false, .some): throw Self.unnamed(checksFile, in: file, head.line(.checks))
        case (false, nil): break
        }
        nameOperations(by: sections, down: downSections)
    }

    /// Last of all: the queries of verifying steps stand in another file, and belong to what a step is told by.
    private mutating func nameOperations(by sections: [FileSection], down downSections: [FileSection]) {
        steps = zip(steps, sections).map(OperationDirective.named)
        if case .steps(let steps, let checks) = down {
            down = .steps(zip(steps, downSections).map(OperationDirective.named), checks: checks)
        }
    }

    /// 4 and `v3_v4` of `0004_v3_v4`.
    package static func parts(ofStem stem: String) -> (number: Int, name: String)? {
        let digits = stem.prefix { $0 != "_" }
        let name = stem.dropFirst(digits.count + 1)
        guard digits.count >= 4, digits.allSatisfy({ "0"..."9" ~= $0 }), let number = Int(digits), number > 0,
            !name.isEmpty
        else { return nil }
        return (number, String(name))
    }

    private static func steps(_ sections: [FileSection], file: String) throws(MigrationError) -> [MigrationStep] {
        var steps: [MigrationStep] = []
        var ids: Set<String> = []
        for section in sections {
            let place = "\(file):\(section.line)"
            if section.isCheck {
                throw MigrationError(.usage, "A check stands among the steps.", places: [place])
            }
            var step = try StepDirective.step(section.words, place: place)
            guard ids.insert(step.id).inserted else {
                throw MigrationError(.integrity, "Two steps are called \(step.id).", places: [place])
            }
            step.title = section.title
            step.notes = section.entries(.note)
            step.undo = section.entries(.undo)
            let done = section.entries(.done)
            guard done.count <= 1 else {
                throw MigrationError(.usage, "Step \(step.id) says twice when it is done.", places: [place])
            }
            step.done = done.first
            switch step.execution {
            case .closure, .verify: break
            case .transaction, .alone, .batches:
                step.statements = PsqlDressing.undress(section.statements, of: step).map(\.textForLint)
            }
            steps.append(step)
        }
        return steps
    }

    private mutating func addChecks(_ sections: [ChecksText.Section], file: String) throws(MigrationError) {
        var wayBack: (steps: [MigrationStep], checks: [DataCheck])?
        if case .steps(let steps, let checks) = down { wayBack = (steps, checks) }
        for section in sections {
            switch section {
            case .check(let check, isDown: false): checks.append(check)
            case .check(let check, isDown: true):
                guard wayBack != nil else { throw Self.stray("check \(check.code)", file) }
                wayBack?.checks.append(check)
            case .step(let id, let isDown, let statements):
                func isMeant(_ step: MigrationStep) -> Bool { step.id == id && step.execution == .verify }
                if isDown, let index = wayBack?.steps.firstIndex(where: isMeant) {
                    wayBack?.steps[index].statements = statements
                } else if !isDown, let index = steps.firstIndex(where: isMeant) {
                    steps[index].statements = statements
                } else {
                    throw Self.stray("step \(id)", file)
                }
            }
        }
        if let wayBack { down = .steps(wayBack.steps, checks: wayBack.checks) }
    }

    private static func stray(_ what: String, _ file: String) -> MigrationError {
        MigrationError(.integrity, "The queries of \(what) belong to no verifying step of this stage.", places: [file])
    }

    private static func missing(_ name: String, named file: String, _ line: Int) -> MigrationError {
        MigrationError(
            .integrity, "\(name) is missing.", places: ["\(file):\(line)"], remedy: "restore it from version control")
    }

    private static func unnamed(_ name: String, in file: String, _ line: Int) -> MigrationError {
        MigrationError(
            .integrity, "\(file) says that there is no \(name), but there is one.", places: ["\(file):\(line)"])
    }
}
