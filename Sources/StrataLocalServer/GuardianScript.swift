/// The shell program that owns a private server from its start to its stop.
///
/// It is a process of its own, so that the server stops however its users end: it waits for the exclusive lock on
/// `users.lock`, which the kernel grants when the last user's file descriptor is closed. USR1 restarts the server,
/// TERM stops it at once.
///
/// Arguments: root, socket directory, folder of the programs, `temporary` or `durable`, user and group identifier
/// (`-` for our own), then PostgreSQL's arguments. As `data` it makes the data of a temporary server, and no server.
let guardianScript = #"""
    set -u
    root=$1 sockets=$2 bin=$3 kind=$4 user=$5 group=$6
    shift 6
    umask 077
    cd "$root" || exit 1
    trap '' HUP INT

    # lock DESCRIPTOR SECONDS: waits for an exclusive lock; without seconds for as long as it takes.
    lock() {
        if command -v flock >/dev/null 2>&1; then
            if [ -n "$2" ]; then flock -w "$2" -x "$1"; else flock -x "$1"; fi
        else
            perl -e 'use Fcntl ":flock"; open(my $f, "<&=", $ARGV[0]) or exit 1; alarm $ARGV[1] if $ARGV[1];
                exit !flock($f, LOCK_EX);' "$1" "$2"
        fi
    }

    drop='' die=''
    if [ "$user" != - ]; then
        drop="setpriv --reuid=$user --regid=$group --clear-groups"
    fi
    if setpriv --pdeathsig=QUIT true >/dev/null 2>&1; then
        # Should this guardian be killed, the kernel ends the server. It must be our direct child for that.
        die="${drop:-setpriv} --pdeathsig=QUIT"
    fi

    # Tests copy databases: a quarter of the files of a new one are maps of free space and of visible rows (manual, 73.3 and 73.4),
    # which PostgreSQL makes again for the tables that need them.
    forget_maps() {
        if [ "$kind" != durable ]; then rm -f data.new/base/*/*_fsm data.new/base/*/*_vm; fi
    }

    initialise() {
        [ -s data/PG_VERSION ] && return 0
        nosync=''
        if [ "$kind" != durable ]; then nosync=-N; fi
        # Strings sort by code point and change case by Unicode's rules, where the system knows such a locale.
        for locale in --locale=C.UTF-8 '--locale=C --lc-ctype=en_US.UTF-8' --locale=C; do
            rm -rf data.new
            mkdir data.new || return 1
            if [ "$user" != - ]; then chown "$user:$group" data.new || return 1; fi
            # shellcheck disable=SC2086 # words on purpose
            $drop "$bin/initdb" -D "$root/data.new" -U postgres -A trust -E UTF8 $locale --no-instructions $nosync \
                >initdb.log 2>&1 7>&- 8>&- 9>&- && { forget_maps; rm -rf data initdb.log; mv data.new data; return; }
        done
        cat initdb.log
        return 1
    }
    if [ "$kind" = data ]; then
        initialise
        exit
    fi

    # A crash leaves postmaster.pid behind; its number may belong to any process by now.
    forget_stale_server() {
        [ -s data/postmaster.pid ] || return 0
        read -r old <data/postmaster.pid
        if kill -0 "$old" 2>/dev/null; then
            name=$(cat "/proc/$old/comm" 2>/dev/null || ps -o comm= -p "$old" 2>/dev/null)
            case $name in *postgres*) return 0 ;; esac
        fi
        rm -f data/postmaster.pid
    }

    started=0
    start_server() {
        # Inherited by PostgreSQL and all its processes: free again when the last of them has gone.
        exec 7>>server.lock
        if lock 7 20; then
            forget_stale_server
            $die "$bin/postgres" -D "$root/data" "$@" 8>&- 9>&- &
        fi
        exec 7>&-
        started=$((started + 1))
        echo "$started" >generation.new
        mv generation.new generation
    }

    stop_server() {
        [ -e data/postmaster.pid ] || return 0
        $drop "$bin/pg_ctl" -D "$root/data" -m "$1" -w -t "$2" stop && return 0
        [ -e data/postmaster.pid ] || return 0
        $drop "$bin/pg_ctl" -D "$root/data" -m immediate -w -t 10 stop
    }

    finish() {
        trap '' TERM USR1
        if [ "$kind" = temporary ]; then
            stop_server immediate 10
            cd / && rm -rf "$root"
        else
            stop_server fast 30
            rm -f "$root/generation" "$root/guardian.pid"
        fi
        case $sockets in "$root"/*) ;; *) rm -rf "$sockets" ;; esac
        # In this order: whoever can take users.lock must never take us for a living guardian.
        exec 8>&-
        exit 0
    }

    restart() {
        mode=$(cat restart.mode 2>/dev/null || echo fast)
        stop_server "$mode" 30
        start_server "$@"
    }

    exec 8>>guardian.lock
    # Not at the first try: somebody may just be looking whether we are alive.
    lock 8 5 || exit 0
    exec 9>>users.lock
    trap finish TERM
    trap 'restart "$@"' USR1
    echo $$ >guardian.pid
    initialise || { rm -f guardian.pid; exit 1; }
    start_server "$@"

    # A subshell, which really closes the guardian's lock: should we be killed, it must not look as if we lived.
    ( exec 8>&-; lock 9 '' ) &
    waiting=$!
    # A trapped signal interrupts wait; it is over only when the lock is ours.
    while :; do
        wait "$waiting" && break
        kill -0 "$waiting" 2>/dev/null || break
    done
    finish
    """#
