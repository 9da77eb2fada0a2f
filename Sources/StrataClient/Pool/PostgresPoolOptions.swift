/// How many connections a pool keeps, and for how long.
public struct PostgresPoolOptions: Sendable, Hashable {
    /// Connections for asynchronous callers. Default: 8.
    public var maximumConnections: Int

    /// Extra connections for synchronous callers when all others are taken. They must not wait for asynchronous ones, whose
    /// continuation may need the very thread that waits. Default: 4.
    public var synchronousLane: Int

    /// How long a caller waits for a connection before `poolAcquireTimeout`. Default: 10 seconds.
    public var acquireTimeout: Duration

    /// Idle connections are closed after this time. Default: 5 minutes.
    public var idleTimeout: Duration

    /// Connections are replaced after this time, so that they find new servers and certificates. Default: 1 hour.
    public var maximumLifetime: Duration

    /// Connections are replaced once they have prepared so many different statements, because the server's process keeps what it has learned of each table
    /// for as long as the connection lives. `nil`, the default, for any number.
    public var maximumPreparations: Int?

    /// An idle connection is asked for an answer before use when it was idle for longer. Default: 30 seconds.
    public var healthCheckAfterIdle: Duration

    /// How long ``PostgresPool/close()`` waits for leased connections before it cuts them. Default: 5 seconds.
    public var closeTimeout: Duration

    /// How long the server may give no sign while an answer is missing, before it is asked to stop the statement. `nil` for any
    /// time. Default: 60 seconds.
    public var answerTimeout: Duration?

    /// How long the server has to stop a statement that was cancelled, or that has run out of time, before the connection is
    /// closed. Default: 5 seconds.
    public var cancellationTimeout: Duration

    /// Options; what is not given has its default. Numbers below 1 are taken as 1.
    public init(
        maximumConnections: Int = 8, synchronousLane: Int = 4, acquireTimeout: Duration = .seconds(10),
        idleTimeout: Duration = .seconds(300), maximumLifetime: Duration = .seconds(3600),
        maximumPreparations: Int? = nil, healthCheckAfterIdle: Duration = .seconds(30),
        closeTimeout: Duration = .seconds(5),
        answerTimeout: Duration? = .seconds(60), cancellationTimeout: Duration = .seconds(5)
    ) {
        self.maximumConnections = max(1, maximumConnections)
        self.synchronousLane = max(1, synchronousLane)
        self.acquireTimeout = acquireTimeout
        self.idleTimeout = idleTimeout
        self.maximumLifetime = maximumLifetime
        self.maximumPreparations = maximumPreparations.map { max(1, $0) }
        self.healthCheckAfterIdle = healthCheckAfterIdle
        self.closeTimeout = closeTimeout
        self.answerTimeout = answerTimeout
        self.cancellationTimeout = cancellationTimeout
    }

    var limits: AnswerLimits { AnswerLimits(silence: answerTimeout, cancellation: cancellationTimeout) }
}
