# For scripts that judge connections to six servers, which source this file in an empty folder: a
# good one, one with another key than the pinned, one expired, one with another's name, one whose
# staple says revoked, one that no rule is about. Makes the certificates, keys and policy.yaml. They
# have functions `fail` and `port_of`, and an array `children` that they end.

source "$(dirname "${BASH_SOURCE[0]}")/rig.sh"
authority
names=(good pinned expired name revoked stranger)
for name in "${names[@]}" changing; do
    case $name in
    expired) certificate expired expired.rig.example -40 -10 ;;
    name) certificate name another.rig.example -1 20 ;;
    *) certificate "$name" "$name.rig.example" -1 20 ;;
    esac
done
revoke revoked
staple revoked

rig_policy > policy.yaml <<POLICY
  good: { hosts: ["good.rig.example", "expired.rig.example", "name.rig.example"], anchors: [rig] }
  changing: { hosts: ["changing.rig.example"], anchors: [rig] }
  pinned: { hosts: ["pinned.rig.example"], anchors: [rig], pins: [ours] }
  revoked:
    hosts: ["revoked.rig.example"]
    anchors: [rig]
    revocation: { preset: require, sources: [stapled], scope: leaf }
POLICY
spare_key offline
spare_key spare
declare -A ports
serve() { # VERSION NAME OPTION...
    local version=$1 name=$2 log=server-$1-$2.log
    shift 2
    [ "$name" != revoked ] || set -- "$@" -status_file revoked.staple
    openssl s_server -accept 127.0.0.1:0 -cert "$name.pem" -key "$name.key" -www "-$version" "$@" \
        > "$log" 2>&1 < <(tail -f /dev/null --pid=$$) &
    children+=($!)
    ports[$name]=$(port_of "$log")
}
# Records of application data that a server has received: what `-msg` shows of them.
records() { # VERSION NAME
    awk -v kind="$([ "$1" = tls1_2 ] && echo RecordHeader || echo InnerContent)" '
        is_ours && /^ +17/ { count++ }
        { is_ours = /^<<< / && index($0, kind) }
        END { print count + 0 }' "server-$1-$2.log"
}
declare -A expected=(
    [good]=accept [pinned]=pin-mismatch [expired]=expired [name]=name-mismatch [revoked]=revoked
    [stranger]=no-applicable-rule)
