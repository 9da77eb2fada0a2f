import StrataModels
import StrataRepository

/// What stands beside the properties: unique sets, checks, indexes.
extension ModelPlanner {
    mutating func planConstraints() {
        for table in classTables {
            coverage.constraints.expressed += 1
            planUniques(of: table)
            for index in table.definition.foldedUniqueSets { planFoldedUnique(index, of: table) }
            planIndexes(of: table)
            planChecks(of: table)
        }
    }

    /// The properties of these columns; `nil` when one of them has none in this class.
    private func properties(of columns: [String], in table: DatabaseDescription.Table) -> [String]? {
        let names = columns.compactMap { drafts[table.name]?.propertyOfColumn[$0] }
        return names.count == columns.count ? names : nil
    }

    private func hasDocument(_ properties: [String], in table: String) -> Bool {
        properties.contains { drafts[table]?.types[$0]?.use == .document }
    }

    private mutating func planUniques(of table: DatabaseDescription.Table) {
        var known: Set<[String]> = []
        for unique in table.definition.uniqueSets {
            let (columns, isDeferrable) = (unique.columns, unique.isDeferrable)
            let list = columns.joined(separator: ", ")
            let key = table.definition.hasKeyParts ? table.definition.primaryKey?.columns ?? [] : []
            if let primary = table.definition.primaryKey?.columns, Set(columns).isStrictSuperset(of: primary) {
                // The key alone says it: such a set is there for foreign keys.
                coverage.constraints.expressed += 1
                continue
            }
            if !key.isEmpty, Set(columns) == Set(key) {
                // The index for the way back, as a rule.
                remark("unique (\(list)) says of the columns of the key what the key says", in: table.name)
                continue
            }
            if references.contains(where: {
                $0.source == table.name && $0.columns.count > 1 && Set($0.columns) == Set(columns)
            }) {
                // The relationship to one says it.
                coverage.constraints.expressed += 1
                continue
            }
            if columns.contains(where: { table.definition.column(named: $0)?.isGenerated == true }) {
                remark(
                    "unique (\(list)) has a column that the server computes, by which no save finds a row",
                    in: table.name)
                continue
            }
            guard let names = properties(of: columns, in: table), !hasDocument(names, in: table.name) else {
                remark(
                    columns.allSatisfy { table.definition.column(named: $0) != nil }
                        ? "unique (\(list)) needs a property for each column"
                        : "unique (\(list)) is of an expression, which #Unique does not say; \(Self.caselessHint)",
                    in: table.name)
                continue
            }
            guard known.insert(columns).inserted else { continue }
            coverage.constraints.expressed += 1
            let property = drafts[table.name]?.model.properties.first { $0.name == names[0] }
            // Where nothing may be NULL it makes no difference.
            let nullsNotDistinct =
                unique.nullsNotDistinct
                && columns.contains { table.definition.column(named: $0)?.isNullable == true }
            let planned = PlannedUnique(
                names: names,
                suffix: (nullsNotDistinct ? ", nulls: .notDistinct" : "")
                    + (unique.isInitiallyDeferred ? ", timing: .deferred" : ""))
            if names.count == 1, property?.kind == .toOne {
                // The relationship to one says it, unless it is checked row by row.
                if !isDeferrable || unique.isInitiallyDeferred {
                    drafts[table.name]?.model.uniques.append(planned)
                }
            } else if isDeferrable, !unique.isInitiallyDeferred {
                coverage.constraints.expressed -= 1
                remark("unique (\(list)) is DEFERRABLE, which is for relationships to one alone", in: table.name)
            } else if names.count == 1, planned.suffix.isEmpty, !key.contains(columns[0]),
                let index = drafts[table.name]?.model.properties.firstIndex(where: { $0.name == names[0] })
            {
                drafts[table.name]?.model.properties[index].arguments.insert(".unique", at: 0)
            } else {
                drafts[table.name]?.model.uniques.append(planned)
            }
        }
    }

    /// What `case: .insensitive` is in the database.
    private static let caselessHint =
        "case: .insensitive is a unique index of (lower(column COLLATE \"\(CaselessText.collation)\") COLLATE \"C\")"

    /// What is unique regardless of case: all texts of the set are compared so, and only what is no text, or a part of the key, as it is.
    private mutating func planFoldedUnique(_ index: IndexDefinition, of table: DatabaseDescription.Table) {
        let list = index.keys.map(\.description).joined(separator: ", ")
        let keyColumns = table.definition.primaryKey?.columns ?? []
        let names = properties(of: index.columns, in: table)
        let isSaid =
            names.map { names in
                zip(names, index.keys).allSatisfy { name, key in
                    let type = drafts[table.name]?.types[name]?.name
                    let isText = type == "String" && !keyColumns.contains(key.column)
                    return key.fold == (isText ? .caseless : nil)
                }
            } ?? false
        guard let names, isSaid else {
            return remark(
                "the unique index \(index.name) (\(list)) is none that #Unique says; \(Self.caselessHint) of each text of a set",
                in: table.name)
        }
        coverage.constraints.expressed += 1
        let nullsNotDistinct =
            index.nullsNotDistinct
            && index.columns.contains { table.definition.column(named: $0)?.isNullable == true }
        drafts[table.name]?.model.uniques.append(
            PlannedUnique(
                names: names, suffix: ", case: .insensitive" + (nullsNotDistinct ? ", nulls: .notDistinct" : "")))
    }

    private mutating func planIndexes(of table: DatabaseDescription.Table) {
        let definition = table.definition
        let foreignKeys = Set(references.filter { $0.source == table.name }.map(\.columns))
        let others =
            definition.uniqueSets.map(\.columns) + definition.indexes.filter { $0.method == "btree" }.map(\.columns)
        for index in definition.indexes where !(index.isUnique && index.predicate == nil && index.method == "btree") {
            let list = index.columns.joined(separator: ", ")
            if index.predicate != nil {
                note(
                    table.name, nil,
                    index.isUnique
                        ? "the unique index \(index.name) (\(list)) is partial: #Unique says it with the condition behind it, in Swift"
                        : "the index \(index.name) is partial")
                continue
            }
            if index.keys.contains(where: { $0.fold == .caseless }) {
                let keys = index.keys.map(\.description).joined(separator: ", ")
                note(table.name, nil, "the index \(index.name) (\(keys)) is of what #Index has no word for")
                continue
            }
            // That of a foreign key of several columns goes with it.
            if index.isPlain, index.columns.count > 1, foreignKeys.contains(where: { Set($0) == Set(index.columns) }) {
                continue
            }
            guard let names = properties(of: index.columns, in: table) else {
                note(table.name, nil, "the index \(index.name) (\(list)) is on what is no property of the class")
                continue
            }
            guard let included = properties(of: index.included, in: table) else {
                note(table.name, nil, "the index \(index.name) (\(list)) includes what is no property of the class")
                continue
            }
            // The index of a foreign key goes with it, unless another one begins with its column.
            if index.isPlain, index.columns.count == 1, foreignKeys.contains(index.columns),
                !others.contains(where: { $0.count > 1 && $0[0] == index.columns[0] }),
                !isOneToOne(index.columns, of: table)
            {
                continue
            }
            guard var planned = plannedIndex(index.method, names, in: table.name) else {
                note(table.name, nil, "the index \(index.name) (\(index.method) on \(list)) has no #Index")
                continue
            }
            if !index.keys.allSatisfy({ $0 == IndexKeyDefinition($0.column) }) {
                planned.kind = "sorted"
                planned.keys = zip(index.keys, names).map { key, name in
                    Self.text(
                        of: key, name, isNullable: definition.column(named: key.column)?.isNullable == true)
                }
            }
            if !included.isEmpty {
                planned.suffix = ", including: [\(included.map { "\\.\($0)" }.joined(separator: ", "))]"
            }
            drafts[table.name]?.model.indexes.append(planned)
        }
    }

    /// A key as `.sorted` has it, with where `nil` is when a `SortDescriptor` would have it elsewhere.
    private static func text(of key: IndexKeyDefinition, _ name: String, isNullable: Bool) -> String {
        let usual = isNullable ? !key.isDescending : key.isDescending
        return ".\(key.fold == .lowercased ? "lowercased" : "key")(\\.\(name)"
            + (key.isDescending ? ", order: .reverse" : "")
            + (key.nullsFirst == usual ? "" : ", nils: .\(key.nullsFirst ? "first" : "last")") + ")"
    }

    private func plannedIndex(_ method: String, _ names: [String], in table: String) -> PlannedIndex? {
        guard let method = Schema.ModelIndex.Method(rawValue: method), Set(names).count == names.count else {
            return nil
        }
        let types = names.map { drafts[table]?.types[$0] }
        let hasDocument = types.contains { $0?.use == .document }
        let hasList = types.contains { $0?.use == .list }
        let areStrings = types.allSatisfy { $0?.name == "String" }
        switch method {
        case .btree: return hasDocument ? nil : PlannedIndex(kind: "binary", properties: names)
        case .hash: return names.count == 1 && !hasDocument ? PlannedIndex(kind: "hash", properties: names) : nil
        case .brin:
            let isOrdered = types.allSatisfy { $0.map { ![.document, .list, .boolean].contains($0.use) } ?? true }
            return isOrdered ? PlannedIndex(kind: "brin", properties: names) : nil
        case .gin:
            let isSearched = types.allSatisfy { $0?.use == .document || $0?.use == .list }
            return isSearched && (hasDocument || hasList) ? PlannedIndex(kind: "gin", properties: names) : nil
        case .gist:
            let areRanges = types.allSatisfy { $0?.use == .range }
            return areRanges ? PlannedIndex(kind: "gist", properties: names) : nil
        case .named: return nil
        case .trigram: return areStrings && names.count == 1 ? PlannedIndex(kind: "trigram", properties: names) : nil
        case .fullText(let language, let weights):
            guard areStrings else { return nil }
            let list = weights.lowercased().map { ".\($0)" }.joined(separator: ", ")
            return PlannedIndex(
                kind: "fullText", properties: names,
                suffix: (weights.isEmpty ? "" : ", weights: [\(list)]") + ", language: \(SwiftDefault.quoted(language))"
            )
        }
    }
}
