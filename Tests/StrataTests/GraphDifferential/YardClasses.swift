import Strata

/// The classes of ``Yard`` as a machine handles them.
enum YardClasses {
    static func access(to kind: GraphKind) -> any GraphAccess {
        switch kind {
        case .site: site
        case .job: job
        case .bill: bill
        case .asset: asset
        case .machine: machine
        case .robot: robot
        case .part: part
        case .tag: tag
        case .person: person
        case .badge: badge
        case .skill: skill
        }
    }

    static func kind(of model: any PersistentModel) -> GraphKind {
        GraphKind(rawValue: model.persistentModelID.entityName.lowercased())!
    }

    private static var site: any GraphAccess {
        GraphClass<Yard.Site>(\.number, \.name, \.size, \.note) { number, _ in Yard.Site(number) }
            .toMany(.jobSite, \.jobs) { size in #Predicate { $0.jobs.contains { $0.size == size } } }
            .toMany(.assetSite, \.assets) { size in #Predicate { $0.assets.contains { $0.size == size } } }
            .toMany(.billSite, \.bills) { size in #Predicate { $0.bills.contains { $0.size == size } } }
    }

    private static var job: any GraphAccess {
        GraphClass<Yard.Job>(\.number, \.name, \.size, \.note) { number, _ in Yard.Job(number) }
            .toOne(
                .jobSite, \.site, { $0.site = $1 as? Yard.Site }, alone: #Predicate { $0.site == nil },
                target: { size in
                    #Predicate { $0.site?.size == size }
                })
    }

    private static var bill: any GraphAccess {
        GraphClass<Yard.Bill>(\.number, \.name, \.size, \.note) { number, _ in Yard.Bill(number) }
            .toOne(
                .billSite, \.site, { $0.site = $1 as? Yard.Site }, alone: #Predicate { $0.site == nil },
                target: { size in
                    #Predicate { $0.site?.size == size }
                }
            )
            .toOne(
                .billPayer, \.payer, { $0.payer = $1 as? Yard.Person }, alone: #Predicate { $0.payer == nil },
                target: { size in
                    #Predicate { $0.payer?.size == size }
                })
    }

    private static var asset: any GraphAccess {
        GraphClass<Yard.Asset>(\.number, \.name, \.size, \.note) { number, _ in Yard.Asset(number) }
            .toOne(
                .assetSite, \.site, { $0.site = $1 as? Yard.Site }, alone: #Predicate { $0.site == nil },
                target: { size in
                    #Predicate { $0.site?.size == size }
                }
            )
            .toOne(
                .assetHolder, \.holder, { $0.holder = $1 as? Yard.Asset }, alone: #Predicate { $0.holder == nil },
                target: {
                    size in
                    #Predicate { $0.holder?.size == size }
                }
            )
            .toMany(.assetHolder, \.contents) { size in #Predicate { $0.contents.contains { $0.size == size } } }
            .toMany(.tagAsset, \.tags) { size in #Predicate { $0.tags.contains { $0.size == size } } }
    }

    private static var machine: any GraphAccess {
        GraphClass<Yard.Machine>(\.number, \.name, \.size, \.note) { number, _ in Yard.Machine(number) }
            .number(.power, \.power, { $0.power = $1 })
            .toOne(
                .assetSite, \.site, { $0.site = $1 as? Yard.Site }, alone: #Predicate { $0.site == nil },
                target: { size in
                    #Predicate { $0.site?.size == size }
                }
            )
            .toOne(
                .assetHolder, \.holder, { $0.holder = $1 as? Yard.Asset }, alone: #Predicate { $0.holder == nil },
                target: {
                    size in
                    #Predicate { $0.holder?.size == size }
                }
            )
            .toMany(.assetHolder, \.contents) { size in #Predicate { $0.contents.contains { $0.size == size } } }
            .toMany(.tagAsset, \.tags) { size in #Predicate { $0.tags.contains { $0.size == size } } }
            .toMany(.partMachine, \.parts) { size in #Predicate { $0.parts.contains { $0.size == size } } }
    }

    private static var robot: any GraphAccess {
        GraphClass<Yard.Robot>(\.number, \.name, \.size, \.note) { number, _ in Yard.Robot(number) }
            .number(.power, \.power, { $0.power = $1 }).optional(.motto, \.motto, { $0.motto = $1 })
            .toOne(
                .assetSite, \.site, { $0.site = $1 as? Yard.Site }, alone: #Predicate { $0.site == nil },
                target: { size in
                    #Predicate { $0.site?.size == size }
                }
            )
            .toOne(
                .assetHolder, \.holder, { $0.holder = $1 as? Yard.Asset }, alone: #Predicate { $0.holder == nil },
                target: {
                    size in
                    #Predicate { $0.holder?.size == size }
                }
            )
            .toMany(.assetHolder, \.contents) { size in #Predicate { $0.contents.contains { $0.size == size } } }
            .toMany(.tagAsset, \.tags) { size in #Predicate { $0.tags.contains { $0.size == size } } }
            .toMany(.partMachine, \.parts) { size in #Predicate { $0.parts.contains { $0.size == size } } }
    }

    private static var part: any GraphAccess {
        GraphClass<Yard.Part>(\.number, \.name, \.size, \.note) { number, targets in
            Yard.Part(number, machine: targets[.partMachine] as! Yard.Machine)
        }
        .required(
            .partMachine, \.machine, { $0.machine = $1 as! Yard.Machine },
            target: { size in
                #Predicate { $0.machine.size == size }
            })
    }

    private static var tag: any GraphAccess {
        GraphClass<Yard.Tag>(\.number, \.name, \.size, \.note) { number, targets in
            Yard.Tag(number, asset: targets[.tagAsset] as! Yard.Asset)
        }
        .required(
            .tagAsset, \.asset, { $0.asset = $1 as! Yard.Asset },
            target: { size in #Predicate { $0.asset.size == size } })
    }

    private static var person: any GraphAccess {
        GraphClass<Yard.Person>(\.number, \.name, \.size, \.note) { number, _ in Yard.Person(number) }
            .toOne(
                .personBoss, \.boss, { $0.boss = $1 as? Yard.Person }, alone: #Predicate { $0.boss == nil },
                target: {
                    size in
                    #Predicate { $0.boss?.size == size }
                }
            )
            .partner(.badgePerson, \.badge)
            .toMany(.billPayer, \.bills) { size in #Predicate { $0.bills.contains { $0.size == size } } }
            .toMany(.personBoss, \.reports) { size in #Predicate { $0.reports.contains { $0.size == size } } }
    }

    private static var badge: any GraphAccess {
        GraphClass<Yard.Badge>(\.number, \.name, \.size, \.note) { number, _ in Yard.Badge(number) }
            .toOne(
                .badgePerson, \.person, { $0.person = $1 as? Yard.Person }, alone: #Predicate { $0.person == nil },
                target: {
                    size in
                    #Predicate { $0.person?.size == size }
                })
    }

    private static var skill: any GraphAccess {
        GraphClass<Yard.Skill>(\.number, \.name, \.size, \.note) { number, _ in Yard.Skill(number) }
            .optional(.code, \.code, { $0.code = $1 })
    }
}
