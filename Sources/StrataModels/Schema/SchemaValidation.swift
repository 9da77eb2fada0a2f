/// Finds everything that is wrong with a schema, all at once.
///
/// The checks in this module need the classes only; those that need tables (colliding names, PostgreSQL's limits) are
/// added where tables are known.
package struct SchemaValidation {
    package private(set) var findings: [SchemaFinding] = []

    /// What can be said without tables.
    package init(_ schema: Schema) {
        checkNames(of: schema)
        for entity in schema.entities {
            checkProperties(of: entity)
            checkHistory(of: entity)
            checkPrimaryKey(of: entity)
            checkConstraints(of: entity)
            checkPartition(of: entity)
            checkView(entity)
            checkTenants(of: entity)
        }
        checkTenantTypes(of: schema)
        checkRequiredCircles(in: schema)
    }

    /// What keeps a schema from having objects, though it can be described: entities without classes, and relationships that lead,
    /// in Swift, to classes of another version.
    package static func objectFindings(_ schema: Schema) -> [SchemaFinding] {
        var validation = SchemaValidation()
        validation.checkClasses(of: schema)
        for entity in schema.entities {
            for case let relationship as Schema.Relationship in entity.storedProperties {
                guard let property = relationship.property, schema.classes.isForeign(property) else { continue }
                let own = schema.classes.own(property.destination)
                validation.report(
                    entity.name, property.name,
                    "it leads to \(String(reflecting: property.destinationType)), and the schema has "
                        + "\(String(reflecting: own.type)) under this name: no object can be of both",
                    remedy: "give this version a \(entity.name) of its own")
            }
        }
        return validation.findings
    }

    private init() {}

    private mutating func checkClasses(of schema: Schema) {
        for entity in schema.entities where !entity.hasClass {
            report(
                entity.name, "no class stands behind the entity, which was loaded from a file or made by its name",
                remedy: "make the schema of classes: Schema(\(entity.name).self)")
        }
    }

    package mutating func report(
        _ entity: String, _ property: String?, _ problem: String, remedy: String
    ) {
        let finding = SchemaFinding(entity: entity, property: property, problem: problem, remedy: remedy)
        if !findings.contains(finding) { findings.append(finding) }
    }

    /// Reports what is wrong with a class as a whole.
    package mutating func report(_ entity: String, _ problem: String, remedy: String) {
        report(entity, nil, problem, remedy: remedy)
    }

    /// Schemas whose entities share a name cannot be told apart by the name in an identifier or in the `class` column.
    private mutating func checkNames(of schema: Schema) {
        for type in schema.unmarkedTypes {
            report(
                String(describing: type),
                "the class inherits from the model \(type._$descriptor.entityName) but is not a model itself",
                remedy: "write @Model before class \(type)")
        }
        checkClasses(of: schema)
        for name in schema.duplicateNames {
            let types = schema.entities.filter { $0.name == name }.map { String(reflecting: $0.descriptor.type) }
                .sorted()
            report(
                name, "several classes have this name: \(types.joined(separator: ", "))",
                remedy: "rename all but one, or name in the schema the classes of one version only")
        }
    }

    /// A change of an object is one change, whichever tables of its hierarchy it touches: all are recorded, or none.
    private mutating func checkHistory(of entity: Schema.Entity) {
        let root = entity.descriptor.root
        guard entity.descriptor.recordsHistory != root.recordsHistory else { return }
        let said = root.recordsHistory ? "recorded" : "not recorded"
        report(
            entity.name, "it says something else about its history than \(root.entityName), whose history is \(said)",
            remedy: "remove recordsHistory from \(entity.name), or say the same in \(root.entityName)")
    }

    private mutating func checkProperties(of entity: Schema.Entity) {
        let inherited = entity.inheritedPropertiesByName
        for property in entity.storedProperties {
            if inherited[property.name] != nil {
                report(
                    entity.name, property.name, "a superclass declares a property of this name",
                    remedy: "rename one of the two; a subclass cannot redeclare a stored property")
            }
            if let attribute = property as? Schema.Attribute {
                checkAttribute(attribute, of: entity)
            } else if let relationship = property as? Schema.Relationship {
                checkRelationship(relationship, of: entity)
            }
        }
    }

    /// A key path to a computed property prints as `\Trip.<computed 0x55d0 (String)>`: without the address it is the
    /// same in every run. Its name is not known at run time.
    static func readable(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "<computed 0x") {
            result += rest[..<start.lowerBound] + "<computed"
            rest = rest[start.upperBound...].drop { $0.isHexDigit }
        }
        return result + rest
    }
}
