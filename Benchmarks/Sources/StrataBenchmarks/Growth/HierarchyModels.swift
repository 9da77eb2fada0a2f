import Strata

// Hierarchies of 1, 8 and 20 classes; that of 3 is Trip's. Every subclass adds a column in a table of its own.

@Model final class Solo {
    var name: String
    var number: Int

    init(name: String, number: Int) {
        self.name = name
        self.number = number
    }
}

@Model class Eight {
    var name: String
    var number: Int

    init(name: String, number: Int) {
        self.name = name
        self.number = number
    }
}

@Model final class EightA: Eight { var valueA: Int = 0 }
@Model final class EightB: Eight { var valueB: Int = 0 }
@Model final class EightC: Eight { var valueC: Int = 0 }
@Model final class EightD: Eight { var valueD: Int = 0 }
@Model final class EightE: Eight { var valueE: Int = 0 }
@Model final class EightF: Eight { var valueF: Int = 0 }
@Model final class EightG: Eight { var valueG: Int = 0 }

@Model class Twenty {
    var name: String
    var number: Int

    init(name: String, number: Int) {
        self.name = name
        self.number = number
    }
}

@Model final class TwentyA: Twenty { var valueA: Int = 0 }
@Model final class TwentyB: Twenty { var valueB: Int = 0 }
@Model final class TwentyC: Twenty { var valueC: Int = 0 }
@Model final class TwentyD: Twenty { var valueD: Int = 0 }
@Model final class TwentyE: Twenty { var valueE: Int = 0 }
@Model final class TwentyF: Twenty { var valueF: Int = 0 }
@Model final class TwentyG: Twenty { var valueG: Int = 0 }
@Model final class TwentyH: Twenty { var valueH: Int = 0 }
@Model final class TwentyI: Twenty { var valueI: Int = 0 }
@Model final class TwentyJ: Twenty { var valueJ: Int = 0 }
@Model final class TwentyK: Twenty { var valueK: Int = 0 }
@Model final class TwentyL: Twenty { var valueL: Int = 0 }
@Model final class TwentyM: Twenty { var valueM: Int = 0 }
@Model final class TwentyN: Twenty { var valueN: Int = 0 }
@Model final class TwentyO: Twenty { var valueO: Int = 0 }
@Model final class TwentyP: Twenty { var valueP: Int = 0 }
@Model final class TwentyQ: Twenty { var valueQ: Int = 0 }
@Model final class TwentyR: Twenty { var valueR: Int = 0 }
@Model final class TwentyS: Twenty { var valueS: Int = 0 }

/// A hierarchy to measure.
struct Hierarchy {
    var types: [any PersistentModel.Type]
    /// The tables of the root and the subclasses, and the column of each subclass.
    var root: String
    var subclasses: [(name: String, table: String, column: String)]

    static let solo = Hierarchy(types: [Solo.self], root: "solo", subclasses: [])
    static let eight = Hierarchy(
        types: [
            Eight.self, EightA.self, EightB.self, EightC.self, EightD.self, EightE.self, EightF.self, EightG.self,
        ],
        root: "eight",
        subclasses: "ABCDEFG".map { ("Eight\($0)", "eight_\($0.lowercased())", "value_\($0.lowercased())") })
    static let twenty = Hierarchy(
        types: [
            Twenty.self, TwentyA.self, TwentyB.self, TwentyC.self, TwentyD.self, TwentyE.self, TwentyF.self,
            TwentyG.self, TwentyH.self, TwentyI.self, TwentyJ.self, TwentyK.self, TwentyL.self, TwentyM.self,
            TwentyN.self, TwentyO.self, TwentyP.self, TwentyQ.self, TwentyR.self, TwentyS.self,
        ],
        root: "twenty",
        subclasses: "ABCDEFGHIJKLMNOPQRS".map {
            ("Twenty\($0)", "twenty_\($0.lowercased())", "value_\($0.lowercased())")
        })
}
