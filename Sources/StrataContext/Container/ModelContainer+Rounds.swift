import Logging
import StrataModels

extension ModelContainer {
    /// Does something again and again until the task is cancelled or the container is closed. What fails and may pass, such as a lost connection, is logged and
    /// tried again at the next round.
    ///
    /// - Throws: what does not pass. Not `CancellationError`: it returns when the task is cancelled.
    func inRounds(
        every interval: Duration, unlessItPasses warning: Logger.Message, _ round: () async throws -> Void
    ) async throws {
        let signal = observation.signal
        while !Task.isCancelled, !signal.isClosed {
            do { try await round() } catch let error as SwiftDataError where error.isPassing {
                logger.warning(warning, metadata: ["error": "\(error)"])
            } catch is CancellationError {
                return
            } catch let error as SwiftDataError where error.underlying?.code == .poolClosed && signal.isClosed {
                return
            }
            do { try await signal.waitForEnd(timeout: interval) } catch { return }
        }
    }
}
