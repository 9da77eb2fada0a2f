import Strata

@Model
final class Chapter {
    #Unique<Chapter>([\.book, \.number], timing: .deferred)

    var book: String
    var number: Int

    init(book: String, number: Int) { (self.book, self.number) = (book, number) }
}
