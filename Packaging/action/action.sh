#!/usr/bin/env bash
# The step of `action.yml`: refuses events that it must not run on, installs the release that the
# maintainers' key has signed, and lets `check.sh` judge the change with an environment of its own.
#
# It reads HAWSER_VERSION, HAWSER_KEY and HAWSER_RELEASES, which `action.yml` sets; SOURCE, another
# address or folder with the files of that release; TOKEN; EVENT; and variables that a runner sets.
# It writes one line to GITHUB_OUTPUT, `status=` and digits, and nothing to GITHUB_ENV or
# GITHUB_PATH.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

refuse() { # STATUS MESSAGE
    printf 'hawser: %s\n' "$2" >&2
    printf 'status=%s\n' "$1" >>"${GITHUB_OUTPUT:-/dev/null}"
    exit "$1"
}
case ${EVENT:-} in
pull_request | merge_group) ;;
pull_request_target | workflow_run | issue_comment)
    refuse 2 "this action does not run on \`$EVENT\`: a change of a stranger would run beside a token that can write. Use \`pull_request\`"
    ;;
*) refuse 2 "this action judges a change: it runs on \`pull_request\` and \`merge_group\`, and not on \`${EVENT//[^a-z_]/}\`" ;;
esac
for tool in curl git jq openssl tar timeout; do
    command -v "$tool" >/dev/null || refuse 2 "this runner lacks $tool"
done

# From here on the log shows text of the change. The runner obeys lines that begin with `::` until
# this line tells it to stop.
quiet=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
printf '::stop-commands::%s\n' "$quiet"
umask 077
scratch=$(realpath "$(mktemp -d)")
trap 'rm -rf "$scratch"; printf "::%s::\n" "$quiet"' EXIT

# Of the environment that earlier steps left, only the way to the network and to programs is handed
# on, and the token only to the checks. The home is empty: a configuration of git may name filters,
# and one of curl other addresses.
mkdir "$scratch/home"
clean=(env -i PATH="$PATH" HOME="$scratch/home" TMPDIR="$scratch" LC_ALL=C.UTF-8 GIT_CONFIG_NOSYSTEM=1
    https_proxy="${https_proxy:-${HTTPS_PROXY:-}}" no_proxy="${no_proxy:-${NO_PROXY:-}}")
"${clean[@]}" git config --global safe.directory "$PWD"
# By a file, as every process of the machine can see the arguments of the others.
printf '%s' "${TOKEN:-}" >"$scratch/token"

releases=${SOURCE:-${HAWSER_RELEASES:-}}
hawser=$("${clean[@]}" bash "$here/install.sh" "${HAWSER_VERSION:-}" "${HAWSER_KEY:-}" \
    "${releases//VERSION/${HAWSER_VERSION:-}}" "$scratch/release") ||
    refuse $? 'the command is not installed, so the change is not judged'

status=0
"${clean[@]}" \
    EVENT="$EVENT" EVENT_FILE="$GITHUB_EVENT_PATH" COMMIT="$GITHUB_SHA" WORKFLOW="${GITHUB_WORKFLOW_REF:-}" \
    REPOSITORY="$GITHUB_REPOSITORY" ACTOR="${GITHUB_ACTOR:-}" API="${GITHUB_API_URL:-https://api.github.com}" \
    TOKEN_FILE="$scratch/token" SUMMARY="${GITHUB_STEP_SUMMARY:-/dev/null}" \
    bash "$here/check.sh" "$hawser" || status=$?
printf 'status=%s\n' "$status" >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$status"
