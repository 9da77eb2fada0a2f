/// Decides which job a thread of an executor runs next, and when a thread that waits for sockets must be woken. Knows neither
/// threads nor sockets.
struct JobQueue<Job> {
    /// What is to be run, from `first` on.
    private var jobs: [Job] = []
    private var first = 0
    /// How many threads wait for sockets.
    private var asleep = 0
    /// One of them has been told to wake up.
    private var isWaking = false

    var count: Int { jobs.count - first }

    /// Adds a job.
    ///
    /// - Parameter isAwaited: whether the caller is about to ask for jobs itself.
    /// - Returns: whether the caller is to wake a thread.
    mutating func append(_ job: Job, isAwaited: Bool) -> Bool {
        jobs.append(job)
        return !isAwaited && takesUpWaking()
    }

    /// The next job, and whether the caller is to wake a thread for another. Without one the caller waits for sockets.
    mutating func next() -> (job: Job?, mustWake: Bool) {
        let job = pop()
        if job == nil { asleep += 1 }
        return (job, takesUpWaking())
    }

    /// A thread waits no more.
    mutating func didWake() {
        asleep -= 1
        isWaking = false
    }

    /// A thread that does not wait has looked at the sockets and seen something: perhaps what was to wake another one.
    mutating func didLook() {
        isWaking = false
    }

    private mutating func pop() -> Job? {
        guard first < jobs.count else { return nil }
        let job = jobs[first]
        first += 1
        if first == jobs.count || first > 1000 {
            jobs.removeFirst(first)
            first = 0
        }
        return job
    }

    /// There is work, and somebody who has none and has not been told.
    private mutating func takesUpWaking() -> Bool {
        guard count > 0, asleep > 0, !isWaking else { return false }
        isWaking = true
        return true
    }
}

extension JobQueue: Sendable where Job: Sendable {}
