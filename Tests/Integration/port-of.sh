# For scripts that start `openssl s_server`, which source this file. They have a function `fail`.

# Waits until a server's log names the port that it was given, at most some ten seconds,
# and prints it.
port_of() { # LOG
    for _ in $(seq 200); do
        if [ -e "$1" ] && port=$(sed -n 's/^ACCEPT .*:\([0-9][0-9]*\)\( .*\)\?$/\1/p' "$1" | head -n 1) && [ -n "$port" ]; then
            echo "$port"
            return
        fi
        read -r -t 0.05 _ <> <(:) || true
    done
    cat "$1" >&2
    fail "no server came up: $1"
}
