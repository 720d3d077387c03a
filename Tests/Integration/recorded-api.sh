# An API with recorded answers (`recorded-api.py`), and a home with a name for git, for scripts that
# source this file. They have a folder `$scratch`, in it `$HOME`, and `$root`, the repository.

mkdir "$HOME"
git config --global user.name tester
git config --global user.email tester@example.com
git config --global init.defaultBranch main
git config --global advice.detachedHead false
fail() {
    printf 'FAILED: %s\n' "$1" >&2
    for file in "$scratch/log" "$scratch/requests.jsonl"; do
        if [ -s "$file" ]; then echo "--- ${file##*/}" >&2; cat "$file" >&2; fi
    done
    exit 1
}

# Sets `api`, its address, and `server`, the process, which the script ends.
start_api() {
    echo '[]' >"$scratch/answers.json"
    python3 "$root/Tests/Integration/recorded-api.py" "$scratch" &
    server=$!
    for _ in $(seq 200); do
        [ ! -f "$scratch/port" ] || break
        read -r -t 0.05 _ <> <(:) || true
    done
    [ -f "$scratch/port" ] || fail 'the recorded API does not listen'
    api=http://127.0.0.1:$(cat "$scratch/port")
}

comments='/repos/orchard/trust/issues/7/comments'
first_page="$comments?per_page=100"
bot='github-actions[bot]'

# Answers, as GitHub gives them.
comment() { # ID AUTHOR BODY
    jq -nc --argjson id "$1" --arg author "$2" --arg body "$3" '{ id: $id, user: { login: $author }, body: $body }'
}
answer() { # METHOD PATH STATUS BODY [LINK]
    jq -nc --arg method "$1" --arg path "$2" --argjson status "$3" --argjson body "$4" --arg link "${5:-}" \
        '{ method: $method, path: $path, status: $status, body: $body,
           headers: (if $link == "" then {} else { Link: $link } end) }'
}
asked() { # METHODS: the methods of all requests
    local methods
    methods=$(jq -rs '[.[].method] | join(" ")' "$scratch/requests.jsonl")
    [ "$methods" = "$1" ] || fail "asked \`$methods\` and not \`$1\`"
}
posted() { jq -rs 'last.body | fromjson.body' "$scratch/requests.jsonl"; }
# Not by a pipe: `grep -q` ends early, and then the pipe has failed.
says() { grep -qi -- "$1" <<<"$(posted)" || { posted >&2; fail "the comment does not say \`$1\`"; }; }
says_not() { if grep -qi -- "$1" <<<"$(posted)"; then posted >&2; fail "the comment says \`$1\`"; fi; }
