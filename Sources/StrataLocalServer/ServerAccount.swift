import Foundation

/// The user a server runs as: ours, or an unprivileged one when we are root, which PostgreSQL refuses.
struct ServerAccount: Hashable {
    let userID: uid_t
    let groupID: gid_t
    /// Whether a program has to be started through `setpriv` to run as this user.
    let isDropped: Bool

    /// Our own account; for root the owner of the data that exist already, else `nobody`.
    static func current(dataDirectory: String? = nil) throws(LocalServerError) -> ServerAccount {
        guard geteuid() == 0 else {
            return ServerAccount(userID: geteuid(), groupID: getegid(), isDropped: false)
        }
        guard hasSetpriv() else {
            throw LocalServerError(
                .cannotDropRoot,
                """
                PostgreSQL does not run as root, and setpriv (package util-linux) is not installed to start it as \
                another user. Install it, run as another user, or name a server with DATABASE_URL.
                """
            )
        }
        if let dataDirectory, let owner = fileStatus(dataDirectory), owner.st_uid != 0 {
            return ServerAccount(userID: owner.st_uid, groupID: owner.st_gid, isDropped: true)
        }
        // 65534 is nobody on every Linux; the account needs no entry in the user database.
        return ServerAccount(userID: 65534, groupID: 65534, isDropped: true)
    }

    /// Whether this user may pass through all folders from `/` to the given one.
    func canReach(_ directory: String) -> Bool {
        guard isDropped else { return true }
        var path = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
        while path != "/" {
            if let status = fileStatus(path) {
                let mine = status.st_uid == userID && status.st_mode & 0o100 != 0
                guard mine || status.st_mode & 0o001 != 0 else { return false }
            }
            path = (path as NSString).deletingLastPathComponent
        }
        return true
    }

    private static func hasSetpriv() -> Bool {
        let places: [String] = ["/usr/bin/setpriv", "/bin/setpriv", "/usr/local/bin/setpriv"]
        return places.contains { access($0, X_OK) == 0 }
    }
}

/// What `stat` says about a path; nil when there is nothing.
func fileStatus(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
}
