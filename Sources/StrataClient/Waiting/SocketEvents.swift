#if os(Linux)
import CLibPQ
import Foundation

/// The sockets that somebody waits for, for the threads that wait for all of them.
///
/// epoll instead of a dispatch source per connection: a source wakes the dispatch manager thread, which wakes a worker, which
/// resumes the task; here the thread that sees the event resumes the task.
final class SocketEvents: Sendable {
    /// What one thread can be told at once.
    typealias Buffer = UnsafeMutableBufferPointer<epoll_event>

    private let epoll: Int32
    /// What wakes a thread that waits.
    private let wakeUp: Int32

    /// `nil` when the kernel gives no descriptors.
    init?() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        var event = epoll_event()
        // Edge-triggered: one write wakes one thread, and nobody needs to read.
        event.events = EPOLLIN.rawValue | EPOLLET.rawValue
        guard epoll >= 0, wakeUp >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, &event) == 0 else {
            for descriptor in [epoll, wakeUp] where descriptor >= 0 { close(descriptor) }
            return nil
        }
    }

    static func buffer() -> Buffer {
        let buffer = Buffer.allocate(capacity: 64)
        buffer.initialize(repeating: epoll_event())
        return buffer
    }

    /// Reports the socket once, with `note`, when it can be read or, when asked for, written. False when epoll does not take it.
    ///
    /// - Parameter note: not 0.
    func arm(_ socket: Int32, forWriting: Bool, _ note: UInt64) -> Bool {
        var event = epoll_event()
        // One-shot: the kernel reports the socket once and keeps it silently until it is armed again.
        event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
        if forWriting { event.events |= EPOLLOUT.rawValue }
        event.data.u64 = note
        // Usually the socket is known from its last wait. Closing it has removed it, whoever has its number now.
        if epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) == 0 { return true }
        return epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0
    }

    /// Lets one thread return from ``wait(_:forever:)``.
    func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp, &one, 8)
    }

    /// Waits until something happens, or looks whether it has.
    ///
    /// - Returns: how many events there are in the buffer.
    func wait(_ buffer: Buffer, forever: Bool) -> Int {
        max(0, Int(epoll_wait(epoll, buffer.baseAddress, Int32(buffer.count), forever ? -1 : 0)))
    }

    /// Resumes who waited for these events.
    static func report(_ events: Slice<Buffer>) {
        for event in events where event.data.u64 != 0 { SocketReadiness.shared.report(event.data.u64) }
    }
}
#endif
