// `#Unique`, `#Index` and `#Check`; conditions are looked at where tables are known.
extension SchemaValidation {
    mutating func checkConstraints(of entity: Schema.Entity) {
        for keyPath in entity.unknownConstraintKeyPaths {
            report(
                entity.name, "\(Self.readable(keyPath)) in #Unique or #Index is no stored property of the class",
                remedy: "name stored properties; a computed, @Transient or nested one has no column")
        }
        for names in entity.uniquenessConstraints where names.count != 1 || !isSingle(names, in: entity) {
            checkSet(names, .unique, of: entity)
        }
        for unique in entity.modelUniques where unique.nulls == .notDistinct { checkNulls(unique, of: entity) }
        for unique in entity.modelUniques where unique.letterCase == .insensitive { checkCase(unique, of: entity) }
        for unique in entity.modelUniques where unique.timing == .deferred { checkTiming(unique, of: entity) }
        for index in entity.modelIndices {
            if !index.method.isIdentifier {
                report(
                    entity.name,
                    "an index of \(index.names.joined(separator: ", ")) names the method \(index.method.rawValue), and a name has small letters, digits and _ only",
                    remedy: "name method and operator class as psql shows them, without a schema")
            }
            checkSet(index.names, .index(index.method), of: entity)
            checkForms(index, of: entity)
        }
        checkFullText(of: entity)
    }

    /// What `matches` searches is one thing, in one language.
    private mutating func checkFullText(of entity: Schema.Entity) {
        let own = entity.modelIndices.filter { $0.method.language != nil }
        if own.count > 1 {
            report(
                entity.name, "it declares \(own.count) indexes for full text, and matches(_:) searches one",
                remedy: "name all properties in one .fullText([…])")
        }
        guard let index = own.first, let language = index.method.language else { return }
        let weights = index.method.weights
        if !weights.isEmpty, weights.count != index.names.count, entity.unknownConstraintKeyPaths.isEmpty {
            report(
                entity.name, "its index for full text has \(weights.count) weights for \(index.names.count) properties",
                remedy: "give each property its weight, in their order, or give none")
        }
        let spotlight = entity.storedProperties.compactMap { $0 as? Schema.Attribute }.filter(\.isSearchedText)
        for attribute in spotlight where !index.names.contains(attribute.name) {
            report(
                entity.name, attribute.name, "it is marked .spotlight, and the class's .fullText index leaves it out",
                remedy: "name it in the index too, or remove .spotlight")
        }
        for name in index.names where entity.storedPropertiesByName[name] == nil {
            report(
                entity.name, name, "a superclass declares it, and has the table that the index would belong to",
                remedy: "declare the .fullText index there; subclasses inherit it")
        }
        var superentity = entity.superentity
        while let ancestor = superentity {
            if let other = ancestor.modelIndices.compactMap(\.method.language).first, other != language {
                report(
                    entity.name,
                    "its full text is in the language \(language), and that of \(ancestor.name) in \(other)",
                    remedy: "declare both with .fullText([…], language:) and the same language")
            }
            superentity = ancestor.superentity
        }
    }

    /// Keys in lower case, and what an index holds beside its keys.
    private mutating func checkForms(_ index: Schema.EntityIndex, of entity: Schema.Entity) {
        for key in index.keys where key.form.isLowercased {
            guard let attribute = entity.descriptor.property(named: key.name) as? AnyAttributeProperty,
                attribute.columnType != .text || attribute.isEphemeral
            else { continue }
            report(
                entity.name, key.name, "its lower case is asked for, and it is no text in the database",
                remedy: "use .key, or declare the text as a property of its own")
        }
        if index.source != nil, index.method == .trigram || index.method.language != nil {
            report(
                entity.name,
                "an index of \(index.names.joined(separator: ", ")) for searching texts has a condition, and a search is in all objects",
                remedy: "remove the condition")
        }
        for name in index.included { checkMember(name, .included, "#Index", of: entity) }
        let all = index.names + index.included
        for name in Set(index.included).sorted() where all.filter({ $0 == name }).count > 1 {
            report(entity.name, name, "named twice in one #Index", remedy: "name it once")
        }
        if index.names.count <= 32, all.count > 32 {
            report(
                entity.name, "\(all.count) properties in one #Index; PostgreSQL takes at most 32",
                remedy: "name fewer properties")
        }
        if !index.included.isEmpty { checkClasses(all, .included, "#Index", of: entity) }
    }

    /// `nil` can equal `nil` only where there is one.
    private mutating func checkNulls(_ unique: Schema.EntityUnique, of entity: Schema.Entity) {
        let properties = unique.names.compactMap { entity.descriptor.property(named: $0) }
        let mayBeNil = properties.contains { property in
            (property as? AnyAttributeProperty)?.isOptional ?? (property as? RelationshipProperty)?.isOptional ?? true
        }
        guard !properties.isEmpty, !mayBeNil else { return }
        report(
            entity.name,
            "#Unique of \(unique.names.joined(separator: ", ")) says that nil equals nil, and none of these properties is optional",
            remedy: "remove nulls: .notDistinct")
    }

    /// Case can make no difference only where there is some.
    private mutating func checkCase(_ unique: Schema.EntityUnique, of entity: Schema.Entity) {
        let properties = unique.names.compactMap { entity.descriptor.property(named: $0) }
        let ignoresCase = unique.names.contains { unique.ignoresCase(of: $0, in: entity.descriptor) }
        guard !properties.isEmpty, !ignoresCase else { return }
        report(
            entity.name,
            "#Unique of \(unique.names.joined(separator: ", ")) says that case makes no difference, and none of these properties is a String "
                + "that is neither part of the key nor the tenant",
            remedy: "remove case: .insensitive")
    }

    private mutating func checkTiming(_ unique: Schema.EntityUnique, of entity: Schema.Entity) {
        let list = unique.names.joined(separator: ", ")
        if unique.source != nil {
            report(
                entity.name,
                "#Unique of \(list) is deferred and has a condition, which makes a unique index, and PostgreSQL defers constraints only",
                remedy: "remove timing: .deferred, or the condition")
        } else if unique.letterCase == .insensitive {
            report(
                entity.name,
                "#Unique of \(list) is deferred and regardless of case, which makes a unique index of an expression, and PostgreSQL defers "
                    + "constraints only",
                remedy: "remove timing: .deferred, or case: .insensitive")
        }
    }

    /// Whether the set comes from `.unique` on the property, which was checked with the property.
    private func isSingle(_ names: [String], in entity: Schema.Entity) -> Bool {
        entity.storedPropertiesByName[names[0]]?.isUnique == true
    }

    private mutating func checkSet(_ names: [String], _ use: ConstraintUse, of entity: Schema.Entity) {
        let macro = if case .unique = use { "#Unique" } else { "#Index" }
        if names.isEmpty {
            // A set of which every key path is unknown was reported as such.
            guard entity.unknownConstraintKeyPaths.isEmpty else { return }
            return report(entity.name, "an empty list in \(macro)", remedy: "name at least one property, or remove it")
        }
        if names.count > 32 {
            report(
                entity.name, "\(names.count) properties in one list of \(macro); PostgreSQL takes at most 32",
                remedy: "name fewer properties")
        }
        if case .index(.hash) = use, names.count > 1 {
            report(
                entity.name, "a hash index on \(names.joined(separator: ", ")); it takes one property only",
                remedy: "use .binary")
        }
        if case .index(.trigram) = use, names.count > 1 {
            report(
                entity.name, "a trigram index on \(names.joined(separator: ", ")); it takes one property only",
                remedy: "declare one .trigram([…]) for each property")
        }
        for name in Set(names).sorted() where names.filter({ $0 == name }).count > 1 {
            report(entity.name, name, "named twice in one list of \(macro)", remedy: "name it once")
        }
        for name in names { checkMember(name, use, macro, of: entity) }
        checkClasses(names, use, macro, of: entity)
    }

    private mutating func checkMember(_ name: String, _ use: ConstraintUse, _ macro: String, of entity: Schema.Entity) {
        guard let property = entity.descriptor.property(named: name) else { return }
        if let relationship = property as? RelationshipProperty {
            if !relationship.isToOne {
                report(
                    entity.name, name, "a to-many relationship has no column that \(macro) could use",
                    remedy: "name the to-one relationship on the other side, in \(relationship.destination.entityName)")
            } else if case .index(let method) = use, method == .gist || method == .gin {
                report(
                    entity.name, name, "a \(method.rawValue) index is not for the key of another object",
                    remedy: "use .binary")
            }
        } else if let attribute = property as? AnyAttributeProperty {
            if attribute.isEphemeral {
                report(
                    entity.name, name, "an .ephemeral property has no column that \(macro) could use",
                    remedy: "remove it from the list, or store the property")
            } else if let reason = use.refusal(of: attribute) {
                report(entity.name, name, reason.problem, remedy: reason.remedy)
            }
        }
    }

    /// A constraint or an index belongs to one table, and mostly every class has one of its own.
    private mutating func checkClasses(
        _ names: [String], _ use: ConstraintUse, _ macro: String, of entity: Schema.Entity
    ) {
        let owners = names.compactMap { entity.descriptor.property(named: $0)?.declaringEntity }
        guard let first = owners.first else { return }
        let list = names.joined(separator: ", ")
        if Set(owners).count > 1 {
            let mixed = Set(owners).sorted().joined(separator: " and ")
            return report(
                entity.name,
                "\(macro) of \(list) mixes properties of \(mixed): a constraint or an index has the properties of one class",
                remedy: "name properties of one class, or move them into the same class")
        }
        if case .unique = use, first != entity.name {
            report(
                entity.name,
                "\(macro) of \(list), which \(first) declares: the constraint would hold for every \(first)",
                remedy: "declare it in \(first)")
        }
    }
}
