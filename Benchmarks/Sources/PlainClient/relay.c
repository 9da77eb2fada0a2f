#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "internal.h"

struct plain_relay {
    int listener;
    struct sockaddr_un server;
    char path[108];
    atomic_llong round_trips;
};

typedef struct {
    plain_relay *relay;
    int client, server;
} passage;

static bool write_all(int socket, const char *bytes, ssize_t count) {
    while (count > 0) {
        ssize_t written = write(socket, bytes, (size_t)count);
        if (written <= 0) return false;
        bytes += written;
        count -= written;
    }
    return true;
}

/// Passes bytes on in both directions. What a client sends after the server has spoken is a new round trip.
static void *pass(void *argument) {
    passage *passage = argument;
    char *bytes = malloc(1 << 20);
    bool server_spoke = true;
    struct pollfd sockets[2] = {{passage->client, POLLIN, 0}, {passage->server, POLLIN, 0}};
    for (;;) {
        if (poll(sockets, 2, -1) < 0 && errno != EINTR) break;
        if (sockets[1].revents) {
            ssize_t count = read(passage->server, bytes, 1 << 20);
            if (count <= 0 || !write_all(passage->client, bytes, count)) break;
            server_spoke = true;
            continue;
        }
        if (sockets[0].revents) {
            ssize_t count = read(passage->client, bytes, 1 << 20);
            if (count <= 0 || !write_all(passage->server, bytes, count)) break;
            if (server_spoke) atomic_fetch_add(&passage->relay->round_trips, 1);
            server_spoke = false;
        }
    }
    close(passage->client);
    close(passage->server);
    free(bytes);
    free(passage);
    return NULL;
}

static void *listen_for_clients(void *argument) {
    plain_relay *relay = argument;
    for (;;) {
        int client = accept(relay->listener, NULL, NULL);
        if (client < 0) return NULL;
        int server = socket(AF_UNIX, SOCK_STREAM, 0);
        if (server < 0 || connect(server, (struct sockaddr *)&relay->server, sizeof relay->server) < 0) {
            close(client);
            continue;
        }
        passage *passage = malloc(sizeof *passage);
        passage->relay = relay;
        passage->client = client;
        passage->server = server;
        pthread_t thread;
        pthread_create(&thread, NULL, pass, passage);
        pthread_detach(thread);
    }
}

plain_relay *plain_relay_start(const char *path, const char *server) {
    plain_relay *relay = calloc(1, sizeof *relay);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    relay->server.sun_family = AF_UNIX;
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    strncpy(relay->path, path, sizeof relay->path - 1);
    strncpy(relay->server.sun_path, server, sizeof relay->server.sun_path - 1);
    unlink(path);
    relay->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    pthread_t thread;
    if (relay->listener < 0 || bind(relay->listener, (struct sockaddr *)&address, sizeof address) < 0
        || listen(relay->listener, 64) < 0 || pthread_create(&thread, NULL, listen_for_clients, relay) != 0) {
        plain_fail(NULL, "relay");
        free(relay);
        return NULL;
    }
    pthread_detach(thread);
    return relay;
}

int64_t plain_relay_round_trips(plain_relay *relay) { return atomic_load(&relay->round_trips); }

void plain_relay_reset(plain_relay *relay) { atomic_store(&relay->round_trips, 0); }

// The relay itself stays: passages that are still open count on it.
void plain_relay_stop(plain_relay *relay) {
    shutdown(relay->listener, SHUT_RDWR);
    close(relay->listener);
    unlink(relay->path);
}
