package import StrataModels

extension Schema.Version {
    /// As the ledger writes it: `4.0.0`. `nil` for anything else.
    package init?(recorded text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2] else {
            return nil
        }
        self.init(major, minor, patch)
    }
}
