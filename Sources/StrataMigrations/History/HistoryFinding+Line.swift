package import StrataModels

extension HistoryFinding {
    /// `history: trigger trip.strata_history_update is disabled`
    package var line: String {
        let place = table.map { "\($0).\(name)" } ?? name
        switch problem {
        case .disabled: return "history: trigger \(place) is disabled: changes are not recorded"
        case .missing: return "history: \(place) is missing: changes are not recorded"
        case .stale: return "history: \(place) is not what the tables need"
        case .superfluous: return "history: trigger \(place) belongs to nothing that is recorded"
        case .foreign: return "history: function \(place) belongs to a role that does not own the table"
        case .powerless: return "history: the owner of \(place) may not write the history: writes to the table fail"
        case .cached: return "history: sequence \(place) must have CACHE 1: changes come out of order"
        case .pending: return "history: \(name)"
        case .undescribed: return "history: the database was not told what to record"
        case .outdated, .unreadable: return "history: \(place) is \(problem.rawValue)"
        case .unknown: return "history: \(place): a newer release of Strata knows this problem, this one does not"
        }
    }

    /// Whether fitting the triggers is enough; nobody knows that of a problem of another release.
    var isMendable: Bool {
        switch problem {
        case .disabled, .missing, .stale, .superfluous: true
        case .foreign, .powerless, .cached, .pending, .undescribed, .outdated, .unreadable, .unknown: false
        }
    }
}
