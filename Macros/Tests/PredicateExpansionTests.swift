import Testing

@Suite("#Predicate expands to one constant for each node")
struct PredicateExpansionTests {
    @Test func comparison() {
        expect(#"#Predicate<Trip> { $0.name == "Lyon" }"#) {
            ##"""
            PredicateBody<Trip>.predicate(#"{ $0.name == "Lyon" }"#) { input in
                let part1 = PredicateExpressions.build_KeyPath(root: input, keyPath: \.name)
                let part2 = PredicateExpressions.build_Arg("Lyon", for: part1)
                let part3 = PredicateExpressions.build_EqualNodes(lhs: part1, rhs: part2)
                return part3
            }
            """##
        }
    }

    @Test func partsWithoutTheModelAreCapturedWhole() {
        expect(
            "#Predicate { trip in trip.start > now.addingTimeInterval(-3600) && limits.map { $0 + 1 }.contains(trip.rating) }"
        ) {
            """
            PredicateBody.predicate("{ trip in trip.start > now.addingTimeInterval(-3600) && limits.map { $0 + 1 }.contains(trip.rating) }") { trip in
                let part1 = PredicateExpressions.build_KeyPath(root: trip, keyPath: \\.start)
                let part2 = PredicateExpressions.build_Arg(now.addingTimeInterval(-3600), for: part1)
                let part3 = PredicateExpressions.build_Comparison(lhs: part1, rhs: part2, op: .greaterThan)
                let part4 = PredicateExpressions.build_KeyPath(root: trip, keyPath: \\.rating)
                let part5 = PredicateExpressions.build_contains(PredicateExpressions.build_Arg(limits.map { $0 + 1 }, containing: part4), part4)
                let part6 = PredicateExpressions.build_Conjunction(lhs: part3, rhs: part5)
                return part6
            }
            """
        }
    }

    @Test func theTimeBetweenTwoDatesIsANode() {
        expect("#Predicate { $0.end.timeIntervalSince($0.start) > now.timeIntervalSince(then) }") {
            """
            PredicateBody.predicate("{ $0.end.timeIntervalSince($0.start) > now.timeIntervalSince(then) }") { input in
                let part1 = PredicateExpressions.build_KeyPath(root: input, keyPath: \\.end)
                let part2 = PredicateExpressions.build_KeyPath(root: input, keyPath: \\.start)
                let part3 = PredicateExpressions.build_timeIntervalSince(part1, part2)
                let part4 = PredicateExpressions.build_Arg(now.timeIntervalSince(then), for: part3)
                let part5 = PredicateExpressions.build_Comparison(lhs: part3, rhs: part4, op: .greaterThan)
                return part5
            }
            """
        }
    }

    /// Swift's own range stops the program where the lower bound is the greater one.
    @Test func aCapturedRangeIsTwoBounds() {
        expect("#Predicate { (first...last).contains($0.rating) && (0..<9).contains($0.rating) }") {
            """
            PredicateBody.predicate("{ (first...last).contains($0.rating) && (0..<9).contains($0.rating) }") { input in
                let part1 = PredicateExpressions.build_KeyPath(root: input, keyPath: \\.rating)
                let part2 = PredicateExpressions.build_Arg(first, for: part1)
                let part3 = PredicateExpressions.build_Arg(last, for: part1)
                let part4 = PredicateExpressions.build_contains(PredicateExpressions.build_ClosedRange(lower: part2, upper: part3), part1)
                let part5 = PredicateExpressions.build_KeyPath(root: input, keyPath: \\.rating)
                let part6 = PredicateExpressions.build_contains(PredicateExpressions.build_Arg(0..<9, containing: part5), part5)
                let part7 = PredicateExpressions.build_Conjunction(lhs: part4, rhs: part6)
                return part7
            }
            """
        }
    }

    @Test func optionalChainsAndNil() {
        expect("#Predicate { $0.owner?.home.city == nil }") {
            """
            PredicateBody.predicate("{ $0.owner?.home.city == nil }") { input in
                let part1 = PredicateExpressions.build_KeyPath(root: input, keyPath: \\.owner)
                let part3 = PredicateExpressions.build_flatMap(part1, { wrapped in
                    let part2 = PredicateExpressions.build_KeyPath(root: wrapped, keyPath: \\.home)
                    return PredicateExpressions.build_KeyPath(root: part2, keyPath: \\.city)
                })
                let part4 = PredicateExpressions.build_Equal(lhs: part3, rhs: PredicateExpressions.build_NilLiteral())
                return part4
            }
            """
        }
    }

    @Test func unwrappingUnderAConditionIsANode() {
        expect("#Predicate { text == nil || $0.name == text! }") {
            """
            PredicateBody.predicate("{ text == nil || $0.name == text! }") { input in
                let part1 = PredicateExpressions.build_KeyPath(root: input, keyPath: \\.name)
                let part2 = PredicateExpressions.build_ForcedUnwrap(PredicateExpressions.build_Arg(text))
                let part3 = PredicateExpressions.build_EqualNodes(lhs: part1, rhs: part2)
                let part4 = PredicateExpressions.build_Disjunction(lhs: PredicateExpressions.build_Arg(text == nil), rhs: part3)
                return part4
            }
            """
        }
    }

    @Test func conditionalBindingAndSubclass() {
        expect("#Predicate { if let trip = $0 as? BusinessTrip { trip.perdiem > 5 } else { false } }") {
            """
            PredicateBody.predicate("{ if let trip = $0 as? BusinessTrip { trip.perdiem > 5 } else { false } }") { input in
                let part1 = PredicateExpressions.ConditionalCast<_, BusinessTrip>(input)
                let part5 = PredicateExpressions.build_flatMap(part1, { value in
                    let part2 = PredicateExpressions.build_KeyPath(root: value, keyPath: \\.perdiem)
                    let part3 = PredicateExpressions.build_Arg(5, for: part2)
                    let part4 = PredicateExpressions.build_Comparison(lhs: part2, rhs: part3, op: .greaterThan)
                    return part4
                })
                return PredicateExpressions.build_NilCoalesce(lhs: part5, rhs: PredicateExpressions.build_Arg(false))
            }
            """
        }
    }

    @Test func closuresAndKeyPaths() {
        expect(
            "#Predicate { trip in trip.items.contains { $0.isDone } && trip.items.allSatisfy(\\.owner.isReady) && other.evaluate(trip) }"
        ) {
            """
            PredicateBody.predicate(#"{ trip in trip.items.contains { $0.isDone } && trip.items.allSatisfy(\\.owner.isReady) && other.evaluate(trip) }"#) { trip in
                let part1 = PredicateExpressions.build_KeyPath(root: trip, keyPath: \\.items)
                let part3 = PredicateExpressions.build_contains(part1, where: { element in
                    let part2 = PredicateExpressions.build_KeyPath(root: element, keyPath: \\.isDone)
                    return part2
                })
                let part4 = PredicateExpressions.build_KeyPath(root: trip, keyPath: \\.items)
                let part6 = PredicateExpressions.build_allSatisfy(part4, { element2 in
                    let part5 = PredicateExpressions.build_KeyPath(root: element2, keyPath: \\.owner)
                    return PredicateExpressions.build_KeyPath(root: part5, keyPath: \\.isReady)
                })
                let part7 = PredicateExpressions.build_Conjunction(lhs: part3, rhs: part6)
                let part8 = PredicateExpressions.build_evaluation(PredicateExpressions.build_Arg(other), trip)
                let part9 = PredicateExpressions.build_Conjunction(lhs: part7, rhs: part8)
                return part9
            }
            """
        }
    }

    @Test func aggregatesOfElements() {
        expect(
            "#Predicate { $0.items.median(of: \\.price) == limit || $0.items.percentile(share, of: { $0.price }) == limit }"
        ) {
            """
            PredicateBody.predicate(#"{ $0.items.median(of: \\.price) == limit || $0.items.percentile(share, of: { $0.price }) == limit }"#) { input in
                let part1 = PredicateExpressions.build_KeyPath(root: input, keyPath: \\.items)
                let part2 = PredicateExpressions.build_median(part1, of: { element in
                    return PredicateExpressions.build_KeyPath(root: element, keyPath: \\.price)
                })
                let part3 = PredicateExpressions.build_Arg(limit, for: part2)
                let part4 = PredicateExpressions.build_EqualNodes(lhs: part2, rhs: part3)
                let part5 = PredicateExpressions.build_KeyPath(root: input, keyPath: \\.items)
                let part7 = PredicateExpressions.build_percentile(part5, share, of: { element2 in
                    let part6 = PredicateExpressions.build_KeyPath(root: element2, keyPath: \\.price)
                    return part6
                })
                let part8 = PredicateExpressions.build_Arg(limit, for: part7)
                let part9 = PredicateExpressions.build_EqualNodes(lhs: part7, rhs: part8)
                let part10 = PredicateExpressions.build_Disjunction(lhs: part4, rhs: part9)
                return part10
            }
            """
        }
    }

    @Test func closuresInCapturedPartsKeepTheirParameters() {
        expect("#Predicate { $0.name == names.sorted { $0 < $1 }.first }") {
            """
            PredicateBody.predicate("{ $0.name == names.sorted { $0 < $1 }.first }") { input in
                let part1 = PredicateExpressions.build_KeyPath(root: input, keyPath: \\.name)
                let part2 = PredicateExpressions.build_Arg(names.sorted { $0 < $1 }.first, for: part1)
                let part3 = PredicateExpressions.build_EqualNodes(lhs: part1, rhs: part2)
                return part3
            }
            """
        }
    }

    @Test func namesOfTheSourceAreNotTaken() {
        expect("#Predicate { $0.rating == part1 }") {
            """
            PredicateBody.predicate("{ $0.rating == part1 }") { input_ in
                let part_1 = PredicateExpressions.build_KeyPath(root: input_, keyPath: \\.rating)
                let part_2 = PredicateExpressions.build_Arg(part1, for: part_1)
                let part_3 = PredicateExpressions.build_EqualNodes(lhs: part_1, rhs: part_2)
                return part_3
            }
            """
        }
    }

    private func expect(_ source: String, sourceLocation: SourceLocation = #_sourceLocation, _ expansion: () -> String)
    {
        let expander = PredicateMacroExpander(source)
        #expect(expander.report == "", sourceLocation: sourceLocation)
        #expect(expander.expansion == expansion(), sourceLocation: sourceLocation)
    }
}
