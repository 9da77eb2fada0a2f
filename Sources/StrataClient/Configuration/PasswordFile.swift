import Foundation

/// A file whose content is a password, such as a secret that Kubernetes or Docker mounts.
///
/// Opened anew each time, so that a link may lead elsewhere by then. Never waits: what is no file is refused before it is read.
struct PasswordFile: Hashable {
    /// More than any password or token has.
    private static let maximumSize = 64 * 1024

    let path: String

    /// The content, without the line's end that editors write.
    func password() throws(PostgresError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw refusal("cannot be read: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        try check(descriptor)
        var bytes = try content(of: descriptor)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw refusal("is empty") }
        guard !bytes.contains(0), let password = String(validating: bytes, as: UTF8.self) else {
            throw refusal("is no text in UTF-8")
        }
        return password
    }

    /// As libpq judges the file of a private key (manual, 34.19): nobody else may use it, except that a file of the superuser may be
    /// readable for a group.
    private func check(_ descriptor: Int32) throws(PostgresError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw refusal("is no plain file")
        }
        let forbidden = status.st_uid == 0 ? S_IWGRP | S_IXGRP | S_IRWXO : S_IRWXG | S_IRWXO
        guard status.st_mode & forbidden == 0 else {
            throw refusal(
                "can be used by others. Its mode must be 0600 or less, or 0640 or less where it belongs to the superuser"
            )
        }
        guard status.st_size <= Self.maximumSize else {
            throw refusal("is larger than \(Self.maximumSize) bytes, and so no password")
        }
    }

    private func content(of descriptor: Int32) throws(PostgresError) -> [UInt8] {
        var bytes: [UInt8] = []
        var portion = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= Self.maximumSize {
            let count = read(descriptor, &portion, portion.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw refusal("cannot be read: \(String(cString: strerror(errno)))") }
            bytes += portion[..<count]
        }
        throw refusal("is larger than \(Self.maximumSize) bytes, and so no password")
    }

    private func refusal(_ reason: String) -> PostgresError {
        PostgresError(.authenticationFailed, "The password file \(path) \(reason).")
    }
}
